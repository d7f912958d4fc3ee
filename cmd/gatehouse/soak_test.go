package main_test

// Finds memory growth. Agents change files in all projects, and changes take the real way through the dashboard:
// projects read them, they are indexed and shown, while a user presses keys. Only the watcher is left out: its batches are made
// here. Many changes are read at once, as happens with agents at work, so a million changes take minutes and not days.
// bench_run_linux_test.go runs a part of it with the whole program.
//
//	make soak    a million changes
//
// Condition: in the second half, memory in use after garbage collection varies by at most a tenth.

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"testing"
	"time"

	"gatehouse/model"
	"gatehouse/parse"
	"gatehouse/parse/disk/journal"
	"gatehouse/tui"
)

const (
	// changesVariable enables the soak test and sets its number of changes: GATEHOUSE_SOAK_CHANGES=1000000.
	changesVariable = "GATEHOUSE_SOAK_CHANGES"
	// sampleChanges is the number of changes without it.
	sampleChanges = 1_000
	// soakSeed makes each run play the same changes.
	soakSeed = 1
	// flat bounds the most memory in use in the second half, as a multiple of the least.
	flat = 1.10
)

// bundles are the numbers of changes that are read at once, in turn. A sample uses only small ones.
var bundles = []int{1, 1, 2, 5, 20, 70}

func TestSoak(t *testing.T) {
	if testing.Short() {
		t.Skip("plays a thousand changes")
	}
	changes, pause := sampleChanges, 4 // changes between two keys, so that the first half presses each key once
	sizes := bundles[1:4]
	if asked := os.Getenv(changesVariable); asked != "" {
		var err error
		if changes, err = strconv.Atoi(asked); err != nil || changes < 100 {
			t.Fatalf("%s=%s: this is no number of changes", changesVariable, asked)
		}
		pause, sizes = 97, bundles
	}
	s := newSoak(t)
	var used []int
	began := time.Now()
	for done, pressed, read := 0, 0, 0; done < changes; read++ {
		size := min(sizes[read%len(sizes)], changes-done)
		s.change(size)
		if done += size; done >= pressed*pause {
			s.press()
			pressed++
		}
		if done >= (len(used)+1)*(changes/20) {
			s.rest()
			used = append(used, s.inUse())
			t.Logf("after %d changes, %d readings and %d keys in %v: %.2f MiB", done, read+1, pressed, time.Since(began).Round(time.Second), float64(used[len(used)-1])/(1<<20))
		}
	}
	second := used[len(used)/2-1:]
	if least, most := slices.Min(second), slices.Max(second); float64(most) > flat*float64(least) {
		t.Errorf("in the second half between %.2f and %.2f MiB are in use", float64(least)/(1<<20), float64(most)/(1<<20))
	}
}

// soak is a dashboard on a changing world.
type soak struct {
	t        *testing.T
	w        *world
	projects []*parse.Project
	shown    []*model.Project
	version  uint64
	feed     handFeed
	keys     io.Writer
	pressed  int
	ended    chan error
}

func newSoak(t *testing.T) *soak {
	t.Helper()
	s := &soak{t: t, w: newWorld(t, t.TempDir(), soakSeed), ended: make(chan error, 1), feed: handFeed{make(chan struct{}), make(chan *model.Snapshot)}}
	user := parse.User{Name: "ada", Home: t.TempDir(), Journal: filepath.Join(t.TempDir(), "journal")}
	var places []parse.Place
	for _, dir := range s.w.dirs {
		s.decideBefore(user, dir)
		place, err := parse.Named(dir)
		s.w.must(err)
		places = append(places, place)
	}
	projects, err := parse.OpenAll(t.Context(), places, user)
	s.w.must(err)
	s.projects = projects
	for _, p := range projects {
		s.shown = append(s.shown, p.Read(time.Now()))
		if len(s.shown[len(s.shown)-1].Builds) == 0 {
			t.Fatalf("there is no build in %s", p.Root())
		}
	}
	keys, typed := io.Pipe()
	s.keys = typed
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		s.ended <- tui.Run(ctx, s.feed, tui.Options{Input: keys, Output: io.Discard, Env: []string{"TERM=xterm-256color", "LANG=C.UTF-8", "EDITOR=true", "PAGER=true"},
			Files: parse.Files(projects), Actor: parse.NewActions(projects, "dashboard", time.Now), Notify: tui.NotifyBell})
	}()
	t.Cleanup(func() {
		cancel()
		keys.Close()
		<-s.ended
	})
	<-s.feed.asked
	// The framework keeps its buffer for the cells of a screen when the screen shrinks, so start with the largest size.
	for _, size := range []string{"\x1b[48;60;200;0;0t", "\x1b[48;24;80;0;0t"} {
		s.type_(size)
		s.show()
	}
	return s
}

