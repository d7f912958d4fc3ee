// The two rows of a fctry project in an agent's status line: the content of fctry's own status line, in the same order,
// with glyphs that every font has.

package line

// fctryDetail holds the facts that only the rows of an agent's status line show. Texts are as the files spell them.
type fctryDetail struct {
	Version    string // of the project, as released
	SpecStatus string // "draft", "stable"; "" also for "active", which is the usual one
	// Section is the title of the current section, with its number, or its alias if the spec has no such section.
	Section, SectionNumber string
	// Sections by state.
	Built, Evolved, Specced, Unspecced Amount
	Untracked                          int    // files changed outside of any command
	Findings                           int    // unreviewed overnight findings
	Upgraded                           bool   // fctry has just been upgraded
	Scanned, ToScan                    Amount // sections, while a review scans them
}

// Agent holds facts about the agent, for its status line.
type Agent struct {
	Project string // name of the directory
	// Used is the used percentage of the context window. Metered reports whether it is known.
	Used    int
	Metered bool
}

// AgentRows is implemented by facts that have rows of their own in an agent's status line.
type AgentRows interface {
	// ComposeRow adds a row, counted from 0, to t. It adds nothing for a row that has nothing to say, and none has more
	// than two.
	ComposeRow(t *Text, row int, a *Agent)
}

// ComposeRow implements AgentRows: the project in the first row, the build in the second.
func (f *Fctry) ComposeRow(t *Text, row int, a *Agent) {
	switch row {
	case 0:
		f.projectRow(t, a)
	case 1:
		f.buildRow(t)
	}
}

func (f *Fctry) projectRow(t *Text, a *Agent) {
	d := &f.Detail
	t.Begin(RankPlace)
	t.Field(Plain, a.Project)
	if d.Version != "" {
		t.And(RankName)
		t.Field(Plain, d.Version)
	}
	if f.Spec != "" {
		t.Begin(Keep)
		t.Add(Dim, "spec ")
		t.Field(Plain, f.Spec)
	}
	if d.SpecStatus != "" {
		t.Begin(RankName)
		t.Field(specRole(d.SpecStatus), d.SpecStatus)
	}
	if a.Metered {
		role := Plain
		switch {
		case a.Used >= 90:
			role = Blocked
		case a.Used >= 70:
			role = Wait
		}
		t.Begin(Keep)
		t.Add(role, "◐ ")
		t.addNumber(role, a.Used)
		t.Add(role, "%")
	}
}

func specRole(status string) Role {
	if status == "draft" {
		return Wait
	}
	return Plain
}

func (f *Fctry) buildRow(t *Text) {
	d := &f.Detail
	if f.Unreadable {
		t.Begin(Keep)
		t.Add(Blocked, "state.json can't be read")
	}
	f.addCommand(t)
	if f.Asks() {
		t.Waits(f.Run.What())
	}
	f.addChunks(t)
	switch scene := f.sceneOf(); scene {
	case fctryOdd, fctryUnread:
		t.Begin(Keep)
		f.addCommon(t, scene)
		f.Run.addMarks(t, scene)
	default:
		f.Run.addMarks(t, scene)
	}
	if d.Section != "" {
		t.Begin(RankDetail)
		t.Field(Accent, d.Section)
		if d.SectionNumber != "" {
			t.Add(Accent, " (")
			t.Field(Accent, d.SectionNumber)
			t.Add(Accent, ")")
		}
	}
	if f.Scenarios > 0 {
		t.Begin(RankDetail)
		t.Add(Dim, "✓ ")
		t.addAmount(Plain, f.Satisfied)
		t.Add(Plain, "/")
		t.addAmount(Plain, f.Scenarios)
		t.And(RankBar)
		t.Add(Plain, "scenarios")
	}
	d.addReadiness(t)
	addCounted(t, Wait, "△ ", d.Untracked, "untracked")
	addCounted(t, Plain, "✉ ", d.Findings, "to review")
	if d.Upgraded {
		t.Begin(RankBar)
		t.Add(Accent, "⇧ upgraded")
	}
	if f.NextStep != "" {
		t.Begin(RankPlace)
		t.Add(Dim, "→ ")
		t.Field(Plain, f.NextStep)
	}
}

// addCommand writes the command and how far a review's scan is.
func (f *Fctry) addCommand(t *Text) {
	if f.Command == "" {
		return
	}
	t.Begin(Keep)
	t.Field(Accent, f.Command)
	if d := &f.Detail; f.Command == "review" && d.ToScan > 0 {
		t.And(RankDetail)
		t.Add(Dim, "scanning ")
		t.addAmount(Plain, d.Scanned)
		t.Add(Plain, "/")
		t.addAmount(Plain, d.ToScan)
	}
}

// addChunks writes how far the run is, as fctry does: done, those that run, the attempt, the total, and those that failed.
func (f *Fctry) addChunks(t *Text) {
	r := &f.Run
	percent, known := r.Percent()
	if !known {
		return
	}
	t.Begin(Keep)
	if r.Running && r.Chunk == "" { // the chunks are not listed
		t.Add(Plain, "chunk ")
		r.addPlace(t)
		t.Bar(percent, false)
		return
	}
	t.addNumber(Plain, r.Done)
	if r.Busy > 0 {
		t.Add(Plain, "+")
		t.addNumber(Plain, r.Busy)
		if r.Retry > 1 {
			t.Add(Wait, "(r")
			t.addNumber(Wait, r.Retry)
			t.Add(Wait, ")")
		}
	}
	r.addTotal(t)
	if r.Failed > 0 {
		t.Add(Blocked, " ")
		t.addNumber(Blocked, r.Failed)
		t.Add(Blocked, "✗")
	}
	t.Bar(percent, false)
	switch f.sceneOf() {
	case fctryChunk, fctryStale:
		t.And(RankDetail)
		t.Short(Plain, r.Chunk, ShortCols)
	case fctryComplete:
		t.And(RankDetail)
		t.Add(Plain, "build complete")
	case fctryDisputed:
		t.And(RankDetail)
		f.addCommon(t, fctryDisputed)
	case fctryReady:
		t.And(RankDetail)
		t.Add(Plain, "next ")
		if r.Chunk == "" { // the chunks are not listed
			t.Add(Plain, "chunk ")
			r.addPlace(t)
		} else {
			t.Short(Plain, r.Chunk, ShortCols)
		}
	case fctryBlocked:
		t.And(RankDetail)
		r.addBlocked(t)
	}
}

// addReadiness writes how many sections are built, in fctry's words. It counts sections overtaken by a newer spec
// separately.
func (d *fctryDetail) addReadiness(t *Text) {
	total := d.Built + d.Evolved + d.Specced + d.Unspecced
	if total == 0 {
		return
	}
	t.Begin(RankDetail)
	t.addAmount(Plain, d.Built)
	if d.Evolved == 0 {
		t.Add(Plain, "/")
		t.addAmount(Plain, total)
		t.Add(Plain, " built")
		return
	}
	t.Add(Plain, " built ")
	t.addAmount(Plain, d.Evolved)
	t.Add(Plain, " evolved")
	if d.Specced > 0 {
		t.Add(Plain, " ")
		t.addAmount(Plain, d.Specced)
		t.Add(Plain, " specced")
	}
}

// addCounted writes a number of things that wait to be looked at, nothing for none.
func addCounted(t *Text, role Role, label string, n int, what string) {
	if n == 0 {
		return
	}
	t.Begin(RankDetail)
	t.Add(role, label)
	t.addNumber(role, n)
	t.And(RankBar)
	t.Add(role, what)
}
