//go:build unix

package main

import (
	"bufio"
	"bytes"
	"encoding/hex"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// vector is a row of escape_vectors.
type vector struct {
	Name     string            `json:"name"`
	InputHex string            `json:"input_hex"`
	Expected map[string]string `json:"expected"`
}

func vectors(t *testing.T) []vector {
	t.Helper()
	dir := os.Getenv("GATEHOUSE_CONFORMANCE")
	if dir == "" {
		dir = filepath.Join("..", "..", "statusline", "testdata", "conformance")
	}
	data, err := os.ReadFile(filepath.Join(dir, "escape_vectors.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	var all []vector
	for rows := bufio.NewScanner(bytes.NewReader(data)); rows.Scan(); {
		var v vector
		if err := json.Unmarshal(rows.Bytes(), &v); err != nil {
			t.Fatal(err)
		}
		all = append(all, v)
	}
	if len(all) == 0 {
		t.Fatal("no vectors")
	}
	return all
}

// hostile writes each vector's text into a numbered directory below dir, and puts the program that shows it next to them.
func hostile(t *testing.T, dir string, all []vector) (program string) {
	t.Helper()
	for i, v := range all {
		text, err := hex.DecodeString(v.InputHex)
		if err != nil {
			t.Fatal(err)
		}
		below := filepath.Join(dir, strconv.Itoa(i))
		if err := os.Mkdir(below, 0o777); err != nil {
			t.Fatal(err)
		}
		os.Chmod(below, 0o777) // an executed text has to be able to leave its mark there
		if err := os.WriteFile(filepath.Join(below, "payload"), text, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	program = filepath.Join(dir, "sl") // every user may run it there
	copyFile(t, build(t, "./testdata/sink"), program)
	return program
}

func copyFile(t *testing.T, from, to string) {
	t.Helper()
	data, err := os.ReadFile(from)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(to, data, 0o755); err != nil {
		t.Fatal(err)
	}
}

// placement is a way to put the line into a prompt, as the notes and the README show it. In the code, SL is the program called for the
// sink; the prompt shows its output between "@" with the directory's name and "<", and ">@".
type placement struct {
	name, sink string
	argv       []string
	code       string
	// expands reports that the place expands text that is not escaped for it: there the default only promises that nothing is executed.
	expands bool
}

var placements = []placement{
	{"bash variable", "bash", bashArgs, `PROMPT_COMMAND='L=$(SL)'; PS1='@\W<${L}>@\n$ '`, false},
	{"bash substitution", "bash", bashArgs, `PS1='@\W<$(SL)>@\n$ '`, false},
	{"bash PS1", "bash-ps1", bashArgs, `PROMPT_COMMAND='PS1="@\W<$(SL)>@\n$ "'`, false},
	{"bash POSIX variable", "bash", posixArgs, `PROMPT_COMMAND='L=$(SL)'; PS1='@\W<${L}>@\n$ '`, false},
	{"bash POSIX PS1", "bash-ps1", posixArgs, `PROMPT_COMMAND='PS1="@\W<$(SL)>@\n$ "'`, false},
	{"bash default", "defang", bashArgs, `PROMPT_COMMAND='PS1="@\W<$(SL)>@\n$ "'`, true},
	{"zsh variable", "zsh", zshArgs, `setopt prompt_subst; precmd() { L=$(SL) }; PROMPT=$'@%1d<${L}>@\n$ '`, false},
	{"zsh PROMPT", "zsh", zshArgs, `precmd() { PROMPT="@%1d<$(SL)>@"$'\n$ ' }`, false},
	{"zsh PROMPT with prompt_subst", "zsh-subst", zshArgs, `setopt prompt_subst; precmd() { PROMPT="@%1d<$(SL)>@"$'\n$ ' }`, false},
	{"zsh psvar", "plain", zshArgs, `setopt prompt_subst; precmd() { psvar[9]=$(NO_COLOR=1 SL) }; PROMPT=$'@%1d<%9v>@\n$ '`, false},
	{"zsh default", "defang", zshArgs, `setopt prompt_subst; precmd() { PROMPT="@%1d<$(SL)>@"$'\n$ ' }`, true},
	{"fish", "fish", fishArgs, `function fish_prompt; printf '@%s<%s>@\n$ ' (string replace -r '.*/' '' $PWD) (SL); end`, false},
}

var (
	bashArgs  = []string{"bash", "--noprofile", "--norc", "-i"}
	posixArgs = []string{"bash", "--noprofile", "--norc", "--posix", "-i"}
	zshArgs   = []string{"zsh", "-f", "-i"}
	fishArgs  = []string{"fish", "--no-config", "-i"}
)

// TestConformanceVectorsInShells shows every vector in every prompt of a real shell, as root and as a user without privileges: the
// screen shows the exact text, and nothing is executed.
func TestConformanceVectorsInShells(t *testing.T) {
	if testing.Short() {
		t.Skip("starts shells")
	}
	for _, p := range placements {
		for _, asNobody := range []bool{false, true} {
			name := p.name
			if asNobody {
				if name += ", nobody"; os.Getuid() != 0 {
					continue // the test's own user has no privileges already
				}
			}
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				needs(t, "tmux", p.argv[0])
				testPlacement(t, p, asNobody)
			})
		}
	}
}

func testPlacement(t *testing.T, p placement, asNobody bool) {
	dir, all := shared(t), vectors(t)
	program := hostile(t, dir, all)
	term := open(t, dir, asNobody, []string{"STATUSLINE_TEST_SINK=" + p.sink}, p.argv...)
	term.enter(strings.ReplaceAll(p.code, "SL", program))
	for i, v := range all {
		term.enter("cd " + filepath.Join(dir, strconv.Itoa(i)))
		mark := "@" + strconv.Itoa(i) + "<"
		if p.expands { // the end of the prompt may be garbled, too
			term.between(mark, "")
			continue
		}
		got := term.between(mark, ">@")
		if want := v.Expected["plain"]; got != want {
			t.Errorf("%s: the screen shows %q, want %q", v.Name, got, want)
		}
	}
	untouched(t, dir)
}

// TestRawTextIsExecuted proves that the vectors are dangerous: without escaping, the same prompts execute them.
func TestRawTextIsExecuted(t *testing.T) {
	if testing.Short() {
		t.Skip("starts shells")
	}
	for _, p := range []placement{
		{"bash", "plain", bashArgs, `PROMPT_COMMAND='PS1="@\W<$(NO_COLOR=1 SL)>@\n$ "'`, true},
		{"zsh", "plain", zshArgs, `setopt prompt_subst; precmd() { PROMPT="@%1d<$(NO_COLOR=1 SL)>@"$'\n$ ' }`, true},
	} {
		t.Run(p.name, func(t *testing.T) {
			t.Parallel()
			needs(t, "tmux", p.argv[0])
			dir, all := shared(t), vectors(t)[:1]
			program := hostile(t, dir, all)
			term := open(t, dir, false, []string{"STATUSLINE_TEST_SINK=" + p.sink}, p.argv...)
			term.enter(strings.ReplaceAll(p.code, "SL", program))
			term.enter("cd " + filepath.Join(dir, "0"))
			term.until("an executed text", func([]string) (string, bool) {
				_, err := os.Stat(filepath.Join(dir, "0", "pwned"))
				return "", err == nil
			})
		})
	}
}

// TestConformanceVectorsInTmux shows every vector in the status line of a real tmux, which runs inside another one whose screen can be
// read: as the output of a job, and as the text of an option.
func TestConformanceVectorsInTmux(t *testing.T) {
	if testing.Short() {
		t.Skip("starts tmux")
	}
	for _, sink := range []string{"tmux", "tmux-opt", "defang"} {
		t.Run(sink, func(t *testing.T) {
			t.Parallel()
			needs(t, "tmux")
			testTmux(t, sink)
		})
	}
}

// innerTmux are the options of a tmux whose status line shows status-right alone.
const innerTmux = `set -g status-interval 1
set -g status-left ""
set -g status-right-length 200
set -g window-status-format ""
set -g window-status-current-format ""
`

// openInner starts a tmux inside a terminal and returns a function that gives it a command.
func openInner(t *testing.T, dir, conf string, env ...string) (term *terminalUnderTest, inner func(args ...string)) {
	t.Helper()
	file, socket := filepath.Join(dir, "inner.conf"), filepath.Join(dir, "inner")
	if err := os.WriteFile(file, []byte(innerTmux+conf), 0o644); err != nil {
		t.Fatal(err)
	}
	term = open(t, dir, false, env, "env", "-u", "TMUX", "tmux", "-S", socket, "-f", file, "new-session", "sh")
	t.Cleanup(func() { exec.Command("tmux", "-S", socket, "kill-server").Run() })
	term.until("the inner tmux", func(rows []string) (string, bool) {
		return "", exec.Command("tmux", "-S", socket, "has-session").Run() == nil
	})
	return term, func(args ...string) {
		t.Helper()
		if report, err := exec.Command("tmux", append([]string{"-S", socket}, args...)...).CombinedOutput(); err != nil {
			t.Fatalf("tmux %q: %v\n%s", args, err, report)
		}
	}
}

func testTmux(t *testing.T, sink string) {
	dir, all := shared(t), vectors(t)
	program := hostile(t, dir, all)
	term, inner := openInner(t, dir, "", "STATUSLINE_TEST_SINK="+sink)
	for i, v := range all {
		mark, below := "@"+strconv.Itoa(i)+"<", filepath.Join(dir, strconv.Itoa(i))
		if sink == "tmux" {
			inner("set", "-g", "status-right", mark+"#(cd "+below+" && "+program+")>@")
		} else {
			cmd := exec.Command(program)
			cmd.Dir, cmd.Env = below, append(os.Environ(), "STATUSLINE_TEST_SINK="+sink)
			text, err := cmd.Output()
			if err != nil {
				t.Fatal(err)
			}
			inner("set", "-g", "status-right", mark+strings.TrimSuffix(string(text), "\n")+">@")
		}
		got := term.until(mark, func(rows []string) (string, bool) {
			_, rest, ok := strings.Cut(rows[len(rows)-1], mark)
			text, _, whole := strings.Cut(rest, ">@")
			// Until the job is done, tmux shows nothing, or a remark about the job.
			return text, ok && (sink == "defang" || whole && text != "" && !strings.HasSuffix(text, "not ready>"))
		})
		// A run of "#" is shown as one: before "[", tmux cannot show more.
		want := regexp.MustCompile("#+").ReplaceAllString(v.Expected["plain"], "#")
		if sink != "defang" && got != want {
			t.Errorf("%s: the screen shows %q, want %q", v.Name, got, want)
		}
	}
	untouched(t, dir)
}
