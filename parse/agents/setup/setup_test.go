package setup

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"
)

const program = "/usr/local/bin/gatehouse"

// newPlace returns a client in a home directory of its own, with a project in it.
func newPlace(t *testing.T, client string) Place {
	t.Helper()
	home := t.TempDir()
	if err := os.Mkdir(filepath.Join(home, "shop"), 0o755); err != nil {
		t.Fatal(err)
	}
	return Place{Client: client, Home: home, Dir: filepath.Join(home, "shop"), Env: func(string) string { return "" }, Program: program}
}

// write makes files below the home directory.
func (p Place) write(t *testing.T, files map[string]string) {
	t.Helper()
	for name, text := range files {
		file := filepath.Join(p.Home, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// read returns the files and the empty directories below the home directory, without the project.
func (p Place) read(t *testing.T) map[string]string {
	t.Helper()
	files := map[string]string{}
	err := filepath.WalkDir(p.Home, func(path string, d fs.DirEntry, err error) error {
		name, _ := filepath.Rel(p.Home, path)
		if err != nil || d.IsDir() {
			if entries, _ := os.ReadDir(path); len(entries) == 0 && name != "shop" {
				files[name+"/"] = ""
			}
			return err
		}
		text, err := os.ReadFile(path)
		files[name] = string(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// carryOut writes a plan and returns it.
func carryOut(t *testing.T, plan *Plan, err error) *Plan {
	t.Helper()
	if err == nil {
		err = plan.Write(t.Context())
	}
	if err != nil {
		t.Fatal(err)
	}
	return plan
}

func install(t *testing.T, p Place) *Plan {
	t.Helper()
	plan, err := p.Install()
	return carryOut(t, plan, err)
}

func uninstall(t *testing.T, p Place) *Plan {
	t.Helper()
	plan, err := p.Uninstall()
	return carryOut(t, plan, err)
}

// documents are realistic settings, each with a value of its own.
var documents = []string{
	`{"theme":"dark"}`,
	`{"theme": "dark"}`,
	"{\n  \"theme\": \"dark\"\n}\n",
	"{\r\n\t\"theme\": \"dark\",\r\n\t\"big\": 12345678901234567890.0\r\n}\r\n",
	"\ufeff{\n    \"statusLine\": {\"type\": \"command\", \"command\": \"statusline --shell claude\"}\n}",
	"{\n  \"hooks\": {\n    \"Stop\": [\n      {\n        \"hooks\": [\n          {\n" +
		"            \"type\": \"command\",\n            \"command\": \"say done\"\n          }\n        ]\n      }\n    ]\n  },\n  \"model\": \"x\"\n}\n",
	`{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"a"}]},{"hooks":[{"type":"command","command":"b"}]}],"Other":[1,2]},"z":[]}`,
	"{\n  \"hooks\": {\n    \"PermissionRequest\": [ {\"matcher\": \"Bash\", \"hooks\": [{\"type\": \"command\", \"command\": \"notify \\u0041\"}]} ]\n  }\n}",
	`{"permissions": {"allow": ["Bash(git *)"]}, "hooks": {"PreToolUse": [{"matcher": "x", "hooks": []}]}}`,
	"{\"a\": 1,\n\n\"hooks\"\t: {\"AfterAgent\" :[\n7]\n}  , \"b\": {}\n\n}",
}

// TestInstallIsReversible installs twice and uninstalls twice: every byte is as before.
func TestInstallIsReversible(t *testing.T) {
	for _, client := range []string{"claude", "codex"} {
		for n, before := range documents {
			t.Run(fmt.Sprint(client, n), func(t *testing.T) {
				p := newPlace(t, client)
				c, _, file, err := p.findClient()
				if err != nil {
					t.Fatal(err)
				}
				name, _ := filepath.Rel(p.Home, file)
				p.write(t, map[string]string{name: before})
				install(t, p)
				installed := p.read(t)[name]
				var settings struct {
					Hooks map[string][]json.RawMessage
				}
				if err := json.Unmarshal([]byte(strings.TrimPrefix(installed, "\ufeff")), &settings); err != nil {
					t.Fatalf("%v in\n%s", err, installed)
				}
				for _, event := range c.events {
					var last struct{ Hooks []map[string]any }
					groups := settings.Hooks[event]
					if len(groups) == 0 || json.Unmarshal(groups[len(groups)-1], &last) != nil || len(last.Hooks) != 1 {
						t.Fatalf("no hook of its own for %s at the end of\n%s", event, installed)
					}
					want := map[string]any{"type": "command", "command": program + " hook " + client, "timeout": float64(c.timeoutOf(event))}
					if !reflect.DeepEqual(last.Hooks[0], want) {
						t.Errorf("%s: %v, want %v", event, last.Hooks[0], want)
					}
				}
				if plan := install(t, p); !plan.IsEmpty() {
					t.Errorf("a second installation plans %v", plan.Edits)
				}
				uninstall(t, p)
				if after := p.read(t)[name]; after != before {
					t.Errorf("installed\n%s\nuninstalled\n%q\nwant\n%q", installed, after, before)
				}
				if plan := uninstall(t, p); !plan.IsEmpty() {
					t.Errorf("a second uninstallation plans %v, %v", plan.Edits, plan.RemovesFile)
				}
			})
		}
	}
}

// TestUninstallLeavesNothing checks that files with nothing else in them are removed.
func TestUninstallLeavesNothing(t *testing.T) {
	for _, client := range Clients() {
		for _, before := range []string{"", "\n", "{}", "{ }\n", "\ufeff{\r\n}"} {
			for _, isProject := range []bool{false, true} {
				p := newPlace(t, client)
				p.IsProject = isProject
				_, _, file, err := p.findClient()
				if err != nil {
					t.Fatal(err)
				}
				if name, _ := filepath.Rel(p.Home, file); before != "" && client != "opencode" {
					p.write(t, map[string]string{name: before})
				}
				install(t, p)
				if _, err := os.Stat(file); err != nil {
					t.Fatal(err)
				}
				uninstall(t, p)
				if _, err := os.Lstat(file); err == nil {
					t.Errorf("%s, %q: %s is still there", client, before, file)
				}
			}
		}
	}
}

// TestEdits compares files before and after an edit.
func TestEdits(t *testing.T) {
	const settings = ".claude/settings.json"
	ours := func(command string) string {
		return `{"hooks":[{"type":"command","command":"` + command + `","timeout":10}]}`
	}
	for name, tt := range map[string]struct {
		client string
		edit   func(t *testing.T, p Place) *Plan
		files  map[string]string
		want   map[string]string // files that contain this text
		gone   string            // a text that no file contains
	}{
		"the layout of the file is kept": {
			client: "codex", edit: install, files: map[string]string{".codex/hooks.json": "{\r\n\t\"ui\": {}\r\n}"},
			want: map[string]string{".codex/hooks.json": "{\r\n\t\"ui\": {},\r\n\t\"hooks\": {\r\n" +
				"\t\t\"SessionStart\": [\r\n\t\t\t{\r\n\t\t\t\t\"hooks\": [\r\n\t\t\t\t\t{\r\n\t\t\t\t\t\t\"type\": \"command\",\r\n"},
		},
		"a moved program, an old time-out, a second entry and an old event": {
			client: "claude", edit: install,
			files: map[string]string{settings: `{"hooks":{"Stop":[{"hooks":[` +
				`{"type":"command","command":"/old/gatehouse hook claude"  , "timeout":10},{"type":"command","command":"say done"}]},` +
				ours("gatehouse hook claude") + `],"PreToolUse":[` + ours("'/a b/gatehouse' hook claude") + `],"Stay":[` + ours("gatehouse hook codex") + `]}}`},
			want: map[string]string{settings: `{"hooks":{"Stop":[{"hooks":[{"type": "command", "command": "/usr/local/bin/gatehouse hook claude", "timeout": 2147483},` +
				`{"type":"command","command":"say done"}]}],"Stay":[` + ours("gatehouse hook codex") + `],"SessionStart":[`},
			gone: "PreToolUse",
		},
		"foreign hooks stay": {
			client: "claude", edit: uninstall,
			files: map[string]string{settings: `{"hooks":{"Stop":[{"matcher":"","hooks":[` +
				`{"command":"gatehouse hook claude"}, {"command":"say done"}]}],"Start":[` + ours("x/gatehouse hook claude") + `]}}`},
			want: map[string]string{settings: `{"hooks":{"Stop":[{"matcher":"","hooks":[{"command":"say done"}]}]}}`},
		},
		"a foreign plugin stays": {
			client: "opencode", edit: uninstall, files: map[string]string{".config/opencode/plugin/gatehouse.js": "// mine\n"},
			want: map[string]string{".config/opencode/plugin/gatehouse.js": "// mine\n"},
		},
		"other plugins stay": {
			client: "opencode", edit: func(t *testing.T, p Place) *Plan { install(t, p); return uninstall(t, p) },
			files: map[string]string{".config/opencode/plugin/mine.js": "x"}, want: map[string]string{".config/opencode/plugin/mine.js": "x"},
			gone: "Gatehouse",
		},
	} {
		t.Run(name, func(t *testing.T) {
			p := newPlace(t, tt.client)
			p.write(t, tt.files)
			tt.edit(t, p)
			files := p.read(t)
			for name, want := range tt.want {
				if !strings.Contains(files[name], want) {
					t.Errorf("%s is\n%s\nwant\n%s", name, files[name], want)
				}
			}
			for name, text := range files {
				if tt.gone != "" && strings.Contains(text, tt.gone) {
					t.Errorf("%s has %s:\n%s", name, tt.gone, text)
				}
			}
		})
	}
}

// TestRefusals checks the reasons why a file is not edited.
func TestRefusals(t *testing.T) {
	for text, want := range map[string]string{
		`{"a":1,}`:                    "settings.json:1:8: not valid JSON",
		"{\n  // mine\n}":             "settings.json:2:3: not valid JSON: unexpected text; remove the comment",
		"{\n<<<<<<< HEAD\n}":          "merge conflict",
		"{\n  \"hooks\": {\n":         "the JSON ends too early",
		`[]`:                          "settings.json:1:1: the settings are a list; write an object",
		`{"hooks":[7]}`:               "settings.json: hooks: not an object; fix that first",
		`{"hooks":{"Stop":{}}}`:       "settings.json: hooks.Stop: not a list; fix that first",
		`{"hooks":{"Stop":"x"}}`:      "settings.json: hooks.Stop: not a list; fix that first",
		"{\"a\":1,\n\"b\":2,\"b\":3}": "settings.json:2:7: the key “b” appears twice; keep one; the last one counts",
	} {
		p := newPlace(t, "claude")
		p.write(t, map[string]string{".claude/settings.json": text})
		if plan, err := p.Install(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, %v; want %s", text, plan, err, want)
		}
		if after := p.read(t)[".claude/settings.json"]; after != text {
			t.Errorf("%q was changed to %q", text, after)
		}
	}
	p := newPlace(t, "opencode")
	p.write(t, map[string]string{".config/opencode/plugin/gatehouse.js": "// mine\n"})
	if _, err := p.Install(); err == nil || !strings.Contains(err.Error(), "gatehouse.js: not Gatehouse's plugin; move it away") {
		t.Errorf("a foreign plugin: %v", err)
	}
}

// TestWriteKeepsForeignChanges checks that a file that changes after the plan was made is not overwritten.
func TestWriteKeepsForeignChanges(t *testing.T) {
	for _, client := range Clients() {
		p := newPlace(t, client)
		plan := install(t, p)
		name, _ := filepath.Rel(p.Home, plan.File)
		installed := p.read(t)[name]
		for _, change := range []func() (*Plan, error){p.Install, p.Uninstall} {
			p.write(t, map[string]string{name: strings.Replace(installed, program, "/old/gatehouse", 1)})
			plan, err := change()
			if err != nil || plan.IsEmpty() {
				t.Fatal(plan, err)
			}
			p.write(t, map[string]string{name: installed + " "})
			if err := plan.Write(t.Context()); err == nil || p.read(t)[name] != installed+" " {
				t.Errorf("%s: %v, the file is %q", client, err, p.read(t)[name])
			}
		}
	}
}

// TestLinkedSettings checks that linked settings are edited in the user's own repository, and that the link stays.
func TestLinkedSettings(t *testing.T) {
	p := newPlace(t, "claude")
	p.write(t, map[string]string{"dotfiles/claude.json": "{}\n", ".claude/x": ""})
	link := filepath.Join(p.Home, ".claude", "settings.json")
	if err := os.Symlink("../dotfiles/claude.json", link); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"hook claude", "{}\n"} {
		if want == "{}\n" {
			uninstall(t, p)
		} else {
			install(t, p)
		}
		if text := p.read(t)["dotfiles/claude.json"]; !strings.Contains(text, want) {
			t.Errorf("%q, want %q", text, want)
		}
	}
	if info, err := os.Lstat(link); err != nil || info.Mode()&os.ModeSymlink == 0 {
		t.Errorf("the link: %v, %v", info, err)
	}
}

// TestStatus checks the findings about the hooks in files. "+" stands for settings with the hooks.
func TestStatus(t *testing.T) {
	const (
		user   = ".claude/settings.json"
		shop   = "shop/.claude/settings.json"
		local  = "shop/.claude/settings.local.json"
		codex  = ".codex/hooks.json"
		plugin = ".config/opencode/plugin/gatehouse.js"
		off    = `{"disableAllHooks": true}`
		on     = `{"disableAllHooks": false}`

		isOff  = `:1:2: "disableAllHooks" is true: no hook runs; `
		inFile = "remove it from the file"
		well   = ": hooks are installed"
		trust  = `; start codex and trust the hooks when it asks ("Hooks need review")`
	)
	type files map[string]string
	hook := func(program string) string {
		return `{"hooks":{"Stop":[{"hooks":[{"command":"` + program + ` hook claude","timeout":2147483}]}]}}`
	}
	for name, tt := range map[string]struct {
		client string // claude if empty
		files  files
		dir    string // of the project, shop if empty
		want   string
	}{
		"nothing":                       {},
		"the user's":                    {files: files{user: "+"}, want: user + well},
		"the project's":                 {files: files{local: "+"}, want: local + well},
		"the user's and the project's":  {files: files{local: "+", user: "+"}, want: local + well + "\n" + user + well},
		"in the home directory":         {files: files{user: "+"}, dir: ".", want: user + well},
		"off for the user":              {files: files{user: off}, want: user + isOff + inFile},
		"off for the project":           {files: files{user: "+", shop: off}, want: shop + isOff + inFile + "\n" + user + well},
		"on in the file of higher rank": {files: files{user: off, local: on}},
		"broken":                        {files: files{local: "{\n \"hooks\": {"}, want: local + ":2:11: the JSON ends too early; fix the file"},
		"a missing program": {files: files{user: hook("/lost/gatehouse")},
			want: user + ": the hooks run /lost/gatehouse, which does not exist; gatehouse install claude"},
		"missing hooks": {files: files{local: hook("HOME/bin/gatehouse")},
			want: local + ": missing or outdated: SessionStart, UserPromptSubmit, PermissionRequest, PostToolUse, PostToolUseFailure, Notification, SubagentStart, " +
				"SubagentStop, StopFailure, SessionEnd; gatehouse install claude --project"},
		"without trust": {client: "codex", files: files{codex: "+"},
			want: codex + ": not trusted yet: SessionStart, UserPromptSubmit, PermissionRequest, PostToolUse, Stop, SubagentStop, Interrupt, SessionEnd" + trust},
		"with some trust": {client: "codex", files: files{codex: "+", ".codex/config.toml": "[hooks.state.\"HOME/.codex/hooks.json:permission_request:0:0\"]\n"},
			want: codex + ": not trusted yet: SessionStart, UserPromptSubmit, PostToolUse, Stop, SubagentStop, Interrupt, SessionEnd" + trust},
		"a plugin":         {client: "opencode", files: files{"shop/.opencode/plugin/gatehouse.js": "+"}, want: "shop/.opencode/plugin/gatehouse.js" + well},
		"a foreign plugin": {client: "opencode", files: files{plugin: "// mine"}},
		"an old plugin":    {client: "opencode", files: files{plugin: pluginHead + "\n"}, want: plugin + ": missing or outdated: plugin; gatehouse install opencode"},
	} {
		t.Run(name, func(t *testing.T) {
			p := newPlace(t, cmp.Or(tt.client, "claude"))
			p.Program = filepath.Join(p.Home, "bin", "gatehouse")
			p.write(t, map[string]string{"bin/gatehouse": ""})
			if err := os.Chmod(p.Program, 0o755); err != nil {
				t.Fatal(err)
			}
			plan, err := p.Install()
			if err != nil {
				t.Fatal(err)
			}
			for name, text := range tt.files {
				if text == "+" {
					text = plan.is
				}
				p.write(t, map[string]string{name: strings.ReplaceAll(text, "HOME", p.Home)})
			}
			p.Dir = filepath.Join(p.Home, cmp.Or(tt.dir, "shop"))
			status, err := p.Status()
			if err != nil {
				t.Fatal(err)
			}
			var found []string
			for _, f := range status.Findings {
				found = append(found, strings.ReplaceAll(f.String(), p.Home+"/", ""))
			}
			if got := strings.Join(found, "\n"); got != tt.want {
				t.Errorf("%s\nwant\n%s", got, tt.want)
			}
		})
	}
}

func FuzzInstall(f *testing.F) {
	for _, text := range documents {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, before string) {
		c, plan := &clients[0], &Plan{was: before, is: before}
		if plan.addHooks(c, program) != nil {
			return
		}
		if !json.Valid([]byte(strings.TrimPrefix(plan.is, "\ufeff"))) {
			t.Fatalf("%q", plan.is)
		}
		again := &Plan{is: plan.is}
		if err := again.addHooks(c, program); err != nil || again.is != plan.is {
			t.Fatalf("%v: a second installation makes %q of %q", err, again.is, plan.is)
		}
		if err := plan.editHooks(c, nil, ""); err != nil || strings.Contains(plan.is, program) && !strings.Contains(before, program) {
			t.Fatalf("%v: %q is left", err, plan.is)
		}
	})
}

// TestRenamedProgram: a program with another name recognizes its own hooks.
func TestRenamedProgram(t *testing.T) {
	for _, name := range []string{"/opt/gatehouse-1.2", "/tmp/b147/gh.test", "/opt/it's here/gh"} {
		p := newPlace(t, "claude")
		p.Program = name
		for _, want := range []bool{false, true} { // the second installation changes nothing
			plan, err := p.Install()
			if err != nil || plan.IsEmpty() != want {
				t.Fatalf("%s: %v, %d edits", name, err, len(plan.Edits))
			}
			if err := plan.Write(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
		plan, err := p.Uninstall()
		if err != nil || !plan.RemovesFile {
			t.Errorf("%s: %v, %+v", name, err, plan)
		}
	}
}

// TestProjectSettingsStayInProject checks that links in a repository do not lead writes out of it, and that leftovers of a
// killed run are removed.
func TestProjectSettingsStayInProject(t *testing.T) {
	for name, link := range map[string][2]string{"the directory": {"../victim", ".claude"}, "the file": {"../../victim/other.json", ".claude/settings.local.json"}} {
		top := t.TempDir()
		dir := filepath.Join(top, "p")
		for _, d := range []string{dir, filepath.Join(top, "victim")} {
			if err := os.MkdirAll(d, 0o755); err != nil {
				t.Fatal(err)
			}
		}
		other := filepath.Join(top, "victim", "other.json")
		if err := os.WriteFile(other, []byte("{}\n"), 0o644); err != nil {
			t.Fatal(err)
		}
		at := filepath.Join(dir, link[1])
		if link[1] != ".claude" {
			os.MkdirAll(filepath.Dir(at), 0o755)
		}
		if err := os.Symlink(link[0], at); err != nil {
			t.Skip(err)
		}
		p := Place{Client: "claude", IsProject: true, Dir: dir, Home: filepath.Join(top, "home"), Env: func(string) string { return "" }, Program: "/bin/gatehouse"}
		plan, err := p.Install()
		if err == nil {
			err = plan.Write(t.Context())
		}
		if err == nil || !strings.Contains(err.Error(), "out of the project") {
			t.Errorf("%s is a link out of the project: %v", name, err)
		}
		text, _ := os.ReadFile(other)
		if there, _ := os.ReadDir(filepath.Join(top, "victim")); len(there) != 1 || string(text) != "{}\n" {
			t.Errorf("%s: written: %v, %q", name, there, text)
		}
	}
	dir := t.TempDir()
	p := Place{Client: "claude", IsProject: true, Dir: dir, Home: dir, Env: func(string) string { return "" }, Program: "/bin/gatehouse"}
	write := func() {
		t.Helper()
		plan, err := p.Install()
		if err == nil {
			err = plan.Write(t.Context())
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	write()
	litter := filepath.Join(dir, ".claude", ".settings.local.json.gatehouse-4194305-"+"00000000"+"-"+strings.Repeat("A", 26)+".tmp")
	if err := os.WriteFile(litter, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	old := time.Now().Add(-time.Hour)
	os.Chtimes(litter, old, old)
	write()
	if there, _ := os.ReadDir(filepath.Join(dir, ".claude")); len(there) != 1 {
		t.Errorf("left behind: %v", there)
	}
}
