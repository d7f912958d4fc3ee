package statusline

import (
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"gatehouse/model/line"
	"gatehouse/parse/nearest"
)

// session is the place of an agent's line: a directory with or without a GSD project, and an environment.
type session struct {
	place nearest.Place
	dir   string
	env   map[string]string
}

func sessionIn(t testing.TB, files map[string]string) *session {
	dir := filepath.Join(t.TempDir(), "app")
	for name, text := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	s := &session{dir: dir, env: map[string]string{}}
	s.place = nearest.Place{Dir: dir, Home: dir, Env: func(name string) string { return s.env[name] }}
	return s
}

// line returns the line for input with these flags. The color sequences are written as words in brackets.
func (s *session) line(t testing.TB, input string, args ...string) string {
	t.Helper()
	c, problem := ParseFlags(append([]string{"--shell", "claude"}, args...))
	if problem != "" || !c.Agent() {
		t.Fatal(problem)
	}
	c.ReadEnvironment(s.place.Env)
	place := s.place
	return legible(string(new(AgentPage).AgentLine(&place, []byte(input), &c).Text))
}

var legible = strings.NewReplacer("\x1b[2m", "<", "\x1b[1m", "<b ", "\x1b[0m", ">", "\x1b[32m", "<green ", "\x1b[33m", "<yellow ",
	"\x1b[38;5;208m", "<orange ", "\x1b[5;31m", "<blink ", "\x1b[31m", "<red ").Replace

const (
	agentState = "---\nmilestone: v2.0\nmilestone_name: Code Quality\nstatus: executing\nactive_phase: \"4.5\"\nprogress:\n  percent: 59\n---\n"
	agentBuild = "v2.0 Code Quality [█████░░░░░] 59% · Phase 4.5 executing"
)

// TestAgentMeter checks values of GSD projects against GSD's own hook, the limits of the colors, and JavaScript's treatment of odd
// numbers.
func TestAgentMeter(t *testing.T) {
	for _, c := range []struct {
		context, window, want string
	}{
		{`{"remaining_percentage": 100}`, "", "<green ░░░░░░░░░░ 0%>"},
		{`{"remaining_percentage": 90}`, "", "<green █░░░░░░░░░ 12%>"},
		{`{"remaining_percentage": 58}`, "", "<yellow █████░░░░░ 50%>"},
		{`{"remaining_percentage": 45}`, "", "<orange ██████░░░░ 66%>"},
		{`{"remaining_percentage": 33}`, "", "<blink 💀 ████████░░ 80%>"},
		{`{"remaining_percentage": 16.5}`, "", "<blink 💀 ██████████ 100%>"},
		{`{"remaining_percentage": 0}`, "", "<blink 💀 ██████████ 100%>"},
		{`{"remaining_percentage": -5}`, "", "<blink 💀 ██████████ 100%>"},
		{`{"remaining_percentage": 250}`, "", "<green ░░░░░░░░░░ 0%>"},
		{`{"remaining_percentage": 1e999}`, "", "<green ░░░░░░░░░░ 0%>"},
		{`{"remaining_percentage": 58.7}`, "", "<green ████░░░░░░ 49%>"},  // 49.46
		{`{"remaining_percentage": 58.6}`, "", "<yellow █████░░░░░ 50%>"}, // 49.58
		{`{"remaining_percentage": 45.8}`, "", "<orange ██████░░░░ 65%>"},
		{`{"remaining_percentage": 46.2}`, "", "<yellow ██████░░░░ 64%>"},
		{`{"remaining_percentage": 33.6}`, "", "<blink 💀 ████████░░ 80%>"}, // 79.52
		{`{"remaining_percentage": 33.9}`, "", "<orange ███████░░░ 79%>"},  // 79.16
		{`{"remaining_percentage": 50, "total_tokens": 200000}`, "", "<yellow ██████░░░░ 60%>"},
		{`{"remaining_percentage": 50}`, "1000000", "<yellow █████░░░░░ 50%>"},
		{`{"remaining_percentage": 50, "total_tokens": 200000}`, "100000", "<blink 💀 ██████████ 100%>"},
		{`{"remaining_percentage": 75, "total_tokens": 200000}`, "100000", "<yellow █████░░░░░ 50%>"},
		{`{"remaining_percentage": 75, "total_tokens": 200000}`, " 100000 tokens", "<yellow █████░░░░░ 50%>"},
		{`{"remaining_percentage": 75, "total_tokens": 200000}`, "900000", "<green ██░░░░░░░░ 25%>"},
		{`{"remaining_percentage": 90, "total_tokens": 0}`, "500000", "<green ██░░░░░░░░ 20%>"},
		{`{"remaining_percentage": 90}`, "0", "<green █░░░░░░░░░ 12%>"},
		{`{"remaining_percentage": 90}`, "-7", "<green █░░░░░░░░░ 12%>"},
		{`{"remaining_percentage": 90}`, "x", "<green █░░░░░░░░░ 12%>"},
		{`{"remaining_percentage": 90, "total_tokens": -1}`, "5", "<blink 💀 ██████████ 100%>"},
		{`{"remaining_percentage": 100, "total_tokens": -1}`, "5", ""}, // GSD: NaN%
		{`{"remaining_percentage": 90, "total_tokens": "x"}`, "", "<green █░░░░░░░░░ 12%>"},
		{`{}`, "", ""}, {`{"remaining_percentage": null}`, "", ""}, {`{"remaining_percentage": "50"}`, "", ""}, {`{"remaining_percentage": true}`, "", ""},
		{`{"remaining_percentage": [50]}`, "", ""}, {`null`, "", ""}, {`5`, "", ""}, {`"x"`, "", ""},
	} {
		s := sessionIn(t, map[string]string{".planning/config.json": "{}"})
		s.env["CLAUDE_CODE_AUTO_COMPACT_WINDOW"] = c.window
		want := "<Claude> │ <app>"
		if c.want != "" {
			want += " " + c.want
		}
		if got := s.line(t, `{"context_window": `+c.context+`}`); got != want {
			t.Errorf("%s, window %q:\n got %s\nwant %s", c.context, c.window, got, want)
		}
	}
}

