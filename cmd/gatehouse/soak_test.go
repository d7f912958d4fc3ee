package main_test

// Does anything grow? Agents change files in all projects, and the way that a change goes through the dashboard is the real one:
// read by the project, indexed, shown by the program, with somebody at the keys. Only the watcher is left out, and its bundles are made
// here: many changes are read at once, as those of agents at work are, so that a million take minutes and not days.
// bench_run_linux_test.go has a part of it with the whole program.
//
//	make soak    a million changes
//
// What is asked of it: over the second half what is in use after all garbage is collected stays within a tenth.

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
	// changesVariable asks for the soak, and says for how many changes: GATEHOUSE_SOAK_CHANGES=1000000.
	changesVariable = "GATEHOUSE_SOAK_CHANGES"
	// sampleChanges is how many are played without it.
	sampleChanges = 1_000
	// soakSeed is that of the changes: each run plays the same.
	soakSeed = 1
	// flat is how much more may be in use at one time of the second half than at another.
	flat = 1.10
)

// bundles are how many changes are read at once, in turns; in a sample some of those that are read one by one or nearly so.
var bundles = []int{1, 1, 2, 5, 20, 70}

func TestSoak(t *testing.T) {
	if testing.Short() {
		t.Skip("plays a thousand changes")
	}
	changes, pause := sampleChanges, 4 // changes between two keys: in the first half each key is pressed once
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

// soak is a dashboard on a world that goes on.
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
	// What the framework has for the cells of a screen it keeps when the screen becomes smaller: it is as large as it will be first.
	for _, size := range []string{"\x1b[48;60;200;0;0t", "\x1b[48;24;80;0;0t"} {
		s.type_(size)
		s.show()
	}
	return s
}

// decideBefore fills the journal of a project with as much as is ever remembered.
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

// change has the world change some things, reads the projects again in which, and shows them.
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

// rest shows the projects as they were at first, so that samples of memory can be compared.
func (s *soak) rest() {
	s.w.rest()
	for i, p := range s.projects {
		p.Touch()
		s.shown[i] = p.Read(time.Now())
	}
	s.show()
}

// show hands the dashboard a snapshot, and waits until it has taken it in and asks for the next.
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

// strokes are what somebody at the keys does, each from wherever the ones before have led.
var strokes = []string{
	"j", "k", "j", "j", "G", "g", " ", "h", "l", "n", "N", "\r", "\t", "1", "2", "3", "j", "4", "j", "5", "6", "k", "k", "2", "6", "G", "7", "j", "8", "9", "j", "1",
	"v", "j", "v", "z", "z", "p", "p", "p", ".", "y", "?", esc, "/art\r", "n", esc, "fw\r", esc, "6", "f2\r", esc, "1", "\x04", "\x15",
	"na", esc, "ny", "nsthis will last a day\r", esc, esc, "ncmuch shrtr\r", "y", esc, "na", "y", esc, "nu", "y", esc, "ia thing", esc, esc,
	"\x1b[48;60;200;0;0t", "j", "2", "j", "1", "4", "j", "5", "6", "k", "1", "\x1b[48;40;120;0;0t", "3", "j", "1", "\x1b[48;24;80;0;0t",
}

// esc is the key, as terminals write it that can tell it from the beginning of another.
const esc = "\x1b[27u"

func (s *soak) press() {
	s.type_(strokes[s.pressed%len(strokes)])
	s.pressed++
}

func (s *soak) type_(keys string) {
	_, err := io.WriteString(s.keys, keys)
	s.w.must(err)
}

// inUse returns how many bytes are in use when all garbage is collected.
func (s *soak) inUse() int {
	var stats runtime.MemStats
	runtime.GC()
	runtime.GC() // what was finalized
	runtime.ReadMemStats(&stats)
	runtime.KeepAlive(s)
	return int(stats.HeapAlloc)
}

// handFeed hands over one snapshot at a time.
type handFeed struct {
	asked chan struct{}        // somebody wants the next
	given chan *model.Snapshot // and gets it
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
