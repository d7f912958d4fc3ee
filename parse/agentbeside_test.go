package parse

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"gatehouse/model"
	"gatehouse/parse/disk/statefile"
)

// TestDecisionsBesideAnAgentWithoutALock runs an agent that takes no lock and writes its file every 10 ms, while four humans decide at
// once. Hardly a write of the agent is lost, no decision is claimed that the file never had, each decision succeeds within its timeout, and
// no temporary files remain.
func TestDecisionsBesideAnAgentWithoutALock(t *testing.T) {
	decisions := 500
	if testing.Short() {
		decisions = 60
	}
	g := newGated(t, nil)
	g.write(strings.Replace(gatesText, "\nend", "\nnote: 0\nend", 1))
	file := filepath.Join(g.dir, gatesFile)
	stop, ended := make(chan struct{}), make(chan [2]int)
	go func() {
		written, seen, lost := 0, 0, 0
		defer func() {
			if lost > 1+written/100 {
				t.Errorf("%d of %d writes of the agent are lost", lost, written)
			}
			ended <- [2]int{written, seen}
		}()
		for {
			select {
			case <-stop:
				return
			case <-time.After(10 * time.Millisecond):
			}
			text, err := os.ReadFile(file)
			if err != nil {
				t.Error(err)
				return
			}
			var note int
			_, rest, _ := strings.Cut(string(text), "\nnote: ")
			if _, err := fmt.Sscan(rest, &note); err != nil || note > written {
				t.Errorf("the agent has written %d, and the file says %q", written, text)
				return
			} else if note < written { // it wrote in the microseconds before a rename
				lost++
			}
			written = note + 1
			if strings.Contains(string(text), "frame: passed") { // the agent continues, and reaches the gate again
				seen++
				text = []byte(strings.Replace(string(text), "frame: passed", "frame: pending", 1))
			}
			next := filepath.Join(g.dir, ".next")
			if err := os.WriteFile(next, []byte(strings.Replace(string(text), fmt.Sprint("\nnote: ", note, "\n"), fmt.Sprint("\nnote: ", written, "\n"), 1)), 0o644); err != nil {
				t.Error(err)
				return
			}
			if err := os.Rename(next, file); err != nil {
				t.Error(err)
				return
			}
		}
	}()
	var mu sync.Mutex
	done, already, given := 0, 0, 0
	var humans sync.WaitGroup
	for range 4 {
		humans.Go(func() {
			as := newActions(func() []*Project { return []*Project{g.p} }, &statefile.System{Unsynced: true}, "test", time.Now)
			for {
				o, err := as.Do(t.Context(), g.action(model.VerbApprove))
				var refused *model.Refusal
				mu.Lock()
				switch {
				case err == nil && o.Decision.ID != "":
					done++
				case errors.As(err, &refused) && refused.Already:
					already++
				case errors.Is(err, statefile.ErrChanging):
					given++
				default:
					t.Errorf("%v", err)
				}
				enough := done+given >= decisions || t.Failed()
				mu.Unlock()
				if enough {
					return
				}
				time.Sleep(time.Millisecond)
			}
		})
	}
	humans.Wait()
	close(stop)
	agent := <-ended
	t.Logf("%d done, %d already, %d given up; the agent has written %d times and seen %d", done, already, given, agent[0], agent[1])
	if strings.Contains(g.text(), "frame: passed") {
		agent[1]++
	}
	if lost := done - agent[1]; lost < 0 || lost > done/10 { // decisions that the agent overwrote with a copy read earlier
		t.Errorf("%d were done, and %d were ever in the file", done, agent[1])
	}
	all, err := g.p.openJournal().Read()
	if err != nil || len(all) != done {
		t.Errorf("%d were done, and the journal has %d, %v", done, len(all), err)
	}
	if given > decisions/20 {
		t.Errorf("%d of %d were given up", given, decisions)
	}
	left, err := filepath.Glob(filepath.Join(g.dir, "*"))
	must(t, err)
	hidden, err := filepath.Glob(filepath.Join(g.dir, ".*"))
	must(t, err)
	for _, name := range append(left, hidden...) {
		if base := filepath.Base(name); base != gatesFile && base != ".next" {
			t.Errorf("left behind: %s", base)
		}
	}
}
