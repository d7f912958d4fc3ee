package tui

// Notifications: who gets which, and how often.

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"gatehouse/model"
	"gatehouse/tui/decide"
	"gatehouse/tui/index"
	"gatehouse/tui/tuitest"
)

// memoryNotifier is a notifier in memory.
type memoryNotifier struct {
	known  map[string]bool
	nested int
	ran    []model.Notice
	fails  error
}

func (c *memoryNotifier) Tell(_ context.Context, all []model.Notice) (fresh []model.Notice, nested int, err error) {
	for _, n := range all {
		if !c.known[n.Key] {
			fresh = append(fresh, n)
		}
		c.known[n.Key] = true
	}
	return fresh, c.nested, nil
}

func (c *memoryNotifier) Run(_ context.Context, fresh []model.Notice) error {
	c.ran = append(c.ran, fresh...)
	return c.fails
}

// terminalOutput returns what a command writes to the terminal, including the commands that follow from it.
func terminalOutput(d *dashboard, cmd tea.Cmd) (raw string) {
	if cmd == nil {
		return ""
	}
	switch msg := cmd().(type) {
	case tea.BatchMsg:
		for _, c := range msg {
			raw += terminalOutput(d, c)
		}
	case tea.RawMsg:
		return fmt.Sprint(msg.Msg)
	case decide.Result:
		return terminalOutput(d, d.handleMessage(msg))
	}
	return raw
}

// whenAsksAppear returns a dashboard right after some asks appear, and what it writes to the terminal.
func whenAsksAppear(c *memoryNotifier, how Notify, looking bool, ids ...string) (d *dashboard, raw string) {
	opts := plainOptions()
	opts.Notify, opts.Notifier = how, c
	d = newDashboard(opts, nil)
	d.focused = &looking
	d.tick = func(time.Duration, func(time.Time) tea.Msg) tea.Cmd { return nil } // no timer for the toast
	answerer := tuitest.NewAnswerer()
	d.showSnapshot(index.New(answerer.Snapshot(1), d.index))
	ix := index.New(answerer.Snapshot(2, ids...), d.index)
	d.showSnapshot(ix)
	return d, terminalOutput(d, d.notifyUser(ix))
}

func TestNotifiesOnceAcrossDashboards(t *testing.T) {
	c := &memoryNotifier{known: map[string]bool{}}
	_, raw := whenAsksAppear(c, NotifyOSC9, false, "one00000", "call0000")
	if want := "\x1b]9;waits for you: lamp · claude, tmux %3 · Which shade?\x1b\\\x1b]9;waits for you: lamp · claude, tmux %3 · Bash: rm -rf shades\x1b\\\a"; raw != want {
		t.Errorf("%q", raw)
	}
	want := model.Notice{Key: c.ran[0].Key, Kind: "question", Text: "Which shade?", Project: "lamp", Root: "/src/lamp", Place: "claude, tmux %3", Agent: "claude", ID: "one00000", Since: c.ran[0].Since}
	if len(c.ran) != 2 || !reflect.DeepEqual(c.ran[0], want) || c.ran[1].Kind != "permission" {
		t.Errorf("%+v", c.ran)
	}
	if _, raw = whenAsksAppear(c, NotifyOSC9, false, "one00000", "call0000"); raw != "" || len(c.ran) != 2 {
		t.Errorf("told again, by another dashboard: %q, %+v", raw, c.ran)
	}
	if _, raw = whenAsksAppear(c, NotifyOff, false, "plan0000"); raw != "" || len(c.ran) != 3 {
		t.Errorf("without a sound: %q, %+v", raw, c.ran)
	}
}

func TestNoNotificationWhileFocused(t *testing.T) {
	c := &memoryNotifier{known: map[string]bool{}}
	if _, raw := whenAsksAppear(c, NotifyBell, true, "one00000"); raw != "" || len(c.known) != 1 || len(c.ran) > 0 {
		t.Errorf("%q, %+v", raw, c)
	}
	if _, raw := whenAsksAppear(c, NotifyBell, false, "one00000"); raw != "" {
		t.Errorf("another dashboard called: %q", raw)
	}
}

func TestNotificationsAreWrappedForEachMultiplexer(t *testing.T) {
	c := &memoryNotifier{known: map[string]bool{}, nested: 2}
	_, raw := whenAsksAppear(c, NotifyOSC9, false, "one00000")
	if want := "\x1bPtmux;\x1b\x1bPtmux;\x1b\x1b\x1b\x1b]9;waits for you: lamp · claude, tmux %3 · Which shade?\x1b\x1b\x1b\x1b\\\x1b\x1b\\\x1b\\\a"; raw != want {
		t.Errorf("%q", raw)
	}
}

func TestAFailingCommandIsReportedOnce(t *testing.T) {
	c := &memoryNotifier{known: map[string]bool{}, fails: errors.New("exit status 3: no\x1b[2Jbell")}
	d, _ := whenAsksAppear(c, NotifyBell, false, "one00000")
	if !strings.HasPrefix(d.toast.text, "exit status 3: no") || strings.Contains(d.toast.text, "\x1b") {
		t.Errorf("%q", d.toast.text)
	}
	d.toast.clear()
	if terminalOutput(d, d.reportOnce(c.fails)); d.toast.text != "" {
		t.Errorf("said again: %q", d.toast.text)
	}
}

func TestManyAtOnceAreCounted(t *testing.T) {
	snap := tuitest.Shop()
	before := index.New(tuitest.Shop(), nil)
	b := snap.Projects[0].Builds[0]
	for i := range 9 {
		b.Waits = append(b.Waits, model.Wait{Node: fmt.Sprint("phase/", i), Text: "Launch?", Evidence: model.Signalled, Since: tuitest.Noon})
	}
	snap.Version = 2
	all := newNotices(index.New(snap, before))
	if len(all) != mostNotices || all[mostNotices-1].More != 9-mostNotices || !strings.HasSuffix(noticeSentence(&all[mostNotices-1]), "and 4 more") {
		t.Errorf("%+v", all)
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

func TestNotifiesOfATurnOnce(t *testing.T) {
	answerer := tuitest.NewAnswerer()
	before := index.New(answerer.Snapshot(1), nil)
	now := index.New(answerer.Snapshot(2, "turn0000"), before)
	all := newNotices(now)
	if len(all) != 1 || all[0].Kind != "turn" || !strings.HasPrefix(noticeSentence(&all[0]), "your turn: lamp · ") || all[0].Text != "Two ways: paper or cloth?" {
		t.Errorf("%+v", all)
	}
	if again := newNotices(index.New(answerer.Snapshot(3, "turn0000"), now)); len(again) != 0 {
		t.Errorf("again: %+v", again)
	}
}
