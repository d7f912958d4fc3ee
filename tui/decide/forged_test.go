package decide

import (
	"context"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"

	"gatehouse/model"
	"gatehouse/tui/dialog"
	"gatehouse/tui/draw"
	"gatehouse/tui/index"
	"gatehouse/tui/tuitest"
)

func lookIn(ascii bool) *draw.Look {
	return &draw.Look{Theme: draw.NewStyles(draw.ThemeMono), Glyphs: draw.NewGlyphs(ascii), Now: tuitest.Noon}
}

// quietHost is a dashboard on which nothing happens.
type quietHost struct{ Host }

func (quietHost) KeysOf(row string) []string {
	return map[string][]string{"yes": {"y"}, "back": {"esc"}, "failed": {"f"}}[row]
}
func (quietHost) Unseen() bool       { return false }
func (quietHost) TooSmall() bool     { return false }
func (quietHost) Now() time.Time     { return tuitest.Noon }
func (quietHost) Files() model.Files { return nil }

func quietDecisions() *Decisions {
	d := New(context.Background(), quietHost{}, nil, nil)
	d.Index = index.New(nil, nil)
	return d
}

// openQuestion returns a question in a dialog.
func openQuestion(q *question) *question {
	d := quietDecisions()
	q.box = box{owner: d, Dialog: dialog.New(d.host, q), stage: asking}
	return q
}

// linesOf returns the page of a subject, including the lines that stay in view below it.
func linesOf(s dialog.Subject, l *draw.Look, width int) []string {
	c := s.Content(l, width)
	return slices.Concat(c.Page.Lines, c.Foot)
}

// TestForgedQuestion checks the page of a question whose texts all imitate ours, after the file has changed while it was open.
func TestForgedQuestion(t *testing.T) {
	for _, ascii := range []bool{false, true} {
		for _, width := range []int{36, 88} {
			p := tuitest.NewActor().ProposalFor(model.Action{Verb: model.VerbApprove, Node: "gate/frame-gate"})
			tuitest.Forge(reflect.ValueOf(p), "", tuitest.Forged())
			q := openQuestion(&question{shown: p, action: model.Action{Verb: model.VerbChanges, Text: tuitest.Forged() + "\n" + tuitest.Forged()}})
			before := *p
			before.Asks, before.Effect, before.Missing, before.Edits = "x", "y", nil, nil
			p.Differences = model.Differences(&before, p)
			q.showChange()
			tuitest.NotForgedPage(t, fmt.Sprintf("%d columns, ascii %v", width, ascii), linesOf(q, lookIn(ascii), width), ascii)
		}
	}
}

// TestForgedAsks checks that the dialog marks each row of an ask, the first too, without colors and in ASCII.
func TestForgedAsks(t *testing.T) {
	for _, ascii := range []bool{false, true} {
		l := lookIn(ascii)
		p := tuitest.NewActor().ProposalFor(model.Action{Verb: model.VerbApprove, Node: "gate/frame-gate"})
		p.Asks = "Evidence" + strings.Repeat(" ", 84) + "✓ SECURITY-AUDIT.md" + strings.Repeat(" ", 60) + "12 KiB"
		page := linesOf(openQuestion(&question{shown: p, action: model.Action{Verb: model.VerbApprove}}), l, 88)
		mark := map[bool]string{false: "│ ", true: "| "}[ascii]
		if got := strings.TrimRight(ansi.Strip(page[0]), " "); !strings.HasPrefix(got, mark+"Evidence ") || strings.ContainsAny(got[len(mark):], "✓") || strings.Contains(got, "  ") {
			t.Errorf("ascii %v: %q", ascii, got)
		}
	}
}

// TestForgedAgents checks the dialogs for asks of agents whose texts all imitate ours.
func TestForgedAgents(t *testing.T) {
	for _, ascii := range []bool{false, true} {
		for _, width := range []int{36, 88} {
			for id, a := range tuitest.NewAnswerer().Asks {
				kind := a.Kind
				tuitest.Forge(reflect.ValueOf(a), "", tuitest.Forged())
				a.Plan += "\n# " + tuitest.Forged()
				a.Kind = kind
				x, d := &askBox{}, quietDecisions()
				x.box = box{owner: d, Dialog: dialog.New(d.host, x)}
				x.takeAsk(a, nil)
				for i := range x.replies {
					x.cursor, x.replies[i].own = 0, tuitest.Forged()
				}
				x.notice = notice{text: tuitest.Forged()}
				tuitest.NotForgedPage(t, fmt.Sprintf("%s, %d columns, ascii %v", id, width, ascii), linesOf(x, lookIn(ascii), width), ascii)
			}
		}
	}
}
