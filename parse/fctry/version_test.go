package fctry

import (
	"os"
	"os/exec"
	"testing"

	"gatehouse/model/modeltest"
)

// TestVersion checks that without a version in config.json, the version is the last git tag before the checked-out commit.
func TestVersion(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not installed")
	}
	p := newProject(t, map[string]string{stateFile: "{}"})
	version := func() string { return modeltest.Metric(p.read(), "version") }
	for _, step := range []struct {
		args []string
		want string
	}{
		{[]string{"init", "-q"}, ""}, {[]string{"commit", "-q", "--allow-empty", "-m", "a"}, ""}, {[]string{"tag", "-a", "v1.0", "-m", "x"}, ""}, // git was queried a moment ago
		{[]string{"commit", "-q", "--allow-empty", "-m", "b"}, "1.0"}, {[]string{"tag", "v1.1"}, "1.1"}, {[]string{"commit", "-q", "--allow-empty", "-m", "c"}, "1.1"},
	} {
		cmd := exec.Command("git", append([]string{"-c", "user.name=a", "-c", "user.email=a@b"}, step.args...)...)
		cmd.Dir, cmd.Env = p.root, append(os.Environ(), "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_SYSTEM=/dev/null")
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", step.args, out)
		}
		if got := version(); got != step.want {
			t.Errorf("after %v: %q, want %q", step.args, got, step.want)
		}
	}
	p.put(configFile, `{"versions": {"external": {"current": "3.0"}}}`)
	if got := version(); got != "3.0" {
		t.Errorf("config.json has 3.0: %q", got)
	}
}
