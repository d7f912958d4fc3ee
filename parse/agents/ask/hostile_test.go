//go:build unix

package ask

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"gatehouse/parse/agents/waiting"
)

// TestForeignStore: directories that other users own or can write to are refused.
func TestForeignStore(t *testing.T) {
	for what, spoil := range map[string]func(dir string) error{
		"can be written by other users": func(dir string) error { return os.Chmod(dir, 0o777) },
		"not a directory":               func(dir string) error { return errors.Join(os.Rename(dir, dir+".real"), os.Symlink(dir+".real", dir)) },
		"belongs to another":            func(dir string) error { return os.Chown(dir, 65534, 65534) },
	} {
		for _, below := range []string{"", waiting.Dir, waiting.Ended} {
			s, _ := newStore(t)
			asked := s.mustAsk(t, question())
			must(t, os.MkdirAll(filepath.Join(s.Dir, waiting.Ended), 0o700))
			if err := spoil(filepath.Join(s.Dir, below)); errors.Is(err, fs.ErrPermission) {
				continue // only root can give files away
			} else {
				must(t, err)
			}
			if below != waiting.Ended {
				if _, err := s.Ask(question()); err == nil || !strings.Contains(err.Error(), what) {
					t.Errorf("%s %s: asking gives %v", below, what, err)
				}
				if _, err := s.List(false); err == nil {
					t.Errorf("%s %s: it is listed", below, what)
				}
			}
			if _, err := s.Answer(asked.Ask.ID, picks(0), ByCommand); err == nil {
				t.Errorf("%s %s: it is answered", below, what)
			}
		}
	}
}

// TestForeignFiles: links, directories, devices, files of other users and files that are not asks are left alone.
func TestForeignFiles(t *testing.T) {
	s, _ := newStore(t)
	asked := s.mustAsk(t, question())
	good, err := os.ReadFile(filepath.Join(s.Dir, waiting.Dir, asked.Ask.fileName().String()))
	must(t, err)
	secret := filepath.Join(t.TempDir(), "secret")
	must(t, os.WriteFile(secret, good, 0o600))
	at := func(id string) string {
		n := asked.Ask.fileName()
		n.ID = id
		return filepath.Join(s.Dir, waiting.Dir, n.String())
	}
	must(t, os.Symlink(secret, at("aaaaaaaa")))
	must(t, os.Mkdir(at("bbbbbbbb"), 0o700))
	must(t, syscall.Mkfifo(at("cccccccc"), 0o600))
	must(t, os.WriteFile(at("dddddddd"), good, 0o600)) // contains another ID
	must(t, os.WriteFile(at("eeeeeeee"), []byte(`{"schema":2,"id":"eeeeeeee","kind":"plan"}`), 0o600))
	must(t, os.WriteFile(at("ffffffff"), good[:len(good)/2], 0o600))
	must(t, os.WriteFile(at("gggggggg"), []byte(`{"schema":1,"id":"gggggggg","kind":"deed"}`), 0o600))
	must(t, os.WriteFile(at("hhhhhhhh"), []byte(`{"schema":1,"id":"hhhhhhhh","kind":"plan","project":"/other"}`), 0o600)) // under the name of another project
	must(t, os.WriteFile(filepath.Join(s.Dir, waiting.Dir, "note.txt"), good, 0o600))
	huge, err := os.Create(at("iiiiiiii"))
	must(t, err)
	must(t, errors.Join(huge.Truncate(1<<40), huge.Close()))
	foreign := at("jjjjjjjj")
	must(t, os.WriteFile(foreign, []byte(strings.ReplaceAll(string(good), asked.Ask.ID, "jjjjjjjj")), 0o600))
	if err := os.Chown(foreign, 65534, 65534); err != nil { // only root can give files away
		must(t, os.Remove(foreign))
	}
	r := s.Reader()
	items, err := r.List(true)
	for range 2 { // the second time everything is cached
		if err == nil || !strings.HasPrefix(err.Error(), "1 asks can't be read: a newer gatehouse asks it") {
			t.Errorf("an ask of a newer version: %v", err)
		}
		items, err = r.List(true)
	}
	if len(items) != 1 || items[0].ID != asked.Ask.ID {
		t.Errorf("the list is %+v", items)
	}
	if _, err := s.Get("eeeeeeee"); err == nil || !strings.Contains(err.Error(), "update this one") || strings.Contains(err.Error(), "remove") {
		t.Errorf("an ask of a newer version, by its ID: %v", err)
	}
	if _, err := s.Answer("ffffffff", Answer{}, ByCommand); err == nil {
		t.Error("half a file was answered")
	}
	s.Sweep() // must not hang
	if _, err := os.Stat(secret); err != nil {
		t.Error(err)
	}
}

// TestDamagedEnd: a damaged end ends the ask without an answer.
func TestDamagedEnd(t *testing.T) {
	for what, text := range map[string]string{
		"empty": "", "half": `{"schema":1,"id":"`, "of another ask": `{"schema":1,"id":"zzzzzzzz","state":"answered","answer":{"allow":true}}`,
		"without an answer": `{"schema":1,"id":"ID","state":"answered"}`, "another state": `{"schema":1,"id":"ID","state":"allowed","answer":{"allow":true}}`,
		"of another version": `{"schema":7,"id":"ID","state":"answered","answer":{"allow":true}}`,
	} {
		s, _ := newStore(t)
		asked := s.mustAsk(t, question())
		must(t, os.MkdirAll(filepath.Join(s.Dir, waiting.Ended), 0o700))
		must(t, os.WriteFile(waiting.EndPath(s.Dir, asked.Ask.ID), []byte(strings.ReplaceAll(text, "ID", asked.Ask.ID)), 0o600))
		end, err := asked.Await(t.Context(), nil)
		if err != nil || end.State != Withdrawn || end.Answer != nil {
			t.Errorf("%s: %+v, %v", what, end, err)
		}
	}
}
