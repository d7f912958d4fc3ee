package tui

import (
	"io"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"gatehouse/tui/index"
	"gatehouse/tui/tty"
	"gatehouse/tui/tuitest"
)

// newStoppedLive is a dashboard on a terminal that accepts no output until it is started.
func newStoppedLive(t *testing.T) (*live, *stopped) {
	t.Helper()
	out := &stopped{hold: make(chan struct{})}
	l := newLive(t.Context(), make(stubFeed), plainOptions(), tty.Open(strings.NewReader(""), out), func(err error) { t.Error(err) })
	t.Cleanup(func() { l.terminal.Close(false) })
	for _, msg := range []tea.Msg{tea.WindowSizeMsg{Width: 80, Height: 24}, snapshotMsg{index: index.New(tuitest.Shop(), nil)}} {
		l.Update(msg)
		l.View()
	}
	out.stop.Store(true)
	return l, out
}

func press(key rune) tea.Msg { return tea.KeyPressMsg{Code: key, Text: string(key)} }

func TestDrawsNothingWhileTheTerminalBlocks(t *testing.T) {
	l, out := newStoppedLive(t)
	before := l.View().Content
	io.WriteString(l.terminal.Output(), "a frame")
	_, cmd := l.Update(press('?'))
	if cmd == nil {
		t.Fatal("nothing waits until the terminal reads")
	}
	if l.View().Content != before {
		t.Error("it is drawn anew")
	}
	if l.Update(press('q')); !l.dashboard.unseen || l.View().Content != before {
		t.Error("what a key did was taken for seen, or drawn")
	}
	l.Update(press('?'))
	close(out.hold)
	l.terminal.CaughtUp()
	if l.Update(caughtUpMsg{}); !strings.Contains(l.View().Content, "Keys and signs") {
		t.Error("it is not drawn what keys have done")
	}
}

// TestWhatWasSeenStaysSeen: a dialog on the screen counts as seen, also while the terminal has not accepted later output.
func TestWhatWasSeenStaysSeen(t *testing.T) {
	l, out := newStoppedLive(t)
	out.stop.Store(false)
	l.Update(press('?'))
	l.Update(drawMsg{})
	l.terminal.CaughtUp()
	l.Update(drawMsg{})
	out.stop.Store(true)
	defer close(out.hold)
	io.WriteString(l.terminal.Output(), "the clock")
	if l.Update(drawMsg{}); l.dashboard.unseen {
		t.Error("a dialog that is on the screen is taken for unseen")
	}
	l.Update(tea.WindowSizeMsg{Width: 100, Height: 30})
	if l.Update(drawMsg{}); !l.dashboard.unseen {
		t.Error("a dialog is taken for seen in a window of another size")
	}
}

func TestKeysThatArriveTogetherAreDrawnOnce(t *testing.T) {
	l, _ := newStoppedLive(t)
	before := l.View().Content
	l.at = time.Now().Add(time.Hour) // whenever the key comes, it is too early
	if _, cmd := l.Update(press('?')); cmd == nil || l.View().Content != before {
		t.Error("each is drawn, or nothing waits to draw it")
	}
	l.at = time.Now().Add(-keyInterval)
	l.Update(press('q'))
	l.at = time.Now().Add(-keyInterval)
	if l.Update(press('?')); l.hasty || !strings.Contains(l.View().Content, "Keys and signs") {
		t.Error("a key that comes by itself is not drawn")
	}
	l.Update(press('q'))
	if l.Update(drawMsg{}); strings.Contains(l.View().Content, "Keys and signs") {
		t.Error("what came last is not drawn in the end")
	}
}

func TestSizesAreClampedBeforeTheFramework(t *testing.T) {
	l, _ := newStoppedLive(t)
	got := l.filterMessage(l, tea.WindowSizeMsg{Width: 99999, Height: -1})
	if want := (tea.WindowSizeMsg{Width: tty.MaxWidth, Height: 1}); got != want {
		t.Errorf("%+v goes on, want %+v", got, want)
	}
}
