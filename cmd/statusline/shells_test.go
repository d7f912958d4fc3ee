//go:build unix

package main

// The line in real shells and tmux, in a real terminal, tmux: the tests send keys, and read the screen until it shows the expected text. No test
// relies on a fixed sleep.

import (
	"bufio"
	"bytes"
	"encoding/hex"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

const (
	patience = 2 * time.Minute       // for anything that happens at once unless something is wrong
	pause    = 10 * time.Millisecond // between two readings of the screen
	heldUp   = time.Minute           // the minimum time of a program that waits for an end that never comes
)

// nobody is a user without privileges, for whom "$" and "#" in a prompt differ from root's.
const nobody = 65534

// needs skips a test if a program is not installed.
func needs(t *testing.T, programs ...string) {
	t.Helper()
	for _, program := range programs {
		if _, err := exec.LookPath(program); err != nil {
			t.Skip(program + " is not here")
		}
	}
}

// shared returns a directory that every user may enter. Its path is short, because a socket's path must not be long.
func shared(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("/tmp", "sl")
	must(t, err)
	t.Cleanup(func() {
		if err := os.RemoveAll(dir); err != nil {
			t.Error(err)
		}
	})
	dir, err = filepath.EvalSymlinks(dir)
	must(t, err)
	must(t, os.Chmod(dir, 0o777))
	return dir
}

// terminalUnderTest is a tmux server with one window.
type terminalUnderTest struct {
	t      *testing.T
	socket string
	attr   *syscall.SysProcAttr
	env    []string
	dir    string
}

// open starts a terminal whose window runs a program, as the user who runs the test or as nobody. dir is the home and the working
// directory; env is added to a minimal environment.
func open(t *testing.T, dir string, asNobody bool, env []string, argv ...string) *terminalUnderTest {
	t.Helper()
	term := &terminalUnderTest{t: t, socket: filepath.Join(dir, ".tmux"), dir: dir}
	term.env = append([]string{
		"HOME=" + dir, "PATH=" + os.Getenv("PATH"), "LC_ALL=C.UTF-8", "TERM=xterm-256color", "SHELL=/bin/sh", "TMPDIR=" + dir,
		"HISTFILE=", "fish_history=", // written when a shell exits, which would recreate a removed directory
	}, env...)
	if asNobody {
		term.attr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: nobody, Gid: nobody}}
	}
	must(t, os.WriteFile(filepath.Join(dir, ".tmux.conf"), []byte("set -g default-terminal screen-256color\n"), 0o644))
	args := append([]string{"-f", filepath.Join(dir, ".tmux.conf"), "new-session", "-d", "-x", "220", "-y", "50"}, argv...)
	t.Cleanup(func() { term.command("kill-server").Run() })
	if report, err := term.command(args...).CombinedOutput(); err != nil {
		t.Fatalf("tmux: %v\n%s", err, report)
	}
	return term
}

func (term *terminalUnderTest) command(args ...string) *exec.Cmd {
	cmd := exec.Command("tmux", append([]string{"-S", term.socket}, args...)...)
	cmd.Env, cmd.Dir, cmd.SysProcAttr = term.env, term.dir, term.attr
	return cmd
}

// tmux runs a command of tmux and returns what it prints.
func (term *terminalUnderTest) tmux(args ...string) string {
	term.t.Helper()
	out, err := term.command(args...).CombinedOutput()
	if err != nil {
		term.t.Fatalf("tmux %q: %v\n%s", args, err, out)
	}
	return string(out)
}

// enter types a line.
func (term *terminalUnderTest) enter(text string) {
	term.t.Helper()
	term.tmux("send-keys", "-l", text, ";", "send-keys", "Enter")
}

// screen returns the rows of the screen; wrapped rows are joined.
func (term *terminalUnderTest) screen() []string {
	term.t.Helper()
	return strings.Split(strings.TrimRight(term.tmux("capture-pane", "-p", "-J"), "\n"), "\n")
}

