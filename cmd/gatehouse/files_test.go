package main

// docs/configuration.md lists every file that Gatehouse keeps in the user's home directory, and no other.

import (
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"gatehouse/cmd/gatehouse/remote"
	"gatehouse/model"
	"gatehouse/parse/agents/ask"
	"gatehouse/parse/agents/notice"
	"gatehouse/parse/disk/journal"
	"gatehouse/parse/disk/kept"
	"gatehouse/parse/disk/process"
)

// keptFiles holds the paths of files found below ~/.local/state/gatehouse.
type keptFiles struct {
	mu    sync.Mutex
	names map[string]bool
}

// find adds the files in a home directory.
func (k *keptFiles) find(home string) {
	k.mu.Lock()
	defer k.mu.Unlock()
	top := filepath.Join(home, ".local", "state", "gatehouse")
	_ = filepath.WalkDir(top, func(path string, e fs.DirEntry, err error) error {
		if err == nil && !e.IsDir() {
			name, _ := filepath.Rel(top, path)
			k.names[filepath.ToSlash(name)] = true
		}
		return nil // a script may have put anything there
	})
}

// dashboard adds the files that a dashboard and a host write.
func (k *keptFiles) dashboard(t *testing.T) {
	t.Helper()
	home := t.TempDir()
	state := filepath.Join(home, ".local", "state", "gatehouse")
	store := kept.Open(nil, filepath.Join(state, "kept"))
	notifier := &notice.Notifier{Dir: filepath.Join(state, "told"), Now: func() time.Time { return today }}
	asks := ask.Open(ask.Options{Dir: filepath.Join(state, "agents"), Table: process.System{}, Now: func() time.Time { return today }})
	here, err := asks.Attend()
	if err != nil {
		t.Fatal(err)
	}
	defer here.Close()
	asked, err := asks.Ask(ask.Ask{Kind: ask.Permission, Text: "Deploy now?", Agent: "script", Dir: home, Project: home})
	if err != nil {
		t.Fatal(err)
	}
	defer asked.Close()
	defer journal.Open(nil, filepath.Join(state, "journal"), home).Wait("loop", "gate/x", today)()
	if err := store.SeeProjects(context.Background(), []string{"/shop"}, today); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"/shop", "screen"} {
		if err := (keeper{store}).Save(name, 1); err != nil {
			t.Fatal(err)
		}
	}
	if _, _, err := notifier.Tell(context.Background(), []model.Notice{{Key: "k"}}); err != nil {
		t.Fatal(err)
	}
	if remote.MachineID(filepath.Join(state, "fleet")) == "" {
		t.Fatal("the account on this machine has no ID")
	}
	k.find(home)
}

// check compares the files with the table. If all scripts were run, it also compares the table with the files.
func (k *keptFiles) check(t *testing.T, all bool) {
	t.Helper()
	text, err := os.ReadFile("../../docs/configuration.md")
	if err != nil {
		t.Fatal(err)
	}
	documented := map[string]*regexp.Regexp{}
	for _, m := range regexp.MustCompile("(?m)^\\| `~/\\.local/state/gatehouse/([^`]+)` \\|").FindAllStringSubmatch(string(text), -1) {
		form := regexp.MustCompile(`[A-Z]+`).ReplaceAllString(regexp.QuoteMeta(m[1]), `[^/]+`)
		documented[m[1]] = regexp.MustCompile(`^` + form + `$`)
	}
	used := map[string]bool{}
	for name := range k.names {
		found := strings.HasSuffix(name, ".lock") || strings.HasSuffix(name, ".tmp")
		for form, matches := range documented {
			if matches.MatchString(name) {
				used[form], found = true, true
			}
		}
		if !found {
			t.Errorf("docs/configuration.md does not name %s", name)
		}
	}
	for form := range documented {
		if all && !used[form] {
			t.Errorf("docs/configuration.md names %s, which nothing writes", form)
		}
	}
}
