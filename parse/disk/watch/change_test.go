// This file tests that every kind of change is seen, once by events with no poll, once by the poll with no events.

package watch

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
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
		must(t, os.Chmod(p.abs("STATE.md"), 0o400))
		p.wait("STATE.md")
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

// The files are written right after their directories, before a watch can be there.
func TestFilesOlderThanTheWatch(t *testing.T) {
	eachWay(t, func(t *testing.T, opts Options) {
		p := watchDir(t, t.TempDir(), opts)
		for i := range 6 {
			d := fmt.Sprintf("phases/%02d", i)
			p.mkdir(d)
			p.write(d+"/PLAN.md", "x")
			deep := fmt.Sprintf("a%d/b/c/d/e/f/g", i)
			p.mkdir(deep)
			p.write(deep+"/deep.md", "x")
			p.wait(d, d+"/PLAN.md", deep, deep+"/deep.md")
			p.write(deep+"/deep.md", "longer")
			p.wait(deep + "/deep.md")
		}
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
		// Two directories change places.
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

func TestRemovedAndMadeAgain(t *testing.T) {
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

func TestRootThatComesAndGoes(t *testing.T) {
	eachWay(t, func(t *testing.T, opts Options) {
		dir := t.TempDir()
		root := filepath.Join(dir, "work", "shop", ".planning")
		p := watchDir(t, dir, opts, Root{root, true})
		for i := range 6 {
			p.mkdir("work/shop/.planning/phases")
			p.write("work/shop/.planning/phases/P.md", "x")
			p.wait("work/shop/.planning", "work/shop/.planning/phases/P.md")
			p.write("work/shop/.planning/STATE.md", "x")
			p.wait("work/shop/.planning/STATE.md")
			switch i % 3 {
			case 0:
				p.remove("work/shop/.planning")
			case 1:
				p.remove("work")
			case 2:
				p.rename("work/shop/.planning", "gone")
			}
			p.wait("work/shop/.planning", "work/shop/.planning/STATE.md", "work/shop/.planning/phases/P.md")
			p.remove("gone")
		}
	})
}

// Nothing happens in the root itself when a directory above it is renamed: the poll has to see it, and the watches have to follow.
func TestRenamedAboveTheRoot(t *testing.T) {
	dir := t.TempDir()
	makeTree(t, dir, "shop/.planning/phases/P.md")
	p := watchDir(t, dir, Options{Poll: time.Millisecond}, Root{filepath.Join(dir, "shop", ".planning"), true})
	p.rename("shop", "old")
	p.wait("shop/.planning", "shop/.planning/phases/P.md")
	p.mkdir("shop/.planning/phases")
	p.write("shop/.planning/phases/P.md", "another\n")
	p.wait("shop/.planning/phases/P.md")
	p.write("shop/.planning/phases/Q.md", "x")
	p.wait("shop/.planning/phases/Q.md")
}

// Only direct entries of a root that is not recursive count, also where a recursive root lies below it.
func TestNotRecursive(t *testing.T) {
	eachWay(t, func(t *testing.T, opts Options) {
		dir := t.TempDir()
		makeTree(t, dir, "a.json", "src/main.go", ".planning/STATE.md")
		p := watchDir(t, dir, opts, Root{dir, false}, Root{filepath.Join(dir, ".planning"), true})
		p.write("src/main.go", "not ours\n")
		p.mkdir(".planning/phases")
		p.wait(".planning/phases")
		p.write(".planning/phases/P.md", "x")
		p.wait(".planning/phases/P.md")
		p.write("a.json", "ours, and last\n")
		p.until("a.json", func() bool { return p.paths[p.abs("a.json")] })
		if p.paths[p.abs("src/main.go")] {
			t.Error("reported a file below a directory that is not a root")
		}
	})
}

func TestIgnoredNames(t *testing.T) {
	eachWay(t, func(t *testing.T, opts Options) {
		dir := t.TempDir()
		makeTree(t, dir, "STATE.md", ".git/HEAD", "node_modules/left-pad/index.js")
		p := watchDir(t, dir, opts)
		ignored := []string{"4913", ".STATE.md.swp", ".STATE.md.swx", "STATE.md~", ".#STATE.md", "STATE.md.tmp", "state.json.lock", "STATE.md.tmp.12", "x.tmp/y.md",
			".git/index", "node_modules/left-pad/new.js"}
		p.mkdir("x.tmp")
		for _, rel := range ignored {
			p.write(rel, "x")
		}
		p.write("last.md", "x")
		p.until("last.md", func() bool { return p.paths[p.abs("last.md")] })
		for _, rel := range append(ignored, "x.tmp") {
			if p.paths[p.abs(rel)] {
				t.Errorf("reported %s", rel)
			}
		}
		p.rename("STATE.md.tmp.12", "STATE.md")
		p.wait("STATE.md")
		p.rename("x.tmp", "x")
		p.wait("x", "x/y.md")
	})
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
		link(".", "round")                              // inside, in a circle
		link(filepath.Join(outside, "far"), "far")      // outside
		link("nowhere", "dangling")
		p := watchDir(t, dir, opts)

		p.write("archive/01/PLAN.md", "reported under both names\n")
		p.wait("archive/01/PLAN.md", "current/PLAN.md", "round/archive/01/PLAN.md")
		must(t, os.WriteFile(filepath.Join(outside, "far", "x.md"), []byte("not ours\n"), 0o644))
		p.write("nowhere", "x")
		p.until("nowhere", func() bool { return p.paths[p.abs("nowhere")] })
		if p.paths[p.abs("far/x.md")] {
			t.Error("followed a link out of the root")
		}
		p.remove("current")
		p.wait("current")
		link("archive", "current")
		p.wait("current")
		p.write("archive/01/PLAN.md", "the link leads elsewhere now\n")
		p.wait("current/01/PLAN.md")
	})
}

// A root that is a link, and a file that is one: the poll sees the file it leads to.
func TestLinkedRootAndFile(t *testing.T) {
	dir := t.TempDir()
	makeTree(t, dir, "real/STATE.md", "elsewhere/config.json")
	if err := os.Symlink("real", filepath.Join(dir, "root")); err != nil {
		t.Skip("no symbolic links here:", err)
	}
	must(t, os.Symlink(filepath.Join("..", "elsewhere", "config.json"), filepath.Join(dir, "real", "config.json")))
	p := watchDir(t, dir, Options{Poll: time.Millisecond}, Root{filepath.Join(dir, "root"), true})
	p.write("real/STATE.md", "longer than before\n")
	p.wait("root/STATE.md")
	p.write("elsewhere/config.json", "longer than before\n")
	p.wait("root/config.json")
}

func TestThousandsOfDirectories(t *testing.T) {
	p := watchDir(t, t.TempDir(), Options{Poll: never})
	const n = 2000
	for i := range n {
		d := fmt.Sprintf("%02d/%03d", i%50, i)
		p.mkdir(d)
		p.write(d+"/x.md", "x")
	}
	p.until("every file", func() bool {
		for i := range n {
			if !p.all && !p.paths[p.abs(fmt.Sprintf("%02d/%03d/x.md", i%50, i))] {
				return false
			}
		}
		return true
	})
	p.forget()
	p.write("49/1999/x.md", "longer")
	p.wait("49/1999/x.md")
	p.remove("07")
	p.wait("07", "07/007/x.md", "07/1957/x.md")
}

func TestBatchIsSortedAndClean(t *testing.T) {
	dir := t.TempDir()
	p := watchDir(t, dir, Options{Poll: never}, Root{dir + string(filepath.Separator) + ".", true}, Root{dir, false})
	for _, name := range []string{"c", "a", "b"} {
		p.write(name, "x")
		p.write(name, "xy")
	}
	p.until("all three", func() bool { return p.paths[p.abs("a")] && p.paths[p.abs("b")] && p.paths[p.abs("c")] })
	for _, b := range p.batches {
		if !slices.IsSorted(b.Paths) || len(slices.Compact(slices.Clone(b.Paths))) != len(b.Paths) {
			t.Errorf("not sorted, or twice the same: %q", b.Paths)
		}
	}
}
