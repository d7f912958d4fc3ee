package tui

// User stories about decisions.

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"gatehouse/model"
	"gatehouse/tui/decide"
	"gatehouse/tui/index"
	"gatehouse/tui/input"
	"gatehouse/tui/pane"
	"gatehouse/tui/tuitest"
)

// atLoop returns a user at a loop that waits at frame-gate, which is selected.
func atLoop(t *testing.T, a *tuitest.Actor, width, height int) user {
	t.Helper()
	opts := plainOptions()
	opts.Actor, opts.Files = a, files
	d := newDashboard(opts, nil)
	u := user{t, d}
	u.gets(tea.WindowSizeMsg{Width: width, Height: height})
	u.rereads(a)
	d.enterKeys() // it opens at the node that waits
	return u.isOn("frame-gate")
}

// does presses keys and carries out the resulting commands.
func (u user) does(keys ...string) user { u.d.enterKeys(keys...); return u }

// types types a text, one character at a time.
func (u user) types(text string) user {
	for _, r := range text {
		u.d.carryOut(u.d.pressKey(input.Stroke{Name: map[bool]string{true: "space", false: string(r)}[r == ' '], Text: string(r)}))
	}
	return u
}

// rereads shows the loop with the current state of the file.
func (u user) rereads(a *tuitest.Actor) user {
	u.d.carryOut(u.gets(snapshotMsg{index: index.New(a.Snapshot(u.d.index.Snap.Version+1), u.d.index)}))
	return u
}

// later lets the time pass in which keys are ignored because a dialog has just changed by itself.
func (u user) later() user {
	before := u.d.opts.Clock
	u.d.opts.Clock = func() time.Time { return before().Add(time.Second) }
	return u
}

// did checks which actions the actor was asked to do.
func (u user) did(a *tuitest.Actor, want ...model.Action) user {
	u.Helper()
	if len(a.Done) != len(want) {
		u.Fatalf("%d actions, want %d: %+v", len(a.Done), len(want), a.Done)
	}
	for i, w := range want {
		got := a.Done[i]
		if got.Verb != w.Verb || got.Node != w.Node || got.Text != w.Text || got.RecordFailed != w.RecordFailed || got.Build != "loop:sample-state.json" || got.Project != "/src/essay" {
			u.Fatalf("did %+v, want %+v", got, w)
		}
	}
	return u
}

const frameGate = "gate/frame-gate"

func (u user) asksNothing() user {
	u.Helper()
	if u.d.topDialog() != nil {
		u.Fatalf("a dialog is open:\n%s", u.screen())
	}
	return u
}

func TestApprovesAGate(t *testing.T) {
	a := tuitest.NewActor()
	u := atLoop(t, a, 120, 40).sees("approve frame-gate", "a approve  s skip  c changes").seesNo("u undo") // an agent has already seen the last decision
	u.does("a").sees("Approve frame-gate", "only you, required · waits for 14m", "✓ FRAME.md", "3.3 KiB", "14m ago", "every limit has a number",
		"then starts: Phase BUILD", "pending → passed  writes 3 values in sample-state.json:41:17 (tab shows every byte)", "y approve")
	u.does("tab").sees("sample-state.json:41:17 · gates.frame-gate.status", `"pending" → "passed"`, `+ "2026-03-14T12:00:00Z"`)
	u.did(a).does("y").asksNothing().did(a, model.Action{Verb: model.VerbApprove, Node: frameGate})
	u.sees("approved frame-gate · essay, sample-loop · u undoes").isOn("writing…").isOn("◆ frame-gate")
	u.rereads(a).isOn("✓ frame-gate").isOn(" done ").seesNo("writing…")
}

// TestDecidesNothingUnseen checks that a yes typed before the question was on the screen decides nothing.
func TestDecidesNothingUnseen(t *testing.T) {
	a := tuitest.NewActor()
	u := atLoop(t, a, 120, 40).does("a")
	u.d.unseen = true
	u.does("y").sees("not on your screen yet", "y approve").did(a)
	u.d.unseen = false
	u.does("y").asksNothing().did(a, model.Action{Verb: model.VerbApprove, Node: frameGate})
}

func TestApprovesByTheMouse(t *testing.T) {
	a := tuitest.NewActor()
	u := atLoop(t, a, 80, 24)
	u.clicks("a approve").sees("writes 3 values")
	u.clicks("◆ 1/1").clicks("writes 3 values").sees("writes 3 values").did(a) // outside the dialog, and on plain text in it
	for range 4 {
		u.gets(tea.MouseWheelMsg{X: 40, Y: 10, Button: tea.MouseWheelDown})
	}
	u.sees("then starts").clicks("y approve").asksNothing().did(a, model.Action{Verb: model.VerbApprove, Node: frameGate})
	u = atLoop(t, tuitest.NewActor(), 80, 24)
	u.does("a").clicks("esc leave").asksNothing()
}

// clicks clicks the last occurrence of a text on the screen and carries out the resulting commands.
func (u user) clicks(text string) user {
	u.Helper()
	lines := strings.Split(u.screen(), "\n")
	for y := len(lines) - 1; y >= 0; y-- {
		if i := strings.Index(lines[y], text); i >= 0 {
			u.d.carryOut(u.gets(tea.MouseClickMsg{X: len([]rune(lines[y][:i])), Y: y, Button: tea.MouseLeft}))
			return u
		}
	}
	u.Fatalf("%q is not on the screen:\n%s", text, u.screen())
	return u
}

