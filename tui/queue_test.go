package tui

// User stories about the banner and the queue that its first key opens.

import (
	"slices"
	"strings"
	"testing"

	"gatehouse/model"
	"gatehouse/tui/draw"
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
