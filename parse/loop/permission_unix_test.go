//go:build unix

package loop

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"gatehouse/model"
)

// TestUnreadableDirectoryOfDefinitions holds that a loop waits as a whole if its definition may be in a directory that can't be read.
func TestUnreadableDirectoryOfDefinitions(t *testing.T) {
	if os.Geteuid() == 0 { // root can read everything
		runUnprivileged(t)
		return
	}
	r := kite(t, stateText("active", sewing, allOpen), map[string]string{"loop.json": "", "loops/x": "x"})
	loops := filepath.Join(r.m.Root(), "loops")
	must(t, os.Chmod(loops, 0))
	defer os.Chmod(loops, 0o700)
	b := r.Read(noon)
	if b.Unread != "loops/kite-loop/loop.json can't be read, so its gates are unknown" || b.Status != model.Waiting {
		t.Errorf("unread %q, status %s", b.Unread, b.Status)
	}
}

// runUnprivileged runs the calling test again as a user without privileges.
func runUnprivileged(t *testing.T) {
	t.Helper()
	const nobody = 65534
	dir, err := os.MkdirTemp("/tmp", "gatehouse-loop-")
	must(t, err)
	defer os.RemoveAll(dir)
	self, err := os.Executable()
	must(t, err)
	program, err := os.ReadFile(self)
	must(t, err)
	copied := filepath.Join(dir, "test")
	must(t, errors.Join(os.WriteFile(copied, program, 0o755), os.Chown(dir, nobody, nobody)))
	cmd := exec.Command(copied, "-test.run=^"+t.Name()+"$", "-test.v")
	cmd.Dir, cmd.Env = dir, append(os.Environ(), "TMPDIR="+dir, "HOME="+dir)
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: nobody, Gid: nobody}}
	out, err := cmd.CombinedOutput()
	if errors.Is(err, syscall.EPERM) {
		t.Skip("this machine does not let a test run as another user: ", err)
	}
	if err != nil || !strings.Contains(string(out), "--- PASS: "+t.Name()) {
		t.Errorf("%v\n%s", err, out)
	}
}
