// The two rows of a fctry project in an agent's status line: the project, and the build.

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
	t.part(RankPlace, value(a.Project))
	if f.Detail.Version != "" {
		t.further(RankName, value(f.Detail.Version))
	}
	if f.Spec != "" {
		t.part(Keep, own("spec ").as(Dim), value(f.Spec))
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

// buildRow writes the line without the version, and the next step unless the line has it.
func (f *Fctry) buildRow(t *Text) {
	build := *f
	build.Spec = ""
	build.composeFull(t)
	if f.Detail.Section != "" {
		t.part(RankDetail, value(f.Detail.Section).as(Accent))
	}
	if f.NextStep != "" && f.sceneOf() != fctryNext {
		t.part(RankPlace, own("→ ").as(Dim), value(f.NextStep))
	}
}
