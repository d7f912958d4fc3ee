package tui

// User stories about decisions.

import (
	"errors"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"gatehouse/model"
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

func TestOpensTheEvidenceAndComesBack(t *testing.T) {
	u := atLoop(t, tuitest.NewActor(), 80, 24)
	u.d.opts.Files, u.d.opts.Env = shelf{"/src/essay/FRAME.md": "x", "/src/essay/docs/decisions/scope-and-limits.md": "y", "/src/essay/sample-state.json": "{}"}, []string{"PAGER=less", "EDITOR=vi", "LANG=C.UTF-8"}
	u.does("a")
	for _, file := range []string{"FRAME.md", "docs/decisions/scope-and-limits.md", "FRAME.md"} { // one after the other, and from the first again
		if got := u.opened("o"); got.path != "/src/essay/"+file || !got.pager {
			t.Errorf("opened %+v", got)
		}
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
