package loop

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"gatehouse/model"
	"gatehouse/model/modeltest"
	"gatehouse/parse/disk/mirror"
	"gatehouse/parse/loop/core"
)

// noon is the tests' clock.
var noon = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

const definitionText = `{
  "id": "kite-loop", "name": "Kite", "version": "1.2.0",
  "phases": [
    {"name": "SKETCH", "skills": ["draw", {"skillId": "measure", "required": false}], "description": "on paper"},
    {"id": "SEW", "name": "Sew It", "skills": ["cut"]},
    {"name": "FLY", "skills": [], "required": false}
  ],
  "gates": [
    {"id": "sketch-gate", "name": "Sketch Approval", "afterPhase": "SKETCH", "required": true, "approvalType": "human", "deliverables": ["SKETCH.md", "docs/PLAN.md"]},
    {"id": "wind-gate", "name": "Wind", "afterPhase": "SKETCH", "required": false, "approvalType": "conditional", "condition": "only when it blows", "deliverables": []},
    {"id": "sew-gate", "name": "Seams", "afterPhase": "SEW", "approvalType": "auto", "autoCheck": "seams hold", "criteria": ["no holes"], "deliverables": ["a firm seam"]}
  ]
}`

// stateText returns a state of the kite loop: the statuses of loop, three phases and three gates.
func stateText(loop string, phases, gates [3]string) string {
	text := fmt.Sprintf("{\n  \"loop\": \"kite-loop\",\n  \"version\": \"1.2.0\", \"mode\": \"greenfield\",\n  \"phase\": \"SKETCH\",\n  \"status\": %q,\n  \"gates\": {\n", loop)
	for i, id := range []string{"sketch-gate", "wind-gate", "sew-gate"} {
		deliverables := []string{`["SKETCH.md", "docs/PLAN.md"]`, `[]`, `["a firm seam"]`}[i]
		approval := []string{"human", "conditional", "auto"}[i]
		text += fmt.Sprintf("    %q: { \"status\": %q, \"required\": %t, \"approvalType\": %q, \"deliverables\": %s, \"passedAt\": null, \"skippedReason\": null }%s\n", id, gates[i], i != 1, approval, deliverables, strings.Repeat(",", 1-i/2))
	}
	text += "  },\n  \"phases\": {\n"
	for i, name := range []string{"SKETCH", "Sew It", "FLY"} {
		completed := "null"
		if phases[i] == "complete" {
			completed = fmt.Sprintf(`"2026-03-01T1%d:00:00Z"`, i)
		}
		skills := []string{`["draw", "measure"]`, `["cut"]`, `[]`}[i]
		text += fmt.Sprintf("    %q: { \"status\": %q, \"required\": %t, \"skills\": %s, \"deliverables\": [], \"startedAt\": null, \"completedAt\": %s }%s\n", name, phases[i], i != 2, skills, completed, strings.Repeat(",", 1-i/2))
	}
	return text + "  },\n  \"metrics\": { \"kites\": 1.50, \"wind\": { \"knots\": 12 }, \"days\": [1, 2] },\n  \"started_at\": \"2026-03-01T09:00:00Z\",\n  \"last_updated\": \"2026-03-01T10:30:00Z\"\n}\n"
}

// kite writes a project with a kite loop and returns a reader of it.
func kite(t testing.TB, state string, files map[string]string) *Reader {
	t.Helper()
	dir := t.TempDir()
	write(t, filepath.Join(dir, "kite-state.json"), state)
	if _, own := files["loop.json"]; !own {
		write(t, filepath.Join(dir, "loop.json"), definitionText)
	}
	for name, text := range files {
		if text != "" || name != "loop.json" {
			write(t, filepath.Join(dir, name), text)
		}
	}
	return only(t, dir, nil)
}

// only returns the reader of the only loop in a directory.
func only(t testing.TB, dir string, library *mirror.Group) *Reader {
	t.Helper()
	readers := Readers(mirror.New(dir), "", library)
	if len(readers) != 1 {
		t.Fatalf("%d loops", len(readers))
	}
	return readers[0]
}

