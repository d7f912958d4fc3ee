package record

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"gatehouse/model/line"
	"gatehouse/parse/conformance"
	"gatehouse/parse/disk/statefile"
	"gatehouse/parse/nearest"
	"gatehouse/parse/ultraplan/core"
	"gatehouse/parse/ultraplan/fixture"
)

// TestScripts runs the scripts of testdata/scripts. Lines that begin with ">" are commands; the lines below a command are its expected
// output, which -update writes. A project begins with the template's STATE.md. After each capture and sync, the output lists the changed
// lines below .planning and the problems that check finds in STATE.md and in files of JSON.
//
//	plan PLAN TASKS [WORD]           writes a plan of phase 1 "quay", 2 "lamp" or 3 "sea", with tasks "Task 1: Part 1"; WORD replaces "Part"
//	summary PLAN [LINE]              writes its summary, with a line of frontmatter
//	state [FIELD=VALUE ; …] [| ROW]  writes STATE.md with other values and rows of the table
//	put FILE TEXT, append FILE TEXT  TEXT is quoted as in Go, or is the rest of the line
//	capture PLAN TASK STATUS [KEY=VALUE …]   keys: ms, attempt, name, session, again, word
//	gate PLAN/TASK EVENT             takes a step of a gate
//	later DURATION                   moves the clock forward
//	twice … same                     runs the commands in a second project, with a sync after each; both must end with the same STATE.md
//	decision TEXT                    adds a decision
//	sync, end, discard, waits, line, measured, exists FILE, show FILE
func TestScripts(t *testing.T) {
	files, err := filepath.Glob("testdata/scripts/*.txt")
	fixture.Must(t, err)
	for _, file := range files {
		data, err := os.ReadFile(file)
		fixture.Must(t, err)
		var got strings.Builder
		var p *player
		for l := range strings.Lines(string(data)) {
			command, isCommand := strings.CutPrefix(strings.TrimRight(l, "\n"), "> ")
			switch {
			case strings.HasPrefix(l, "#"), strings.TrimSpace(l) == "":
				p = nil // the next script begins
				got.WriteString(l)
			case isCommand:
				if p == nil {
					p = newPlayer(t)
				}
				got.WriteString(l)
				for out := range strings.Lines(p.play(command)) {
					got.WriteString("  " + out)
				}
			}
		}
		if *conformance.Update {
			fixture.Must(t, os.WriteFile(file, []byte(got.String()), 0o644))
		} else if was := string(data); got.String() != was {
			old, now := fixture.Changed(was, got.String())
			t.Errorf("%s: for\n%s\nit prints\n%s", file, strings.Join(old, ""), strings.Join(now, ""))
		}
	}
}

// stateWith returns freshState with other field values and other rows of the table.
func stateWith(fields map[string]string, rows ...string) string {
	state := freshState
	for name, value := range fields {
		state = regexp.MustCompile(`(?m)^((?:- |\*\*)?`+regexp.QuoteMeta(name)+`:(?:\*\*)?) .*$`).ReplaceAllString(state, "${1} "+value)
	}
	if len(rows) > 0 {
		state = strings.Replace(state, "| - | - | - | - |", strings.Join(rows, "\n"), 1)
	}
	return state
}

// player runs a script.
type player struct {
	t     *testing.T
	dir   string
	now   time.Time
	other *player // runs the same commands with a sync after each
}

func newPlayer(t *testing.T) *player {
	return &player{t: t, dir: fixture.Project(t, map[string]string{".planning/STATE.md": freshState}), now: fixture.Now}
}

func (p *player) put(file, text string) {
	fixture.Put(p.t, filepath.Join(p.dir, filepath.FromSlash(file)), text)
}

func (p *player) state() string { return read1(p.t, p.dir, ".planning/STATE.md") }

// planPath returns the path of a file of a plan, such as "01-02" in phase 1 "quay".
func planPath(id, kind string) string {
	phase, _, _ := strings.Cut(id, "-")
	return ".planning/phases/" + phase + "-" + cmp.Or(map[string]string{"02": "lamp", "03": "sea"}[phase], "quay") + "/" + id + "-" + kind + ".md"
}

