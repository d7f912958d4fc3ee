package peek

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"
)

func TestNewest(t *testing.T) {
	dir := t.TempDir()
	at := func(name string, offset time.Duration) {
		path := write(t, filepath.Join(dir, name), "")
		when := time.Date(2026, 1, 2, 3, 4, 5, 6_000_000, time.UTC).Add(offset)
		must(t, os.Chtimes(path, when, when))
	}
	json := func(name string) bool { return strings.HasSuffix(name, ".json") }
	if got := Newest(dir, json); got != "" {
		t.Errorf("nothing there: %q", got)
	}
	at("b.json", 0)
	at("a.json", -time.Second)
	at("c.txt", time.Hour)
	if got := Newest(dir, json); got != "b.json" {
		t.Errorf("the newer one: %q", got)
	}
	at("a.json", 100*time.Microsecond) // the same millisecond
	if got := Newest(dir, json); got != "a.json" {
		t.Errorf("the first by name of two equally new: %q", got)
	}
	for i := range 500 { // more entries than one call returns
		at("old"+strings.Repeat("x", 60)+strconv.Itoa(i)+".json", -time.Hour)
	}
	if err := os.Symlink("nowhere", filepath.Join(dir, "z.json")); err != nil {
		t.Log(err)
	}
	if got := Newest(dir, json); got != "a.json" {
		t.Errorf("among many: %q", got)
	}
	if got := Newest(filepath.Join(dir, "a.json"), json); got != "" {
		t.Errorf("in a file: %q", got)
	}
	if got := Newest(filepath.Join(dir, "none"), json); got != "" {
		t.Errorf("in nothing: %q", got)
	}
}

func TestReadTail(t *testing.T) {
	dir := t.TempDir()
	path := write(t, filepath.Join(dir, "f"), "0123456789")
	for size, want := range map[int]string{0: "", 1: "9", 9: "123456789", 10: "0123456789", 11: "0123456789", 4096: "0123456789"} {
		if got, err := ReadTail(path, make([]byte, size)); got != want || err != nil {
			t.Errorf("%d bytes: %q, %v, want %q", size, got, err, want)
		}
	}
	if got, err := ReadTail(write(t, filepath.Join(dir, "e"), ""), make([]byte, 8)); got != "" || err != nil {
		t.Errorf("empty: %q, %v", got, err)
	}
	if _, err := ReadTail(filepath.Join(dir, "none"), make([]byte, 8)); err != ErrNotExist {
		t.Error(err)
	}
	if _, err := ReadTail(dir, make([]byte, 8)); err != ErrNotRegular {
		t.Error(err)
	}
	if err := os.Truncate(path, 5<<30); err != nil {
		t.Skip("no sparse files here:", err)
	}
	if got, err := ReadTail(path, make([]byte, 8)); got != strings.Repeat("\x00", 8) || err != nil {
		t.Errorf("5 GiB: %q, %v", got, err)
	}
}