var (
	begun   = [3]string{"active", "pending", "pending"}
	atGate  = [3]string{"complete", "pending", "pending"}
	sewing  = [3]string{"complete", "active", "pending"}
	over    = [3]string{"complete", "complete", "skipped"}
	allOpen = [3]string{"pending", "pending", "pending"}
)

// rows returns the rows at the top as "ID status".
func rows(b *model.Build) string {
	var all []string
	for _, n := range b.Nodes {
		all = append(all, n.ID+" "+n.Status.String())
	}
	return strings.Join(all, "; ")
}

func TestGatesFollowTheirPhases(t *testing.T) {
	r := kite(t, stateText("active", atGate, allOpen), map[string]string{"SKETCH.md": "# A\n\n## B\n\n```\n# none\n```\n"})
	b := r.Read(noon)
	if got, want := rows(b), "phase/SKETCH done; gate/sketch-gate waiting; gate/wind-gate pending; phase/Sew It pending; gate/sew-gate pending; phase/FLY pending"; got != want {
		t.Errorf("rows %s\nwant %s", got, want)
	}
	if b.ID != "loop:kite-state.json" || b.Title != "Kite" || b.Raw != "active" || b.Status != model.Waiting || b.Progress.Percent != 33 || !b.Progress.Known {
		t.Errorf("%s %q %s %q %+v", b.ID, b.Title, b.Status, b.Raw, b.Progress)
	}
	gate := modeltest.Node(t, b, "gate/sketch-gate")
	if g := gate.Gate; g.Approval != model.ApprovalHuman || !g.Required || g.Upcoming || g.Asks != "Sketch Approval" || !slices.Equal(g.Opens, []string{"phase/Sew It"}) ||
		!slices.Equal(g.Can, []model.Verb{model.VerbApprove, model.VerbSkip, model.VerbChanges}) {
		t.Errorf("gate %+v", g)
	}
	if gate.Count != (model.Count{Done: 1, Total: 2}) || len(gate.Artifacts) != 2 {
		t.Errorf("%v of the deliverables, %d files", gate.Count, len(gate.Artifacts))
	}
	sketch, plan := modeltest.Node(t, b, "gate/sketch-gate/deliverable/1"), modeltest.Node(t, b, "gate/sketch-gate/deliverable/2")
	if sketch.Status != model.Done || len(sketch.Facts) != 1 || sketch.Facts[0] != (model.Fact{Label: "sections", Value: "2"}) || sketch.Artifacts[0].Size != 26 {
		t.Errorf("SKETCH.md %s %+v %+v", sketch.Status, sketch.Facts, sketch.Artifacts)
	}
	if plan.Status != model.Failed || plan.Artifacts[0].Exists || plan.Artifacts[0].File != "docs/PLAN.md" {
		t.Errorf("docs/PLAN.md %s %+v", plan.Status, plan.Artifacts)
	}
	sew := modeltest.Node(t, b, "gate/sew-gate").Gate
	if sew.Approval != model.ApprovalAuto || !sew.Upcoming || sew.Expects != "seams hold; no holes" {
		t.Errorf("sew-gate %+v", sew)
	}
	if n := modeltest.Node(t, b, "gate/sew-gate/deliverable/1"); n.Status != model.Unknown {
		t.Errorf("a deliverable that is no file is %s", n.Status)
	}
	if len(b.Waits) != 2 || b.Waits[0].Node != "gate/sketch-gate" || b.Waits[0].IsUpcoming() || b.Waits[1].Node != "gate/wind-gate" || !b.Waits[1].IsUpcoming() {
		t.Errorf("waits %+v", b.Waits)
	}
	// The file was written now, which is after the clock of the test, and can't be what it waits since.
	if got := b.Waits[0].Since; !got.Equal(time.Date(2026, 3, 1, 10, 0, 0, 0, time.UTC)) {
		t.Errorf("since %v, want when the phase was completed", got)
	}
	if b.Next == nil || b.Next.Command != "approve sketch-gate" || b.Next.Node != "gate/sketch-gate" || b.Now != "" {
		t.Errorf("next %+v, now %q", b.Next, b.Now)
	}
	if len(b.Divergences) != 0 {
		t.Errorf("the phase that was just finished is no false claim: %+v", b.Divergences)
	}
	if want := []model.Fact{{Label: "kites", Value: "1.50"}, {Label: "wind.knots", Value: "12"}, {Label: "days", Value: "2 entries"}}; !slices.Equal(b.Metrics, want) {
		t.Errorf("metrics %+v", b.Metrics)
	}
	if got := string(b.Header.AppendFull(nil)); got != "kite-loop [███░░░░░░░] 33% · next approve sketch-gate" {
		t.Errorf("header %q", got)
	}
}

