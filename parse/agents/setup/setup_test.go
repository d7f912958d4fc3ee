package setup

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gatehouse/model"
	"gatehouse/parse/protocol"
)

const program = "/usr/local/bin/gatehouse"

func installed(t *testing.T, c *client, was string) string {
	t.Helper()
	begin, spans, err := c.install(was, program)
	return applied(t, was, begin, spans, err)
}

func uninstalled(t *testing.T, c *client, was string) string {
	t.Helper()
	begin, spans, err := c.uninstall(was)
	return applied(t, was, begin, spans, err)
}

func applied(t *testing.T, was, begin string, spans []model.Span, err error) string {
	t.Helper()
	if err != nil {
		t.Fatalf("%v in\n%s", err, was)
	}
	is, err := protocol.Apply(begin, spans)
	if err != nil {
		t.Fatalf("%v in\n%s", err, was)
	}
	return is
}

// documents are settings as people have them.
var documents = []string{
	"{}", "{}\n", "{\n}\n", "{ }", "",
	`{"theme":"dark"}`,
	"{\n  \"theme\": \"dark\"\n}\n",
	"{\r\n\t\"theme\": \"dark\",\r\n\t\"big\": 12345678901234567890.0\r\n}\r\n",
	"\ufeff{\n    \"statusLine\": {\"type\": \"command\", \"command\": \"statusline --shell claude\"}\n}",
	"{\n  \"hooks\": {\n    \"Stop\": [\n      {\n        \"hooks\": [\n          {\n            \"type\": \"command\",\n            \"command\": \"say done\"\n          }\n        ]\n      }\n    ]\n  },\n  \"model\": \"x\"\n}\n",
	`{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"a"}]},{"hooks":[{"type":"command","command":"b"}]}],"Other":[1,2]},"z":[]}`,
	"{\n  \"hooks\": {\n    \"PermissionRequest\": [ {\"matcher\": \"Bash\", \"hooks\": [{\"type\": \"command\", \"command\": \"notify \\u0041\"}]} ]\n  }\n}",
	`{"permissions": {"allow": ["Bash(git *)"]}, "hooks": {"PreToolUse": [{"matcher": "x", "hooks": []}]}}`,
}

func TestInstall(t *testing.T) {
	for i := range clients {
		c := &clients[i]
		if c.hooks == nil {
			continue
		}
		for n, was := range documents {
			t.Run(fmt.Sprint(c.name, n), func(t *testing.T) {
				is := installed(t, c, was)
				var doc struct {
					Hooks map[string][]struct {
						Hooks []struct {
							Type, Command string
							Timeout       int
						}
					}
				}
				// Other's hooks need not be of that form.
				plain := strings.Replace(strings.TrimPrefix(is, "\ufeff"), `"Other":[1,2]`, `"Other":[]`, 1)
				if err := json.Unmarshal([]byte(plain), &doc); err != nil {
					t.Fatalf("%v in\n%s", err, is)
				}
				for _, h := range c.hooks {
					groups := doc.Hooks[h.event]
					if len(groups) == 0 {
						t.Errorf("no hook for %s in\n%s", h.event, is)
						continue
					}
					last := groups[len(groups)-1].Hooks[0]
					if last.Type != "command" || last.Command != program+" hook "+c.name || last.Timeout != h.timeout {
						t.Errorf("%s: %+v", h.event, last)
					}
				}
				if again := installed(t, c, is); again != is {
					t.Errorf("again it changes\n%s\nto\n%s", is, again)
				}
				back := uninstalled(t, c, is)
				want := was
				if strings.Trim(was, " \r\n{}") == "" { // an object that is empty stays so, without its blanks
					want, back = "{}", strings.TrimSpace(back)
				}
				if back != want {
					t.Errorf("installed\n%s\ntaken out leaves\n%q\nwant\n%q", is, back, want)
				}
				if again := uninstalled(t, c, back); again != back {
					t.Errorf("taken out again leaves %q", again)
				}
			})
		}
	}
}

// What stands in the file besides stays byte for byte.
func TestInstallKeeps(t *testing.T) {
	c := &clients[0]
	for _, was := range documents {
		is := installed(t, c, was)
		for _, kept := range []string{`12345678901234567890.0`, `"say done"`, `statusline --shell claude`, `notify \u0041`, `"Bash(git *)"`, "\ufeff", "\r\n"} {
			if strings.Contains(was, kept) && !strings.Contains(is, kept) {
				t.Errorf("%q is gone from\n%s", kept, is)
			}
		}
	}
}

// Hooks of ours that are no longer right are changed where they are: another path, another time, an event that is not used any more, one
// twice, one in a group with somebody else's.
func TestInstallMends(t *testing.T) {
	c := &clients[0]
	old := `{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"/old/gatehouse hook claude","timeout":600},{"type":"command","command":"say done"}]},{"hooks":[{"type":"command","command":"gatehouse hook claude"}]}],"Gone":[{"hooks":[{"type":"command","command":"'/a b/gatehouse' hook claude"}]}],"Stay":[{"hooks":[{"type":"command","command":"gatehouse hook codex"}]}]}}`
	is := installed(t, c, old)
	for _, want := range []string{`"Stop":[{"hooks":[{"type":"command","command":"/usr/local/bin/gatehouse hook claude","timeout":10},{"type":"command","command":"say done"}]}]`, `"Gone":[]`, `"gatehouse hook codex"`} {
		if !strings.Contains(is, want) {
			t.Errorf("there is no\n%s\nin\n%s", want, is)
		}
	}
	back := uninstalled(t, c, is)
	if want := `{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"say done"}]}],"Gone":[],"Stay":[{"hooks":[{"type":"command","command":"gatehouse hook codex"}]}]}}`; back != want {
		t.Errorf("left is\n%s", back)
	}
}

