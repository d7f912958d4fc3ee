//go:build linux || darwin || freebsd || netbsd || openbsd

package statusline

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"gatehouse/parse/conformance"
	"gatehouse/parse/nearest"
)

// history is a repository with a first commit and a number of empty ones, and the commit at which STATE.md was written.
type history struct {
	Commits     int
	StampAt     int    `json:"stamp_at"`     // the number of empty commits before it
	OtherBranch any    `json:"other_branch"` // on another branch, if it is set
	Project     string // the folder of the project in the repository
}

// make creates the repository in a new directory and returns the project's directory and the stamp.
func (h *history) make(t *testing.T) (dir, stamp string) {
	t.Helper()
	dir = t.TempDir()
	if h == nil {
		return dir, ""
	}
	var stream strings.Builder
	commit := func(branch string, n, from int) {
		fmt.Fprintf(&stream, "commit refs/heads/%s\nmark :%d\ncommitter A <a@example.org> %d +0000\ndata 1\nx\n", branch, n, 1_700_000_000+n)
		if from > 0 {
			fmt.Fprintf(&stream, "from :%d\n", from)
		}
	}
	for n := range h.Commits + 1 {
		commit("main", n+1, n)
	}
	name := fmt.Sprintf("main~%d", h.Commits-h.StampAt)
	if h.OtherBranch != nil && h.OtherBranch != false && h.OtherBranch != "" {
		commit("other", h.Commits+2, h.StampAt+1)
		name = "other"
	}
	git := func(input string, args ...string) string {
		cmd := exec.Command("git", append([]string{"-C", dir}, args...)...)
		cmd.Stdin = strings.NewReader(input)
		cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_SYSTEM=/dev/null")
		out, err := cmd.Output()
		if err != nil {
			t.Fatalf("git %s: %v", args, err)
		}
		return strings.TrimSpace(string(out))
	}
	git("", "-c", "init.defaultBranch=main", "init", "-q")
	git(stream.String(), "fast-import", "--quiet")
	return filepath.Join(dir, filepath.FromSlash(h.Project)), git("", "rev-parse", name)
}

// shownForms returns the full and the compact line of a project with this STATE.md and configuration, each also from an agent's line.
// While isSlow is true it reads again: git may take too long on a busy machine.
func shownForms(t *testing.T, dir, state string, config map[string]json.RawMessage, isSlow func(full string) bool) (full, compact string, agents [2]string) {
	t.Helper()
	write(t, filepath.Join(dir, ".planning", "STATE.md"), state)
	section := map[string]json.RawMessage{}
	if config == nil {
		config = map[string]json.RawMessage{}
	}
	json.Unmarshal(config["statusline"], &section)
	var lines [2]string
	for i, form := range [...]string{"full", "compact"} {
		section["state_format"] = json.RawMessage(`"` + form + `"`)
		config["statusline"], _ = json.Marshal(section)
		text, _ := json.Marshal(config)
		write(t, filepath.Join(dir, ".planning", "config.json"), string(text))
		for range 50 {
			l := ReadLine(at(dir), Options{Sink: sinkNamed(t, "plain"), Environment: os.Environ()})
			lines[i] = strings.TrimSuffix(string(l.Text), "\n")
			command := Command{Options: Options{Sink: sinkNamed(t, agentSink), Environment: os.Environ()}}
			place := nearest.Place{Dir: dir, Home: dir}
			agents[i] = string(AgentLine(&place, []byte("{}"), &command).Text)
			if !isSlow(lines[i]) && !isSlow(agents[i]) {
				break
			}
		}
	}
	return lines[0], lines[1], agents
}

func TestConformanceGSDLine114(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("no git")
	}
	type row struct {
		Input, Full, Compact string
		Config               map[string]json.RawMessage
		Git                  *history
	}
	conformance.Rows(t, "gsd_line_114.jsonl", func(t *testing.T, r row) {
		dir, stamp := r.Git.make(t)
		state := r.Input
		if stamp != "" {
			state = strings.NewReplacer("{STAMP}", stamp, "{STAMP7}", stamp[:7]).Replace(state)
		}
		isSlow := func(got string) bool {
			return strings.Contains(r.Full, "commits back") && !strings.Contains(got, "commits back")
		}
		full, compact, agents := shownForms(t, dir, state, r.Config, isSlow)
		if want := shown(r.Full, state); full != want {
			t.Errorf("full:\n got %q\nwant %q", full, want)
		}
		if want := shown(r.Compact, state); compact != want {
			t.Errorf("compact:\n got %q\nwant %q", compact, want)
		}
		for i, want := range [...]string{r.Full, r.Compact} {
			middle := " │ " + shown(want, state)
			if want == "" {
				middle = ""
			}
			if got := agents[i]; got != "Claude"+middle+" │ "+filepath.Base(dir) {
				t.Errorf("agent: %q, want %q in it", got, want)
			}
		}
	})
}

// TestFreshnessIsCareful checks when the age of STATE.md is not shown, and when git is not run.
func TestFreshnessIsCareful(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("no git")
	}
	conformance.OwnRows(t, "freshness.jsonl", func(t *testing.T, c struct {
		history
		Head   string // of STATE.md
		Config string
		Files  map[string]string
		Path   string // PATH, "" for the usual one
		Want   string
	}) {
		dir, stamp := c.make(t)
		state := strings.NewReplacer("{STAMP}", stamp, "{STAMP7}", stamp[:7]).Replace("---\nstatus: x\nstate_head: " + c.Head + "\n---\n")
		write(t, filepath.Join(dir, ".planning", "STATE.md"), state)
		write(t, filepath.Join(dir, ".planning", "config.json"), c.Config)
		for file, text := range c.Files {
			write(t, filepath.Join(dir, filepath.FromSlash(file)), text)
		}
		environment := os.Environ()
		if c.Path != "" {
			environment = []string{"PATH=" + c.Path}
		}
		got, place := "", at(dir)
		for range 50 {
			if got = string(ReadLine(place, Options{Sink: sinkNamed(t, "plain"), Environment: environment}).Text); got == c.Want+"\n" {
				break
			}
		}
		if got != c.Want+"\n" {
			t.Errorf("%q, want %q", got, c.Want)
		}
	})
}