func TestSkillsAreNotInvented(t *testing.T) {
	b := kite(t, stateText("active", sewing, [3]string{"passed", "skipped", "pending"}), nil).Read(noon)
	for id, want := range map[string]model.Status{
		"phase/SKETCH/skill/1": model.Done, "phase/Sew It/skill/1": model.Unknown, "gate/sketch-gate": model.Done, "gate/wind-gate": model.Skipped,
		"gate/sketch-gate/deliverable/1": model.Unknown,
	} {
		if got := modeltest.Node(t, b, id).Status; got != want {
			t.Errorf("%s is %s, want %s", id, got, want)
		}
	}
	if b.Now != "phase/Sew It" || b.Next != nil || b.Status != model.Active || len(b.Waits) != 0 {
		t.Errorf("now %q, next %+v, %s, waits %+v", b.Now, b.Next, b.Status, b.Waits)
	}
	if len(b.Divergences) != 1 || b.Divergences[0].Truth != "phase Sew It is the first that is active" || b.Divergences[0].Source.Line != 4 {
		t.Errorf("%+v", b.Divergences)
	}
}

func TestStatusOfTheWhole(t *testing.T) {
	passed := [3]string{"passed", "skipped", "passed"}
	for _, c := range []struct {
		name          string
		loop          string
		phases, gates [3]string
		status        model.Status
		next          string
		can           string
		header        string
	}{
		{"working", "active", sewing, passed, model.Active, "", "[pause abort]", "kite-loop [███░░░░░░░] 33% · Phase Sew It active"},
		{"failed gate", "active", atGate, [3]string{"failed", "pending", "pending"}, model.Waiting, "retry sketch-gate", "[pause abort]", "kite-loop [███░░░░░░░] 33% · next retry sketch-gate"},
		{"free to start", "active", atGate, passed, model.Active, "Sew It", "[pause abort]", "kite-loop [███░░░░░░░] 33% · next Sew It"},
		{"all over", "active", over, passed, model.Active, "complete", "[complete pause abort]", "kite-loop [██████████] 100% · next complete"},
		{"paused", "paused", atGate, allOpen, model.Active, "resume", "[resume]", "kite-loop · paused · Sew It"},
		{"failed", "failed", sewing, passed, model.Failed, "resume --retry-failed", "[retry-failed restart]", "kite-loop · failed · Sew It"},
		{"complete", "complete", over, passed, model.Done, "", "[restart]", "kite-loop · loop complete"},
		{"complete in a dialect", "completed", over, passed, model.Done, "", "[restart]", "kite-loop · loop complete"},
		{"complete, with open phases", "complete", sewing, passed, model.Active, "resume", "[resume restart]", "kite-loop [███░░░░░░░] 33% · Phase Sew It active"},
		{"blocked", "blocked", sewing, passed, model.Blocked, "", "[]", "kite-loop · blocked · Sew It"},
		{"another word", "dreaming", sewing, passed, model.Unknown, "", "[]", "kite-loop · dreaming · Sew It"},
		{"a phase of another word", "active", [3]string{"complete", "resting", "pending"}, passed, model.Active, "", "[pause abort]", "kite-loop [███░░░░░░░] 33% · Phase Sew It resting"},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := kite(t, stateText(c.loop, c.phases, c.gates), nil).Read(noon)
			next := ""
			if b.Next != nil {
				next = b.Next.Command
			}
			if b.Status != c.status || b.Raw != c.loop || next != c.next || fmt.Sprint(b.Can) != c.can {
				t.Errorf("%s (%s), next %q, can %v; want %s, %q, %s", b.Status, b.Raw, next, b.Can, c.status, c.next, c.can)
			}
			if got := string(b.Header.AppendFull(nil)); got != c.header {
				t.Errorf("header %q, want %q", got, c.header)
			}
		})
	}
}

