package nearest

import (
	"cmp"
	"crypto/sha1"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"gatehouse/model/line"
	"gatehouse/parse/conformance"
)

// row is a case: files, the place of a search in them, and its result. ROOT is the directory of the files. Ages are in seconds.
type row struct {
	Files          map[string]string
	Ages           map[string]int
	Dir, Home      string
	Source, Loops  string
	Env            map[string]string
	Terminal       string
	Sessions       map[string]string // GSD's pointers of the sessions of the project in Dir
	Alerts, Detail bool
	All            bool // also search for all protocols
	Want           json.RawMessage
}

// result is what is compared; paths are relative.
type result struct {
	Protocol  string    `json:"protocol,omitempty"`
	Full      string    `json:"full,omitempty"`
	Compact   string    `json:"compact,omitempty"`
	Scene     int       `json:"scene,omitempty"`
	IsCompact bool      `json:"is_compact,omitempty"`
	Path      string    `json:"path,omitempty"`
	With      string    `json:"with,omitempty"`
	Waits     string    `json:"waits,omitempty"`
	WaitsPath string    `json:"waits_path,omitempty"`
	WaitsSaid bool      `json:"waits_said,omitempty"`
	Beside    []Waiting `json:"beside,omitempty"`
	Denied    string    `json:"denied,omitempty"`
	Refused   string    `json:"refused,omitempty"`
	Reason    string    `json:"reason,omitempty"`
	Git       string    `json:"git,omitempty"` // the branch or the commit
	All       []string  `json:"all,omitempty"` // the protocols found
}

// tree writes files below a new directory and returns its real path; a name that ends with a slash is a directory.
func tree(t *testing.T, files map[string]string) string {
	t.Helper()
	root, err := filepath.EvalSymlinks(t.TempDir())
	must(t, err)
	for name, text := range files {
		writeFile(t, filepath.Join(root, filepath.FromSlash(name)), text, name[len(name)-1] == '/')
	}
	return root
}

