package tui

// Sessions of live agents, and their finished turns.

import (
	"errors"
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

func TestATurnIsReadAndAnswered(t *testing.T) {
	u := whenAsked(t, "turn0000")
	u.keys("a").sees("claude finished its turn · lamp", "claude · build a lamp · main", "Two ways", "tab as written").seesNo("# Two ways", "Which one?")
	u.keys("y", "d", "c", "G").sees("Which one?").gave()
	u.keys("tab", "g").sees("# Two ways")
	u.keys("t").sees("Reply (as your own message)")
	u.keys("enter").sees("type your reply").gave()
	u.typed("Cloth, please.").keys("enter").gave(model.Answer{Allow: true, Text: "Cloth, please."})
	u.sees("replied: Cloth, please. · it is heard as your own message").seesNo("finished its turn")

	u = whenAsked(t, "turn0000") // from the queue, seen without a reply
	u.keys("4", "enter").sees("claude finished its turn")
	u.keys("esc").gave(model.Answer{Allow: true})
	u.looks(2)
	u.sees("nothing waits for you")
	u.keys("1", "g", "j", "a").seesNo("finished its turn") // the session works again

	u = whenAsked(t, "turn0000") // left before it could be read
	u.keys("a")
	u.d.unseen = true
	u.keys("esc").gave()

	u = whenAsked(t, "turn0000") // the agent goes on while the turn is read
	u.keys("a")
	turn := u.answerer.Asks["turn0000"]
	turn.State, turn.Fate = model.AskWithdrawn, "the agent went on"
	u.looks(2)
	u.sees("The agent went on", "Two ways").keys("esc").gave()
}

func TestASeenTurnCanBeReadAgain(t *testing.T) {
	u := whenAsked(t, "turn0000")
	u.ids = nil
	snap := u.answerer.Snapshot(2)
	n := snap.Projects[0].Builds[0].Nodes[0]
	n.Session.State, n.Status = model.SessionIdle, model.Pending
	u.gets(snapshotMsg{index: index.New(snap, u.d.index)})
	u.keys("g", "j", "a").sees("claude finished its turn", "Two ways")
	u.keys("esc").gave()
	u.keys("a", "enter").typed("one more thing").keys("enter").gave(model.Answer{Allow: true, Text: "one more thing"})
}

func TestATurnThatTakesNoReply(t *testing.T) {
	u := whenAsked(t, "turn0000")
	u.answerer.Asks["turn0000"].Door = &model.Door{Shut: "Claude Code takes no messages for an open window; J goes there"}
	u.looks(2)
	u.sees("a last words").seesNo("a reply", "a answer")
	u.keys("a").sees("takes no messages for an open window").seesNo("enter reply")
	u.keys("t").sees("J goes there").seesNo("Reply (")
	u.keys("J").sees("went to tmux %3").gave(model.Answer{Allow: true})

	u = whenAsked(t, "turn0000")
	u.answerer.Lost = map[string]error{tuitest.TurnOf: errors.New("its window is gone"), "turn0000": errors.New("its window is gone")}
	u.keys("a", "t").typed("Cloth").keys("enter").sees("It was not answered: its window is gone", "Two ways")
	u.keys("t").sees("Cloth")
	u.keys("esc", "esc").sees("not marked as looked at: its window is gone")
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

func TestAnOpenQuestionTakesWords(t *testing.T) {
	u := whenAsked(t, "open0000")
	u.keys("a").sees("script asks", "Your own words", "2m left, then the script goes on without it").seesNo("allow")
	u.keys("enter").typed("Lantern").keys("enter").gave(model.Answer{Allow: true, Replies: []model.Reply{{Text: "Lantern"}}})
	u = whenAsked(t, "several0")
	u.keys("a", "1", "enter", "t").sees("Which name?").seesNo("In your own words") // this asker takes no words
}

// TestABurstOfKeysSaysHowToSend: text typed before the dialog was visible is not sent, and the dashboard names the key that sends it.
func TestABurstOfKeysSaysHowToSend(t *testing.T) {
	u := whenAsked(t, "call0000")
	u.keys("a", "d").typed("use make")
	u.d.unseen = true
	u.keys("enter").sees("press enter again").gave()
	u.d.unseen = false
	u.keys("enter").gave(model.Answer{Text: "use make"})
}

func TestShowsTheDiff(t *testing.T) {
	u := whenAsked(t, "call0000")
	u.answerer.Changes = "diff --git a/x.go b/x.go\n--- a/x.go\n+++ b/x.go\n@@ -1,2 +1,2 @@\n-old\n+new\n same\n"
	u.keys("D").sees("Changes in the working tree · lamp", "│ -old", "│ +new").keys("esc").seesNo("Changes in")
	u.keys("a", "D").sees("│ +new").keys("esc").sees("wants to use Bash")
	u.answerer.Changes = ""
	u.keys("D").sees("Nothing has changed").keys("esc", "esc", "g", "D").sees("no live agent is selected")
}

// TestRunningNowHasWhatRuns: the list has neither what waits nor what has ended.
func TestRunningNowHasWhatRuns(t *testing.T) {
	frame := Frame(tuitest.Sessions(), 120, 40, plainOptions(), "4", "z")
	for _, want := range []string{"Running now (2)", "● shop · docs/translate · claude · Translate the help pages into German and French · Bash: go test",
		"↻ api · main · codex · Write release notes · API error 429 · 1m"} {
		if !strings.Contains(frame, want) {
			t.Errorf("%q is missing:\n%s", want, frame)
		}
	}
	if _, running, _ := strings.Cut(frame, "Running now"); strings.Contains(running, "Migrate") || strings.Contains(running, "Sort the notes") {
		t.Errorf("lists what does not run:\n%s", frame)
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
