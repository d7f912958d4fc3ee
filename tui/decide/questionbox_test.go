package decide

import (
	"fmt"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"gatehouse/model"
	"gatehouse/tui/dialog"
	"gatehouse/tui/draw"
	"gatehouse/tui/tuitest"
)

// TestAnswersStandInside checks that every answer can be seen and clicked, however small the dialog is.
func TestAnswersStandInside(t *testing.T) {
	l := lookIn(false)
	for stage := opening; stage <= over; stage++ {
		for _, verb := range []model.Verb{model.VerbApprove, model.VerbSkip, model.VerbChanges, model.VerbAbort} {
			q := openQuestion(&question{action: model.Action{Verb: verb, Node: "gate/frame-gate", Text: "for a reason"}, name: "frame-gate",
				shown: tuitest.NewActor().ProposalFor(model.Action{Verb: verb, Node: "gate/frame-gate", Text: "for a reason"})})
			q.stage = stage
			for width := 40; width <= 210; width += 1 + width/7 {
				for _, height := range []int{7, 8, 10, 21, 42, 58} {
					body := draw.Area{Y: 2, Width: width, Height: height}
					for what, x := range map[string]*dialog.Dialog{fmt.Sprint("question ", stage, verb): q.Dialog} {
						lines, at := x.Box(l, body)
						if len(lines) != at.Height {
							t.Fatalf("%s at %dx%d: %d lines in %+v", what, width, height, len(lines), at)
						}
						for _, c := range x.Choices() {
							if c.Words != "" && !strings.Contains(ansi.Strip(strings.Join(lines[1:len(lines)-1], "\n")), c.Words) {
								t.Fatalf("%s at %dx%d: the answer %q stands outside:\n%s", what, width, height, c.Words, strings.Join(lines, "\n"))
							}
						}
					}
				}
			}
		}
	}
}