func TestCompleteWithOpenPhasesIsActive(t *testing.T) {
	b := kite(t, stateText("complete", sewing, allOpen), nil).Read(noon)
	if len(b.Divergences) == 0 || b.Divergences[0].Claim != "kite-state.json says the loop is complete" || b.Divergences[0].Truth != "2 phases are open" || b.Divergences[0].Source.Line != 5 {
		t.Errorf("%+v", b.Divergences)
	}
	if len(b.Problems) != 0 || len(b.Waits) != 1 || b.Waits[0].Node != "gate/sketch-gate" || b.Waits[0].IsUpcoming() {
		t.Errorf("work has gone past no gate, and stands before one: %v, %v", b.Problems, b.Waits)
	}
	if strings.Contains(string(b.Header.AppendFull(nil)), "complete") || strings.Contains(string(b.Claimed.AppendFull(nil)), "complete") {
		t.Errorf("header %q, claimed %q", b.Header.AppendFull(nil), b.Claimed.AppendFull(nil))
	}
	last := strings.ReplaceAll(definitionText, `"afterPhase": "SEW"`, `"afterPhase": "FLY"`)
	b = kite(t, stateText("complete", over, [3]string{"passed", "passed", "pending"}), map[string]string{"loop.json": last}).Read(noon)
	if b.Status == model.Done || len(b.Divergences) != 1 || b.Divergences[0].Truth != "sew-gate is pending" {
		t.Errorf("complete with its last gate pending: %s, %+v", b.Status, b.Divergences)
	}
}

// TestUndecidedGatesKeepALoopFromBeingComplete holds that header, status, waits and resuming agree about gates further back
// once every phase is over.
func TestUndecidedGatesKeepALoopFromBeingComplete(t *testing.T) {
	past, two := [3]string{"pending", "passed", "passed"}, [3]string{"pending", "passed", "failed"}
	for _, c := range []struct {
		name, loop string
		gates      [3]string
		definition string // "" for none
		status     model.Status
		header     string
		waits      string
		truth      string
	}{
		{"active", "active", past, definitionText, model.Waiting, "kite-loop [██████████] 100% · next approve sketch-gate", "gate/sketch-gate", ""},
		{"complete", "complete", past, definitionText, model.Active, "kite-loop [██████████] 100% · next resume · ◆ approve sketch-gate", "gate/sketch-gate", "sketch-gate is pending"},
		{"complete in a dialect", "completed", past, definitionText, model.Active, "kite-loop [██████████] 100% · next resume · ◆ approve sketch-gate", "gate/sketch-gate", "sketch-gate is pending"},
		{"two", "complete", two, definitionText, model.Active, "kite-loop [██████████] 100% · next resume · ◆ approve sketch-gate +1", "gate/sketch-gate gate/sew-gate",
			"sketch-gate is pending, and 1 more gate is undecided"},
		{"the last", "complete", past, strings.ReplaceAll(definitionText, `"afterPhase": "SKETCH"`, `"afterPhase": "FLY"`), model.Active,
			"kite-loop [██████████] 100% · next resume · ◆ approve sketch-gate", "gate/sketch-gate", "sketch-gate is pending"},
		{"one without a place", "complete", past, strings.Replace(definitionText, `"afterPhase": "SKETCH"`, `"afterPhase": "Nope"`, 1), model.Active,
			"kite-loop [██████████] 100% · next resume · ◆ approve sketch-gate", "gate/sketch-gate", "sketch-gate is pending"},
		{"no definition", "complete", past, "", model.Active, "kite-loop [██████████] 100% · next resume · ◆ approve sketch-gate", "gate/sketch-gate", "sketch-gate is pending"},
		{"paused", "paused", past, definitionText, model.Active, "kite-loop · paused · SKETCH", "gate/sketch-gate?", ""},
		{"one that is not required", "complete", [3]string{"passed", "pending", "passed"}, definitionText, model.Done, "kite-loop · loop complete", "", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := kite(t, stateText(c.loop, over, c.gates), map[string]string{"loop.json": c.definition})
			b := r.Read(noon)
			var waits, truths []string
			for _, w := range b.Waits {
				if w.IsUpcoming() {
					w.Node += "?"
				}
				waits = append(waits, w.Node)
			}
			for _, d := range b.Divergences {
				truths = append(truths, d.Truth)
			}
			if got := strings.Join(waits, " "); b.Status != c.status || got != c.waits || strings.Join(truths, "; ") != c.truth {
				t.Errorf("%s, waits %q, %q; want %s, %q, %q", b.Status, got, truths, c.status, c.waits, c.truth)
			}
			if got := string(b.Header.AppendFull(nil)); got != c.header {
				t.Errorf("header %q, want %q", got, c.header)
			}
			if plan := r.Resume(noon); len(plan.Older) > 0 && (b.Status == model.Done || len(b.Waits) < len(plan.Older) || strings.Contains(plan.Why, "no gate waits") || strings.HasPrefix(plan.Why, "the loop is complete")) {
				t.Errorf("resuming: %+v", plan)
			}
			if c.loop == "active" && (b.Next == nil || b.Next.Command != "approve sketch-gate") {
				t.Errorf("next %+v", b.Next)
			}
		})
	}
}

