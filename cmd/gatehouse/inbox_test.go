//go:build unix

package main

// The inbox, with real processes: many who add at once, and others who write the file as fctry's own tools do.

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gatehouse/parse"
)

// newTray returns a project of fctry with an inbox, "" for none yet.
func newTray(t *testing.T, inbox string) *lamp {
	t.Helper()
	if testing.Short() {
		t.Skip("real processes take seconds")
	}
	home := t.TempDir()
	l := &lamp{T: t, dir: filepath.Join(home, "tray")}
	l.file = filepath.Join(l.dir, ".fctry", "inbox.json")
	l.user = parse.User{Home: home, Name: "ada", Journal: filepath.Join(home, ".local", "state", "gatehouse", "journal")}
	if err := os.MkdirAll(l.dir, 0o755); err != nil {
		t.Fatal(err)
	}
	if inbox != "" {
		if err := os.Mkdir(filepath.Dir(l.file), 0o755); err != nil {
			t.Fatal(err)
		}
		l.write(inbox)
	}
	return l
}

// contents returns how often each content is in the inbox.
func (l *lamp) contents() map[string]int {
	l.Helper()
	var items []struct{ ID, Content string }
	if err := json.Unmarshal([]byte(l.text()), &items); err != nil {
		l.Fatalf("%v: %q", err, l.text())
	}
	found, ids := map[string]int{}, map[string]bool{}
	for _, x := range items {
		found[x.Content]++
		if ids[x.ID] {
			l.Errorf("%s is there twice", x.ID)
		}
		ids[x.ID] = true
	}
	return found
}

func TestTwentyWhoAddAtOnceAreAllKept(t *testing.T) {
	t.Parallel()
	for name, inbox := range map[string]string{"where there is no inbox": "", "in front of others": `[{"id":"old","content":"first","x":1E400}]`} {
		t.Run(name, func(t *testing.T) {
			l := newTray(t, inbox)
			var all []*running
			for i := range 20 {
				all = append(all, l.start("inbox", "add", fmt.Sprint("idea ", i)))
			}
			for _, p := range all {
				if code := p.code(); code != exitDone {
					t.Errorf("exit code %d: %s", code, p.errors.String())
				}
			}
			found := l.contents()
			for i := range 20 {
				if n := found[fmt.Sprint("idea ", i)]; n != 1 {
					t.Errorf("idea %d is there %d times", i, n)
				}
			}
			if inbox != "" && !strings.HasSuffix(l.text(), inbox[1:]) {
				t.Errorf("the item that was there is another now: %s", l.text())
			}
			if n := len(l.decisions()); n != 20 {
				t.Errorf("the journal has %d entries", n)
			}
		})
	}
}

func TestAnItemThatIsWrittenOverIsToldOf(t *testing.T) {
	t.Parallel()
	l := newTray(t, "[]\n")
	p := l.writtenOver("idea", "[]\n", "inbox", "add", "idea")
	if code := p.cmd.ProcessState.ExitCode(); code != exitRefused || !strings.Contains(p.errors.String(), "another writer has overwritten inbox-") {
		t.Errorf("exit code %d, %s", code, p.errors.String())
	}
	// One that adds its own loses nothing.
	p = l.start("inbox", "add", "idea")
	l.says("idea")
	l.write(strings.Replace(l.text(), "[", `[{"id":"x"},`, 1))
	if code := p.code(); code != exitDone {
		t.Errorf("exit code %d, %s", code, p.errors.String())
	}
}
