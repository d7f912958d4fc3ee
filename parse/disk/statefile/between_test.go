package statefile_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gatehouse/parse/disk/statefile/faults"
)

// TestWhoeverComesBetweenIsPutBack has another writer come in the last moment, when the file was looked at and is about to be
// replaced: what that one has written is there in the end, and what was to be changed is changed in it.
func TestWhoeverComesBetweenIsPutBack(t *testing.T) {
	for name, c := range map[string]struct {
		other  string
		writes func(p project, content string)
	}{
		"a file in its place": {"one, two", project.replaced},
		"into the file": {"one, two", func(p project, content string) {
			must(p.T, os.WriteFile(p.file, []byte(content), 0o644))
		}},
		"much":          {strings.Repeat("one, two", 10_000), project.replaced},
		"the same size": {"eno", project.replaced},
	} {
		t.Run(name, func(t *testing.T) {
			p := newProject(t, "one")
			came := 0
			s := skipping(faults.Stepping(func(call string) error {
				if call == faults.Exchange {
					if came++; came == 1 {
						c.writes(p, c.other)
					}
				}
				return nil
			}))
			w, err := s.Replace(t.Context(), p.target(), upper)
			must(t, err)
			if came == 1 {
				t.Skip("names can't be exchanged here")
			}
			if w.Tries != 2 {
				t.Errorf("%d tries", w.Tries)
			}
			p.holds(strings.ToUpper(c.other))
		})
	}
}

// TestTheNewestIsPutBack has one more writer come while another's file is put back: that one has seen neither, and its file stays.
func TestTheNewestIsPutBack(t *testing.T) {
	p := newProject(t, "one")
	came := 0
	s := skipping(faults.Stepping(func(call string) error {
		if call == faults.Exchange {
			if came++; came <= 3 {
				p.replaced(strings.Repeat("n", came))
			}
		}
		return nil
	}))
	_, err := s.Replace(t.Context(), p.target(), upper)
	must(t, err)
	if came == 1 {
		t.Skip("names can't be exchanged here")
	}
	if came < 4 {
		t.Errorf("%d exchanges", came)
	}
	p.holds("NNN")
}

// TestWithoutAnExchangeOfNames holds that a file is replaced all the same.
func TestWithoutAnExchangeOfNames(t *testing.T) {
	p := newProject(t, "one")
	_, err := skipping(without(faults.Exchange)).Replace(t.Context(), p.target(), upper)
	must(t, err)
	p.holds("ONE")
}

// replaced puts a file in the place of the project's, as careful writers do.
func (p project) replaced(content string) {
	p.Helper()
	temp := filepath.Join(filepath.Dir(p.file), "other.tmp")
	must(p.T, os.WriteFile(temp, []byte(content), 0o644))
	must(p.T, os.Rename(temp, p.file))
}
