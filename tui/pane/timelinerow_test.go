package pane

import (
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"

	"gatehouse/tui/tuitest"
)

// TestTimelineClock: times are those of the clock here, and what has only a day gets no time, and no other day.
func TestTimelineClock(t *testing.T) {
	boston := time.FixedZone("EST", -5*60*60)
	l := plainLook(false)
	l.Now = tuitest.Noon.In(boston) // 07:00
	for at, want := range map[time.Time][2]string{
		time.Date(2026, 3, 14, 11, 30, 0, 0, time.UTC):                {"06:30", "06:30:00"},
		time.Date(2026, 3, 14, 3, 0, 5, 0, time.UTC):                  {"Mar 13", "Mar 13 22:00"},
		time.Date(2026, 3, 14, 9, 0, 0, 0, time.FixedZone("", 60*60)): {"03:00", "03:00:00"},
		time.Date(2026, 3, 14, 0, 0, 0, 0, time.UTC):                  {"Mar 14", "Mar 14"},
		time.Date(2026, 3, 12, 0, 0, 0, 0, time.UTC):                  {"Mar 12", "Mar 12"},
		time.Date(2026, 3, 12, 0, 0, 0, 0, boston):                    {"Mar 12", "Mar 12 00:00"},
		{}: {"", ""},
	} {
		for i, width := range []int{60, 100} {
			r := l.Ribbon(width)
			(&Timeline{}).drawClock(&r, at)
			if got := strings.TrimSpace(ansi.Strip(r.Line())); got != want[i] {
				t.Errorf("%v, %d columns: %q, want %q", at, width, got, want[i])
			}
		}
	}
}
