// STATE.md: what the file claims of position, progress and numbers, its blockers, the gate of the task at work, and where
// the session stopped. All sections are optional.

package ultraplan

import (
	"regexp"
	"strconv"
	"strings"
	"time"

	"gatehouse/model"
	"gatehouse/model/line"
	"gatehouse/parse/reader"
	"gatehouse/parse/text/markdown"
	"gatehouse/parse/text/scan"
	"gatehouse/parse/text/yamldoc"
	"gatehouse/parse/ultraplan/rules"
)

// state is what a STATE.md says.
type state struct {
	rules.State
	phaseLine, statusLine, progressLine int

	percent    int // of the progress line, rounded down; with percentIs
	percentIs  bool
	plans      model.Count // "n/m plans complete" behind it
	activity   string      // "Last activity", its text and its date
	activeOn   string
	metrics    []model.Fact
	blockers   []stateBlocker
	stoppedAt  string
	resumeFile string

	gate    *taskGate
	skipped []skip
}

type stateBlocker struct {
	text  string
	phase string // the phase it is prefixed with, "[Phase 2]: …"
	line  int
}

// taskGate is the current_task block.
type taskGate struct {
	name, plan, phase           string
	status, raw                 string // one of the rules', "" for other words; and as it is written
	step                        string
	executor, verify, architect string
	started, last               time.Time
	attempt, max                int  // 0: not named
	limited                     bool // max is named
	failures                    []string
	skipReason, skippedBy       string // what a skip has left
	skippedAt                   string
	line                        int // of the block; of gate_status where that is there
}

// skip is a task whose gate a user has left out.
type skip struct {
	task, reason, by, at string
	line                 int
}

func parseState(text string) (*state, error) {
	doc, _, err := reader.Document(text, "status")
	s := &state{State: rules.ParseState(text)}
	s.Phase, s.PhaseTotal, s.PhaseName = strings.Clone(s.Phase), strings.Clone(s.PhaseTotal), strings.Clone(s.PhaseName)
	s.readBody(doc)
	s.readGate(text)
	s.readSkips(text)
	return s, err
}

// readBody reads the sections. A position without its heading is one too: a command of the protocol writes such files.
func (s *state) readBody(doc yamldoc.Document) {
	section := "current position"
	for l := range markdown.Lines(doc.Body, doc.BodyLine) {
		switch {
		case l.Code || l.Comment:
		case l.Level > 0:
			section = strings.ToLower(l.Title)
		case strings.HasPrefix(section, "performance metrics"):
			s.metric(l.Text)
		case strings.HasPrefix(section, "blockers"):
			s.blocker(l)
		case strings.HasPrefix(section, "session continuity"):
			s.continuity(l.Text)
		default:
			s.position(l)
		}
	}
}

// field splits a line of the form "Key: value", plain, as an item or bold.
func field(l string) (name, value string, ok bool) {
	m := fieldForm.FindStringSubmatchIndex(l)
	if m == nil {
		return "", "", false
	}
	return strings.ToLower(l[m[2]:m[3]]), strings.TrimSpace(l[m[1]:]), true
}

var plansClaimed = regexp.MustCompile(`(\d{1,6})/(\d{1,6}) plans`)

func (s *state) position(l markdown.Line) {
	name, value, ok := field(l.Text)
	if !ok {
		return
	}
	first := func(at *int) bool {
		if *at > 0 {
			return false
		}
		*at = l.No
		return true
	}
	switch name {
	case "phase":
		first(&s.phaseLine)
	case "status":
		first(&s.statusLine)
	case "last activity":
		if s.activity == "" {
			s.activity, s.activeOn = value, day(value)
		}
	case "progress":
		if !first(&s.progressLine) {
			return
		}
		if p := percentForm.FindString(value); p != "" {
			whole, _, _ := strings.Cut(strings.TrimSuffix(p, "%"), ".")
			n, err := strconv.Atoi(whole)
			s.percent, s.percentIs = n, err == nil
		}
		if m := plansClaimed.FindStringSubmatch(value); m != nil {
			s.plans.Done, _ = strconv.Atoi(m[1])
			s.plans.Total, _ = strconv.Atoi(m[2])
		}
	}
}

// metric keeps the numbers that the file has about itself, in its own words: the items, and the rows of the table.
func (s *state) metric(l string) {
	add := func(label, value string) {
		label, value = clean(markdown.Plain(label)), clean(markdown.Plain(value))
		if label != "" && value != "" && strings.Trim(value, "- ·") != "" && len(s.metrics) < maxMetrics {
			s.metrics = append(s.metrics, model.Fact{Label: label, Value: value})
		}
	}
	if cells := markdown.Cells(l); cells != nil {
		if len(cells) > 1 && !markdown.Rule(cells) && !strings.EqualFold(cells[0], "Phase") {
			add("Phase "+cells[0], strings.Join(cells[1:], " · "))
		}
		return
	}
	if item, _, ok := markdown.Item(l); ok {
		if label, value, ok := strings.Cut(item, ":"); ok {
			add(label, value)
		}
	}
}

