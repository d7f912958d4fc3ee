// This file tests that every kind of change is seen, once by events with no poll, once by the poll with no events.

package watch

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// eachWay runs a test with events only and with the poll only.
func eachWay(t *testing.T, test func(t *testing.T, opts Options)) {
	t.Run("events", func(t *testing.T) { test(t, Options{Poll: never}) })
	t.Run("poll", func(t *testing.T) { test(t, Options{PollOnly: true, Poll: time.Millisecond}) })
}

func TestEveryKindOfChange(t *testing.T) {
	eachWay(t, func(t *testing.T, opts Options) {
		dir := t.TempDir()
		makeTree(t, dir, "STATE.md", "phases/01-a/01-01-PLAN.md")
		p := watchDir(t, dir, opts)

		p.write("STATE.md", "a longer text\n")
		p.wait("STATE.md")
		p.replace("STATE.md", "atomic\n")
		p.wait("STATE.md")
		p.write("phases/01-a/01-01-PLAN.md", "below, longer\n")
		p.wait("phases/01-a/01-01-PLAN.md")
		p.write("ROADMAP.md", "new\n")
		p.wait("ROADMAP.md")
		p.rename("ROADMAP.md", "OLD.md")
		p.wait("ROADMAP.md", "OLD.md")
		p.remove("STATE.md")
		p.wait("STATE.md")
		must(t, os.Mkdir(p.abs("todos"), 0o755))
		p.wait("todos")
		p.write("todos/1.md", "in a new directory\n")
		p.wait("todos/1.md")
		p.remove("phases")
		p.wait("phases", "phases/01-a", "phases/01-a/01-01-PLAN.md")
	})
}

func TestRenamedDirectory(t *testing.T) {
	eachWay(t, func(t *testing.T, opts Options) {
		dir := t.TempDir()
		makeTree(t, dir, "phases/01-a/PLAN.md", "phases/01-a/deep/x.md", "archive/y.md")
		p := watchDir(t, dir, opts)
		p.rename("phases/01-a", "phases/01-b")
		p.wait("phases/01-a", "phases/01-a/PLAN.md", "phases/01-b", "phases/01-b/PLAN.md", "phases/01-b/deep/x.md")
		p.write("phases/01-b/deep/x.md", "seen under the new name only\n")
		p.wait("phases/01-b/deep/x.md")
		p.rename("phases/01-b", "archive/01-b")
		p.wait("phases/01-b/deep/x.md", "archive/01-b/deep/x.md")
		p.write("archive/01-b/deep/x.md", "moved to another directory\n")
		p.wait("archive/01-b/deep/x.md")
		// Two directories swap names.
		p.rename("archive", "swap")
		p.rename("phases", "archive")
		p.rename("swap", "phases")
		p.wait("phases/y.md", "archive", "archive/y.md")
		p.write("phases/01-b/PLAN.md", "seen where it is now\n")
		p.wait("phases/01-b/PLAN.md")
		p.write("archive/z.md", "and here\n")
		p.wait("archive/z.md")
	})
}

func TestRemovedAndRecreated(t *testing.T) {
	eachWay(t, func(t *testing.T, opts Options) {
		dir := t.TempDir()
		makeTree(t, dir, "phases/01-a/PLAN.md")
		p := watchDir(t, dir, opts)
		for i := range 12 {
			p.remove("phases")
			p.mkdir("phases/01-a")
			name := fmt.Sprintf("phases/01-a/%d.md", i)
			p.write(name, "x")
			p.wait(name)
			p.write(name, "and again")
			p.wait(name)
		}
	})
}

func TestDirectoryAppearsAndDisappears(t *testing.T) {
	eachWay(t, func(t *testing.T, opts Options) {
		top := t.TempDir()
		p := watchDir(t, filepath.Join(top, "shop"), opts, "data/runs")
		for i := range 6 {
			p.mkdir("data/runs")
			p.write("data/runs/P.md", "x")
			p.wait("data/runs/P.md")
			p.write("data/runs/STATE.md", "x")
			p.wait("data/runs/STATE.md")
			switch i % 3 {
			case 0:
				p.remove("data/runs")
			case 1:
				p.remove(".")
			case 2:
				p.rename("data", "../gone")
			}
			p.wait("data/runs", "data/runs/STATE.md", "data/runs/P.md")
			p.remove("../gone")
		}
	})
}

// TestRenamedAncestor: renaming a directory causes no event in the directories below it; the poll has to see it, and the watches have to follow.
func TestRenamedAncestor(t *testing.T) {
	top := t.TempDir()
	makeTree(t, top, "work/shop/phases/P.md")
	p := watchDir(t, filepath.Join(top, "work", "shop"), Options{Poll: time.Millisecond})
	p.rename("../../work", "../../old")
	p.wait("phases", "phases/P.md")
	p.mkdir("phases")
	p.write("phases/P.md", "another\n")
	p.wait("phases/P.md")
	p.write("phases/Q.md", "x")
	p.wait("phases/Q.md")
}

func TestLinks(t *testing.T) {
	eachWay(t, func(t *testing.T, opts Options) {
		dir, outside := t.TempDir(), t.TempDir()
		makeTree(t, outside, "far/x.md", "state.md")
		makeTree(t, dir, "archive/01/PLAN.md")
		link := func(to, at string) {
			if err := os.Symlink(to, filepath.Join(dir, at)); err != nil {
				t.Skip("no symbolic links here:", err)
			}
		}
		link(filepath.Join("archive", "01"), "current") // inside
		link(".", "round")                              // inside, a cycle
		link(filepath.Join(outside, "far"), "far")      // outside
		link("nowhere", "dangling")
		p := watchDir(t, dir, opts, "current", "round/archive/01", "far")

		p.write("archive/01/PLAN.md", "seen under every name\n")
		p.wait("current/PLAN.md", "archive/01/PLAN.md", "round/archive/01/PLAN.md")
		p.write("current/PLAN.md", "and again\n")
		p.wait("archive/01/PLAN.md", "round/archive/01/PLAN.md", "current/PLAN.md")
		must(t, os.WriteFile(filepath.Join(outside, "far", "x.md"), []byte("not ours\n"), 0o644))
		p.write("nowhere", "x")
		p.wait("nowhere", "dangling")
		if got := p.seen("far/x.md"); got != "" {
			t.Errorf("followed a link out of the project: %q", got)
		}
		p.remove("current")
		p.wait("current")
		link("archive", "current")
		p.wait("current/01/PLAN.md")
		p.write("archive/01/PLAN.md", "the link leads elsewhere now\n")
		p.wait("current/01/PLAN.md")
	})
}
