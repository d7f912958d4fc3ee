// The line of a GSD project: byte for byte GSD's own status line, except for sanitizing.

package line

import "unicode/utf8"

// GSD holds the content of a GSD project's STATE.md, each value as the file spells it and "" if absent (absent and null
// are the same to the line). The zero value is an empty STATE.md and gives an empty line.
type GSD struct {
	NoActiveWorkstream bool // the project has workstreams and none of them is chosen: nothing else counts
	Unfinished         bool // work is left in the tree, regardless of STATE.md's counts: the line never claims completion

	Milestone     string   // frontmatter milestone, such as "v2.0"
	MilestoneName string   // frontmatter milestone_name; the placeholder "milestone" is not shown
	Status        string   // frontmatter status in full, else the word derived from the body's "Status:" line
	ActivePhase   string   // frontmatter active_phase: a command is at work on this phase now
	NextAction    string   // frontmatter next_action: the command recommended next
	NextPhases    []string // the items of next_phases, none of them empty: the phases NextAction is for

	// The progress block, as ASCII digits of any number, leading zeros kept.
	Percent         string
	PercentOf       string // unit of Percent, "plans", if the place should show it; STATE.md has no word for it
	CompletedPhases string
	TotalPhases     string

	// The body's first line of the form "Phase: N of M (name)"; the two numbers are ASCII digits.
	PhaseNumber string
	PhaseTotal  string
	PhaseName   string

	StateHead string // frontmatter state_head: the commit that STATE.md was written at; not shown
	// CommitsBehind is how many commits HEAD is ahead of StateHead, 0 if that is unknown or the project does not ask for it. The
	// line shows it from MinCommitsBehind on. Git knows it, so the caller has to fill it in.
	CommitsBehind int
}

// MinCommitsBehind is the minimum lag at which a line shows how many commits STATE.md is behind.
const MinCommitsBehind = 20

// MaxNextPhases is how many entries of NextPhases a line can show at most: beyond it the joined list is longer than one
// field may be, even when every entry cleans to nothing. A reader need not keep more.
const MaxNextPhases = FieldLimit + 1

// Scene returns which of the four scenes the full form shows, and why.
func (g *GSD) Scene() (n int, why string) {
	switch {
	case g.NoActiveWorkstream:
		return 4, "the project has workstreams and none of them is active"
	case g.ActivePhase != "":
		return 1, "active_phase is set"
	case g.NextAction != "" && len(g.NextPhases) > 0:
		return 2, "next_action and next_phases are set, active_phase is not"
	case g.isComplete() && g.hasPercent100():
		return 3, "progress.percent is 100"
	case g.isComplete():
		return 3, "progress.completed_phases equals progress.total_phases"
	case g.Status != "" || g.hasPosition():
		return 4, "no phase is active, no next step is known, the milestone is not complete"
	case g.hasMilestone():
		return 4, "only the milestone is known"
	case g.CommitsBehind >= MinCommitsBehind:
		return 4, "only the age of the file is known"
	}
	return 0, "the file holds nothing that the line shows"
}

// Compose adds the full or the compact form to t, in pieces.
func (g *GSD) Compose(t *Text, compact bool) {
	switch {
	case g.NoActiveWorkstream:
		t.part(Keep, own("no active workstream"))
		return
	case compact:
		g.composeCompact(t)
	default:
		g.composeFull(t)
	}
	if g.CommitsBehind >= MinCommitsBehind {
		t.part(RankDetail, own("state ~").as(Wait), count(g.CommitsBehind).as(Wait), own(" commits back").as(Wait))
	}
}

func (g *GSD) composeFull(t *Text) {
	if g.hasMilestone() {
		g.addMilestone(t)
	}
	switch scene, _ := g.Scene(); scene {
	case 1:
		t.part(Keep, own("Phase "), exact(g.ActivePhase))
		if g.Status != "" {
			t.write(own(" "), exact(g.Status).as(statusRole(g.Status)))
		}
	case 2:
		g.next(t)
	case 3:
		t.part(RankStatus, own("milestone complete"))
	default:
		rank := t.statusPart(exact(g.Status))
		if g.hasPosition() {
			g.addPosition(t, rank)
		}
	}
}

