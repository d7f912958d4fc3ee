package main_test

// Measures the dashboard as released, on a pty. These are the dashboard's rows in the table of targets.
//
//	make bench                                              everything; the dashboard takes less than two minutes
//	go test -run '^$' -bench Dashboard/keys ./cmd/gatehouse  one of them
//	make soak                                               a million changes, and a minute of steady work, to find growth
//
// Figures are reported, never asserted, because the machine may be busy. A line reports each figure above its target.
// machine-busy-% is the share of all processors in use during the measurement, by any process. Above about 30 the figures say more
// about the other processes. The assertions hold under any load: the last state is shown, the terminal is restored, and nothing is
// left behind.
//
// Method:
//
//   - The program is built once, stripped, and started in the project's directory on a pty (pty_linux_test.go) whose other
//     side answers a terminal's queries at once, or never ("silent"). HOME is empty. The clock of an event starts before
//     the system call that causes it. The clock of a response stops when a read of the pty returns it, so figures include
//     the pty, but not a terminal's own work.
//   - start: from before fork to the frame that holds a word of the tree and the last word of the last line (known from an
//     earlier run); also to the first byte and to the last one, because a terminal's answers may cause a complete redraw.
//     Runs alternate with an empty Go program that prints a word, so that the
//     figures of two machines can be compared as multiples of it. Median.
//   - change: STATE.md is replaced by rename, with another name of the milestone, which is shown in the first line; to the
//     first byte after that, and to the read that completes the new name. Each round starts after 60 ms without output,
//     plus a random part of a frame, because the program draws 30 times a second. 50 rounds.
//   - decide: a loop's gate is approved: from the key a to the dialog, and from y to the replaced state file and to the
//     frame that says that nothing waits, which is shown only after the file has been read. 30 rounds.
//   - wait: gatehouse wait, from the rename of the state to the end of the process; its processor time during 10 s without
//     events, including its start.
//   - burst: 1000 such renames, one a millisecond. Redraws are counted by the marks of synchronized output.
//   - idle: 15 s without a change: bytes from the pty, processor time from /proc/PID/task/*/schedstat (nanoseconds, not
//     ticks), context switches of all threads from their status files. The project's files are old, so no age changes.
//   - bytes: all bytes written for one change, including the marks of synchronized output. Median.
//   - keys: from before the key is written to the first byte and to the end of the frame, at random intervals after the
//     previous response has ended.
//   - memory: VmRSS when the tree is on the screen, a second later, after 20 changes, and the peak (VmHWM). Real size: a
//     hundred projects as large as real ones, with prose in their files, two seconds after they are on the screen.
//   - exit: from before the key, the signal or the end of the terminal to the return of wait; then the terminal must be
//     restored. A stopped terminal reads nothing.
//   - projects: one project and many: from before fork to the first frame and to the frame with their names; q at
//     ten moments from the start on; VmRSS and processor time at rest.
//   - soak: 100 changes a second in projects of all protocols (soakworld_test.go). Threads, descriptors, watches and
//     goroutines (from the dump of SIGQUIT) must not be more at the end than after a short run.
//
// A tree of 10,000 rows without a target is measured next to the small tree of ten rows, to show what grows. The targets for
// drawing a frame are measured in tui (View, Key), those for reading a tree in parse (Load, OneChanged).

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

// BenchmarkDashboard measures the dashboard; see the top of this file.
func BenchmarkDashboard(b *testing.B) {
	if _, err := os.Stat("/dev/ptmx"); err != nil {
		fmt.Println("BenchmarkDashboard skipped: there is no /dev/ptmx")
		b.Skip()
	}
	bin := buildProgram(b, ".")
	b.Run("start", func(b *testing.B) { benchStart(b, bin) })
	b.Run("change", func(b *testing.B) { benchChange(b, bin) })
	b.Run("decide", func(b *testing.B) { benchDecide(b, bin) })
	b.Run("wait", func(b *testing.B) { benchWait(b, bin) })
	b.Run("burst", func(b *testing.B) { benchBurst(b, bin) })
	b.Run("idle", func(b *testing.B) { benchIdle(b, bin) })
	b.Run("bytes", func(b *testing.B) { benchBytes(b, bin) })
	b.Run("keys", func(b *testing.B) { benchKeys(b, bin) })
	b.Run("memory", func(b *testing.B) { benchMemory(b, bin) })
	b.Run("memory-real-size", func(b *testing.B) { benchRealSize(b, bin) })
	b.Run("exit", func(b *testing.B) { benchExit(b, bin) })
	b.Run("projects", func(b *testing.B) { benchProjects(b, bin) })
	b.Run("soak", func(b *testing.B) { benchSoak(b, bin) })
}

