//go:build linux

package main

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// minRounds is how many rounds a measurement has at least: below it the median of the ratios still moves in its second
// decimal.
const minRounds = 300

// program is one row of the benchmark: what is started, and where.
type program struct {
	name, path, dir string
	args            []string
	input           string    // what the program is sent through a pipe, "" for nothing at all
	wall            []float64 // seconds from spawn to reap, one for each round
}

// BenchmarkStart measures whole runs of the program, from spawn to reap, against an empty Go program (at
// most 1.20 times its time in a GSD project, 1.30 times where JSON is read, and at most 2.5 MiB).
//
// All programs are run once in each round, each round in an order of its own, and the figure is the median of the ratios
// within the rounds: the clock of a shared machine drifts by more than what is measured here, and drifts for all alike. The
// empty program is run twice in each round; when those two differ by more than 3 % the measurement is void and says so.
//
// Where node is there, "node -e 0" is a row too: no status line, only what every one that is written for node pays before it
// begins. It runs in rounds of its own, and few of them, for it takes a hundred times as long. So do real status lines for
// node, which are no part of this project: GATEHOUSE_NODE_SCRIPTS lists their paths as PATH lists directories, and each is
// measured against the agent's layout, with the same input.
//
//	go test -run '^$' -bench Start -benchtime 1000x ./cmd/statusline
func BenchmarkStart(b *testing.B) {
	empty := buildEmpty(b)
	self := build(b, ".")
	project, fctry := project(b, benchState(b)), benchFctry(b)
	base := &program{name: "empty", path: empty, dir: project}
	again := &program{name: "empty again", path: empty, dir: project}
	gsd := &program{name: "gsd", path: self, dir: project}
	alerts := &program{name: "gsd alerts", path: self, dir: project, args: []string{"--alerts"}}
	complete := &program{name: "gsd complete", path: self, dir: benchComplete(b), args: []string{"--alerts"}}
	loop := &program{name: "loop", path: self, dir: benchLoop(b)}
	chunks := &program{name: "fctry", path: self, dir: fctry}
	rows := &program{name: "fctry rows", path: self, dir: fctry, args: []string{"--shell", "claude"}, input: strings.ReplaceAll(agentInput, "DIR", fctry)}
	none := &program{name: "no-project", path: self, dir: deepDir(b)}
	agent := &program{name: "agent", path: self, dir: project, args: []string{"--shell", "claude"}, input: strings.ReplaceAll(agentInput, "DIR", project)}
	programs := []*program{base, again, gsd, alerts, complete, loop, chunks, rows, none, agent}
	rounds := max(minRounds, b.N)
	for range 5 {
		for _, p := range programs {
			p.run(b) // the first runs fetch the programs from the disk
		}
		for _, p := range programs {
			p.wall = p.wall[:0]
		}
	}
	for range rounds {
		rand.Shuffle(len(programs), func(i, j int) { programs[i], programs[j] = programs[j], programs[i] })
		for _, p := range programs {
			p.run(b)
		}
	}

	noise := ratio(again, base)
	if noise < 0.97 || noise > 1.03 {
		b.Logf("VOID: the empty program against itself is %.3f; measure again when the machine is quiet", noise)
	}
	b.ReportMetric(noise, "empty/empty")
	b.ReportMetric(ratio(gsd, base), "gsd/empty")
	b.ReportMetric(ratio(alerts, base), "gsd-alerts/empty")
	b.ReportMetric(ratio(complete, base), "gsd-complete/empty")
	b.ReportMetric(ratio(complete, alerts), "gsd-complete/gsd-alerts")
	b.ReportMetric(ratio(loop, base), "loop/empty")
	b.ReportMetric(ratio(chunks, base), "fctry/empty")
	b.ReportMetric(ratio(rows, base), "fctry-rows/empty")
	b.ReportMetric(ratio(none, base), "no-project/empty")
	b.ReportMetric(ratio(agent, base), "agent/empty")
	b.ReportMetric(median(base.wall)*1e3, "empty-ms")
	b.ReportMetric(median(gsd.wall)*1e3, "gsd-ms")
	b.ReportMetric(float64(peakKiB(b, gsd))/1024, "gsd-peak-MiB")
	b.ReportMetric(float64(peakKiB(b, loop))/1024, "loop-peak-MiB")
	b.ReportMetric(float64(peakKiB(b, chunks))/1024, "fctry-peak-MiB")
	b.ReportMetric(float64(peakKiB(b, rows))/1024, "fctry-rows-peak-MiB")
	b.ReportMetric(float64(peakKiB(b, agent))/1024, "agent-peak-MiB")
	b.ReportMetric(float64(peakKiB(b, base))/1024, "empty-peak-MiB")
	if node, err := exec.LookPath("node"); err == nil {
		b.ReportMetric(againstNode(b, &program{name: "node", path: node, args: []string{"-e", "0"}, dir: project}, gsd), "node-e-0/gsd")
		for _, script := range filepath.SplitList(os.Getenv("GATEHOUSE_NODE_SCRIPTS")) {
			p := &program{name: script, path: node, args: []string{script}, dir: project, input: agent.input}
			b.ReportMetric(againstNode(b, p, agent), filepath.Base(script)+"/agent")
		}
	}
	b.ReportMetric(0, "ns/op") // of a whole measurement, which says nothing
}

