//go:build linux

package main

import (
	"errors"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"gatehouse/parse/randomtest"
)

// minRounds is the minimum number of rounds of a measurement: with fewer, the median of the ratios still varies in its second decimal.
const minRounds = 300

// program is one row of the benchmark: the program, and its directory.
type program struct {
	name, path, dir string
	args            []string
	input           string    // sent to the program through a pipe, "" for no pipe
	wall            []float64 // seconds from spawn to reap, one for each round
}

// BenchmarkStart measures whole runs of the program, from spawn to reap, against an empty Go program: on a GSD project of common size, on
// random projects of the other protocols, and in an agent's status line.
//
// All programs run once in each round, in random order, and the figure is the median of the ratios within the rounds: the speed of a
// shared machine drifts, but equally for all programs. The empty program runs twice in each round; if those two differ by more than 3 %
// the measurement is reported as void.
//
//	go test -run '^$' -bench Start -benchtime 1000x ./cmd/statusline
func BenchmarkStart(b *testing.B) {
	empty, self, gsd := buildEmpty(b), build(b, "."), project(b, benchState)
	base := &program{name: "empty", path: empty, dir: gsd}
	agent := &program{name: "agent", path: self, dir: gsd, args: []string{"--shell", "claude"}, input: strings.ReplaceAll(agentInput, "DIR", gsd)}
	programs := []*program{base, {name: "empty again", path: empty, dir: gsd}, {name: "gsd", path: self, dir: gsd}, agent}
	for _, g := range randomtest.Generators {
		dir := b.TempDir()
		must(b, randomtest.WriteFiles(dir, g.Files(rand.New(rand.NewPCG(1, 1)))))
		programs = append(programs, &program{name: "random " + g.Protocol, path: self, dir: dir})
	}
	const warm = 5 // the first rounds load the programs from disk
	rows := slices.Clone(programs)
	for round := range warm + max(minRounds, b.N) {
		rand.Shuffle(len(programs), func(i, j int) { programs[i], programs[j] = programs[j], programs[i] })
		for _, p := range programs {
			if p.run(b); round < warm {
				p.wall = nil
			}
		}
	}
	if noise := ratio(rows[1], base); noise < 0.97 || noise > 1.03 {
		b.Logf("VOID: the empty program against itself is %.3f; measure again when the machine is quiet", noise)
	}
	for _, p := range rows[1:] {
		b.ReportMetric(ratio(p, base), strings.ReplaceAll(p.name, " ", "-")+"/empty")
	}
	b.ReportMetric(median(base.wall)*1e3, "empty-ms")
	b.ReportMetric(0, "ns/op") // meaningless for a whole measurement
}

// benchState is a STATE.md of common size, with all that the line can show.
var benchState = "---\ngsd_state_version: '1.0'\nmilestone: v2.0\nmilestone_name: Code Quality\nstatus: executing\nactive_phase: \"4.5\"\n" +
	"progress:\n  total_phases: 17\n  completed_phases: 10\n  total_plans: 84\n  completed_plans: 47\n  percent: 59\n---\n\n# Project State\n\n" +
	"Phase: 4 of 17 (Observability)\nStatus: Executing\n\n" + strings.Repeat("- A decision that was taken, in a line of usual length, and why.\n", 60)

func buildEmpty(b *testing.B) string {
	dir := b.TempDir()
	for name, text := range map[string]string{"go.mod": "module empty\n", "main.go": "package main\n\nfunc main() {}\n"} {
		must(b, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644))
	}
	cmd := exec.Command("go", "build", "-o", "empty", ".")
	cmd.Dir = dir
	if report, err := cmd.CombinedOutput(); err != nil {
		b.Fatalf("%v\n%s", err, report)
	}
	return filepath.Join(dir, "empty")
}

// attributes starts a program in its directory with its input, if any, and discards its output.
func (p *program) attributes(b *testing.B) *syscall.ProcAttr {
	null, err := os.OpenFile(os.DevNull, os.O_RDWR, 0)
	must(b, err)
	b.Cleanup(func() { null.Close() })
	input := null
	if p.input != "" {
		reader, writer, err := os.Pipe()
		must(b, err)
		b.Cleanup(func() { reader.Close() })
		_, err = writer.WriteString(p.input)
		err = errors.Join(err, writer.Close())
		must(b, err)
		input = reader
	}
	return &syscall.ProcAttr{Dir: p.dir, Env: os.Environ(), Files: []uintptr{input.Fd(), null.Fd(), null.Fd()}}
}

// run runs the program once and notes how long that took.
func (p *program) run(b *testing.B) {
	attributes := p.attributes(b)
	start := time.Now()
	pid, err := syscall.ForkExec(p.path, append([]string{p.path}, p.args...), attributes)
	must(b, err)
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
