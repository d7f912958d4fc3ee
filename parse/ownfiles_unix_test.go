//go:build unix

package parse_test

// These tests damage every file that gatehouse keeps for its user: torn, of a later version, huge, deeply nested, a named pipe, a link,
// a directory, without permission. Reading must end with a printable error or none; writing must succeed or report why not; no other
// file may change.

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"gatehouse/cmd/gatehouse/config"
	"gatehouse/model"
	"gatehouse/parse/agents/ask"
	"gatehouse/parse/agents/notice"
	"gatehouse/parse/disk/journal"
	"gatehouse/parse/disk/kept"
	"gatehouse/parse/disk/process"
	"gatehouse/parse/unprivileged"
)

// ownFile is one of gatehouse's own files, in a state directory.
type ownFile struct {
	name  string
	path  string // path of the file, "" if each write creates a name of its own; then dir is damaged
	dir   string // directory of the file
	read  func() error
	write func() error // nil if only the user writes it
	// version is the text that holds its version, and later is that of a later version.
	version, later string
	// quiet are the kinds of damage that are deliberately not reported; "*" is all of them.
	quiet []string
}

var ownFilesNoon = time.Date(2026, 3, 14, 12, 0, 0, 0, time.UTC)

// ownFiles returns all of them, in one directory.
func ownFiles(t *testing.T, home string) []ownFile {
	clock := func() time.Time { return ownFilesNoon }
	keptDir, journals, agents, notices := filepath.Join(home, "kept"), filepath.Join(home, "journal"), filepath.Join(home, "agents"), filepath.Join(home, "told")
	log := journal.Open(nil, journals, "/src/shop")
	memory := func() *kept.Store { return kept.Open(nil, keptDir) }
	asks := func() *ask.Store {
		return ask.Open(ask.Options{Dir: agents, Journal: journals, User: "ann", Table: process.System{}, Now: clock})
	}
	session := func() error {
		return asks().UpdateSession("claude", "s1", func(s *ask.Session, _ time.Time) bool { s.Dir = "/src/shop"; return true })
	}
	none := func() error { return nil }
	// Waits and asks have files with names of their own.
	var left []func()
	t.Cleanup(func() {
		for _, f := range left {
			f()
		}
	})
	return []ownFile{
		{name: "view", path: filepath.Join(keptDir, "view-1.json"), dir: keptDir, version: `"version":1`, later: `"version":2`,
			read:  func() error { var v map[string]any; return memory().Load("view-1", &v) },
			write: func() error { return memory().Save(t.Context(), "view-1", map[string]string{"folded": "phase/01"}) }},
		{name: "visits", path: filepath.Join(keptDir, "projects.json"), dir: keptDir, version: `"version":1`, later: `"version":2`,
			read:  func() error { _, err := memory().Projects(); return err },
			write: func() error { return memory().SeeProjects(t.Context(), []string{"/src/shop"}, ownFilesNoon) }},
		{name: "journal", path: log.File(), dir: journals, version: `"entry":"begin"`, later: `"entry":"began"`,
			read: func() error { log.Unfinished(); _, err := log.Read(); return err },
			write: func() error {
				_, err := log.Begin(model.Decision{At: ownFilesNoon, Who: "ann", Text: "a\tb"})
				return err
			},
			quiet: []string{"empty", "torn", "later"}}, // entries that are missing at the end leave no gap
		{name: "mark of a wait", path: strings.TrimSuffix(log.File(), ".jsonl") + ".waited", dir: journals,
			read: none, write: func() error { left = append(left, log.Wait("gsd", "gate", ownFilesNoon)); return nil },
			quiet: []string{"*"}}, // the mark only wakes watchers
		{name: "wait", path: filepath.Join(log.Waiting(), "1-ABCDEF"), dir: log.Waiting(),
			read: func() error { log.Waiters(); return nil }, write: func() error { left = append(left, log.Wait("gsd", "gate", ownFilesNoon)); return nil },
			quiet: []string{"*"}}, // waits are only informational
		{name: "session", path: sessionFile(t, agents, session), dir: filepath.Join(agents, "sessions"), version: `"schema":1`, later: `"schema":2`,
			read: func() error { _, err := asks().Sessions(); return err }, write: session,
			quiet: []string{"empty", "torn", "binary", "later", "huge", "deep", "pipe", "link to itself", "link", "unreadable"}}, // the agent's next hook rewrites the file
		{name: "mark of a notice", dir: notices, path: filepath.Join(notices, "mark"),
			read: none,
			write: func() error {
				_, _, err := (&notice.Notifier{Dir: notices, Now: clock}).Tell(t.Context(), []model.Notice{{Key: "k"}})
				return err
			},
			quiet: []string{"*"}},
		{name: "configuration", path: filepath.Join(home, "config.yaml"), dir: filepath.Join(home, "none"),
			read: func() error {
				c := config.Read(filepath.Join(home, "config.yaml"), []config.Setting{{Name: "theme", Kind: config.Text}})
				for _, m := range c.Mistakes {
					return errors.New(c.File + ": " + m.Text + "; " + m.Mend)
				}
				return nil
			},
			// Half of a setting may be a valid one, many keep such files elsewhere, and a dangling link counts as no file. It is never written.
			quiet: []string{"empty", "torn", "link", "link to itself", "unwritable"}},
	}
}

