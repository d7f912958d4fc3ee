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

// world is a directory with files, and a store of live agents next to it.
type world struct {
	dir, store string
}

func newWorld(t *testing.T, files map[string]string) *world {
	t.Helper()
	top, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	w := &world{dir: filepath.Join(top, "p"), store: filepath.Join(top, "store")}
	for name, text := range files {
		w.writeText(t, filepath.Join(w.dir, name), strings.ReplaceAll(text, "DIR", w.dir))
	}
	return w
}

func (w *world) writeText(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// await puts a wait of a project, a directory below that of w, into the store.
func (w *world) await(t *testing.T, project, id, kind string) {
	t.Helper()
	name := waiting.Name{Project: waiting.Key(filepath.Join(w.dir, project)), Session: waiting.Key("claude 1"), ID: id, Kind: kind}
	w.writeText(t, filepath.Join(w.store, waiting.Dir, name.String()), "")
}

func (w *world) place(dir string) nearest.Place {
	return nearest.Place{Dir: filepath.Join(w.dir, dir), Home: filepath.Dir(w.dir), Asks: w.store}
}

func (w *world) line(dir string, opt Options) string {
	l := ReadLine(w.place(dir), opt)
	return strings.TrimSuffix(string(l.Text), "\n")
}

func TestAgentsWaitAnywhere(t *testing.T) {
	w := newWorld(t, map[string]string{
		"shop/.git/HEAD": "ref: refs/heads/main\n", "shop/web/app.go": "", "shop/.git/worktrees/cart/commondir": "../..\n",
		"shop/.git/worktrees/cart/HEAD": "ref: refs/heads/cart\n",
		"cart/.git":                     "gitdir: DIR/shop/.git/worktrees/cart\n", "api/.planning/STATE.md": "---\nmilestone: v1\nstatus: executing\n---\n", "api/sub/x": "",
		"notes/x": "", "notes/sub/x": "",
	})
	dirs := []string{"shop", "shop/web", "cart", "api", "api/sub", "notes", "notes/sub"}
	for _, dir := range dirs {
		want := ""
		if strings.HasPrefix(dir, "api") {
			want = "v1 · executing"
		}
		if got := w.line(dir, Options{Alerts: true}); got != want {
			t.Errorf("%s, nothing waits: %q", dir, got)
		}
	}
	w.await(t, "shop", "aaaaaaaa", waiting.Held)
	w.await(t, "shop", "bbbbbbbb", waiting.Kept)
	for i, id := range []string{"cccccccc", "dddddddd", "eeeeeeee"} {
		w.await(t, "shop", id, waiting.Turn)
		w.await(t, "api", "a"+id[1:], []string{waiting.Held, waiting.Turn, waiting.Turn}[i])
	}
	w.await(t, "notes", "ffffffff", waiting.Turn)
	const shop, api, notes = "◆ 2 asks · ◇ 3 your turn", "v1 · executing · ◆ 1 ask · ◇ 2 your turn", "◇ 1 your turn"
	for i, want := range []string{shop, shop, shop, api, api, notes, ""} {
		place := w.place(dirs[i])
		l := ReadLine(place, Options{Alerts: true})
		if got := strings.TrimSuffix(string(l.Text), "\n"); got != want {
			t.Errorf("%s: %q, want %q", dirs[i], got, want)
		}
		if got := w.line(dirs[i], Options{}); strings.ContainsAny(got, "◆◇") {
			t.Errorf("%s, without --alerts: %q", dirs[i], got)
		}
	}
	for shell, want := range map[string]string{"tmux": shop, "bash-ps1": shop, "starship": shop, "claude": shop} {
		if got := w.line("shop", Options{Alerts: true, Sink: sinkNamed(t, shell), Source: AllSources}); got != want {
			t.Errorf("%s: %q", shell, got)
		}
	}
	if got := w.line("shop", Options{Alerts: true, Cols: 12}); got != "◆ 2 asks" {
		t.Errorf("narrow: %q", got)
	}
}

func TestAgentsWaitInJSON(t *testing.T) {
	w := newWorld(t, map[string]string{"shop/.planning/STATE.md": "---\nmilestone: v1\n---\n", "notes/x": ""})
	w.await(t, "notes", "aaaaaaaa", waiting.Held)
	w.await(t, "notes", "bbbbbbbb", waiting.Turn)
	w.await(t, "shop", "cccccccc", waiting.Turn)
	for dir, want := range map[string]string{
		"notes": `{"protocol":"agents","scene":0,"why":"no build, but agents wait","full":"","compact":"","format":"full","file":null,"waits":[],"asks":1,"turns":1}` + "\n",
		"shop":  `"waits":[],"asks":0,"turns":1}` + "\n",
		".":     "",
	} {
		l := ReadLine(w.place(dir), Options{Alerts: true})
		if got := string(l.AppendJSON(nil)); !strings.HasSuffix(got, want) || want == "" && got != "" {
			t.Errorf("%s: %s", dir, got)
		}
	}
}

// TestCompleteGivesWayToWaits checks that a directory is never called complete while another protocol in it waits for a human.
func TestCompleteGivesWayToWaits(t *testing.T) {
	conformance.OwnRows(t, "completegiveswaytowaits.jsonl", func(t *testing.T, c struct {
		ID    string
		Files map[string]string
		Opt   Options
		Want  string
	}) {
		w := newWorld(t, c.Files)
		for _, alerts := range []bool{false, true} {
			c.Opt.Alerts = alerts
			if got := w.line(".", c.Opt); got != c.Want {
				t.Errorf("%s, alerts %v: %q, want %q", c.ID, alerts, got, c.Want)
			}
		}
	})
}

// TestAgentLineShowsAlerts checks that neither a running task nor the rows of a protocol hide a wait.
func TestAgentLineShowsAlerts(t *testing.T) {
	for want, files := range map[string]map[string]string{
		"Claude │ ◆ 1 ask │ app":                 nil,
		"Claude │ Writing tests · ◆ 1 ask │ app": {".claude/todos/abc-agent-abc.json": `[{"status": "in_progress", "activeForm": "Writing tests"}]`},
		"app · ◆ 1 ask":                          {".fctry/spec.md": "---\nstatus: draft\n---\n"},
	} {
		home, err := filepath.EvalSymlinks(t.TempDir())
		if err != nil {
			t.Fatal(err)
		}
		dir := filepath.Join(home, "app")
		write(t, filepath.Join(dir, "x"), "")
		for name, text := range files {
			write(t, filepath.Join(dir, name), text)
		}
		w := &world{store: t.TempDir(), dir: dir}
		w.await(t, ".", "aaaaaaaa", waiting.Held)
		c, _ := ParseFlags(strings.Fields("--shell claude --alerts --color=never"))
		place := nearest.Place{Dir: dir, Home: dir, Asks: w.store}
		got, _, _ := strings.Cut(string(AgentLine(&place, []byte(`{"session_id": "abc"}`), &c).Text), "\n")
		if got != want {
			t.Errorf("got %s\nwant %s", got, want)
		}
	}
}
