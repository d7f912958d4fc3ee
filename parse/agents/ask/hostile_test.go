//go:build unix

package ask

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"gatehouse/parse/agents/waiting"
	"gatehouse/parse/disk/process"
)

// childVariable makes a run of the test binary a process that does something in a store: what, and in which directory.
const childVariable = "GATEHOUSE_ASK_CHILD"

func TestMain(m *testing.M) {
	do, dir, is := strings.Cut(os.Getenv(childVariable), " ")
	if !is {
		os.Exit(m.Run())
	}
	s := Open(Options{Dir: dir, Journal: filepath.Join(filepath.Dir(dir), "journal"), User: "ann", Table: process.System{}, Now: time.Now})
	switch do {
	case "hold": // ask, say so, and wait to be killed
		asked, err := s.Ask(question())
		report(err)
		fmt.Println(asked.Ask.ID)
		io.Copy(io.Discard, os.Stdin)
	case "full": // on a disk on which no file gets longer than a hundred bytes
		signal.Ignore(syscall.SIGXFSZ)
		report(syscall.Setrlimit(syscall.RLIMIT_FSIZE, &syscall.Rlimit{Cur: 100, Max: 100}))
		_, err := s.Ask(question())
		fmt.Println(err)
	case "list": // as another user
		items, err := s.List(true)
		fmt.Println(len(items), err)
		_, err = s.Ask(question())
		fmt.Println(err)
	}
}

