package main_test

// A world in which agents work for as long as one likes: projects of all protocols, whose files are written as agents and
// people write them: in place, by renaming, half, whole again, away and back. Much changes and nothing grows: what is begun is
// finished and taken away, so that whoever watches has no reason to grow either. The same seed plays the same changes.

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// player is a project of one protocol.
type player interface {
	begin()  // writes it as it stands at first, as much as it will ever hold
	change() // does one thing to it
}

// world is the projects, and what was done to them last.
type world struct {
	tb      testing.TB
	r       *rand.Rand
	dirs    []string
	players []player
	touched []string // paths, absolute
}

// newWorld makes a project of each protocol below a directory.
func newWorld(tb testing.TB, dir string, seed uint64) *world {
	w := &world{tb: tb, r: rand.New(rand.NewPCG(seed, 0))}
	for _, name := range []string{"gsd", "ultraplan", "loop", "fctry"} {
		p := &target{w: w, dir: filepath.Join(dir, name)}
		w.must(os.MkdirAll(p.dir, 0o755))
		play := map[string]player{"gsd": &gsdPlay{target: p}, "ultraplan": &ultraplanPlay{target: p}, "loop": &loopPlay{target: p}, "fctry": &fctryPlay{target: p}}[name]
		play.begin()
		w.dirs, w.players = append(w.dirs, p.dir), append(w.players, play)
	}
	return w
}

// step changes one thing in one of the projects, and returns which project and what was touched.
func (w *world) step() (project int, touched []string) {
	w.touched = w.touched[:0]
	project = w.r.IntN(len(w.players))
	w.players[project].change()
	return project, w.touched
}

func (w *world) must(err error) {
	if err != nil {
		w.tb.Helper()
		w.tb.Fatal(err)
	}
}

// target is a project's directory, and how often something was changed there.
type target struct {
	w   *world
	dir string
	n   int
}

// next counts a change and throws a die for what it is.
func (p *target) next(sides int) int {
	p.n++
	return p.w.r.IntN(sides)
}

// flip reports one of two as likely things.
func (p *target) flip() bool { return p.w.r.IntN(2) == 0 }

// put writes a file, in place or by renaming.
func (p *target) put(rel, text string) {
	file := filepath.Join(p.dir, filepath.FromSlash(rel))
	p.w.touched = append(p.w.touched, file)
	write := func(name string) error { return os.WriteFile(name, []byte(text), 0o644) }
	target := file
	if p.flip() {
		target = file + ".tmp"
	}
	err := write(target)
	if os.IsNotExist(err) {
		p.w.must(os.MkdirAll(filepath.Dir(file), 0o755))
		err = write(target)
	}
	if err == nil && target != file {
		err = os.Rename(target, file)
	}
	p.w.must(err)
}

// add appends to a file.
func (p *target) add(rel, text string) {
	file := filepath.Join(p.dir, filepath.FromSlash(rel))
	p.w.touched = append(p.w.touched, file)
	f, err := os.OpenFile(file, os.O_APPEND|os.O_WRONLY|os.O_CREATE, 0o644)
	p.w.must(err)
	_, err = f.WriteString(text)
	p.w.must(cmp.Or(err, f.Close()))
}

// drop takes a file or a directory away.
func (p *target) drop(rel string) {
	file := filepath.Join(p.dir, filepath.FromSlash(rel))
	p.w.touched = append(p.w.touched, file)
	p.w.must(os.RemoveAll(file))
}

// half returns the beginning of a text, as who writes slowly leaves it for a moment.
func (p *target) half(text string) string { return text[:p.w.r.IntN(len(text))] }

// words returns a text of some length that was never there before.
func (p *target) words(length int) string {
	text := fmt.Sprintf("number %d of %s ", p.n, filepath.Base(p.dir))
	return (text + strings.Repeat("and so on ", length/10+1))[:max(length, len(text))]
}

// planText returns a PLAN.md of three tasks, which GSD and ultraplan have in the same form.
func (p *target) planText(phase, plan int) string {
	text := fmt.Sprintf("---\nphase: %02d-part\nplan: %02d\nwave: 1\nautonomous: true\n---\n\n<objective>\n%s\n</objective>\n\n<tasks>\n", phase+1, plan+1, p.words(40))
	for i := range 3 {
		text += fmt.Sprintf("\n<task type=\"auto\">\n  <name>Task %d: %s</name>\n  <files>part.go</files>\n  <action>Do it.</action>\n  <verify>go test</verify>\n  <done>it is done</done>\n</task>\n", i+1, p.words(30))
	}
	return text + "\n</tasks>\n"
}

