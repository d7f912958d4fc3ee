package ask

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"gatehouse/parse/agents/waiting"
	"gatehouse/parse/disk/statefile/faults"
)

// TestEveryCallFails: every failing call of an operation on asks or dashboards is reported. The operation has no effect and leaves nothing
// behind, and earlier asks still wait. Repeating it succeeds.
func TestEveryCallFails(t *testing.T) {
	type operation struct {
		name string
		do   func(s *Store, a *Asked) error
		ends bool // it ends the waiting ask
	}
	for _, w := range []operation{
		{"ask", func(s *Store, _ *Asked) error {
			a, err := s.Ask(question())
			if err == nil {
				a.Close()
			}
			return err
		}, false},
		{"answer", func(s *Store, a *Asked) error { _, err := s.Answer(a.Ask.ID, picks(1), "key"); return err }, true},
		{"withdraw", func(s *Store, a *Asked) error { return s.Withdraw(&a.Ask, "over") }, true},
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
				system, hit := faults.At(n, errno)
				s.system = system
				err := w.do(s, a)
				when := fmt.Sprintf("%s, %v at %d, %s: %v", w.name, errno, n, hit(), err)
				if s.system = nil; hit() == "" {
					must(t, err)
					break
				} else if hit() == faults.Remove { // a failed clean-up is not an error
					must(t, err)
					continue
				}
				// The end of an ask is written before its file is moved aside.
				ended := w.ends && hit() == faults.Rename
				switch {
				case ended && err != nil, !ended && (!errors.Is(err, errno) || !strings.Contains(err.Error(), s.Dir)):
					t.Error(when)
				}
				if got := s.state(t, a.Ask.ID); got == "waiting" == ended {
					t.Errorf("%s: the state is %s", when, got)
				}
				if got := waiting.Count(s.Dir, "").Asks; got != map[bool]int{true: 0, false: 1}[ended] {
					t.Errorf("%s: %d wait", when, got)
				}
				left, _ := filepath.Glob(filepath.Join(s.Dir, "*", ".*"+tempEnd))
				delivered, _ := filepath.Glob(filepath.Join(s.Dir, waiting.Ended, "*"+toldEnd))
				if len(left) > 0 || len(delivered) > 0 {
					t.Errorf("%s: left behind: %v %v", when, left, delivered)
				}
				if err := w.do(s, a); err != nil && !ended {
					t.Errorf("%s; repeated: %v", when, err)
				}
			}
		}
	}
}
