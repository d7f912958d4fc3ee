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