func TestInstallRefuses(t *testing.T) {
	c := &clients[0]
	for was, why := range map[string]string{
		`{"hooks":[]}`: "no object", `{"hooks":{"Stop":{}}}`: "no list", `{"a":1,}`: "line 1, column 8: not valid JSON", `[]`: "not an object", "{\n<<<<<<< HEAD\n}": "merge conflict",
	} {
		if _, _, err := c.install(was, program); err == nil || !strings.Contains(err.Error(), why) {
			t.Errorf("%s: %v, want %s", was, err, why)
		}
	}
}

func TestPlan(t *testing.T) {
	home := t.TempDir()
	env := func(string) string { return "" }
	for _, name := range Clients() {
		for _, scope := range []Scope{User, Project} {
			p := Place{Client: name, Scope: scope, Home: home, Env: env, Dir: filepath.Join(home, "shop"), Program: "/opt/it's here/gatehouse"}
			plan, err := p.Install()
			must(t, err)
			if !plan.Made || plan.Nothing() || len(plan.Edits) == 0 {
				t.Errorf("%s: %+v", name, plan)
			}
			if _, err := os.Stat(plan.File); err == nil {
				t.Errorf("%s: planning has made %s", name, plan.File)
			}
			must(t, plan.Write(t.Context()))
			plan, err = p.Install()
			must(t, err)
			if !plan.Nothing() {
				t.Errorf("%s: again there is something to do: %v", name, plan.Edits)
			}
			look, err := p.Look()
			must(t, err)
			if !look.Installed || len(look.Missing) > 0 || len(look.Wrong) > 0 {
				t.Errorf("%s: %+v", name, look)
			}
			// Somebody else writes it between the plan and the deed.
			plan, err = p.Uninstall()
			must(t, err)
			text, err := os.ReadFile(plan.File)
			must(t, err)
			must(t, os.WriteFile(plan.File, append(text, ' '), 0o644))
			if err := plan.Write(t.Context()); err == nil {
				t.Errorf("%s: it was written over", name)
			}
			must(t, os.WriteFile(plan.File, text, 0o644))
			must(t, plan.Write(t.Context()))
			text, err = os.ReadFile(plan.File)
			if name == "opencode" && err == nil || name != "opencode" && string(text) != "{}\n" {
				t.Errorf("%s: left is %q, %v", name, text, err)
			}
		}
	}
}

// A plugin that is not ours stays.
func TestForeignPlugin(t *testing.T) {
	home := t.TempDir()
	p := Place{Client: "opencode", Home: home, Env: func(string) string { return "" }, Program: program}
	_, file, err := p.find()
	must(t, err)
	must(t, os.MkdirAll(filepath.Dir(file), 0o755))
	must(t, os.WriteFile(file, []byte("// mine\n"), 0o644))
	if _, err := p.Install(); err == nil {
		t.Error("it would be written over")
	}
	if _, err := p.Uninstall(); err == nil {
		t.Error("it would be removed")
	}
}

// Settings that are a link into a repository of the user's are changed there, and the link stays.
func TestLinkedSettings(t *testing.T) {
	home, dotfiles := t.TempDir(), t.TempDir()
	must(t, os.MkdirAll(filepath.Join(home, ".claude"), 0o755))
	real := filepath.Join(dotfiles, "claude.json")
	must(t, os.WriteFile(real, []byte("{}\n"), 0o600))
	must(t, os.Symlink(real, filepath.Join(home, ".claude", "settings.json")))
	p := Place{Client: "claude", Home: home, Env: func(string) string { return "" }, Program: program}
	plan, err := p.Install()
	must(t, err)
	must(t, plan.Write(t.Context()))
	text, err := os.ReadFile(real)
	must(t, err)
	info, err := os.Lstat(filepath.Join(home, ".claude", "settings.json"))
	must(t, err)
	if !strings.Contains(string(text), "hook claude") || info.Mode()&os.ModeSymlink == 0 {
		t.Errorf("%s, %v", text, info.Mode())
	}
}

func FuzzInstall(f *testing.F) {
	for _, d := range documents {
		f.Add(d)
	}
	f.Fuzz(func(t *testing.T, was string) {
		c := &clients[0]
		begin, spans, err := c.install(was, program)
		if err != nil {
			return
		}
		is, err := protocol.Apply(begin, spans)
		if err != nil || !json.Valid([]byte(strings.TrimPrefix(is, "\ufeff"))) {
			t.Fatalf("%v: %q", err, is)
		}
		if again := installed(t, c, is); again != is {
			t.Fatalf("again it changes %q to %q", is, again)
		}
		if out := uninstalled(t, c, is); strings.Contains(out, program) || out != "" && !json.Valid([]byte(strings.TrimPrefix(out, "\ufeff"))) {
			t.Fatalf("taken out leaves %q", out)
		}
	})
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