// nodeRounds are enough for a figure that is told in whole numbers.
const nodeRounds = 40

// againstNode returns how many times as long as a program node takes with a script.
func againstNode(b *testing.B, node, p *program) float64 {
	beside := &program{name: p.name, path: p.path, args: p.args, dir: p.dir, input: p.input}
	for range nodeRounds {
		node.run(b)
		beside.run(b)
	}
	return ratio(node, beside)
}

// benchState is a STATE.md of common size, with all that the line can show.
func benchState(b *testing.B) string {
	b.Helper()
	return "---\ngsd_state_version: '1.0'\nmilestone: v2.0\nmilestone_name: Code Quality\nstatus: executing\nactive_phase: \"4.5\"\n" +
		"progress:\n  total_phases: 17\n  completed_phases: 10\n  total_plans: 84\n  completed_plans: 47\n  percent: 59\n---\n\n# Project State\n\n" +
		"Phase: 4 of 17 (Observability)\nStatus: Executing\n\n" + strings.Repeat("- A decision that was taken, in a line of usual length, and why.\n", 60)
}

// benchComplete makes a GSD project that calls itself complete and is, so that --alerts has the whole tree looked at: ten phases
// of ten plans, all verified.
func benchComplete(b *testing.B) string {
	b.Helper()
	state := strings.NewReplacer("executing", "completed", "active_phase: \"4.5\"\n", "", "completed_phases: 10", "completed_phases: 17", "percent: 59", "percent: 100").Replace(benchState(b))
	dir := project(b, state)
	roadmap := "# Roadmap\n\n## v2.0 Code Quality\n\n"
	for phase := 1; phase <= 10; phase++ {
		roadmap += fmt.Sprintf("- [x] **Phase %d: Part %d**\n", phase, phase)
		in := filepath.Join(dir, ".planning", "phases", fmt.Sprintf("%02d-part", phase))
		benchFile(b, filepath.Join(in, fmt.Sprintf("%02d-VERIFICATION.md", phase)), "---\nstatus: passed\n---\n")
		for plan := 1; plan <= 10; plan++ {
			for _, kind := range []string{"PLAN", "SUMMARY"} {
				benchFile(b, filepath.Join(in, fmt.Sprintf("%02d-%02d-%s.md", phase, plan, kind)), "---\nphase: part\n---\n")
			}
		}
	}
	benchFile(b, filepath.Join(dir, ".planning", "ROADMAP.md"), roadmap)
	return dir
}

func benchFile(b *testing.B, file, text string) {
	b.Helper()
	if err := errors.Join(os.MkdirAll(filepath.Dir(file), 0o755), os.WriteFile(file, []byte(text), 0o644)); err != nil {
		b.Fatal(err)
	}
}

