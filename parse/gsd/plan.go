// PLAN.md and SUMMARY.md: what a plan is to do, in which wave and after which others, its tasks, and how it ended.

package gsd

import (
	"fmt"
	"slices"
	"strings"

	"gatehouse/parse/disk/mirror"
	"gatehouse/parse/doc"
	"gatehouse/parse/gsd/rules"
	"gatehouse/parse/protocol"
	"gatehouse/parse/text/yamldoc"
)

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

// maxTasks is how many tasks of a plan are shown: real ones have less than twenty.
const maxTasks = 1000

func parsePlan(text string) (*plan, error) {
	d, front, err := protocol.ReadDocument(text, planKeys...)
	p := &plan{
		superseded: rules.Superseded(rules.Status(strings.TrimPrefix(text, "\uFEFF"))),
		attended:   front.False("autonomous"),
		gapClosure: front.True("gap_closure"),
		objective:  plainLine(doc.FindElement(d.Body, "objective")),
		tasks:      parseTasks(d),
	}
	p.wave, _ = front.Int("wave")
	for _, plans := range front.Strings("depends_on") {
		for one := range strings.SplitSeq(plans, ",") {
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
	if len(p.tasks) > maxTasks {
		if err == nil {
			err = &mirror.Fault{Line: p.tasks[maxTasks].line, Text: fmt.Sprintf("more than %d tasks; the rest is left out", maxTasks), Minor: true}
		}
		p.tasks = slices.Clone(p.tasks[:maxTasks])
	}
	return p, err
}

func parseTasks(d yamldoc.Document) []task {
	var tasks []task
	for _, b := range d.Tasks() {
		tasks = append(tasks, newTask(b.Tag, b.Inner, b.Line))
	}
	return tasks
}

func newTask(tag, inner string, line int) task {
	t := task{
		name: plainLine(doc.FindElement(inner, "name")), kind: doc.ParseAttribute(tag, "type"), gate: doc.ParseAttribute(tag, "gate"),
		files: plainLine(doc.FindElement(inner, "files")), how: doc.FindElement(inner, "how-to-verify"), line: line,
	}
	for _, ask := range []string{"what-built", "decision", "question", "instructions", "action"} {
		if t.asks = plainLine(doc.FindElement(inner, ask)); t.asks != "" {
			break
		}
	}
	return t
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
	worked    protocol.Worked
}

func parseSummary(text string) (*summary, error) {
	d, front, err := protocol.ReadDocument(text, protocol.SummaryKeys("status")...)
	s := &summary{status: front.String("status"), completed: front.String("completed"), duration: front.String("duration"), worked: protocol.ParseSummaryTimes(d, front)}
	s.halted = strings.EqualFold(s.status, "halted")
	return s, err
}
