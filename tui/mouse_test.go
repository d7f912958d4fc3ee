package tui

// User stories about the mouse, a read-only dashboard and notifications.

import (
	"fmt"
	"testing"

	tea "charm.land/bubbletea/v2"

	"gatehouse/model"
	"gatehouse/tui/index"
	"gatehouse/tui/tuitest"
)

func TestMouseCanBeDisabled(t *testing.T) {
	opts := plainOptions()
	opts.NoMouse = true
	d := newDashboard(opts, nil)
	if d.View().MouseMode != tea.MouseModeNone {
		t.Error("the mouse is taken")
	}
	u := user{t, d}
	u.gets(tea.WindowSizeMsg{Width: 80, Height: 24}, snapshotMsg{index: index.New(tuitest.Shop(), nil)})
	u.press(":", "m", "o", "u", "s", "e", "enter").sees("mouse on")
	if d.View().MouseMode != tea.MouseModeCellMotion {
		t.Error("the mouse is not on")
	}
}

func TestReadOnlyHasNoKeyThatWrites(t *testing.T) {
	if n, all := len(filterRows(bindings(), true)), len(filterRows(bindings(), false)); n != all-19 {
		t.Errorf("%d rows of %d are left", n, all)
	}
	actor := tuitest.NewActor()
	opts := plainOptions()
	opts.ReadOnly, opts.Actor = true, actor
	u := facing(t, opts, actor.Snapshot(1), 120, 40)
	u.isOn("frame-gate").sees("read only", "e edit", "Asks you")
	for _, key := range []string{"a", "s", "c", "R", "u", "P"} {
		u.press(key).sees("read only: nothing is decided or answered here")
	}
	u.press("g", "n").seesNo("a approve", "s skip", "P pause", "u undo")
	if u.d.topDialog() != nil || len(actor.Proposed) > 0 {
		t.Error("a key that writes did something")
	}
	u.press("?").seesNo("approve the gate", "undo the", "Decide").press("esc", ":", "a", "b", "o", "r", "t").sees("nothing matches")
	for _, b := range u.d.keys {
		if b.writes {
			t.Errorf("%s writes", b.words)
		}
	}
}

func TestNotifiesOncePerWait(t *testing.T) {
	waiting := func(version uint64) *model.Snapshot {
		snap := tuitest.Shop()
		snap.Version = version
		b := snap.Projects[0].Builds[0]
		b.Waits = append(b.Waits, model.Wait{Node: "phase/08", Text: "Launch\x1b[2J?\x07", Evidence: model.Signalled, Place: "Phase 08"})
		return snap
	}
	yes, no := true, false
	for _, c := range []struct {
		how     Notify
		focused *bool
		want    string
	}{
		{"", nil, "\a"}, {NotifyBell, &no, "\a"}, {NotifyBell, &yes, ""}, {NotifyOff, &no, ""},
		{NotifyOSC9, &no, "\x1b]9;waits for you: shop · Phase 08 · Launch\ufffd[2J?\ufffd\x1b\\\a"},
	} {
		opts := plainOptions()
		opts.Notify = c.how
		d := newDashboard(opts, nil)
		d.focused = c.focused
		called := func(ix *index.Index) string {
			d.showSnapshot(ix)
			if cmd := d.notifyUser(ix); cmd != nil {
				return fmt.Sprint(cmd().(tea.RawMsg).Msg)
			}
			return ""
		}
		if got := called(index.New(tuitest.Shop(), d.index)); got != "" {
			t.Errorf("%q: called at the start: %q", c.how, got)
		}
		if got := called(index.New(waiting(2), d.index)); got != c.want {
			t.Errorf("%q: called by %q, want %q", c.how, got, c.want)
		}
		if got := called(index.New(waiting(3), d.index)); got != "" {
			t.Errorf("%q: called again: %q", c.how, got)
		}
	}
	if _, err := ParseNotify("smoke"); err == nil {
		t.Error("a way that does not exist was accepted")
	}
}
