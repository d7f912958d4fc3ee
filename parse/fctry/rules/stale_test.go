package rules

import "testing"

// TestStale holds from which moment on a state is no longer believed, and by which of its times.
func TestStale(t *testing.T) {
	const (
		old     = now - 30*StaleAfter
		running = `{"buildRun": {"status": "running", "lastCheckpoint": "%", "chunks": [{"id": 1, "status": "active"}]}}`
		command = `{"currentCommand": "evolve", "workflowStep": "interviewer", "lastUpdated": "%"}`
	)
	at := func(text, time string) string {
		for i := range text {
			if text[i] == '%' {
				return text[:i] + time + text[i+1:]
			}
		}
		return text
	}
	for _, c := range []struct {
		name, state  string
		clock        Clock
		fresh, stale bool
		turns        int64
	}{
		{"a new file", running, Clock{now, now - 60}, true, false, now - 60 + StaleAfter},
		{"the last second", running, Clock{now, now - StaleAfter + 1}, true, false, now + 1},
		{"the moment itself", running, Clock{now, now - StaleAfter}, false, true, 0},
		{"an old file", running, Clock{now, old}, false, true, 0},
		{"a newer checkpoint", at(running, "2026-03-01T11:30:00Z"), Clock{now, old}, true, false, now - 1800 + StaleAfter},
		{"one that is yet to come", at(running, "2026-03-01T19:30:00Z"), Clock{now, old}, false, true, 0},
		{"a newer chunk", `{"buildRun": {"status": "running", "plan": {"chunks": [{"status": "active", "startedAt": "2026-03-01T11:30:00Z"}]}}}`, Clock{now, old}, true, false, now - 1800 + StaleAfter},
		{"a newer event", `{"buildEvents": [{"timestamp": "2026-03-01T11:30:00Z"}], "chunkProgress": {"current": 1, "total": 2}}`, Clock{now, old}, true, false, now - 1800 + StaleAfter},
		{"no clock", running, Clock{0, old}, false, false, 0},
		{"no time", running, Clock{now, 0}, false, false, 0},
		{"a file from the future", running, Clock{now, now + 50}, true, false, now + 50 + StaleAfter},
		{"between two chunks", `{"buildRun": {"status": "running", "chunks": [{"status": "completed"}, {}]}}`, Clock{now, old}, false, true, 0},
		{"one that waits", `{"buildRun": {"status": "paused", "chunks": [{"status": "active"}]}}`, Clock{now, old}, false, false, 0},
		{"one that is over", `{"buildRun": {"status": "completed", "chunks": [{"status": "completed"}]}}`, Clock{now, now}, true, false, 0},
		{"a command", command, Clock{now, now - 60}, true, false, now - 60 + StaleAfter},
		{"an old one", command, Clock{now, old}, false, false, 0},
	} {
		d := Line(&Files{State: c.state, Clock: c.clock})
		if f := &d.Facts; f.Fresh != c.fresh || f.Run.Stale != c.stale || d.Turns != c.turns {
			t.Errorf("%s: fresh %v, stale %v, turns %d; want %v, %v, %d", c.name, f.Fresh, f.Run.Stale, d.Turns, c.fresh, c.stale, c.turns)
		}
	}
}