func unquote(text string) string {
	if s, err := strconv.Unquote(text); err == nil {
		return s
	}
	return text + "\n"
}

// play runs a command and returns its output.
func (p *player) play(command string) string {
	word, rest, _ := strings.Cut(command, " ")
	name, text, _ := strings.Cut(rest, " ")
	args := strings.Fields(rest)
	if p.other != nil && word != "same" {
		p.other.play(command)
		p.other.play("sync")
	}
	before := map[string]string{}
	for file, content := range treeOf(p.t, p.dir) {
		if strings.HasPrefix(file, core.Planning) {
			before[file] = content
		}
	}
	out := ""
	switch word {
	case "twice":
		p.other = newPlayer(p.t)
		return ""
	case "same":
		if p.other.state() != p.state() {
			return p.other.state()
		}
		return "in line\n"
	case "plan":
		n, err := strconv.Atoi(args[1])
		fixture.Must(p.t, err)
		plan := plannedTasks(n)
		if len(args) > 2 {
			plan = strings.ReplaceAll(plan, "Part", args[2])
		}
		p.put(planPath(name, "PLAN"), plan)
		return ""
	case "summary":
		p.put(planPath(name, "SUMMARY"), "---\n"+text+"\n---\n")
		return ""
	case "state":
		rest, rows, _ := strings.Cut(rest, "| ")
		fields := map[string]string{}
		for one := range strings.SplitSeq(rest, " ; ") {
			if key, value, ok := strings.Cut(strings.TrimSpace(one), "="); ok {
				fields[key] = value
			}
		}
		var table []string
		for row := range strings.SplitSeq(rows, "|| ") {
			if row != "" {
				table = append(table, "| "+strings.TrimSpace(row)+" |")
			}
		}
		p.put(".planning/STATE.md", stateWith(fields, table...))
		return ""
	case "put":
		p.put(name, unquote(text))
		later := p.now.Add(time.Second)
		fixture.Must(p.t, os.Chtimes(filepath.Join(p.dir, filepath.FromSlash(name)), later, later))
		return ""
	case "append":
		p.put(name, read1(p.t, p.dir, name)+unquote(text))
		return ""
	case "later":
		d, err := time.ParseDuration(rest)
		fixture.Must(p.t, err)
		p.now = p.now.Add(d)
		return ""
	case "capture":
		out = p.capture(args)
	case "gate":
		key := core.ParseTaskKey(args[0])
		done, err := p.recorder().MoveGate(p.t.Context(), GateMove{Plan: key.Plan, Task: key.Task, Event: args[1]})
		if err != nil {
			return "refused: " + err.Error() + "\n"
		}
		if out = fmt.Sprintf("%s → %s, step %d, attempt %d\n", done.Was, done.Is, done.Step, done.Attempt); done.Already {
			out = "already " + out
		}
	case "sync":
		if b := readerOf(p.dir).Read(p.now); len(b.Can) == 0 {
			return "in line\n"
		}
		p.put(".planning/STATE.md", syncOf(p.t, p.dir, p.state()))
	case "end":
		done, err := p.recorder().EndSession(p.t.Context(), rest, false)
		fixture.Must(p.t, err)
		out = "ended " + done.Session + "\n"
	case "discard":
		kept, err := p.recorder().Discard(p.t.Context(), false)
		fixture.Must(p.t, err)
		out = "discarded as " + kept + "\n"
	case "waits":
		for _, w := range readerOf(p.dir).Read(p.now).Waits {
			out += w.Text + "\n"
		}
		if found, _ := nearest.Find(nearest.Place{Dir: p.dir, Home: p.dir, Alerts: true}); found.Waits != "" {
			out += "the prompt: " + found.Waits + "\n"
		}
	case "decision":
		if _, err := p.recorder().Decide(p.t.Context(), Decision{Text: rest}); err != nil {
			return "refused: " + err.Error() + "\n"
		}
	case "measured":
		n := readerOf(p.dir).Read(p.now).Measured.All
		out = fmt.Sprintf("%d executed, %d failed, %d ms\n", n.Executed, n.Failed, n.Time.Total)
	case "show":
		return strings.TrimRight(read1(p.t, p.dir, rest), "\n") + "\n"
	case "exists":
		_, err := os.Stat(filepath.Join(p.dir, filepath.FromSlash(rest)))
		return fmt.Sprintln(err == nil)
	case "line":
		b := readerOf(p.dir).Read(p.now)
		return fmt.Sprintf("%s: %s\n", b.Status, line.Full(b.Header))
	default:
		p.t.Fatalf("no command %q", command)
	}
	return out + p.changes(before) + p.problems()
}