// until waits until a function accepts the screen.
func (term *terminalUnderTest) until(what string, ok func(rows []string) bool) {
	term.t.Helper()
	for start := time.Now(); !ok(term.screen()); time.Sleep(pause) {
		if time.Since(start) > patience {
			term.t.Fatalf("never came: %s\nthe screen:\n%s", what, strings.Join(term.screen(), "\n"))
		}
	}
}

// between waits until a row has text between two marks, and returns that text of the last such row.
func (term *terminalUnderTest) between(before, after string) (text string) {
	term.t.Helper()
	term.until(before+"…"+after, func(rows []string) bool {
		for _, row := range slices.Backward(rows) {
			if _, rest, ok := strings.Cut(row, before); ok {
				if end := strings.LastIndex(rest, after); end >= 0 {
					text = rest[:end]
					return true
				}
			}
		}
		return false
	})
	return text
}

// untouched fails the test if the hostile texts have created a file below dir.
func untouched(t *testing.T, dir string) {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, entry os.DirEntry, err error) error {
		if entry != nil && strings.HasPrefix(entry.Name(), "pwned") {
			t.Errorf("a text was executed: there is %s", path)
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
}

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
	must(t, os.Mkdir(filepath.Join(home, ".cache"), 0o755))
	planned(t, s.project, "STATE.md", state)
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
	must(t, os.Mkdir(dir, 0o755))
	program := filepath.Join(dir, "statusline")
	text := "#!/usr/bin/env bash\nprintf . >>" + quoted(filepath.Join(home, "runs")) + "\nexec -a \"$0\" " + quoted(build(t, ".")) + " \"$@\"\n"
	must(t, os.WriteFile(program, []byte(text), 0o755))
	return program
}

// write writes a file of the project's .planning.
func (s *session) write(name, text string) { planned(s.t, s.project, name, text) }

