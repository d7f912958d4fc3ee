package main

// Measures the dashboard as released, on a pty. These are the dashboard's rows in the table of targets.
//
//	make bench                                              everything; the dashboard takes less than two minutes
//	go test -run '^$' -bench Dashboard/keys ./cmd/gatehouse  one of them
//
// Figures are reported, never asserted, because the machine may be busy. A line reports each figure above its target. The last state is
// shown and the terminal is restored under any load.
//
// Method: the program is built once, stripped, and started in the project's directory on a pty (pty_linux_test.go) whose other side answers
// a terminal's queries at once. The clock of an event starts before the system call that causes it. The clock of a response stops when a
// read of the pty returns it. Each round starts after some time without output, plus a random part of a frame.

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"gatehouse/model"
	"gatehouse/parse/agents/ask"
	"gatehouse/parse/agents/waiting"
	"gatehouse/parse/disk/process"
)

// BenchmarkDashboard measures the dashboard; see the top of this file.
func BenchmarkDashboard(b *testing.B) {
	if _, err := os.Stat("/dev/ptmx"); err != nil {
		b.Skip("there is no /dev/ptmx")
	}
	bin := buildProgram(b, ".")
	for _, m := range []struct {
		name    string
		rounds  int
		prepare func(*measurement) // sets round, and what ends the measurement
	}{
		{"start/80x24", 9, func(m *measurement) { m.measureStart(small, tenRows(b), 20) }},
		{"start/200x60", 9, func(m *measurement) { m.measureStart(large, tenRows(b), 50) }},
		{"start/10000rows", 9, func(m *measurement) { m.measureStart(large, tenThousand(b), 0) }},
		{"change/10rows", 50, func(m *measurement) { m.measureChange(tenRows(b), 10, 40) }},
		{"change/10000rows", 50, func(m *measurement) { m.measureChange(tenThousand(b), 0, 0) }},
		{"decide", 30, (*measurement).measureDecision},
		{"ask", 40, (*measurement).measureAsk},
		{"answer", 30, (*measurement).measureAnswer},
		{"burst", 1, (*measurement).measureBurst},
		{"idle", 1, (*measurement).measureIdle},
		{"bytes", 3, (*measurement).measureBytes},
		{"keys/10rows", 150, func(m *measurement) { m.measureKeys(tenRows(b), 35) }},
		{"keys/10000rows", 150, func(m *measurement) { m.measureKeys(tenThousand(b), 35) }},
		{"memory", 1, (*measurement).measureMemory},
		{"memory-real-size", 1, (*measurement).measureRealSize},
		{"exit/q", 9, func(m *measurement) { m.measureExit(0, 50, func(t *pty) time.Time { return t.press("q") }) }},
		{"exit/SIGTERM", 9, func(m *measurement) {
			m.measureExit(143, 50, func(t *pty) time.Time { return t.signal(syscall.SIGTERM) })
		}},
		{"projects/100", 3, func(m *measurement) { m.measureProjects(100, 0) }},
		{"projects/1000", 3, func(m *measurement) { m.measureProjects(1_000, 600) }},
		{"projects/10000", 3, func(m *measurement) { m.measureProjects(10_000, 5_000) }},
	} {
		b.Run(m.name, func(b *testing.B) {
			x := &measurement{B: b, bin: bin, values: map[string][]float64{}, targets: map[string]float64{}}
			m.prepare(x)
			for b.Loop() {
				for i := range m.rounds {
					x.round(i)
				}
			}
			x.report()
		})
	}
}

// measurement is a benchmark of the program.
type measurement struct {
	*testing.B
	bin     string
	round   func(i int)
	values  map[string][]float64 // by unit
	targets map[string]float64   // by unit and percentile: "frame-ms p99"
}

// add adds a figure.
func (m *measurement) add(unit string, value float64) { m.values[unit] = append(m.values[unit], value) }

