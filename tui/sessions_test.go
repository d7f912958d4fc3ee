package tui

// Sessions of live agents, and their finished turns.

import (
	"strings"
	"testing"
	"time"

	"gatehouse/tui/draw"
	"gatehouse/tui/index"
	"gatehouse/tui/tuitest"
)

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

func TestDeadlines(t *testing.T) {
	l := &draw.Look{Glyphs: draw.NewGlyphs(false), Now: tuitest.Noon}
	for in, want := range map[time.Duration]string{0: "less than 1m left, then", 90 * time.Second: "1m left, then", 59 * time.Minute: "59m left, then", time.Hour: ""} {
		if got := draw.Plain(l.Deadline(tuitest.Noon.Add(in), "then")); got != want {
			t.Errorf("%s: %q, want %q", in, got, want)
		}
	}
	if got := l.Deadline(time.Time{}, "then"); got != "" {
		t.Errorf("without a deadline: %q", got)
	}
}
