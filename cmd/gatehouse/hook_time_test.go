//go:build unix && !race

package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"
	"time"
)

// TestHooksAreFast: hooks delay their clients, so each kind of event may take some milliseconds only. Events that wait for a human are not
// measured.
func TestHooksAreFast(t *testing.T) {
	if testing.Short() {
		t.Skip("it measures time")
	}
	const rounds, limit = 15, 10 * time.Millisecond
	bin, err := builtPrograms()
	must(t, err)
	home := t.TempDir()
	run := func(program string, input string) time.Duration {
		cmd := exec.Command(filepath.Join(bin, "gatehouse"), "hook", "claude")
		if program != "" {
			cmd = exec.Command(program)
		}
		cmd.Dir, cmd.Stdin = home, bytes.NewReader([]byte(input))
		cmd.Env = []string{"HOME=" + home, "PATH=" + os.Getenv("PATH"), "CLAUDE_CODE_SESSION_ATTENDED=1"}
		began := time.Now()
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%s: %v: %s", input, err, out)
		}
		return time.Since(began)
	}
	for _, e := range []struct{ name, more string }{
		{"SessionStart", `,"source":"startup"`}, {"UserPromptSubmit", `,"prompt":"Build the next page"`},
		{"PostToolUse", `,"tool_name":"Bash","tool_input":{"command":"go test ./..."}`}, {"SubagentStart", `,"agent_id":"a7","agent_type":"Explore"`},
		{"SubagentStop", `,"agent_id":"a7","agent_type":"Explore"`},
		{"PermissionRequest of a subagent", `,"agent_id":"a7","tool_name":"Bash","tool_input":{"command":"make"}`},
		{"Notification", `,"notification_type":"permission_prompt","message":"Claude needs your permission"`},
		{"Stop", `,"last_assistant_message":"Done."`}, {"StopFailure", `,"error":"rate_limit","last_assistant_message":"API Error: 429"`},
		{"SessionEnd", `,"reason":"other"`},
	} {
		name, _, _ := bytes.Cut([]byte(e.name), []byte(" "))
		var took, least []time.Duration
		for range rounds {
			took = append(took, run("", fmt.Sprintf(`{"session_id":"s1","cwd":%q,"hook_event_name":%q%s}`, home, name, e.more)))
			least = append(least, run("true", "")) // any process takes part of that time on a loaded machine
		}
		slices.Sort(took)
		slices.Sort(least)
		if t.Logf("%s: %v, the shortest %v, any process %v", e.name, took[rounds/2], took[0], least[rounds/2]); took[0] > limit && took[rounds/2]-least[rounds/2] > limit {
			t.Errorf("%s takes %v", e.name, took[rounds/2])
		}
	}
}
