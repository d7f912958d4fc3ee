//go:build linux || darwin

package record

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"gatehouse/parse/ultraplan/fixture"
)

// TestRandomBuilds runs random builds by captures, with failures, blocked tasks, captures that are killed at any step, and many
// captures at once. Afterwards all files must agree when read without Gatehouse's own parsers.
func TestRandomBuilds(t *testing.T) {
	builds, seed := randomRounds(t, 16)
	const groups = 4 // they run in parallel
	for group := range groups {
		t.Run(strconv.Itoa(group), func(t *testing.T) {
			t.Parallel()
			for i := group; i < builds; i += groups {
				p := &play{random: rand.New(rand.NewPCG(seed, uint64(i))), tree: map[string]int{}}
				p.build(t)
				if t.Failed() {
					t.Fatalf("seed %d, build %d", seed, i)
				}
			}
		})
	}
}

// play is a build that is run by captures.
type play struct {
	random  *rand.Rand
	dir     string
	tree    map[string]int // number of tasks by plan
	dirs    map[string]string
	results []Report // the captured results
	done    map[string]bool

	phases, counted int // number of phases in the tree, and by STATE.md
}

func (p *play) build(t *testing.T) {
	p.dirs, p.done = map[string]string{}, map[string]bool{}
	phases := 1 + p.random.IntN(3)
	p.counted = phases + p.random.IntN(4)/3 // sometimes STATE.md announces one more phase
	p.phases = phases
	files := map[string]string{".planning/STATE.md": strings.Replace(freshState, "1 of 3", fmt.Sprintf("1 of %d", p.counted), 1)}
	for phase := range phases {
		for n := range 1 + p.random.IntN(3) {
			plan, tasks := fmt.Sprintf("%02d-%02d", phase+1, n+1), 1+p.random.IntN(3)
			p.tree[plan], p.dirs[plan] = tasks, fmt.Sprintf(".planning/phases/%02d-quay/", phase+1)
			files[p.dirs[plan]+plan+"-PLAN.md"] = plannedTasks(tasks)
		}
	}
	p.dir = fixture.Project(t, files)
	plans := slices.Sorted(maps.Keys(p.tree))
	if p.random.IntN(10) == 0 { // all captures at once, each in its own process
		p.together(t, plans)
	} else {
		for _, plan := range plans {
			p.alone(t, plan)
		}
	}
	p.agree(t)
}

// alone runs a plan, one result after the other.
func (p *play) alone(t *testing.T, plan string) {
	early := p.random.IntN(2) == 0
	for task := 1; task <= p.tree[plan]; task++ {
		for attempt := 1; ; attempt++ {
			status := []string{"success", "success", "failure", "blocked"}[p.random.IntN(4)]
			if attempt == 3 {
				status = "success"
			}
			if early && task == p.tree[plan] && status == "success" {
				p.finish(t, plan)
			}
			p.capture(t, Report{Text: partResult(task, status, attempt, 1000*(1+p.random.IntN(600_000))), Plan: plan})
			if status == "success" {
				break
			}
		}
	}
	if !early {
		p.finish(t, plan)
	}
}

// capture captures a result. Sometimes earlier runs of the same capture are killed at a step or complete.
func (p *play) capture(t *testing.T, rep Report) {
	for p.random.IntN(5) == 0 {
		r := recorder(p.dir)
		die := p.random.IntN(8)
		func() {
			defer func() { _ = recover() }()
			r.step = func(string) {
				if die--; die < 0 {
					panic("killed")
				}
			}
			_, _ = r.Capture(t.Context(), rep)
		}()
	}
	captureOf(t, p.dir, rep)
	p.results = append(p.results, rep)
}

// together captures 20 results of all plans at once.
func (p *play) together(t *testing.T, plans []string) {
	var all []*exec.Cmd
	for i := range 20 {
		plan := plans[i%len(plans)]
		rep := Report{Text: partResult(1+i/len(plans)%p.tree[plan], []string{"success", "failure"}[i%2], 1+i, 60_000), Plan: plan}
		p.results = append(p.results, rep)
		all = append(all, captureChild{Dir: p.dir, Report: rep}.start(t))
	}
	for _, cmd := range all {
		fixture.Must(t, cmd.Wait())
	}
}

func (p *play) finish(t *testing.T, plan string) {
	fixture.Put(t, filepath.Join(p.dir, p.dirs[plan]+plan+"-SUMMARY.md"), "---\n---\n")
	p.done[plan] = true
}

// loggedByHand is a log as this test reads it.
type loggedByHand struct {
	plan, name, status string
	task, attempt, seq int
	ms                 int
}

var handRead = regexp.MustCompile(`(?m)^ *(plan_id|sequence|task_name|status|duration_ms|attempt): "?([^"\n]*)"?$`)