func TestAgentTokens(t *testing.T) {
	for usage, want := range map[string]string{
		`{"input_tokens": 156000}`: " (156k)", `{"input_tokens": 1}`: " (1)", `{"input_tokens": 999}`: " (999)", `{"input_tokens": 1000}`: " (1k)",
		`{"input_tokens": 1, "cache_creation_input_tokens": 20, "cache_read_input_tokens": 300, "output_tokens": 4000}`: " (4k)",
		`{"input_tokens": 1499}`: " (1k)", `{"input_tokens": 1500}`: " (2k)", `{"input_tokens": 999499}`: " (999k)", `{"input_tokens": 999500}`: " (1.0M)",
		`{"input_tokens": 1049999}`: " (1.0M)", `{"input_tokens": 1050000}`: " (1.1M)", `{"input_tokens": 1150000}`: " (1.1M)", `{"input_tokens": 1250000}`: " (1.3M)",
		`{"input_tokens": 1350000}`: " (1.4M)", `{"input_tokens": 12345678}`: " (12.3M)", `{"input_tokens": 0}`: "", `{"input_tokens": -5}`: "", `{}`: "", `null`: "", `5`: "",
		`{"input_tokens": null, "output_tokens": 7}`: " (7)", `{"input_tokens": "x", "output_tokens": 7}`: " (7)", `{"input_tokens": 1e30}`: "",
	} {
		s := sessionIn(t, map[string]string{".planning/config.json": `{"statusline": {"show_context_tokens": true}}`})
		got := s.line(t, `{"context_window": {"remaining_percentage": 90, "current_usage": `+usage+`}}`)
		if want := "<Claude> │ <app> <green █░░░░░░░░░ 12%" + want + ">"; got != want {
			t.Errorf("%s:\n got %s\nwant %s", usage, got, want)
		}
	}
}

