package tui

import (
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/ansi"

	"gatehouse/tui/draw"
	"gatehouse/tui/index"
	"gatehouse/tui/pane"
	"gatehouse/tui/tuitest"
)

// TestCountsAreFilters: a click on a count shows what it counts, as many rows or the pane that lists them, and another click all again.
func TestCountsAreFilters(t *testing.T) {
	for _, size := range [][2]int{{80, 24}, {120, 40}, {200, 60}} {
		u := atKeyboard(t, tuitest.Shop(), size[0], size[1])
		click := func(text string) {
			t.Helper()
			for y, line := range strings.Split(u.screen(), "\n")[:headerHeight(u.d.screen.kind)] {
				if i := strings.Index(line, text); i >= 0 {
					u.gets(tea.MouseClickMsg{X: ansi.StringWidth(line[:i]) + 1, Y: y, Button: tea.MouseLeft})
					return
				}
			}
			t.Fatalf("%v: %q is not in the header:\n%s", size, text, u.screen())
		}
		sums := u.d.index.Sums
		for _, c := range []struct {
			text  string
			state index.Standing
			n     int
		}{{"╳ 1", index.StandsFailed, sums.Failed}, {"◆ 2 wait", index.StandsWaiting, sums.Waits}} {
			click(c.text)
			if f := u.d.tree.Filter(); !f.Has(c.state) || u.d.tree.Hits != c.n || u.d.focus != pane.TreeID {
				t.Errorf("%v: %s shows %d rows of %d", size, c.text, u.d.tree.Hits, c.n)
			}
			click(c.text)
			if u.d.tree.Filter().Active() {
				t.Errorf("%v: %s still filters", size, c.text)
			}
		}
		click("▲ 2")
		if u.d.focus != pane.BlockersID {
			t.Errorf("%v: the problems are shown in %d", size, u.d.focus)
		}
	}
}

// TestFindsWhatIsTypedInHaste: where nothing has a text as it is typed, letters may be left out; what was found stands out.
func TestFindsWhatIsTypedInHaste(t *testing.T) {
	u := atKeyboard(t, tuitest.Shop(), 120, 40)
	u.press("/", "l", "d", "g", "r").sees("2 hits", "04.5-01 Ledger", "Refunds through the ledger")
	u.seesNo("06 Stock")
	u.press("esc", "/", "i", "n", "d", "e", "x", "enter").sees("05-01 Index").seesNo("06 Stock")
	opts := plainOptions()
	opts.Theme, opts.Profile = draw.ThemeDark, colorprofile.TrueColor
	frame := Frame(tuitest.Shop(), 120, 40, opts, "/", "p", "r", "i", "c", "e", "s", "k", "backspace", "enter", "g")
	if !strings.Contains(frame, "\x1b[7mprices") {
		t.Errorf("what was found does not stand out:\n%q", frame)
	}
}
