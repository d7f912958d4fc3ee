package join

import (
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

func TestCopiesOfAMachineAreOthers(t *testing.T) {
	dir := t.TempDir()
	here := Machine(dir)
	if here == "" || here != Machine(dir) || !strings.HasPrefix(here, account(dir)) || here == Machine(t.TempDir()) {
		t.Error(here)
	}
	if a := told("id", "build-7", "boot"); a == told("id", "build-8", "boot") || a == told("id", "build-7", "another") || a != told("id", "build-7", "boot") {
		t.Error(a)
	}
}

func TestNoTwoProcessesHaveOneNumber(t *testing.T) {
	dir, now := t.TempDir(), time.UnixMilli(1<<40)
	var mu sync.Mutex
	var all sync.WaitGroup
	seen := map[uint64]bool{}
	for range 20 {
		all.Go(func() {
			boot, err := NextBoot(dir, now)
			mu.Lock()
			defer mu.Unlock()
			if err != nil || seen[boot] || boot < 1<<40 {
				t.Error(boot, err, seen)
			}
			seen[boot] = true
		})
	}
	all.Wait()
	var highest uint64
	for boot := range seen {
		highest = max(highest, boot)
	}
	if boot, err := NextBoot(dir, now.Add(-time.Hour)); err != nil || boot <= highest {
		t.Error(boot, highest, err)
	}
	old := time.Now().Add(-2 * bootStays)
	files, _ := os.ReadDir(dir)
	for _, f := range files {
		if err := os.Chtimes(filepath.Join(dir, f.Name()), old, old); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := NextBoot(dir, now); err != nil {
		t.Error(err)
	}
	if left, err := os.ReadDir(dir); len(left) != 2 {
		t.Error(left, err)
	}
}