func TestAgentModel(t *testing.T) {
	for name, want := range map[string]string{
		"Opus": "Opus", "Sonnet 4.5 (1M context)": "Sonnet 4.5 (1M)", "Sonnet 4.5 (500K CTX)": "Sonnet 4.5 (500K)", "X(1M  Context)": "X (1M)", "X   (1M context)": "X (1M)",
		"X (1M context) ": "X (1M context) ", "X (context)": "X (context)", "X ( context)": "X ( context)", "X (  context)": "X ( )", "X (1Mcontext)": "X (1Mcontext)",
		"X (a) (1M context)": "X (a) (1M)", "X (a (1M context)": "X (a (1M)", "X (a) 1M context)": "X (a) 1M context)", "(1M context)": " (1M)",
		"X (1M contexts)": "X (1M contexts)", "X (very large context)": "X (very large)", "X ((ctx ctx)": "X ((ctx)", "Fable ✓": "Fable ✓",
	} {
		s := sessionIn(t, nil)
		if got := s.line(t, `{"model": {"display_name": "`+name+`"}}`); got != "<"+want+"> │ <app>" {
			t.Errorf("%q: %s, want <%s> │ <app>", name, got, want)
		}
	}
}

// TestAgentFields omits, nulls and mistypes each field.
func TestAgentFields(t *testing.T) {
	s := sessionIn(t, map[string]string{".planning/STATE.md": agentState, "sub/x": ""})
	const none = "<Claude> │ <" + agentBuild + "> │ <app>"
	for input, want := range map[string]string{
		`{}`: none, ` {"a": [1, {"model": {"display_name": "no"}}]} `: none,
		`{"model": null, "workspace": null, "session_id": null, "transcript_path": null, "context_window": null}`:                                                                      none,
		`{"model": {"display_name": null}, "workspace": {"current_dir": null}, "context_window": {"remaining_percentage": null, "total_tokens": null, "current_usage": null}}`:         none,
		`{"model": 5, "workspace": [], "session_id": {}, "transcript_path": 7, "context_window": "x"}`:                                                                                 none,
		`{"model": {"display_name": 5}, "workspace": {"current_dir": true}, "session_id": [], "context_window": {"remaining_percentage": {}, "total_tokens": [], "current_usage": 1}}`: none,
		`{"model": {"display_name": ""}, "workspace": {"current_dir": ""}, "session_id": "", "transcript_path": ""}`:                                                                   none,
		`{"model": {"display_name": "A"}, "model": {"display_name": "B"}}`:                                                                                                             "<B> │ <" + agentBuild + "> │ <app>",
		`[]`: none, `5`: none, `"x"`: none, `true`: none,
		`null`: "", ``: "", `{`: "", `{"model": }`: "", `{} x`: "", "\ufeff{}": "", `{'a': 1}`: "", `{"model": {"display_name": "A"},}`: "",
		`{"workspace": {"current_dir": "sub"}}`:                              "<Claude> │ <" + agentBuild + "> │ <sub>",
		`{"workspace": {"current_dir": "` + slashed(s.dir) + `/sub//"}}`:     "<Claude> │ <" + agentBuild + "> │ <sub>",
		`{"workspace": {"current_dir": "/"}}`:                                "<Claude> │ <>",
		`{"workspace": {"current_dir": "` + slashed(s.dir) + `/none/here"}}`: "<Claude> │ <" + agentBuild + "> │ <here>",
	} {
		if got := s.line(t, input); got != want {
			t.Errorf("%s:\n got %s\nwant %s", input, got, want)
		}
	}
	if got, want := s.line(t, `{"workspace": {"current_dir": "/"}}`, "--dir", filepath.Join(s.dir, "sub")), "<Claude> │ <"+agentBuild+"> │ <app>"; got != want && got != strings.Replace(want, "<app>", "<sub>", 1) {
		t.Errorf("--dir: %s", got)
	}
}

