package main

// Text from files can't pass for text of Gatehouse. Every text in projects of all protocols tries to imitate Gatehouse's output.
// Every command is run on them, as text on a terminal and in a pipe, and as JSON.

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"gatehouse/model"
	"gatehouse/model/line"
	"gatehouse/parse"
	"gatehouse/parse/agents/ask"
	"gatehouse/parse/disk/process"
)

// forged returns the text: words that show where a row is broken, signs, several kinds of blanks, and terminal escapes.
func forged() string {
	words := []string{"zz01", "◆zs┃zs", "✓zs", "zs█zs", "≠zs", "za      zb", "za\u00a0\u3000\u2003zb", "za\t\t \u200b zb", "zc · zd", "zc → zd", "\x1b[2J\u202e\u009b\ufe0f", "\x1b]0;zt\a"}
	for i := 2; i < 30; i++ {
		words = append(words, fmt.Sprintf("zz%02d", i))
	}
	return strings.Join(words, " ")
}

// forgeProjects writes the projects into a directory and returns the directory of each.
func forgeProjects(t *testing.T, dir string) map[string]string {
	t.Helper()
	must(t, unpack("forged", dir))
	quoted := line.AppendJSONString(nil, forged()+"\n◆ waits  zn")
	inJSON := string(quoted[1 : len(quoted)-1])
	err := filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		with := forged()
		if filepath.Ext(path) == ".json" {
			with = inJSON
		}
		var out strings.Builder
		for row := range strings.Lines(string(text)) {
			if strings.Contains(row, `"@@`) || strings.Contains(row, `: @@"`) { // quoted in YAML, too
				row = strings.ReplaceAll(row, "@@", inJSON)
			}
			out.WriteString(strings.ReplaceAll(row, "@@", with))
		}
		return os.WriteFile(path, []byte(out.String()), 0o644)
	})
	must(t, err)
	if runtime.GOOS != "windows" { // names of files and directories are foreign text, too
		name := "za    zb◆zs\u202e\x1b[2Jy"
		must(t, os.MkdirAll(filepath.Join(dir, "gsd", ".planning", "phases", "04-"+name), 0o755))
		plan := filepath.Join(dir, "gsd", ".planning", "phases", "04-"+name, "04-01-"+name+"-PLAN.md")
		must(t, os.WriteFile(plan, []byte("---\nwave: [\n---\n"), 0o644))
		for _, project := range []string{"loop", "ultraplan"} {
			must(t, os.Rename(filepath.Join(dir, project), filepath.Join(dir, project+name)))
		}
	}
	must(t, date(dir, written))
	places := map[string]string{}
	entries, err := os.ReadDir(dir)
	must(t, err)
	for _, e := range entries {
		for _, protocol := range []string{"gsd", "ultraplan", "loop", "fctry"} {
			if strings.HasPrefix(e.Name(), protocol) {
				places[protocol] = filepath.Join(dir, e.Name())
			}
		}
	}
	return places
}

// paths are the fields that name files. They are not changed.
var paths = map[string]bool{"File": true, "Dir": true, "Root": true, "Project": true, "Opens": true}

// TestForgedModel checks that every text of a model is tidy: clean, and without runs of blanks.
func TestForgedModel(t *testing.T) {
	for protocol, dir := range forgeProjects(t, t.TempDir()) {
		p, err := parse.Open(dir, parse.User{Journal: t.TempDir(), Name: "u"})
		must(t, err)
		read := p.Read(today)
		if len(read.Builds) == 0 {
			t.Fatalf("%s: no build", protocol)
		}
		found := 0
		var walk func(v reflect.Value, at string)
		walk = func(v reflect.Value, at string) {
			switch v.Kind() {
			case reflect.Pointer, reflect.Interface:
				if !v.IsNil() {
					walk(v.Elem(), at)
				}
			case reflect.Struct:
				for i := range v.NumField() {
					if f := v.Type().Field(i); f.IsExported() && !paths[f.Name] && f.Name != "Header" && f.Name != "Claimed" {
						walk(v.Field(i), at+"."+f.Name)
					}
				}
			case reflect.Slice:
				for i := range v.Len() {
					walk(v.Index(i), at+"[]")
				}
			case reflect.String:
				s := v.String()
				if strings.Contains(s, "zz01") {
					found++
				}
				if tidy := line.Tidy(s); tidy != s && !strings.HasSuffix(at, ".ID") && !strings.HasSuffix(at, ".Node") && !strings.Contains(at, "DependsOn") {
					t.Errorf("%s: %s is %q, want %q", protocol, at, s, tidy)
				}
			}
		}
		walk(reflect.ValueOf(read), "")
		if found < 15 {
			t.Errorf("%s: only %d forged texts came into the model: the files are not read as they are meant to be", protocol, found)
		}
	}
}

