package tui

// Every dialog that decides, at every size and in every look.

import (
	"fmt"
	"strings"
	"testing"

	"github.com/charmbracelet/x/exp/golden"

	"gatehouse/model"
	"gatehouse/tui/tuitest"
)

var dialogs = []struct {
	name    string
	prepare func(*tuitest.Actor)
	keys    string
}{
	{"approve", nil, "n a"},
	{"missing", func(a *tuitest.Actor) { a.Missing = []string{"ARCH.md"} }, "n a"},
	{"skip", nil, "n s n o t space y e t"},
	{"skip_review", nil, "n s n o t space i n space t h i s space o n e enter"},
	{"changes", nil, "n c w h o space p a y s ? ctrl+j ctrl+j a n d space w h e n ?"},
	{"changed", func(a *tuitest.Actor) {
		a.Answers = append(a.Answers, func(x model.Action) (*model.Outcome, error, bool) {
			a.Change = func(p *model.Proposal) { p.Missing = []string{"ARCH.md"} }
			return nil, &model.Changed{Now: a.ProposalFor(x)}, true
		})
	}, "n a y"},
	{"refused", func(a *tuitest.Actor) {
		a.Refusal = &model.Refusal{Code: "E_LOOP_NOT_ACTIVE", Text: "the loop is paused", Fix: "resume it first"}
	}, "n a"},
	{"overwritten", func(a *tuitest.Actor) {
		a.SettleError = &model.Overwritten{File: "sample-state.json", Lost: []string{"gates.frame-gate.status", "gates.frame-gate.passedAt"}}
	}, "n a y"},
	{"abort", nil, ": a b o r t enter a b o"},
	{"request", func(a *tuitest.Actor) { a.Requests["frame-gate"] = "Name the limits.\nAnd who pays?" }, "n"},
	{"decisions", nil, "7"},
	{"decision_overwritten", func(a *tuitest.Actor) { a.Journal[0].Overwritten = true }, "7"},
}

func TestDialogs(t *testing.T) {
	for _, x := range dialogs {
		for _, size := range []struct{ width, height int }{{80, 24}, {120, 40}, {200, 60}, {40, 12}} {
			for _, look := range looks {
				if look.name == "light" {
					continue // TestFrames checks the colors of the light theme
				}
				t.Run(fmt.Sprintf("%s/%dx%d/%s", x.name, size.width, size.height, look.name), func(t *testing.T) {
					a := tuitest.NewActor()
					if x.prepare != nil {
						x.prepare(a)
					}
					opts := testOptions(look.theme)
					opts.ASCII, opts.Actor, opts.Files = look.ascii, a, files
					frame := Frame(a.Snapshot(1), size.width, size.height, opts, strings.Fields(x.keys)...)
					checkFrame(t, frame, size.width, size.height)
					golden.RequireEqual(t, frame)
				})
			}
		}
	}
}
