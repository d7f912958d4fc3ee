package ask

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"gatehouse/parse/agents/waiting"
)

// failing is a disk whose nth call fails, from 1. A write that fails has written half.
type failing struct {
	system
	n     int
	errno syscall.Errno
	hit   string // the call that failed, "" as long as none has
}

func (d *failing) fails(call string) bool {
	if d.n--; d.n == 0 {
		d.hit = call
	}
	return d.n == 0
}

func (d *failing) MkdirAll(path string) error {
	if d.fails("make directory") {
		return &os.PathError{Op: "mkdir", Path: path, Err: d.errno}
	}
	return d.system.MkdirAll(path)
}

func (d *failing) Create(dir *os.Root, name string) (*os.File, error) {
	if d.fails("create") {
		return nil, &os.PathError{Op: "openat", Path: name, Err: d.errno}
	}
	return d.system.Create(dir, name)
}

func (d *failing) Write(f *os.File, text []byte) error {
	if d.fails("write") {
		f.Write(text[:len(text)/2])
		return &os.PathError{Op: "write", Path: f.Name(), Err: d.errno}
	}
	return d.system.Write(f, text)
}

func (d *failing) Link(dir *os.Root, old, new string) error {
	if d.fails("link") {
		return &os.LinkError{Op: "linkat", Old: old, New: new, Err: d.errno}
	}
	return d.system.Link(dir, old, new)
}

func (d *failing) Rename(dir *os.Root, old, new string) error {
	if d.fails("rename") {
		return &os.LinkError{Op: "renameat", Old: old, New: new, Err: d.errno}
	}
	return d.system.Rename(dir, old, new)
}

// TestEveryCallFails: whatever call fails while something is asked, answered, ended, delivered or told of a session, that is said; nothing
// of it counts, nothing is left behind, and what was asked before waits on. Done again, it is done.
func TestEveryCallFails(t *testing.T) {
	type doing struct {
		name string
		do   func(s *Store, a *Asked) error
		ends bool // it ends the ask that waits
	}
	for _, w := range []doing{
		{"ask", func(s *Store, _ *Asked) error {
			a, err := s.Ask(question())
			if err == nil {
				a.Close()
			}
			return err
		}, false},
		{"answer", func(s *Store, a *Asked) error { _, err := s.Answer(a.Ask.ID, picks(1), "key"); return err }, true},
		{"withdraw", func(s *Store, a *Asked) error { return s.Withdraw(&a.Ask, "over") }, true},
		{"answered elsewhere", func(s *Store, a *Asked) error { return s.AnsweredElsewhere(&a.Ask, picks(0), "prompt") }, true},
		{"delivered", func(s *Store, a *Asked) error { return s.Delivered(a.Ask.ID) }, false},
		{"attend", func(s *Store, _ *Asked) error {
			p, err := s.Attend()
			if err == nil {
				p.Close()
			}
			return err
		}, false},
	} {
		for _, errno := range []syscall.Errno{syscall.ENOSPC, syscall.EIO, syscall.EROFS} {
			for n := 1; ; n++ {
				s, _ := newStore(t)
				a := s.mustAsk(t, question())
				d := &failing{n: n, errno: errno}
				s.disk = d
				err := w.do(s, a)
				when := fmt.Sprintf("%s, %v at %d, %s: %v", w.name, errno, n, d.hit, err)
				if d.hit == "" {
					must(t, err)
					break
				}
				s.disk = system{}
				// The end of an ask stands before its file is moved aside.
				ended := w.ends && d.hit == "rename"
				switch {
				case ended && err != nil, !ended && (!errors.Is(err, errno) || !strings.Contains(err.Error(), s.dir)):
					t.Error(when)
				}
				if got := s.state(t, a.Ask.ID); got == "waiting" == ended {
					t.Errorf("%s: it is %s", when, got)
				}
				if got := waiting.Count(s.dir, "", nil).Asks; got != map[bool]int{true: 0, false: 1}[ended] {
					t.Errorf("%s: %d wait", when, got)
				}
				left, _ := filepath.Glob(filepath.Join(s.dir, "*", ".*"+tempEnd))
				told, _ := filepath.Glob(filepath.Join(s.dir, waiting.Ended, "*"+toldEnd))
				if len(left) > 0 || len(told) > 0 {
					t.Errorf("%s: left are %v %v", when, left, told)
				}
				if err := w.do(s, a); err != nil && !ended {
					t.Errorf("%s; done again: %v", when, err)
				}
			}
		}
	}
}