func slashed(path string) string { return strings.ReplaceAll(filepath.ToSlash(path), `\`, "/") }

// TestAgentConfiguration tries each key flat and nested, and slightly wrong values.
func TestAgentConfiguration(t *testing.T) {
	const input = `{"transcript_path": "TRANSCRIPT", "context_window": {"remaining_percentage": 90, "current_usage": {"input_tokens": 156000}}}`
	const meter, tokens = "<green █░░░░░░░░░ 12%>", "<green █░░░░░░░░░ 12% (156k)>"
	const model, build, dir, git, last = "<Claude>", " │ <" + agentBuild + ">", " │ <app>", " │ <main>", " │ <last: /gsd-plan>"
	for config, want := range map[string]string{
		"":     model + build + dir + " " + meter,
		"{}":   model + build + dir + " " + meter,
		"null": model + build + dir + " " + meter,
		`{"statusline": {"context_position": "front"}}`:                                              model + " " + meter + build + dir,
		`{"statusline.context_position": "front"}`:                                                   model + " " + meter + build + dir,
		`{"statusline": {"context_position": "middle"}}`:                                             model + build + dir + " " + meter,
		`{"statusline": {"context_position": ["front"]}}`:                                            model + build + dir + " " + meter,
		`{"statusline": {"context_position": "front"}, "statusline.context_position": null}`:         model + build + dir + " " + meter,
		`{"statusline": {"show_git": true}}`:                                                         model + build + dir + git + " " + meter,
		`{"statusline.show_git": true}`:                                                              model + build + dir + git + " " + meter,
		`{"statusline": {"show_git": true}, "statusline.show_git": false}`:                           model + build + dir + " " + meter,
		`{"statusline": {"show_git": "true"}}`:                                                       model + build + dir + " " + meter,
		`{"statusline": {"show_git": 1}}`:                                                            model + build + dir + " " + meter,
		`{"statusline": {"show_last_command": true}}`:                                                model + build + dir + " " + meter + last,
		`{"statusline.show_last_command": true, "statusline": []}`:                                   model + build + dir + " " + meter + last,
		`{"statusline": {"show_context_tokens": true}}`:                                              model + build + dir + " " + tokens,
		`{"statusline": {"show_context_tokens": {}}}`:                                                model + build + dir + " " + meter,
		`{"statusline": {"state_format": "compact"}}`:                                                model + " │ <v2.0 · P4.5 · executing>" + dir + " " + meter,
		`{"statusline": {"show_git": true, "show_last_command": true, "context_position": "front"}}`: model + " " + meter + build + dir + git + last,
		`{"statusline": {"show_git": true, "show_last_command": true, "show_context_tokens": true}}`: model + build + dir + git + " " + tokens + last,
		`{"statusline": {"show_git": true},}`:                                                        model + build + dir + " " + meter,
	} {
		s := sessionIn(t, map[string]string{
			".planning/STATE.md": agentState, ".git/HEAD": "ref: refs/heads/main\n", "t.jsonl": `{"x": "<command-name>/gsd-plan</command-name>"}`,
		})
		if config != "" {
			write(t, filepath.Join(s.dir, ".planning", "config.json"), config)
		}
		got := s.line(t, strings.Replace(input, "TRANSCRIPT", slashed(s.dir)+"/t.jsonl", 1))
		if got != want {
			t.Errorf("%s:\n got %s\nwant %s", config, got, want)
		}
	}
}

func TestAgentTask(t *testing.T) {
	s := sessionIn(t, map[string]string{
		".planning/STATE.md": agentState, ".claude/todos/abc-agent-abc.json": `[{"status": "in_progress", "activeForm": "Writing tests"}]`,
		"other/todos/abc-agent-abc.json": `[{"status": "in_progress", "activeForm": "Elsewhere"}]`,
		"blank/todos/abc-agent-abc.json": `[{"status": "in_progress", "activeForm": "\u200b"}]`,
	})
	for config, want := range map[string]string{"": "<b Writing tests>", "other": "<b Elsewhere>", "none": "<" + agentBuild + ">", "blank": "<" + agentBuild + ">"} {
		s.env["CLAUDE_CONFIG_DIR"] = ""
		if config != "" {
			s.env["CLAUDE_CONFIG_DIR"] = filepath.Join(s.dir, config)
		}
		if got := s.line(t, `{"session_id": "abc"}`); got != "<Claude> │ "+want+" │ <app>" {
			t.Errorf("%q: %s", config, got)
		}
	}
}

func TestAgentGit(t *testing.T) {
	s := sessionIn(t, map[string]string{".git/HEAD": "0123456789abcdef0123456789abcdef01234567\n"})
	for _, args := range [][]string{{"--git"}, {"--git=dirty"}} { // no git in this environment's PATH: the branch alone
		if got := s.line(t, "{}", args...); got != "<Claude> │ <app> │ <0123456>" {
			t.Errorf("%s: %s", args, got)
		}
	}
}

// TestAgentHostile checks that no text from outside can move the cursor.
func TestAgentHostile(t *testing.T) {
	const evil = `\u001b]0;x\u0007a\n\u202eb\u0000`
	name := "\x1b]0;x\x07d"
	s := sessionIn(t, map[string]string{
		name + "/.planning/STATE.md": "---\nmilestone: \x1b[31m\nstatus: a\x07\n---\n", name + "/.git/HEAD": "ref: refs/heads/\x1b[5mx\n",
		name + "/.planning/config.json":    `{"statusline": {"show_git": true, "show_last_command": true}}`,
		name + "/t":                        "<command-name>\x1b[31m\u202e</command-name>",
		".claude/todos/abc-agent-abc.json": `[{"status": "in_progress", "activeForm": "` + evil + `"}]`,
	})
	dir := strings.ReplaceAll(strings.ReplaceAll(slashed(filepath.Join(s.dir, name)), "\x1b", `\u001b`), "\x07", `\u0007`)
	input := `{"model": {"display_name": "` + evil + `"}, "workspace": {"current_dir": "` + dir + `"}, "transcript_path": "` + dir + `/t", "session_id": "abc"}`
	want := "<\ufffd]0;x\ufffda b\ufffd> │ <b \ufffd]0;x\ufffda b\ufffd> │ <\ufffd]0;x\ufffdd> │ <\ufffd[5mx> │ <last: /\ufffd[31m>"
	if got := s.line(t, input); got != want {
		t.Errorf("\n got %q\nwant %q", got, want)
	}
}

func TestAgentColorsAndWidth(t *testing.T) {
	s := sessionIn(t, map[string]string{
		".planning/STATE.md": agentState, ".git/HEAD": "ref: refs/heads/main\n",
		".planning/config.json": `{"statusline": {"show_git": true, "show_last_command": true}}`, "t": "<command-name>x</command-name>",
	})
	input := `{"transcript_path": "` + slashed(s.dir) + `/t", "context_window": {"remaining_percentage": 33}}`
	const meter = "💀 ████████░░ 80%"
	const whole = "Claude │ " + agentBuild + " │ app │ main " + meter + " │ last: /x"
	fits, less := strconv.Itoa(line.Width(whole)+agentMargin), strconv.Itoa(line.Width(whole)+agentMargin-1)
	for _, c := range []struct{ args, want string }{
		{"--color never", whole}, {"--color=never --cols 0", whole}, {"--color=never --cols " + fits, whole},
		{"--color=never --cols " + less, "Claude │ " + agentBuild + " │ app │ main " + meter},
		{"--color=never --cols 99", "Claude │ " + agentBuild + " │ app " + meter},
		{"--color=never --cols 92", agentBuild + " " + meter},
		{"--color=never --cols 50", "v2.0 Code Quality [█████░░… " + meter},
		{"--color=never --cols 10", meter},
		{"--color=always --cols 50", "<v2.0 Code Quality [█████░░…> <blink " + meter + ">"},
	} {
		if got := s.line(t, input, strings.Fields(c.args)...); got != c.want {
			t.Errorf("%s:\n got %s\nwant %s", c.args, got, c.want)
		}
	}
	s.env["NO_COLOR"] = "1"
	if got := s.line(t, input); got != whole {
		t.Errorf("NO_COLOR: %s", got)
	}
}

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
	pg := new(AgentPage)
	f.Fuzz(func(t *testing.T, input, window string, cols uint8) {
		c := Command{Dir: home} // so that only files of the test are read
		c.Sink, c.Colored, c.Cols = sinkNamed(t, agentSink), true, int(cols)
		place := nearest.Place{Dir: home, Home: home, Env: func(string) string { return window }}
		l := pg.AgentLine(&place, []byte(input), &c)
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