func TestNothingIsDecidedBeforeItIsDrawn(t *testing.T) {
	a := tuitest.NewActor()
	u := atLoop(t, a, 80, 24)
	cmd := u.d.pressKey(input.StrokeOf("a"))
	u.sees("looking…").press("y", "enter", "f", "y").sees("looking…")
	u.d.carryOut(cmd)
	u.sees("writes 3 values").did(a)
	cmd = u.d.pressKey(input.StrokeOf("y"))
	u.sees("approving frame-gate…", "writing").press("y", "enter", "esc", "n", "a", "s").sees("it is being written").seesNo("Skip")
	u.d.carryOut(cmd)
	u.asksNothing().did(a, model.Action{Verb: model.VerbApprove, Node: frameGate})
	u.sees("approved frame-gate").does("y", "y").sees("approved frame-gate") // nor does it reach the screen below the dialog
	u.d.opts.Clock = func() time.Time { return tuitest.Noon.Add(time.Second) }
	u.does("y").sees("copied: frame-gate")
	u.does("a").asksNothing().sees("approving frame-gate: one moment")
}

// TestKeysForADialogDoNotReachTheScreenBelow: keys meant for a dialog do not reach the screen below, whatever closed the dialog.
func TestKeysForADialogDoNotReachTheScreenBelow(t *testing.T) {
	const echo = 400 * time.Millisecond
	for _, x := range []struct {
		name, opens, closes, pressed string
		ignored                      bool
	}{
		{"y after y", "a", "y", "y", true},
		{"y after enter", "a", "enter", "y", true},
		{"enter after y", "a", "y", "enter", true},
		{"f after y", "a", "y", "f", true},
		{"n after y", "a", "y", "n", false}, // n is offered then: "n next of 2"
		{"j after y", "a", "y", "j", false},
		{"y after n", "a", "n", "y", true},
		{"y after esc", "c", "esc", "y", true},
		{"f after esc", "c", "esc", "f", false},
	} {
		t.Run(x.name, func(t *testing.T) {
			u := atLoop(t, tuitest.NewActor(), 120, 40)
			now := tuitest.Noon
			u.d.opts.Clock = func() time.Time { return now }
			u.does(x.opens)
			now = now.Add(time.Minute) // the time counts from the moment the dialog was closed
			u.does(x.closes).asksNothing()
			before := u.screen()
			now = now.Add(echo - 1)
			u.does(x.pressed)
			if ignored := u.screen() == before; ignored != x.ignored {
				t.Errorf("ignored: %t\n%s", ignored, u.screen())
			}
			if u.d.dialogs = nil; x.ignored {
				now = now.Add(1)
				if u.does(x.pressed).screen() == before {
					t.Errorf("still ignored after %v", echo)
				}
			}
			if x.pressed == "y" {
				u.sees("copied: frame-gate")
			}
		})
	}
}

func TestTheTargetIsFrozen(t *testing.T) {
	a := tuitest.NewActor()
	u := atLoop(t, a, 80, 24).does("a")
	u.d.tree.GoTo(index.Place{Project: "/src/essay", Build: "loop:sample-state.json", Node: "gate/cost-gate"})
	u.does("y").did(a, model.Action{Verb: model.VerbApprove, Node: frameGate})
}

func TestSkipsForAReason(t *testing.T) {
	a := tuitest.NewActor()
	u := atLoop(t, a, 80, 24).does("s").sees("Skip frame-gate", "frame-gate is required", "11 more characters")
	u.types("not today").does("enter").sees("2 more characters", "not today▏").did(a)
	u.types(" 日").does("enter").sees("not today 日", "y skip").did(a)
	u.does("t").sees("not today 日▏").does("backspace").sees("not today ▏", "2 more characters").types("本").does("enter", "G").sees(`+ "not today 本"`)
	u.does("y").did(a, model.Action{Verb: model.VerbSkip, Node: frameGate, Text: "not today 本"})
	u.sees("skipped frame-gate · essay, sample-loop")
}

func TestAsksForChangesInManyLines(t *testing.T) {
	a := tuitest.NewActor()
	u := atLoop(t, a, 120, 40).does("c").sees("Ask for changes to frame-gate", "What to change", "1 more character")
	u.d.pasteText("Name the limits.\r\n\r\nAnd who pays?\x1b[2J\n")
	u.does("enter").sees("You ask for", "Name the limits.", "And who pays?", "stays pending")
	u.does("y").did(a, model.Action{Verb: model.VerbChanges, Node: frameGate, Text: "Name the limits.\n\nAnd who pays?\ufffd[2J"})
	u.rereads(a).sees("changes", "Changes asked", "And who pays?", "ada · 1m ago")
	u.sees("● with the agent: approve frame-gate", "1 with the agent").seesNo("◆ 1/1", "1 waiting").isOn("changes")
	if title := u.d.windowTitle(); strings.Contains(title, "!") {
		t.Errorf("the title is %q", title)
	}
	a.Requests = map[string]string{} // the agent has written the state file
	u.rereads(a).sees("◆ 1/1", "1 waiting").seesNo("with the agent")
	if len(u.d.index.Began) != 1 {
		t.Errorf("it waits again, and %d began to wait", len(u.d.index.Began))
	}
}

func TestTypedTextIsRestored(t *testing.T) {
	a := tuitest.NewActor()
	u := atLoop(t, a, 80, 24).does("c").types("who pays").does("esc").asksNothing()
	u.does("s").seesNo("who pays").does("esc", "c").sees("who pays▏").does("enter", "y").did(a, model.Action{Verb: model.VerbChanges, Node: frameGate, Text: "who pays"})
	u.rereads(a).does("c").seesNo("who pays▏")
}