func report(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// child returns a process that does something in a store.
func child(t *testing.T, dir, do string) *exec.Cmd {
	self, err := os.Executable()
	must(t, err)
	cmd := exec.Command(self)
	cmd.Env = append(os.Environ(), childVariable+"="+do+" "+dir)
	cmd.Stderr = os.Stderr
	return cmd
}

// An asker that is killed by force leaves an ask that the next sweep withdraws.
func TestKilledAsker(t *testing.T) {
	s, _ := newStore(t)
	s.now = time.Now
	cmd := child(t, s.dir, "hold")
	in, err := cmd.StdinPipe()
	must(t, err)
	defer in.Close()
	out, err := cmd.StdoutPipe()
	must(t, err)
	must(t, cmd.Start())
	var id string
	_, err = fmt.Fscan(out, &id)
	must(t, err)
	s.Sweep()
	if got := s.state(t, id); got != "waiting" {
		t.Fatalf("while it runs: %s", got)
	}
	must(t, cmd.Process.Kill())
	cmd.Wait()
	s.Sweep()
	item, err := s.Get(id)
	if err != nil || item.State != Withdrawn || item.End.Reason != "the process that asked has ended" {
		t.Errorf("%+v, %v", item, err)
	}
}

func TestFullDisk(t *testing.T) {
	s, _ := newStore(t)
	out, err := child(t, s.dir, "full").Output()
	must(t, err)
	if !strings.Contains(string(out), "cannot be written: file too large") {
		t.Errorf("%s", out)
	}
	left, err := os.ReadDir(filepath.Join(s.dir, waiting.Dir))
	if err != nil || len(left) != 0 {
		t.Errorf("left are %v, %v", left, err)
	}
}

// Nobody else's directory is used, and none that others may write.
func TestForeignStore(t *testing.T) {
	ask := func(s *Store) error {
		_, err := s.Ask(question())
		return err
	}
	for what, spoil := range map[string]func(dir string) error{
		"other users can write": func(dir string) error { return os.Chmod(dir, 0o777) },
		"not a directory":       func(dir string) error { return errors.Join(os.Rename(dir, dir+".real"), os.Symlink(dir+".real", dir)) },
		"belongs to another":    func(dir string) error { return os.Chown(dir, 65534, 65534) },
	} {
		for _, below := range []string{"", waiting.Dir, waiting.Ended} {
			s, _ := newStore(t)
			asked := s.mustAsk(t, question())
			must(t, os.MkdirAll(filepath.Join(s.dir, waiting.Ended), 0o700))
			if err := spoil(filepath.Join(s.dir, below)); errors.Is(err, fs.ErrPermission) {
				continue // only root gives files away
			} else {
				must(t, err)
			}
			if below != waiting.Ended {
				if err := ask(s); err == nil || !strings.Contains(err.Error(), what) {
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

// Whatever else stands in the store is left alone: links, directories, devices, files of others, what is no ask.
func TestForeignFiles(t *testing.T) {
	s, _ := newStore(t)
	asked := s.mustAsk(t, question())
	good, err := os.ReadFile(filepath.Join(s.dir, waiting.Dir, asked.Ask.name().String()))
	must(t, err)
	secret := filepath.Join(t.TempDir(), "secret")
	must(t, os.WriteFile(secret, good, 0o600))
	at := func(id string) string {
		n := asked.Ask.name()
		n.ID = id
		return filepath.Join(s.dir, waiting.Dir, n.String())
	}
	must(t, os.Symlink(secret, at("aaaaaaaa")))
	must(t, os.Mkdir(at("bbbbbbbb"), 0o700))
	must(t, syscall.Mkfifo(at("cccccccc"), 0o600))
	must(t, os.WriteFile(at("dddddddd"), good, 0o600)) // says another ID
	must(t, os.WriteFile(at("eeeeeeee"), []byte(`{"schema":2,"id":"eeeeeeee","kind":"plan"}`), 0o600))
	must(t, os.WriteFile(at("ffffffff"), good[:len(good)/2], 0o600))
	must(t, os.WriteFile(at("gggggggg"), []byte(`{"schema":1,"id":"gggggggg","kind":"deed"}`), 0o600))
	must(t, os.WriteFile(at("hhhhhhhh"), []byte(`{"schema":1,"id":"hhhhhhhh","kind":"plan","project":"/other"}`), 0o600)) // in a name of another project
	must(t, os.WriteFile(filepath.Join(s.dir, waiting.Dir, "note.txt"), good, 0o600))
	huge, err := os.Create(at("iiiiiiii"))
	must(t, err)
	must(t, errors.Join(huge.Truncate(1<<40), huge.Close()))
	r := s.Reader()
	items, err := r.List(true)
	for range 2 { // the second time it has read all of it before
		if err == nil || !strings.HasPrefix(err.Error(), "1 asks can't be read: a newer gatehouse asks it") {
			t.Errorf("what a newer one asks: %v", err)
		}
		items, err = r.List(true)
	}
	if len(items) != 1 || items[0].ID != asked.Ask.ID {
		t.Errorf("listed are %+v", items)
	}
	if _, err := s.Get("eeeeeeee"); err == nil || !strings.Contains(err.Error(), "update this one") || strings.Contains(err.Error(), "remove") {
		t.Errorf("what a newer one asks, by its ID: %v", err)
	}
	if _, err := s.Answer("ffffffff", Answer{}, ByCommand); err == nil {
		t.Error("half a file was answered")
	}
	s.Sweep() // hangs at nothing
	if _, err := os.Stat(secret); err != nil {
		t.Error(err)
	}
}

// A file that stands in the place of an end ends the ask, and nothing of it counts.
func TestDamagedEnd(t *testing.T) {
	for what, text := range map[string]string{
		"empty": "", "half": `{"schema":1,"id":"`, "of another": `{"schema":1,"id":"zzzzzzzz","state":"answered","answer":{"allow":true}}`,
		"without an answer": `{"schema":1,"id":"ID","state":"answered"}`, "another state": `{"schema":1,"id":"ID","state":"allowed","answer":{"allow":true}}`,
		"of another version": `{"schema":7,"id":"ID","state":"answered","answer":{"allow":true}}`,
	} {
		s, _ := newStore(t)
		asked := s.mustAsk(t, question())
		must(t, os.MkdirAll(filepath.Join(s.dir, waiting.Ended), 0o700))
		must(t, os.WriteFile(waiting.EndPath(s.dir, asked.Ask.ID), []byte(strings.ReplaceAll(text, "ID", asked.Ask.ID)), 0o600))
		end, err := asked.Await(t.Context(), nil)
		if err != nil || end.State != Withdrawn || end.Answer != nil {
			t.Errorf("%s: %+v, %v", what, end, err)
		}
	}
}

// As another user: nothing is read, and the error says what to do.
func TestOtherUser(t *testing.T) {
	if os.Getuid() != 0 {
		t.Skip("only root can be another user")
	}
	dir, err := os.MkdirTemp("/tmp", "ask-other-user-")
	must(t, err)
	defer os.RemoveAll(dir)
	must(t, os.Chmod(dir, 0o755))
	s, _ := newStore(t)
	s.dir = filepath.Join(dir, "agents")
	s.mustAsk(t, question())
	self, err := os.Executable()
	must(t, err)
	copied := filepath.Join(dir, "test")
	program, err := os.ReadFile(self)
	must(t, err)
	must(t, os.WriteFile(copied, program, 0o755))
	cmd := exec.Command(copied)
	cmd.Dir, cmd.Env = dir, append(os.Environ(), childVariable+"=list "+s.dir)
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: 65534, Gid: 65534}}
	out, err := cmd.CombinedOutput()
	if errors.Is(err, syscall.EPERM) {
		t.Skip("no process can be started as another user here: ", err)
	}
	must(t, err)
	if got := string(out); strings.Count(got, "belongs to another user") != 2 && strings.Count(got, "permission denied") < 1 || !strings.HasPrefix(got, "0 ") {
		t.Errorf("%s", got)
	}
}

// A sweep whose clock is far from the file system's takes what is being made for something left behind; it is made all the same.
func TestSweptWhileMade(t *testing.T) {
	s, _ := newStore(t) // whose clock stands in the past
	stop, stopped := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(stopped)
		for {
			select {
			case <-stop:
				return
			default:
				s.Sweep()
			}
		}
	}()
	for range 300 {
		asked := s.mustAsk(t, question())
		if _, err := asked.Withdraw("enough"); err != nil {
			t.Fatal(err)
		}
		must(t, s.UpdateSession("claude", "s1", func(*Session, time.Time) bool { return true }))
		must(t, asked.Close())
	}
	close(stop)
	<-stopped
}
