package config

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// table returns a small table with settings of each kind.
func table() []Setting {
	short := func(text string) error {
		if len(text) > 3 {
			return fmt.Errorf("%q is too long", text)
		}
		return nil
	}
	return []Setting{
		{Name: "theme", Default: []string{"auto"}, Values: []string{"auto", "dark"}},
		{Name: "mouse", Default: []string{"true"}, Values: []string{"true", "false"}},
		{Name: "roots", Kind: Texts, Example: "[~/src]"},
		{Name: "keys.next", Kind: Texts, Default: []string{"n"}, Check: short, Unique: true},
		{Name: "keys.quit", Kind: Texts, Default: []string{"q"}, Check: short, Unique: true},
	}
}

// read reads a text as the configuration file.
func read(t *testing.T, text string) *Config {
	t.Helper()
	file := filepath.Join(t.TempDir(), "config.yaml")
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return Read(file, table())
}

// TestRead checks that valid settings count, and that each mistake is reported at its line and costs only its own setting.
func TestRead(t *testing.T) {
	for _, c := range []struct{ text, theme, next, mistakes string }{
		{"", "auto", "n", ""},
		{"# nothing yet\n", "auto", "n", ""},
		{"theme: dark\nkeys:\n  next: [n, j]\n", "dark", "n j", ""},
		{"theme:\nkeys:\n", "auto", "n", ""},
		{"keys: {next: []}\n", "auto", "", ""},
		{"keys: {next: 1}\n", "auto", "1", ""},
		{"\uFEFFtheme: dark\r\n", "dark", "n", ""},
		{"theme: drak\nkeys: {next: j}\n", "auto", "j", `1 theme: there is no "drak"; write one of auto, dark`},
		{"theme: [dark]\n", "auto", "n", "1 theme: this is a list; write one of auto, dark"},
		{"mouse: perhaps\n", "auto", "n", `1 mouse: there is no "perhaps"; write one of true, false`},
		{"roots: {a: b}\n", "auto", "n", "1 roots: this is an object; write it like roots: [~/src]"},
		{"roots: [{a: b}]\n", "auto", "n", "1 roots: an item of the list is not text; write it like roots: [~/src]"},
		{"keys: next\n", "auto", "n", `1 keys: this is text; write the settings below it, each as "name: value"`},
		{"keys:\n  next: long-one\n  quit: x\n", "auto", "n", `2 keys.next: "long-one" is too long; write it like next: [n]`},
		{"keys:\n  next: x\n  quit: x\n", "auto", "x", "3 keys.quit: x is set at line 2 already; choose another one here or there"},
		{"thme: dark\nkeys:\n  nxet: x\nsomething: 1\n", "auto", "n",
			"1 thme: there is no such setting; did you mean theme?|3 keys.nxet: there is no such setting; did you mean next?|4 something: there is no such setting; take it out; gatehouse config lists all"},
		{"theme: auto\ntheme: dark\nthme: x\n", "dark", "n", "2 the key “theme” appears twice; keep one; the last one counts|3 thme: there is no such setting; did you mean theme?"},
		{"theme: dark\nkeys: {next: [}\n", "dark", "n", "2 unexpected “}”; put the text into quotation marks; anchors, aliases, tags and directives are not supported"},
		{"theme: dark\nroots:\n  - a\xff\n", "dark", "n", "3 a control character, or bytes that are not UTF-8; delete the character, or save the file as UTF-8"},
		{"- a\n", "auto", "n", `1 this is not one list of settings; write each as "name: value"`},
		{"a\n---\nb\n", "auto", "n", "2 more than one document; keep one, and begin its text below the “---”"},
	} {
		got := read(t, c.text)
		var mistakes []string
		for _, m := range got.Mistakes {
			mistakes = append(mistakes, fmt.Sprintf("%d %s; %s", m.Line, m.Text, m.Mend))
		}
		if got.Text("theme") != c.theme || strings.Join(got.Texts("keys.next"), " ") != c.next || strings.Join(mistakes, "|") != c.mistakes {
			t.Errorf("%q: theme %q, next %q\n got %s\nwant %s", c.text, got.Text("theme"), got.Texts("keys.next"), strings.Join(mistakes, "|"), c.mistakes)
		}
	}
	if v, ok := read(t, "\n\nmouse: false\n").Set("mouse"); !ok || v.Line != 3 || v.Texts[0] != "false" {
		t.Error(v, ok)
	}
}

// TestReadHostile checks that directories, huge files and deep or recursive YAML are read in time and reported as mistakes.
func TestReadHostile(t *testing.T) {
	dir := t.TempDir()
	long := filepath.Join(dir, "long")
	if err := os.WriteFile(long, []byte(strings.Repeat("# long\n", sizeLimit/6)), 0o644); err != nil {
		t.Fatal(err)
	}
	deep := filepath.Join(dir, "deep")
	if err := os.WriteFile(deep, []byte(strings.Repeat("[", 100_000)), 0o644); err != nil {
		t.Fatal(err)
	}
	bomb := "a: &a [x,x,x,x,x,x,x,x,x]\n"
	for c := 'b'; c < 'k'; c++ {
		bomb += fmt.Sprintf("%c: &%c [*%c,*%c,*%c,*%c,*%c,*%c]\n", c, c, c-1, c-1, c-1, c-1, c-1, c-1)
	}
	laughs := filepath.Join(dir, "laughs")
	if err := os.WriteFile(laughs, []byte(bomb), 0o644); err != nil {
		t.Fatal(err)
	}
	for file, mistakes := range map[string]bool{dir: true, long: true, deep: true, laughs: true, filepath.Join(dir, "none"): false, "": false} {
		start := time.Now()
		c := Read(file, table())
		if len(c.Mistakes) > 0 != mistakes || c.Text("theme") != "auto" {
			t.Errorf("%s: %+v", file, c.Mistakes)
		}
		if time.Since(start) > time.Minute {
			t.Errorf("%s took %v", file, time.Since(start))
		}
	}
}

// TestPathOf checks paths that settings name.
func TestPathOf(t *testing.T) {
	for path, want := range map[string]string{"~": "/h", "~/src": "/h/src", "/src": "/src", "src": "/h/src", "~other": "/h/~other"} {
		if got := PathOf(path, "/h"); got != want {
			t.Errorf("%q is %q", path, got)
		}
	}
}