func TestRetriesAndUndoes(t *testing.T) {
	a := tuitest.NewActor()
	a.States["frame-gate"] = "failed"
	u := atLoop(t, a, 120, 40).sees("R retry  s skip").does("a").sees("Retry frame-gate", "Why it failed", "s skip").does("esc").asksNothing()
	u.does("R", "y").sees("frame-gate will be tried again · essay").rereads(a).sees("a approve")
	u.does("a", "enter").rereads(a).sees("u undo").does("u").sees("Undo the last decision about frame-gate", `"passed" → "pending"`)
	u.does("y").sees("undid the decision about frame-gate: passed → pending").seesNo("u undoes")
	u.did(a, model.Action{Verb: model.VerbRetry, Node: frameGate}, model.Action{Verb: model.VerbApprove, Node: frameGate}, model.Action{Verb: model.VerbUndo, Node: frameGate})
}

func TestPausesAndResumes(t *testing.T) {
	a := tuitest.NewActor()
	u := atLoop(t, a, 120, 40).sees("P pause").does("P").sees("Pause sample-loop").does("y").sees("paused sample-loop · essay")
	u.rereads(a).does("a").sees("sample-loop is paused: P resume").does("j").sees("P resume").does("P", "y").sees("resumed sample-loop · essay")
	u.did(a, model.Action{Verb: model.VerbPause}, model.Action{Verb: model.VerbResume})
}

func TestAbortsOnlyByTheWord(t *testing.T) {
	a := tuitest.NewActor()
	u := atLoop(t, a, 80, 24).does(":").types("abort").does("enter").sees("Abort sample-loop", "Type abort")
	u.does("enter", "y", "enter").sees("type abort to go on").did(a)
	u.does("backspace").types("abort").does("enter").did(a, model.Action{Verb: model.VerbAbort}).rereads(a)
	u.does(":").types("take up").does("enter").types("retry").does("enter").sees("took up sample-loop again · essay")
}

func TestFileChangesWhileTheDialogIsOpen(t *testing.T) {
	a := tuitest.NewActor()
	u := atLoop(t, a, 120, 40).does("a")
	a.Change = func(p *model.Proposal) {
		p.Evidence = slices.Clone(p.Evidence)
		p.Evidence[0].Size = 12
	}
	u.does("y").sees("The file has changed meanwhile", "3421 B of ", "y approve", "✓ FRAME.md").seesNo("approved frame-gate")
	u.does("y", "enter").sees("it changed just now", "press it again").did(a, model.Action{Verb: model.VerbApprove, Node: frameGate})
	u.later().does("y").sees("approved frame-gate").did(a, model.Action{Verb: model.VerbApprove, Node: frameGate}, model.Action{Verb: model.VerbApprove, Node: frameGate})
	if a.Done[0].Shown == a.Done[1].Shown || a.Done[1].Seen == "" {
		t.Errorf("did %+v", a.Done)
	}
}

func TestRequirementsChangeWhileTheDialogIsOpen(t *testing.T) {
	a := tuitest.NewActor()
	u := atLoop(t, a, 120, 60).does("a").sees("only you, required · waits for 14m")
	a.Change = func(p *model.Proposal) { p.Evidence, p.Terms = nil, "human, optional" }
	u.does("y").sees("The file has changed meanwhile", "human, required → human, optional", "3421 B of ", "18230 B of ", "only you, optional · waits for 14m").seesNo("approved frame-gate")
	u.later().does("y").sees("approved frame-gate")
}

func TestUnrelatedChangeWhileTheDialogIsOpen(t *testing.T) {
	a := tuitest.NewActor()
	u := atLoop(t, a, 120, 40).does("a")
	a.Change = func(p *model.Proposal) { p.Kinds = []string{"idea"} }
	u.does("y").sees("Only something else in the file has changed meanwhile", "y approve").seesNo("The file has changed").seesNo("approved frame-gate")
	u.later().does("y").sees("approved frame-gate")
}

// TestDecidesWhileAnotherWriterKeepsWriting: a file that is rewritten all the time with the relevant content unchanged does not lock the user out.
func TestDecidesWhileAnotherWriterKeepsWriting(t *testing.T) {
	a := tuitest.NewActor()
	u := atLoop(t, a, 120, 40).does("s").types("no time for this").does("enter")
	a.File++
	u.does("y").sees("nothing that you see here has changed", "no time for this").did(a, model.Action{Verb: model.VerbSkip, Node: frameGate, Text: "no time for this"})
	a.File++
	u.does("y").sees("skipped frame-gate")
	if last := a.Done[1]; last.Seen != "" || last.Shown != a.Done[0].Shown || last.Text != "no time for this" {
		t.Errorf("did %+v", last)
	}
}

func TestActionBecomesImpossibleWhileTheDialogIsOpen(t *testing.T) {
	a := tuitest.NewActor()
	u := atLoop(t, a, 80, 24).does("a")
	a.Answers = append(a.Answers, func(model.Action) (*model.Outcome, error, bool) {
		return nil, &model.Changed{Why: errors.New("the loop is paused; resume it first")}, true
	})
	u.does("y").sees("The file has changed meanwhile: the loop is paused; resume it first", "look again").seesNo("y approve")
	u.does("y").sees("it is possible again", "y approve").does("esc").asksNothing()
}

