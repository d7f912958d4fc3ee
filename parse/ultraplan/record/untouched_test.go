package record

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"

	"gatehouse/parse/ultraplan/fixture"
)

// editable matches the lines of STATE.md and PLAN.md that a capture may change, add or remove.
var editable = regexp.MustCompile(`^\x{FEFF}?[ \t]*(?:[-*+] )?(?:\*\*)?(?:Phase|Plan|Current focus|Status|Last activity|Progress|Total plans completed|Average duration|Resume file)(?:\*\*)?:` +
	`|^[ \t]*\|[ \t]*(?:-|3)[ \t]*\||^- Task \d: |^None yet\.|^- \[[ x]\] Task 1: Fill the tank`)

// rest returns a text without the lines that may change.
func rest(text string) string {
	var b strings.Builder
	for l := range strings.Lines(text) {
		if !editable.MatchString(l) {
			b.WriteString(l)
		}
	}
	return b.String()
}

// pieces are parts that STATE.md files are assembled from, usual ones and unusual ones.
var pieces = []string{
	"# Project State\n\n",
	"## Current Position\n\nPhase: 3 of 4 (Lamp)\nPlan: 1 of 2 in current phase\nStatus: Planning\nLast activity: 2026-01-20 - x\n\nProgress: [██▒░░░░░░░] 37.5% (0/2 plans complete) — (v1)  \n\n",
	"## Current Position\n- Phase: 16\n- **Status:** in_progress\n- Progress: [####----] 50%\n\n",
	"## Performance Metrics\n\n**Velocity:**\n- Total plans completed: 0\n- Average duration: -\n\n**By Phase:**\n\n| Phase | Plans | Total | Avg/Plan |\n|-------|-------|-------|----------|\n| 1 | 5/5 | 2h 10m | 26m |\n|  3  | 0/2 |\t- | - |\n\n*Updated*\n\n",
	"## Performance Metrics\n| Phase | Plans | Status |\n|---|---|---|\n| 3. Lamp | 0/2 | x |\n",
	"### Decisions\n\nStatus is a word: and so is Progress\n- [Phase 3]: Status: not this one\n\n",
	"### Blockers/Concerns\n\nNone yet.\n\n", "## Blockers\n- [Phase 1]: thin oil\n  which goes on\n\n", "## Blockers/Concerns\n",
	"```yaml\ncurrent_task:\n  name: x\n  status: Status\n## Blockers\n```\n", "<!--\n## Current Position\nStatus: hidden\n-->\n", "text without an end of section \t \n\n\n",
	"## Session Continuity\n\nStopped at: x\nResume file: .ultraplan/state/continue.md\n", "\x1b]0;x\a \u202e hostile\n", "## 진행\n상태: 좋음\n",
}

// TestCaptureLeavesTheRestAsItIs checks that a capture changes only the editable lines, whatever else is in the files.
func TestCaptureLeavesTheRestAsItIs(t *testing.T) {
	rounds, seed := randomRounds(t, 20)
	random := rand.New(rand.NewPCG(seed, 1))
	for i := range rounds {
		var state strings.Builder
		for range 1 + random.IntN(9) {
			state.WriteString(pieces[random.IntN(len(pieces))])
		}
		before, plan := state.String(), fixture.TwoTasks+strings.Repeat(pieces[random.IntN(len(pieces))], random.IntN(2))
		switch random.IntN(4) {
		case 0:
			before, plan = strings.ReplaceAll(before, "\n", "\r\n"), strings.ReplaceAll(plan, "\n", "\r\n")
		case 1:
			before, plan = "\uFEFF"+before, "\uFEFF"+plan
		case 2:
			before, plan = strings.TrimRight(before, "\n"), strings.TrimRight(plan, "\n")
		}
		dir := fixture.Project(t, fixture.Lantern(map[string]string{".planning/STATE.md": before, ".planning/phases/03-lamp/03-01-PLAN.md": plan}))
		var all []Report
		for n := range 3 {
			all = append(all, Report{Text: result(1, []string{"success", "failure", "blocked"}[random.IntN(3)], n+1), Plan: "03-01"})
		}
		for _, rep := range all {
			captureOf(t, dir, rep)
		}
		what := fmt.Sprintf("seed %d, round %d", seed, i)
		if got := read1(t, dir, ".planning/STATE.md"); strings.TrimRight(rest(got), "\r\n") != strings.TrimRight(rest(before), "\r\n") {
			t.Fatalf("%s: STATE.md\n%q\nbecame\n%q", what, before, got)
		}
		if got := read1(t, dir, ".planning/phases/03-lamp/03-01-PLAN.md"); rest(got) != rest(plan) {
			t.Fatalf("%s: PLAN.md\n%q\nbecame\n%q", what, plan, got)
		}
		written := treeOf(t, dir)
		for _, rep := range all {
			captureOf(t, dir, rep)
		}
		sameTree(t, treeOf(t, dir), written, what+", run again")
	}
}
