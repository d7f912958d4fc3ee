package main_test

// What the dashboard costs while it runs: at rest, with keys, in memory, over time, and when it exits.

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// benchIdle measures the cost at rest.
func benchIdle(b *testing.B, bin string) {
	const long = 15 * time.Second
	p := tenRows(b)
	t := openDrawn(b, large, p, bin)
	defer t.close()
	time.Sleep(time.Second)
	defer busy(b)()
	var written, share, switches float64
	for b.Loop() {
		mark, cpu, sw, start := t.mark(), t.cpu(), t.switches(), time.Now()
		time.Sleep(long)
		seconds := time.Since(start).Seconds()
		written = float64(t.mark()-mark) / seconds
		share = (t.cpu() - cpu).Seconds() / seconds * 100
		switches = float64(t.switches()-sw) / seconds
	}
	report(b, written, "B/s", 1e-9)
	report(b, share, "cpu-%", 0.6)
	report(b, switches, "switches/s", 0)
}

// benchKeys measures from a key to the frame that shows its effect.
func benchKeys(b *testing.B, bin string) {
	for _, c := range []struct {
		rows   int
		plant  func(testing.TB) *project
		target float64
	}{{10, tenRows, 35}, {10_000, tenThousand, 35}} {
		b.Run(rowsOf(c.rows), func(b *testing.B) {
			t := openDrawn(b, large, c.plant(b), bin)
			defer t.close()
			defer busy(b)()
			var firstMS, frameMS []float64
			for b.Loop() {
				for i := range 150 {
					t.settle(20 * time.Millisecond)
					aFrame()
					mark := t.mark()
					at := t.press("jk"[i%2 : i%2+1])
					first, full := t.waitForFrame(mark)
					firstMS = append(firstMS, ms(at, first))
					frameMS = append(frameMS, ms(at, full))
				}
			}
			report(b, percentile(firstMS, 50), "first-byte-p50-ms", 0)
			report(b, percentile(frameMS, 50), "frame-p50-ms", 0)
			report(b, percentile(frameMS, 99), "frame-p99-ms", c.target)
		})
	}
}

// benchMemory measures the memory with ten thousand nodes.
func benchMemory(b *testing.B, bin string) {
	p := tenThousand(b)
	var loaded, settled, changed, peak float64
	for b.Loop() {
		t := openDrawn(b, large, p, bin)
		loaded = t.mebibytes("VmRSS:")
		t.settle(time.Second)
		settled = t.mebibytes("VmRSS:")
		for i := range 20 {
			mark := t.mark()
			p.replace("STATE.md", stateText(fresh(i)))
			t.waitForWords(mark, fresh(i))
		}
		t.settle(time.Second)
		changed, peak = t.mebibytes("VmRSS:"), t.mebibytes("VmHWM:")
		t.close()
	}
	report(b, loaded, "rss-MiB", 45)
	report(b, settled, "rss-a-second-later-MiB", 45)
	report(b, changed, "rss-after-changes-MiB", 45)
	report(b, peak, "peak-MiB", 0)
	if info, err := os.Stat(bin); err == nil {
		report(b, float64(info.Size())/1e6, "binary-MB", 0)
	}
}

// benchRealSize measures the memory with a hundred projects of realistic size: some hundred nodes, most plans with a summary, and some
// KiB of prose in each file, none of which is shown.
func benchRealSize(b *testing.B, bin string) {
	dir, prose := b.TempDir(), strings.Repeat("What was found out meanwhile is written down here, at length.\n", 320)
	for i := range 100 {
		p := &project{tb: b, dir: filepath.Join(dir, fmt.Sprintf("p%03d", i))}
		var road strings.Builder
		for phase := 1; phase <= 6; phase++ {
			fmt.Fprintf(&road, "- [ ] **Phase %d: %s** - one part\n", phase, landmark)
			for plan := 1; plan <= 4; plan++ {
				p.put(planFile(phase, plan), planText(phase, plan, 3, "Do")+prose)
				if phase < 5 {
					p.put(summaryFile(phase, plan), fmt.Sprintf("---\nphase: %02d-part\nplan: %02d\nduration: 5min\n---\n\n", phase, plan)+prose)
				}
			}
		}
		p.put("ROADMAP.md", "# Roadmap\n\n"+road.String()+prose)
		p.put("STATE.md", stateText("Beginning")+prose)
	}
	var memory float64
	for b.Loop() {
		t := openPTY(b, large, false, dir, bin, ".")
		t.waitForWords(0, "p000", "live")
		t.settle(2 * time.Second)
		memory = t.mebibytes("VmRSS:")
		t.close()
	}
	report(b, memory, "rss-MiB", 60)
}

// benchExit measures how long the exit takes, and checks what is left behind.
func benchExit(b *testing.B, bin string) {
	for _, c := range []struct {
		name   string
		end    func(*terminal) time.Time
		code   int
		target float64
	}{
		{"q", func(t *terminal) time.Time { return t.press("q") }, 0, 50},
		{"SIGTERM", func(t *terminal) time.Time { return t.signal(syscall.SIGTERM) }, 128 + int(syscall.SIGTERM), 50},
		{"closed", func(t *terminal) time.Time { at := time.Now(); t.hangUp(); return at }, 128 + int(syscall.SIGHUP), 1000},
		{"stopped", func(t *terminal) time.Time {
			t.stop()
			t.blockOutput()
			return t.press("q")
		}, 0, 1000},
	} {
		b.Run(c.name, func(b *testing.B) {
			p := tenRows(b)
			defer busy(b)()
			var took []float64
			for b.Loop() {
				for range 9 {
					t := openDrawn(b, small, p, bin)
					aFrame()
					asked := c.end(t)
					code, err := t.waitEndStopped()
					took = append(took, ms(asked, time.Now()))
					if err != nil || code != c.code {
						b.Errorf("%v; exit code %d, want %d", err, code, c.code)
					}
					if c.target < 1000 {
						<-t.over // now all its output has arrived
						t.checkRestored()
					}
					t.close()
				}
			}
			report(b, median(took), "exit-ms", c.target)
			report(b, percentile(took, 100), "exit-max-ms", 0)
		})
	}
}

