// This file counts listings of directories, as inotify reports them.

package parse

import (
	"encoding/binary"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"gatehouse/model"
	"gatehouse/parse/disk/watch"
)

// listings watches some directories with inotify, and returns a function that returns how often each was listed so far, by any process.
func listings(t *testing.T, dirs ...string) func() map[string]int {
	t.Helper()
	fd, err := syscall.InotifyInit1(syscall.IN_NONBLOCK | syscall.IN_CLOEXEC)
	must(t, err)
	t.Cleanup(func() { syscall.Close(fd) })
	named, read, counts := map[int32]string{}, map[int32]bool{}, map[string]int{}
	for _, dir := range dirs {
		// A listing is a read and then a close: a directory that is only opened is not listed.
		wd, err := syscall.InotifyAddWatch(fd, dir, syscall.IN_ACCESS|syscall.IN_CLOSE_NOWRITE|syscall.IN_ONLYDIR)
		must(t, err)
		named[int32(wd)] = dir
	}
	return func() map[string]int {
		buf := make([]byte, 1<<16)
		for {
			n, err := syscall.Read(fd, buf)
			if err != nil || n <= 0 {
				return counts
			}
			for at := buf[:n]; len(at) > 0; {
				wd, mask, length := int32(binary.NativeEndian.Uint32(at)), binary.NativeEndian.Uint32(at[4:]), binary.NativeEndian.Uint32(at[12:])
				switch at = at[syscall.SizeofInotifyEvent+length:]; {
				case mask&syscall.IN_ISDIR == 0 || length > 0: // An event of a file or a directory in it; a watched directory has events of its own.
				case mask&syscall.IN_ACCESS != 0:
					read[wd] = true
				case read[wd]:
					counts[named[wd]]++
					read[wd] = false
				}
			}
		}
	}
}

// TestADirectoryIsListedOnce follows a project of each protocol: at first each directory is listed once, and after a change in one of
// them that one is listed once more.
func TestADirectoryIsListedOnce(t *testing.T) {
	for name, p := range map[string]struct {
		make  func(t *testing.T, dir string)
		dirs  []string // the last one holds the file
		file  string
		after string
		is    func(b *model.Build) bool
	}{
		"gsd": {func(t *testing.T, dir string) { gsdProject(t, dir) }, []string{".planning", ".planning/phases", ".planning/phases/01-base"},
			"01-01-SUMMARY.md", "---\nphase: 01-base\nplan: 01\n---\n\nDone.\n", func(b *model.Build) bool { return b.Progress.Plans.Done == 1 }},
		"ultraplan": {func(t *testing.T, dir string) {
			put(t, dir, ".ultraplan/logs/current-session.json", "{}")
			put(t, dir, ".planning/STATE.md", "# Project State\n\nPhase: 1 of 1 (One)\n")
		}, []string{".ultraplan", ".ultraplan/logs", ".planning"}, "STATE.md", "# Project State\n\nPhase: 1 of 1 (One)\nStatus: Milestone complete\n",
			func(b *model.Build) bool { return b.Raw == "Milestone complete" }},
		"loop": {func(t *testing.T, dir string) {
			put(t, dir, "sample-state.json", `{"loop":"sample","status":"active","phases":{"P":{"status":"active"}},"gates":{"g":{"status":"pending","deliverables":["docs/out.md"]}}}`)
			put(t, dir, "docs/other.md", "other")
		}, []string{".", "docs"}, "out.md", "done", func(b *model.Build) bool {
			n, _ := b.Find("gate/g/deliverable/1")
			return n != nil && n.Status == model.Done
		}},
		"fctry": {func(t *testing.T, dir string) {
			put(t, dir, ".fctry/state.json", `{"buildRun":{"status":"running","plan":{"chunks":[{"id":1,"name":"A","status":"active"}]}}}`)
		}, []string{".", ".fctry"}, "state.json", `{"buildRun":{"status":"running","plan":{"chunks":[{"id":1,"name":"B","status":"active"}]}}}`,
			func(b *model.Build) bool { n, _ := b.Find("chunk/1"); return n != nil && n.Title == "B" }},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			p.make(t, dir)
			project := open(t, dir, "")
			var dirs []string
			for _, rel := range p.dirs {
				dirs = append(dirs, filepath.Join(dir, rel))
			}
			last := dirs[len(dirs)-1]
			listed := listings(t, dirs...)
			f := followProjects(t, watch.Options{Poll: patience}, project)
			f.untilFirst("it is read", func(b *model.Build) bool { return !p.is(b) })
			for dir, n := range listed() {
				if n != 1 {
					t.Errorf("at first %s was listed %d times", dir, n)
				}
			}
			put(t, last, p.file+".tmp", p.after)
			must(t, os.Rename(filepath.Join(last, p.file+".tmp"), filepath.Join(last, p.file)))
			f.untilFirst("the file is there", p.is)
			for dir, n := range listed() {
				if want := map[bool]int{false: 1, true: 2}[dir == last]; n != want {
					t.Errorf("after one file changed %s was listed %d times, want %d", dir, n, want)
				}
			}
			if len(listed()) != len(dirs) {
				t.Errorf("only %v were listed", listed())
			}
		})
	}
}
