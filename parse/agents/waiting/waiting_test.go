package waiting

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gatehouse/parse/conformance"
	"gatehouse/parse/disk/peek"
)

func TestName(t *testing.T) {
	key := Key("/home/me/shop")
	if len(key) != KeySize || key != Key("/home/me/shop") || key == Key("/home/me/shop/") {
		t.Errorf("key %q", key)
	}
	for _, kind := range []string{Held, Kept, Turn} {
		n := Name{Project: key, Session: Key("claude 1"), ID: "abc23456", Kind: kind}
		if got, ok := Parse(n.String()); !ok || got != n {
			t.Errorf("%s: %+v, %v", n, got, ok)
		}
	}
	good := Name{Project: key, Session: key, ID: "abc23456", Kind: Kept}.String()
	for _, bad := range []string{"", "..", good + "x", good[1:], strings.ToUpper(good), strings.Replace(good, ".kept", ".told", 1), strings.Replace(good, "abc", "a\x1bc", 1)} {
		if n, ok := Parse(bad); ok {
			t.Errorf("%q: %+v", bad, n)
		}
	}
	if ValidID("abc2345") || ValidID("abc/3456") || !ValidID("abc23456") {
		t.Error("IDs")
	}
}

func TestCount(t *testing.T) {
	store := t.TempDir()
	shop, api := Key("/shop"), Key("/api")
	touch := func(path ...string) {
		t.Helper()
		file := filepath.Join(append([]string{store}, path...)...)
		if err := errors.Join(os.MkdirAll(filepath.Dir(file), 0o700), os.WriteFile(file, nil, 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	want := func(project string, asks, turns int) {
		t.Helper()
		if got := Count(store, project); got != (Counts{asks, turns}) {
			t.Errorf("%q: %+v, want %d asks, %d turns", project, got, asks, turns)
		}
	}
	want(shop, 0, 0) // no store
	touch(Dir, Name{shop, Key("s"), "aaaaaaaa", Held}.String())
	touch(Dir, Name{shop, Key("s"), "bbbbbbbb", Kept}.String())
	touch(Dir, Name{shop, Key("t"), "dddddddd", Turn}.String())
	touch(Dir, Name{api, Key("s"), "cccccccc", Held}.String())
	touch(Dir, ".XYZ.tmp")
	touch(Dir, "README")
	want(shop, 2, 1)
	want(api, 1, 0)
	want("", 3, 1)
	// These have ended, but their files have not moved yet.
	touch(Ended, "aaaaaaaa"+End)
	want(shop, 1, 1)
	touch(Ended, "dddddddd"+End)
	want(shop, 1, 0)
	want("", 2, 0)
}

func TestStorePath(t *testing.T) {
	if peek.Separator != "/" {
		t.Skip("paths of another kind")
	}
	conformance.OwnRows(t, "storepath.jsonl", func(t *testing.T, c struct {
		Windows bool
		Home    string
		Env     map[string]string
		Want    string
	}) {
		if got := StorePath(c.Windows, c.Home, func(name string) string { return c.Env[name] }); got != c.Want {
			t.Errorf("%+v: %q", c, got)
		}
	})
}

func FuzzParse(f *testing.F) {
	f.Add(Name{Key("a"), Key("b"), "abc23456", Turn}.String())
	f.Fuzz(func(t *testing.T, file string) {
		if n, ok := Parse(file); ok && n.String() != file {
			t.Errorf("%q is read as %+v", file, n)
		}
	})
}
