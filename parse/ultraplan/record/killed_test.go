//go:build linux || darwin

package record

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"gatehouse/parse/disk/statefile"
	"gatehouse/parse/ultraplan/core"
	"gatehouse/parse/ultraplan/fixture"
	"gatehouse/parse/ultraplan/statemd"
)

// childVariable makes the test binary run as a process that captures. Its value is a captureChild as JSON.
const childVariable = "GATEHOUSE_ULTRAPLAN_CHILD"

func TestMain(m *testing.M) {
	if text := os.Getenv(childVariable); text != "" {
		var child captureChild
		err := json.Unmarshal([]byte(text), &child)
		if err == nil {
			err = child.run()
		}
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	os.Exit(m.Run())
}

// captureChild describes what such a process does.
type captureChild struct {
	Dir    string
	Report Report
	Die    int // the step at which it kills itself, from 1; 0 for never
	Rotate bool
	Full   uint64 // the largest file size in bytes, which simulates a full disk; 0 for no limit
}

func (c *captureChild) run() error {
	r := recorder(c.Dir)
	if c.Full > 0 {
		signal.Ignore(syscall.SIGXFSZ)
		if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &syscall.Rlimit{Cur: c.Full, Max: c.Full}); err != nil {
			return err
		}
	}
	if c.Rotate {
		_, err := r.Rotate(context.Background(), false)
		return err
	}
	r.step = func(string) {
		if c.Die--; c.Die == 0 {
			syscall.Kill(os.Getpid(), syscall.SIGKILL)
			select {}
		}
	}
	_, err := r.Capture(context.Background(), c.Report)
	return err
}

func (c captureChild) start(t *testing.T) *exec.Cmd {
	t.Helper()
	text, err := json.Marshal(c)
	fixture.Must(t, err)
	self, err := os.Executable()
	fixture.Must(t, err)
	cmd := exec.Command(self)
	// Without this option the race detector waits a second at exit.
	cmd.Env = append(os.Environ(), childVariable+"="+string(text), "GORACE=atexit_sleep_ms=0")
	if c.Full == 0 { // with a limit, errors are expected
		cmd.Stderr = os.Stderr
	}
	fixture.Must(t, cmd.Start())
	return cmd
}

// undisturbed returns the files after results were captured without interruption.
func undisturbed(t *testing.T, reports ...Report) map[string]string {
	dir := fixture.Project(t, fixture.Lantern(nil))
	for _, rep := range reports {
		captureOf(t, dir, rep)
	}
	return treeOf(t, dir)
}

// TestCaptureKilledAtEveryStep checks that a capture killed at any step and run again ends with the same files.
func TestCaptureKilledAtEveryStep(t *testing.T) {
	for _, status := range []string{"success", "failure", "blocked"} {
		rep := Report{Text: result(1, status, 1), Plan: "03-01"}
		want := undisturbed(t, rep)
		kills := 0
		for die := 1; ; die++ {
			dir := fixture.Project(t, fixture.Lantern(nil))
			if (captureChild{Dir: dir, Report: rep, Die: die}).start(t).Wait() == nil {
				break
			}
			kills++
			// The second run is days later: the result keeps the time of its log.
			r := recorder(dir)
			if die > 1 {
				r = New(dir, &statefile.System{Unsynced: true}, func() time.Time { return fixture.Now.AddDate(0, 0, 2) })
			}
			_, err := r.Capture(t.Context(), rep)
			fixture.Must(t, err)
			sameTree(t, treeOf(t, dir), want, fmt.Sprintf("%s, killed at step %d", status, die))
		}
		if kills < 7 {
			t.Errorf("%s: only %d were killed", status, kills)
		}
	}
}