func TestProposesAgainWhenTheBuildChanges(t *testing.T) {
	a := tuitest.NewActor()
	u := atLoop(t, a, 120, 40).does("a")
	asked := len(a.Proposed)
	u.rereads(a).rereads(a).rereads(a)
	if len(a.Proposed) != asked {
		t.Fatalf("looked %d times at once", len(a.Proposed)-asked)
	}
	a.States["frame-gate"] = "failed"
	a.Refusal = &model.Refusal{Text: "frame-gate has failed", Fix: "retry it first"}
	u.d.carryOut(u.gets(decide.RestedMsg{ID: 1})) // half a second later
	if len(a.Proposed) != asked+1 {
		t.Fatalf("looked %d times", len(a.Proposed)-asked)
	}
	u.sees("frame-gate has failed", "retry it first").does("y").did(a)
	a.Refusal, a.States["frame-gate"] = nil, "pending"
	a.Change = func(p *model.Proposal) { p.Missing = []string{"ARCH.md"} }
	u.gets(decide.RestedMsg{ID: 1})
	u.rereads(a).sees("Missing: ARCH.md")
	a.Change = nil
	u.gets(decide.RestedMsg{ID: 1})
	u.rereads(a).sees("The file has changed meanwhile", "ARCH.md → nothing").does("y").did(a).later().does("y").did(a, model.Action{Verb: model.VerbApprove, Node: frameGate})
}

func TestAnUnrelatedBuildNeedsNoNewProposal(t *testing.T) {
	a := tuitest.NewActor()
	u := atLoop(t, a, 120, 40).does("a")
	asked := len(a.Proposed)
	u.gets(decide.RestedMsg{ID: 1})
	before := u.d.index.Snap
	snap := &model.Snapshot{Version: before.Version + 1, At: tuitest.Noon, Projects: append(slices.Clone(before.Projects), tuitest.Shop().Projects...)}
	u.d.carryOut(u.gets(snapshotMsg{index: index.New(snap, u.d.index)}))
	if len(a.Proposed) != asked {
		t.Error("looked again although the build is the same")
	}
}

func TestGateDisappearsWhileTheDialogIsOpen(t *testing.T) {
	a := tuitest.NewActor()
	u := atLoop(t, a, 120, 40).does("a")
	a.States["frame-gate"] = ""
	u.rereads(a).sees("frame-gate is gone from the build").does("y").did(a)
	a.States["frame-gate"] = "pending"
	u.gets(decide.RestedMsg{ID: 1})
	u.d.carryOut(u.gets(decide.RestedMsg{ID: 1}))
	u.rereads(a).sees("y approve").does("y").did(a).later().does("y").did(a, model.Action{Verb: model.VerbApprove, Node: frameGate})
}

func TestDecisionIsRefused(t *testing.T) {
	a := tuitest.NewActor()
	a.Refusal = &model.Refusal{Code: "E_LOOP_NOT_ACTIVE", Text: "the loop is paused", Fix: "resume it first"}
	u := atLoop(t, a, 80, 24).does("a").sees("the loop is paused", "resume it first", "look again")
	u.does("y").did(a).does("n").asksNothing()
	a.Refusal = nil
	a.Answers = append(a.Answers, func(model.Action) (*model.Outcome, error, bool) {
		return nil, &model.Refusal{Text: "frame-gate was skipped", Fix: "undo that first"}, true
	})
	u.does("a", "y").sees("frame-gate was skipped", "undo that first").seesNo("writing…")
}

func TestATextIsRefused(t *testing.T) {
	a := tuitest.NewActor()
	u := atLoop(t, a, 80, 24).does("s").types("because I say so")
	a.Refusal = &model.Refusal{Text: "the reason is none", Fix: "say why"}
	u.does("enter").sees("the reason is none", "say why", "because I say so▏")
}

func TestDecisionWasAlreadyMade(t *testing.T) {
	a := tuitest.NewActor()
	a.Refusal = &model.Refusal{Text: "frame-gate has passed already", Already: true}
	u := atLoop(t, a, 80, 24).does("a").asksNothing().sees("frame-gate has passed already; nothing was written")
	a.Refusal = nil
	a.Answers = append(a.Answers, func(model.Action) (*model.Outcome, error, bool) {
		return &model.Outcome{Note: "it has passed already"}, nil, true
	}, func(model.Action) (*model.Outcome, error, bool) {
		return nil, &model.Refusal{Text: "somebody was faster", Already: true}, true
	})
	u.does("a", "y").asksNothing().sees("it has passed already; nothing was written").seesNo("writing…")
	u.does("a", "y").asksNothing().sees("somebody was faster; nothing was written")
}

func TestOverwrittenDecisionOpensADialog(t *testing.T) {
	a := tuitest.NewActor()
	a.SettleError = &model.Overwritten{File: "sample-state.json", Lost: []string{"gates.frame-gate.status"}}
	u := atLoop(t, a, 120, 40).does("s").types("there is no time for it").does("enter", "y")
	u.sees("Another writer has put something else over your decision", "gates.frame-gate.status", "overwritten", "there is no time for it")
	u.does("j", "x", "a").sees("Another writer").rereads(a).sees("Another writer") // it stays
	a.States["frame-gate"], a.SettleError = "pending", nil
	u.rereads(a).does("y").sees("Skip frame-gate", "there is no time for it▏").does("enter", "y").sees("skipped frame-gate").asksNothing().seesNo("overwritten")
}

// TestALossThatWasDecidedAgainIsNoLongerReported: a new decision ends the report of an overwritten one, whether it came before the report or after.
func TestALossThatWasDecidedAgainIsNoLongerReported(t *testing.T) {
	for _, before := range []bool{true, false} {
		a := tuitest.NewActor()
		a.SettleError = &model.Overwritten{File: "s.json"}
		u := atLoop(t, a, 120, 40).does("a")
		news := u.gets(u.d.pressKey(input.StrokeOf("y"))())()
		a.SettleError, a.States["frame-gate"] = nil, "pending"
		u.d.opts.Clock = func() time.Time { return tuitest.Noon.Add(time.Second) }
		u.rereads(a).does("a").sees("y approve")
		if before {
			u.gets(news)
		}
		u.does("y").sees("approved frame-gate")
		if !before {
			u.gets(news)
		}
		u.rereads(a).asksNothing().seesNo("overwritten", "Another writer")
	}
}

