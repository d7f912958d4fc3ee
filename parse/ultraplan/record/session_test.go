package record

import (
	"slices"
	"strings"
	"testing"
	"time"

	"gatehouse/parse/disk/statefile"
	"gatehouse/parse/ultraplan/core"
	"gatehouse/parse/ultraplan/fixture"
)

// TestASessionIsTakenUpAgain holds that the current session is that of the newest result: one that was over comes back with its tasks,
// unless the result is older.
func TestASessionIsTakenUpAgain(t *testing.T) {
	dir := fixture.Project(t, fixture.Lantern(nil))
	now := fixture.Now
	capture := func(session string, task, again int) {
		t.Helper()
		now = now.Add(time.Minute)
		_, err := New(dir, &statefile.System{Unsynced: true}, func() time.Time { return now }).Capture(t.Context(), Report{Text: result(task, "success", 1), Plan: "03-01", Session: session, Again: again})
		fixture.Must(t, err)
	}
	want := func(id string, tasks ...string) {
		t.Helper()
		s, err := parseSession(read1(t, dir, core.SessionFile))
		fixture.Must(t, err)
		var names []string
		for _, one := range s.Tasks {
			names = append(names, one.Name)
		}
		if s.ID != id || !slices.Equal(names, tasks) {
			t.Errorf("the session is %s with %q, want %s with %q", s.ID, names, id, tasks)
		}
	}
	capture("s1", 1, 1)
	capture("s2", 1, 2)
	want("s2", "Task 1: Fill the tank")
	capture("s1", 2, 1)
	want("s1", "Task 1: Fill the tank", "Task 2: Trim the wick")
	if over := read1(t, dir, ".ultraplan/logs/sessions/session-s2.json"); !strings.Contains(over, `"session_id": "s2"`) {
		t.Errorf("s2 was put away as %s", over)
	}
	capture("s2", 2, 2)
	want("s2", "Task 1: Fill the tank", "Task 2: Trim the wick")
	capture("s1", 2, 1) // it was captured before
	want("s2", "Task 1: Fill the tank", "Task 2: Trim the wick")
}

// TestStrictKnowsANumberInAnyForm holds that --strict refuses a task that is found by its number alone, and not one whose number is
// written with a zero.
func TestStrictKnowsANumberInAnyForm(t *testing.T) {
	for name, want := range map[string]string{
		"Task 1: Fill the tank": Valid, "Task 01: Fill the tank": validWithWarnings, "Task  1:  Fill the tank": Valid, "Task 1: Fill it": Invalid, "Task 01: Fill it": Invalid, "Task 10: Fill the tank": Invalid,
	} {
		dir := fixture.Project(t, fixture.Lantern(nil))
		c, err := recorder(dir).Capture(t.Context(), Report{Text: strings.Replace(result(1, "success", 1), "Task 1: Fill the tank", name, 1), Plan: "03-01", Strict: true})
		fixture.Must(t, err)
		if c.Outcome != want {
			t.Errorf("%s: %s %v, want %s", name, c.Outcome, c.Errors, want)
		}
	}
}
