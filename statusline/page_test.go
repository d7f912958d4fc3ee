package statusline

import (
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"gatehouse/model/line"
	"gatehouse/parse/conformance"
	"gatehouse/parse/gsd/core"
	"gatehouse/parse/nearest"
)

func TestLargeFile(t *testing.T) {
	text := "---\nmilestone: v1\n---\n" + strings.Repeat("All work and no play.\n", 5<<20/22) + "Phase: 1 of 2 (end)\n"
	if got := ReadLine(at(project(t, map[string]string{"STATE.md": text})), Options{}); string(got.Text) != "v1 · end (1/2)\n" {
		t.Errorf("%.200q", got.Text)
	}
}

func FuzzDefang(f *testing.F) {
	for _, seed := range []string{"$(x)", "$$((a[$(x)]))", "#{x} ##[y] #,", "\\044(x)", "`x`", "costs $5, 100$ and $", "#"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		checkDefanged(t, string(defangText(nil, []byte(line.Clean(text)))))
	})
}

// checkDefanged fails the test if an expansion could begin in text, or at its end.
func checkDefanged(t *testing.T, text string) {
	t.Helper()
	for _, danger := range []string{"$(", "${", "$[", "$_", "$$", "$#", "$a", "$Z", "`", `\`, "#(", "#{", "#[", "##", "#,"} {
		if strings.Contains(text, danger) {
			t.Errorf("%q survives in %q", danger, text)
		}
	}
	if strings.HasSuffix(text, "$") || strings.HasSuffix(text, "#") || string(defangText(nil, []byte(text))) != text {
		t.Errorf("%q is not defanged", text)
	}
}

func FuzzLine(f *testing.F) {
	for _, seed := range []string{
		"---\nmilestone: v2.0\nmilestone_name: $(touch x)\nstatus: `y`\nactive_phase: \"4.5\"\nprogress:\n  percent: 20\n---\n",
		"---\nnext_action: a\\b\nnext_phases:\n- \"#{x}\"\n- 2\n---\n", "Phase: 1 of 2 (a\nb)\nStatus: planning", "---\nstatus: \x1b[31m\xff\n---\n",
		"---\nmilestone: $\nstatus: (x)\n---\n", "---\nmilestone: #\n---\n",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, state string) {
		facts := core.ParseLine(state)
		for _, compact := range []bool{false, true} {
			safe := string(Render([]nearest.Found{{Facts: &facts, Compact: compact}}, Options{}))
			checkLine(t, safe)
			checkDefanged(t, strings.TrimSuffix(safe, "\n"))
			shown := string(Render([]nearest.Found{{Facts: &facts, Compact: compact}}, Options{Sink: sinkNamed(t, "plain")}))
			checkLine(t, shown)
		}
	})
}

// checkLine fails the test unless text is empty or one line of valid UTF-8 that moves no cursor.
func checkLine(t *testing.T, text string) {
	t.Helper()
	if text == "" {
		return
	}
	body, ended := strings.CutSuffix(text, "\n")
	if !ended || body == "" || !utf8.ValidString(body) || len(body) > 9*line.FieldLimit {
		t.Fatalf("%q", text)
	}
	for _, r := range body {
		if unicode.IsControl(r) || unicode.In(r, unicode.Cf, unicode.Zl, unicode.Zp) {
			t.Fatalf("%q holds U+%04X", text, r)
		}
	}
}

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