// soakVariable enables the soak test and sets its duration: GATEHOUSE_SOAK=60s.
const soakVariable = "GATEHOUSE_SOAK"

// left is what a process holds.
type left struct{ threads, descriptors, watches, goroutines int }

// benchSoak finds what grows: it compares a short run with a long one.
func benchSoak(b *testing.B, bin string) {
	long, err := time.ParseDuration(os.Getenv(soakVariable))
	if err != nil {
		b.Skipf("not asked for: %s=60s", soakVariable)
	}
	for b.Loop() {
		before, _ := work(b, bin, 2*time.Second)
		after, grown := work(b, bin, long)
		b.Logf("after 2s %+v, after %v %+v", before, long, after)
		if after.descriptors > before.descriptors || after.watches > before.watches || after.goroutines > before.goroutines+2 || after.threads > before.threads+4 {
			b.Errorf("something is left behind: after 2s %+v, after %v %+v", before, long, after)
		}
		report(b, float64(after.goroutines-before.goroutines), "goroutines-more", 0)
		report(b, float64(after.threads-before.threads), "threads-more", 0)
		report(b, float64(after.descriptors-before.descriptors), "descriptors-more", 0)
		report(b, float64(after.watches-before.watches), "watches-more", 0)
		report(b, grown, "rss-MiB-more", 0)
	}
}

// work writes like agents do, a hundred times a second, in projects of all protocols. It returns what the program holds at the end,
// and how much its memory grew in the second half.
func work(b *testing.B, bin string, long time.Duration) (left, float64) {
	b.Helper()
	const pace = 10 * time.Millisecond
	dir := b.TempDir()
	w := newWorld(b, dir, soakSeed)
	t := openPTY(b, large, false, dir, append([]string{bin}, w.dirs...)...)
	defer t.close()
	t.waitForWords(0, "fctry", "live")
	half := 0.0
	start := time.Now()
	for i := 0; time.Since(start) < long; i++ {
		time.Sleep(time.Until(start.Add(time.Duration(i) * pace)))
		if half == 0 && time.Since(start) > long/2 {
			half = t.mebibytes("VmRSS:")
		}
		w.step()
		if i%8 == 0 {
			t.press("jjk"[i/8%3 : i/8%3+1])
		}
	}
	for _, dir := range w.dirs[1:] {
		if err := os.RemoveAll(dir); err != nil {
			b.Fatal(err)
		}
	}
	mark := t.mark()
	t.press("g") // to the remaining project
	state := filepath.Join(w.dirs[0], ".planning", "STATE.md")
	if err := os.WriteFile(state, []byte(stateText(lastName)), 0o644); err != nil {
		b.Fatal(err)
	}
	t.waitForWords(mark, lastName)
	time.Sleep(3 * time.Second) // until a poll has run
	grown := t.mebibytes("VmRSS:") - half
	var l left
	l.threads = int(t.status("Threads:"))
	l.descriptors, l.watches = t.descriptors()
	t.signal(syscall.SIGQUIT)
	t.waitEnd()
	l.goroutines = strings.Count(t.text(mark), "\ngoroutine ")
	return l, grown
}

// status returns a number in the process's status file.
func (t *terminal) status(field string) float64 {
	t.tb.Helper()
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", t.cmd.Process.Pid))
	if err != nil {
		t.tb.Fatal(err)
	}
	return number(text, field)
}

func (t *terminal) mebibytes(field string) float64 { return t.status(field) / 1024 }

// number returns the number after a field's name.
func number(text []byte, field string) float64 {
	_, after, _ := bytes.Cut(text, []byte(field))
	words := bytes.Fields(after)
	if len(words) == 0 {
		return 0
	}
	n, _ := strconv.ParseFloat(string(words[0]), 64)
	return n
}

// threads reads a file of each thread of the process.
func (t *terminal) threads(name string) [][]byte { return threads(t.cmd.Process.Pid, name) }

func threads(pid int, name string) (texts [][]byte) {
	files, _ := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/%s", pid, name))
	for _, file := range files {
		if text, err := os.ReadFile(file); err == nil { // else the thread is gone
			texts = append(texts, text)
		}
	}
	return texts
}

// cpu returns the processor time of all threads.
func (t *terminal) cpu() time.Duration { return cpuOf(t.cmd.Process.Pid) }

func cpuOf(pid int) (sum time.Duration) {
	for _, text := range threads(pid, "schedstat") {
		sum += time.Duration(number(text, ""))
	}
	return sum
}

// switches returns the number of context switches of all threads.
func (t *terminal) switches() (sum int) {
	for _, text := range t.threads("status") {
		sum += int(number(text, "\nvoluntary_ctxt_switches:") + number(text, "nonvoluntary_ctxt_switches:"))
	}
	return sum
}

// descriptors counts the open descriptors, and the watched directories.
func (t *terminal) descriptors() (open, watches int) {
	dir := fmt.Sprintf("/proc/%d/", t.cmd.Process.Pid)
	fds, _ := filepath.Glob(dir + "fd/*")
	infos, _ := filepath.Glob(dir + "fdinfo/*")
	for _, info := range infos {
		text, _ := os.ReadFile(info)
		watches += bytes.Count(text, []byte("inotify wd:"))
	}
	return len(fds), watches
}