// maxMetrics is how many numbers of a file are kept.
const maxMetrics = 100

// maxBlockers is how many blockers of a file are kept.
const maxBlockers = 200

func (s *state) blocker(l markdown.Line) {
	item, _, ok := markdown.Item(l.Text)
	box, checked, isBox := markdown.CheckBox(l.Text)
	if isBox {
		item = box
	}
	if !ok || checked || strings.HasPrefix(item, "~~") || saysNone(item) || len(s.blockers) == maxBlockers {
		return
	}
	b := stateBlocker{text: markdown.Plain(item), line: l.No}
	if tag, rest, ok := strings.Cut(strings.TrimPrefix(b.text, "["), "]"); ok && strings.HasPrefix(b.text, "[Phase ") {
		b.phase, b.text = strings.TrimPrefix(tag, "Phase "), strings.TrimLeft(rest, ": ")
	}
	s.blockers = append(s.blockers, b)
}

func (s *state) continuity(l string) {
	name, value, ok := field(l)
	if !ok || value == "" || saysNone(value) {
		return
	}
	switch name {
	case "stopped at":
		s.stoppedAt = value
	case "resume file":
		s.resumeFile = strings.Trim(value, "`")
	}
}

// readGate reads the current_task block, key by key: it is YAML that agents write by hand.
func (s *state) readGate(text string) {
	at, ok := rules.TaskBlock(text)
	if !ok {
		return
	}
	head := 1 + strings.Count(text[:at], "\n")
	inner := dedent(block(text[at:]))
	d, _ := yamldoc.Parse(inner, head+1, "name", "phase", "plan", "gate_status", "gate_step", "executor_status", "verify_status", "architect_status",
		"started_at", "last_step_at", "attempt", "max_attempts", "previous_failures",
		"skip_reason", "skipped_by", "skipped_at")
	g := &taskGate{
		name: d.String("name"), plan: d.String("plan"), phase: d.String("phase"), raw: d.String("gate_status"), step: d.String("gate_step"),
		executor: d.String("executor_status"), verify: d.String("verify_status"), architect: d.String("architect_status"),
		started: reader.Time(d.String("started_at")), last: reader.Time(d.String("last_step_at")), line: max(head, d.Line("gate_status")),
		skipReason: d.String("skip_reason"), skippedBy: d.String("skipped_by"), skippedAt: d.String("skipped_at"),
	}
	g.status = rules.GateStatus(g.raw)
	g.attempt, _ = d.Int("attempt")
	g.max, g.limited = d.Int("max_attempts")
	for _, f := range d.Docs("previous_failures") {
		text := f.String("")
		for _, name := range []string{"error_summary", "error", "reason", "failure_type"} {
			if text == "" {
				text = f.String(name)
			}
		}
		if text != "" && len(g.failures) < maxFailures {
			g.failures = append(g.failures, text)
		}
	}
	s.gate = g
}

// maxFailures is how many failures of a task are shown.
const maxFailures = 20

// block returns the lines below a key that begins a text: those that are indented, and blank ones between them.
func block(text string) string {
	_, rest, _ := strings.Cut(text, "\n")
	end, at := 0, 0
	for l := range strings.Lines(rest) {
		blank := strings.TrimSpace(l) == ""
		if !blank && l[0] != ' ' && l[0] != '\t' {
			break
		}
		at += len(l)
		if !blank {
			end = at
		}
	}
	return rest[:end]
}

// dedent takes the indentation of the first line off all lines.
func dedent(text string) string {
	indent := text[:len(text)-len(strings.TrimLeft(text, " \t\r\n"))]
	indent = indent[strings.LastIndexByte(indent, '\n')+1:]
	var b strings.Builder
	for l := range strings.Lines(text) {
		b.WriteString(strings.TrimPrefix(l, indent))
	}
	return b.String()
}

// readSkips reads the tasks whose gate was left out: in a list of them, or among the tasks.
func (s *state) readSkips(text string) {
	for _, list := range []string{"skipped_tasks", "tasks"} {
		at := scan.FindAtLineStart(text, list+":", 0)
		if at < 0 {
			continue
		}
		head := 1 + strings.Count(text[:at], "\n")
		d, _ := yamldoc.Parse(list+":\n"+block(text[at:]), head)
		for _, one := range d.Docs(list) {
			k := skip{
				task: one.String("task"), reason: one.String("reason"), by: one.String("skipped_by"), at: one.String("timestamp"), line: one.Line("task"),
			}
			if list == "tasks" {
				if !line.ContainsFold(one.String("status"), "unverified") {
					continue
				}
				k.task, k.reason, k.at, k.line = one.String("name"), one.String("skip_reason"), one.String("skipped_at"), one.Line("name")
			}
			if k.task != "" && len(s.skipped) < maxSkips {
				s.skipped = append(s.skipped, k)
			}
		}
	}
}

// maxSkips is how many tasks left out are kept.
const maxSkips = 500
