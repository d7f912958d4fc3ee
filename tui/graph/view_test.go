package graph

import (
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"gatehouse/model"
	"gatehouse/tui/draw"
	"gatehouse/tui/tuitest"
)

// build returns a build of chunks, each given as "3 needs": a number and the numbers that it needs.
func build(chunks ...string) *model.Build {
	b := &model.Build{ID: "fctry"}
	for _, c := range chunks {
		fields := strings.Fields(c)
		n := &model.Node{ID: "chunk/" + fields[0], Kind: model.KindChunk, Number: fields[0], Title: "Chunk of work", Status: model.Pending}
		for _, need := range fields[1:] {
			n.DependsOn = append(n.DependsOn, "chunk/"+need)
		}
		b.Nodes = append(b.Nodes, n)
	}
	return b
}

// deep returns a build of 30 chunks in 14 layers.
func deep() *model.Build {
	var chunks []string
	for i := range 14 {
		chunks = append(chunks, strings.TrimSpace(fmt.Sprint(i+1, " ", map[bool]string{true: strconv.Itoa(i)}[i > 0])))
	}
	for i := range 16 {
		chunks = append(chunks, fmt.Sprint(15+i, " ", 1+i%12, " ", 1+(i*5)%11))
	}
	return build(chunks...)
}

func render(t testing.TB, g *View, width, height int) string {
	t.Helper()
	l := &draw.Look{Theme: draw.NewStyles(draw.ThemeMono), Glyphs: draw.NewGlyphs(false), Now: tuitest.Noon}
	return ansi.Strip(strings.Join(g.Render(l, width, height, true), "\n"))
}

// TestADeepGraphIsDrawn checks that a graph of many layers has edges even if it does not fit, and moves with the selection.
func TestADeepGraphIsDrawn(t *testing.T) {
	p := NewPlan(deep(), nil)
	if len(p.layers) != 14 || len(p.nodes) != 30 {
		t.Fatalf("%d layers of %d chunks", len(p.layers), len(p.nodes))
	}
	for _, width := range []int{120, 200} {
		var g View
		seen := map[string]bool{}
		for _, i := range p.order {
			g.Fit(p, p.nodes[i].ID, width, 40)
			frame := render(t, &g, width, 40)
			if !strings.Contains(frame, "━━ ○ ") && !strings.Contains(frame, "━━━▌○ ") {
				t.Fatalf("%d columns: no edges\n%s", width, frame)
			}
			if strings.Contains(frame, "▌○ "+p.nodes[i].Number+" C") {
				seen[p.nodes[i].Number] = true
			}
		}
		if len(seen) != 30 {
			t.Errorf("%d columns: only %d chunks are seen when they are selected", width, len(seen))
		}
	}
}

// TestRails checks the lines at the left of a list: lines of open chunks cover those of finished ones, and the critical path is drawn in full.
func TestRails(t *testing.T) {
	b := build("1", "2 1", "3 1", "4 2", "5 3 4", "6 5")
	b.Nodes[0].Status = model.Done
	var g View
	g.Fit(NewPlan(b, nil), "chunk/3", 34, 20)
	var rails []string
	for row := range strings.Lines(render(t, &g, 34, 20)) {
		if at := strings.Index(row, "○"); at > 0 || strings.Contains(row, "✓") {
			rails = append(rails, strings.TrimRight(row[:strings.Index(row, " C")], " "))
		}
	}
	want := " ╭─ ✓ 1| ├┳ ○ 2|▌├╋ ○ 3| ┆┣ ○ 4| ╰╋ ○ 5|  ┗ ○ 6"
	if got := strings.Join(rails, "|"); got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

// TestNear checks that a chunk out of thousands is shown with all that it needs and all that needs it, and that the same part is shown
// until the selection reaches its edge.
func TestNear(t *testing.T) {
	whole := NewPlan(tuitest.Web(2000).Projects[0].Builds[0], nil)
	g := View{Part: true}
	id := whole.nodes[1000].ID
	for range 60 {
		g.Fit(whole, id, 120, 40)
		if g.plan == whole || len(g.plan.nodes) > mostNear || !g.plan.coversNeighbors(id) || g.plan.nodes[g.Selected].ID != id {
			t.Fatalf("%s: %d chunks are shown", id, len(g.plan.nodes))
		}
		part := g.plan
		if next := g.After(); next != "" && part.coversNeighbors(next) {
			g.Fit(whole, next, 120, 40)
			if g.plan != part {
				t.Fatalf("from %s to %s, which lies inside, another part is shown", id, next)
			}
			id = next
		} else if id = g.Before(); id == "" {
			break
		}
	}
	if frame := render(t, &g, 120, 40); !strings.Contains(frame, " of 2000; space shows all") {
		t.Error(frame)
	}
	for i, n := range g.plan.nodes {
		if got, want := g.plan.waitText(i), whole.waitText(whole.at[n.ID]); got != want {
			t.Errorf("%s %q, and as a part of the whole it %q", n.ID, got, want)
		}
	}
	g.Part = false
	if g.Fit(whole, id, 120, 40); g.plan != whole {
		t.Error("the whole is not shown again")
	}
}

// TestEachCycleIsNamed checks the lines above a graph that say which chunks can never begin.
func TestEachCycleIsNamed(t *testing.T) {
	b := build("1", "5 6", "6 7 1", "7 5", "8 7", "9 9", "11 99 98", "12 11", "13 14", "14 13")
	b.Nodes[0].Status = model.Done
	for _, n := range b.Nodes[1:] {
		n.Status = model.Blocked
	}
	var notes []string
	for _, n := range NewPlan(b, nil).notes {
		notes = append(notes, strings.ReplaceAll(n.text, "\x1f", ""))
	}
	want := "1 of 10 done, held up by 11|longest way 2: 11 → 12|in a circle: 5 → 6 → 7 → 5|in a circle: 9 → 9|in a circle: 13 → 14 → 13|not there: 11 needs 99, 11 needs 98"
	if got := strings.Join(notes, "|"); got != want {
		t.Errorf("%s", got)
	}
	b = build("1 2", "2 1", "3 2")
	b.Nodes[0].Status = model.Done
	notes = nil
	for _, n := range NewPlan(b, nil).notes {
		notes = append(notes, strings.ReplaceAll(n.text, "\x1f", ""))
	}
	if got, want := strings.Join(notes, "|"), "1 of 3 done, held up by 2|in a circle: 1 → 2 → 1, one of which has begun all the same"; got != want {
		t.Errorf("%s", got)
	}
}
