package facts

import (
	"strings"
	"testing"

	"gatehouse/model"
)

func TestDurations(t *testing.T) {
	for text, want := range map[string]model.Millis{
		"28 minutes": 28 * 60_000, "5h 36m": (5*60 + 36) * 60_000, "~15 minutes": 15 * 60_000, "3m 43s": 223_000, "212s": 212_000, "8min": 480_000, "2.4 minutes": 144_000,
		`"45 sec"`: 45_000, "340ms": 340, "1 hr, 2 mins": 62 * 60_000, "0 hours": 0,
	} {
		if got, ok := ParseDuration(text); !ok || got != want {
			t.Errorf("%q is %v, %v, want %v", text, got, ok, want)
		}
	}
	for _, text := range []string{"", "-", "~3-5m per plan", "5", "m", "12 parsecs", "99999999h", strings.Repeat("1s ", 100)} {
		if got, ok := ParseDuration(text); ok {
			t.Errorf("%q is %v", text, got)
		}
	}
}

func TestKeys(t *testing.T) {
	for text, want := range map[string]TaskKey{
		"03-01:task-3": {"3-1", "3"}, "06-01-02": {"6-1", "2"}, "03-01-task-01-success": {"3-1", "1"}, "03-01-task-01": {"3-1", "1"}, "1": {"", "1"}, "007": {"", "7"},
		"02.5-01:task-2.1": {"2.5-1", "2.1"}, "03-01": {"3-1", ""}, "x": {}, "": {}, "../03-01:task-3": {},
	} {
		if got := ParseTaskKey(text); got != want {
			t.Errorf("%q is %+v, want %+v", text, got, want)
		}
	}
}