func TestANoticeDoesNotTakeTheKeysOfAnotherDialog(t *testing.T) {
	approved := func(width, height int) (u user, settle tea.Cmd) { // about to be found overwritten
		a := tuitest.NewActor()
		a.SettleError = &model.Overwritten{File: "s.json"}
		u = atLoop(t, a, width, height).does("a")
		settle = u.gets(u.d.pressKey(input.StrokeOf("y"))())
		return u.rereads(tuitest.NewActor()), settle // with the file in its old state
	}
	u, settle := approved(120, 40)
	u.d.opts.Clock = func() time.Time { return tuitest.Noon.Add(time.Second) }
	u.does("c").gets(settle())
	u.types("yes").sees("yes▏").seesNo("Another writer").does("esc").sees("Another writer").clicks("esc leave it").asksNothing().seesNo("overwritten")
	u, settle = approved(40, 10)
	u.gets(settle())
	u.sees("Another writer")
	for range 9 {
		u.does("j").sees("decide again")
	}
	u.sees("mean it.")
}

func TestRecordsAFailedCheckOnlyByItsOwnKey(t *testing.T) {
	a := tuitest.NewActor()
	a.Missing = []string{"ARCH.md"}
	u := atLoop(t, a, 80, 24).does("a").sees("Missing: ARCH.md", "missing", "f record as failed").seesNo("y approve")
	if lines := strings.Split(u.screen(), "\n"); !strings.Contains(lines[4], "Missing") {
		t.Errorf("it is not said first: %q", lines[4])
	}
	u.does("y", "enter").sees("f records the failed check").did(a)
	u.does("f").did(a, model.Action{Verb: model.VerbApprove, Node: frameGate, RecordFailed: true}).sees("recorded the failed check of frame-gate · essay, sample-loop")
	atLoop(t, tuitest.NewActor(), 80, 24).does("a", "f").sees("y approve") // nothing is missing
}

func TestAnAutomaticGateAsksOnceMore(t *testing.T) {
	a := tuitest.NewActor()
	a.States["brief-gate"] = "pending"
	u := user{t, newDashboard(plainOptions(), nil)}
	u.d.decisions.Actor = a
	u.gets(tea.WindowSizeMsg{Width: 80, Height: 24})
	u.rereads(a).does().isOn("brief-gate").does("enter").sees("Checks").seesNo("Asks you").does("esc").isOn("brief-gate")
	u.does("a", "y").sees("opened by a check, not by a human").did(a)
	u.does("y").did(a, model.Action{Verb: model.VerbApprove, Node: "gate/brief-gate"})
}

// TestAnAutomaticGateWithADeliverableMissing checks that no key is offered and then refused, and that f does what its label says.
func TestAnAutomaticGateWithADeliverableMissing(t *testing.T) {
	a := tuitest.NewActor()
	a.States["brief-gate"], a.Missing = "pending", []string{"ARCH.md"}
	u := user{t, newDashboard(plainOptions(), nil)}
	u.d.decisions.Actor = a
	u.gets(tea.WindowSizeMsg{Width: 80, Height: 24})
	u.rereads(a).does().isOn("brief-gate").does("a").sees("Missing: ARCH.md", "f record as failed")
	u.does("y").seesNo("y once more").sees("f records the failed check").did(a)
	u.does("f").sees("Approve frame-gate").did(a, model.Action{Verb: model.VerbApprove, Node: "gate/brief-gate", RecordFailed: true})
}

// TestNamesTheProject checks that projects with gates of the same name are told apart in the question and in the report.
func TestNamesTheProject(t *testing.T) {
	a := tuitest.NewActor()
	u := atLoop(t, a, 80, 24)
	u.d.touched = true // a key was pressed, so the selection no longer moves by itself
	snap := a.Snapshot(2)
	other := *snap.Projects[0]
	other.Root, other.Name = "/old/essay", "essay"
	snap.Projects = append(snap.Projects, &other)
	u.gets(snapshotMsg{index: index.New(snap, u.d.index)})
	u.does("a").sees("Approve frame-gate · src/essay, sample-loop").does("y").sees("approved frame-gate · src/essay, sample-loop", "u undoes", "Approve frame-gate · old/essay")
}

func TestEnterApprovesToo(t *testing.T) {
	a := tuitest.NewActor()
	u := atLoop(t, a, 80, 24).does("a").sees(" enter y approve  esc leave ")
	u.does("enter").asksNothing().did(a, model.Action{Verb: model.VerbApprove, Node: frameGate})
}

func TestANoteGoesWithAnApproval(t *testing.T) {
	a := tuitest.NewActor()
	u := atLoop(t, a, 80, 24).does("a", "t").sees("Note", "for the journal", "enter keep the note").types("mind the costs")
	u.does("esc").sees("y approve").did(a)
	u.does("t").sees("mind the costs▏").does("enter").sees("Your note", "mind the costs", "y approve").did(a)
	u.does("enter").asksNothing().did(a, model.Action{Verb: model.VerbApprove, Node: frameGate, Text: "mind the costs"})
}

