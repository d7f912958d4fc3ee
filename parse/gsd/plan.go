// PLAN.md and SUMMARY.md: what a plan is to do, in which wave and after which
// others, its tasks, and how it ended (notes on GSD, §2.3 and §2.7).

package gsd

import "strings"

// plan is what a PLAN.md says.
type plan struct {
	wave       int
	dependsOn  []string
	dependsAt  int // line of depends_on
	superseded bool
	attended   bool // autonomous: false
	gapClosure bool
	setup      []string // user_setup: what the user must do by hand
	setupLine  int
	objective  string // first line of <objective>
	tasks      []task

	rows taskRows // of its tasks, as they were laid out last
}

// task is one <task> of a plan.
type task struct {
	name  string
	kind  string // "auto", "checkpoint:human-verify"
	gate  string // "blocking", "blocking-human"
	asks  string // what the human is shown or asked
	how   string // how to check it
	files string
	line  int
}

// checkpoint returns what kind of checkpoint a task is ("human-verify"), "" for
// a task that agents do alone.
func (t task) checkpoint() string {
	kind, ok := strings.CutPrefix(t.kind, "checkpoint:")
	if !ok {
		return ""
	}
	return kind
}

var planKeys = []string{"wave", "depends_on", "autonomous", "status", "gap_closure", "user_setup"}

func parsePlan(text string) (*plan, error) {
	doc, front, err := read(text, planKeys...)
	p := &plan{
		superseded: strings.EqualFold(front.String("status"), "superseded"),
		attended:   front.False("autonomous"),
		gapClosure: front.True("gap_closure"),
		objective:  plainLine(element(doc.body, "objective")),
		tasks:      parseTasks(doc.body, doc.bodyLine),
	}
	p.wave, _ = front.Int("wave")
	for _, d := range front.Strings("depends_on") {
		for one := range strings.SplitSeq(d, ",") {
			if one = strings.TrimSpace(one); !saysNothing(one) {
				p.dependsOn = append(p.dependsOn, one)
			}
		}
	}
	for _, s := range front.Docs("user_setup") {
		for _, key := range []string{"service", "task", "name", "why", ""} {
			if v := s.String(key); v != "" {
				p.setup = append(p.setup, v)
				break
			}
		}
	}
	p.dependsAt = front.Line("depends_on")
	p.setupLine = front.Line("user_setup")
	p.letGo()
	return p, err
}

// letGo copies the texts, which are parts of the whole file's and would keep
// all of it in memory: hundreds of plans, of which little but names is shown.
func (p *plan) letGo() {
	p.objective = strings.Clone(p.objective)
	for _, list := range [][]string{p.dependsOn, p.setup} {
		for i := range list {
			list[i] = strings.Clone(list[i])
		}
	}
	for i := range p.tasks {
		t := &p.tasks[i]
		for _, s := range []*string{&t.name, &t.kind, &t.gate, &t.asks, &t.how, &t.files} {
			*s = strings.Clone(*s)
		}
	}
}

// parseTasks finds the <task> blocks. A block ends at its closing tag, at the
// next task, or with the text; a fence that a task forgot to close ends with
// it. A <task> inside fenced code outside any task is an example.
func parseTasks(body string, first int) []task {
	var tasks []task
	line, from := first, 0
	fences := 0 // met outside of tasks; within a pair nothing is a task
	open, tag, ok := nextTask(body, 0)
	for ok {
		line += strings.Count(body[from:open], "\n")
		fences += strings.Count("\n"+body[from:open], "\n```")
		start := open + len(tag)
		next, nextTag, more := nextTask(body, start)
		inner := body[start:]
		if more {
			inner = body[start:next]
		}
		if i := strings.Index(inner, "</task>"); i >= 0 {
			inner = inner[:i]
		}
		if fences%2 == 1 {
			inner = "" // an example: what follows it is outside of any task
		} else {
			tasks = append(tasks, newTask(tag, inner, line))
			fences = 0
		}
		from = start + len(inner)
		line += strings.Count(body[open:from], "\n")
		open, tag, ok = next, nextTag, more
	}
	return tasks
}

func newTask(tag, inner string, line int) task {
	t := task{
		name: plainLine(element(inner, "name")), kind: attribute(tag, "type"), gate: attribute(tag, "gate"),
		files: plainLine(element(inner, "files")), how: element(inner, "how-to-verify"), line: line,
	}
	for _, ask := range []string{"what-built", "decision", "question", "instructions", "action"} {
		if t.asks = plainLine(element(inner, ask)); t.asks != "" {
			break
		}
	}
	return t
}

// maxTag is the longest tag of a task: real ones are below 100 bytes.
const maxTag = 1024

// nextTask returns where the next <task …> tag that begins a line is, and the tag.
func nextTask(s string, from int) (at int, tag string, ok bool) {
	for {
		i := strings.Index(s[from:], "<task")
		if i < 0 {
			return 0, "", false
		}
		i += from
		from = i + len("<task")
		if from >= len(s) || !strings.ContainsRune(" >\t\r\n", rune(s[from])) {
			continue
		}
		start := i
		for start > 0 && (s[start-1] == ' ' || s[start-1] == '\t') {
			start--
		}
		end := strings.IndexByte(s[i:min(i+maxTag, len(s))], '>')
		if start > 0 && s[start-1] != '\n' || end < 0 {
			continue
		}
		return i, s[i : i+end+1], true
	}
}

// element returns the text between <name> and </name>, "" without them.
func element(s, name string) string {
	_, rest, ok := strings.Cut(s, "<"+name+">")
	if !ok {
		return ""
	}
	text, _, ok := strings.Cut(rest, "</"+name+">")
	if !ok {
		return ""
	}
	return strings.TrimSpace(text)
}

// attribute returns the value of an attribute of a tag, in either quotes.
func attribute(tag, name string) string {
	_, rest, ok := strings.Cut(tag, " "+name+"=")
	if !ok || rest == "" || (rest[0] != '"' && rest[0] != '\'') {
		return ""
	}
	value, _, _ := strings.Cut(rest[1:], rest[:1])
	return value
}

// plainLine returns the first line of a text without its list mark.
func plainLine(text string) string {
	return strings.TrimPrefix(firstLine(text), "- ")
}

// summary is what a SUMMARY.md says.
type summary struct {
	halted    bool // stopped by design: what depends on it can't go on
	status    string
	completed string
	duration  string
}

func parseSummary(text string) (*summary, error) {
	_, front, err := read(text, "status", "completed", "duration")
	s := &summary{status: front.String("status"), completed: front.String("completed"), duration: front.String("duration")}
	s.halted = strings.EqualFold(s.status, "halted")
	return s, err
}
