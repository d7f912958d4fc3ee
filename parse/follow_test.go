package parse

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"gatehouse/model"
	"gatehouse/model/line"
	"gatehouse/parse/disk/watch"
)

// patience ends a test that waits for something that does not happen.
const patience = time.Minute

// followed is a feed of projects with the newest snapshot that the test has seen.
type followed struct {
	*testing.T
	feed model.Feed
	stop context.CancelFunc
	seen *model.Snapshot
}

// followDirs follows the projects of some directories.
func followDirs(t *testing.T, opts watch.Options, dirs ...string) *followed {
	t.Helper()
	var projects []*Project
	for _, dir := range dirs {
		projects = append(projects, open(t, dir, ""))
	}
	return followProjects(t, opts, projects...)
}

func followProjects(t *testing.T, opts watch.Options, projects ...*Project) *followed {
	t.Helper()
	ctx, stop := context.WithCancel(context.Background())
	live := FollowAgents(ctx, Opened(projects...), func() time.Time { return noon }, opts, User{}, AgentScope{})
	f := &followed{T: t, feed: live, stop: stop, seen: &model.Snapshot{}}
	t.Cleanup(func() {
		stop()
		<-live.ended // the feed must not read the directories while they are removed
	})
	return f
}

// next returns the next snapshot, which must be newer than the last.
func (f *followed) next(ctx context.Context) (*model.Snapshot, error) {
	f.Helper()
	snap, err := f.feed.Next(ctx, f.seen.Version)
	if err != nil {
		return nil, err
	}
	if snap.Version <= f.seen.Version || !snap.At.Equal(noon) {
		f.Fatalf("version %d of %v after %d", snap.Version, snap.At, f.seen.Version)
	}
	f.seen = snap
	return snap, nil
}

// until waits for a snapshot that satisfies ok. The last seen snapshot may satisfy it already.
func (f *followed) until(what string, ok func(*model.Snapshot) bool) *model.Snapshot {
	f.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	for f.seen.Version == 0 || !ok(f.seen) {
		if _, err := f.next(ctx); err != nil {
			f.Fatalf("%s: %v; last seen:\n%s", what, err, describe(f.seen))
		}
	}
	return f.seen
}

// untilFirst is until for the first build of the first project.
func (f *followed) untilFirst(what string, ok func(*model.Build) bool) {
	f.Helper()
	f.until(what, func(s *model.Snapshot) bool { return len(s.Projects[0].Builds) > 0 && ok(s.Projects[0].Builds[0]) })
}

func describe(s *model.Snapshot) string {
	var b strings.Builder
	for _, p := range s.Projects {
		fmt.Fprintf(&b, "%s: %v\n", p.Name, p.Problems)
		for _, x := range p.Builds {
			fmt.Fprintf(&b, "  %s %q %v, plans %v, held %d, waits %d, %v\n", x.ID, x.Title, x.Status, x.Progress.Plans, x.Freshness.Held, len(x.Waits), x.Problems)
		}
	}
	return b.String()
}

func TestChangesOnDiskAreShown(t *testing.T) {
	dir := t.TempDir()
	gsdProject(t, dir)
	put(t, dir, ".planning/ROADMAP.md", "# Roadmap\n") // without phases, so that every directory counts
	at := func(rel string) string { return filepath.Join(dir, ".planning", rel) }
	f := followDirs(t, watch.Options{}, dir)
	f.untilFirst("two open plans", func(b *model.Build) bool { return b.Progress.Plans == model.Count{Done: 0, Total: 2} })

	put(t, dir, ".planning/phases/01-base/01-01-SUMMARY.md", "---\nphase: 01-base\nplan: 01\n---\n\nDone.\n")
	f.untilFirst("a summary was written", func(b *model.Build) bool { return b.Progress.Plans == model.Count{Done: 1, Total: 2} })

	put(t, dir, ".planning/STATE.md.tmp", "---\nmilestone: v2.0\nmilestone_name: Second\n---\n")
	must(t, os.Rename(at("STATE.md.tmp"), at("STATE.md")))
	f.untilFirst("a state was renamed into place", func(b *model.Build) bool { return b.Title == "v2.0 Second" })

	must(t, os.Remove(at("phases/01-base/01-01-SUMMARY.md")))
	f.untilFirst("a summary was deleted", func(b *model.Build) bool { return b.Progress.Plans == model.Count{Done: 0, Total: 2} })

	must(t, os.MkdirAll(at("phases/02-more"), 0o755))
	put(t, dir, ".planning/phases/02-more/02-01-PLAN.md", "---\nphase: 02-more\nplan: 01\n---\n")
	f.untilFirst("a plan in a new directory", func(b *model.Build) bool { return b.Progress.Plans.Total == 3 })

	must(t, os.Rename(at("phases/02-more"), at("phases/03-more")))
	f.untilFirst("a directory was renamed", func(b *model.Build) bool {
		_, above := b.Find("phase/03")
		old, _ := b.Find("phase/02")
		return above != nil && old == nil && b.Progress.Plans.Total == 3
	})

	put(t, dir, ".planning/WAITING.json", `{"status":"waiting","question":"go on?"}`)
	f.untilFirst("it waits", func(b *model.Build) bool { return len(b.Certain()) == 1 })

	must(t, os.RemoveAll(at("")))
	f.until("all is gone", func(s *model.Snapshot) bool { return len(s.Projects[0].Builds) == 0 })
}

