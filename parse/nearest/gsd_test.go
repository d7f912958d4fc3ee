package nearest

import (
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

func TestWalkUp(t *testing.T) {
	root := tree(t, map[string]string{
		".planning/STATE.md":               state("top"),
		"1/2/3/4/5/6/7/8/9/10/":            "",
		"empty/.planning/STATE.md":         "",
		"empty/a/":                         "",
		"dir/.planning/STATE.md/":          "",
		"dir/a/":                           "",
		"bare/.planning/":                  "",
		"deep/home/.planning/STATE.md":     state("home"),
		"deep/home/a/b/.planning/STATE.md": state("near"),
		"deep/home/a/c/":                   "",
	})
	for _, c := range []struct {
		dir, home string
		want      string
		ok        bool
	}{
		{"", "", "top", true},
		{"1/2/3/4/5/6/7/8/9", "", "top", true}, // ten directories including the first
		{"1/2/3/4/5/6/7/8/9/10", "", "", false},
		{"empty/a", "", "", true}, // an empty one hides those above
		{"dir/a", "", "top", true},
		{"bare", "", "top", true},
		{"deep/home/a/b", "", "near", true},
		{"deep/home/a/c", "deep/home", "home", true}, // home itself is searched
		{"deep/home/a/c", "deep/home/a", "", false},  // its parent is not
		{"1/2", "deep/home", "top", true},            // a walk from outside home does not end there
		{"deep", "deep", "", false},
	} {
		p := Place{Dir: filepath.Join(root, filepath.FromSlash(c.dir))}
		if c.home != "" {
			p.Home = filepath.Join(root, filepath.FromSlash(c.home))
		}
		if got, ok := lineOf(p); got != c.want || ok != c.ok {
			t.Errorf("%s, home %s: %q, %v, want %q, %v", c.dir, c.home, got, ok, c.want, c.ok)
		}
	}
}

func TestConfigHasItsOwnWalk(t *testing.T) {
	const flat, nested = `{"statusline.state_format": "compact"}`, `{"statusline": {"state_format": "compact"}}`
	s := "---\nmilestone: v1\nmilestone_name: N\n---\n"
	root := tree(t, map[string]string{
		"flat/.planning/STATE.md": s, "flat/.planning/config.json": flat,
		"nested/.planning/STATE.md": s, "nested/.planning/config.json": nested,
		"both/.planning/STATE.md": s, "both/.planning/config.json": `{"statusline.state_format": "full", "statusline": {"state_format": "compact"}}`,
		"null/.planning/STATE.md": s, "null/.planning/config.json": `{"statusline.state_format": null, "statusline": {"state_format": "compact"}}`,
		"escaped/.planning/STATE.md": s, "escaped/.planning/config.json": `{"statusline": {"state\u005fformat": "com\u0070act"}}`,
		"broken/.planning/config.json": nested, "broken/a/.planning/STATE.md": s, "broken/a/.planning/config.json": "{",
		"above/.planning/config.json": nested, "above/a/.planning/STATE.md": s,
		"below/.planning/STATE.md": s, "below/a/.planning/config.json": nested,
		"adir/.planning/config.json": nested, "adir/a/.planning/STATE.md": s, "adir/a/.planning/config.json/": "",
		"none/.planning/STATE.md": s,
	})
	for dir, want := range map[string]string{
		"flat": "v1", "nested": "v1", "both": "v1 N", "null": "v1 N", "escaped": "v1", "broken/a": "v1 N", "above/a": "v1",
		"below/a": "v1", "adir/a": "v1 N", "none": "v1 N",
	} {
		if got, _ := lineOf(Place{Dir: filepath.Join(root, dir), Home: root}); got != want {
			t.Errorf("%s: %q, want %q", dir, got, want)
		}
	}
}

func TestWorkstreams(t *testing.T) {
	const none = "no active workstream"
	type env = map[string]string
	for _, c := range []struct {
		name  string
		files map[string]string // in addition to two workstreams, a and b.2, and one without STATE.md, bare
		env   env
		want  string
	}{
		{name: "nothing says which", want: none},
		{name: "flat wins", files: map[string]string{".planning/STATE.md": state("flat")}, env: env{"GSD_WORKSTREAM": "a"}, want: "flat"},
		{name: "flat above does not", files: map[string]string{"../.planning/STATE.md": state("up")}, want: none},
		{name: "environment", env: env{"GSD_WORKSTREAM": " a\n"}, want: "A"},
		{name: "environment, dotted", env: env{"GSD_WORKSTREAM": "b.2"}, want: "B"},
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
	} {
		files := map[string]string{
			"p/.planning/workstreams/a/STATE.md": state("A"), "p/.planning/workstreams/b.2/STATE.md": state("B"), "p/.planning/workstreams/bare/": "",
		}
		for name, text := range c.files {
			files[filepath.ToSlash(filepath.Join("p", name))] = text
		}
		top := tree(t, files)
		got, ok := lineOf(Place{Dir: filepath.Join(top, "p"), Home: top, Env: func(name string) string { return c.env[name] }})
		if got != c.want || !ok {
			t.Errorf("%s: %q, %v, want %q", c.name, got, ok, c.want)
		}
	}
}

func TestNoWorkstreamsWithoutSubdirectories(t *testing.T) {
	root := tree(t, map[string]string{".planning/STATE.md": state("up"), "p/.planning/workstreams/README.md": "", "q/.planning/workstreams/": ""})
	for _, dir := range []string{"p", "q"} {
		if got, _ := lineOf(Place{Dir: filepath.Join(root, dir)}); got != "up" {
			t.Errorf("%s: %q, want %q", dir, got, "up")
		}
	}
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
