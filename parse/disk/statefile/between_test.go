package statefile_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gatehouse/parse/disk/statefile/faults"
)

// TestInterveningWriteIsPutBack lets another writer write at the last moment, after the file was checked and just before it is
// replaced: the result is the change, applied to the text of that writer.
func TestInterveningWriteIsPutBack(t *testing.T) {
	for name, c := range map[string]struct {
		other  string
		writes func(p project, content string)
	}{
		"by a rename": {"one, two", project.replaced},
		"in place": {"one, two", func(p project, content string) {
			must(p.T, os.WriteFile(p.file, []byte(content), 0o644))
		}},
		"a large file":  {strings.Repeat("one, two", 10_000), project.replaced},
		"the same size": {"eno", project.replaced},
	} {
		t.Run(name, func(t *testing.T) {
			p := newProject(t, "one")
			exchanges := 0
			s := skipping(faults.Stepping(func(call string) error {
				if call == faults.Exchange {
					if exchanges++; exchanges == 1 {
						c.writes(p, c.other)
					}
				}
				return nil
			}))
			w, err := s.Replace(t.Context(), p.target(), upper)
			must(t, err)
			if exchanges == 1 {
				t.Skip("names can't be exchanged here")
			}
			if w.Tries != 2 {
				t.Errorf("%d tries", w.Tries)
			}
			p.holds(strings.ToUpper(c.other))
		})
	}
}

// TestNewestWriteIsPutBack lets one more writer write while another writer's file is put back: the newest file stays.
func TestNewestWriteIsPutBack(t *testing.T) {
	p := newProject(t, "one")
	exchanges := 0
	s := skipping(faults.Stepping(func(call string) error {
		if call == faults.Exchange {
			if exchanges++; exchanges <= 3 {
				p.replaced(strings.Repeat("n", exchanges))
			}
		}
		return nil
	}))
	_, err := s.Replace(t.Context(), p.target(), upper)
	must(t, err)
	if exchanges == 1 {
		t.Skip("names can't be exchanged here")
	}
	if exchanges < 4 {
		t.Errorf("%d exchanges", exchanges)
	}
	p.holds("NNN")
}

// TestReplaceWithoutExchange checks that a file is replaced even if the system cannot exchange names.
func TestReplaceWithoutExchange(t *testing.T) {
	p := newProject(t, "one")
	_, err := skipping(without(faults.Exchange)).Replace(t.Context(), p.target(), upper)
	must(t, err)
	p.holds("ONE")
}

// replaced replaces the project's file by a rename, as careful writers do.
func (p project) replaced(content string) {
	p.Helper()
	temp := filepath.Join(filepath.Dir(p.file), "other.tmp")
	must(p.T, os.WriteFile(temp, []byte(content), 0o644))
	must(p.T, os.Rename(temp, p.file))
}
