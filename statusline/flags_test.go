package statusline

import (
	"strings"
	"testing"
)

func TestParseFlags(t *testing.T) {
	for _, args := range []string{
		"", "--shell plain", "--shell=plain", "-shell plain", "--dir x --format full", "--dir=-x", "--format compact --explain", "--version", "--help", "-h",
		"--shell plain --shell defang",
	} {
		if _, problem := ParseFlags(strings.Fields(args)); problem != "" {
			t.Errorf("%s: %s", args, problem)
		}
	}
	for args, word := range map[string]string{
		"--shell": "needs a value", "--shell tcsh": "plain", "--shell=": "plain", "--format long": "full, compact", "--format": "needs a value", "--dir=": "directory",
		"x": "--help", "--": "--help", "-": "--help", "--nope": "--help", "--explain=1": "no value", "---dir x": "--help", "--help=": "no value",
	} {
		if _, problem := ParseFlags(strings.Fields(args)); !strings.Contains(problem, word) {
			t.Errorf("%s: %q, want something with %q", args, problem, word)
		}
	}
	c, _ := ParseFlags([]string{"--dir", "a b", "--format=compact", "--explain", "--shell", "plain"})
	if c.Dir != "a b" || c.Format != Compact || !c.Explain || c.Sink.name != "plain" || c.Help || c.Version {
		t.Errorf("%+v", c)
	}
	if c, _ := ParseFlags(nil); c.Sink.name != "" || string(c.Sink.escape(nil, []byte("`"))) != "'" {
		t.Errorf("without --shell the sink is %q", c.Sink.name)
	}
}
