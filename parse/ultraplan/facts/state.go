// STATE.md: what the file claims of position, progress and numbers, its blockers, the gate of the task at work, and where
// the session stopped. All sections are optional.

package facts

import (
	"regexp"
	"strconv"
	"strings"
	"time"

	"gatehouse/model"
	"gatehouse/model/line"
	"gatehouse/parse/doc"
	"gatehouse/parse/protocol"
	"gatehouse/parse/text/scan"
	"gatehouse/parse/text/yamldoc"
	"gatehouse/parse/ultraplan/rules"
)

// State is what a STATE.md says.
type State struct {
	rules.State
	PhaseLine, StatusLine, ProgressLine int

	Percent    int // of the progress line, rounded down; with percentIs
	HasPercent bool
	Plans      model.Count // "n/m plans complete" behind it
	Activity   string      // "Last activity", its text and its date
	ActiveOn   string
	Metrics    []model.Fact
	Blockers   []StateBlocker
	StoppedAt  string
	ResumeFile string
	// Notes are what the file carries along for the next session: when the last one was and where it stopped, what was decided,
	// what is still to be done.
	Notes []model.Fact

	Gate    *Gate
	Skipped []Skip

	Conflict int // the line on which a merge conflict begins, 0 for none
}

type StateBlocker struct {
	Text  string
	Phase string // the phase it is prefixed with, "[Phase 2]: …"
	Line  int
}

// Gate is the current_task block.
type Gate struct {
	Name, Plan, Phase           string
	Status, Raw                 string // one of the rules', "" for other words; and as it is written
	Step                        string
	Executor, Verify, Architect string
	Started, Last               time.Time
	NoTimes                     []string   // the keys of times that are none
	Attempt, Max                int        // 0: not named
	Counts                      rules.Task // what the prompt reads of them: one rule says what waits
	Failures                    []string
	Twice                       map[string]int // keys that are there more than once, each with the line of its last place
	SkipReason, SkippedBy       string         // what a skip has left
	SkippedAt                   string
	Line                        int // of the block; of gate_status where that is there
}

// Skip is a task whose gate a user has left out.
type Skip struct {
	task, Reason, By, At string
	Line                 int
}

func ParseState(text string) (*State, error) {
	d, _, err := protocol.ReadDocument(text, "status")
	s := &State{State: rules.ParseState(text)}
	s.readBody(d)
	s.readGate(text)
	s.readSkips(text)
	s.Conflict = conflictLine(text)
	return s, err
}

// conflictLine returns the line on which a merge conflict begins that nobody has resolved, 0 for none.
func conflictLine(text string) int {
	no := 0
	for l := range strings.Lines(text) {
		no++
		if mark, _, _ := strings.Cut(strings.TrimRight(l, "\r\n"), " "); mark == "<<<<<<<" || mark == ">>>>>>>" {
			return no
		}
	}
	return 0
}

// Unwritable says why nothing is written into a STATE.md, "" for one that is whole: an empty one has yet to be written or has
// been cut off, and in a merge conflict nobody knows which side will stay.
func Unwritable(text string) string {
	if strings.TrimSpace(text) == "" {
		return "STATE.md is empty"
	}
	if no := conflictLine(text); no > 0 {
		return "STATE.md has a merge conflict on line " + strconv.Itoa(no)
	}
	return ""
}

// readBody reads the sections. A position without its heading is one too: a command of the protocol writes such files.
func (s *State) readBody(page yamldoc.Document) {
	section := "current position"
	for l := range page.Lines() {
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
		case strings.HasPrefix(section, "decisions"):
			s.note("decided", l.Text)
		case strings.HasPrefix(section, "pending todos"):
			s.note("todo", l.Text)
		default:
			s.position(l)
		}
	}
}

var plansClaimed = regexp.MustCompile(`(\d{1,6})/(\d{1,6}) plans`)

