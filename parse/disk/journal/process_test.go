//go:build unix

package journal

import (
	"fmt"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"

	"gatehouse/model"
)

// childVariable makes a run of the test binary a process that decides forty times. Its value is the directory of the journal.
const childVariable = "GATEHOUSE_JOURNAL_CHILD"

func TestMain(m *testing.M) {
	dir := os.Getenv(childVariable)
	if dir == "" {
		os.Exit(m.Run())
	}
	l := Open(nil, dir, "/x")
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
}

func TestProcesses(t *testing.T) {
	l := Open(nil, t.TempDir(), "/x")
	var all []*exec.Cmd
	for range 6 {
		self, err := os.Executable()
		must(t, err)
		cmd := exec.Command(self)
		cmd.Env = append(os.Environ(), childVariable+"="+l.dir, "GORACE=atexit_sleep_ms=0") // otherwise the race detector waits a second at the end
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
	if got := marked(ds); len(ids) != 240 || got != strings.TrimSpace(strings.Repeat("a ", 240)) {
		t.Errorf("%d decisions: %s", len(ids), got)
	}
}

func TestNotRegularFile(t *testing.T) {
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
