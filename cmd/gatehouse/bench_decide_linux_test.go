package main_test

// What a decision costs: from the confirming key to the new state file, and to the frame that shows it.

import (
	"bufio"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/txtar"
)

// benchDecide measures the approval of a gate in the dashboard.
func benchDecide(b *testing.B, bin string) {
	dir, state, pending := lantern(b)
	t := openPTY(b, large, false, dir, bin)
	defer t.close()
	t.waitForWords(0, "sketch-gate")
	t.settle(300 * time.Millisecond)
	t.press("n")
	t.settle(300 * time.Millisecond)
	defer busy(b)()
	var dialogMS, fileMS, frameMS []float64
	for b.Loop() {
		for range 30 {
			mark := t.mark()
			asked := t.press("a")
			_, there := t.waitForWords(mark, "then starts")
			t.settle(60 * time.Millisecond)
			aFrame()
			mark = t.mark()
			done := replaced(b, state)
			at := t.press("y")
			_, full := t.waitForWords(mark, "nothing") // "nothing waits for you" is shown once the file has been read
			dialogMS = append(dialogMS, ms(asked, there))
			fileMS = append(fileMS, ms(at, <-done))
			frameMS = append(frameMS, ms(at, full))

			t.settle(400 * time.Millisecond) // until the check for another writer is over
			mark = t.mark()
			renamed(b, state, pending)
			t.waitForFrame(mark)
			t.settle(100 * time.Millisecond)
		}
	}
	report(b, percentile(dialogMS, 50), "dialog-p50-ms", 0)
	report(b, percentile(fileMS, 50), "file-p50-ms", 8)
	report(b, percentile(frameMS, 50), "frame-p50-ms", 30)
	report(b, percentile(frameMS, 99), "frame-p99-ms", 0)
}

// lantern writes a loop that waits at a gate, and returns its directory, and the path and text of its state.
func lantern(tb testing.TB) (dir, state, pending string) {
	tb.Helper()
	archive, err := txtar.ParseFile(filepath.Join("testdata", "projects", "lantern.txtar"))
	if err != nil {
		tb.Fatal(err)
	}
	dir = tb.TempDir()
	if err := txtar.Write(archive, dir); err != nil {
		tb.Fatal(err)
	}
	state = filepath.Join(dir, "lantern-state.json")
	text, err := os.ReadFile(state)
	if err != nil {
		tb.Fatal(err)
	}
	return dir, state, string(text)
}

// renamed replaces a file by rename, and returns the time.
func renamed(tb testing.TB, path, text string) time.Time {
	tb.Helper()
	if err := os.WriteFile(path+".tmp", []byte(text), 0o644); err != nil {
		tb.Fatal(err)
	}
	at := time.Now()
	if err := os.Rename(path+".tmp", path); err != nil {
		tb.Fatal(err)
	}
	return at
}

// benchWait measures how fast a wait ends, and its cost while nothing happens.
func benchWait(b *testing.B, bin string) {
	_, state, pending := lantern(b)
	passed := strings.Replace(pending, `"pending"`, `"passed"`, 1)
	home := b.TempDir()
	defer busy(b)()
	var endMS, cpu []float64
	for b.Loop() {
		for i := range 11 {
			renamed(b, state, pending)
			wait := exec.Command(bin, "wait", "sketch-gate", "--dir", filepath.Dir(state))
			wait.Env = []string{"HOME=" + home}
			stderr, err := wait.StderrPipe()
			if err != nil {
				b.Fatal(err)
			}
			if err := wait.Start(); err != nil {
				b.Fatal(err)
			}
			if _, err := bufio.NewReader(stderr).ReadString('\n'); err != nil {
				b.Fatal(err)
			}
			time.Sleep(300 * time.Millisecond)
			if i == 0 {
				time.Sleep(10 * time.Second)
			}
			at := renamed(b, state, passed)
			if err := wait.Wait(); err != nil {
				b.Fatal(err)
			}
			endMS = append(endMS, ms(at, time.Now()))
			if i == 0 {
				used := wait.ProcessState.UserTime() + wait.ProcessState.SystemTime()
				cpu = append(cpu, used.Seconds()/10*100) // including its start
			}
		}
	}
	report(b, percentile(endMS, 50), "end-p50-ms", 60)
	report(b, percentile(endMS, 99), "end-p99-ms", 0)
	report(b, median(cpu), "cpu-%", 0)
}

// replaced sends the time when this file was replaced. It polls every 0.2 ms.
func replaced(b *testing.B, path string) <-chan time.Time {
	b.Helper()
	before, err := os.Stat(path)
	if err != nil {
		b.Fatal(err)
	}
	at := make(chan time.Time, 1)
	go func() {
		for end := time.Now().Add(waitLimit); time.Now().Before(end); time.Sleep(200 * time.Microsecond) {
			if now, err := os.Stat(path); err == nil && !os.SameFile(before, now) {
				break
			}
		}
		at <- time.Now()
	}()
	return at
}