func (p *player) recorder() *Recorder {
	return New(p.dir, &statefile.System{Unsynced: true}, func() time.Time { return p.now })
}

// capture captures a result and returns the outcome, the next step and the notes.
func (p *player) capture(args []string) string {
	task, err := strconv.Atoi(args[1])
	fixture.Must(p.t, err)
	keys := map[string]string{"ms": "60000", "attempt": "1", "word": "Part", "again": "1"}
	for _, arg := range args[3:] {
		key, value, _ := strings.Cut(arg, "=")
		keys[key] = strings.ReplaceAll(value, "_", " ")
	}
	ms, _ := strconv.Atoi(keys["ms"])
	attempt, _ := strconv.Atoi(keys["attempt"])
	again, _ := strconv.Atoi(keys["again"])
	text := strings.Replace(partResult(task, args[2], attempt, ms), "  duration_ms: -1\n", "", 1)
	text = strings.Replace(text, "Part", keys["word"], 1)
	if name := keys["name"]; name != "" {
		text = regexp.MustCompile(`task_name: .*`).ReplaceAllString(text, "task_name: "+strconv.Quote(name))
	}
	if reason := keys["error"]; reason != "" {
		text = strings.Replace(text, "no funnel: it broke", reason, 1)
	}
	c, err := p.recorder().Capture(p.t.Context(), Report{Text: text, Plan: args[0], Session: keys["session"], Again: again})
	if err != nil {
		return "refused: " + err.Error() + "\n"
	}
	out := ""
	if c.Outcome != Valid {
		out += fmt.Sprintf("%s %q\n", c.Outcome, c.Reasons())
	}
	if c.Next.Kind != "" {
		out += strings.TrimSpace(fmt.Sprintf("%s %s %s %s", c.Next.Kind, c.Next.Plan, c.Next.Name, filepath.Base(c.Next.Summary))) + "\n"
	}
	for _, note := range c.Notes {
		out += "note: " + note + "\n"
	}
	return strings.ReplaceAll(out, " .\n", "\n")
}

// changes returns the lines of files below .planning that were removed and added since before.
func (p *player) changes(before map[string]string) (out string) {
	after := treeOf(p.t, p.dir)
	for _, file := range slices.Sorted(func(yield func(string) bool) {
		for file := range after {
			if strings.HasPrefix(file, core.Planning) && !yield(file) {
				return
			}
		}
	}) {
		was, is := strings.Split(before[file], "\n"), strings.Split(after[file], "\n")
		for _, l := range was {
			if !slices.Contains(is, l) && l != "" {
				out += "- " + l + "\n"
			}
		}
		for _, l := range is {
			if !slices.Contains(was, l) && l != "" {
				out += "+ " + l + "\n"
			}
		}
	}
	return out
}

// problems returns what check finds wrong in STATE.md.
func (p *player) problems() (out string) {
	for _, x := range readerOf(p.dir).Check(p.now) {
		if (strings.HasSuffix(x.File, "STATE.md") || strings.HasSuffix(x.File, ".json")) && x.Rule != "ultraplan-bar" {
			out += "! " + x.Text + "\n"
		}
	}
	return out
}
