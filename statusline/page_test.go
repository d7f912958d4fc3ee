package statusline

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"gatehouse/model/line"
	"gatehouse/parse/gsd/core"
	"gatehouse/parse/nearest"
)

func TestFormats(t *testing.T) {
	const state = "---\nmilestone: v1\nmilestone_name: N\nstatus: executing\n---\n"
	dir := project(t, map[string]string{"STATE.md": state, "config.json": `{"statusline": {"state_format": "compact"}}`})
	for format, want := range map[Format]string{Configured: "v1 · executing\n", Compact: "v1 · executing\n", Full: "v1 N · executing\n"} {
		got := ReadLine(at(dir), Options{Format: format})
		if string(got.Text) != want || got.Compact != (format != Full) || !got.OK {
			t.Errorf("format %d: %q, want %q", format, got.Text, want)
		}
	}
}

func TestNothingToShow(t *testing.T) {
	for name, files := range map[string]map[string]string{
		"no project": nil, "empty": {"STATE.md": ""}, "NUL": {"STATE.md": strings.Repeat("\x00", 5000)}, "invisible": {"STATE.md": "---\nstatus: \u200b\u202e\n---\n"},
		"BOM": {"STATE.md": "\ufeff---\nstatus: x\n---\n"},
	} {
		if got := ReadLine(at(project(t, files)), Options{}); len(got.Text) > 0 {
			t.Errorf("%s: %q", name, got.Text)
		}
	}
}

func TestStrangeFiles(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"CR LF", "---\r\nmilestone: v1\r\nstatus: x\r\n---\r\n", "v1 · x\n"},
		{"NUL bytes", "---\nmilestone: v\x001\n---\n", "v\ufffd1\n"},
		{"bad UTF-8", "---\nmilestone: \xe2\x82v\xff1\n---\n", "\ufffdv\ufffd1\n"},
		{"5 MiB", "---\nmilestone: v1\n---\n" + strings.Repeat("All work and no play.\n", 5<<20/22) + "Phase: 1 of 2 (end)\n", "v1 · end (1/2)\n"},
		{"escape sequence", "---\nstatus: \x1b]52;c;x\x07\n---\n", "\ufffd]52;c;x\ufffd\n"},
		{"long", "---\nmilestone: " + strings.Repeat("é", 300) + "\n---\n", strings.Repeat("é", 128) + "\n"},
		{"shell", "---\nmilestone: $(x) `y` \\z\n---\n", "(x) 'y' /z\n"},
	} {
		if got := ReadLine(at(project(t, map[string]string{"STATE.md": c.text})), Options{}); string(got.Text) != c.want {
			t.Errorf("%s: %.200q, want %.200q", c.name, got.Text, c.want)
		}
	}
}

func TestExplanation(t *testing.T) {
	dir := project(t, map[string]string{"STATE.md": "---\nactive_phase: 4\n---\n", "config.json": "{}"})
	l := ReadLine(at(dir), Options{})
	got := string(l.AppendExplanation(nil, dir))
	want := "found:   gsd\nfile:    " + filepath.Join(dir, ".planning", "STATE.md") + "\nscene:   1 active, active_phase is set\n"
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	hostile := filepath.Join(t.TempDir(), "a\x1b]0;x\x07\nb")
	if err := os.Mkdir(hostile, 0o755); err != nil {
		t.Skip(err)
	}
	l = ReadLine(at(hostile), Options{})
	got = string(l.AppendExplanation(nil, hostile))
	if strings.ContainsAny(got, "\x1b\x07") || strings.Count(got, "\n") != 1 || !strings.Contains(got, "nothing") {
		t.Errorf("%q", got)
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
