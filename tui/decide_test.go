package tui

// User stories about decisions.

import (
	"errors"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"gatehouse/model"
	"gatehouse/tui/index"
	"gatehouse/tui/input"
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

// rereads shows the loop with the current state of the file.
func (u user) rereads(a *tuitest.Actor) user {
	u.d.carryOut(u.gets(snapshotMsg{index: index.New(a.Snapshot(u.d.index.Snap.Version+1), u.d.index)}))
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