// now returns a time, each later than the one before.
func (p *target) now() string {
	return time.Date(2026, 1, 1, 0, 0, p.n, 0, time.UTC).Format(time.RFC3339)
}

// gsdPlay is a GSD project.
type gsdPlay struct {
	*target
	broken bool
}

const soakPhases, soakPlans = 3, 3

func (p *gsdPlay) begin() {
	p.roadmap()
	p.state()
	for phase := range soakPhases {
		for plan := range soakPlans {
			p.plan(phase, plan)
		}
	}
}

func (p *gsdPlay) phase(i int) string { return fmt.Sprintf(".planning/phases/%02d-part", i+1) }

func (p *gsdPlay) file(phase, plan int, kind string) string {
	return fmt.Sprintf("%s/%02d-%02d-%s.md", p.phase(phase), phase+1, plan+1, kind)
}

func (p *gsdPlay) plan(phase, plan int) {
	p.put(p.file(phase, plan, "PLAN"), p.planText(phase, plan))
}

func (p *gsdPlay) stateText() string {
	return fmt.Sprintf("---\ngsd_state_version: '1.0'\nmilestone: v1.%d\nmilestone_name: %s\nstatus: executing\nstopped_at: %s\nprogress:\n  percent: %d\n---\n\n# State\n\nPhase: %d\n\n### Blockers\n\n- %s\n",
		p.n%10, p.words(30), p.words(60), p.n%101, 1+p.n%soakPhases, p.words(50))
}

func (p *gsdPlay) state() { p.put(".planning/STATE.md", p.stateText()) }

func (p *gsdPlay) roadmap() {
	text := "# Roadmap\n\n"
	for i := range soakPhases {
		text += fmt.Sprintf("- [%c] **Phase %d: %s** - one\n", " x"[(p.n+i)%2], i+1, p.words(30))
	}
	p.put(".planning/ROADMAP.md", text)
}

func (p *gsdPlay) change() {
	phase, plan := p.w.r.IntN(soakPhases), p.w.r.IntN(soakPlans)
	die := p.next(14)
	switch {
	case p.broken:
		p.state()
		p.broken = false
	case die < 3:
		p.state()
	case die == 3:
		p.put(".planning/STATE.md", p.half(p.stateText()))
		p.broken = true
	case die < 6:
		p.put(p.file(phase, plan, "SUMMARY"), fmt.Sprintf("---\nplan: %d\nstatus: %s\n---\n\n%s\n", plan, []string{"complete", "halted"}[p.n%2], p.words(300)))
	case die < 8:
		p.drop(p.file(phase, plan, "SUMMARY"))
	case die == 8:
		p.plan(phase, plan)
	case die == 9:
		p.drop(p.phase(phase))
		for i := range soakPlans {
			p.plan(phase, i)
		}
	case die == 10:
		p.put(p.phase(phase)+"/UAT.md", fmt.Sprintf("---\nstatus: testing\n---\n\n## Tests\n\n### 1. %s\nexpected: it works\nresult: %s\n", p.words(40), []string{"[pending]", "pass"}[p.n%2]))
	case die == 11 && p.flip():
		p.put(".planning/WAITING.json", fmt.Sprintf(`{"status":"waiting","question":%q}`, p.words(80)))
	case die == 11:
		p.drop(".planning/WAITING.json")
	case die == 12 && p.flip():
		p.put(fmt.Sprintf(".planning/todos/pending/%d.md", p.n%20), "title: "+p.words(60)+"\n")
	case die == 12:
		p.drop(fmt.Sprintf(".planning/todos/pending/%d.md", p.n%20))
	default:
		p.roadmap()
	}
}

// ultraplanPlay is an ultraplan project.
type ultraplanPlay struct {
	*target
	broken bool
	logs   []string // the oldest first
	lines  int      // of the events
}

const soakLogs, soakLines = 24, 120

func (p *ultraplanPlay) begin() {
	p.state()
	for phase := range soakPhases {
		for plan := range soakPlans {
			p.put(p.file(phase, plan, "PLAN"), p.planText(phase, plan))
		}
	}
	for range soakLogs {
		p.log()
		p.n++
	}
	for range soakLines {
		p.event()
	}
}

func (p *ultraplanPlay) file(phase, plan int, kind string) string {
	return fmt.Sprintf(".planning/phases/%02d-part/%02d-%02d-%s.md", phase+1, phase+1, plan+1, kind)
}

