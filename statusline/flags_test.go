package statusline

import (
	"strings"
	"testing"

	"gatehouse/parse/conformance"
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
	conformance.OwnRows(t, "parseflags.jsonl", func(t *testing.T, c struct {
		Args, Word string
	}) {
		if _, problem := ParseFlags(strings.Fields(c.Args)); !strings.Contains(problem, c.Word) {
			t.Errorf("%s: %q, want something with %q", c.Args, problem, c.Word)
		}
	})
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
	conformance.OwnRows(t, "readenvironment.jsonl", func(t *testing.T, c struct {
		Args, Columns string
		Want          int
	}) {
		command, problem := ParseFlags(strings.Fields(c.Args))
		command.ReadEnvironment(func(name string) string {
			if name == "COLUMNS" {
				return c.Columns
			}
			return ""
		})
		if command.Cols != c.Want || problem != "" {
			t.Errorf("%s, COLUMNS=%s: %d columns, %s", c.Args, c.Columns, command.Cols, problem)
		}
	})
}
