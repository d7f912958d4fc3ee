package tui

import (
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"gatehouse/tui/draw"
	"gatehouse/tui/tuitest"
)

// TestTheSelectedRowIsABar checks that the selection is visible without colors, from the first column of the pane to its last, and that it shows
// which pane has the keys.
func TestTheSelectedRowIsABar(t *testing.T) {
	const bar = "\x1b[1;7m"
	for _, keys := range []string{"j", "4 j", "6 k", "5"} {
		for _, width := range []int{80, 200} {
			d := dashboardOf(testOptions(draw.ThemeMono), tuitest.Shops(), width, 60)
			d.enterKeys(strings.Fields(keys)...)
			found := 0
			for line := range strings.SplitSeq(d.renderFrame(), "\n") {
				_, rest, ok := strings.Cut(line, "▌")
				if !ok || !strings.Contains(rest, bar) {
					continue
				}
				found++
				selected, _, _ := strings.Cut(rest[strings.Index(rest, bar)+len(bar):], "\x1b[")
				in := d.screen.innerArea(d.focus)
				if w := ansi.StringWidth(selected); w != in.Width-1 {
					t.Errorf("%q at %d columns: the bar is %d of %d wide", keys, width, w, in.Width)
				}
			}
			if found == 0 {
				t.Errorf("%q at %d columns: no bar:\n%s", keys, width, ansi.Strip(d.renderFrame()))
			}
		}
	}
}
