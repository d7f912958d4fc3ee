package main

// The command line, tested by the scripts in testdata/*.txtar: each runs the
// commands as a user's shell would, in a directory of its own and at a fixed
// time. The commands that the scripts have besides testscript's are below.

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/rogpeppe/go-internal/testscript"
	"github.com/rogpeppe/go-internal/txtar"

	"gatehouse/parse/agents/ask"
	"gatehouse/parse/agents/waiting"
	"gatehouse/parse/conformance"
	"gatehouse/parse/disk/process"
)

// waitLimit bounds how long a test waits for anything. It only bounds failures: a loaded machine is slow, and speed is not
// tested here.
const waitLimit = 2 * time.Minute

// today is the time at which the scripts run, and written the modification time of their files
// unless a script sets another one.
var (
	today   = time.Date(2026, 3, 14, 12, 0, 0, 0, time.UTC)
	written = today.Add(-5 * time.Minute)
)

// isUpdating reports whether differing output is written into the scripts.
func isUpdating() bool { return *conformance.Update }

func TestMain(m *testing.M) {
	testscript.Main(tidy{m}, map[string]func(){"gatehouse": func() {
		s := processEnv()
		s.now = func() time.Time { return today }
		tests, _ := strconv.Atoi(os.Getenv(testsPID))
		s.processes = orphaned{s.processes, tests}
		keepPrinted(s, os.Args[1:])
		os.Exit(run(context.Background(), s, os.Args[1:]))
	}})
}

// testsPID is the variable with the ID of the process that runs the scripts.
const testsPID = "GATEHOUSE_TESTS_PID"

// onTerminal is the variable with the terminal of a command.
const onTerminal = "GATEHOUSE_TESTS_TERMINAL"

// orphaned is a process table in which the process that runs the scripts has no parent: whoever started it, perhaps an agent, must not
// count as the caller of a command.
type orphaned struct {
	process.Table
	tests int // the process that runs the scripts
}

func (o orphaned) Look(pid int) (process.Info, bool) {
	info, ok := o.Table.Look(pid)
	info.Terminal = cmp.Or(os.Getenv(onTerminal), info.Terminal)
	if pid == o.tests { // as the shell of a terminal
		info.Parent, info.Name, info.Leader, info.Terminal = 0, "sh", true, "/dev/pts/0"
	}
	return info, ok
}

// atEnd are functions that remove shared files after the last test.
var atEnd []func()

type tidy struct{ *testing.M }

func (m tidy) Run() int {
	for _, sig := range []os.Signal{os.Interrupt, syscall.SIGHUP} { // ignored under nohup, or after a shell's &: the programs under test must get them
		if signal.Ignored(sig) {
			signal.Notify(make(chan os.Signal, 1), sig)
		}
	}
	code := m.M.Run()
	for _, f := range atEnd {
		f()
	}
	return code
}

func TestScripts(t *testing.T) {
	printed := t.TempDir()
	t.Cleanup(func() { // after all scripts
		_, noShell := exec.LookPath("sh") // without one some scripts stop early
		all := !strings.Contains(flag.Lookup("test.run").Value.String(), "/") && !t.Failed() && noShell == nil
		checkPrinted(t, printed, all)
	})
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata",
		UpdateScripts:       isUpdating(),
		RequireUniqueNames:  true,
		RequireExplicitExec: true,
		Setup: func(env *testscript.Env) error {
			env.Setenv("ESC", "\x1b")
			env.Setenv(testsPID, strconv.Itoa(os.Getpid()))
			env.Setenv(printedDir, printed)
			env.Setenv("GORACE", "atexit_sleep_ms=0") // with the race detector, each command would wait a second at its end
			return date(env.WorkDir, written)
		},
		Condition: func(cond string) (bool, error) {
			name, ok := strings.CutPrefix(cond, "exists:")
			switch _, err := os.Stat(name); {
			case ok:
				return err == nil, nil
			case cond == "root": // permissions do not apply to root
				return os.Geteuid() == 0, nil
			}
			return false, errors.New("unknown condition " + cond)
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"exits": exits, "json": lookUp, "harmless": harmless, "fits": fits, "project": project, "dated": dated, "unescape": unescape, "asked": asked, "dashboard": openDashboard,
		},
	})
}

// askedWithin is how long a script waits for an ask.
const askedWithin = 2 * time.Minute

// asked TEXT FILE waits until an agent asks something that begins with TEXT, and writes its ID into FILE.
func asked(ts *testscript.TestScript, _ bool, args []string) {
	store := ask.Open(ask.Options{Dir: waiting.StorePath(runtime.GOOS == "windows", ts.Getenv("HOME"), ts.Getenv), Table: process.System{}, Now: time.Now})
	for end := time.Now().Add(askedWithin); time.Now().Before(end); time.Sleep(time.Millisecond) {
		items, err := store.List(false)
		ts.Check(err)
		for _, item := range items {
			if strings.HasPrefix(item.Text, args[0]) {
				ts.Check(os.WriteFile(ts.MkAbs(args[1]), []byte(item.ID), 0o644))
				return
			}
		}
	}
	ts.Fatalf("no ask begins with: %s", args[0])
}

// openDashboard is the command dashboard: agents see an open dashboard until the end of the script.
func openDashboard(ts *testscript.TestScript, _ bool, _ []string) {
	here, err := ask.Open(ask.Options{Dir: waiting.StorePath(runtime.GOOS == "windows", ts.Getenv("HOME"), ts.Getenv), Table: process.System{}, Now: time.Now}).Attend()
	ts.Check(err)
	ts.Defer(func() { here.Close() })
}

