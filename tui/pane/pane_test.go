package pane

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"gatehouse/model"
	"gatehouse/tui/draw"
	"gatehouse/tui/index"
	"gatehouse/tui/tuitest"
)

func TestDurationWords(t *testing.T) {
	for d, want := range map[model.Millis]string{0: "0ms", 999: "999ms", 1000: "1s", 59_400: "59s", 125_000: "2m 5s", 120_000: "2m", 600_000: "10m", 3_599_000: "59m", 3_600_000: "1h", 4_800_000: "1h 20m", 100 * 3_600_000: "4d 4h"} {
		if got := durationWords(d); got != want {
			t.Errorf("%d ms: %q, want %q", d, got, want)
		}
	}
}

func TestSourceOfARowIsAFile(t *testing.T) {
	dir := model.Pos{File: ".planning/phases/05"}
	plan := model.Artifact{Name: "PLAN", File: ".planning/phases/05/05-01-PLAN.md", Exists: true}
	gone := model.Artifact{Name: "SUMMARY", File: ".planning/phases/05/05-01-SUMMARY.md"}
	for _, c := range []struct {
		source    model.Pos
		artifacts []model.Artifact
		want      model.Pos
	}{
		{dir, nil, dir},
		{dir, []model.Artifact{gone, plan}, model.Pos{File: plan.File}},
		{model.Pos{File: "ROADMAP.md", Line: 7}, []model.Artifact{plan}, model.Pos{File: "ROADMAP.md", Line: 7}},
		{model.Pos{File: plan.File}, []model.Artifact{gone, plan}, model.Pos{File: plan.File}},
		{model.Pos{}, []model.Artifact{gone}, model.Pos{}},
	} {
		if got := sourceOf(index.Row{Site: &index.Site{}, Node: &model.Node{Source: c.source, Artifacts: c.artifacts}}); got != c.want {
			t.Errorf("%v of %v: %v, want %v", c.source, c.artifacts, got, c.want)
		}
	}
}

func TestFoldsAreBounded(t *testing.T) {
	var tr Tree
	var ix *index.Index
	at := func(i int) index.Place {
		return index.Place{Project: "/p", Build: "gsd", Node: fmt.Sprint("phase/", i)}
	}
	for i := range 2 * foldLimit {
		b := &model.Build{ID: "gsd", Status: model.Active, Nodes: []*model.Node{{ID: at(i).Node, Status: model.Active,
			Children: []*model.Node{{ID: fmt.Sprint("plan/", i), Status: model.Active}}}}}
		ix = index.New(&model.Snapshot{Version: uint64(i + 1), Projects: []*model.Project{{Root: "/p", Name: "p", Builds: []*model.Build{b}}}}, ix)
		tr.Load(ix)
		tr.GoTo(at(i))
		tr.Toggle()
	}
	if n := len(tr.folded); n > foldLimit || !tr.folded[at(2*foldLimit-1)] {
		t.Errorf("%d folds are remembered", n)
	}
}

// plainLook draws without colors, always at the same time of day.
func plainLook(ascii bool) *draw.Look {
	return &draw.Look{Theme: draw.NewStyles(draw.ThemeMono), Glyphs: draw.NewGlyphs(ascii), Now: tuitest.Noon}
}

// TestHints: the hint after a name is the longest form that fits, in words.
func TestHints(t *testing.T) {
	done, open := &model.Node{ID: "a", Number: "1", Status: model.Done}, &model.Node{ID: "b", Number: "2", Status: model.Pending}
	ix := index.New(&model.Snapshot{Version: 1, Projects: []*model.Project{{Root: "/p", Name: "p", Builds: []*model.Build{{ID: "x", Nodes: []*model.Node{done, open}}}}}}, nil)
	for _, c := range []struct {
		n    model.Node
		want string
	}{
		{model.Node{Attempt: 2, Attempts: 3, Wave: 1, Status: model.Retrying}, "attempt 2 of 3|attempt 2"},
		{model.Node{Attempt: 2, Status: model.Failed}, "attempt 2"},
		{model.Node{Attempt: 1, Attempts: 3, Wave: 1}, ""},
		{model.Node{Attempt: 2, Attempts: 3, Status: model.Done}, ""},
		{model.Node{DependsOn: []string{"a", "b"}}, "after 2"},
		{model.Node{BlockedBy: []string{"b", "a", "x/c"}}, "needs 2 and 2 more"},
		{model.Node{Gate: &model.Gate{Approval: model.ApprovalHuman}, Count: model.Count{Total: 1}}, "optional, 0 of 1 files"},
		{model.Node{Gate: &model.Gate{Approval: model.ApprovalHuman, Required: true}}, ""},
	} {
		if got := strings.Join(hintsOf(plainLook(false), ix.Sites[0], &c.n), "|"); got != c.want {
			t.Errorf("%+v: %q", c.n, got)
		}
	}
}

// TestExpiredWaitsAreNotDrawnAsWaiting: a waiting row of a finished milestone is dim, with its own sign and word.
func TestExpiredWaitsAreNotDrawnAsWaiting(t *testing.T) {
	l := &draw.Look{Theme: draw.NewStyles(draw.ThemeDark), Glyphs: draw.NewGlyphs(false), Now: tuitest.Noon}
	over := &model.Node{ID: "phase/03", Kind: model.KindPhase, Number: "03", Title: "Float", Status: model.Waiting, Raw: "Needs Review", Standing: model.Standing{Status: model.Expired}, Since: tuitest.Noon}
	now := &model.Node{ID: "phase/04", Kind: model.KindPhase, Number: "04", Title: "Tow", Status: model.Waiting, Raw: "Needs Review", Since: tuitest.Noon}
	b := &model.Build{ID: "gsd", Protocol: "gsd", Status: model.Waiting, File: "STATE.md", Nodes: []*model.Node{over, now}}
	ix := index.New(&model.Snapshot{Version: 1, Projects: []*model.Project{{Root: "/p", Name: "p", Builds: []*model.Build{b}}}}, nil)
	var timeline Timeline
	timeline.Load(ix)
	rows := timeline.Render(l, 80, 4, false)
	for n, waits := range map[*model.Node]bool{over: false, now: true} {
		r := l.Ribbon(100)
		nodeRow(l, ix.Sites[0], n).draw(&r, columns{word: 11, age: 4})
		listed := rows[slices.IndexFunc(rows, func(row string) bool { return strings.Contains(row, n.Title) })]
		for _, row := range []string{r.Line(), listed} {
			if got := strings.Contains(row, string(l.Theme.Wait)); got != waits {
				t.Errorf("%s: drawn as waiting: %v: %q", n.Title, got, row)
			}
			if !waits && !(strings.Contains(row, l.Glyphs.Past) && strings.Contains(row, model.PastWord)) {
				t.Errorf("%s: no word for it: %q", n.Title, row)
			}
		}
	}
}
