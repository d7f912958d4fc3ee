//go:build unix

package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// shell is a shell under test, with its syntax.
type shell struct {
	name   string
	argv   []string
	prompt string // sets a prompt of two rows: "[" the number, ":", $?, "]"; and "$ "
	step   string // sets the number N and then exits with code C
	quote  func(string) string
}

var shells = []shell{
	{"bash", bashArgs, `PS1='[$N:$?]\n$ '`, `N=%N; (exit %C)`, quoted},
	{"zsh", zshArgs, `PROMPT=$'[%2v:%?]\n$ '`, `psvar[2]=%N; (exit %C)`, quoted},
	{"fish", fishArgs, `function fish_prompt; printf '[%s:%s]\n$ ' $N $status; end`, `set N %N; sh -c 'exit %C'`,
		func(s string) string {
			return "'" + strings.NewReplacer(`\`, `\\`, "'", `\'`).Replace(s) + "'"
		}},
}

// quoted spells s as one word of a POSIX shell.
func quoted(s string) string { return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" }

// session is a shell that shows the line, in a project.
type session struct {
	*terminalUnderTest
	shell   shell
	home    string
	program string // the program that init was run with: it counts its runs and runs the real one
	project string
	number  int
}

// hostilePath is part of the program's path: every integration has to quote it.
const hostilePath = "it's \"a\" $(touch pwned) `touch pwned` \\dir #(touch pwned) %n ;&|"

// startSession starts a shell that shows the line of a project. The code in before runs before the integration, which is loaded as many
// times as reads says.
func startSession(t *testing.T, sh shell, state string, reads int, before ...string) *session {
	t.Helper()
	if testing.Short() {
		t.Skip("starts a shell")
	}
	needs(t, "tmux", "bash", sh.argv[0])
	home := shared(t)
	s := &session{shell: sh, home: home, project: filepath.Join(home, "project"), program: countingProgram(t, home)}
	if err := os.Mkdir(filepath.Join(home, ".cache"), 0o755); err != nil {
		t.Fatal(err)
	}
	s.write("STATE.md", state)
	s.terminalUnderTest = open(t, home, false, nil, sh.argv...)
	s.enter("cd " + s.project)
	for _, code := range before {
		s.enter(code)
	}
	s.enter(sh.prompt)
	for range reads {
		if sh.name == "fish" {
			s.enter(sh.quote(s.program) + " init fish | source")
		} else {
			s.enter(`eval "$(` + sh.quote(s.program) + ` init ` + sh.name + `)"`)
		}
	}
	return s
}

// countingProgram creates a program that adds a byte to the file "runs" in home on every call and then runs statusline. Its path has
// every character that needs quoting.
func countingProgram(t *testing.T, home string) string {
	t.Helper()
	dir := filepath.Join(home, hostilePath)
	if err := os.Mkdir(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	program := filepath.Join(dir, "statusline")
	text := "#!/usr/bin/env bash\nprintf . >>" + quoted(filepath.Join(home, "runs")) + "\nexec -a \"$0\" " + quoted(build(t, ".")) + " \"$@\"\n"
	if err := os.WriteFile(program, []byte(text), 0o755); err != nil {
		t.Fatal(err)
	}
	return program
}

// write writes a file of the project's .planning.
func (s *session) write(name, text string) {
	write := filepath.Join(s.project, ".planning", name)
	if err := os.MkdirAll(filepath.Dir(write), 0o755); err != nil {
		panic(err)
	}
	if err := os.WriteFile(write, []byte(text), 0o644); err != nil {
		panic(err)
	}
}

// runsIn returns how often the program in home was called.
func runsIn(home string) int {
	info, err := os.Stat(filepath.Join(home, "runs"))
	if err != nil {
		return 0
	}
	return int(info.Size())
}

// prompt types a command that ends with an exit code, waits for the next prompt, and returns the row above it, "" if that row is not
// part of the prompt.
func (s *session) prompt(command string, code int) string {
	s.t.Helper()
	s.number++
	step := strings.NewReplacer("%N", strconv.Itoa(s.number), "%C", strconv.Itoa(code)).Replace(s.shell.step)
	if command != "" {
		step = command + "; " + step
	}
	s.enter(step)
	mark := "[" + strconv.Itoa(s.number) + ":" + strconv.Itoa(code) + "]"
	return s.until(mark, func(rows []string) (string, bool) {
		for i := len(rows) - 1; i > 0; i-- {
			if rows[i] == mark {
				if strings.Contains(rows[i-1], step) {
					return "", true
				}
				return rows[i-1], true
			}
		}
		return "", false
	})
}

// shows fails the test unless the next prompt has this row above it.
func (s *session) shows(what, want string) {
	s.t.Helper()
	if got := s.prompt("", 0); got != want {
		s.t.Errorf("%s: the row above the prompt is %q, want %q\nthe screen:\n%s", what, got, want, strings.Join(s.screen(), "\n"))
	}
}

func stateOf(status string) string {
	return "---\nmilestone: v1\nmilestone_name: N\nstatus: " + status + "\n---\n"
}

// TestInitShowsTheLine checks that each prompt shows the line as it is now.
func TestInitShowsTheLine(t *testing.T) {
	for _, sh := range shells {
		t.Run(sh.name, func(t *testing.T) {
			t.Parallel()
			s := startSession(t, sh, stateOf("executing"), 2)
			s.shows("at first", "v1 N · executing")
			s.write("STATE.md", stateOf("two"))
			s.shows("STATE.md was written", "v1 N · two")
			s.write("WAITING.json", `{"question": "Iron?"}`)
			s.shows("a question appeared", "v1 N · two · ◆ Iron?")
			if got := s.prompt("cd "+s.home, 0); got != "" {
				t.Errorf("outside of a project: %q", got)
			}
			if got := s.prompt("cd "+s.project, 0); got != "v1 N · two · ◆ Iron?" {
				t.Errorf("in the project again: %q", got)
			}
			untouched(t, s.home)
		})
	}
}

// TestInitKeepsTheStatus checks that $? keeps its value, for the prompt and for later commands, and that loading the integration twice
// shows one line.
func TestInitKeepsTheStatus(t *testing.T) {
	for _, sh := range shells {
		t.Run(sh.name, func(t *testing.T) {
			t.Parallel()
			s := startSession(t, sh, stateOf("executing"), 3)
			for _, code := range []int{0, 7, 1} {
				if got := s.prompt("", code); got != "v1 N · executing" {
					t.Errorf("after exit code %d: %q", code, got)
				}
			}
			s.prompt("", 9)
			command := "echo is $?"
			if sh.name == "fish" {
				command = "echo is $status"
			}
			s.enter(command)
			s.until("is 9", func(rows []string) (string, bool) {
				for i := range rows {
					if rows[i] == "is 9" {
						return "", true
					}
				}
				return "", false
			})
			s.enter("clear")
			s.until("one line above one prompt", func(rows []string) (string, bool) {
				return "", len(rows) == 3 && rows[0] == "v1 N · executing" && rows[1][0] == '['
			})
		})
	}
}

// TestInitHostile shows the line of a project with hostile text in every part, in a directory with a hostile name: the screen shows the
// text, and nothing is executed.
func TestInitHostile(t *testing.T) {
	const payload = "$(touch pwned1) `touch pwned2` \\044(touch pwned3) ${x:=$(touch pwned4)} $((a[$(touch pwned5)])) %F{$(touch pwned6)} #(touch pwned7) %n !! \\u"
	const state = "---\nmilestone: \"" + payload + "\"\nstatus: (touch pwned8)\n---\nPhase: 1 of 2 (`touch pwned9`)\n"
	for _, sh := range shells {
		t.Run(sh.name, func(t *testing.T) {
			t.Parallel()
			s := startSession(t, sh, state, 1)
			if got, want := s.prompt("", 0), payload+" · (touch pwned8) · `touch pwned9` (1/2)"; got != want {
				t.Errorf("got  %q\nwant %q", got, want)
			}
			for i, name := range []string{"$(touch pwned10)", "a\ntouch pwned11\nb", "-n", "a b'\"\\", "%n`touch pwned12`", "(touch pwned13)", "é\tx"} {
				dir, status := filepath.Join(s.home, name), "number "+strconv.Itoa(i)
				if err := os.MkdirAll(filepath.Join(dir, ".planning"), 0o755); err != nil {
					t.Fatal(err)
				}
				for range 2 {
					if err := os.WriteFile(filepath.Join(dir, ".planning", "STATE.md"), []byte(stateOf(status)), 0o644); err != nil {
						t.Fatal(err)
					}
					if got := s.prompt("cd "+anywhere(sh, dir), 0); got != "v1 N · "+status {
						t.Errorf("in %q: %q", name, got)
					}
					status += " again"
				}
			}
			untouched(t, s.home)
		})
	}
}

// anywhere spells a path in a typed command, line breaks included.
func anywhere(sh shell, path string) string {
	typed := strings.NewReplacer("\n", "\\n", "\t", "\\t")
	if sh.name == "fish" { // fish has \n and \t outside of quotation marks only
		return typed.Replace(strings.NewReplacer("\n", "'\n'", "\t", "'\t'").Replace(sh.quote(path)))
	}
	return "$'" + typed.Replace(strings.NewReplacer(`\`, `\\`, "'", `\'`).Replace(path)) + "'"
}

// TestInitBashForms checks bash's integration in different environments.
func TestInitBashForms(t *testing.T) {
	bash := shells[0]
	for _, c := range []struct {
		name, before string
		argv         []string
		status       int // the exit code that the prompt has to show
	}{
		{"unset", `unset PROMPT_COMMAND`, bashArgs, 3},
		{"string", `PROMPT_COMMAND='A=$?; B=$((B+1))'`, bashArgs, 3},
		{"string that ends with a semicolon", `PROMPT_COMMAND='A=1 ;'`, bashArgs, 3},
		{"string that ends with a comment", `PROMPT_COMMAND='A=1 # one'`, bashArgs, 3},
		{"array", `PROMPT_COMMAND=(A=1 'B=2')`, bashArgs, 3},
		{"empty array", `PROMPT_COMMAND=()`, bashArgs, 3},
		{"set -u", `set -u; B=0; N=0; unset PROMPT_COMMAND XDG_RUNTIME_DIR`, bashArgs, 3},
		{"set -e", `set -e`, bashArgs, 0},
		{"set -f and a strange IFS", `set -fC; IFS=/.`, bashArgs, 3},
		{"POSIX mode", `:`, posixArgs, 3},
		{"nothing to keep it in", `unset HOME XDG_RUNTIME_DIR`, bashArgs, 3},
		{"PS1 is set anew each time", `PROMPT_COMMAND='PS1="[\$N:\$?]\n\$ "'`, bashArgs, 3},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			sh := bash
			sh.argv = c.argv
			s := startSession(t, sh, stateOf("x$(touch pwned)"), 2, c.before)
			for range 2 {
				if got := s.prompt("", c.status); got != "v1 N · x$(touch pwned)" {
					t.Errorf("%q", got)
				}
			}
			s.write("STATE.md", stateOf("y"))
			s.shows("after a change", "v1 N · y")
			untouched(t, s.home)
		})
	}
}

// TestInitBashWithoutVariables checks that the line is shown even if bash does not expand variables in PS1.
func TestInitBashWithoutVariables(t *testing.T) {
	s := startSession(t, shells[0], stateOf("x$(touch pwned)"), 1, `shopt -u promptvars`)
	s.enter(`PS1='[static]\n$ '`)
	s.until("the line above the prompt", func(rows []string) (string, bool) {
		for i := range rows {
			if rows[i] == "[static]" && i > 0 && rows[i-1] == "v1 N · x$(touch pwned)" {
				return "", true
			}
		}
		return "", false
	})
	untouched(t, s.home)
}

// TestInitTmux runs a real tmux with the output of init as its configuration, in directories with hostile names.
func TestInitTmux(t *testing.T) {
	if testing.Short() {
		t.Skip("starts tmux")
	}
	needs(t, "tmux", "bash")
	home := shared(t)
	program := countingProgram(t, home)
	conf, err := exec.Command(program, "init", "tmux").Output()
	if err != nil {
		t.Fatal(err)
	}
	names := []string{"plain", "a b'\"\\", "$(touch pwned)", "`touch pwned`", "a\ntouch pwned\nb", "a;touch pwned;x", "#(touch pwned) #S", "%H", "a\tb", "-n", "~", "é"}
	for i, name := range names {
		dir := filepath.Join(home, name, ".planning")
		if err := os.MkdirAll(dir, 0o755); err != nil {
			t.Fatal(err)
		}
		state := "---\nmilestone: v" + strconv.Itoa(i) + "\nmilestone_name: \"#(touch pwned) #S #[fg=red] $(touch pwned)\"\n---\n"
		if err := os.WriteFile(filepath.Join(dir, "STATE.md"), []byte(state), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	term, inner := openInner(t, home, string(conf)+"set -g status-interval 1\n")
	for i, name := range names {
		// Through a link, because tmux expands this text; the pane's own directory is the real one.
		link := filepath.Join(home, "to"+strconv.Itoa(i))
		if err := os.Symlink(filepath.Join(home, name), link); err != nil {
			t.Fatal(err)
		}
		inner("respawn-pane", "-k", "-c", link, "sh")
		if strings.ContainsAny(name, "\n\t") { // the program sees another name, so it finds no build
			before := runsIn(home)
			term.until("runs of the job", func([]string) (string, bool) { return "", runsIn(home) > before+1 })
			continue
		}
		want := "v" + strconv.Itoa(i) + " #(touch pwned) #S #[fg=red] $(touch pwned)"
		term.until(want, func(rows []string) (string, bool) {
			return "", strings.TrimSpace(rows[len(rows)-1]) == want
		})
	}
	untouched(t, home)
}

// TestInitPowerlevel10k runs the segment in a real zsh, with a fake p10k that shows the text as p10k does: as a prompt without
// substitution.
func TestInitPowerlevel10k(t *testing.T) {
	needs(t, "zsh", "bash")
	home := shared(t)
	program := countingProgram(t, home)
	script := `POWERLEVEL9K_RIGHT_PROMPT_ELEMENTS=(status time)
eval "$1"; eval "$1"
print -r -- $POWERLEVEL9K_RIGHT_PROMPT_ELEMENTS
p10k() { print -r -- "$1 $2 $3 $4"; print -rP -- "$5" }
prompt_statusline`
	code, err := exec.Command(program, "init", "p10k").Output()
	if err != nil {
		t.Fatal(err)
	}
	const text = "100% $(touch pwned) %n `touch pwned` \\ !"
	if err := os.Mkdir(filepath.Join(home, ".planning"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(home, ".planning", "STATE.md"), []byte("---\nstatus: "+text+"\n---\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("zsh", "-f", "-c", script, "zsh", string(code))
	cmd.Dir, cmd.Env = home, append(os.Environ(), "HOME="+home, "FORCE_COLOR=1")
	got, err := cmd.CombinedOutput()
	if want := "statusline status time\nsegment -f 8 -t\n" + text + "\n"; err != nil || string(got) != want {
		t.Errorf("%v\ngot  %q\nwant %q", err, got, want)
	}
	untouched(t, home)
}
