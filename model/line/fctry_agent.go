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
	t.part(RankPlace, value(a.Project))
	if d.Version != "" {
		t.further(RankName, value(d.Version))
	}
	if f.Spec != "" {
		t.part(Keep, own("spec ").as(Dim), value(f.Spec))
	}
	if d.SpecStatus != "" {
		t.part(RankName, value(d.SpecStatus).as(specRole(d.SpecStatus)))
	}
	if a.Metered {
		role := Plain
		switch {
		case a.Used >= 90:
			role = Blocked
		case a.Used >= 70:
			role = Wait
		}
		t.part(Keep, own("◐ ").as(role), count(a.Used).as(role), own("%").as(role))
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
		t.part(Keep, own("state.json can't be read").as(Blocked))
	}
	f.addCommand(t)
	if f.Asks() {
		t.Waits(f.Run.What())
	}
	f.addChunks(t)
	scene := f.sceneOf()
	if scene == fctryOdd || scene == fctryUnread {
		t.Begin(Keep)
		f.addCommon(t, scene)
	}
	f.Run.addMarks(t, scene)
	if d.Section != "" {
		t.part(RankDetail, value(d.Section).as(Accent))
		if d.SectionNumber != "" {
			t.write(own(" (").as(Accent), value(d.SectionNumber).as(Accent), own(")").as(Accent))
		}
	}
	if f.Scenarios > 0 {
		t.part(RankDetail, own("✓ ").as(Dim), amount(f.Satisfied), own("/"), amount(f.Scenarios))
		t.further(RankBar, own("scenarios"))
	}
	d.addReadiness(t)
	addCounted(t, Wait, "△ ", d.Untracked, "untracked")
	addCounted(t, Plain, "✉ ", d.Findings, "to review")
	if d.Upgraded {
		t.part(RankBar, own("⇧ upgraded").as(Accent))
	}
	if f.NextStep != "" {
		t.part(RankPlace, own("→ ").as(Dim), value(f.NextStep))
	}
}

// addCommand writes the command and the progress of a review's scan.
func (f *Fctry) addCommand(t *Text) {
	if f.Command == "" {
		return
	}
	t.part(Keep, value(f.Command).as(Accent))
	if d := &f.Detail; f.Command == "review" && d.ToScan > 0 {
		t.further(RankDetail, own("scanning ").as(Dim), amount(d.Scanned), own("/"), amount(d.ToScan))
	}
}

// addChunks writes the progress of the run, as fctry does: finished chunks, running ones, the attempt, the total, and failed ones.
func (f *Fctry) addChunks(t *Text) {
	r := &f.Run
	percent, known := r.Percent()
	if !known {
		return
	}
	t.Begin(Keep)
	if r.Running && r.Chunk == "" { // the chunks are not listed
		t.write(own("chunk "))
		t.write(r.place()...)
		t.Bar(percent, false)
		return
	}
	t.write(count(r.Done))
	if r.Busy > 0 {
		t.write(own("+"), count(r.Busy))
		if r.Retry > 1 {
			t.write(own("(r").as(Wait), count(r.Retry).as(Wait), own(")").as(Wait))
		}
	}
	t.write(r.ofTotal()...)
	if r.Failed > 0 {
		t.write(own(" ").as(Blocked), count(r.Failed).as(Blocked), own("✗").as(Blocked))
	}
	t.Bar(percent, false)
	switch f.sceneOf() {
	case fctryChunk, fctryStale:
		t.further(RankDetail, short(r.Chunk))
	case fctryComplete:
		t.further(RankDetail, own("build complete"))
	case fctryDisputed:
		t.And(RankDetail)
		f.addCommon(t, fctryDisputed)
	case fctryReady:
		t.further(RankDetail, own("next "))
		if r.Chunk == "" { // the chunks are not listed
			t.write(own("chunk "))
			t.write(r.place()...)
		} else {
			t.write(short(r.Chunk))
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
	switch {
	case total == 0:
		return
	case d.Evolved == 0:
		t.part(RankDetail, amount(d.Built), own("/"), amount(total), own(" built"))
		return
	}
	t.part(RankDetail, amount(d.Built), own(" built "), amount(d.Evolved), own(" evolved"))
	if d.Specced > 0 {
		t.write(own(" "), amount(d.Specced), own(" specced"))
	}
}

// addCounted writes the number of items to look at, nothing for none.
func addCounted(t *Text, role Role, label string, n int, what string) {
	if n > 0 {
		t.part(RankDetail, own(label).as(role), count(n).as(role))
		t.further(RankBar, own(what).as(role))
	}
}
