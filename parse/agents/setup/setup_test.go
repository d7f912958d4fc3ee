package setup

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"gatehouse/parse/agents/hook"
	"gatehouse/parse/conformance"
)

const program = "/usr/local/bin/gatehouse"

// newPlace returns a client in a home directory of its own, with a project in it.
func newPlace(t *testing.T, client string) Place {
	t.Helper()
	home := t.TempDir()
	must(t, os.Mkdir(filepath.Join(home, "shop"), 0o755))
	return Place{Client: client, Home: home, Dir: filepath.Join(home, "shop"), Env: func(string) string { return "" }, Program: program}
}

// write makes files below the home directory.
func (p Place) write(t *testing.T, files map[string]string) {
	t.Helper()
	for name, text := range files {
		file := filepath.Join(p.Home, name)
		must(t, os.MkdirAll(filepath.Dir(file), 0o755))
		must(t, os.WriteFile(file, []byte(text), 0o644))
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
		text, _ := os.ReadFile(path) // of a link to a directory there is none
		files[name] = string(text)
		return nil
	})
	must(t, err)
	return files
}

// carryOut plans an edit, writes it and returns the plan.
func carryOut(t *testing.T, edit func(Place) (*Plan, error), p Place) *Plan {
	t.Helper()
	plan, err := edit(p)
	if err == nil {
		err = plan.Write(t.Context())
	}
	must(t, err)
	return plan
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
				must(t, err)
				name, _ := filepath.Rel(p.Home, file)
				p.write(t, map[string]string{name: before})
				carryOut(t, Place.Install, p)
				installed := p.read(t)[name]
				if n := strings.Count(installed, program+" hook "+client); n != len(c.events) {
					t.Errorf("%d hooks in\n%s", n, installed)
				}
				if plan := carryOut(t, Place.Install, p); !plan.IsEmpty() {
					t.Errorf("a second installation plans %v", plan.Edits)
				}
				carryOut(t, Place.Uninstall, p)
				if after := p.read(t)[name]; after != before {
					t.Errorf("installed\n%s\nuninstalled\n%q\nwant\n%q", installed, after, before)
				}
				if plan := carryOut(t, Place.Uninstall, p); !plan.IsEmpty() {
					t.Errorf("a second uninstallation plans %v, %v", plan.Edits, plan.RemovesFile)
				}
			})
		}
	}
}

// TestEdits compares files before and after an edit. A refused edit changes nothing, and links stay.
func TestEdits(t *testing.T) {
	conformance.OwnRows(t, "edits.jsonl", func(t *testing.T, tt struct {
		ID, Client, Edit, Gone, Refused string
		Project                         bool
		Files, Links, Want              map[string]string
	}) {
		p := newPlace(t, cmp.Or(tt.Client, "claude"))
		p.IsProject = tt.Project
		p.write(t, tt.Files)
		for at, target := range tt.Links {
			link := filepath.Join(p.Home, at)
			must(t, errors.Join(os.MkdirAll(filepath.Dir(link), 0o755), os.Symlink(target, link)))
		}
		before := p.read(t)
		for _, edit := range strings.Fields(cmp.Or(tt.Edit, "install")) {
			plan, err := map[string]func(Place) (*Plan, error){"install": Place.Install, "uninstall": Place.Uninstall}[edit](p)
			if err == nil {
				err = plan.Write(t.Context())
			}
			if tt.Refused == "" && err != nil || tt.Refused != "" && (err == nil || !strings.Contains(err.Error(), tt.Refused)) {
				t.Fatalf("%v; want %q", err, tt.Refused)
			}
		}
		files := p.read(t)
		if tt.Refused != "" && !reflect.DeepEqual(files, before) {
			t.Errorf("changed to %q", files)
		}
		for file, want := range tt.Want {
			if !strings.Contains(files[file], want) {
				t.Errorf("%s is\n%s\nwant\n%s", file, files[file], want)
			}
		}
		for file, text := range files {
			if tt.Gone != "" && strings.Contains(text, tt.Gone) {
				t.Errorf("%s has %s:\n%s", file, tt.Gone, text)
			}
		}
		for at := range tt.Links {
			if info, err := os.Lstat(filepath.Join(p.Home, at)); err != nil || info.Mode()&os.ModeSymlink == 0 {
				t.Errorf("the link %s: %v, %v", at, info, err)
			}
		}
	})
}

// TestWriteKeepsForeignChanges checks that a file that changes after the plan was made is not overwritten.
func TestWriteKeepsForeignChanges(t *testing.T) {
	for _, client := range hook.Clients() {
		p := newPlace(t, client)
		plan := carryOut(t, Place.Install, p)
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

// TestStatus checks the findings about the hooks in files. "+" stands for settings with the hooks.
func TestStatus(t *testing.T) {
	conformance.OwnRows(t, "status.jsonl", func(t *testing.T, tt struct {
		Client, Dir, Want string
		Files             map[string]string
	}) {
		p := newPlace(t, cmp.Or(tt.Client, "claude"))
		p.Program = filepath.Join(p.Home, "bin", "gatehouse")
		p.write(t, map[string]string{"bin/gatehouse": ""})
		must(t, os.Chmod(p.Program, 0o755))
		plan, err := p.Install()
		must(t, err)
		for name, text := range tt.Files {
			if text == "+" {
				text = plan.is
			}
			p.write(t, map[string]string{name: strings.ReplaceAll(text, "HOME", p.Home)})
		}
		p.Dir = filepath.Join(p.Home, cmp.Or(tt.Dir, "shop"))
		status, err := p.Status()
		must(t, err)
		var found []string
		for _, f := range status.Findings {
			found = append(found, strings.ReplaceAll(f.String(), p.Home+"/", ""))
		}
		if got := strings.Join(found, "\n"); got != tt.Want {
			t.Errorf("%s\nwant\n%s", got, tt.Want)
		}
	})
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

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