func TestPausedLoopAllowsNoGateVerb(t *testing.T) {
	b := kite(t, stateText("paused", atGate, allOpen), nil).Read(noon)
	if b.Pause == nil || b.Pause.Reason != "the loop is paused at phase Sew It" || b.Pause.Source.Line != 5 {
		t.Errorf("pause %+v", b.Pause)
	}
	for _, n := range b.OfKind(model.KindGate) {
		if len(n.Gate.Can) > 0 || n.Status == model.Waiting {
			t.Errorf("%s is %s and can %v", n.ID, n.Status, n.Gate.Can)
		}
	}
	if len(b.Certain()) != 0 || len(b.Waits) != 1 {
		t.Errorf("waits %+v", b.Waits)
	}
}

func TestPlacesAreUnknownWithoutADefinition(t *testing.T) {
	b := kite(t, stateText("active", atGate, allOpen), map[string]string{"loop.json": ""}).Read(noon)
	if got, want := rows(b), "phase/SKETCH done; phase/Sew It pending; phase/FLY pending; gate/sketch-gate pending; gate/wind-gate pending; gate/sew-gate pending"; got != want {
		t.Errorf("rows %s\nwant %s", got, want)
	}
	gate := modeltest.Node(t, b, "gate/sketch-gate")
	if !gate.Gate.Upcoming || gate.Gate.Opens != nil || len(gate.Gate.Can) != 3 || !slices.ContainsFunc(gate.Facts, func(f model.Fact) bool { return f.Label == "place" }) {
		t.Errorf("%+v %+v", gate.Gate, gate.Facts)
	}
	// Which of them the loop stands before is not known, and not known is not none.
	if len(b.Waits) != 3 || b.Waits[0].Node != "gate/sketch-gate" || len(b.Certain()) > 0 {
		t.Errorf("waits %+v", b.Waits)
	}
	if b.Next == nil || b.Next.Command != "Sew It" || b.Next.Why != "the phase is pending; without a loop.json, it is unknown whether a gate blocks it" {
		t.Errorf("next %+v", b.Next)
	}
	if len(b.Problems) != 0 {
		t.Errorf("that there is none is no problem: %v", b.Problems)
	}
}

