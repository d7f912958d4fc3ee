package decide

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"gatehouse/model"
	"gatehouse/tui/draw"
	"gatehouse/tui/tuitest"
)

func lookIn(ascii bool) *draw.Look {
	return &draw.Look{Theme: draw.NewStyles(draw.ThemeMono), Glyphs: draw.NewGlyphs(ascii), Now: tuitest.Noon}
}

// TestForgedQuestion looks at the page of a question whose texts all try to be taken for ours, when the file has changed under it.
func TestForgedQuestion(t *testing.T) {
	for _, ascii := range []bool{false, true} {
		for _, width := range []int{36, 88} {
			p := tuitest.NewActor().ProposalFor(model.Action{Verb: model.VerbApprove, Node: "gate/frame-gate"})
			tuitest.Forge(reflect.ValueOf(p), "", tuitest.Forged())
			q := &question{shown: p, stage: asking, action: model.Action{Verb: model.VerbChanges, Text: tuitest.Forged() + "\n" + tuitest.Forged()}}
			before := *p
			before.Asks, before.Effect, before.Missing, before.Edits = "x", "y", nil, nil
			p.Differences = model.Differences(&before, p)
			q.changed()
			tuitest.NotForgedPage(t, fmt.Sprintf("%d columns, ascii %v", width, ascii), questionPage(lookIn(ascii), q, width).Lines, ascii)
		}
	}
}

// TestForgedAsks holds that the dialog marks each row of what is asked, the first too, without colours and in ASCII.
func TestForgedAsks(t *testing.T) {
	for _, ascii := range []bool{false, true} {
		l := lookIn(ascii)
		p := tuitest.NewActor().ProposalFor(model.Action{Verb: model.VerbApprove, Node: "gate/frame-gate"})
		p.Asks = "Evidence" + strings.Repeat(" ", 84) + "✓ SECURITY-AUDIT.md" + strings.Repeat(" ", 60) + "12 KiB"
		page := questionPage(l, &question{shown: p, stage: asking, action: model.Action{Verb: model.VerbApprove}}, 88)
		mark := map[bool]string{false: "│ ", true: "| "}[ascii]
		if got := strings.TrimRight(ansi.Strip(page.Lines[0]), " "); !strings.HasPrefix(got, mark+"Evidence ") || strings.ContainsAny(got[len(mark):], "✓") || strings.Contains(got, "  ") {
			t.Errorf("ascii %v: %q", ascii, got)
		}
	}
}

// TestForgedAgents looks at the dialogs about what agents ask, whose texts all try to be taken for ours.
func TestForgedAgents(t *testing.T) {
	for _, ascii := range []bool{false, true} {
		for _, width := range []int{36, 88} {
			for id, a := range tuitest.NewAnswerer().Asks {
				kind := a.Kind
				tuitest.Forge(reflect.ValueOf(a), "", tuitest.Forged())
				a.Plan += "\n# " + tuitest.Forged()
				a.Kind = kind
				x := &askBox{stage: askReading}
				x.takeRead(AskReadMsg{box: x, ask: a})
				for i := range x.replies {
					x.cursor, x.replies[i].own = 0, tuitest.Forged()
				}
				x.notice = notice{text: tuitest.Forged()}
				tuitest.NotForgedPage(t, fmt.Sprintf("%s, %d columns, ascii %v", id, width, ascii), x.page(lookIn(ascii), width), ascii)
			}
		}
	}
}
