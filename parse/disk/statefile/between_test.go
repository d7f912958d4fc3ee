package statefile_test

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	. "gatehouse/parse/disk/statefile"
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
			exchanges, isSupported := 0, true
			s := skipping(faults.Stepping(func(call string) error {
				isSupported = isSupported && call != faults.Rename
				if call == faults.Exchange {
					if exchanges++; exchanges == 1 {
						c.writes(p, c.other)
					}
				}
				return nil
			}))
			tries, err := s.Replace(t.Context(), p.target(), upper)
			must(t, err)
			if !isSupported {
				t.Skip("names can't be exchanged here")
			}
			if tries != 2 {
				t.Errorf("%d tries", tries)
			}
			p.holds(strings.ToUpper(c.other))
		})
	}
}

// TestNewestWriteIsPutBack lets one more writer write while another writer's file is put back: the newest file stays.
func TestNewestWriteIsPutBack(t *testing.T) {
	p := newProject(t, "one")
	exchanges, isSupported := 0, true
	s := skipping(faults.Stepping(func(call string) error {
		isSupported = isSupported && call != faults.Rename
		if call == faults.Exchange {
			if exchanges++; exchanges <= 3 {
				p.replaced(strings.Repeat("n", exchanges))
			}
		}
		return nil
	}))
	_, err := s.Replace(t.Context(), p.target(), upper)
	must(t, err)
	if !isSupported {
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

// TestSweepKeepsFilesOfAWriterAtWork checks that a writer of another file in the directory keeps what a writer has just exchanged, until
// that one has ended.
func TestSweepKeepsFilesOfAWriterAtWork(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("nothing is swept here")
	}
	p := newProject(t, "one")
	const displaced, other = ".x-state.json.gatehouse-AAAAAAAAAAAAAAAAAAAAAAAAAA.tmp", "other.json"
	must(t, os.WriteFile(filepath.Join(p.dir, displaced), []byte("new"), 0o644))
	must(t, os.WriteFile(filepath.Join(p.dir, other), []byte("two"), 0o644))
	s := NewStore(nil)
	release, err := s.Hold(t.Context(), p.at("x-state.json.held"))
	must(t, err)
	release()
	p.holds("one", other) // nobody was at it

	release, err = s.Hold(t.Context(), p.target())
	must(t, err)
	must(t, os.WriteFile(filepath.Join(p.dir, displaced), []byte("new"), 0o644))
	_, err = s.Replace(t.Context(), p.at(other), upper)
	must(t, err)
	p.holds("one", displaced, other, "x-state.json.lock")
	release()
	_, err = s.Replace(t.Context(), p.at(other), upper)
	if err != ErrNothing {
		t.Error(err)
	}
	p.holds("one", other)
}

// replaced replaces the project's file by a rename, as careful writers do.
func (p project) replaced(content string) {
	p.Helper()
	temp := filepath.Join(filepath.Dir(p.file), "other.tmp")
	must(p.T, os.WriteFile(temp, []byte(content), 0o644))
	must(p.T, os.Rename(temp, p.file))
}