func TestTruncatedStateIsHeldAndRecovers(t *testing.T) {
	dir := t.TempDir()
	gsdProject(t, dir)
	state := filepath.Join(dir, ".planning", "STATE.md")
	f := followDirs(t, watch.Options{}, dir)
	f.untilFirst("it is read", func(b *model.Build) bool { return b.Title == "v1.0 First" })
	for _, round := range []string{"v2.0", "v3.0"} {
		must(t, os.Truncate(state, 0))
		f.untilFirst("the state is empty", func(b *model.Build) bool { return b.Freshness.Held == 1 })
		if b := f.seen.Projects[0].Builds[0]; b.Title == "" || len(b.Problems) != 1 || b.Problems[0].File != ".planning/STATE.md" {
			t.Errorf("held is %q, with %v", b.Title, b.Problems)
		}
		put(t, dir, ".planning/STATE.md", "---\nmilestone: "+round+"\n---\n")
		f.untilFirst("the state is there again", func(b *model.Build) bool { return b.Freshness.Held == 0 && b.Title == round })
		if b := f.seen.Projects[0].Builds[0]; len(b.Problems) > 0 {
			t.Errorf("problems are left: %v", b.Problems)
		}
	}
}

func TestManyWritesShowTheLast(t *testing.T) {
	dir := t.TempDir()
	gsdProject(t, dir)
	f := followDirs(t, watch.Options{}, dir)
	const writes = 300
	var wg sync.WaitGroup
	for range 4 { // each reader sees only newer snapshots, and finally the last
		g := &followed{T: t, feed: f.feed, seen: &model.Snapshot{}}
		wg.Go(func() {
			ctx, cancel := context.WithTimeout(context.Background(), patience)
			defer cancel()
			last := fmt.Sprint("v", writes)
			for g.seen.Version == 0 || g.seen.Projects[0].Builds[0].Title != last {
				snap, err := f.feed.Next(ctx, g.seen.Version)
				if err != nil || snap.Version <= g.seen.Version {
					t.Errorf("%v, %v after %d", snap, err, g.seen.Version)
					return
				}
				g.seen = snap
			}
		})
	}
	tmp, state := filepath.Join(dir, ".planning", "STATE.md.tmp"), filepath.Join(dir, ".planning", "STATE.md")
	for i := 1; i <= writes; i++ {
		put(t, dir, ".planning/STATE.md.tmp", fmt.Sprintf("---\nmilestone: v%d\n---\n", i))
		must(t, os.Rename(tmp, state))
	}
	wg.Wait()
}

func TestSnapshotReportsPolling(t *testing.T) {
	dir := t.TempDir()
	gsdProject(t, dir)
	f := followDirs(t, watch.Options{PollOnly: true, Poll: 20 * time.Millisecond}, dir)
	f.until("it polls", func(s *model.Snapshot) bool { return s.Watch != "" })
	put(t, dir, ".planning/STATE.md", "---\nmilestone: v9\n---\n")
	f.untilFirst("found by polling", func(b *model.Build) bool { return b.Title == "v9" })
	if f.seen.Watch == "" {
		t.Error("a later snapshot does not report it")
	}
}

// TestRunTurnsStaleWithoutAChange checks that an open dashboard marks a run as stale, among your waits and in the line, in the minute it
// turns stale, without a changed file or another reading.
func TestRunTurnsStaleWithoutAChange(t *testing.T) {
	dir := t.TempDir()
	put(t, dir, ".fctry/state.json", `{"buildRun":{"status":"running","plan":{"chunks":[{"id":1,"name":"Fog","status":"active"}]}}}`)
	var p *Project
	var live *Live
	var first *model.Snapshot
	var turns time.Time
	// On a machine that hung past that moment, the first snapshot is stale already.
	for soon := 2 * time.Second; first == nil || !first.At.Before(turns); soon *= 2 {
		turns = time.Now().Truncate(time.Second).Add(soon)
		must(t, os.Chtimes(filepath.Join(dir, ".fctry", "state.json"), turns, turns.Add(-time.Hour)))
		p = open(t, dir, "")
		ctx, stop := context.WithCancel(t.Context())
		live = FollowAgents(ctx, Opened(p), time.Now, watch.Options{}, User{}, AgentScope{})
		defer func(live *Live) { stop(); <-live.ended }(live)
		var err error
		first, err = live.Next(ctx, 0)
		must(t, err)
	}
	b := first.Projects[0].Builds[0]
	if said := line.Full(b.Header); strings.Contains(said, "stale") || !b.TurnsAt(first.At).Equal(turns) {
		t.Fatalf("at first %q, until %v, want %v", said, b.TurnsAt(first.At), turns)
	}
	reads := p.Reads()
	next, err := live.Next(t.Context(), first.Version)
	must(t, err)
	now := next.Projects[0].Builds[0]
	if said := line.Full(now.Header); next.At.Before(turns) || !strings.Contains(said, "stale") || len(now.Certain()) == 0 || !now.TurnsAt(next.At).IsZero() && now.TurnsAt(next.At).Before(turns.Add(time.Hour)) {
		t.Errorf("at %v: %q, %d wait, next %v", next.At, said, len(now.Certain()), now.TurnsAt(next.At))
	}
	if p.Reads() != reads {
		t.Errorf("%d files were read", p.Reads()-reads)
	}
}