// sessionFile returns the file of a session, whatever its name.
func sessionFile(t *testing.T, agents string, write func() error) string {
	t.Helper()
	if err := write(); err != nil {
		t.Fatal(err)
	}
	all, err := filepath.Glob(filepath.Join(agents, "sessions", "*.json"))
	if err != nil || len(all) != 1 {
		t.Fatalf("%v %v", all, err)
	}
	return all[0]
}

// spoils are the kinds of damage to a file with good content; secret is somebody else's file.
var spoils = []struct {
	name  string
	spoil func(f *ownFile, good, secret string) error
}{
	{"empty", func(f *ownFile, _, _ string) error { return os.WriteFile(f.path, nil, 0o600) }},
	{"torn", func(f *ownFile, good, _ string) error { return os.WriteFile(f.path, []byte(good[:len(good)/2]), 0o600) }},
	{"binary", func(f *ownFile, _, _ string) error {
		return os.WriteFile(f.path, []byte("\x00\x1b[2J\xff\xfe: \x1b]0;forged\x07\n\x00"), 0o600)
	}},
	{"later", func(f *ownFile, good, _ string) error {
		return os.WriteFile(f.path, []byte(strings.ReplaceAll(good, f.version, f.later)), 0o600)
	}},
	{"huge", func(f *ownFile, good, _ string) error {
		return errors.Join(os.WriteFile(f.path, []byte(good), 0o600), os.Truncate(f.path, 1<<40))
	}},
	{"deep", func(f *ownFile, _, _ string) error {
		return os.WriteFile(f.path, []byte(strings.Repeat(`[`, 200_000)+"\n"), 0o600)
	}},
	{"pipe", func(f *ownFile, _, _ string) error { return syscall.Mkfifo(f.path, 0o600) }},
	{"link to itself", func(f *ownFile, _, _ string) error { return os.Symlink(f.path, f.path) }},
	{"link", func(f *ownFile, _, secret string) error { return os.Symlink(secret, f.path) }},
	{"directory", func(f *ownFile, _, _ string) error { return os.Mkdir(f.path, 0o700) }},
	{"a file above", func(f *ownFile, _, _ string) error {
		return errors.Join(os.RemoveAll(f.dir), os.WriteFile(f.dir, nil, 0o600))
	}},
	// These two have no effect on root.
	{"unreadable", func(f *ownFile, good, _ string) error { return os.WriteFile(f.path, []byte(good), 0o000) }},
	{"unwritable", func(f *ownFile, good, _ string) error {
		return errors.Join(os.WriteFile(f.path, []byte(good), 0o400), os.Chmod(f.dir, 0o500))
	}},
}

