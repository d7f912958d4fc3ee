package main

import (
	"bytes"
	"debug/elf"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

// TestMain makes the test's own program a statusline, for the scripts in testdata.
func TestMain(m *testing.M) {
	testscript.Main(inDirectory{m}, map[string]func(){"statusline": main})
}

// inDirectory runs the tests with a directory for the programs they compile.
type inDirectory struct{ m *testing.M }

func (in inDirectory) Run() int {
	dir, err := os.MkdirTemp("", "statusline-test")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer os.RemoveAll(dir)
	programs = dir
	return in.m.Run()
}

// TestScripts checks what the user sees for every flag.
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{Dir: "testdata/script"})
}

// programs is the directory for build's output; TestMain creates and removes it.
var programs string

// built has the compiled packages, each compiled once for all tests.
var built sync.Map

// build compiles a package as users do, without the race detector that the test itself may have, and returns the program's path. Tests
// must not change the file.
func build(t testing.TB, pkg string) string {
	t.Helper()
	once, _ := built.LoadOrStore(pkg, sync.OnceValues(func() (string, error) {
		out := filepath.Join(programs, filepath.Base(pkg)+"-program")
		if runtime.GOOS == "windows" {
			out += ".exe"
		}
		cmd := exec.Command("go", "build", "-o", out, pkg)
		cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
		report, err := cmd.CombinedOutput()
		if err != nil {
			err = fmt.Errorf("go build %s: %w\n%s", pkg, err, report)
		}
		return out, err
	}))
	program, err := once.(func() (string, error))()
	must(t, err)
	return program
}

func project(t testing.TB, state string) string {
	t.Helper()
	dir := t.TempDir()
	err := os.Mkdir(filepath.Join(dir, ".planning"), 0o755)
	err = errors.Join(err, os.WriteFile(filepath.Join(dir, ".planning", "STATE.md"), []byte(state), 0o644))
	must(t, err)
	return dir
}

func TestClosedOutput(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("no shell")
	}
	cmd := exec.Command("sh", "-c", `"$0" >&-`, build(t, "."))
	cmd.Dir = project(t, "---\nstatus: x\n---\n")
	if report, err := cmd.CombinedOutput(); err != nil || len(report) > 0 {
		t.Errorf("%v, %q", err, report)
	}
}

// TestClosure checks the whole set of packages that the program is linked from. Each of them takes time at every prompt: before adding
// one here, measure (go test -bench Start ./cmd/statusline).
func TestClosure(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("reads files through os there")
	}
	allowed := []string{
		"gatehouse/cmd/statusline", "gatehouse/model/line", "gatehouse/parse/nearest", "gatehouse/parse/agents/waiting", "gatehouse/parse/gsd/core", "gatehouse/parse/loop/core", "gatehouse/parse/doc", "gatehouse/parse/protocol/transition", "gatehouse/parse/ultraplan/core",
		"gatehouse/parse/fctry/core", "gatehouse/parse/formats/core", "gatehouse/parse/disk/peek", "gatehouse/statusline",
		"cmp", "math/bits", "slices", "syscall", "unicode/utf8", "unsafe",
	}
	// What a program that imports only syscall is linked from comes free.
	empty := filepath.Join(t.TempDir(), "main.go")
	must(t, os.WriteFile(empty, []byte("package main\n\nimport _ \"syscall\"\n\nfunc main() {}\n"), 0o644))
	free := packages(t, empty)
	for _, pkg := range packages(t, ".") {
		if !slices.Contains(free, pkg) && !slices.Contains(allowed, pkg) {
			t.Errorf("the closure holds %s", pkg)
		}
	}
}

// TestPackageInit checks what the packages of the program do before main: together they may allocate ten times, and ours must not
// initialize anything. Tables are data, and there are no compiled expressions.
func TestPackageInit(t *testing.T) {
	cmd := exec.Command(build(t, "."), "--version")
	cmd.Env = append(os.Environ(), "GODEBUG=inittrace=1")
	var trace bytes.Buffer
	cmd.Stderr = &trace
	must(t, cmd.Run())
	const limit = 10
	seen, total := 0, 0
	for row := range strings.Lines(trace.String()) {
		// init syscall @0.35 ms, 0.055 ms clock, 768 bytes, 5 allocs
		fields := strings.Fields(row)
		if len(fields) < 3 || fields[0] != "init" {
			continue
		}
		seen++
		allocs, err := strconv.Atoi(fields[len(fields)-2])
		if err != nil {
			t.Fatalf("%q: %v", row, err)
		}
		if strings.HasPrefix(fields[1], "gatehouse/") {
			t.Errorf("a package of ours is set up at the start: %s", row)
		}
		if fields[1] != "runtime" {
			total += allocs
		}
	}
	if seen == 0 || total > limit {
		t.Errorf("%d allocations, at most %d may be:\n%s", total, limit, trace.String())
	}
}

func packages(t *testing.T, arg string) []string {
	t.Helper()
	cmd := exec.Command("go", "list", "-deps", arg)
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	out, err := cmd.Output()
	must(t, err)
	return strings.Fields(string(out))
}

// TestNotPositionIndependent checks that a plain build gives no PIE, which starts 1.27 times as slowly.
func TestNotPositionIndependent(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("only a choice on Linux")
	}
	file, err := elf.Open(build(t, "."))
	must(t, err)
	defer file.Close()
	if file.Type != elf.ET_EXEC {
		t.Errorf("the program is of type %v, want %v", file.Type, elf.ET_EXEC)
	}
}

// must ends the test with an error.
func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
