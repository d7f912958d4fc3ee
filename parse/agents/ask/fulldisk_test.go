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
	n     int
	errno syscall.Errno
	hit   string // the call that failed, "" as long as none has
}

func (d *failing) call(name string, do func() error) error {
	if d.n--; d.n == 0 {
		d.hit = name
		return &os.PathError{Op: name, Path: "x", Err: d.errno}
	}
	return do()
}

// wrap returns a disk with these failures.
func (d *failing) wrap(sound disk) disk {
	return disk{
		mkdir: func(path string, mode os.FileMode) error {
			return d.call("mkdir", func() error { return sound.mkdir(path, mode) })
		},
		open: func(dir *os.Root, name string, flag int, mode os.FileMode) (f *os.File, err error) {
			err = d.call("create", func() (err error) { f, err = sound.open(dir, name, flag, mode); return err })
			return f, err
		},
		write: func(f *os.File, text []byte) (n int, err error) {
			err = d.call("write", func() (err error) { n, err = sound.write(f, text); return err })
			if d.hit == "write" {
				sound.write(f, text[:len(text)/2])
			}
			return n, err
		},
		link: func(dir *os.Root, from, to string) error {
			return d.call("link", func() error { return sound.link(dir, from, to) })
		},
		rename: func(dir *os.Root, from, to string) error {
			return d.call("rename", func() error { return sound.rename(dir, from, to) })
		},
	}
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
		{"answered elsewhere", func(s *Store, a *Asked) error { return s.AnsweredElsewhere(&a.Ask, picks(0)) }, true},
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
				d, sound := &failing{n: n, errno: errno}, s.disk
				s.disk = d.wrap(sound)
				err := w.do(s, a)
				when := fmt.Sprintf("%s, %v at %d, %s: %v", w.name, errno, n, d.hit, err)
				if d.hit == "" {
					must(t, err)
					break
				}
				s.disk = sound
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
