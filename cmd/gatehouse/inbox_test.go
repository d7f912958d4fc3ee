//go:build unix

package main

// The inbox, with real processes: many who add at once, and others who write the file as fctry's own tools do.

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

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

// TestAddingBesideAWriterThatNeverRests holds that an item is either there or its loss was said, that the other writer loses
// nothing, and that nobody takes half of a file for an empty inbox.
func TestAddingBesideAWriterThatNeverRests(t *testing.T) {
	t.Parallel()
	const theirs = `{"id": "inbox-1-aaaaaa", "content": "theirs", "beat": 0}`
	l := newTray(t, "["+theirs+"]")
	stop := make(chan struct{})
	var writer sync.WaitGroup
	writer.Go(func() { // reads, truncates and writes, as fctry's viewer does
		for {
			select {
			case <-stop:
				return
			case <-time.After(5 * time.Millisecond):
				var items []json.RawMessage
				text, err := os.ReadFile(l.file)
				if err != nil || json.Unmarshal(text, &items) != nil {
					continue
				}
				l.write(string(text))
			}
		}
	})
	said := map[string]bool{} // what was said to be added
	for i := range 8 {
		idea := fmt.Sprint("idea ", i)
		p := l.start("inbox", "add", idea)
		switch code, complaint := p.code(), p.errors.String(); {
		case code == exitDone:
			said[idea] = true
		case code == exitRefused && (strings.Contains(complaint, "another writer") || strings.Contains(complaint, "nothing is written to a file that can't be read")):
		default:
			t.Errorf("exit code %d: %s%s", code, p.out.String(), complaint)
		}
	}
	close(stop)
	writer.Wait()
	found := l.contents()
	if found["theirs"] != 1 || !strings.Contains(l.text(), theirs) {
		t.Errorf("their item is gone: %s", l.text())
	}
	for idea := range said {
		if found[idea] == 0 {
			t.Errorf("%s was said to be added, and is not there", idea)
		}
	}
	if len(said) == 0 {
		t.Error("nothing at all could be added")
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

// TestAddingThatIsKilledLeavesAWholeInbox kills processes while they add: at any moment the file is whole, what was said to
// be added is in it, and a lock that was left behind stops nobody.
func TestAddingThatIsKilledLeavesAWholeInbox(t *testing.T) {
	t.Parallel()
	l := newTray(t, "")
	for i := range 12 {
		doomed := l.start("inbox", "add", fmt.Sprint("doomed ", i))
		time.Sleep(time.Duration(i) * 2 * time.Millisecond)
		doomed.cmd.Process.Kill()
		doomed.code()
		if text, err := os.ReadFile(l.file); err == nil && !json.Valid(text) {
			t.Fatalf("half of an inbox: %q", text)
		}
	}
	if code := l.start("inbox", "add", "survivor").code(); code != exitDone {
		t.Errorf("exit code %d after the others were killed", code)
	}
	if l.contents()["survivor"] != 1 {
		t.Errorf("%s", l.text())
	}
}