func (p *ultraplanPlay) stateText() string {
	return fmt.Sprintf("# Project State\n\n## Current Position\n\nPhase: %d of %d (%s)\nPlan: %d of %d\nStatus: In progress\nLast activity: 2026-01-01 — %s\n\n### Blockers\n\n- %s\n",
		1+p.n%soakPhases, soakPhases, p.words(20), 1+p.n%soakPlans, soakPlans, p.words(60), p.words(40))
}

func (p *ultraplanPlay) state() { p.put(".planning/STATE.md", p.stateText()) }

func (p *ultraplanPlay) log() {
	phase, plan := p.w.r.IntN(soakPhases)+1, p.w.r.IntN(soakPlans)+1
	file := fmt.Sprintf(".ultraplan/logs/executions/2026-01-%02d/%02d-%02d-task-01-success-%d.yaml", 1+p.n/40%28, phase, plan, p.n)
	p.put(file, fmt.Sprintf("logged_at: %q\nplan_id: \"%02d-%02d\"\ntask_index: 1\n\nresult:\n  status: success\n  task_name: \"Task 1: %s\"\n  files_modified: []\n  evidence: |\n    %s\n  metadata:\n    duration_ms: %d\n",
		p.now(), phase, plan, p.words(40), p.words(500), 1000+p.n%1000))
	if p.logs = append(p.logs, file); len(p.logs) > soakLogs {
		p.drop(p.logs[0])
		p.logs = slices.Delete(p.logs, 0, 1)
	}
}

func (p *ultraplanPlay) event() {
	const file = ".ultraplan/state/events.jsonl"
	one := fmt.Sprintf("{\"timestamp\":%q,\"type\":\"task_started\",\"task_id\":\"01-01-01\",\"reason\":%q}\n", p.now(), p.words(80))
	if p.lines++; p.lines > 2*soakLines {
		p.put(file, strings.Repeat(one, soakLines))
		p.lines = soakLines
		return
	}
	if p.lines == 1 {
		p.put(file, one)
		return
	}
	p.add(file, one)
}

func (p *ultraplanPlay) change() {
	phase, plan := p.w.r.IntN(soakPhases), p.w.r.IntN(soakPlans)
	die := p.next(12)
	switch {
	case p.broken:
		p.state()
		p.broken = false
	case die < 2:
		p.state()
	case die == 2:
		p.put(".planning/STATE.md", p.half(p.stateText()))
		p.broken = true
	case die < 5:
		p.log()
	case die < 7:
		p.event()
	case die == 7:
		p.put(p.file(phase, plan, "SUMMARY"), fmt.Sprintf("---\ncompleted: 2026-01-%02d\nduration: %d min\n---\n\n%s\n", 1+p.n%28, 1+p.n%50, p.words(300)))
	case die == 8:
		p.drop(p.file(phase, plan, "SUMMARY"))
	case die == 9:
		p.put(".ultraplan/logs/current-session.json", fmt.Sprintf(`{"session_id":"s%d","plan_id":"01-01","tasks":[{"task_name":%q,"status":"executing"}]}`, p.n, p.words(60)))
	case die == 10:
		p.put(".ultraplan/state/retry-state.json", fmt.Sprintf(`{"task_retries":{"01-01-01":{"task_name":%q,"retry_count":%d,"max_retries":3,"status":"retrying"}}}`, p.words(40), p.n%3))
	case p.flip():
		p.put(".ultraplan/state/continue.md", "# Next steps\n\n- "+p.words(80)+"\n")
	default:
		p.drop(".ultraplan/state/continue.md")
	}
}

// loopPlay is a loop.
type loopPlay struct {
	*target
	broken bool
}

func (p *loopPlay) begin() {
	p.definition()
	p.state()
}

var soakLoop = []string{"FRAME", "SHAPE", "BUILD", "CHECK", "SHIP"}

func (p *loopPlay) stateText() string {
	var phases, gates []string
	at := p.n % len(soakLoop)
	for i, name := range soakLoop {
		status := []string{"complete", "active", "pending"}[1+min(max(i-at, -1), 1)]
		phases = append(phases, fmt.Sprintf(`%q:{"status":%q,"deliverables":["docs/%d/%s.md"]}`, name, status, p.n, strings.ToLower(name)))
		gates = append(gates, fmt.Sprintf(`"%s-gate":{"status":%q,"deliverables":["out-%d.md"],"skippedReason":%q}`, strings.ToLower(name), []string{"passed", "pending"}[min(max(i-at+1, 0), 1)], p.n, p.words(40)))
	}
	return fmt.Sprintf(`{"loop":"sample-loop","version":"1.0.0","status":"active","phase":%q,"phases":{%s},"gates":{%s},"last_updated":%q}`,
		soakLoop[at], strings.Join(phases, ","), strings.Join(gates, ","), p.now())
}