// benchFctry makes a fctry project with a run of twelve chunks, a configuration and a spec, all of common size.
func benchFctry(b *testing.B) string {
	b.Helper()
	var chunks []string
	for i := range 12 {
		status := "completed"
		if i >= 7 {
			status = "planned"
		}
		chunks = append(chunks, `      {"id": `+strconv.Itoa(i+1)+`, "name": "A chunk with a name of usual length", "status": "`+status+`", "sections": ["#core-flow", "#rules"],
        "scenarios": ["What a user sees when it works", "What a user sees when it does not"], "dependsOn": [`+strconv.Itoa(max(1, i))+`],
        "specVersionAtBuild": "2.4", "completedAt": "2026-02-17T04:12:00Z"}`)
	}
	dir := b.TempDir()
	for name, text := range map[string]string{
		".fctry/state.json": "{\n  \"currentCommand\": \"execute\",\n  \"workflowStep\": \"executor-build\",\n  \"buildRun\": {\n    \"status\": \"running\",\n    \"chunks\": [\n" +
			strings.Join(chunks, ",\n") + "\n    ]\n  }\n}\n",
		".fctry/config.json": `{"versions": {"external": {"type": "external", "current": "1.4.0"}, "spec": {"type": "internal", "current": "2.4"}}}`,
		".fctry/spec.md":     "# App\n\n```yaml\n---\nstatus: draft\n---\n```\n\n" + strings.Repeat("A line of the spec that is as long as they usually are, and no longer.\n", 4000),
	} {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte(text), 0o644)); err != nil {
			b.Fatal(err)
		}
	}
	return dir
}

// benchLoop makes a project with a loop of ten phases and six gates and its definition, both of common size.
func benchLoop(b *testing.B) string {
	b.Helper()
	var phases, gates, definedPhases, definedGates []string
	for i := range 10 {
		status := "complete"
		if i > 3 {
			status = "pending"
		}
		name := fmt.Sprintf("PHASE-%d", i)
		phases = append(phases, fmt.Sprintf(`    "%s": {
      "status": "%s",
      "required": true,
      "skills": ["requirements", "pipeline-discovery", "dependency-mapping"],
      "deliverables": ["SYSTEM-MAP.md", "PIPELINES.md"],
      "startedAt": "2026-02-01T10:00:00Z",
      "completedAt": null
    }`, name, status))
		definedPhases = append(definedPhases, fmt.Sprintf(`    {"name": "%s", "skills": ["requirements", "pipeline-discovery"], "required": true, "notes": "What is done here, and how to tell."}`, name))
		if i < 6 {
			gates = append(gates, fmt.Sprintf(`    "gate-%d": {
      "status": "pending",
      "required": true,
      "approvalType": "human",
      "deliverables": ["SYSTEM-MAP.md"],
      "passedAt": null,
      "skippedReason": null
    }`, i))
			definedGates = append(definedGates, fmt.Sprintf(`    {"id": "gate-%d", "name": "Gate %d", "afterPhase": "%s", "required": true, "approvalType": "human", "deliverables": ["SYSTEM-MAP.md"]}`, i, i, name))
		}
	}
	join := func(parts []string) string { return strings.Join(parts, ",\n") }
	dir := b.TempDir()
	for name, text := range map[string]string{
		"sample-state.json": "{\n  \"loop\": \"sample-loop\",\n  \"status\": \"active\",\n  \"phase\": \"PHASE-4\",\n  \"gates\": {\n" + join(gates) +
			"\n  },\n  \"phases\": {\n" + join(phases) + "\n  },\n  \"metrics\": {}\n}\n",
		"loop.json": "{\n  \"id\": \"sample-loop\",\n  \"phases\": [\n" + join(definedPhases) + "\n  ],\n  \"gates\": [\n" + join(definedGates) + "\n  ]\n}\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			b.Fatal(err)
		}
	}
	return dir
}

// deepDir returns a directory so deep that the walk up goes its full length and finds nothing.
func deepDir(b *testing.B) string {
	dir := filepath.Join(b.TempDir(), "1/2/3/4/5/6/7/8/9/10/11")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		b.Fatal(err)
	}
	return dir
}