// took adds a time in milliseconds.
func (m *measurement) took(what string, from, to time.Time) {
	m.add(what+"-ms", float64(to.Sub(from))/float64(time.Millisecond))
}

// want sets a target: "frame-ms p99".
func (m *measurement) want(figure string, target float64) { m.targets[figure] = target }

// report reports the median of each figure and its 99th percentile, and prints a line for each that misses its target; 0 is no target.
func (m *measurement) report() {
	m.ReportMetric(0, "ns/op") // the time of a whole measurement means nothing
	for unit, values := range m.values {
		slices.Sort(values)
		for p, name := range map[int]string{50: unit, 99: unit + "-p99"} {
			value := values[(len(values)*p+99)/100-1]
			if m.ReportMetric(value, name); m.targets[name] > 0 && value > m.targets[name] {
				m.Logf("MISSED: %s is %.4g, wanted is at most %.4g", name, value, m.targets[name])
			}
		}
	}
}

// aFrame waits a random part of a frame.
func aFrame() { time.Sleep(rand.N(time.Second / 30)) }

// measureStart measures from before fork to the first full frame.
func (m *measurement) measureStart(at size, p *benchProject, target float64) {
	t := openPTY(m, at, true, p.dir, m.bin) // a terminal that causes no redraw: its last word is the end of the frame
	t.waitForWords(0, landmark)
	t.settle(300 * time.Millisecond)
	words := strings.Fields(t.text(0))
	t.close()
	m.want("frame-ms", target)
	m.round = func(int) {
		t := openPTY(m, at, false, p.dir, m.bin)
		first, full := t.waitForWords(0, landmark, words[len(words)-1])
		t.close()
		m.took("first-byte", t.started, first)
		m.took("frame", t.started, full)
	}
}

// measureChange measures from the rename of a file to the frame with its text.
func (m *measurement) measureChange(p *benchProject, p50, p99 float64) {
	t := openDrawn(m, large, p, m.bin)
	m.Cleanup(t.close)
	m.want("frame-ms", p50)
	m.want("frame-ms-p99", p99)
	m.round = func(i int) {
		t.settle(60 * time.Millisecond)
		aFrame()
		mark := t.mark()
		at := p.replace(stateFile, stateText(fresh(i)))
		first, full := t.waitForWords(mark, fresh(i))
		m.took("first-byte", at, first)
		m.took("frame", at, full)
	}
}

// measureDecision measures from the confirming key to the new state file, and to the frame that shows it.
func (m *measurement) measureDecision() {
	loop, pending := lantern(m)
	t, state := openPTY(m, large, false, loop.dir, m.bin), filepath.Join(loop.dir, lanternState)
	m.Cleanup(t.close)
	t.waitForWords(0, "sketch-gate")
	t.settle(300 * time.Millisecond)
	t.press("n")
	t.settle(300 * time.Millisecond)
	m.want("file-ms", 8)
	m.want("frame-ms", 25)
	m.round = func(int) {
		mark := t.mark()
		asked := t.press("a")
		_, there := t.waitForWords(mark, "then starts")
		t.settle(60 * time.Millisecond)
		aFrame()
		mark = t.mark()
		before, _ := os.Stat(state)
		done := make(chan time.Time, 1)
		go func() {
			for end := time.Now().Add(waitLimit); time.Now().Before(end); time.Sleep(200 * time.Microsecond) {
				if now, err := os.Stat(state); err == nil && !os.SameFile(before, now) {
					break
				}
			}
			done <- time.Now()
		}()
		at := t.press("y")
		_, full := t.waitForWords(mark, "nothing") // "nothing waits for you" is shown once the file has been read
		m.took("dialog", asked, there)
		m.took("file", at, <-done)
		m.took("frame", at, full)
		t.settle(400 * time.Millisecond) // until the check for another writer is over
		mark = t.mark()
		loop.replace(lanternState, pending)
		t.waitForFrame(mark)
		t.settle(100 * time.Millisecond)
	}
}

