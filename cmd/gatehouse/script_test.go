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

// patience is how long anything may take that a test waits for. It bounds a failure only: a loaded machine is slow, and that is not
// what is tested.
const patience = 2 * time.Minute

// today is when the scripts are played, and written when their files were
// written unless a script says otherwise.
var (
	today   = time.Date(2026, 3, 14, 12, 0, 0, 0, time.UTC)
	written = today.Add(-5 * time.Minute)
)

// isUpdating reports whether what was printed is written into the scripts where it differs.
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

// testsPID is the variable that tells a command of a script which process runs the scripts.
const testsPID = "GATEHOUSE_TESTS_PID"

// onTerminal is the variable that tells a command which terminal it is on.
const onTerminal = "GATEHOUSE_TESTS_TERMINAL"

// orphaned is a system in which nobody has started the process that runs the scripts: whoever did, perhaps an agent, must not count as
// who asks. It stands for what an agent would be.
type orphaned struct {
	process.Table
	tests int // the process that runs the scripts
}

func (o orphaned) Look(pid int) (process.Info, bool) {
	info, ok := o.Table.Look(pid)
	info.Terminal = cmp.Or(os.Getenv(onTerminal), info.Terminal)
	if pid == o.tests { // stands for the shell of a terminal
		info.Parent, info.Name, info.Leader, info.Terminal = 0, "sh", true, "/dev/pts/0"
	}
	return info, ok
}

// atEnd is what removes things that tests share, after the last one.
var atEnd []func()

type tidy struct{ *testing.M }

func (m tidy) Run() int {
	for _, sig := range []os.Signal{os.Interrupt, syscall.SIGHUP} { // of nohup, or behind a shell's &: the programs of the tests are to have it
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
	printed, files := t.TempDir(), &keptFiles{names: map[string]bool{}}
	t.Cleanup(func() { // once all scripts are through
		_, noShell := exec.LookPath("sh") // without one some scripts stop early
		all := !strings.Contains(flag.Lookup("test.run").Value.String(), "/") && !t.Failed() && noShell == nil
		checkPrinted(t, printed, all)
		files.dashboard(t)
		files.check(t, all)
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
			env.Defer(func() { files.find(filepath.Join(env.WorkDir, "home")) })
			env.Setenv("GORACE", "atexit_sleep_ms=0") // the race detector would make each command wait a second at its end
			return date(env.WorkDir, written)
		},
		Condition: func(cond string) (bool, error) {
			name, ok := strings.CutPrefix(cond, "exists:")
			switch _, err := os.Stat(name); {
			case ok:
				return err == nil, nil
			case cond == "root": // nothing is forbidden to it
				return os.Geteuid() == 0, nil
			}
			return false, errors.New("unknown condition " + cond)
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"exits": exits, "json": lookUp, "harmless": harmless, "fits": fits, "project": project, "dated": dated, "unescape": unescape, "asked": asked, "attended": attended,
		},
	})
}

// askedWithin is how long a script waits for an ask.
const askedWithin = 2 * time.Minute

// asked TEXT FILE waits until an agent asks something that begins so, and writes the ID of it into a file.
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
	ts.Fatalf("nobody asks: %s", args[0])
}

// attended has a dashboard be open to the end of the script, as far as agents are told.
func attended(ts *testscript.TestScript, _ bool, _ []string) {
	here, err := ask.Open(ask.Options{Dir: waiting.StorePath(runtime.GOOS == "windows", ts.Getenv("HOME"), ts.Getenv), Table: process.System{}, Now: time.Now}).Attend()
	ts.Check(err)
	ts.Defer(func() { here.Close() })
}

// exits CODE COMMAND ARG... runs a command, which must end with this exit code.
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
	if strings.HasPrefix(ts.ReadFile("stderr"), "panic: ") { // whose code is that of a wrong command line
		ts.Fatalf("it has panicked")
	}
}

// json PATH [VALUE] looks up a value in the JSON that was printed last: keys
// and indexes joined by dots, a final * for how many there are. It must be
// VALUE, or with "! json PATH" not be there.
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
// a terminal: no control character but the line feed, no invisible one.
func harmless(ts *testscript.TestScript, _ bool, args []string) {
	for _, name := range args {
		if found := harm(ts.ReadFile(name)); found != "" {
			ts.Fatalf("%s %s", name, found)
		}
	}
}

// harm says what in a text can act on a terminal or is not seen there, "" for nothing. Line feeds are no harm.
func harm(text string) string {
	for i, r := range text {
		if r != '\n' && (unicode.IsControl(r) || r == 0x2800 || unicode.In(r, unicode.Cf, unicode.Zl, unicode.Zp, unicode.Variation_Selector, unicode.Other_Default_Ignorable_Code_Point)) {
			return fmt.Sprintf("holds U+%04X at %d", r, i)
		}
	}
	return ""
}

// fits WIDTH HEIGHT checks that what was printed last takes no more room.
func fits(ts *testscript.TestScript, _ bool, args []string) {
	width, _ := strconv.Atoi(args[0])
	height, _ := strconv.Atoi(args[1])
	lines := strings.Split(strings.TrimSuffix(ts.ReadFile("stdout"), "\n"), "\n")
	if len(lines) > height {
		ts.Fatalf("%d lines, want %d at most", len(lines), height)
	}
	for i, l := range lines {
		if n := utf8.RuneCountInString(l); n > width { // the scripts' projects use narrow characters alone
			ts.Fatalf("line %d is %d columns wide, want %d at most", i+1, n, width)
		}
	}
}

// project NAME DIR writes a project of testdata/projects into a directory.
func project(ts *testscript.TestScript, _ bool, args []string) {
	ts.Check(unpack(args[0], ts.MkAbs(args[1])))
	ts.Check(date(ts.MkAbs(args[1]), written))
}

// dated TIME FILE... sets when files, or all in directories, were written.
func dated(ts *testscript.TestScript, _ bool, args []string) {
	at, err := time.Parse(time.RFC3339, args[0])
	ts.Check(err)
	for _, name := range args[1:] {
		ts.Check(date(ts.MkAbs(name), at))
	}
}

// unescape FILE NAME reads a file, replaces Go's escapes in it (\x1b, \u202e)
// by what they stand for, and writes it as NAME, in which they are replaced
// too. Scripts so stay free of what they are about.
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

// date sets when a file, or all in a directory, was written.
func date(path string, at time.Time) error {
	return filepath.WalkDir(path, func(path string, _ os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		return os.Chtimes(path, at, at)
	})
}
