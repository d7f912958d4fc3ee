package statusline

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
	"unicode"
	"unicode/utf8"

	"gatehouse/parse/nearest"
)

// checkAgentLine fails the test unless text is one line of valid UTF-8 without control characters except the layout's own sequences.
func checkAgentLine(t *testing.T, text string) {
	t.Helper()
	for _, code := range []string{bold, dim, red, green, amber, reset, meterHot, meterBurning} {
		text = strings.ReplaceAll(text, code, "")
	}
	if !utf8.ValidString(text) || len(text) > 16<<10 {
		t.Fatalf("%q", text)
	}
	for _, r := range text {
		if unicode.IsControl(r) || unicode.In(r, unicode.Cf, unicode.Zl, unicode.Zp) {
			t.Fatalf("%q holds U+%04X", text, r)
		}
	}
}

func FuzzAgentInput(f *testing.F) {
	for _, seed := range []string{
		`{}`, `{"model": {"display_name": "Sonnet 4.5 (1M context)"}, "context_window": {"remaining_percentage": 45.5, "total_tokens": 200000, "current_usage": {"input_tokens": 99950}}}`,
		`{"workspace": {"current_dir": "/a\u001b[31m/b\n"}, "session_id": "../x", "transcript_path": "/dev/zero"}`, `null`, `{"model": {"display_name": "\ud800\u202e ( ctx)"}}`,
		`{"context_window": {"remaining_percentage": -1e308, "total_tokens": 1e-308}}`, `{"workspace": {"current_dir": "../../.."}}`,
	} {
		f.Add(seed, "", uint8(0))
		f.Add(seed, "1", uint8(20))
	}
	home := f.TempDir()
	f.Fuzz(func(t *testing.T, input, window string, cols uint8) {
		c := Command{Dir: home} // so that only files of the test are read
		c.Sink, c.Colored, c.Cols = sinkNamed(t, agentSink), true, int(cols)
		place := nearest.Place{Dir: home, Home: home, Env: func(string) string { return window }}
		l := AgentLine(&place, []byte(input), &c)
		checkAgentLine(t, string(l.Text))
		agent, ok := parseAgentInput(input)
		if ok != (len(l.Text) > 0) {
			t.Fatalf("%q gives %q", input, l.Text)
		}
		if percent, ok := agent.context.usedPercent(window); ok && (percent < 0 || percent > 100) {
			t.Fatalf("%q: %d %%", input, percent)
		}
	})
}

// jsSpace and modelExpr are the rules of names as GSD has them: regular expressions, in Go's syntax with JavaScript's classes.
const jsSpace = `[\t-\r \x{a0}\x{1680}\x{2000}-\x{200a}\x{2028}\x{2029}\x{202f}\x{205f}\x{3000}\x{feff}]`

var modelExpr = regexp.MustCompile(`(?i)` + jsSpace + `*\(([^)]+?)` + jsSpace + `+(?:context|ctx)\)$`)

func FuzzModel(f *testing.F) {
	for _, seed := range []string{"Sonnet 4.5 (1M context)", "a ((b (c ctx)", "(  ctx)", "( \u00a0context)", "x) (y CTX)", "(a) context)", "\u3000(é\ufeffcontext)"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, name string) {
		// When ignoring case, JavaScript does not match these two letters with "s" and "k"; Go does.
		if !utf8.ValidString(name) || strings.ContainsAny(name, "\u017f\u212a") {
			return
		}
		want := modelExpr.ReplaceAllString(name, " ($1)")
		got, size, ok := shortModel(name)
		if ok {
			got += " (" + size + ")"
		}
		if got != want {
			t.Fatalf("%q: %q, want %q", name, got, want)
		}
	})
}

func TestFindTask(t *testing.T) {
	home := t.TempDir()
	task := func(name, form string, age time.Duration) {
		path := filepath.Join(home, "todos", name)
		write(t, path, `[{"status": "in_progress", "activeForm": "`+form+`"}]`)
		when := time.Now().Add(-age)
		must(t, os.Chtimes(path, when, when))
	}
	task("s1-agent-s1.json", "old", time.Hour)
	task("s1-agent-s2.json", "new", time.Minute)
	task("s1-agent-s3.txt", "no list", 0)
	task("s1.json", "no agent", 0)
	task("s2-agent-x.json", "other", 0)
	task("sub/s3-agent-x.json", "below", 0)
	write(t, filepath.Join(home, "outside-agent-x.json"), `[{"status": "in_progress", "activeForm": "outside"}]`)
	write(t, filepath.Join(home, "todos", "s4-agent-x.json"), "[{")
	for session, want := range map[string]string{
		"s1": "new", "s2": "other", "s1-agent-s1": "old", "": "", "none": "", "s4": "", "sub/s3": "", "../outside": "", `..\outside`: "", "..": "", ".": "", "/": "", "s1\x00": "",
	} {
		if got := findTask(home, session); got != want {
			t.Errorf("%q: %q, want %q", session, got, want)
		}
	}
	for _, config := range []string{"", filepath.Join(home, "none"), filepath.Join(home, "todos", "s1.json")} {
		if got := findTask(config, "s1"); got != "" {
			t.Errorf("%q: %q", config, got)
		}
	}
}

func TestFindLastCommand(t *testing.T) {
	dir := t.TempDir()
	for name, c := range map[string]struct{ text, want string }{
		"no line break": {`{"content":"<command-name>/gsd-plan</command-name>"}`, "gsd-plan"},
		"huge":          {strings.Repeat("x", 3<<20) + "<command-name>/a</command-name>\n" + strings.Repeat("y", 100<<10), "a"},
		"too far back":  {"<command-name>/a</command-name>" + strings.Repeat("y", transcriptTail), ""},
		"cut in a tag":  {"<command-name>/a</command-name>" + strings.Repeat("é", (transcriptTail-10)/2), ""},
		"empty":         {"", ""},
		"NUL":           {strings.Repeat("\x00", 300<<10) + "<command-name>/a\x00b</command-name>", "a\x00b"},
	} {
		path := filepath.Join(dir, name)
		must(t, os.WriteFile(path, []byte(c.text), 0o644))
		if got := findLastCommand(path); got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
	for _, path := range []string{"", dir, filepath.Join(dir, "none"), "/dev/zero", "a\x00b"} {
		if got := findLastCommand(path); got != "" {
			t.Errorf("%q: %q", path, got)
		}
	}
}
