package statusline

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gatehouse/parse/agents/waiting"
	"gatehouse/parse/conformance"
	"gatehouse/parse/nearest"
)

// legible writes the color sequences of an agent's line as words in brackets.
var legible = strings.NewReplacer("\x1b[2m", "<", "\x1b[1m", "<b ", "\x1b[0m", ">", "\x1b[32m", "<green ", "\x1b[33m", "<yellow ",
	"\x1b[38;5;208m", "<orange ", "\x1b[5;31m", "<blink ", "\x1b[31m", "<red ").Replace

// lineRow is what the program prints in a directory of a project. DIR is the project's directory, and its user's home.
type lineRow struct {
	ID         string
	Files, Env map[string]string
	Asks       []string // waits of live agents: a directory, an ID and a kind
	Dir        string   // of the project
	Args       string   // with --json and --explain, what these print
	Input      string   // from an agent
	Want       *string  // the text without the last line break
	Says       []string // parts of the text
}

// TestLines shows the lines of projects: their places, forms and widths, strange files, hostile text, and what live agents ask.
func TestLines(t *testing.T) { conformance.OwnRows(t, "lines.jsonl", checkLineRow) }

// TestAgentLines shows lines in the layout of an agent: values of GSD's own hook, every field absent, null and of a wrong type, every
// setting, what the agent says about its session, hostile text, and narrow terminals.
func TestAgentLines(t *testing.T) { conformance.OwnRows(t, "claude.jsonl", checkLineRow) }

func checkLineRow(t *testing.T, r lineRow) {
	top, err := filepath.EvalSymlinks(t.TempDir())
	must(t, err)
	dir, store := filepath.Join(top, "app"), filepath.Join(top, "store")
	inDir := func(text string) string { return strings.ReplaceAll(text, "DIR", filepath.ToSlash(dir)) }
	if err := os.MkdirAll(filepath.Join(dir, r.Dir), 0o755); err != nil {
		t.Skip("not on this system: ", err)
	}
	for name, text := range r.Files {
		write(t, filepath.Join(dir, filepath.FromSlash(name)), inDir(text))
	}
	for _, wait := range r.Asks {
		words := strings.Fields(wait)
		name := waiting.Name{Project: waiting.Key(filepath.Join(dir, words[0])), Session: waiting.Key("claude 1"), ID: words[1], Kind: words[2]}
		write(t, filepath.Join(store, waiting.Dir, name.String()), "")
	}
	env := func(name string) string { return inDir(r.Env[name]) }
	c, problem := ParseFlags(strings.Fields(inDir(r.Args)))
	if problem != "" {
		t.Fatal(problem)
	}
	c.ReadEnvironment(env)
	place := nearest.Place{Dir: filepath.Join(dir, r.Dir), Home: dir, Env: env, Now: func() int64 { return 1_000_000 }, Asks: store}
	var l Line
	if c.Agent() {
		l = AgentLine(&place, []byte(inDir(r.Input)), &c)
	} else {
		l = ReadLine(place, c.Options)
	}
	text := l.Text
	if c.JSON {
		text = l.AppendJSON(nil)
	} else if c.Explain {
		text = l.AppendExplanation(nil, place.Dir)
	}
	got := legible(strings.TrimSuffix(string(text), "\n"))
	if r.Want != nil && got != inDir(*r.Want) {
		t.Errorf("%s %s:\n got %s\nwant %s", r.Args, r.Input, got, inDir(*r.Want))
	}
	for _, part := range r.Says {
		if !strings.Contains(got, part) {
			t.Errorf("%s: %s\nis without %s", r.Args, got, part)
		}
	}
}
