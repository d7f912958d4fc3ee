package gsd

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"gatehouse/model/line"
)

// TestFreshness checks that the dashboard's line shows how many commits a real repository is ahead of STATE.md, if the project wants it.
func TestFreshness(t *testing.T) {
	dir := tree(t, map[string]string{"STATE.md": "x"})
	git := func(input string, args ...string) string {
		t.Helper()
		cmd := exec.Command("git", append([]string{"-C", dir}, args...)...)
		cmd.Stdin, cmd.Env = strings.NewReader(input), append(os.Environ(), "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_SYSTEM=/dev/null")
		out, err := cmd.Output()
		if err != nil {
			t.Skipf("git %s: %v", args, err)
		}
		return strings.TrimSpace(string(out))
	}
	commits := ""
	for n := range 26 {
		commits += fmt.Sprintf("commit refs/heads/main\ncommitter A <a@example.org> %d +0000\ndata 1\nx\n", 1_700_000_000+n)
	}
	git("", "-c", "init.defaultBranch=main", "init", "-q")
	git(commits, "fast-import", "--quiet")
	write(t, filepath.Join(dir, Planning, "STATE.md"), "---\nstatus: executing\nstate_head: "+git("", "rev-parse", "main~25")+"\n---\n")
	for config, want := range map[string]string{`{"statusline": {"show_state_freshness": true}}`: "executing · state ~25 commits back", "{}": "executing"} {
		write(t, filepath.Join(dir, Planning, "config.json"), config)
		got := ""
		for range 20 { // git may take too long on a busy machine
			if got = line.Full(readOne(t, dir).Header); got == want {
				break
			}
		}
		if got != want {
			t.Errorf("%s: %q, want %q", config, got, want)
		}
	}
}
