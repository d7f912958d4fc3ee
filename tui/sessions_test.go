package tui

// Sessions of live agents, and their finished turns.

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/exp/golden"

	"gatehouse/tui/draw"
	"gatehouse/tui/index"
	"gatehouse/tui/tuitest"
)

func TestSessionViews(t *testing.T) {
	for _, x := range []struct {
		name          string
		width, height int
		keys          string
	}{
		{"tree", 80, 24, ""}, {"queue", 80, 24, "4"}, {"details", 80, 24, "j j j tab"}, {"tree", 120, 40, ""}, {"details", 120, 40, "j j j"}, {"everything", 200, 60, "j j j"},
		{"sidebar", 40, 12, ""},
	} {
		for _, ascii := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s/%dx%d/ascii=%v", x.name, x.width, x.height, ascii), func(t *testing.T) {
				opts := plainOptions()
				opts.ASCII, opts.Answerer = ascii, tuitest.NewAnswerer()
				frame := Frame(tuitest.Sessions(), x.width, x.height, opts, strings.Fields(x.keys)...)
				checkFrame(t, frame, x.width, x.height)
				golden.RequireEqual(t, frame)
			})
		}
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