// decideBefore fills the journal of a project with as many decisions as are ever remembered.
func (s *soak) decideBefore(user parse.User, dir string) {
	log := journal.Open(user.System, user.Journal, dir)
	s.w.must(os.MkdirAll(user.Journal, 0o700))
	f, err := os.Create(log.File())
	s.w.must(err)
	for i := range 300 {
		_, err := fmt.Fprintf(f, "{\"entry\":\"begin\",\"id\":\"%d\",\"decision\":{\"id\":\"%[1]d\",\"at\":\"2026-01-01T00:00:00Z\",\"build\":\"loop:sample-state.json\",\"node\":\"gate/old\",\"verb\":\"approve\",\"name\":\"old\",\"spans\":[{\"old\":\"pending\",\"new\":\"passed\"}]}}\n{\"entry\":\"done\",\"id\":\"%[1]d\"}\n", i)
		s.w.must(err)
	}
	s.w.must(f.Close())
}

// change changes the world times times, reads the changed projects again, and shows them.
func (s *soak) change(times int) {
	in := map[int]bool{}
	for range times {
		i, touched := s.w.step()
		s.projects[i].Touch(touched...)
		in[i] = true
	}
	for i := range in {
		s.shown[i] = s.projects[i].Read(time.Now())
	}
	s.show()
}

// rest shows the projects in their first form, so that samples of memory are comparable.
func (s *soak) rest() {
	s.w.rest()
	for i, p := range s.projects {
		p.Touch()
		s.shown[i] = p.Read(time.Now())
	}
	s.show()
}

// show sends the dashboard a snapshot, and waits until the dashboard asks for the next one.
func (s *soak) show() {
	s.version++
	snap := &model.Snapshot{Version: s.version, At: time.Now(), Projects: slices.Clone(s.shown)}
	select {
	case s.feed.given <- snap:
		<-s.feed.asked
	case err := <-s.ended:
		s.ended <- err
		s.t.Fatalf("the dashboard ended: %v", err)
	}
}

// strokes are the keys of a user, each pressed in the state that earlier ones led to.
var strokes = []string{
	"j", "k", "j", "j", "G", "g", " ", "h", "l", "n", "N", "\r", "\t", "1", "2", "3", "j", "4", "j", "5", "6", "k", "k", "2", "6", "G", "7", "j", "8", "9", "j", "1",
	"v", "j", "v", "z", "z", "p", "p", "p", ".", "y", "?", esc, "/art\r", "n", esc, "fw\r", esc, "6", "f2\r", esc, "1", "\x04", "\x15",
	"na", esc, "ny", "nsthis will last a day\r", esc, esc, "ncmuch shrtr\r", "y", esc, "na", "y", esc, "nu", "y", esc, "ia thing", esc, esc,
	"\x1b[48;60;200;0;0t", "j", "2", "j", "1", "4", "j", "5", "6", "k", "1", "\x1b[48;40;120;0;0t", "3", "j", "1", "\x1b[48;24;80;0;0t",
}

// esc is the Escape key in the encoding of terminals that tell it apart from the start of an escape sequence.
const esc = "\x1b[27u"

func (s *soak) press() {
	s.type_(strokes[s.pressed%len(strokes)])
	s.pressed++
}

func (s *soak) type_(keys string) {
	_, err := io.WriteString(s.keys, keys)
	s.w.must(err)
}

// inUse returns the number of bytes in use after garbage collection.
func (s *soak) inUse() int {
	var stats runtime.MemStats
	runtime.GC()
	runtime.GC() // a second time, for finalized objects
	runtime.ReadMemStats(&stats)
	runtime.KeepAlive(s)
	return int(stats.HeapAlloc)
}

// handFeed is a feed that delivers one snapshot at a time.
type handFeed struct {
	asked chan struct{}        // the dashboard wants the next snapshot
	given chan *model.Snapshot // and receives it
}

// Next implements [model.Feed].
func (f handFeed) Next(ctx context.Context, _ uint64) (*model.Snapshot, error) {
	select {
	case f.asked <- struct{}{}:
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	select {
	case snap := <-f.given:
		return snap, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}