func TestWhereDefinitionsAreFound(t *testing.T) {
	other := strings.Replace(definitionText, "kite-loop", "other-loop", 1)
	for _, c := range []struct {
		name  string
		files map[string]string
		found string
	}{
		{"beside", map[string]string{"loop.json": definitionText}, "loop.json"},
		{"by its name", map[string]string{"loop.json": other, "kite-loop.json": definitionText}, "kite-loop.json"},
		{"in a directory", map[string]string{"loop.json": "{", "loops/kite-loop/loop.json": definitionText}, "loops/kite-loop/loop.json"},
		{"in loops", map[string]string{"loop.json": "[]", "loops/kite-loop.json": definitionText, "kite-loop.json": other}, "loops/kite-loop.json"},
		{"beside before elsewhere", map[string]string{"loop.json": definitionText, "loops/kite-loop.json": definitionText}, "loop.json"},
		{"outside", map[string]string{"loop.json": other}, "LIBRARY/kite-loop/loop.json"},
	} {
		t.Run(c.name, func(t *testing.T) {
			library := t.TempDir()
			write(t, filepath.Join(library, "kite-loop", "loop.json"), definitionText)
			r := kite(t, stateText("active", begun, allOpen), c.files)
			r.library = mirror.NewGroup([]string{filepath.Join(library, "none"), library})
			f := r.findDefinition("kite-loop")
			if !f.isReadable() || strings.Replace(f.source.File, filepath.ToSlash(library), "LIBRARY", 1) != c.found {
				t.Errorf("found %+v, want %s", f, c.found)
			}
		})
	}
	b := kite(t, stateText("active", begun, allOpen), map[string]string{"loop.json": other}).Read(noon)
	if len(b.Problems) != 1 || !strings.Contains(b.Problems[0].Text, "“other-loop”") {
		t.Errorf("a definition of another loop beside it: %v", b.Problems)
	}
	for _, id := range []string{"../kite", ".kite", "a/b", "a b", "", "é"} {
		if core.IsFileName(id) {
			t.Errorf("%q may be part of a path", id)
		}
	}
}

// TestUnreadableDefinitionIsReported: an unreadable loop.json is an error with its place. It is not reported as missing.
func TestUnreadableDefinitionIsReported(t *testing.T) {
	for _, c := range []struct {
		name, text string
		line       int
	}{
		{"a comment", strings.Replace(definitionText, "\n", "\n  // the kite\n", 1), 2},
		{"a trailing comma", strings.Replace(definitionText, "\n  ]\n}", ",\n  ]\n}", 1), 12},
		{"trailing text", definitionText + "\ndone", 14},
		{"half-written", definitionText[:20], 2},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := kite(t, stateText("active", atGate, allOpen), map[string]string{"loop.json": c.text})
			for _, problems := range [][]model.Problem{r.Read(noon).Problems, r.Check(noon)} {
				i := slices.IndexFunc(problems, func(p model.Problem) bool { return p.Rule == ruleDefinition })
				if i < 0 {
					t.Fatalf("not reported: %v", problems)
				}
				p := problems[i]
				if p.File != "loop.json" || p.Line != c.line || p.Severity != model.Error || p.Fix == "" || !strings.HasPrefix(p.Text, "loop.json can't be read: ") {
					t.Errorf("%+v, want line %d", p, c.line)
				}
				for _, p := range problems {
					if strings.Contains(p.Text, "no loop.json") {
						t.Errorf("there is one: %v", p)
					}
				}
			}
			gate := modeltest.Node(t, r.Read(noon), "gate/sketch-gate")
			if !slices.Contains(gate.Facts, model.Fact{Label: "place", Value: "unknown: loop.json can't be read"}) {
				t.Errorf("%+v", gate.Facts)
			}
			write(t, filepath.Join(r.m.Root(), "loops", "kite-loop.json"), definitionText)
			r.m.Touch()
			b := r.Read(noon)
			if len(b.Problems) != 1 || b.Problems[0].Severity != model.Warning || !strings.Contains(b.Problems[0].Fix, "loops/kite-loop.json") || b.Certain() == nil {
				t.Errorf("with another: %+v, waits %v", b.Problems, b.Waits)
			}
		})
	}
}

