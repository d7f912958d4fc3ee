package tui

// User stories about the banner and the queue that its first key opens.

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

// TestTheBannerAsksFromAnywhere checks that the question is in the row below the header at every size, with its keys, and that these work from
// any row and any pane.
func TestTheBannerAsksFromAnywhere(t *testing.T) {
	for _, size := range [][2]int{{40, 12}, {80, 24}, {120, 40}, {200, 60}} {
		u := atLoop(t, tuitest.NewActor(), size[0], size[1])
		for _, keys := range []string{"g", "G", "g j", "6", "2", "7", "z"} {
			u.does(strings.Fields(keys)...)
			if at, _ := u.d.tree.At(); at.Node != nil && at.Node.IsUpcoming() {
				continue // this row can be decided itself
			}
			if row := u.row(bannerRow); !strings.Contains(row, "◆ 1/1") || !strings.Contains(row, "frame-gate") || !strings.Contains(row, "a approve") {
				t.Errorf("%v after %q: the banner is %q", size, keys, row)
			}
			u.does("a").sees("frame-gate").does("esc").asksNothing()
		}
	}
}

// TestOneTargetForBannerAndFooter checks that no key is offered twice with different targets.
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

// TestClearsAQueue checks that the next question follows an answer, that keys meant for the previous one do not affect it, that a question can
// be skipped, and that esc leaves the queue.
func TestClearsAQueue(t *testing.T) {
	u := whenAsked(t, "one00000", "call0000", "plan0000", "yesno000", "open0000")
	u.d.layOut()
	u.sees("◆ 1/5", "What is it called?", "2m left")
	u.keys("g", "a").sees("What is it called?", "4 left").typed("Lantern")
	u.keys("enter").sees("answered: Lantern", "3 left")
	u.keys("1", "y").sees("it changed just now") // it was meant for the previous question
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

// TestAFailedGateSaysWhy checks that the dialog of a failed gate has the reasons, the newest first, and the end of the log.
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
	u.does("f", "x", "enter").sees("Why it failed", "it saw too many").does("esc") // the details, at the top
	u.sees("R retry  s skip").does("a").sees("Retry frame-gate", "Why it failed", "The end of 2.yaml", "│ two", "│ six", "y retry", "s skip").seesNo("│ one")
	if screen := u.screen(); strings.Index(screen, "it saw too many") > strings.Index(screen, "it saw none") {
		t.Error("the newest reason is not the first")
	}
	u.does("s").sees("Skip frame-gate", "11 more characters").types("no time for it now").does("enter").sees("y skip").does("y").asksNothing()
	u.did(a, model.Action{Verb: model.VerbSkip, Node: frameGate, Text: "no time for it now"})
}

// TestOpensByADoubleClick checks that two clicks in one place open the item there, and two slow ones do not.
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

// TestAnswersTheDeadlineFirst checks that an untouched dashboard asks the question with the nearest deadline, wherever the last visit ended, and
// that its first key acts on that question.
func TestAnswersTheDeadlineFirst(t *testing.T) {
	open := func() user {
		answerer := tuitest.NewAnswerer()
		opts := plainOptions()
		opts.Answerer = answerer
		u := facing(t, opts, answerer.Snapshot(1, "one00000", "open0000"), 120, 34)
		u.d.tree.GoTo(index.Place{Project: "/src/lamp", Build: model.AgentsBuild, Node: "ask/one00000"}) // the selection of the last visit
		return u.sees("◆ 1/2", "What is it called?  2m left, then the script goes on without it")
	}
	open().does("a").sees("script asks", "What is it called?")
	open().does("n").isOn("What is it called?")
}

// TestUndoesWhatWasDecidedBefore checks that u undoes the last decision when the next question is shown, and after the queue was left.
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

// TestAQuestionIsShownAtMostThreeTimes: in the banner, in its row, and in the list of waits or else in the details. Events are listed separately.
func TestAQuestionIsShownAtMostThreeTimes(t *testing.T) {
	for _, size := range [][2]int{{80, 24}, {120, 40}, {200, 60}, {250, 70}} {
		u := atKeyboard(t, tuitest.Shop(), size[0], size[1]).press("n").isOn("Cart survives")
		shown := strings.Count(u.screen(), "Cart survives a reload") - strings.Count(u.screen(), "Cart survives a reload  asks:")
		if shown > 3 {
			t.Errorf("%v: it is said %d times:\n%s", size, shown, u.screen())
		}
	}
}
