package statusline

import (
	"strings"
	"testing"
)

func TestParseFlags(t *testing.T) {
	for _, args := range []string{
		"", "--shell plain", "--shell=plain", "-shell plain", "--dir x --format full", "--dir=-x", "--format compact --explain", "--version", "--help", "-h",
		"--shell plain --shell defang", "--source auto", "--source=gsd", "--source all", "--color auto", "--color=never", "--cols 0", "--cols=80", "--alerts", "--json",
		"init bash", "init claude", "init --help", "init -h",
	} {
		if _, problem := ParseFlags(strings.Fields(args)); problem != "" {
			t.Errorf("%s: %s", args, problem)
		}
	}
	for args, word := range map[string]string{
		"--shell": "needs a value", "--shell tcsh": "plain", "--shell=": "plain", "--format long": "full, compact", "--format": "needs a value", "--dir=": "directory",
		"x": "--help", "--": "--help", "-": "--help", "--nope": "--help", "--explain=1": "no value", "---dir x": "--help", "--help=": "no value",
		"--source x": "auto, gsd, ultraplan, loop, fctry, speckit, openspec, kiro, bmad, taskmaster, format, all", "--source": "needs a value", "--color on": "auto, always, never", "--cols x": "number", "--cols=": "number", "--cols -1": "number",
		"--json=1": "no value", "init": "bash, zsh", "init csh": "bash, zsh", "init bash zsh": "bash, zsh", "init --help=1": "bash, zsh", "bash init": "--help",
	} {
		if _, problem := ParseFlags(strings.Fields(args)); !strings.Contains(problem, word) {
			t.Errorf("%s: %q, want something with %q", args, problem, word)
		}
	}
	c, _ := ParseFlags([]string{"--dir", "a b", "--format=compact", "--explain", "--shell", "plain"})
	if c.Dir != "a b" || c.Format != Compact || !c.Explain || c.Sink.name != "plain" || c.Help || c.Version {
		t.Errorf("%+v", c)
	}
	c, _ = ParseFlags([]string{"--source", "all", "--source=auto", "--color", "never", "--alerts"})
	if c.Source != "" || c.Color != ColorNever || !c.Alerts || c.JSON {
		t.Errorf("%+v", c)
	}
	if c, _ := ParseFlags([]string{"init", "fish"}); c.Init != "fish" {
		t.Errorf("%+v", c)
	}
	if c, _ := ParseFlags(nil); c.Sink.name != "" || string(c.Sink.escapeText(nil, []byte("`"))) != "'" {
		t.Errorf("without --shell the sink is %q", c.Sink.name)
	}
}

func TestReadEnvironment(t *testing.T) {
	for _, c := range []struct {
		args, columns string
		want          int
	}{
		{"", "80", 80}, {"", "", 0}, {"", "0", 0}, {"", "wide", 0}, {"", "-1", 0}, {"", "99999999999999999999", 0}, {"--cols 40", "80", 40}, {"--cols 0", "80", 0},
	} {
		command, problem := ParseFlags(strings.Fields(c.args))
		command.ReadEnvironment(func(name string) string {
			if name == "COLUMNS" {
				return c.columns
			}
			return ""
		})
		if command.Cols != c.want || problem != "" {
			t.Errorf("%s, COLUMNS=%s: %d columns, %s", c.args, c.columns, command.Cols, problem)
		}
	}
}