// newStore returns a new store of asks, and XDG_STATE_HOME for programs that use it.
func (m *measurement) newStore() (store *ask.Store, state string) {
	state = m.TempDir()
	dir := filepath.Join(state, "gatehouse")
	return ask.Open(ask.Options{Dir: filepath.Join(dir, "agents"), Journal: filepath.Join(dir, "journal"), User: "ann", Table: process.System{}, Now: time.Now}), state
}

// measureAsk measures from an ask to the frame that shows it, and from its end to the frame without it.
func (m *measurement) measureAsk() {
	store, state := m.newStore()
	t := openPTY(m, small, false, state, "env", "HOME="+state, "XDG_STATE_HOME="+state, m.bin, "--notify", "off")
	m.Cleanup(t.close)
	t.waitForWords(0, "help")
	m.want("frame-ms", 30)
	m.round = func(i int) {
		t.settle(100 * time.Millisecond)
		aFrame()
		mark, at, text := t.mark(), time.Now(), fmt.Sprintf("Shade%dx?", i)
		asked, err := store.Ask(ask.Ask{Ask: model.Ask{Kind: ask.Permission, Text: text, Project: state, Dir: state, Agent: "script"}})
		must(m, err)
		_, shown := t.when(mark, text, func(raw []byte) bool {
			_, after, drawn := bytes.Cut(raw, []byte(text))
			return drawn && bytes.Contains(after, frameEnd)
		})
		m.took("frame", at, shown)
		t.settle(100 * time.Millisecond)
		mark, at = t.mark(), time.Now()
		must(m, store.Withdraw(&asked.Ask, "enough"))
		_, gone := t.waitForFrame(mark)
		m.took("end-to-frame", at, gone)
		asked.Close()
	}
}

// measureAnswer measures from an answer, including the journal, to the output of a hook that waits for it.
func (m *measurement) measureAnswer() {
	store, state := m.newStore()
	m.want("output-ms", 10)
	m.round = func(i int) {
		cmd := exec.Command(m.bin, "hook", "claude")
		cmd.Env = []string{"HOME=" + state, "XDG_STATE_HOME=" + state}
		cmd.Stdin = strings.NewReader(fmt.Sprintf(`{"session_id":"s%d","cwd":"/tmp","hook_event_name":"PermissionRequest","tool_name":"Bash","tool_input":{"command":"make"}}`, i))
		out, err := cmd.StdoutPipe()
		if err == nil {
			err = cmd.Start()
		}
		must(m, err)
		for end := time.Now().Add(waitLimit); waiting.Count(store.Dir, "").Asks == 0 && time.Now().Before(end); {
			time.Sleep(time.Millisecond)
		}
		items, err := store.List(false)
		if err != nil || len(items) != 1 {
			m.Fatalf("%d asks wait: %v", len(items), err)
		}
		time.Sleep(50 * time.Millisecond) // until the hook waits
		at := time.Now()
		if _, err := store.Answer(items[0].ID, ask.Answer{Allow: true}, ask.ByDashboard); err != nil {
			m.Fatal(err)
		}
		if _, err := out.Read(make([]byte, 1)); err != nil {
			m.Fatal(err)
		}
		m.took("output", at, time.Now())
		io.Copy(io.Discard, out)
		cmd.Wait()
	}
}

// lastName is the name at the end of a burst. It differs from all of [fresh] in every letter.
const lastName = "1A2B3C4D5"