func TestStateWithoutNameTakesTheLoopBesideIt(t *testing.T) {
	b := kite(t, strings.Replace(stateText("active", atGate, allOpen), `"loop": "kite-loop",`, "", 1), nil).Read(noon)
	if b.Title != "Kite" || modeltest.Node(t, b, "gate/sketch-gate").Status != model.Waiting {
		t.Errorf("%q, %s", b.Title, rows(b))
	}
}

func TestProblems(t *testing.T) {
	state := stateText("active", [3]string{"complete", "complete", "active"}, [3]string{"pending", "skipped", "passed"})
	state = strings.Replace(state, `"version": "1.2.0"`, `"version": "1.1.0", "version": "1.0.0"`, 1)
	state = strings.Replace(state, `"skills": ["cut"]`, `"skills": "cut"`, 1)
	state = strings.Replace(state, `"startedAt": null`, `"startedAt": 7`, 1)
	state = strings.Replace(state, `"phases": {`, `"phases": { "NAP": { "status": "pending" },`, 1)
	b := kite(t, state, nil).Read(noon)
	var got []string
	for _, p := range b.Problems {
		got = append(got, fmt.Sprintf("%d:%d %s %s", p.Line, p.Col, p.Rule, p.Text))
	}
	want := []string{
		`12:121 loop-type phases.SKETCH.startedAt is a number; it must be text or null`,
		`13:67 loop-type phases.Sew It.skills is text; it must be a list`,
		`3:23 loop-key-twice the key “version” appears twice`,
		`3:34 loop-version the state is of version “1.0.0” of the loop, loop.json of version “1.2.0”`,
		`7:32 loop-older-gate “sketch-gate” is pending, but work has passed it`,
	}
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Errorf("problems\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	if !strings.HasSuffix(rows(b), "phase/FLY active; phase/NAP pending") {
		t.Errorf("what only the state has comes last: %s", rows(b))
	}
	if len(b.Waits) != 1 || b.Waits[0].Evidence != model.Outstanding {
		t.Errorf("nothing stops for the older gate, and it still is a human's: %+v", b.Waits)
	}
}

func TestNestedGatesDoNotWait(t *testing.T) {
	text := strings.Replace(definitionText, `"skills": ["cut"]}`, `"skills": ["cut"], "gates": [{"id": "seam-gate", "approvalType": "manual", "guarantees": [{"type": "file_exists", "path": "s.json"}]}]}`, 1)
	r := kite(t, stateText("active", begun, allOpen), map[string]string{"loop.json": text})
	b := r.Read(noon)
	if n := modeltest.Node(t, b, "gate/seam-gate"); n.Status != model.Unknown || n.Gate != nil || n.Source.File != "loop.json" {
		t.Errorf("%s %+v", n.Status, n.Gate)
	}
	for _, p := range r.Check(noon) {
		if strings.Contains(p.Text, "seam-gate") {
			t.Errorf("checked for: %v", p)
		}
	}
	held := strings.Replace(stateText("active", begun, allOpen), `"gates": {`, `"gates": { "seam-gate": {"status": "pending"},`, 1)
	b = kite(t, held, map[string]string{"loop.json": text}).Read(noon)
	if !strings.Contains(rows(b), "phase/Sew It pending; gate/sew-gate pending; gate/seam-gate pending; phase/FLY") {
		t.Errorf("a nested gate of the state stands behind its phase: %s", rows(b))
	}
}