// readForgedCommands returns the arguments of the commands in testdata/forged.rows, by their paths.
func readForgedCommands(t *testing.T) map[string][]string {
	t.Helper()
	text, err := os.ReadFile("testdata/forged.rows")
	must(t, err)
	commands := map[string][]string{}
	for l := range strings.Lines(string(text)) {
		path, arguments, isRow := strings.Cut(strings.TrimSpace(l), "|")
		if path = strings.TrimSpace(path); !isRow || strings.HasPrefix(l, "#") {
			continue
		}
		commands[path] = append(nonNil(commands[path]), slices.DeleteFunc([]string{strings.TrimSpace(arguments) + " "}, func(a string) bool { return a == " " })...)
	}
	return commands
}

// TestForgedCommands runs every command on every project.
func TestForgedCommands(t *testing.T) {
	forgedCommands := readForgedCommands(t)
	var known func(*cobra.Command, string)
	known = func(c *cobra.Command, path string) {
		if forgedCommands[path] == nil && !strings.HasPrefix(path, "completion ") {
			t.Errorf("gatehouse %s is not tried", path)
		}
		for _, below := range c.Commands() {
			known(below, strings.TrimSpace(path+" "+below.Name()))
		}
	}
	known(newRoot(&env{}), "")
	dir := t.TempDir()
	places := forgeProjects(t, dir)
	asks := forgeAsks(t, dir)
	asks["FLEET"], asks["FORGED"] = line.Foreign(forged()), forged()
	for path, lines := range forgedCommands {
		for _, arguments := range lines {
			only, rest, one := strings.Cut(arguments, ": ")
			if !one {
				rest = arguments
			}
			for protocol, place := range places {
				if one && protocol != only {
					continue
				}
				words := strings.Fields(path + " " + rest)
				for i := range words {
					words[i] = strings.ReplaceAll(words[i], "DIR", place)
					if id := asks[words[i]]; id != "" {
						words[i] = id
					}
				}
				if path == "" {
					words = append(words, place)
				}
				t.Run(protocol+": gatehouse "+path+" "+rest, func(t *testing.T) {
					t.Parallel() // some commands wait for a file that may be half-written
					runForged(t, dir, words)
				})
			}
		}
	}
}

func forgedEnv(dir string) *env {
	return &env{
		stdin: strings.NewReader(`{"session_id":"s","hook_event_name":"PermissionRequest`), now: func() time.Time { return today }, environ: []string{"LANG=C.UTF-8"},
		user: parse.User{Name: "u", Home: dir, Journal: filepath.Join(dir, "journal")}, agents: filepath.Join(dir, "agents"),
		configFile: filepath.Join(dir, "config", "config.yaml"), processes: orphaned{process.System{}, os.Getpid()},
	}
}

// forgeAsks makes agents ask, and returns the IDs.
func forgeAsks(t *testing.T, dir string) map[string]string {
	t.Helper()
	text := forged() + "\n◆ waits  zn"
	asks := map[string]model.Ask{
		"QUESTION": {Kind: ask.Question, Questions: []ask.Queried{{Text: text, Multi: true, Options: []ask.Option{{Label: text, Description: text, Preview: text}}}, {Text: text, Own: true}}},
		"PLAN":     {Kind: ask.Plan, Text: text, Plan: text, File: text},
		"CALL":     {Kind: ask.Permission, Text: text, Call: &ask.Call{Tool: text, Input: text, Reason: text, Dangers: []ask.Danger{{Part: text, Why: text}}}},
		"DENIED":   {Kind: ask.Permission, Text: text},
	}
	ids := map[string]string{}
	store := forgedEnv(dir).openAsks()
	for word, a := range asks {
		a.Agent, a.Session, a.Subagent, a.Project, a.Dir = text, text, text, dir+"/"+text, dir+"/"+text
		for ids[word] == "" || ids[word][0] == 'z' { // an ID like that would pass for forged text
			asked, err := store.Ask(ask.Ask{Ask: a, Kept: true})
			must(t, err)
			id := asked.Ask.ID
			if ids[word] = id; id[0] == 'z' {
				files, _ := filepath.Glob(filepath.Join(dir, "agents", "waiting", "*."+id+".*"))
				for _, file := range files {
					os.Remove(file)
				}
			}
		}
	}
	if _, err := store.Answer(ids["DENIED"], ask.Answer{Text: "because of the tide"}, ask.ByCommand); err != nil {
		t.Fatal(err)
	}
	return ids
}

