package nearest

import (
	"os"
	"os/exec"
	"testing"
)

// TestTagAtHead checks which tag is found on the checked-out commit, however its reference is stored; "" if only git can find it.
func TestTagAtHead(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not installed")
	}
	dir := t.TempDir()
	for _, step := range []struct {
		args []string
		want string
	}{
		{[]string{"init", "-q"}, ""}, {[]string{"commit", "-q", "--allow-empty", "-m", "a"}, ""}, {[]string{"tag", "nightly"}, ""}, {[]string{"tag", "v1.0"}, "v1.0"}, {[]string{"pack-refs", "--all"}, "v1.0"},
		{[]string{"checkout", "-q", "--detach"}, "v1.0"}, {[]string{"tag", "v1.1"}, ""}, {[]string{"tag", "-d", "v1.0"}, "v1.1"}, {[]string{"commit", "-q", "--allow-empty", "-m", "b"}, ""},
		{[]string{"tag", "-a", "v2.0", "-m", "x"}, ""}, {[]string{"pack-refs", "--all"}, "v2.0"}, {[]string{"checkout", "-q", "HEAD~"}, "v1.1"},
	} {
		cmd := exec.Command("git", append([]string{"-c", "user.name=a", "-c", "user.email=a@b"}, step.args...)...)
		cmd.Dir, cmd.Env = dir, append(os.Environ(), "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_SYSTEM=/dev/null")
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", step.args, out)
		}
		if got := TagAtHead(Place{}, dir); got != step.want {
			t.Errorf("after %v: %q, want %q", step.args, got, step.want)
		}
	}
}
