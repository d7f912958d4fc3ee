package tui

// The stories of the banner and of the queue behind its first key.

import (
	"slices"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"gatehouse/model"
	"gatehouse/tui/draw"
	"gatehouse/tui/index"
	"gatehouse/tui/tuitest"
)

// row returns a row of the screen.
func (u user) row(n int) string { return strings.Split(u.screen(), "\n")[n] }

// TestTheBannerAsksFromAnywhere holds that the question has the row below the header at every size, with its keys, and that these act on it
// from any row and any pane.
func TestTheBannerAsksFromAnywhere(t *testing.T) {
	for _, size := range [][2]int{{40, 12}, {80, 24}, {120, 40}, {200, 60}} {
		u := atLoop(t, tuitest.NewActor(), size[0], size[1])
		for _, keys := range []string{"g", "G", "g j", "6", "2", "7", "z", "v"} {
			u.does(strings.Fields(keys)...)
			if at, _ := u.d.tree.At(); at.Node != nil && at.Node.IsUpcoming() {
				continue // which can be decided itself
			}
			if row := u.row(bannerRow); !strings.Contains(row, "◆ 1/1") || !strings.Contains(row, "frame-gate") || !strings.Contains(row, "a approve") {
				t.Errorf("%v after %q: the banner is %q", size, keys, row)
			}
			u.does("a").sees("frame-gate").does("esc").asksNothing()
		}
	}
}

// TestOneTargetForBannerAndFooter holds that no key is offered twice, for two things.
func TestOneTargetForBannerAndFooter(t *testing.T) {
	for name, snap := range map[string]*model.Snapshot{"shops": tuitest.Shops(), "sessions": tuitest.Sessions(), "loop": tuitest.NewActor().Snapshot(1)} {
		opts := plainOptions()
		opts.Actor, opts.Answerer = tuitest.NewActor(), tuitest.NewAnswerer()
		d := dashboardOf(opts, snap, 200, 60)
		for range 40 {
			b := d.newBanner()
			for _, f := range d.newFooter().hints {
				if slices.ContainsFunc(b.keys, func(k draw.Hint) bool { return k.Key == f.Key }) {
					t.Errorf("%s: %s is in the banner and in the footer", name, f.Key)
				}
			}
			d.enterKeys("j")
		}
	}
}

// TestClearsAQueue holds that after an answer the next question slides in, that keys meant for the one before do nothing to it, that one can
// be passed over, and that esc leaves.
func TestClearsAQueue(t *testing.T) {
	u := whenAsked(t, "one00000", "call0000", "plan0000", "yesno000", "open0000")
	u.d.layOut()
	u.sees("◆ 1/5", "What is it called?", "2m left")
	u.keys("g", "a").sees("What is it called?", "4 left").typed("Lantern")
	u.keys("enter").sees("answered: Lantern", "3 left")
	u.keys("1", "y").sees("it changed just now") // it was meant for the one before
	u.later()
	for _, x := range []struct{ key, left string }{{"y", "2 left"}, {"n", "1 left"}} {
		u.keys(x.key).sees(x.left)
		u.later()
	}
	given := len(u.answerer.Given)
	u.keys("esc").asksNothing()
	if len(u.answerer.Given) != given || given != 2 {
		t.Errorf("%d answers: %+v", len(u.answerer.Given), u.answerer.Given)
	}
}

