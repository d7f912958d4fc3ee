//go:build unix

package journal

import (
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"strings"
	"syscall"
	"testing"
	"time"

	"gatehouse/model"
)

// childVariable makes a run of the test binary a process that decides: how, and in which directory its journal lies.
const childVariable = "GATEHOUSE_JOURNAL_CHILD"

func TestMain(m *testing.M) {
	do, dir, is := strings.Cut(os.Getenv(childVariable), " ")
	if !is {
		os.Exit(m.Run())
	}
	l := Open(nil, dir, "/x")
	switch do {
	case "decide": // forty times
		for i := range 40 {
			d, err := l.Begin(model.Decision{At: time.Now(), Name: "a", Text: strings.Repeat("y", 500*i)})
			if err == nil {
				err = l.End(d.ID, true)
			}
			if err != nil {
				fmt.Fprintln(os.Stderr, err)
				os.Exit(1)
			}
		}
	case "full": // on a disk on which no file gets longer than 1000 bytes
		signal.Ignore(syscall.SIGXFSZ)
		if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &syscall.Rlimit{Cur: 1000, Max: 1000}); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		_, err := l.Begin(model.Decision{Name: "lost", Text: strings.Repeat("y", 2000)})
		fmt.Println(err)
	}
}

// command returns a process that decides.
func command(t *testing.T, l *Log, do string) *exec.Cmd {
	self, err := os.Executable()
	must(t, err)
	cmd := exec.Command(self)
	cmd.Env = append(os.Environ(), childVariable+"="+do+" "+l.dir, "GORACE=atexit_sleep_ms=0") // the race detector would wait a second at the end
	return cmd
}

func TestProcesses(t *testing.T) {
	l := Open(nil, t.TempDir(), "/x")
	var all []*exec.Cmd
	for range 6 {
		cmd := command(t, l, "decide")
		cmd.Stderr = os.Stderr
		must(t, cmd.Start())
		all = append(all, cmd)
	}
	for _, cmd := range all {
		must(t, cmd.Wait())
	}
	ds, err := l.Read()
	must(t, err)
	ids := map[string]bool{}
	for _, d := range ds {
		ids[d.ID] = true
	}
	if got := telling(ds); len(ids) != 240 || got != strings.TrimSpace(strings.Repeat("a ", 240)) {
		t.Errorf("%d decisions: %s", len(ids), got)
	}
}

func TestDiskFull(t *testing.T) {
	l := Open(nil, t.TempDir(), "/x")
	decide(t, l, model.Decision{Name: "a"}, done)
	out, err := command(t, l, "full").CombinedOutput()
	must(t, err)
	if says := string(out); !strings.HasPrefix(says, l.File()+": the journal cannot be written: ") || !strings.Contains(says, "file too large; ") {
		t.Errorf("%q", says)
	}
	if info, err := os.Stat(l.File()); err != nil || info.Size() != 1000 {
		t.Error("no line was half written: ", info, err)
	}
	if got := told(t, l); got != "a" {
		t.Error(got)
	}
	decide(t, l, model.Decision{Name: "b"}, done)
	if got := told(t, l); got != "b a" {
		t.Error(got)
	}
}

func TestNoFile(t *testing.T) {
	precious := t.TempDir() + "/precious"
	must(t, os.WriteFile(precious, nil, 0o600))
	for name, make := range map[string]func(path string) error{
		"a FIFO":      func(path string) error { return syscall.Mkfifo(path, 0o600) },
		"a link":      func(path string) error { return os.Symlink(precious, path) },
		"a dead link": func(path string) error { return os.Symlink("gone", path) },
		"a directory": func(path string) error { return os.Mkdir(path, 0o700) },
	} {
		t.Run(name, func(t *testing.T) {
			l := Open(nil, t.TempDir(), "/x")
			must(t, make(l.File()))
			ended := time.AfterFunc(time.Minute, func() { panic("it hangs") })
			defer ended.Stop()
			if _, err := l.Begin(model.Decision{}); err == nil || !strings.Contains(err.Error(), "not a regular file") {
				t.Error(err)
			}
			if ds, err := l.Read(); ds != nil || err == nil || !strings.Contains(err.Error(), "not a regular file") {
				t.Error(ds, err)
			}
		})
	}
	if info, err := os.Stat(precious); err != nil || info.Size() > 0 {
		t.Error(info, err)
	}
}
