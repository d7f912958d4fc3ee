//go:build unix

// Package unprivileged runs tests again as a user without privileges, because permissions do not bind root.
package unprivileged

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// UID is the ID of that user and of its group.
const UID = 65534

// Command returns a command that runs the test binary as that user, in a directory of its own that is also the one for temporary files.
func Command(t *testing.T, args ...string) *exec.Cmd {
	t.Helper()
	dir, err := os.MkdirTemp("/tmp", "unprivileged-") // TMPDIR and the directory of the binary may be closed to others
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	binary, err := os.ReadFile(self)
	copied := filepath.Join(dir, "test")
	if err = errors.Join(err, os.WriteFile(copied, binary, 0o755), os.Chown(dir, UID, UID)); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(copied, args...)
	cmd.Dir, cmd.Env = dir, append(os.Environ(), "TMPDIR="+dir, "HOME="+dir)
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: UID, Gid: UID}}
	return cmd
}

// IsBound reports whether permissions bind this process. If not, it has run the test in another process, and the test is over.
func IsBound(t *testing.T) bool {
	t.Helper()
	if os.Getuid() != 0 {
		return true
	}
	Rerun(t, "^"+t.Name()+"$", t.Name())
	return false
}

// Rerun runs tests by a pattern as that user, one of which has to pass.
func Rerun(t *testing.T, pattern, passes string) {
	t.Helper()
	out, err := Command(t, "-test.run="+pattern, "-test.v").CombinedOutput()
	switch {
	case errors.Is(err, syscall.EPERM) || errors.Is(err, syscall.EACCES):
		t.Skip("no process can be started as another user here: ", err)
	case err != nil || !strings.Contains(string(out), "--- PASS: "+passes):
		t.Errorf("as another user: %v\n%s", err, out)
	}
}