// exits CODE COMMAND ARG... runs a command and checks its exit code.
func exits(ts *testscript.TestScript, _ bool, args []string) {
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	var exit *exec.ExitError
	code := 0
	if err := ts.Exec(args[1], args[2:]...); errors.As(err, &exit) {
		code = exit.ExitCode()
	} else {
		ts.Check(err)
	}
	if code != want {
		ts.Fatalf("exit code %d, want %d", code, want)
	}
	if strings.HasPrefix(ts.ReadFile("stderr"), "panic: ") { // a panic has the same exit code as a wrong command line
		ts.Fatalf("it has panicked")
	}
}

// json PATH [VALUE] looks up a value in the last JSON output: PATH is keys
// and indexes joined by dots; a final * stands for the number of values. It must equal
// VALUE, or be absent with "! json PATH".
func lookUp(ts *testscript.TestScript, neg bool, args []string) {
	var v any
	ts.Check(json.Unmarshal([]byte(ts.ReadFile("stdout")), &v))
	there := true
	for key := range strings.SplitSeq(args[0], ".") {
		switch at := v.(type) {
		case map[string]any:
			v, there = at[key]
		case []any:
			if key == "*" {
				v = len(at)
				break
			}
			i, err := strconv.Atoi(key)
			if there = err == nil && i < len(at); there {
				v = at[i]
			}
		default:
			there = false
		}
		if !there {
			break
		}
	}
	got, _ := json.Marshal(v)
	switch {
	case neg && there:
		ts.Fatalf("%s is there: %s", args[0], got)
	case !neg && !there:
		ts.Fatalf("there is no %s", args[0])
	case !neg && strings.Trim(string(got), `"`) != args[1]:
		ts.Fatalf("%s is %s, want %s", args[0], got, args[1])
	}
}

// harmless FILE... checks that nothing in stdout, stderr or a file can act on
// a terminal: no control character except line feeds, and no invisible character.
func harmless(ts *testscript.TestScript, _ bool, args []string) {
	for _, name := range args {
		if found := harm(ts.ReadFile(name)); found != "" {
			ts.Fatalf("%s %s", name, found)
		}
	}
}

// harm describes what in a text can act on a terminal or is invisible there, "" for nothing. Line feeds are harmless.
func harm(text string) string {
	for i, r := range text {
		if r != '\n' && (unicode.IsControl(r) || r == 0x2800 || unicode.In(r, unicode.Cf, unicode.Zl, unicode.Zp, unicode.Variation_Selector, unicode.Other_Default_Ignorable_Code_Point)) {
			return fmt.Sprintf("holds U+%04X at %d", r, i)
		}
	}
	return ""
}

// fits WIDTH HEIGHT checks that the last output fits into that size.
func fits(ts *testscript.TestScript, _ bool, args []string) {
	width, _ := strconv.Atoi(args[0])
	height, _ := strconv.Atoi(args[1])
	lines := strings.Split(strings.TrimSuffix(ts.ReadFile("stdout"), "\n"), "\n")
	if len(lines) > height {
		ts.Fatalf("%d lines, want %d at most", len(lines), height)
	}
	for i, l := range lines {
		if n := utf8.RuneCountInString(l); n > width { // the scripts' projects use only narrow characters
			ts.Fatalf("line %d is %d columns wide, want %d at most", i+1, n, width)
		}
	}
}

// project NAME DIR writes a project of testdata/projects into a directory.
func project(ts *testscript.TestScript, _ bool, args []string) {
	ts.Check(unpack(args[0], ts.MkAbs(args[1])))
	ts.Check(date(ts.MkAbs(args[1]), written))
}

// dated TIME FILE... sets the modification time of files, or of all files in directories.
func dated(ts *testscript.TestScript, _ bool, args []string) {
	at, err := time.Parse(time.RFC3339, args[0])
	ts.Check(err)
	for _, name := range args[1:] {
		ts.Check(date(ts.MkAbs(name), at))
	}
}

// unescape FILE NAME reads a file, replaces Go's escapes in it (\x1b, \u202e)
// and writes it as NAME, in which escapes are replaced
// too. This keeps control characters out of the scripts themselves.
func unescape(ts *testscript.TestScript, _ bool, args []string) {
	text := ts.ReadFile(args[0])
	to := ts.MkAbs(unquoted(ts, args[1]))
	ts.Check(os.MkdirAll(filepath.Dir(to), 0o755))
	ts.Check(os.WriteFile(to, []byte(unquoted(ts, text)), 0o644))
	ts.Check(date(to, written))
}

func unquoted(ts *testscript.TestScript, text string) string {
	plain, err := strconv.Unquote(`"` + strings.NewReplacer("\n", `\n`, `"`, `\"`).Replace(text) + `"`)
	ts.Check(err)
	return plain
}

// unpack writes a project of testdata/projects into a directory.
func unpack(name, dir string) error {
	archive, err := txtar.ParseFile(filepath.Join("testdata", "projects", name+".txtar"))
	if err != nil {
		return err
	}
	return txtar.Write(archive, dir)
}

// date sets the modification time of a file, or of all files in a directory.
func date(path string, at time.Time) error {
	return filepath.WalkDir(path, func(path string, _ os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		return os.Chtimes(path, at, at)
	})
}

// must ends the test with an error.
func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