func (g *GSD) composeCompact(t *Text) {
	if g.Milestone != "" {
		t.part(RankPlace, exact(g.Milestone))
	}
	phase := g.ActivePhase
	if phase == "" {
		phase = g.PhaseNumber
	}
	if phase != "" {
		t.part(RankDetail, own("P"), exact(phase))
		if g.PhaseTotal != "" {
			t.write(own("/"), exact(g.PhaseTotal))
		}
	}
	word, halved := shortStatus(g.Status)
	switch {
	case g.ActivePhase == "" && g.isComplete():
		t.part(RankStatus, own("complete"))
	case word != "":
		t.part(statusRank(g.Status), exact(word).as(statusRole(g.Status)))
		if halved {
			t.write(own("\uFFFD"))
		}
	case phase == "" && g.NextAction != "":
		g.next(t)
	}
}

// statusRole returns the role of a status: the words that GSD's commands and people use for stopped work.
func statusRole(status string) Role {
	for _, word := range [...]string{"blocked", "failed"} {
		if ContainsFold(status, word) {
			return Blocked
		}
	}
	for _, word := range [...]string{"paused", "stopped", "waiting", "human"} {
		if ContainsFold(status, word) {
			return Wait
		}
	}
	return Plain
}

// statusRank returns the rank of a status: one that explains why work has stopped is always kept.
func statusRank(status string) Rank {
	if statusRole(status) == Plain {
		return RankStatus
	}
	return Keep
}

// addMilestone writes the first part of the full form: the version, the name and the bar, as far as they are there.
func (g *GSD) addMilestone(t *Text) {
	begin := t.part
	if g.Milestone != "" {
		t.part(RankPlace, exact(g.Milestone))
		begin = t.further
	}
	if g.namesMilestone() {
		begin(RankName, exact(g.MilestoneName))
	}
	if g.Percent == "" {
		return
	}
	t.Bar(parsePercent(g.Percent), g.Milestone == "" && !g.namesMilestone())
	if g.PercentOf != "" {
		t.further(RankLabel, own("of "+g.PercentOf))
	}
}

// next writes the recommended command and, if known, its phases.
func (g *GSD) next(t *Text) {
	t.part(Keep, own("next "), exact(g.NextAction))
	separator := " "
	start := len(t.bytes) + len(separator)
	for _, phase := range g.NextPhases {
		t.bytes = append(t.bytes, separator...)
		separator = "/"
		t.bytes = t.appendExact(phase, FieldLimit+utf8.UTFMax)
		if end := start + FieldLimit; len(t.bytes) > end { // all phases together are one field
			for !utf8.RuneStart(t.bytes[end]) {
				end--
			}
			t.bytes = t.bytes[:end]
			break
		}
	}
	t.markRole(Plain)
}

// addPosition writes the body's phase line: the name and N/M.
func (g *GSD) addPosition(t *Text, rank Rank) {
	before, after := "ph ", ""
	if g.PhaseName != "" {
		before, after = " (", ")"
	}
	t.part(rank, exact(g.PhaseName), own(before), exact(g.PhaseNumber), own("/"), exact(g.PhaseTotal), own(after))
}

// hasMilestone reports whether the full form has a first part. A bar on its own does not count, and a placeholder name
// counts only with a bar.
func (g *GSD) hasMilestone() bool {
	return g.Milestone != "" || g.namesMilestone() || g.MilestoneName != "" && g.Percent != ""
}

// namesMilestone reports whether the milestone's name is shown; GSD writes "milestone" for an unknown name.
func (g *GSD) namesMilestone() bool { return g.MilestoneName != "" && g.MilestoneName != "milestone" }

// hasPosition reports whether the body holds a phase line.
func (g *GSD) hasPosition() bool { return g.PhaseNumber != "" && g.PhaseTotal != "" }

// isComplete reports whether the progress block calls the milestone complete.
func (g *GSD) isComplete() bool {
	return !g.Unfinished && (g.hasPercent100() || g.HasAllPhases())
}

func (g *GSD) hasPercent100() bool { return trimZeros(g.Percent) == "100" }

// HasAllPhases reports whether the progress block counts every phase as completed. It compares numbers, so "5" equals
// "05", and no phases at all are not complete.
func (g *GSD) HasAllPhases() bool {
	total := trimZeros(g.TotalPhases)
	return total != "" && trimZeros(g.CompletedPhases) == total
}

// trimZeros removes leading zeros, all of them: two numbers are equal if their digits are equal without the zeros.
func trimZeros(digits string) string {
	for digits != "" && digits[0] == '0' {
		digits = digits[1:]
	}
	return digits
}

// parsePercent returns the number that digits spell, at most 100; "" is 0.
func parsePercent(digits string) int {
	n := 0
	for i := 0; i < len(digits) && n < 100; i++ {
		n = n*10 + int(digits[i]-'0')
	}
	return min(n, 100)
}
