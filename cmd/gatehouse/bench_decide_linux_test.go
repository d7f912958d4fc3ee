package main_test

// What a decision costs: from the key that says yes until the file is another, and until the screen says so.

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/txtar"
)

// benchDecide measures a gate being approved in the dashboard.
func benchDecide(b *testing.B, bin string) {
	archive, err := txtar.ParseFile(filepath.Join("testdata", "projects", "lantern.txtar"))
	if err != nil {
		b.Fatal(err)
	}
	dir := b.TempDir()
	if err := txtar.Write(archive, dir); err != nil {
		b.Fatal(err)
	}
	state := filepath.Join(dir, "lantern-state.json")
	pending, err := os.ReadFile(state)
	if err != nil {
		b.Fatal(err)
	}
	t := open(b, large, false, dir, bin)
	defer t.close()
	t.says(0, "sketch-gate")
	t.settle(300 * time.Millisecond)
	t.press("n")
	t.settle(300 * time.Millisecond)
	defer busy(b)()
	var dialogMS, fileMS, frameMS []float64
	for b.Loop() {
		for range 30 {
			mark := t.mark()
			asked := t.press("a")
			_, there := t.says(mark, "Releases")
			t.settle(60 * time.Millisecond)
			aFrame()
			mark = t.mark()
			done := replaced(b, state)
			at := t.press("y")
			_, full := t.says(mark, "nothing") // waits for you: so it is told when the file has been read
			dialogMS = append(dialogMS, ms(asked, there))
			fileMS = append(fileMS, ms(at, <-done))
			frameMS = append(frameMS, ms(at, full))

			t.settle(400 * time.Millisecond) // until nobody looks any more whether it was overwritten
			temp := state + ".tmp"
			if err := os.WriteFile(temp, pending, 0o644); err != nil {
				b.Fatal(err)
			}
			mark = t.mark()
			if err := os.Rename(temp, state); err != nil {
				b.Fatal(err)
			}
			t.draws(mark)
			t.settle(100 * time.Millisecond)
		}
	}
	report(b, percentile(dialogMS, 50), "dialog-p50-ms", 0)
	report(b, percentile(fileMS, 50), "file-p50-ms", 0)
	report(b, percentile(frameMS, 50), "frame-p50-ms", 60)
	report(b, percentile(frameMS, 99), "frame-p99-ms", 0)
}

// replaced returns when another file is in the place of this one, by looking every fifth of a millisecond.
func replaced(b *testing.B, path string) <-chan time.Time {
	b.Helper()
	before, err := os.Stat(path)
	if err != nil {
		b.Fatal(err)
	}
	at := make(chan time.Time, 1)
	go func() {
		for end := time.Now().Add(patience); time.Now().Before(end); time.Sleep(200 * time.Microsecond) {
			if now, err := os.Stat(path); err == nil && !os.SameFile(before, now) {
				break
			}
		}
		at <- time.Now()
	}()
	return at
}
