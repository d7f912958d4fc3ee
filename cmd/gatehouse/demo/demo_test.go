package demo

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// fastClock is a clock that a wait advances without waiting.
type fastClock struct {
	mu  sync.Mutex
	now time.Time
}

func (f *fastClock) options(o Options) Options {
	o.Now = func() time.Time {
		f.mu.Lock()
		defer f.mu.Unlock()
		return f.now
	}
	o.Sleep = func(ctx context.Context, d time.Duration) error {
		f.mu.Lock()
		defer f.mu.Unlock()
		f.now = f.now.Add(d)
		return ctx.Err()
	}
	return o
}

// play runs the demo with a fast clock until it ends, and returns its directory.
func play(t *testing.T, o Options) (dir string) {
	t.Helper()
	dir = t.TempDir()
	clock := &fastClock{now: time.Date(2026, 6, 14, 23, 59, 0, 0, time.UTC)}
	p, err := New(dir, clock.options(o))
	if err != nil {
		t.Fatal(err)
	}
	if err := p.Play(t.Context()); err != nil {
		t.Fatal(err)
	}
	return dir
}

// TestFirstQuestion checks that the first question is asked within five seconds.
func TestFirstQuestion(t *testing.T) {
	clock := &fastClock{now: time.Now()}
	began := clock.now
	p, err := New(t.TempDir(), clock.options(Options{Only: "field-guide", Run: func(_ context.Context, c Command) int {
		if asked := clock.now.Sub(began); slices.Contains(c.Args, "outline-gate") && asked > 5*time.Second {
			t.Errorf("asked after %v", asked)
		}
		return 6 // the loop was aborted
	}}))
	if err != nil {
		t.Fatal(err)
	}
	if err := p.Play(t.Context()); err != nil {
		t.Fatal(err)
	}
}

// TestAnswers checks that the loop goes on to its end after every answer to a gate, also after requests for changes.
func TestAnswers(t *testing.T) {
	var asked []string
	dir := play(t, Options{Only: "field-guide", Run: func(_ context.Context, c Command) int {
		gate := c.Args[1]
		if gate == "--until" {
			return 0
		}
		if asked = append(asked, gate); slices.Index(asked, gate) == len(asked)-1 {
			return 3
		}
		return 0
	}})
	if want := []string{"outline-gate", "outline-gate", "proof-gate", "proof-gate"}; !slices.Equal(asked, want) {
		t.Errorf("asked %v, want %v", asked, want)
	}
	state, err := os.ReadFile(filepath.Join(dir, "field-guide", "field-guide-state.json"))
	if err != nil || !strings.Contains(string(state), `"status": "complete",`+"\n"+`  "gates"`) {
		t.Errorf("the loop does not end: %v\n%s", err, state)
	}
}

// TestTimelines checks that every timeline runs to its end and writes no placeholder.
func TestTimelines(t *testing.T) {
	dir := play(t, Options{Run: func(_ context.Context, c Command) int { return 0 }, Speed: 100})
	for _, b := range builds {
		err := filepath.WalkDir(filepath.Join(dir, b.project), func(path string, e os.DirEntry, err error) error {
			if err != nil || e.IsDir() {
				return err
			}
			text, err := os.ReadFile(path)
			if strings.Contains(path+string(text), "{{") {
				t.Errorf("%s has a placeholder", path)
			}
			return err
		})
		if err != nil {
			t.Error(err)
		}
	}
}

// TestEdit checks that an edit skips the parts of a file that the user has changed.
func TestEdit(t *testing.T) {
	file := filepath.Join(t.TempDir(), "state")
	if err := os.WriteFile(file, []byte("a: 1\nb: changed\nc: 3\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	tr := &track{Player: &Player{}, past: []moment{{0, time.Now()}}}
	if err := tr.editFile(file, "@@\n-a: 1\n+a: 2\n+aa: 2\n@@\n-b: 2\n+b: 3\n@@\n-c: 3\n+c: 4\n", 0); err != nil {
		t.Fatal(err)
	}
	if text, _ := os.ReadFile(file); string(text) != "a: 2\naa: 2\nb: changed\nc: 4\n" {
		t.Errorf("%q", text)
	}
}