func (s *State) position(l doc.Line) {
	name, value, ok := Field(l.Text)
	if !ok {
		return
	}
	first := func(at *int) bool {
		if *at > 0 {
			return false
		}
		*at = l.Number
		return true
	}
	switch name {
	case "phase":
		first(&s.PhaseLine)
	case "status":
		first(&s.StatusLine)
	case "last activity":
		if s.Activity == "" {
			s.Activity, s.ActiveOn = value, Date(value)
		}
	case "progress":
		if !first(&s.ProgressLine) {
			return
		}
		if p := PercentIn(value); p != "" {
			whole, _, _ := strings.Cut(strings.TrimSuffix(p, "%"), ".")
			n, err := strconv.Atoi(whole)
			s.Percent, s.HasPercent = n, err == nil
		}
		if m := plansClaimed.FindStringSubmatch(value); m != nil {
			s.Plans.Done, _ = strconv.Atoi(m[1])
			s.Plans.Total, _ = strconv.Atoi(m[2])
		}
	}
}

// metric keeps the numbers that the file has about itself, in its own words: the items, and the rows of the table.
func (s *State) metric(l string) {
	add := func(label, value string) {
		label, value = line.Tidy(doc.StripMarks(label)), line.Tidy(doc.StripMarks(value))
		if label != "" && value != "" && strings.Trim(value, "- ·") != "" && len(s.Metrics) < maxMetrics {
			s.Metrics = append(s.Metrics, model.Fact{Label: label, Value: value})
		}
	}
	if cells := doc.SplitCells(l); cells != nil {
		if len(cells) > 1 && !doc.IsTableRule(cells) && !strings.EqualFold(cells[0], "Phase") {
			add("Phase "+cells[0], strings.Join(cells[1:], " · "))
		}
		return
	}
	if item, _, ok := doc.ParseItem(l); ok {
		if label, value, ok := strings.Cut(item, ":"); ok {
			add(label, value)
		}
	}
}

// maxMetrics is how many numbers of a file are kept.
const maxMetrics = 100

// maxBlockers is how many blockers of a file are kept.
const maxBlockers = 200

func (s *State) blocker(l doc.Line) {
	item, _, ok := doc.ParseItem(l.Text)
	box, checked, isBox := doc.ParseCheckBox(l.Text)
	if isBox {
		item = box
	}
	if !ok || checked || strings.HasPrefix(item, "~~") || SaysNone(item) || len(s.Blockers) == maxBlockers {
		return
	}
	b := StateBlocker{Text: doc.StripMarks(item), Line: l.Number}
	if tag, rest, ok := strings.Cut(strings.TrimPrefix(b.Text, "["), "]"); ok && strings.HasPrefix(b.Text, "[Phase ") {
		b.Phase, b.Text = strings.TrimPrefix(tag, "Phase "), strings.TrimLeft(rest, ": ")
	}
	s.Blockers = append(s.Blockers, b)
}

// maxNotes is how many notes of a file are kept, the first ones.
const maxNotes = 100

// note keeps an item of a list; one that is checked off is done.
func (s *State) note(label, l string) {
	item, _, ok := doc.ParseItem(l)
	if box, checked, isBox := doc.ParseCheckBox(l); isBox {
		if checked {
			return
		}
		item = box
	}
	if item = line.Tidy(doc.StripMarks(item)); ok && item != "" && !SaysNone(item) && len(s.Notes) < maxNotes {
		s.Notes = append(s.Notes, model.Fact{Label: label, Value: item})
	}
}

func (s *State) continuity(l string) {
	name, value, ok := Field(l)
	if !ok || value == "" || SaysNone(value) {
		return
	}
	switch name {
	case "last session":
		s.Notes = append(s.Notes, model.Fact{Label: "last session", Value: line.Tidy(value)})
	case "stopped at":
		s.StoppedAt = value
		s.Notes = append(s.Notes, model.Fact{Label: "stopped at", Value: line.Tidy(value)})
	case "resume file":
		s.ResumeFile = strings.Trim(value, "`")
	}
}

