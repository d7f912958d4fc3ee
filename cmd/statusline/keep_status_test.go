//go:build unix

package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"gatehouse/parse/agents/waiting"
)

// TestAgentStatusIsKept checks that an agent's input to its status line is kept for the dashboard.
func TestAgentStatusIsKept(t *testing.T) {
	program, home := build(t, "."), t.TempDir()
	store := waiting.StorePath(false, home, func(string) string { return "" })
	file := func(session string) string {
		return filepath.Join(store, "statusline", waiting.Key("claude "+session)+".json")
	}
	tell := func(input string) {
		t.Helper()
		cmd := asAgent(program, home)
		cmd.Stdin = strings.NewReader(input)
		if out, err := cmd.CombinedOutput(); err != nil || !strings.Contains(string(out), "Claude") {
			t.Fatalf("%v, %s", err, out)
		}
	}
	status := func(cost string) string { return `{"session_id": "../abc", "cost": {"total_cost_usd": ` + cost + `}}` }
	for _, input := range []string{status("1.5"), status("1.6")} {
		tell(input)
		if got, err := os.ReadFile(file("../abc")); err != nil || string(got) != input {
			t.Errorf("%q, %v", got, err)
		}
	}
	tell(`{"model": {}}`) // no session
	names, err := filepath.Glob(filepath.Join(store, "statusline", "*"))
	if err != nil || len(names) != 1 {
		t.Errorf("%v, %v", names, err)
	}
	for path, want := range map[string]os.FileMode{file("../abc"): 0o600, filepath.Dir(names[0]): 0o700, store: 0o700} {
		if st, err := os.Stat(path); err != nil || st.Mode().Perm() != want {
			t.Errorf("%s: %v, %v", path, st.Mode(), err)
		}
	}

	// A temporary file left by a killed process delays later writes only briefly.
	temp, then := file("../abc")+".tmp", time.Now().Add(-time.Minute)
	if err := os.WriteFile(temp, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Chtimes(temp, then, then); err != nil {
		t.Fatal(err)
	}
	tell(status("2"))
	tell(status("2"))
	if got, err := os.ReadFile(file("../abc")); err != nil || string(got) != status("2") {
		t.Errorf("after a crash: %q, %v", got, err)
	}
}

func TestAgentStatusIsKeptInPrivateDirectoriesOnly(t *testing.T) {
	program := build(t, ".")
	for name, prepare := range map[string]func(store string) error{
		"store writable by others":     func(store string) error { return os.Chmod(store, 0o777) },
		"directory writable by others": func(store string) error { return os.Chmod(filepath.Join(store, "statusline"), 0o770) },
		"store of another user":        func(store string) error { return os.Chown(store, 65534, -1) },
		"a link": func(store string) error {
			return os.Rename(filepath.Join(store, "statusline"), store+"-moved")
		},
	} {
		home := t.TempDir()
		store := waiting.StorePath(false, home, func(string) string { return "" })
		err := os.MkdirAll(filepath.Join(store, "statusline"), 0o700)
		if err == nil {
			err = prepare(store)
		}
		if err == nil && name == "a link" {
			err = os.Symlink(store+"-moved", filepath.Join(store, "statusline"))
		}
		if err != nil {
			t.Skip(err)
		}
		cmd := asAgent(program, home)
		cmd.Stdin = strings.NewReader(`{"session_id": "abc"}`)
		if out, err := cmd.CombinedOutput(); err != nil || !strings.Contains(string(out), "Claude") {
			t.Fatalf("%s: %v, %s", name, err, out)
		}
		for _, pattern := range []string{store + "/*/*", store + "-moved/*"} {
			if left, _ := filepath.Glob(pattern); len(left) > 0 {
				t.Errorf("%s: %v", name, left)
			}
		}
	}
}