// measureBurst measures the effect of a thousand writes in a second, and checks that the last state is shown.
func (m *measurement) measureBurst() {
	const writes = 1000
	p := tenRows(m)
	t := openDrawn(m, large, p, m.bin)
	m.Cleanup(t.close)
	m.want("redraws", 15)
	m.want("exact-after-ms", 100)
	m.round = func(int) {
		p.replace(stateFile, stateText("Calm"))
		t.settle(500 * time.Millisecond)
		mark, start := t.mark(), time.Now()
		var last time.Time
		for i := range writes {
			time.Sleep(time.Until(start.Add(time.Duration(i) * time.Millisecond)))
			name := fresh(i)
			if i == writes-1 {
				name = lastName
			}
			last = p.replace(stateFile, stateText(name))
		}
		_, full := t.waitForWords(mark, lastName)
		t.settle(500 * time.Millisecond)
		if text := t.text(mark); strings.Contains(text[strings.LastIndex(text, lastName):], fresh(writes-2)) {
			m.Errorf("%s was drawn after %s, which is the last state", fresh(writes-2), lastName)
		}
		_, frames := t.since(mark)
		m.add("redraws", float64(frames))
		m.add("burst-s", last.Sub(start).Seconds())
		m.took("exact-after", last, full)
	}
}

// measureIdle measures the cost at rest.
func (m *measurement) measureIdle() {
	t := openDrawn(m, large, tenRows(m), m.bin)
	m.Cleanup(t.close)
	time.Sleep(time.Second)
	m.want("B/s", 1e-9)
	m.want("cpu-%", 0.1)
	m.round = func(int) {
		mark := t.mark()
		m.add("cpu-%", t.atRest(15*time.Second))
		m.add("B/s", float64(t.mark()-mark)/15)
	}
}

// measureBytes measures how much is written for small changes at 200x60: a row is renamed, the selection moves, with and without the
// preview that follows it.
func (m *measurement) measureBytes() {
	p := grow(m, 3, 5, 1)
	t := openDrawn(m, large, p, m.bin)
	m.Cleanup(t.close)
	cost := func(unit string, change func()) {
		mark := t.mark()
		change()
		t.waitForFrame(mark)
		t.settle(150 * time.Millisecond)
		m.add(unit, float64(t.mark()-mark))
	}
	rename := func(i int) func() {
		return func() { p.replace(benchPlan(1, 4), planText(1, 4, 1, "Plan-"+fresh(i))) }
	}
	cost("first-row-B", rename(0)) // the first change also changes the project's age
	m.want("row-B", 120)
	m.want("cursor-B", 1500)
	m.want("cursor-alone-B", 400)
	m.round = func(i int) {
		cost("row-B", rename(i+1))
		for _, unit := range []string{"cursor-B", "cursor-alone-B"} {
			for _, key := range []string{"j", "j", "j", "k", "k", "k"} {
				cost(unit, func() { t.press(key) })
			}
			presses := map[string]string{"cursor-B": "pp", "cursor-alone-B": "p"}[unit] // the preview: right, bottom, off
			for _, key := range strings.Split(presses, "") {
				cost("preview-B", func() { t.press(key) })
			}
		}
	}
}

// measureKeys measures from a key to the frame that shows its effect.
func (m *measurement) measureKeys(p *benchProject, target float64) {
	t := openDrawn(m, large, p, m.bin)
	m.Cleanup(t.close)
	m.want("frame-ms-p99", target)
	m.round = func(i int) {
		t.settle(20 * time.Millisecond)
		aFrame()
		mark := t.mark()
		at := t.press("jk"[i%2 : i%2+1])
		first, full := t.waitForFrame(mark)
		m.took("first-byte", at, first)
		m.took("frame", at, full)
	}
}

// measureMemory measures the memory with ten thousand nodes, and the size of the program.
func (m *measurement) measureMemory() {
	p := tenThousand(m)
	m.want("rss-MiB", 45)
	m.want("rss-after-changes-MiB", 45)
	m.want("binary-MB", 18)
	m.round = func(int) {
		t := openDrawn(m, large, p, m.bin)
		defer t.close()
		t.settle(2 * time.Second)
		m.add("rss-MiB", t.mebibytes("VmRSS:"))
		for i := range 20 {
			mark := t.mark()
			p.replace(stateFile, stateText(fresh(i)))
			t.waitForWords(mark, fresh(i))
		}
		t.settle(2 * time.Second)
		m.add("rss-after-changes-MiB", t.mebibytes("VmRSS:"))
		m.add("peak-MiB", t.mebibytes("VmHWM:"))
		if info, err := os.Stat(m.bin); err == nil {
			m.add("binary-MB", float64(info.Size())/1e6)
		}
	}
}