// readGate reads the current_task block, key by key: it is YAML that agents write by hand.
func (s *State) readGate(text string) {
	at, ok := rules.TaskBlock(text)
	if !ok {
		return
	}
	head := 1 + strings.Count(text[:at], "\n")
	inner := dedent(IndentedLines(text[at:]))
	d, _ := yamldoc.Parse(inner, head+1, "name", "phase", "plan", "gate_status", "gate_step", "executor_status", "verify_status", "architect_status",
		"started_at", "last_step_at", "attempt", "max_attempts", "previous_failures",
		"skip_reason", "skipped_by", "skipped_at")
	g := &Gate{
		Name: d.String("name"), Plan: d.String("plan"), Phase: d.String("phase"), Raw: d.String("gate_status"), Step: d.String("gate_step"),
		Executor: d.String("executor_status"), Verify: d.String("verify_status"), Architect: d.String("architect_status"),
		Started: protocol.ParseTime(d.String("started_at")), Last: protocol.ParseTime(d.String("last_step_at")), Line: max(head, d.Line("gate_status")),
		SkipReason: d.String("skip_reason"), SkippedBy: d.String("skipped_by"), SkippedAt: d.String("skipped_at"),
	}
	for _, key := range []string{"started_at", "last_step_at"} {
		if text := d.String(key); text != "" && protocol.ParseTime(text).IsZero() {
			g.NoTimes = append(g.NoTimes, key)
		}
	}
	g.Status = rules.GateStatus(g.Raw)
	g.Attempt, _ = d.Int("attempt")
	g.Max, _ = d.Int("max_attempts")
	g.Counts, g.Twice = s.Task, d.Twice()
	for _, f := range d.Docs("previous_failures") {
		text := f.String("")
		for _, name := range []string{"error_summary", "error", "reason", "failure_type"} {
			if text == "" {
				text = f.String(name)
			}
		}
		if text != "" && len(g.Failures) < MaxFailures {
			g.Failures = append(g.Failures, text)
		}
	}
	s.Gate = g
}

// MaxFailures is how many failures of a task are shown.
const MaxFailures = 20

// IndentedLines returns the lines below a key that begins a text: those that are indented, and blank ones between them.
func IndentedLines(text string) string {
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

// listLines is IndentedLines for a list, whose items may also stand at the margin.
func listLines(text string) string {
	_, rest, _ := strings.Cut(text, "\n")
	end := 0
	for l := range strings.Lines(rest) {
		if strings.TrimSpace(l) != "" && l[0] != ' ' && l[0] != '\t' && !strings.HasPrefix(l, "- ") {
			break
		}
		end += len(l)
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
func (s *State) readSkips(text string) {
	for _, list := range []string{"skipped_tasks", "tasks"} {
		at := scan.FindAtLineStart(text, list+":", 0)
		if at < 0 {
			continue
		}
		head := 1 + strings.Count(text[:at], "\n")
		d, _ := yamldoc.Parse(list+":\n"+listLines(text[at:]), head)
		for _, one := range d.Docs(list) {
			k := Skip{
				task: one.String("task"), Reason: one.String("reason"), By: one.String("skipped_by"), At: one.String("timestamp"), Line: one.Line("task"),
			}
			if list == "tasks" {
				if !line.ContainsFold(one.String("status"), "unverified") {
					continue
				}
				k.task, k.Reason, k.At, k.Line = one.String("name"), one.String("skip_reason"), one.String("skipped_at"), one.Line("name")
			}
			if k.task != "" && len(s.Skipped) < maxSkips {
				s.Skipped = append(s.Skipped, k)
			}
		}
	}
}

// maxSkips is how many tasks left out are kept.
const maxSkips = 500

// Spent reports whether no attempt is left, or nobody can tell.
func (g *Gate) Spent() bool { return g.Counts.Spent() }