func TestLooksAtTheEvidence(t *testing.T) {
	a := tuitest.NewActor()
	frame := "# Frame\n\none limit\n"
	files := shelf{"/src/essay/FRAME.md": frame, "/src/essay/docs/decisions/scope-and-limits.md": "in scope: " + strings.Repeat("all of it ", 30)}
	u := atLoop(t, a, 80, 24)
	u.d.opts.Files = files
	u.does("a").sees("v view", "FRAME.md, 1 of 2", "│ Frame").does("v").sees("FRAME.md, 1 of 2 · essay, sample-loop", "│ Frame", "│ one limit", "v next document").seesNo("Changed since")
	u.does("v").sees("scope-and-limits.md, 2 of 2", "in scope", "esc back").seesNo("v next").does("v").sees("Approve frame-gate", "writes 3 values")
	u.does("v", "esc").sees("Approve frame-gate").does("esc").asksNothing()

	files["/src/essay/FRAME.md"] = strings.Replace(frame, "one limit", "two limits\ny approve", 1)
	for range 2 { // looking twice shows the same
		u.does("a", "v").sees("Changed since you looked", "- one limit", "+ two limits", "+ y approve", "All of it", "+ two limits").does("esc", "esc")
	}
	files["/src/essay/FRAME.md"] = strings.Repeat("long\n", 40_000)
	u.does("a", "v").sees("only its beginning is shown here; o opens the whole").does("esc", "esc")
	files["/src/essay/FRAME.md"] = "\x00\x01"
	u.does("a", "v").sees("this is no text; o opens it").does("y").asksNothing().did(a, model.Action{Verb: model.VerbApprove, Node: frameGate})
}

// TestWhatChangesComesBeforeTheEvidence checks that a reader of a deliverable cannot miss that the change to be written is a different one.
func TestWhatChangesComesBeforeTheEvidence(t *testing.T) {
	a := tuitest.NewActor()
	u := atLoop(t, a, 80, 24)
	u.d.opts.Files = shelf{"/src/essay/FRAME.md": "x"}
	u.does("a", "v").sees("1 of 2")
	a.Change = func(p *model.Proposal) { p.Terms = "human, optional" }
	u.gets(decide.RestedMsg{ID: 1})
	a.File++
	u.rereads(a).sees("The file has changed meanwhile", "human, required → human, optional").seesNo("1 of 2").did(a)
}

// TestOverwrittenDecisionIsReportedUntilDecidedAgain checks that a decision is reported when it is overwritten and stays in view until somebody
// decides again, also in a dashboard that is opened later.
func TestOverwrittenDecisionIsReportedUntilDecidedAgain(t *testing.T) {
	a := tuitest.NewActor()
	u := atLoop(t, a, 120, 40).does("a", "y").rereads(a).isOn("✓ frame-gate")
	a.States["frame-gate"] = "pending" // overwritten by an agent's copy, seconds later
	a.Journal = slices.Clone(a.Journal)
	a.Journal[0].Overwritten = true
	u.rereads(a).sees("overwritten: frame-gate was approved just now, and is pending again · essay, sample-loop").isOn("overwritten")
	u.sees("ada approved it just now", "Nothing is written again by itself").asksNothing()
	if cmd := u.d.notifyUser(u.d.index); cmd == nil || !strings.Contains(fmt.Sprint(cmd()), "\a") {
		t.Error("nobody is called")
	}
	u.rereads(a).does("j", "k").seesNo("and is pending again · essay").isOn("overwritten")
	u = atLoop(t, a, 120, 40).isOn("overwritten").seesNo("and is pending again · essay")
	a.Journal[0].Overwritten = false
	u.does("a", "y").rereads(a).isOn("✓ frame-gate").seesNo("overwritten")
}

func TestAnErrorKeepsTheText(t *testing.T) {
	a := tuitest.NewActor()
	a.Answers = append(a.Answers, func(model.Action) (*model.Outcome, error, bool) {
		return nil, errors.New("sample-state.json: no space left on device"), true
	})
	u := atLoop(t, a, 80, 24).does("s").types("because I say so").does("enter", "y")
	u.sees("It failed: sample-state.json: no space left on device", "because I say so", "y skip").seesNo("writing…")
	u.does("y").sees("skipped frame-gate").did(a, model.Action{Verb: model.VerbSkip, Node: frameGate, Text: "because I say so"}, model.Action{Verb: model.VerbSkip, Node: frameGate, Text: "because I say so"})
	a.Refusal = errors.New("sample-state.json: permission denied")
	u.rereads(a).does("u").sees("permission denied", "enter look again")
	a.Refusal = nil
	u.does("enter").sees("Undo the last decision", "y undo")
}

// unknownResult is the error of a decision that was sent to another machine and whose result is unknown.
type unknownResult struct {
	asked int // number of requests for the result
	then  []func() (*model.Outcome, error)
}

func (*unknownResult) Error() string {
	return "it is not known; gatehouse fleet outcome build-7 19c8a0-77"
}

func (*unknownResult) Why() string {
	return "it is not known whether it was done: no answer from build-7"
}

func (*unknownResult) Command() string { return "gatehouse fleet outcome build-7 19c8a0-77" }

func (x *unknownResult) Outcome(context.Context) (*model.Outcome, error) {
	x.asked++
	next := x.then[0]
	x.then = x.then[1:]
	return next()
}

