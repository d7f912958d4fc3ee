package core

import "gatehouse/parse/doc"

// Plan is a PLAN.md.
type Plan struct {
	Wave         int
	DependsOn    []string
	DependsLine  int
	IsSuperseded bool // another plan takes its place
	IsAttended   bool // autonomous: false
	ClosesGaps   bool
	Objective    string
	Tasks        []Task // only if they were asked for
}

// Task is a <task> of a plan.
type Task struct {
	Name       string
	Checkpoint string // "human-verify" for the type "checkpoint:human-verify", "" for a task without
	Gate       string // "blocking", "blocking-human"
	Asks       string // the text shown to the human, or the question
	HowTo      string // how to check it
	Files      string
	Line       int
}

// maxTasks limits the tasks of a plan. Real ones have less than twenty.
const maxTasks = 1000

// ParsePlan parses a plan. Tasks cost the most, so the prompt does without them.
func ParsePlan(text string, withTasks bool) (*Plan, error) {
	d, err := ParseDocument(text, "wave", "depends_on", "autonomous", "status", "gap_closure")
	p := &Plan{
		Wave: parseNumber(leadingDigits(d.Field("wave"))), DependsLine: d.Line("depends_on"),
		IsSuperseded: d.saysWord("status", "superseded"), IsAttended: Normalize(d.Field("autonomous")) == "false", ClosesGaps: Normalize(d.Field("gap_closure")) == "true",
	}
	if err == nil {
		err = d.findMisreading("status", "superseded")
	}
	for _, plans := range d.Texts("depends_on") {
		for more := true; more; {
			var one string
			one, plans, more = doc.Cut(plans, ",")
			if one = doc.Trim(one); !SaysNothing(one) {
				p.DependsOn = append(p.DependsOn, one)
			}
		}
	}
	if !withTasks {
		return p, err
	}
	body := text[d.Body:]
	p.Objective = elementLine(body, "objective")
	for _, block := range doc.ParseTasks(text, d.Body, len(text)) {
		p.Tasks = append(p.Tasks, newTask(block))
	}
	p.Tasks, err = limitEntries(p.Tasks, maxTasks, "tasks", err)
	return p, err
}

func newTask(b doc.Task) Task {
	t := Task{
		Name: elementLine(b.Inner, "name"), Gate: doc.ParseAttribute(b.Tag, "gate"), Files: elementLine(b.Inner, "files"),
		HowTo: doc.FindElement(b.Inner, "how-to-verify"), Line: b.Line,
	}
	const checkpoint = "checkpoint:"
	if kind := doc.ParseAttribute(b.Tag, "type"); doc.HasPrefix(kind, checkpoint) {
		t.Checkpoint = kind[len(checkpoint):]
	}
	for _, element := range [...]string{"what-built", "decision", "question", "instructions", "action"} {
		if t.Asks = elementLine(b.Inner, element); t.Asks != "" {
			break
		}
	}
	return t
}

// elementLine returns the first line of an element without its list mark.
func elementLine(text, element string) string {
	line := firstLine(doc.FindElement(text, element))
	if doc.HasPrefix(line, "- ") {
		return line[2:]
	}
	return line
}

func leadingDigits(s string) string { return s[:doc.CountDigits(s)] }

// Summary is a SUMMARY.md. The plan is done when the file exists, unless it says "blocked".
type Summary struct {
	Status    string
	IsHalted  bool // stopped by design: plans that depend on it can't continue
	IsBlocked bool // the plan is not done; GSD does not count such a summary
	IsUnread  bool // the status is unreadable, so the plan is not done
	Completed string

	Times any // result of Options.ParseTimes
}

// ParseSummary parses a summary. parseTimes may be nil.
func ParseSummary(text string, parseTimes func(d *Document) any) (*Summary, error) {
	d, err := ParseDocument(text, "status", "completed", "completed_at", "completed_date", "started", "duration", "metrics")
	s := &Summary{Status: d.Field("status"), Completed: d.Field("completed")}
	s.IsHalted, s.IsBlocked = equalFold(s.Status, "halted"), equalFold(s.Status, "blocked")
	s.IsUnread = d.isUnread("status")
	if parseTimes != nil {
		s.Times = parseTimes(&d)
	}
	return s, err
}