func TestDamagedOwnFiles(t *testing.T) {
	for _, what := range spoils {
		for i := range ownFiles(t, filepath.Join(t.TempDir(), "home")) {
			home := t.TempDir()
			f := ownFiles(t, home)[i]
			if what.name == "later" && f.version == "" || what.name == "a file above" && f.write == nil {
				continue
			}
			if os.Getuid() == 0 && strings.HasPrefix(what.name, "un") {
				continue // see TestDamagedOwnFilesAsOrdinaryUser
			}
			t.Run(what.name+"/"+f.name, func(t *testing.T) { tryOwnFile(t, home, &f, what.name, what.spoil) })
		}
	}
}

// tryOwnFile damages a file, and reads and writes it.
func tryOwnFile(t *testing.T, home string, f *ownFile, what string, spoil func(f *ownFile, good, secret string) error) {
	good := "theme: dark\n"
	if f.write != nil {
		if err := f.write(); err != nil {
			t.Fatalf("before: %v", err)
		}
		text, err := os.ReadFile(f.path)
		if good = string(text); err != nil { // each write creates a name of its own
			good = "{}\n"
		}
	}
	secret := filepath.Join(home, "secret")
	const theirs = "theme: light\n"
	err := errors.Join(os.MkdirAll(f.dir, 0o700), os.WriteFile(secret, []byte(theirs), 0o600))
	if err == nil {
		os.Remove(f.path)
		err = spoil(f, good, secret)
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.Chmod(f.dir, 0o700) })
	spoiled, _ := os.Lstat(f.path)

	readErr := inTime(t, "reading", f.read)
	var writeErr error
	if f.write != nil {
		writeErr = inTime(t, "writing", f.write)
	}
	silent := slices.Contains(f.quiet, what)
	if reported := readErr != nil || writeErr != nil; reported == silent && !slices.Contains(f.quiet, "*") {
		t.Errorf("reading says: %v; writing says: %v", readErr, writeErr)
	}
	if f.write == nil {
		return
	}
	if writeErr == nil && !silent && what != "later" {
		if again := inTime(t, "reading again", f.read); again != nil && f.name != "journal" { // a journal only grows
			t.Errorf("it was written, and then: %v", again)
		}
	}
	if text, err := os.ReadFile(secret); err != nil || string(text) != theirs {
		t.Errorf("somebody else's file holds %q now: %v", text, err)
	}
	if what == "later" && f.version != "" && f.name != "journal" && f.name != "session" {
		if text, _ := os.ReadFile(f.path); !strings.Contains(string(text), f.later) {
			t.Errorf("what a later version has written is gone: %q", text)
		}
	}
	if now, err := os.Lstat(f.path); what == "directory" && (err != nil || !now.IsDir() || !spoiled.IsDir()) {
		t.Errorf("the directory is gone: %v", err)
	}
}

// inTime runs an operation that must end by itself, and checks its error.
func inTime(t *testing.T, what string, do func() error) error {
	t.Helper()
	result := make(chan error, 1)
	go func() {
		defer func() {
			if p := recover(); p != nil {
				result <- fmt.Errorf("panic: %v", p)
			}
		}()
		result <- do()
	}()
	select {
	case err := <-result:
		if err == nil {
			return nil
		}
		text := err.Error()
		if strings.HasPrefix(text, "panic") || strings.ContainsFunc(text, func(r rune) bool { return r < ' ' || r == 0x7f }) || len(text) > 500 {
			t.Errorf("%s says %q", what, text)
		}
		return err
	case <-time.After(time.Minute):
		t.Fatalf("%s does not end", what)
		return nil
	}
}

// TestDamagedOwnFilesAsOrdinaryUser runs the same tests as a user without root privileges.
func TestDamagedOwnFilesAsOrdinaryUser(t *testing.T) {
	if os.Getuid() != 0 {
		t.Skip("TestDamagedOwnFiles is run by an ordinary user already")
	}
	unprivileged.Rerun(t, "^TestDamagedOwnFiles$/^un", "TestDamagedOwnFiles/unwritable/journal")
}
