package peek

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func write(t *testing.T, path, text string) string {
	t.Helper()
	must(t, os.MkdirAll(filepath.Dir(path), 0o755))
	must(t, os.WriteFile(path, []byte(text), 0o644))
	return path
}

func TestReadFile(t *testing.T) {
	path := write(t, filepath.Join(t.TempDir(), "f"), "0123456789")
	for _, c := range []struct {
		limit     int
		want      string
		truncated bool
	}{
		{Limit, "0123456789", false}, {11, "0123456789", false}, {10, "0123456789", false}, {9, "012345678", true}, {5, "01234", true}, {0, "", true},
	} {
		text, truncated, err := ReadFile(path, "", c.limit)
		if text != c.want || truncated != c.truncated || err != nil {
			t.Errorf("limit %d: %q, %v, %v, want %q, %v", c.limit, text, truncated, err, c.want, c.truncated)
		}
	}
}

func TestReadFileEmptyAndLarge(t *testing.T) {
	dir := t.TempDir()
	if text, truncated, err := ReadFile(write(t, filepath.Join(dir, "e"), ""), "", Limit); text != "" || truncated || err != nil {
		t.Errorf("empty: %q, %v, %v", text, truncated, err)
	}
	large := bytes.Repeat([]byte("0123456789abcdef"), 5<<20/16)
	must(t, os.WriteFile(filepath.Join(dir, "l"), large, 0o644))
	text, truncated, err := ReadFile(filepath.Join(dir, "l"), "", Limit)
	if text != string(large) || truncated || err != nil {
		t.Errorf("large: %d bytes, %v, %v", len(text), truncated, err)
	}
}

func TestReadFileErrors(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "f"), "x")
	for path, want := range map[string]error{"none": ErrNotExist, "none/x": ErrNotExist, "f/x": ErrNotExist, ".": ErrNotRegular} {
		_, _, err := ReadFile(filepath.Join(dir, path), dir, Limit)
		if path == "f/x" && os.PathSeparator == '\\' {
			continue // Windows has another error for it
		}
		if !errors.Is(err, want) || Missing(err) != (want == ErrNotExist) {
			t.Errorf("%s: %v, want %v", path, err, want)
		}
	}
	_, _, err := ReadFile(filepath.Join(dir, "a\x00b"), "", Limit)
	var failure *Failure
	if !errors.As(err, &failure) || failure.Op != "open" || !strings.HasPrefix(err.Error(), "cannot open it: ") {
		t.Errorf("NUL in the name: %v", err)
	}
}

func TestClimb(t *testing.T) {
	root := filepath.VolumeName(t.TempDir()) + string(filepath.Separator)
	path := func(name string) string { return filepath.Join(root, filepath.FromSlash(name)) }
	for _, c := range []struct {
		dir, home string
		want      string // the last directory looked at
		n         int
	}{
		{"", "", "", 1}, {"a", "", "", 2}, {"a/b", "a", "a", 2}, {"a/b", "a/b", "a/b", 1}, {"a/b", "c", "", 3},
		{"1/2/3/4/5/6/7/8/9", "", "", 10}, {"1/2/3/4/5/6/7/8/9/10/11", "", "1/2", 10},
	} {
		n, last, home := 0, "", ""
		if c.home != "" {
			home = path(c.home)
		}
		for dir := range Climb(path(c.dir), home) {
			n, last = n+1, dir
		}
		if n != c.n || last != path(c.want) {
			t.Errorf("from %q, home %q: %d directories up to %q, want %d up to %q", c.dir, c.home, n, last, c.n, path(c.want))
		}
	}
	for range Climb(path("a/b/c"), "") {
		break // leaving early is allowed
	}
}

func TestAbsolute(t *testing.T) {
	if os.PathSeparator != '/' {
		t.Skip("paths with slashes")
	}
	for path, want := range map[string]string{
		"": "/w/d", ".": "/w/d", "..": "/w", "../..": "/", "../../..": "/", "x": "/w/d/x", "x/../y//z/.": "/w/d/y/z", "/": "/", "//a//b/": "/a/b", "/..": "/",
		"/a/../..": "/", "...": "/w/d/...",
	} {
		if got := Absolute(path, "/w/d"); got != want {
			t.Errorf("Absolute(%q) = %q, want %q", path, got, want)
		}
	}
	if got := Join("/", "a"); got != "/a" {
		t.Error(got)
	}
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
