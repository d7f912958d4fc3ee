package pane

import (
	"testing"

	"gatehouse/model"
)

func TestClockOf(t *testing.T) {
	for ahead, want := range map[int]string{
		0: "", 1: "1s", 10: "10s", 30: "30s", -20: "20s", 60: "1m", 150: "2m30s", -600: "10m", 3600: "1h0m", 3610: "1h0m10s",
	} {
		switch {
		case ahead > 0:
			want += " ahead: all times here are corrected"
		case ahead < 0:
			want += " behind: all times here are corrected"
		}
		if got := clockOf(&model.Host{ClockAhead: ahead}); got != want {
			t.Errorf("%d: %q, want %q", ahead, got, want)
		}
	}
}