// TestCaptureKilledAtAnyTime checks the same for captures killed after a random time.
func TestCaptureKilledAtAnyTime(t *testing.T) {
	rounds, seed := randomRounds(t, 20)
	random := rand.New(rand.NewPCG(seed, 2))
	rep := Report{Text: result(1, "success", 1), Plan: "03-01"}
	want := undisturbed(t, rep)
	for i := range rounds {
		dir := fixture.Project(t, fixture.Lantern(nil))
		cmd := (captureChild{Dir: dir, Report: rep}).start(t)
		logs := filepath.Join(dir, ".ultraplan", "logs")
		for end := time.Now().Add(time.Minute); time.Now().Before(end); time.Sleep(100 * time.Microsecond) {
			if _, err := os.Stat(logs); err == nil { // the process has begun to write
				break
			}
		}
		time.Sleep(time.Duration(random.IntN(25_000)) * time.Microsecond)
		_ = cmd.Process.Kill() // it may have exited already
		_ = cmd.Wait()
		captureOf(t, dir, rep)
		sameTree(t, treeOf(t, dir), want, fmt.Sprintf("round %d", i))
	}
}

// TestTwentyCapturesAtOnceLoseNothing checks that concurrent captures and a rotation lose no result.
func TestTwentyCapturesAtOnceLoseNothing(t *testing.T) {
	const plans = 10
	files := fixture.Lantern(nil)
	for p := range plans {
		files[fmt.Sprintf(".planning/phases/05-sea/05-%02d-PLAN.md", p+1)] = fixture.TwoTasks
	}
	dir := fixture.Project(t, files)
	var all []*exec.Cmd
	for p := range plans {
		for task := 1; task <= 2; task++ {
			all = append(all, captureChild{Dir: dir, Report: Report{Text: result(task, []string{"success", "failure"}[p%2], 1), Plan: fmt.Sprintf("05-%02d", p+1)}}.start(t))
		}
	}
	// A result captured twice at once counts once, and a concurrent rotation disturbs nothing.
	all = append(all, captureChild{Dir: dir, Report: Report{Text: result(1, "success", 1), Plan: "05-01"}}.start(t), captureChild{Dir: dir, Rotate: true}.start(t))
	for _, cmd := range all {
		fixture.Must(t, cmd.Wait())
	}
	d := dailyOf(t, dir, "2026-01-28")
	if d.Executed != 2*plans || d.Succeeded != plans || d.Failed != plans || len(d.Plans) != plans {
		t.Errorf("%+v", d)
	}
	s, err := parseSession(read1(t, dir, ".ultraplan/logs/current-session.json"))
	fixture.Must(t, err)
	if len(s.Tasks) != 2*plans {
		t.Errorf("%d tasks in the session", len(s.Tasks))
	}
	for p := range plans {
		text := read1(t, dir, fmt.Sprintf(".planning/phases/05-sea/05-%02d-PLAN.md", p+1))
		if done := strings.Count(text, "(completed 2026-01-28)"); done != 2*(1-p%2) {
			t.Errorf("plan %d has %d boxes checked off", p+1, done)
		}
	}
	state := read1(t, dir, ".planning/STATE.md")
	newest := &core.Log{}
	logs, _ := filepath.Glob(filepath.Join(dir, ".ultraplan/logs/executions/*/*.yaml"))
	for _, file := range logs {
		text, err := os.ReadFile(file)
		fixture.Must(t, err)
		l := core.ParseLog(string(text))
		if l.Sequence > newest.Sequence {
			newest = l.InFile(filepath.ToSlash(file))
		}
	}
	if newest.Sequence != len(logs) || len(logs) != 2*plans {
		t.Errorf("the last of %d logs is number %d", len(logs), newest.Sequence)
	}
	for _, want := range []string{"- Task 1: Fill the tank: no funnel: it broke\n", "- Task 2: Trim the wick: no funnel: it broke\n", "Last activity: " + statemd.FormatActivity(newest) + "\n"} {
		if strings.Count(state, want) != 1 {
			t.Errorf("STATE.md lacks %q:\n%s", want, state)
		}
	}
	if left, _ := filepath.Glob(filepath.Join(dir, ".ultraplan", "logs", ".*")); len(left) > 0 {
		t.Errorf("left behind: %q", left)
	}
}