// writeFile writes a file with its directories, or makes a directory.
func writeFile(t *testing.T, path, text string, isDir bool) {
	t.Helper()
	if isDir {
		must(t, os.MkdirAll(path, 0o755))
		return
	}
	must(t, os.MkdirAll(filepath.Dir(path), 0o755))
	must(t, os.WriteFile(path, []byte(text), 0o644))
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// sessionDir is where GSD keeps the pointers of the sessions of a project.
func sessionDir(temp, project string) string {
	sum := sha1.Sum([]byte(filepath.Join(project, ".planning")))
	return filepath.Join(temp, "gsd-workstream-sessions", hex.EncodeToString(sum[:])[:16])
}

// TestFind checks which build is found, its line and its waits.
func TestFind(t *testing.T) {
	conformance.OwnRows(t, "nearest.jsonl", func(t *testing.T, r row) {
		root, now := tree(t, r.Files), time.Now()
		for name, age := range r.Ages {
			when := now.Add(-time.Duration(age) * time.Second)
			must(t, os.Chtimes(filepath.Join(root, name), when, when))
		}
		p := Place{Dir: filepath.Join(root, r.Dir), TempDir: t.TempDir(), Source: r.Source, Alerts: r.Alerts, Detail: r.Detail, Terminal: func() string { return r.Terminal }}
		if r.Home != "" {
			p.Home = filepath.Join(root, r.Home)
		}
		p.Env = func(name string) string {
			if name == "GATEHOUSE_LOOPS" {
				return strings.ReplaceAll(r.Loops, "ROOT", root)
			}
			return r.Env[name]
		}
		for name, text := range r.Sessions {
			writeFile(t, filepath.Join(sessionDir(p.TempDir, p.Dir), name), text, false)
		}
		found, ok := Find(p)
		rel := func(path string) string {
			if path == "" {
				return ""
			}
			name, err := filepath.Rel(root, path)
			must(t, err)
			return filepath.ToSlash(name)
		}
		got := result{
			IsCompact: found.Compact, Path: rel(found.Path), With: rel(found.With), Waits: found.Waits, WaitsPath: rel(found.WaitsPath),
			WaitsSaid: found.WaitsSaid, Beside: found.Beside, Denied: found.Denied, Refused: rel(found.Refused),
		}
		if found.Reason != nil {
			got.Reason = found.Reason.Error()
		}
		if ok {
			got.Protocol, got.Full, got.Compact = found.Protocol, line.Full(found.Facts), line.Compact(found.Facts)
			got.Scene, _ = found.Facts.Scene()
		}
		if git, ok := FindGit(p); ok {
			got.Git = cmp.Or(git.Branch, git.Commit, "unknown")
		}
		if all, ok := FindAll(p); ok && r.All {
			for _, found := range all {
				got.All = append(got.All, found.Protocol)
			}
		}
		for name := range r.Sessions { // a pointer is read, never removed
			if _, err := os.Stat(filepath.Join(sessionDir(p.TempDir, p.Dir), name)); err != nil {
				t.Error(err)
			}
		}
		var want result
		must(t, json.Unmarshal(r.Want, &want))
		if g, w := string(encode(t, got)), string(encode(t, want)); g != w {
			t.Errorf("in %s:\n got %s\nwant %s", r.Dir, g, w)
		}
	})
}

func encode(t *testing.T, v any) []byte {
	data, err := json.Marshal(v)
	must(t, err)
	return data
}

// TestLooksFor checks the files that a search names to people.
func TestLooksFor(t *testing.T) {
	if len(Protocols()) != len(sources) || LooksFor() != ".planning/STATE.md, *-state.json, .fctry/state.json, specs/*/tasks.md, openspec/changes, .kiro/specs, sprint-status.yaml, .taskmaster/tasks/tasks.json, .gatehouse/format.yaml" {
		t.Error(Protocols(), LooksFor())
	}
}

// TestUltraplanLargeTree checks that many names or hostile ones do not slow down reading.
func TestUltraplanLargeTree(t *testing.T) {
	root := tree(t, map[string]string{".ultraplan/": "", ".planning/phases/01-a/": "", ".planning/phases/02-file": "x", ".planning/phases/\x1b]0;x\a/": ""})
	for i := range 2000 {
		name := filepath.Join(root, ".planning", "phases", "01-a", fmt.Sprintf("01-%d-PLAN.md", i))
		must(t, os.WriteFile(name, nil, 0o644))
	}
	found, _ := Find(Place{Dir: root, Home: root})
	if got := line.Full(found.Facts); got != "[░░░░░░░░░░] 0% · next 01-0" {
		t.Error(got)
	}
}

// TestTagAtHead checks which tag is found on the checked-out commit, however its reference is stored; "" if only git can find it.
func TestTagAtHead(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not installed")
	}
	dir := t.TempDir()
	for _, step := range []struct {
		args []string
		want string
	}{
		{[]string{"init", "-q"}, ""}, {[]string{"commit", "-q", "--allow-empty", "-m", "a"}, ""}, {[]string{"tag", "nightly"}, ""}, {[]string{"tag", "v1.0"}, "v1.0"}, {[]string{"pack-refs", "--all"}, "v1.0"},
		{[]string{"checkout", "-q", "--detach"}, "v1.0"}, {[]string{"tag", "v1.1"}, ""}, {[]string{"tag", "-d", "v1.0"}, "v1.1"}, {[]string{"commit", "-q", "--allow-empty", "-m", "b"}, ""},
		{[]string{"tag", "-a", "v2.0", "-m", "x"}, ""}, {[]string{"pack-refs", "--all"}, "v2.0"}, {[]string{"checkout", "-q", "HEAD~"}, "v1.1"},
	} {
		cmd := exec.Command("git", append([]string{"-c", "user.name=a", "-c", "user.email=a@b"}, step.args...)...)
		cmd.Dir, cmd.Env = dir, append(os.Environ(), "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_SYSTEM=/dev/null")
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", step.args, out)
		}
		if got := TagAtHead(Place{}, dir); got != step.want {
			t.Errorf("after %v: %q, want %q", step.args, got, step.want)
		}
	}
}
