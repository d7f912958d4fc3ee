//go:build unix

package nearest

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"
)

// TestFindGitDoesNotWait replaces git's files by ones that would block a careless reader.
func TestFindGitDoesNotWait(t *testing.T) {
	root := tree(t, map[string]string{"head/.git/": "", "linked/.git": "gitdir: ../far\n", "far/": "", "above/.git/HEAD": "ref: refs/heads/above\n", "above/fifo/": ""})
	for _, path := range []string{"head/.git/HEAD", "far/HEAD", "above/fifo/.git"} {
		must(t, syscall.Mkfifo(filepath.Join(root, path), 0o644))
	}
	for name, target := range map[string]string{"loop": ".git", "dangling": "nothing", "device": "/dev/zero"} {
		must(t, os.Mkdir(filepath.Join(root, "above", name), 0o755))
		must(t, os.Symlink(target, filepath.Join(root, "above", name, ".git")))
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		for dir, want := range map[string]string{"head": "", "linked": "", "above/fifo": "above", "above/loop": "above", "above/dangling": "above", "above/device": "above"} {
			if got, _ := FindGit(Place{Dir: filepath.Join(root, dir)}); got.Branch != want {
				t.Errorf("%s: %v", dir, got)
			}
		}
	}()
	select {
	case <-done:
	case <-time.After(time.Minute):
		t.Fatal("reading hangs")
	}
}
