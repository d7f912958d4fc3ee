package pane

import (
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"

	"gatehouse/tui/tuitest"
)

// TestTimelineClock: times are shown in the local time zone; an entry with only a day gets no time and keeps its day.
func TestTimelineClock(t *testing.T) {
	boston := time.FixedZone("EST", -5*60*60)
	l := plainLook(false)
	l.Now = tuitest.Noon.In(boston) // 07:00
	for at, want := range map[time.Time]string{
		time.Date(2026, 3, 14, 11, 30, 0, 0, time.UTC):                "06:30",
		time.Date(2026, 3, 14, 3, 0, 5, 0, time.UTC):                  "Mar 13",
		time.Date(2026, 3, 14, 9, 0, 0, 0, time.FixedZone("", 60*60)): "03:00",
		time.Date(2026, 3, 14, 0, 0, 0, 0, time.UTC):                  "Mar 14",
		time.Date(2026, 3, 12, 0, 0, 0, 0, time.UTC):                  "Mar 12",
		time.Date(2026, 3, 12, 0, 0, 0, 0, boston):                    "Mar 12",
		{}: "",
	} {
		r := l.Ribbon(60)
		drawTime(&r, at)
		if got := strings.TrimSpace(ansi.Strip(r.Line())); got != want {
			t.Errorf("%v: %q, want %q", at, got, want)
		}
	}
}