// TestUnknownResultIsAskedFor checks that the dashboard asks for the result of a decision that may have been made and never sends it a second
// time: neither on a yes nor in a dialog that is opened later.
func TestUnknownResultIsAskedFor(t *testing.T) {
	a := tuitest.NewActor()
	x := &unknownResult{}
	still := func() (*model.Outcome, error) { return nil, x }
	x.then = append(x.then, still, still, func() (*model.Outcome, error) {
		return a.Do(t.Context(), a.ProposalFor(a.Done[0]).Action)
	})
	a.Answers = append(a.Answers, func(model.Action) (*model.Outcome, error, bool) { return nil, x, true })
	u := atLoop(t, a, 120, 40).does("c").types("Name the limits").does("enter", "y")
	u.sees("It is not known whether it was done: no answer from build-7.", "gatehouse fleet outcome build-7 19c8a0-77", "y ask for the result").seesNo("tries again", "It failed")
	u.rereads(a).does("y").sees("It is not known whether it was done").does("t", "f", "v", "e").sees("It is not known whether it was done")
	u.does("esc").asksNothing().rereads(a).isOn("not known")
	u.does("a").sees("It is not known whether it was done", "Name the limits").does("enter").sees("It is not known whether it was done")
	if len(a.Done) != 1 || x.asked != 2 {
		t.Fatalf("it was sent %d times, and asked about %d times", len(a.Done), x.asked)
	}
	u.does("y").asksNothing().seesNo("not known")
	if a.Requests["frame-gate"] != "Name the limits" || x.asked != 3 || len(a.Journal) != len(tuitest.Journal())+1 {
		t.Errorf("%v, asked %d times", a.Requests, x.asked)
	}
}

// TestCanceledDecisionCanBeMadeAgain checks that a canceled decision can be made again, and that the mark goes once the file is read.
func TestCanceledDecisionCanBeMadeAgain(t *testing.T) {
	a := tuitest.NewActor()
	x := &unknownResult{then: []func() (*model.Outcome, error){func() (*model.Outcome, error) {
		return nil, &model.Refusal{Text: "it did not get there, and is not done any more", Fix: "decide again"}
	}}}
	say := func(model.Action) (*model.Outcome, error, bool) { return nil, x, true }
	a.Answers = append(a.Answers, say)
	u := atLoop(t, a, 120, 40).does("a", "y", "y").sees("it did not get there", "enter look again").does("enter", "y").sees("approved frame-gate").rereads(a).isOn("✓ frame-gate")

	a.Answers = append(a.Answers, say)
	u.does("u", "y").sees("not known whether").does("esc").isOn("not known")
	a.States["frame-gate"] = "pending"
	u.rereads(a).seesNo("not known")
}

// TestLeavesASlowWrite checks that esc leaves a decision that takes long, and that its outcome is reported.
func TestLeavesASlowWrite(t *testing.T) {
	for name, c := range map[string]struct {
		answer error
		sees   string
	}{
		"done": {nil, "approved frame-gate"}, "failed": {errors.New("no space left on device"), "frame-gate: no space left on device"},
		"refused": {&model.Refusal{Text: "nothing was sent"}, "frame-gate: nothing was sent"}, "unknown": {&unknownResult{}, "gatehouse fleet outcome build-7 19c8a0-77"},
	} {
		t.Run(name, func(t *testing.T) {
			a := tuitest.NewActor()
			a.Answers = append(a.Answers, func(model.Action) (*model.Outcome, error, bool) { return nil, c.answer, c.answer != nil })
			u := atLoop(t, a, 160, 40).does("a")
			cmd := u.d.pressKey(input.StrokeOf("y"))
			u.press("esc").sees("it is being written")
			u.d.opts.Clock = func() time.Time { return tuitest.Noon.Add(2 * time.Second) }
			u.sees("esc leave").press("esc").asksNothing().press("j")
			u.d.carryOut(cmd)
			u.asksNothing().sees(c.sees)
		})
	}
}

func TestOpensTheEvidenceAndComesBack(t *testing.T) {
	u := atLoop(t, tuitest.NewActor(), 80, 24)
	u.d.opts.Files, u.d.opts.Env = shelf{"/src/essay/FRAME.md": "x", "/src/essay/docs/decisions/scope-and-limits.md": "y", "/src/essay/sample-state.json": "{}"}, []string{"PAGER=less", "EDITOR=vi", "LANG=C.UTF-8"}
	u.does("a")
	for _, file := range []string{"FRAME.md", "docs/decisions/scope-and-limits.md", "FRAME.md"} { // one after the other, and from the first again
		if got := u.opened("o"); got.path != "/src/essay/"+file || !got.pager {
			t.Errorf("opened %+v", got)
		}
	}
	u.sees("FRAME.md, 1 of 2; o opens the next")
	if got := u.opened("e"); got.path != "/src/essay/sample-state.json" || got.line != 41 {
		t.Errorf("opened %+v", got)
	}
	u.gets(programEndedMsg{"less", nil})
	u.sees("Approve frame-gate", "y approve")
}

func TestFindsTheGateForTheSelection(t *testing.T) {
	a := tuitest.NewActor()
	u := atLoop(t, a, 120, 40)
	go2 := func(node string) user {
		u.d.tree.GoTo(index.Place{Project: "/src/essay", Build: "loop:sample-state.json", Node: node})
		u.d.focusOn(pane.TreeID)
		return u.press("k", "j")
	}
	go2("phase/SHAPE").does("a").sees("Approve frame-gate").does("esc") // it waits right behind this phase
	go2("phase/FRAME").does("a").sees("Approve frame-gate").does("esc") // the gate that the banner names
	go2("").does("g", "a").sees("Approve frame-gate").does("esc")       // the only gate of the build
	u.does("4", "g", "a").sees("Approve frame-gate").does("esc")        // in the list
	u.does("7", "g").seesNo("u undo")                                   // the work it released has begun
	u.does("1", "n", "a", "y").rereads(a).does("7", "g", "u").sees("Undo the last decision about frame-gate").does("esc")
	a.States["brief-gate"], a.States["frame-gate"] = "pending", "pending"
	u.rereads(a).does("1", "g").sees("◆ 1/2").does("a").sees("Approve brief-gate").does("esc") // the first of the two
	u.d.decisions.Actor = nil
	u.does("n", "a").sees("read-only: no writer is configured").seesNo("a approve")
	atKeyboard(t, tuitest.Shop(), 120, 40).press("n", "a").sees("read-only: no writer is configured")
}