// TestCaptureWithReadOnlyFile checks that a capture fails if it may not write a file, and completes when run again.
func TestCaptureWithReadOnlyFile(t *testing.T) {
	for _, file := range []string{".planning/STATE.md", ".planning/phases/03-lamp/03-01-PLAN.md", ".ultraplan/logs/current-session.json"} {
		dir := fixture.Project(t, fixture.Lantern(map[string]string{".ultraplan/logs/current-session.json": `{"session_id": "s", "tasks": []}`}))
		rep := Report{Text: result(1, "success", 1), Plan: "03-01"}
		whole := filepath.Join(dir, filepath.FromSlash(file))
		before := read1(t, dir, file)
		fixture.Must(t, os.Chmod(whole, 0o444))
		if _, err := recorder(dir).Capture(t.Context(), rep); err == nil || !strings.Contains(err.Error(), "run it again") {
			t.Errorf("%s: %v", file, err)
		}
		if read1(t, dir, file) != before {
			t.Errorf("%s was written", file)
		}
		fixture.Must(t, os.Chmod(whole, 0o644))
		captureOf(t, dir, rep)
		if read1(t, dir, file) == before {
			t.Errorf("%s was not written by the second run", file)
		}
	}
}

// TestLogsOutsideTheProject checks that no operation follows a link out of the project. A dry run refuses it, too.
func TestLogsOutsideTheProject(t *testing.T) {
	elsewhere := t.TempDir()
	for _, dry := range []bool{true, false} {
		dir := fixture.Project(t, fixture.Lantern(map[string]string{core.ResumeFile: "stopped\n"}))
		fixture.Must(t, os.Symlink(elsewhere, filepath.Join(dir, ".ultraplan", "logs")))
		for name, run := range map[string]func(r *Recorder) error{
			"capture": func(r *Recorder) error {
				_, err := r.Capture(t.Context(), Report{Text: result(1, "success", 1), Plan: "03-01", DryRun: dry})
				return err
			},
			"discard": func(r *Recorder) error { _, err := r.Discard(t.Context(), dry); return err },
			"session": func(r *Recorder) error { _, err := r.EndSession(t.Context(), "a task", dry); return err },
			"task": func(r *Recorder) error {
				_, err := r.MoveGate(t.Context(), GateMove{Plan: "03-01", Task: "1", Event: EventStart, DryRun: dry})
				return err
			},
		} {
			if err := run(recorder(dir)); err == nil || !strings.Contains(err.Error(), "out of the project") {
				t.Errorf("%s, dry run %v: %v", name, dry, err)
			}
		}
		if read1(t, dir, core.ResumeFile) != "stopped\n" {
			t.Error("the work was discarded")
		}
	}
	if e, _ := os.ReadDir(elsewhere); len(e) > 0 {
		t.Errorf("%v", e)
	}
}

// TestCaptureOnFullDisk checks that a full disk leaves every file either as it was or complete, and that the capture completes once
// there is room.
func TestCaptureOnFullDisk(t *testing.T) {
	rep := Report{Text: result(1, "success", 1), Plan: "03-01"}
	want := undisturbed(t, rep)
	failed := 0
	for _, full := range []uint64{100, 150, 200, 300, 400} {
		dir := fixture.Project(t, fixture.Lantern(nil))
		before := treeOf(t, dir)
		cmd := (captureChild{Dir: dir, Report: rep, Full: full}).start(t)
		if cmd.Wait() != nil {
			failed++
		}
		for name, text := range treeOf(t, dir) {
			if text != before[name] && text != want[name] {
				t.Errorf("%d bytes: %s is neither as it was nor as it should be:\n%s", full, name, text)
			}
		}
		captureOf(t, dir, rep)
		sameTree(t, treeOf(t, dir), want, fmt.Sprintf("%d bytes", full))
	}
	if failed < 4 {
		t.Errorf("only %d ran out of room", failed)
	}
}
