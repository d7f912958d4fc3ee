package statusline

import (
	"path/filepath"
	"strings"
	"testing"

	"gatehouse/parse/agents/waiting"
)

const toldSession = `{"session_id": "abc", "session_name": "lantern-work", "effort": {"level": "high"}, "worktree": {"name": "kite", "path": "/x"},
"pr": {"number": 12, "url": "https://example.org/12", "review_state": "changes_requested"}, "cost": {"total_cost_usd": 1.2349},
"rate_limits": {"five_hour": {"used_percentage": 93.4, "resets_at": 1002400}, "seven_day": {"used_percentage": 85, "resets_at": 1260000}},
"context_window": {"used_percentage": 8, "remaining_percentage": 92, "total_tokens": 1000000}}`

func TestAgentSession(t *testing.T) {
	const begin, own, scaled = "Claude │ app", " ░░░░░░░░░░ 8%", " █░░░░░░░░░ 10%"
	const extras = " │ lantern-work · high effort · worktree kite · PR #12 changes requested · $1.23 · 5h 93% resets in 40m · 7d 85% resets in 72h"
	for _, c := range []struct {
		name  string
		files map[string]string
		args  string
		input string
		want  string
	}{
		{"everything", nil, "", toldSession, begin + own + extras},
		{"loop", map[string]string{"state.json": waitingLoop, "loop.json": sampleLoop}, "", toldSession,
			"Claude │ sample-loop [░░░░░░░░░░] 0% · Phase FRAME active │ app" + own + extras},
		{"GSD", map[string]string{".planning/STATE.md": agentState}, "", toldSession, "Claude │ " + agentBuild + " │ app" + scaled},
		{"GSD without a state", map[string]string{".planning/config.json": "{}"}, "", toldSession, begin + scaled},
		{"narrow", nil, "--cols 100", toldSession, begin + own + " │ lantern-work · high effort · worktree kite"},
		{"narrower", nil, "--cols 40", toldSession, begin + own},
		{"only what remains", nil, "", `{"context_window": {"remaining_percentage": 58.6}}`, begin},
		{"no context", nil, "", `{"context_window": {"used_percentage": null}}`, begin},
		{"82 of a million", nil, "", `{"context_window": {"used_percentage": 82}}`, begin + " 💀 ████████░░ 82%"},
		{"little to say", nil, "", `{"session_name": null, "cost": {"total_cost_usd": 0.0049}, "pr": {"number": 3}, "rate_limits": {"five_hour": {"used_percentage": 79.9},
			"seven_day": {"used_percentage": 80}}}`, begin + " │ PR #3 · 7d 80%"},
		{"wrong types", nil, "", `{"session_name": 5, "effort": "high", "worktree": [], "pr": {"number": "12"}, "cost": {"total_cost_usd": -1},
			"rate_limits": {"five_hour": 99, "seven_day": {"used_percentage": 1e300}}}`, begin},
		{"hostile", nil, "", `{"session_name": "\u001b]0;x\u0007 ◆ 3 asks", "effort": {"level": "\u200b"}, "pr": {"number": 1e300}}`, begin + " │ \ufffd]0;x\ufffd ▫ 3 asks"},
	} {
		s := sessionIn(t, c.files)
		s.place.Now = func() int64 { return 1_000_000 }
		if got := s.line(t, c.input, append(strings.Fields(c.args), "--color=never")...); got != c.want {
			t.Errorf("%s:\n got %s\nwant %s", c.name, got, c.want)
		}
	}
}

// TestAgentLineShowsAlerts checks that neither a running task nor the rows of a protocol hide a wait.
func TestAgentLineShowsAlerts(t *testing.T) {
	for want, files := range map[string]map[string]string{
		"Claude │ ◆ 1 ask │ app":                 nil,
		"Claude │ Writing tests · ◆ 1 ask │ app": {".claude/todos/abc-agent-abc.json": `[{"status": "in_progress", "activeForm": "Writing tests"}]`},
		"app · draft · ◆ 1 ask":                  {".fctry/spec.md": "---\nstatus: draft\n---\n"},
	} {
		s := sessionIn(t, files)
		w := &world{store: t.TempDir()}
		real, err := filepath.EvalSymlinks(s.dir)
		if err != nil {
			t.Fatal(err)
		}
		w.dir, s.place.Asks = real, w.store
		w.await(t, ".", "aaaaaaaa", waiting.Held)
		got, _, _ := strings.Cut(s.line(t, `{"session_id": "abc"}`, "--alerts", "--color=never"), "\n")
		if got != want {
			t.Errorf("got %s\nwant %s", got, want)
		}
	}
}
