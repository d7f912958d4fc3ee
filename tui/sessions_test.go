package tui

// Sessions of live agents, and their finished turns.

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/exp/golden"

	"gatehouse/model"
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

// TestCountsTurnsApart: waits and finished turns have separate counts, and "nothing waits" appears only if there are neither.
func TestCountsTurnsApart(t *testing.T) {
	both, turns, neither := tuitest.Sessions(), tuitest.Sessions(), tuitest.Sessions()
	turns.Projects = turns.Projects[:1]
	neither.Projects, neither.Sessions = neither.Projects[:1], neither.Sessions[:2]
	neither.Projects[0].Builds[0].Waits = nil
	for _, c := range []struct {
		snap                *model.Snapshot
		title, shows, hides string
	}{
		{both, "◆ 1 · ◇ 2 · 2m left · api", "◆ 1 waiting  ◇ 2 your turn", "nothing waits"},
		{turns, "◇ 1 · shop", "Postgres or SQLite?  ", "nothing waits"},
		{neither, "shop", "✓ nothing waits for you", "◇ 1"},
	} {
		d := dashboardOf(plainOptions(), c.snap, 80, 24)
		if got := d.windowTitle(); got != c.title {
			t.Errorf("title %q, want %q", got, c.title)
		}
		for _, frame := range []string{sgr.ReplaceAllString(d.renderFrame(), ""), Once(c.snap, 80, 24, plainOptions())} {
			if !strings.Contains(frame, c.shows) || strings.Contains(frame, c.hides) {
				t.Errorf("want %q and not %q:\n%s", c.shows, c.hides, frame)
			}
		}
	}
}

// TestQueueOrder: the nearest deadline comes first, finished turns come last, the newest first; n goes in the same order.
func TestQueueOrder(t *testing.T) {
	u := whenAsked(t, "one00000", "open0000", "call0000", "turn0000")
	u.keys("4", "z").sees("2m left, then the script goes on without it")
	screen, last := u.screen(), 0
	for _, text := range []string{"◆ What is it called?", "◆ Which shade?", "◆ Bash: rm -rf shades", "Your turn", "◇ Two ways: paper or cloth?"} {
		at := strings.Index(screen[last:], text)
		if at < 0 {
			t.Fatalf("%q is missing or too far up:\n%s", text, screen)
		}
		last += at
	}
	u.keys("z", "1", "g")
	for _, title := range []string{"What is it called?", "Which shade?", "Bash: rm -rf shades", "Two ways: paper or cloth?", "What is it called?"} {
		u.keys("n")
		if s, _ := u.d.selectedSubject(); s.Node == nil || s.Node.Title != title {
			t.Fatalf("n is at %+v, want %q", s.Node, title)
		}
	}
}

// TestAnswersTheNextAskFromTheSession: after an answer the selection is on the session, whatever is
// below it; a answers the next ask of the same agent.
func TestAnswersTheNextAskFromTheSession(t *testing.T) {
	u := whenAsked(t, "call0000", "one00000")
	version := uint64(1)
	show := func() {
		version++
		snap := u.answerer.Snapshot(version, u.ids...)
		snap.Projects = append(snap.Projects, tuitest.Sessions().Projects[0])
		u.gets(snapshotMsg{index: index.New(snap, u.d.index)})
	}
	show()
	u.keys("g", "j", "j", "a", "y").gave(model.Answer{Allow: true})
	show()
	u.sees("Which shade?", "1  ( )  Paper").keys("1", "enter").sees("it changed just now") // the question came by itself
	u.later()
	u.keys("enter")
	show()
	u.keys("esc").asksNothing()
	u.ids = []string{"plan0000"}
	show()
	u.keys("g", "a").sees("claude has a plan")
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