// measureRealSize measures the memory with a hundred projects of realistic size: some hundred nodes, most plans with a summary, and some
// KiB of prose in each file, none of which is shown.
func (m *measurement) measureRealSize() {
	dir, prose := m.TempDir(), strings.Repeat("What was found out meanwhile is written down here, at length.\n", 320)
	for i := range 100 {
		p := &benchProject{tb: m, dir: filepath.Join(dir, fmt.Sprintf("p%03d", i))}
		road := "# Roadmap\n\n"
		for phase := 1; phase <= 6; phase++ {
			road += fmt.Sprintf("- [ ] **Phase %d: %s** - one part\n", phase, landmark)
			for plan := 1; plan <= 4; plan++ {
				p.put(benchPlan(phase, plan), planText(phase, plan, 3, "Do")+prose)
				if phase < 5 {
					p.put(benchSummary(phase, plan), fmt.Sprintf("---\nphase: %02d-part\nplan: %02d\nduration: 5min\n---\n\n", phase, plan)+prose)
				}
			}
		}
		p.put(".planning/ROADMAP.md", road+prose)
		p.put(stateFile, stateText("Beginning")+prose)
	}
	m.want("rss-MiB", 60)
	m.round = func(int) {
		t := openPTY(m, large, false, dir, m.bin, ".")
		defer t.close()
		t.waitForWords(0, "p000", "live")
		t.settle(2 * time.Second)
		m.add("rss-MiB", t.mebibytes("VmRSS:"))
	}
}

// measureExit measures how long the exit takes, and checks that the terminal is restored.
func (m *measurement) measureExit(code int, target float64, end func(*pty) time.Time) {
	p := tenRows(m)
	m.want("exit-ms", target)
	m.round = func(int) {
		t := openDrawn(m, small, p, m.bin)
		defer t.close()
		aFrame()
		asked := end(t)
		at, got := t.waitEnd()
		m.took("exit", asked, at)
		if got != code {
			m.Errorf("exit code %d, want %d", got, code)
		}
		t.checkRestored()
	}
}

// measureProjects measures the dashboard on many projects of all protocols: the time until they are shown, memory, processor time at rest,
// and quitting while they are still read.
func (m *measurement) measureProjects(n int, target float64) {
	dir, names := plantProjects(m, n)
	seen := names[3] // something waits in it, so it is at the top
	command := append([]string{m.bin}, names...)
	m.want("data-ms", target)
	m.want("q-ms-p99", 100)
	m.round = func(int) {
		t := openPTY(m, large, false, dir, command...)
		first, _ := t.waitForFrame(0)
		_, data := t.waitForWords(0, seen, "live")
		m.took("first-byte", t.started, first)
		m.took("data", t.started, data)
		t.settle(time.Second)
		m.add("rss-MiB", t.mebibytes("VmRSS:"))
		m.add("idle-cpu-%", t.atRest(5*time.Second))
		t.close()
		for part := range 4 { // while it is opened, watched and read, and afterwards
			q := openPTY(m, large, false, dir, command...)
			time.Sleep(data.Sub(t.started) * time.Duration(part) / 3)
			asked := q.press("q")
			at, code := q.waitEnd()
			if m.took("q", asked, at); code != 0 {
				m.Errorf("exit code %d", code)
			}
			q.checkRestored()
			q.close()
		}
	}
}

// landmark is the title of all phases: a word that is visible in the tree of every project, on every screen.
const landmark = "weathervane"

// benchProject is a GSD project on disk.
type benchProject struct {
	tb  testing.TB
	dir string
}