// forgeFleet writes a fleet.json that was edited by hand, with names as forged as accepted names can be. It has no keys, so nothing is
// connected to.
func forgeFleet(t *testing.T, file string) {
	t.Helper()
	type object = map[string]any
	name := line.Foreign(forged())
	member := object{"name": name, "key": "nothing"}
	data, err := json.Marshal(object{"fleets": object{name: object{"hub": []string{"nats://127.0.0.1:1"}, "host": member, "user": member,
		"ssh": []object{{"target": "build-8", "name": name}}}}})
	must(t, err)
	must(t, os.WriteFile(file, data, 0o600))
}

// runForged runs a command on a terminal, into a pipe and for JSON.
func runForged(t *testing.T, dir string, words []string) {
	for _, way := range []string{"terminal", "pipe", "json"} {
		var stdout, stderr bytes.Buffer
		s := forgedEnv(dir)
		s.configFile = filepath.Join(t.TempDir(), "config.yaml") // a copy for each command: a command may add a key
		forgeFleet(t, filepath.Join(filepath.Dir(s.configFile), "fleet.json"))
		s.stdout, s.stderr = &stdout, &stderr
		args := words
		switch way {
		case "terminal":
			s.terminal, s.width, s.errWidth = true, 80, 80
		case "json":
			args = append(args[:len(args):len(args)], "--json")
		}
		run(t.Context(), s, args)
		if way == "json" && strings.Contains(stderr.String(), "unknown flag: --json") {
			return
		}
		for name, text := range map[string]string{"stdout": stdout.String(), "stderr": stderr.String()} {
			if found := harm(text); found != "" {
				t.Errorf("%s, %s %s", way, name, found)
			}
			if name == "stdout" && strings.HasPrefix(text, "{") {
				checkForgedJSON(t, text)
				continue
			}
			for row := range strings.SplitSeq(text, "\n") {
				checkForgedText(t, way+", "+name, row, s.width)
			}
		}
		if t.Failed() {
			t.Logf("%s", stdout.String())
			return
		}
	}
}

var (
	forgedSign  = regexp.MustCompile(`[^\x00-\x7F▫…│╭╮╰╯\x{FFFD}]zs|zs[^\x00-\x7F▫…│╭╮╰╯\x{FFFD}]`)
	forgedJoint = regexp.MustCompile(`zc [^\x00-\x7F] zd`)
	forgedBlank = regexp.MustCompile(`za(\s{2,}|[^\x00-\x7F]+)zb`)
	forgedRow   = regexp.MustCompile(`^\s*(zz(0[2-9]|[1-9]\d)|z[abn]|◆ waits  zn)`)
)

// checkForgedText fails the test for a row that could pass for one of ours.
func checkForgedText(t *testing.T, where, row string, width int) {
	t.Helper()
	if width > 0 && utf8.RuneCountInString(row) > width {
		t.Errorf("%s: longer than the terminal is wide: %q", where, row)
	}
	for _, forbidden := range []*regexp.Regexp{forgedSign, forgedJoint, forgedBlank, forgedRow} {
		if found := forbidden.FindString(row); found != "" {
			t.Errorf("%s: %q in %q", where, found, row)
		}
	}
}

// checkForgedJSON fails the test for a text in a document that acts on a terminal or hides something when it is read. Names of
// files are unchanged, and so are the edits of a decision and the state of a new loop, which is a file itself.
func checkForgedJSON(t *testing.T, text string) {
	t.Helper()
	var walk func(v any, key string)
	walk = func(v any, key string) {
		switch v := v.(type) {
		case map[string]any:
			for k, x := range v {
				walk(x, k)
			}
		case []any:
			for _, x := range v {
				walk(x, key)
			}
		case string:
			if many := key == "plan" || key == "preview" || key == "input"; many && cleanLines(v) == v {
				return // has several lines
			}
			if line.Clean(v) != v && !strings.Contains(v, string(filepath.Separator)) && key != "old" && key != "new" {
				t.Errorf("%s is %q", key, v)
			}
		}
	}
	var v any
	if err := json.Unmarshal([]byte(text), &v); err != nil && text != "" {
		t.Errorf("no JSON: %v", err)
	}
	if o, _ := v.(map[string]any); o["schema"] != nil {
		if state, _ := o["state"].(string); o["file"] != nil && json.Valid([]byte(state)) { // the state of a new loop
			delete(o, "state")
		}
		walk(v, "")
	}
}