// benchStart measures from the start to the first full frame.
func benchStart(b *testing.B, bin string) {
	word := buildWord(b)
	for _, c := range []struct {
		name   string
		at     size
		silent bool
		plant  func(testing.TB) *project
		target float64
	}{
		{"80x24/answers", small, false, tenRows, 50},
		{"80x24/silent", small, true, tenRows, 50},
		{"200x60/answers", large, false, tenRows, 60},
		{"200x60/silent", large, true, tenRows, 60},
		{"200x60/10000rows", large, false, tenThousand, 0},
	} {
		b.Run(c.name, func(b *testing.B) {
			p := c.plant(b)
			last := lastWord(b, bin, c.at, p)
			defer busy(b)()
			var byteMS, frameMS, calmMS, emptyMS, ratios []float64
			for b.Loop() {
				for range 9 {
					t := openPTY(b, c.at, c.silent, p.dir, bin)
					first, full := t.waitForWords(0, landmark, last)
					calm := t.settle(100 * time.Millisecond)
					t.close()
					e := openPTY(b, c.at, true, p.dir, word)
					_, wordAt := e.waitForWords(0, "here")
					e.close()
					byteMS = append(byteMS, ms(t.started, first))
					frameMS = append(frameMS, ms(t.started, full))
					calmMS = append(calmMS, ms(t.started, calm))
					emptyMS = append(emptyMS, ms(e.started, wordAt))
					ratios = append(ratios, ms(t.started, full)/ms(e.started, wordAt))
				}
			}
			report(b, median(byteMS), "first-byte-ms", 0)
			report(b, median(frameMS), "frame-ms", c.target)
			report(b, slices.Max(frameMS), "frame-max-ms", 0)
			report(b, median(calmMS), "last-byte-ms", 0)
			report(b, median(emptyMS), "empty-program-ms", 0)
			report(b, median(ratios), "frame/empty", 0)
		})
	}
}

// lastWord returns the last word of the last line: of everything written to a terminal that causes no redraw.
func lastWord(b *testing.B, bin string, at size, p *project) string {
	b.Helper()
	t := openPTY(b, at, true, p.dir, bin)
	defer t.close()
	t.waitForWords(0, landmark)
	t.settle(300 * time.Millisecond)
	words := strings.Fields(t.text(0))
	return words[len(words)-1]
}

// openDrawn starts the dashboard on a terminal that answers, and returns when it is drawn completely.
func openDrawn(tb testing.TB, at size, p *project, bin string) *terminal {
	tb.Helper()
	t := openPTY(tb, at, false, p.dir, bin)
	t.waitForWords(0, landmark)
	t.settle(300 * time.Millisecond)
	return t
}

// buildProgram builds a package like a release.
func buildProgram(tb testing.TB, dir string) string {
	tb.Helper()
	bin := filepath.Join(tb.TempDir(), "program")
	cmd := exec.Command("go", "build", "-trimpath", "-ldflags", "-s -w", "-buildmode=exe", "-o", bin, ".")
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	if output, err := cmd.CombinedOutput(); err != nil {
		tb.Fatalf("%v\n%s", err, output)
	}
	return bin
}

// buildWord builds a minimal program that prints a word. It shows what starting a process costs on this machine.
func buildWord(b *testing.B) string {
	dir := b.TempDir()
	for name, text := range map[string]string{"go.mod": "module word\n", "main.go": "package main\n\nfunc main() { print(\"here\") }\n"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			b.Fatal(err)
		}
	}
	return buildProgram(b, dir)
}

// busy starts to measure the load of the machine, and returns a function that reports it.
func busy(b *testing.B) func() {
	b.Helper()
	used, all := ticks(b)
	return func() {
		usedNow, allNow := ticks(b)
		report(b, (usedNow-used)/max(allNow-all, 1)*100, "machine-busy-%", 0)
	}
}

// ticks returns the time of all processors since boot, and how much of it was used, including time stolen by others.
func ticks(b *testing.B) (used, all float64) {
	text, err := os.ReadFile("/proc/stat")
	if err != nil {
		b.Fatal(err)
	}
	first, _, _ := strings.Cut(string(text), "\n")
	for i, word := range strings.Fields(first)[1:9] { // user nice system idle iowait irq softirq steal
		n, err := strconv.ParseFloat(word, 64)
		if err != nil {
			b.Fatal(err)
		}
		all += n
		if i != 3 && i != 4 {
			used += n
		}
	}
	return used, all
}

// report reports a figure, and prints a line if it misses its target; 0 is no target.
func report(b *testing.B, value float64, unit string, target float64) {
	b.Helper()
	b.ReportMetric(0, "ns/op") // the time of a whole measurement means nothing
	b.ReportMetric(value, unit)
	if target > 0 && value > target {
		b.Logf("MISSED: %s is %.4g, wanted is at most %.4g", unit, value, target)
	}
}

func ms(from, to time.Time) float64 { return float64(to.Sub(from)) / float64(time.Millisecond) }

func median(values []float64) float64 { return percentile(values, 50) }

// percentile returns the smallest value that is not below p percent of the values.
func percentile(values []float64, p int) float64 {
	values = slices.Sorted(slices.Values(values))
	return values[(len(values)*p+99)/100-1]
}

// aFrame waits a random part of a frame.
func aFrame() { time.Sleep(rand.N(time.Second / 30)) }

// rowsOf returns the name of a project by the size of its tree.
func rowsOf(rows int) string { return fmt.Sprintf("%drows", rows) }