// grow writes a project of phases with plans of tasks. Its files are hours old, so that no age changes during a
// measurement. One plan was halted and all others depend on it: the tree unfolds faulty branches by itself, so
// nearly every task has its row.
func grow(tb testing.TB, phases, plans, tasks int) *benchProject {
	tb.Helper()
	p := &benchProject{tb: tb, dir: tb.TempDir()}
	var road strings.Builder
	road.WriteString("# Roadmap\n\n## Phases\n\n")
	for i := 1; i <= phases; i++ {
		fmt.Fprintf(&road, "- [ ] **Phase %d: %s** - one part\n", i, landmark)
		for n := 1; n <= plans; n++ {
			p.put(benchPlan(i, n), planText(i, n, tasks, "Read-and-write-the-records"))
		}
	}
	p.put(".planning/ROADMAP.md", road.String())
	p.put(stateFile, stateText("Beginning"))
	p.put(benchSummary(1, 1), "---\nphase: 01-part\nplan: 01\nstatus: halted\n---\n\n# Summary\n\nStopped by design.\n")
	must(p.tb, date(p.dir, time.Now().Add(-150*time.Minute)))
	return p
}

// tenRows returns a project whose tree has ten rows, and tenThousand one with as many nodes, nearly all of them visible rows.
func tenRows(tb testing.TB) *benchProject     { return grow(tb, 2, 3, 0) }
func tenThousand(tb testing.TB) *benchProject { return grow(tb, 100, 9, 10) }

const stateFile = "/.planning/STATE.md"

func benchPlan(phase, plan int) string {
	return fmt.Sprintf(".planning/phases/%02d-"+landmark+"/%02d-%02d-PLAN.md", phase, phase, plan)
}

func benchSummary(phase, plan int) string {
	return strings.Replace(benchPlan(phase, plan), "PLAN", "SUMMARY", 1)
}

func planText(phase, plan, tasks int, objective string) string {
	depends := `["01-01"]`
	if phase == 1 && plan == 1 {
		depends = "[]"
	}
	var t strings.Builder
	fmt.Fprintf(&t, "---\nphase: %02d-part\nplan: %02d\ntype: execute\nwave: 1\ndepends_on: %s\nfiles_modified: [part%d/reader.go]\nautonomous: true\n", phase, plan, depends, phase)
	fmt.Fprintf(&t, "must_haves:\n  truths:\n    - \"a record that was written can be read again\"\n---\n\n<objective>\n%s\n</objective>\n\n<tasks>\n", objective)
	for i := 1; i <= tasks; i++ {
		fmt.Fprintf(&t, "\n<task type=\"auto\">\n  <name>Task %d: the record of kind %d</name>\n  <files>part%d/kind%d.go</files>\n  <action>Write it as the format says.</action>\n  <verify>go test ./...</verify>\n  <done>it is written</done>\n</task>\n", i, i, phase, i)
	}
	t.WriteString("\n</tasks>\n")
	return t.String()
}

// stateText returns a STATE.md. The name of the milestone is in the first line of the dashboard.
func stateText(name string) string {
	return "---\ngsd_state_version: '1.0'\nmilestone: v1.0\nmilestone_name: " + name + "\nstatus: executing\nactive_phase: \"1\"\nprogress:\n  percent: 0\n---\n\n# State\n\nPhase: 1 (" + landmark + ")\n"
}

// put writes a file of the project.
func (p *benchProject) put(name, text string) {
	p.tb.Helper()
	path := filepath.Join(p.dir, name)
	must(p.tb, errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte(text), 0o644)))
}

// replace replaces a file by rename, as careful agents do, and returns the time.
func (p *benchProject) replace(name, text string) time.Time {
	p.tb.Helper()
	p.put(name+".tmp", text)
	at := time.Now()
	path := filepath.Join(p.dir, name)
	must(p.tb, os.Rename(path+".tmp", path))
	return at
}