// agree reads the files without Gatehouse's own parsers and compares them with each other.
func (p *play) agree(t *testing.T) {
	// The logs: one for each result.
	var logs []loggedByHand
	found, _ := filepath.Glob(filepath.Join(p.dir, ".ultraplan/logs/executions/*/*.yaml"))
	for _, file := range found {
		text, err := os.ReadFile(file)
		fixture.Must(t, err)
		l := loggedByHand{}
		for _, m := range handRead.FindAllStringSubmatch(string(text), -1) {
			n, _ := strconv.Atoi(m[2])
			switch m[1] {
			case "plan_id":
				l.plan = m[2]
			case "sequence":
				l.seq = n
			case "task_name":
				l.name = m[2]
				fmt.Sscanf(m[2], "Task %d:", &l.task)
			case "status":
				l.status = m[2]
			case "duration_ms":
				l.ms = n
			case "attempt":
				l.attempt = n
			}
		}
		logs = append(logs, l)
	}
	slices.SortFunc(logs, func(a, b loggedByHand) int { return a.seq - b.seq })
	if len(logs) != len(p.results) {
		t.Errorf("%d logs of %d results", len(logs), len(p.results))
	}
	last, count, took := map[string]loggedByHand{}, map[string]int{}, map[string]int{}
	total := 0
	for i, l := range logs {
		if l.seq != i+1 {
			t.Errorf("log %d is number %d", i, l.seq)
		}
		last[l.plan+l.name] = l
		count[l.status]++
		took[l.plan] += l.ms
		total += l.ms
	}
	// The boxes: checked off if the task has ever succeeded.
	ever := map[string]bool{}
	for _, l := range logs {
		ever[l.plan+l.name] = ever[l.plan+l.name] || l.status == "success"
	}
	for plan, tasks := range p.tree {
		text := read1(t, p.dir, p.dirs[plan]+plan+"-PLAN.md")
		for task := 1; task <= tasks; task++ {
			name := fmt.Sprintf("Task %d: Part %d", task, task)
			if checked := strings.Contains(text, "- [x] "+name+" (completed 2026-01-28)\n"); checked != ever[plan+name] {
				t.Errorf("%s %s: checked off %v, succeeded %v", plan, name, checked, ever[plan+name])
			}
		}
	}
	p.numbersAgree(t, logs, last, count, took, total)
}

// numbersAgree compares summary, session and STATE.md with the logs.
func (p *play) numbersAgree(t *testing.T, logs []loggedByHand, last map[string]loggedByHand, count, took map[string]int, total int) {
	var day struct {
		Executed  int `json:"tasks_executed"`
		Succeeded int `json:"tasks_succeeded"`
		Failed    int `json:"tasks_failed"`
		Blocked   int `json:"tasks_blocked"`
		Total     int `json:"total_duration_ms"`
		Plans     map[string]struct {
			Tasks int `json:"tasks"`
			MS    int `json:"duration_ms"`
		} `json:"by_plan"`
	}
	fixture.Must(t, json.Unmarshal([]byte(read1(t, p.dir, ".ultraplan/logs/summary/daily-2026-01-28.json")), &day))
	if day.Executed != len(logs) || day.Succeeded != count["success"] || day.Failed != count["failure"] || day.Blocked != count["blocked"] || day.Total != total {
		t.Errorf("the day has %+v of %v, %d ms", day, count, total)
	}
	for plan, ms := range took {
		if day.Plans[plan].MS != ms {
			t.Errorf("%s took %d ms, and by the day %d", plan, ms, day.Plans[plan].MS)
		}
	}
	var session struct {
		Plan  string `json:"plan_id"`
		Tasks []struct {
			Name   string `json:"task_name"`
			Plan   string `json:"plan_id"`
			Status string `json:"status"`
		} `json:"tasks"`
	}
	fixture.Must(t, json.Unmarshal([]byte(read1(t, p.dir, ".ultraplan/logs/current-session.json")), &session))
	if len(session.Tasks) != len(last) {
		t.Errorf("%d tasks in the session, %d have reported", len(session.Tasks), len(last))
	}
	for _, one := range session.Tasks {
		plan := one.Plan
		if plan == "" {
			plan = session.Plan
		}
		if l := last[plan+one.Name]; l.status != one.Status {
			t.Errorf("the session calls %s of %s %q, its last log %q", one.Name, plan, one.Status, l.status)
		}
	}
	// STATE.md: running the last capture again adds what was finished after it.
	captureOf(t, p.dir, p.results[len(p.results)-1])
	wantTrueAfterSync(t, p.dir)
	state := read1(t, p.dir, ".planning/STATE.md")
	want := []string{fmt.Sprintf("- Total plans completed: %d\n", len(p.done))}
	switch percent := len(p.done) * 100 / len(p.tree); {
	case percent < 100 || p.counted == p.phases:
		want = append(want, fmt.Sprintf("] %d%%\n", percent))
	case strings.Contains(state, "100%"): // the number of plans of the last phase is unknown
		t.Errorf("STATE.md says 100 %% with a phase to plan:\n%s", state)
	}
	newest := logs[len(logs)-1]
	want = append(want, "Last activity: 2026-01-28 - "+map[string]string{"success": "Completed ", "failure": "Failed: ", "blocked": "Blocked: "}[newest.status]+newest.name+"\n")
	if len(p.done) == len(p.tree) {
		want = append(want, map[bool]string{true: "Status: Complete\n", false: fmt.Sprintf("Phase: %d of %d\nPlan: 0 of 0 in current phase\nStatus: Ready to plan\n", p.counted, p.counted)}[p.phases == p.counted])
	}
	for key, l := range last {
		if blocker := "- " + l.name + ": "; l.status != "success" && !strings.Contains(state, blocker) {
			t.Errorf("%s is no blocker", key)
		}
	}
	for _, w := range want {
		if !strings.Contains(state, w) {
			t.Errorf("STATE.md lacks %q:\n%s", w, state)
		}
	}
}

// wantTrueAfterSync syncs STATE.md if a sync is proposed, and fails unless it is true then.
func wantTrueAfterSync(t *testing.T, dir string) {
	t.Helper()
	if b := readerOf(dir).Read(fixture.Now); len(b.Can) > 0 {
		fixture.Put(t, filepath.Join(dir, ".planning/STATE.md"), syncOf(t, dir, read1(t, dir, ".planning/STATE.md")))
	}
	wantTrue(t, dir, "at the end")
}