func buildEmpty(b *testing.B) string {
	dir := b.TempDir()
	for name, text := range map[string]string{"go.mod": "module empty\n", "main.go": "package main\n\nfunc main() {}\n"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			b.Fatal(err)
		}
	}
	cmd := exec.Command("go", "build", "-o", "empty", ".")
	cmd.Dir = dir
	if report, err := cmd.CombinedOutput(); err != nil {
		b.Fatalf("%v\n%s", err, report)
	}
	return filepath.Join(dir, "empty")
}

// attributes starts a program in its directory with its input, nothing without one, and nobody on its outputs.
func (p *program) attributes(b *testing.B) *syscall.ProcAttr {
	null, err := os.OpenFile(os.DevNull, os.O_RDWR, 0)
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { null.Close() })
	input := null
	if p.input != "" {
		reader, writer, err := os.Pipe()
		if err != nil {
			b.Fatal(err)
		}
		b.Cleanup(func() { reader.Close() })
		_, err = writer.WriteString(p.input)
		if err = errors.Join(err, writer.Close()); err != nil {
			b.Fatal(err)
		}
		input = reader
	}
	return &syscall.ProcAttr{Dir: p.dir, Env: os.Environ(), Files: []uintptr{input.Fd(), null.Fd(), null.Fd()}}
}

// run runs the program once and notes how long that took.
func (p *program) run(b *testing.B) {
	attributes := p.attributes(b)
	start := time.Now()
	pid, err := syscall.ForkExec(p.path, append([]string{p.path}, p.args...), attributes)
	if err != nil {
		b.Fatal(err)
	}
	var status syscall.WaitStatus
	for {
		_, err = syscall.Wait4(pid, &status, 0, nil)
		if err != syscall.EINTR {
			break
		}
	}
	p.wall = append(p.wall, time.Since(start).Seconds())
	if err != nil || status.ExitStatus() != 0 {
		b.Fatalf("%s: %v, exit %d", p.name, err, status.ExitStatus())
	}
}

// peakKiB returns the program's largest resident memory. What wait4 reports would be that of the test at the time of the
// fork; so the program is stopped when it exits and the kernel asked for its own.
func peakKiB(b *testing.B, p *program) int {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	attributes := p.attributes(b)
	attributes.Sys = &syscall.SysProcAttr{Ptrace: true}
	pid, err := syscall.ForkExec(p.path, append([]string{p.path}, p.args...), attributes)
	if err != nil {
		b.Fatal(err)
	}
	peak, started := 0, false
	for {
		var status syscall.WaitStatus
		if _, err := syscall.Wait4(pid, &status, 0, nil); err != nil {
			b.Fatal(err)
		}
		signal := 0
		switch {
		case status.Exited() || status.Signaled():
			return peak
		case !started:
			started = true
			if err := syscall.PtraceSetOptions(pid, syscall.PTRACE_O_TRACEEXIT); err != nil {
				b.Fatal(err)
			}
		case status.StopSignal() == syscall.SIGTRAP:
			peak = statusKiB(pid, "VmHWM:")
		default:
			signal = int(status.StopSignal())
		}
		if err := syscall.PtraceCont(pid, signal); err != nil {
			b.Fatal(err)
		}
	}
}

// statusKiB returns a field of a process's /proc status, in KiB, 0 when it is not there.
func statusKiB(pid int, field string) int {
	text, _ := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/status")
	_, after, _ := bytes.Cut(text, []byte(field))
	number, _, _ := bytes.Cut(bytes.TrimSpace(after), []byte(" "))
	n, _ := strconv.Atoi(string(number))
	return n
}

// ratio returns the median of p's times, each divided by that of base in the same round.
func ratio(p, base *program) float64 {
	ratios := make([]float64, len(p.wall))
	for i := range ratios {
		ratios[i] = p.wall[i] / base.wall[i]
	}
	return median(ratios)
}

func median(values []float64) float64 {
	values = slices.Clone(values)
	slices.Sort(values)
	return values[len(values)/2]
}