// fresh returns a word that shares no letter at the same place with the previous and the surrounding words. A dashboard that
// writes only changed cells has to write all of it.
func fresh(i int) string {
	word := make([]byte, 9)
	for j := range word {
		word[j] = 'a' + byte((i*5+j*7)%26)
	}
	word[0] -= 'a' - 'A'
	return string(word)
}

// openDrawn starts the dashboard on a terminal that answers, and returns when it is drawn completely.
func openDrawn(tb testing.TB, at size, p *benchProject, bin string) *pty {
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

// lantern returns a loop that waits at a gate, and the text of its state.
func lantern(tb testing.TB) (p *benchProject, pending string) {
	tb.Helper()
	p = &benchProject{tb: tb, dir: tb.TempDir()}
	must(p.tb, unpack("lantern", p.dir))
	text, err := os.ReadFile(filepath.Join(p.dir, lanternState))
	must(p.tb, err)
	return p, string(text)
}

const lanternState = "lantern-state.json"

// mebibytes returns a size in the process's status file.
func (t *pty) mebibytes(field string) float64 {
	t.tb.Helper()
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", t.cmd.Process.Pid))
	must(t.tb, err)
	return number(text, field) / 1024
}

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
func (t *pty) threads(name string) (texts [][]byte) {
	files, _ := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/%s", t.cmd.Process.Pid, name))
	for _, file := range files {
		if text, err := os.ReadFile(file); err == nil { // else the thread is gone
			texts = append(texts, text)
		}
	}
	return texts
}

// cpu returns the processor time of all threads.
func (t *pty) cpu() (sum time.Duration) {
	for _, text := range t.threads("schedstat") {
		sum += time.Duration(number(text, ""))
	}
	return sum
}

// atRest waits, and returns the processor time used in that time, in percent of one processor.
func (t *pty) atRest(long time.Duration) float64 {
	cpu, start := t.cpu(), time.Now()
	time.Sleep(long)
	return (t.cpu() - cpu).Seconds() / time.Since(start).Seconds() * 100
}

// plantProjects writes projects of all protocols into one directory, and returns it and their names.
func plantProjects(tb testing.TB, n int) (dir string, names []string) {
	tb.Helper()
	p := &benchProject{tb: tb, dir: tb.TempDir()}
	for i := range n {
		name := fmt.Sprintf("p%05d", i)
		names = append(names, name)
		switch i % 4 {
		case 0:
			p.put(name+stateFile, stateText("Beginning"))
			p.put(name+"/.planning/ROADMAP.md", "# Roadmap\n\n- [ ] **Phase 1: "+landmark+"** - one part\n")
			p.put(name+"/"+benchPlan(1, 1), planText(1, 1, 2, "Do"))
		case 1:
			p.put(name+"/sample-state.json", `{"loop":"sample","version":"1.0.0","status":"active","phase":"BUILD","phases":{"FRAME":{"status":"complete"},"BUILD":{"status":"active"}},"gates":{"frame-gate":{"status":"pending"}}}`)
		case 2:
			p.put(name+"/.fctry/state.json", `{"currentCommand":"execute","buildRun":{"status":"running","plan":{"chunks":[{"id":1,"name":"One","status":"completed"},{"id":2,"name":"Two","status":"active"}]}},"buildEvents":[{"kind":"chunk-started","timestamp":"2026-01-01T00:00:00Z","chunk":"Two"}]}`)
		case 3:
			p.put(name+stateFile, "# Project State\n\n## Current Position\n\nPhase: 1 of 1 ("+landmark+")\nPlan: 1 of 1\nStatus: In progress\n")
			p.put(name+"/"+benchPlan(1, 1), planText(1, 1, 2, "Do"))
			p.put(name+"/.ultraplan/state/continue.md", "# Next\n\n- go on\n")
		}
	}
	must(p.tb, date(p.dir, time.Now().Add(-150*time.Minute)))
	return p.dir, names
}