func (p *loopPlay) state() { p.put("sample-state.json", p.stateText()) }

func (p *loopPlay) definition() {
	var phases []string
	for _, name := range soakLoop {
		phases = append(phases, fmt.Sprintf(`{"name":%q,"description":%q,"gate":{"id":"%s-gate","approvalType":"human"}}`, name, p.words(80), strings.ToLower(name)))
	}
	p.put("loop.json", fmt.Sprintf(`{"id":"sample-loop","name":%q,"version":"1.0.0","phases":[%s]}`, p.words(20), strings.Join(phases, ",")))
}

func (p *loopPlay) change() {
	die := p.next(10)
	switch {
	case p.broken:
		p.state()
		p.broken = false
	case die < 4:
		p.state()
	case die == 4:
		p.put("sample-state.json", p.half(p.stateText()))
		p.broken = true
	case die == 5:
		p.drop("sample-state.json")
		p.broken = true
	case die == 6:
		p.definition()
	case die == 7 && p.flip():
		p.put("memory/other-state.json", strings.Replace(p.stateText(), "sample-loop", "other-loop", 1))
	case die == 7:
		p.drop("memory/other-state.json")
	case p.flip():
		p.put(fmt.Sprintf("docs/%d/frame.md", p.n%30), "# Frame\n\n## "+p.words(40)+"\n")
	default:
		p.drop(fmt.Sprintf("docs/%d", p.n%30))
	}
}

// fctryPlay is a fctry project.
type fctryPlay struct {
	*target
	broken bool
	events []string // that the state holds: the last ones
}

// soakEvents is how many events the state holds and eventLength how long they are: a fifth as many as fctry itself has, five
// times as long, for a timeline of so many bytes takes the less time to be gone through. firstEvents is how many there are at
// first: more than it keeps.
const soakEvents, eventLength, firstEvents = 20, 1900, 3000

func (p *fctryPlay) begin() {
	for range firstEvents {
		p.n++
		p.event()
	}
	p.state()
	p.events = slices.Clone(p.events[len(p.events)-soakEvents:])
	for range 30 {
		p.n++
		p.inbox()
	}
	p.spec()
}

func (p *fctryPlay) event() {
	p.events = append(p.events, fmt.Sprintf(`{"kind":"chunk-started","timestamp":%q,"chunk":"Chunk %d","summary":%q}`, p.now(), p.n%12, p.words(eventLength)))
}

func (p *fctryPlay) stateText() string {
	var chunks []string
	for i := range 12 {
		chunks = append(chunks, fmt.Sprintf(`{"id":%d,"name":%q,"status":%q,"dependsOn":[%d],"note":%q}`, i+1, p.words(20), []string{"completed", "active", "planned", "failed"}[(p.n+i)%4], i, p.words(60)))
	}
	return fmt.Sprintf(`{"currentCommand":"execute","workflowStep":%q,"lastUpdated":%q,"buildRun":{"status":"running","plan":{"chunks":[%s]}},"buildEvents":[%s]}`,
		p.words(20), p.now(), strings.Join(chunks, ","), strings.Join(p.events, ","))
}

func (p *fctryPlay) state() { p.put(".fctry/state.json", p.stateText()) }

func (p *fctryPlay) inbox() {
	var items []string
	for i := range 30 {
		items = append(items, fmt.Sprintf(`{"id":"i%d","type":"feature","content":%q,"status":%q,"timestamp":%q}`, p.n+i, p.words(80), []string{"pending", "dismissed"}[(p.n+i)%2], p.now()))
	}
	p.put(".fctry/inbox.json", "["+strings.Join(items, ",\n")+"]\n")
}

func (p *fctryPlay) spec() {
	p.put(".fctry/spec.md", "---\nstatus: active\n---\n\n## 1. "+p.words(30)+" {#one}\n\n"+p.words(2000)+"\n")
}

func (p *fctryPlay) change() {
	die := p.next(10)
	switch {
	case p.broken:
		p.state()
		p.broken = false
	case die < 6:
		p.event()
		p.events = p.events[max(0, len(p.events)-soakEvents):]
		p.state()
	case die == 6:
		p.put(".fctry/state.json", []string{"", "{}", p.half(p.stateText())}[p.w.r.IntN(3)])
		p.broken = true
	case die == 7:
		p.drop(".fctry/state.json")
		p.broken = true
	case die == 8:
		p.inbox()
	default:
		p.spec()
	}
}
