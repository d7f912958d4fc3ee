package decide

import (
	"fmt"
	"testing"

	"gatehouse/model"
	"gatehouse/tui/draw"
	"gatehouse/tui/tuitest"
)

// TestAnswersStandInside holds that every answer can be seen and clicked, however little room there is for the dialog.
func TestAnswersStandInside(t *testing.T) {
	l := lookIn(false)
	for stage := proposing; stage <= refused; stage++ {
		for _, verb := range []model.Verb{model.VerbApprove, model.VerbSkip, model.VerbChanges, model.VerbAbort} {
			q := &question{stage: stage, action: model.Action{Verb: verb, Node: "gate/frame-gate", Text: "for a reason"}, name: "frame-gate",
				shown: tuitest.NewActor().ProposalFor(model.Action{Verb: verb, Node: "gate/frame-gate", Text: "for a reason"})}
			over := &lost{name: "frame-gate", verb: verb, file: "s.json", values: []string{"status"}}
			for width := 40; width <= 210; width += 1 + width/7 {
				for _, height := range []int{7, 8, 10, 21, 42, 58} {
					body := draw.Area{Y: 2, Width: width, Height: height}
					for what, drawn := range map[string]func(*draw.Look, draw.Area) ([]string, draw.Area, []button){fmt.Sprint("question ", stage, verb): q.draw, "notice": over.draw} {
						lines, at, buttons := drawn(l, body)
						if len(lines) != at.Height || len(buttons) == 0 {
							t.Fatalf("%s at %dx%d: %d lines in %+v, %d answers", what, width, height, len(lines), at, len(buttons))
						}
						for _, b := range buttons {
							if b.row <= at.Y || b.row >= at.Y+at.Height-1 || b.from <= at.X || b.to >= at.X+at.Width {
								t.Fatalf("%s at %dx%d: the answer %q stands outside: %+v", what, width, height, b.words, b)
							}
						}
					}
				}
			}
		}
	}
}
