package nearest

import (
	"crypto/sha1"
	"encoding/hex"
	"os"
	"path/filepath"
	"testing"
)

// tree writes files below a new directory and returns its real path; a name that ends with a slash is a directory.
func tree(t *testing.T, files map[string]string) string {
	t.Helper()
	root, err := filepath.EvalSymlinks(t.TempDir())
	must(t, err)
	for name, text := range files {
		path := filepath.Join(root, filepath.FromSlash(name))
		if name[len(name)-1] == '/' {
			err = os.MkdirAll(path, 0o755)
		} else if err = os.MkdirAll(filepath.Dir(path), 0o755); err == nil {
			err = os.WriteFile(path, []byte(text), 0o644)
		}
		must(t, err)
	}
	return root
}

// lineOf returns the line of the place, in its configured form, and whether a build was found.
func lineOf(p Place) (string, bool) {
	found, ok := Find(p)
	if !ok {
		return "", false
	}
	if found.Compact {
		return string(found.Facts.AppendCompact(nil)), true
	}
	return string(found.Facts.AppendFull(nil)), true
}

func state(status string) string { return "---\nstatus: " + status + "\n---\n" }

// sessionDir is where GSD keeps the pointers of the sessions of the project at root.
func sessionDir(temp, root string) string {
	sum := sha1.Sum([]byte(filepath.Join(root, ".planning")))
	return filepath.Join(temp, "gsd-workstream-sessions", hex.EncodeToString(sum[:])[:16])
}

func TestWorkstreams(t *testing.T) {
	const none = "no active workstream"
	type env = map[string]string
	for _, c := range []struct {
		name     string
		files    map[string]string // in addition to two workstreams, a and b.2, and one without STATE.md, bare
		pointers map[string]string // of sessions
		env      env
		terminal string
		want     string
	}{
		{name: "nothing says which", want: none},
		{name: "flat wins", files: map[string]string{".planning/STATE.md": state("flat")}, env: env{"GSD_WORKSTREAM": "a"}, want: "flat"},
		{name: "flat above does not", files: map[string]string{"../.planning/STATE.md": state("up")}, want: none},
		{name: "environment", env: env{"GSD_WORKSTREAM": " a\n"}, want: "A"},
		{name: "environment, dotted", env: env{"GSD_WORKSTREAM": "b.2"}, want: "B"},
		{name: "environment before pointer", env: env{"GSD_WORKSTREAM": "a", "GSD_SESSION_KEY": "k"}, pointers: env{"gsd-session-key-k": "b.2"}, want: "A"},
		{name: "environment, blank", env: env{"GSD_WORKSTREAM": "  "}, files: env{".planning/active-workstream": "a\n"}, want: "A"},
		{name: "environment, ghost", env: env{"GSD_WORKSTREAM": "ghost"}, want: ""},
		{name: "environment, invalid", env: env{"GSD_WORKSTREAM": "../x"}, want: none},
		{name: "environment, two dots", env: env{"GSD_WORKSTREAM": "a..b"}, want: none},
		{name: "environment, leading dash", env: env{"GSD_WORKSTREAM": "-a"}, want: none},
		{name: "no STATE.md", env: env{"GSD_WORKSTREAM": "bare"}, want: ""},
		{name: "shared pointer", files: env{".planning/active-workstream": " a \n"}, want: "A"},
		{name: "shared pointer to a ghost", files: env{".planning/active-workstream": "ghost"}, want: none},
		{name: "shared pointer, invalid", files: env{".planning/active-workstream": "../workstreams/a"}, want: none},
		{name: "shared pointer, empty", files: env{".planning/active-workstream": "\n"}, want: none},
		{name: "session hides the shared pointer", files: env{".planning/active-workstream": "a"}, env: env{"TMUX_PANE": "%3"}, want: none},
		{name: "session", env: env{"TMUX_PANE": "%3"}, pointers: env{"tmux-pane-3": "b.2\n"}, want: "B"},
		{name: "session, first key", env: env{"CLAUDE_SESSION_ID": "x y", "TMUX_PANE": "%3"}, pointers: env{"claude-session-id-x_y": "a", "tmux-pane-3": "b.2"}, want: "A"},
		{name: "session, key of nothing", env: env{"GSD_SESSION_KEY": " %/ ", "WT_SESSION": "w"}, pointers: env{"wt-session-w": "a"}, want: "A"},
		{name: "session, ghost", env: env{"WT_SESSION": "w"}, pointers: env{"wt-session-w": "ghost"}, want: none},
		{name: "TTY", env: env{"TTY": "/dev/pts/7", "SSH_TTY": "/dev/pts/8"}, pointers: env{"tty-pts_7": "a"}, want: "A"},
		{name: "SSH_TTY", env: env{"SSH_TTY": "/dev/pts/8"}, pointers: env{"tty-pts_8": "a"}, want: "A"},
		{name: "terminal", terminal: "/dev/pts/9", pointers: env{"tty-pts_9": "a"}, want: "A"},
		{name: "terminal after TTY", env: env{"TTY": "t"}, terminal: "/dev/pts/9", pointers: env{"tty-pts_9": "a"}, want: none},
		{name: "project", env: env{"GSD_WORKSTREAM": "a", "GSD_PROJECT": "p"}, files: env{".planning/p/workstreams/a/STATE.md": state("PA")}, want: "PA"},
		{name: "project, none there", env: env{"GSD_WORKSTREAM": "a", "GSD_PROJECT": "p"}, want: ""},
		{name: "project, outside", env: env{"GSD_WORKSTREAM": "a", "GSD_PROJECT": ".."}, want: ""},
	} {
		files := map[string]string{
			"p/.planning/workstreams/a/STATE.md": state("A"), "p/.planning/workstreams/b.2/STATE.md": state("B"), "p/.planning/workstreams/bare/": "",
			"tmp/": "",
		}
		for name, text := range c.files {
			files[filepath.ToSlash(filepath.Join("p", name))] = text
		}
		top := tree(t, files)
		root, temp := filepath.Join(top, "p"), filepath.Join(top, "tmp")
		for name, text := range c.pointers {
			must(t, os.MkdirAll(sessionDir(temp, root), 0o755))
			must(t, os.WriteFile(filepath.Join(sessionDir(temp, root), name), []byte(text), 0o644))
		}
		got, ok := lineOf(Place{
			Dir: root, Home: top, TempDir: temp,
			Env:      func(name string) string { return c.env[name] },
			Terminal: func() string { return c.terminal },
		})
		if got != c.want || !ok {
			t.Errorf("%s: %q, %v, want %q", c.name, got, ok, c.want)
		}
		for name := range c.pointers { // a pointer is read, never removed
			if _, err := os.Stat(filepath.Join(sessionDir(temp, root), name)); err != nil {
				t.Errorf("%s: %v", c.name, err)
			}
		}
	}
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
