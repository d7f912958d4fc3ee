package tui

import (
	"testing"

	tea "charm.land/bubbletea/v2"

	"gatehouse/tui/tuitest"
)

// TestPanesAreResized resizes panes by keys and by the mouse: none ever disappears, and the sizes are restored with the screen.
func TestPanesAreResized(t *testing.T) {
	for _, size := range [][2]int{{100, 30}, {120, 40}, {200, 60}, {250, 70}} {
		u := atKeyboard(t, tuitest.Shop(), size[0], size[1])
		first := u.d.screen.treeArea()
		u.press(">")
		if got := u.d.screen.treeArea(); got[0] != first[0]+sizeStep {
			t.Errorf("%v: > makes %v of %v", size, got, first)
		}
		u.press("<")
		if strip := u.d.screen.body.Height > first[1]; strip {
			u.press(")", ")")
			if got := u.d.screen.treeArea(); got[1] != first[1]-2 {
				t.Errorf("%v: ) makes %v of %v", size, got, first)
			}
			u.press("(", "(")
		}
		if got := u.d.screen.treeArea(); got != first {
			t.Errorf("%v: it comes back to %v, not %v", size, got, first)
		}
		for range 100 {
			u.press(">", ")")
		}
		for _, line := range []int{u.d.screen.width, u.d.screen.height} {
			if line == 0 {
				t.Fatal("no screen")
			}
		}
		for _, s := range u.d.screen.slots {
			if s.area.Width < 4 || s.area.Height < leastTall {
				t.Errorf("%v: a slot is %+v", size, s.area)
			}
		}
		u.press("<")
		if got := u.d.screen.treeArea(); got[0] >= u.d.screen.width-leastWide+1 {
			t.Errorf("%v: < does nothing at the limit: %v", size, got)
		}
		u.screen()
		// The border follows the mouse.
		u = atKeyboard(t, tuitest.Shop(), size[0], size[1])
		u.gets(tea.MouseClickMsg{X: first[0] - 1, Y: 10, Button: tea.MouseLeft}, tea.MouseMotionMsg{X: first[0] + 5, Y: 11, Button: tea.MouseLeft})
		if got := u.d.screen.treeArea(); got[0] != first[0]+6 {
			t.Errorf("%v: the border is dragged to %v from %v", size, got, first)
		}
		u.gets(tea.MouseReleaseMsg{X: first[0] + 5, Y: 11, Button: tea.MouseLeft}, tea.MouseMotionMsg{X: 50, Y: 11, Button: tea.MouseLeft})
		if got := u.d.screen.treeArea(); got[0] != first[0]+6 {
			t.Errorf("%v: it is dragged on to %v", size, got)
		}
	}
	u := atKeyboard(t, tuitest.Shop(), 80, 24)
	u.press(">").sees("the pane has the whole screen")
}