// planned writes a file of the .planning of a directory.
func planned(t *testing.T, dir, name, text string) {
	t.Helper()
	file := filepath.Join(dir, ".planning", name)
	must(t, errors.Join(os.MkdirAll(filepath.Dir(file), 0o755), os.WriteFile(file, []byte(text), 0o644)))
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
func (s *session) prompt(command string, code int) (above string) {
	s.t.Helper()
	s.number++
	step := strings.NewReplacer("%N", strconv.Itoa(s.number), "%C", strconv.Itoa(code)).Replace(s.shell.step)
	if command != "" {
		step = command + "; " + step
	}
	s.enter(step)
	mark := "[" + strconv.Itoa(s.number) + ":" + strconv.Itoa(code) + "]"
	s.until(mark, func(rows []string) bool {
		i := len(rows) - 1
		for i > 0 && rows[i] != mark {
			i--
		}
		if i > 0 && !strings.Contains(rows[i-1], step) {
			above = rows[i-1]
		}
		return i > 0
	})
	return above
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

// TestInit checks that each prompt shows the line as it is now, that $? keeps its value, for the prompt and for later commands, and that
// loading the integration several times shows one line.
func TestInit(t *testing.T) {
	for _, sh := range shells {
		t.Run(sh.name, func(t *testing.T) {
			t.Parallel()
			s := startSession(t, sh, stateOf("executing"), 3)
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
			for _, code := range []int{7, 1, 9} {
				if got := s.prompt("", code); got != "v1 N · two · ◆ Iron?" {
					t.Errorf("after exit code %d: %q", code, got)
				}
			}
			command := "echo is $?"
			if sh.name == "fish" {
				command = "echo is $status"
			}
			s.enter(command)
			s.until("is 9", func(rows []string) bool { return slices.Contains(rows, "is 9") })
			s.enter("clear")
			s.until("one line above one prompt", func(rows []string) bool {
				return len(rows) == 3 && rows[0] == "v1 N · two · ◆ Iron?" && rows[1][0] == '['
			})
			untouched(t, s.home)
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
				for range 2 {
					planned(t, dir, "STATE.md", stateOf(status))
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
	s.until("the line above the prompt", func(rows []string) bool {
		i := slices.Index(rows, "[static]")
		return i > 0 && rows[i-1] == "v1 N · x$(touch pwned)"
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
	must(t, err)
	names := []string{"plain", "a b'\"\\", "$(touch pwned)", "`touch pwned`", "a\ntouch pwned\nb", "a;touch pwned;x", "#(touch pwned) #S", "%H", "a\tb", "-n", "~", "é"}
	for i, name := range names {
		planned(t, filepath.Join(home, name), "STATE.md", "---\nmilestone: v"+strconv.Itoa(i)+"\nmilestone_name: \"#(touch pwned) #S #[fg=red] $(touch pwned)\"\n---\n")
	}
	term, inner := openInner(t, home, string(conf)+"set -g status-interval 1\n")
	for i, name := range names {
		// Through a link, because tmux expands this text; the pane's own directory is the real one.
		link := filepath.Join(home, "to"+strconv.Itoa(i))
		must(t, os.Symlink(filepath.Join(home, name), link))
		inner("respawn-pane", "-k", "-c", link, "sh")
		if strings.ContainsAny(name, "\n\t") { // the program sees another name, so it finds no build
			before := runsIn(home)
			term.until("runs of the job", func([]string) bool { return runsIn(home) > before+1 })
			continue
		}
		want := "v" + strconv.Itoa(i) + " #(touch pwned) #S #[fg=red] $(touch pwned)"
		term.until(want, func(rows []string) bool { return strings.TrimSpace(rows[len(rows)-1]) == want })
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
	must(t, err)
	const text = "100% $(touch pwned) %n `touch pwned` \\ !"
	planned(t, home, "STATE.md", "---\nstatus: "+text+"\n---\n")
	cmd := exec.Command("zsh", "-f", "-c", script, "zsh", string(code))
	cmd.Dir, cmd.Env = home, append(os.Environ(), "HOME="+home, "FORCE_COLOR=1")
	got, err := cmd.CombinedOutput()
	if want := "statusline status time\nsegment -f 8 -t\n" + text + "\n"; err != nil || string(got) != want {
		t.Errorf("%v\ngot  %q\nwant %q", err, got, want)
	}
	untouched(t, home)
}

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
	must(t, err)
	var all []vector
	for rows := bufio.NewScanner(bytes.NewReader(data)); rows.Scan(); {
		var v vector
		must(t, json.Unmarshal(rows.Bytes(), &v))
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
		must(t, err)
		below := filepath.Join(dir, strconv.Itoa(i))
		must(t, os.Mkdir(below, 0o777))
		os.Chmod(below, 0o777) // an executed text has to be able to leave its mark there
		must(t, os.WriteFile(filepath.Join(below, "payload"), text, 0o644))
	}
	program = filepath.Join(dir, "sl") // every user may run it there
	data, err := os.ReadFile(build(t, "./testdata/sink"))
	if err == nil {
		err = os.WriteFile(program, data, 0o755)
	}
	must(t, err)
	return program
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
			term.until("an executed text", func([]string) bool {
				_, err := os.Stat(filepath.Join(dir, "0", "pwned"))
				return err == nil
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
	must(t, os.WriteFile(file, []byte(innerTmux+conf), 0o644))
	term = open(t, dir, false, env, "env", "-u", "TMUX", "tmux", "-S", socket, "-f", file, "new-session", "sh")
	t.Cleanup(func() { exec.Command("tmux", "-S", socket, "kill-server").Run() })
	term.until("the inner tmux", func([]string) bool { return exec.Command("tmux", "-S", socket, "has-session").Run() == nil })
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
			must(t, err)
			inner("set", "-g", "status-right", mark+strings.TrimSuffix(string(text), "\n")+">@")
		}
		got := ""
		term.until(mark, func(rows []string) bool {
			_, rest, ok := strings.Cut(rows[len(rows)-1], mark)
			text, _, whole := strings.Cut(rest, ">@")
			got = text
			// Until the job is done, tmux shows nothing, or a remark about the job.
			return ok && (sink == "defang" || whole && text != "" && !strings.HasSuffix(text, "not ready>"))
		})
		// A run of "#" is shown as one: before "[", tmux cannot show more.
		want := regexp.MustCompile("#+").ReplaceAllString(v.Expected["plain"], "#")
		if sink != "defang" && got != want {
			t.Errorf("%s: the screen shows %q, want %q", v.Name, got, want)
		}
	}
	untouched(t, dir)
}