func TestReadsTheJournal(t *testing.T) {
	u := atLoop(t, tuitest.NewActor(), 80, 24).does("7").sees("7 Decisions", "brief-gate  approved  pending → passed", "ada, dashboard · 1h ago",
		"Name the limits, and who pays", "grace, command · 2h ago · the agent knows", "undone since")
	u.does("j", "enter").sees("Asks you").does("G").sees("Decided", "changes asked")
	atKeyboard(t, tuitest.Shop(), 80, 24).press("7").sees("nothing has been decided here yet")
}

func TestReadsThatADecisionWasOverwritten(t *testing.T) {
	const said = "overwritten: the file no longer says so"
	a := tuitest.NewActor()
	u := atLoop(t, a, 120, 60).does("7").seesNo(said)
	a.Journal = tuitest.Journal()
	a.Journal[0].Overwritten = true // the selected decision
	u.rereads(a).sees("ada, dashboard · 1h ago", "grace, command · 2h ago · the agent knows", said)
	u.does("2", "z", "G").sees("Decided", said)
}

func TestQuitsWhenTheWriteIsDone(t *testing.T) {
	quits := func(cmd tea.Cmd) bool {
		if cmd == nil {
			return false
		}
		_, ok := cmd().(tea.QuitMsg)
		return ok
	}
	u := atLoop(t, tuitest.NewActor(), 80, 24).does("a")
	write := u.d.pressKey(input.StrokeOf("y"))
	var patience time.Duration
	var impatient tea.Msg
	u.d.tick = func(d time.Duration, f func(time.Time) tea.Msg) tea.Cmd {
		patience, impatient = d, f(tuitest.Noon)
		return nil
	}
	if quits(u.d.pressKey(input.StrokeOf("ctrl+c"))) || patience != time.Second {
		t.Fatal("it quits while something is being written")
	}
	u.sees("quits as soon as that is done")
	if !quits(u.d.pressKey(input.StrokeOf("ctrl+c"))) || !quits(u.gets(impatient)) {
		t.Error("it does not quit although the user insists")
	}
	if !quits(u.gets(write())) {
		t.Error("it does not quit once it is written")
	}
	a := tuitest.NewActor()
	a.Answers = append(a.Answers, func(model.Action) (*model.Outcome, error, bool) { return nil, errors.New("the disk is full"), true })
	u = atLoop(t, a, 80, 24).does("a")
	write = u.d.pressKey(input.StrokeOf("y"))
	u.press("ctrl+c")
	if quits(u.gets(write())) || quits(u.gets(impatient)) {
		t.Error("it quits although nothing was written")
	}
	u.sees("the disk is full")
	if u = atLoop(t, tuitest.NewActor(), 80, 24); !quits(u.d.pressKey(input.StrokeOf("q"))) {
		t.Error("q does not quit")
	}
}

// TestTheSmallestScreenShowsEverything: the dialog can be read to its end and answered on the smallest screen.
func TestTheSmallestScreenShowsEverything(t *testing.T) {
	u := atLoop(t, tuitest.NewActor(), 40, 10).does("a")
	seen := ""
	for range 40 {
		seen += u.screen()
		u.does("j")
		if seen != "" && strings.Count(seen, "y approve") == 20 {
			u.does("tab")
		}
	}
	for _, text := range []string{"Does frame-gate", "FRAME.md", "gates.frame-gate.status", `"passed"`, "Phase BUILD", "y approve"} {
		if !strings.Contains(seen, text) {
			t.Errorf("%q is never on the screen", text)
		}
	}
	u.does("esc", "s").types("a reason that goes over the edge of the screen").sees("the screen▏", "enter go on")
}

func TestNothingIsDecidedOnAScreenThatShowsNothing(t *testing.T) {
	a := tuitest.NewActor()
	u := atLoop(t, a, 80, 24).does("a")
	u.gets(tea.WindowSizeMsg{Width: 39, Height: 9})
	u.does("y", "enter").did(a).does("esc").asksNothing()
}

func TestProposalsComeFromTheContextOfTheDashboard(t *testing.T) {
	a := &deafActor{Actor: tuitest.NewActor()}
	opts := plainOptions()
	opts.Actor = a
	d := newDashboard(opts, nil)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	d.decisions.Context = ctx
	u := user{t, d}
	u.gets(tea.WindowSizeMsg{Width: 80, Height: 24})
	u.rereads(a.Actor).does("a").sees("context canceled")
}

// deafActor does nothing once its context has ended.
type deafActor struct{ *tuitest.Actor }

func (a *deafActor) Propose(ctx context.Context, x model.Action) (*model.Proposal, error) {
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	return a.Actor.Propose(ctx, x)
}

// TestGateClosedWithoutADecisionIsMarked checks that the tree and the details mark a gate that no decision closed.
func TestGateClosedWithoutADecisionIsMarked(t *testing.T) {
	a := tuitest.NewActor()
	snap := a.Snapshot(2)
	for _, n := range snap.Projects[0].Builds[0].Nodes {
		if n.ID == "gate/brief-gate" {
			n.Gate.Unattributed = true
		}
	}
	u := atLoop(t, a, 140, 40)
	u.gets(snapshotMsg{index: index.New(snap, u.d.index)})
	u.sees("≠ brief-gate", "passed, not by you")
	for range 3 {
		u.does("k")
		if strings.Contains(u.screen(), "▌▸ ≠ brief-gate") || strings.Contains(u.screen(), "▌  ≠ brief-gate") {
			break
		}
	}
	u.sees("The state file says so, and the journal has no decision")
}