// TestAFailedGateSaysWhy holds that the dialog about what failed has the reasons, the newest first, and the end of the log.
func TestAFailedGateSaysWhy(t *testing.T) {
	a := tuitest.NewActor()
	a.States["frame-gate"] = "failed"
	snap := a.Snapshot(2)
	b := snap.Projects[0].Builds[0]
	n, _ := b.Find(frameGate)
	n.Facts = []model.Fact{{Label: "failure 1", Value: "it saw none"}, {Label: "failure 2", Value: "it saw too many"}}
	b.Activity = []model.Activity{{Node: frameGate, Status: model.Failed, Text: "failed", Source: model.Pos{File: "logs/2.yaml"}}}
	u := atLoop(t, a, 120, 40)
	u.d.opts.Files = shelf{"/src/essay/logs/2.yaml": "one\ntwo\nthree\nfour\nfive\nsix\n"}
	u.gets(snapshotMsg{index: index.New(snap, u.d.index)})
	u.does("f", "x", "enter").sees("Why it failed", "it saw too many").does("esc") // the details, above everything else about it
	u.sees("R retry  s skip").does("a").sees("Retry frame-gate", "Why it failed", "The end of 2.yaml", "│ two", "│ six", "y retry", "s skip").seesNo("│ one")
	if screen := u.screen(); strings.Index(screen, "it saw too many") > strings.Index(screen, "it saw none") {
		t.Error("the newest reason is not the first")
	}
	u.does("s").sees("Skip frame-gate", "11 more characters").types("no time for it now").does("enter").sees("y skip").does("y").asksNothing()
	u.did(a, model.Action{Verb: model.VerbSkip, Node: frameGate, Text: "no time for it now"})
}

// TestOpensByADoubleClick holds that two clicks in one place open what is there, and two slow ones do not.
func TestOpensByADoubleClick(t *testing.T) {
	u := atLoop(t, tuitest.NewActor(), 120, 40).does("g", "j")
	at := tea.MouseClickMsg{Button: tea.MouseLeft, X: 10, Y: 3}
	u.gets(at)
	u.d.opts.Clock = func() time.Time { return tuitest.Noon.Add(doubleClick) }
	u.gets(at)
	if u.d.focus != 0 {
		t.Error("two slow clicks open")
	}
	u.gets(at)
	if u.d.focus == 0 {
		t.Error("a double click does not open")
	}
}

// TestAnswersTheDeadlineFirst holds that a dashboard that nobody has touched asks what has the nearest deadline, wherever one was last time,
// and that its first key is about that.
func TestAnswersTheDeadlineFirst(t *testing.T) {
	open := func() user {
		answerer := tuitest.NewAnswerer()
		opts := plainOptions()
		opts.Answerer = answerer
		u := facing(t, opts, answerer.Snapshot(1, "one00000", "open0000"), 120, 34)
		u.d.tree.GoTo(index.Place{Project: "/src/lamp", Build: model.AgentsBuild, Node: "ask/one00000"}) // as it was left
		return u.sees("◆ 1/2", "What is it called?  2m left, then the script goes on without it")
	}
	open().does("a").sees("script asks", "What is it called?")
	open().does("n").isOn("What is it called?")
}

// TestUndoesWhatWasDecidedBefore holds that u undoes the last decision when the next question has come, and when the queue was left.
func TestUndoesWhatWasDecidedBefore(t *testing.T) {
	for _, leave := range []string{"", "esc"} {
		a := tuitest.NewActor()
		u := atLoop(t, a, 120, 40).does("k", "j")
		a.States["brief-gate"] = "pending"
		u.rereads(a).does("a", "y")
		u.sees("approved frame-gate", "u undoes", "Approve brief-gate").rereads(a)
		u.does(strings.Fields(leave)...).does("u").sees("Undo the last decision about frame-gate").does("y").sees("undid the decision about frame-gate")
		u.did(a, model.Action{Verb: model.VerbApprove, Node: frameGate}, model.Action{Verb: model.VerbUndo, Node: frameGate})
	}
}

// TestSaysAQuestionThreeTimes: in the banner, in its row, and in the list of what waits or else in the details. What happened is told besides.
func TestSaysAQuestionThreeTimes(t *testing.T) {
	for _, size := range [][2]int{{80, 24}, {120, 40}, {200, 60}, {250, 70}} {
		u := atKeyboard(t, tuitest.Shop(), size[0], size[1]).press("n").isOn("Cart survives")
		said := strings.Count(u.screen(), "Cart survives a reload") - strings.Count(u.screen(), "Cart survives a reload  asks:")
		if said > 3 {
			t.Errorf("%v: it is said %d times:\n%s", size, said, u.screen())
		}
	}
}