func TestBrokenFileShowsItsLastGoodState(t *testing.T) {
	r := kite(t, stateText("active", atGate, allOpen), nil)
	file := filepath.Join(r.m.Root(), "kite-state.json")
	before := rows(r.Read(noon))
	for _, text := range []string{stateText("active", sewing, allOpen)[:300], "", "{}{}", "<<<<<<< HEAD\n{}"} {
		write(t, file, text)
		r.m.Touch(file)
		readers := Readers(r.m, "", nil)
		if len(readers) != 1 {
			t.Fatalf("%q: the loop is gone", text)
		}
		b := readers[0].Read(noon)
		if rows(b) != before || b.Freshness.Held != 1 || len(b.Problems) != 1 || b.Problems[0].Severity != model.Error || !b.Nodes[0].Held {
			t.Errorf("%.20q: %s, held %d, %v", text, rows(b), b.Freshness.Held, b.Problems)
		}
	}
	write(t, file, stateText("active", sewing, [3]string{"passed", "passed", "pending"}))
	r.m.Touch(file)
	if b := Readers(r.m, "", nil)[0].Read(noon); b.Now != "phase/Sew It" || b.Freshness.Held != 0 {
		t.Errorf("whole again: %s", rows(b))
	}
	must(t, os.Remove(file))
	r.m.Touch(file)
	if n := len(Readers(r.m, "", nil)); n != 0 {
		t.Errorf("gone, and %d readers", n)
	}
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// TestGatesWithoutPlaceWait: a required gate whose place is unknown waits with the reason, in the line and among the waits.
func TestGatesWithoutPlaceWait(t *testing.T) {
	const phases = `"phases": [{"name": "SKETCH"%s}, {"name": "Sew It"}, {"name": "FLY"}]`
	for name, c := range map[string]struct{ definition, why string }{
		"behind no such phase":             {fmt.Sprintf(phases, "") + `, "gates": [{"id": "sketch-gate", "afterPhase": "Nope"}]`, "in loop.json it follows “Nope”, which is no phase of the definition"},
		"in a phase, behind no such phase": {fmt.Sprintf(phases, `, "gates": [{"id": "sketch-gate", "afterPhase": "Nope"}]`), "in loop.json it follows “Nope”, which is no phase of the definition"},
		"behind none":                      {fmt.Sprintf(phases, "") + `, "gates": ["sketch-gate"]`, "in loop.json it names no phase that it follows"},
		"not in the definition":            {fmt.Sprintf(phases, ""), "loop.json has no such gate"},
		"behind a phase that is not in the state": {strings.Replace(fmt.Sprintf(phases, ""), `"FLY"`, `"NAP"`, 1) + `, "gates": [{"id": "sketch-gate", "afterPhase": "NAP"}]`,
			"the state lacks the phase that it follows"},
	} {
		definition := `{"id": "kite-loop", "version": "1.2.0", ` + c.definition + `}`
		for at, phases := range map[string][3]string{"between": atGate, "within": sewing} {
			b := kite(t, stateText("active", phases, [3]string{"pending", "passed", "passed"}), map[string]string{"loop.json": definition}).Read(noon)
			text := string(b.Claimed.AppendFull(nil))
			if len(b.Waits) != 1 || b.Waits[0].IsUpcoming() || b.Waits[0].Place != "" || !strings.Contains(b.Waits[0].Text, c.why) || !strings.HasSuffix(text, " next approve sketch-gate") {
				t.Errorf("%s, %s: %+v, %s", name, at, b.Waits, text)
			}
		}
		b := kite(t, stateText("active", begun, [3]string{"pending", "passed", "passed"}), map[string]string{"loop.json": definition}).Read(noon)
		if len(b.Waits) != 0 {
			t.Errorf("%s: before any phase is over it is nobody's turn: %+v", name, b.Waits)
		}
	}
}

// TestApprovedGatesWait holds that a gate passes by the protocol's word alone.
func TestApprovedGatesWait(t *testing.T) {
	b := kite(t, stateText("active", sewing, [3]string{"approved", "pending", "pending"}), nil).Read(noon)
	if n := modeltest.Node(t, b, "gate/sketch-gate"); n.Status != model.Unknown || len(b.Waits) != 1 || b.Waits[0].Node != n.ID || len(b.Problems) != 1 || b.Problems[0].Rule != "loop-word" {
		t.Errorf("%s, %+v, %v", n.Status, b.Waits, b.Problems)
	}
}
