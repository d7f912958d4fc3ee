// PLAN.md: the tasks of a plan, their wave, and what the file itself says of how far they are.

package facts

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"gatehouse/model"
	"gatehouse/parse/disk/mirror"
	"gatehouse/parse/doc"
	"gatehouse/parse/protocol"
	"gatehouse/parse/text/scan"
	"gatehouse/parse/text/yamldoc"
)

// PlanDoc is what a PLAN.md says.
type PlanDoc struct {
	Wave        int
	DependsOn   []string
	Attended    bool // autonomous: false
	Objective   string
	Tasks       []PlanTask
	Boxes       []Box
	HasCriteria bool              // there is a section of success criteria
	front       string            // the frontmatter, with its marks, where it says what the plan waits for
	states      map[string]string // what task_states says, by the number of the task
}

// PlanTask is one <task> of a plan.
type PlanTask struct {
	Number   string // of "Task 2: …", else its place
	Title    string // without the number
	Name     string // as it is written
	Kind     string // "auto", "checkpoint:decision"
	GateKind string // "blocking"
	Asks     string // what a checkpoint shows or asks
	Expects  string // how a human checks it
	Verify   string
	Done     string // when it is done
	Files    []string
	Wave     int
	status   string   // the attribute, "completed"
	Missing  []string // the children that an ordinary task has to have and does not, or has without a text
	Line     int
	Open     bool // its closing tag is missing
}

// Checkpoint returns what kind of checkpoint a task is ("human-verify"), "" for one that agents do alone.
func (t *PlanTask) Checkpoint() string {
	kind, ok := strings.CutPrefix(t.Kind, "checkpoint:")
	if !ok {
		return ""
	}
	return kind
}

func ParsePlan(text string) (*PlanDoc, error) {
	d, front, err := protocol.ReadDocument(text, "wave", "depends_on", "autonomous", "task_states")
	p := &PlanDoc{Attended: front.False("autonomous"), Objective: FirstLine(doc.FindElement(d.Body, "objective"))}
	p.Wave, _ = front.Int("wave")
	for _, plans := range front.Strings("depends_on") {
		for one := range strings.SplitSeq(plans, ",") {
			if one = strings.TrimSpace(one); one != "" {
				p.DependsOn = append(p.DependsOn, one)
			}
		}
	}
	if block, _, ok := scan.Frontmatter(text); ok && (strings.Contains(block, "depends_on") || strings.Contains(block, "wave")) {
		p.front = "---\n" + block + "\n---\n"
	}
	p.readTasks(d)
	p.readStates(front.Doc("task_states"))
	p.Boxes, p.HasCriteria = Criteria(text)
	if len(p.Tasks) > maxTasks || len(p.Boxes) > maxTasks {
		p.Tasks, p.Boxes = slices.Clone(p.Tasks[:min(len(p.Tasks), maxTasks)]), slices.Clone(p.Boxes[:min(len(p.Boxes), maxTasks)])
		if err == nil {
			err = &mirror.Fault{Text: fmt.Sprintf("more than %d tasks or criteria; the rest is left out", maxTasks), Minor: true}
		}
	}
	return p, err
}

// maxTasks is how many tasks of a plan are shown, and how many of its criteria: real ones have less than twenty.
const maxTasks = 1000

var waveHeading = regexp.MustCompile(`^#{2,4}[ \t]+Wave[ \t]+(\d{1,3})\b`)

// readTasks reads the task blocks that have a type: others are examples in prose.
func (p *PlanDoc) readTasks(d yamldoc.Document) {
	wave, read := 0, 0 // the one at work; how much of the body has been looked at for it
	for _, b := range d.Tasks() {
		kind := doc.ParseAttribute(b.Tag, "type")
		if kind == "" {
			continue
		}
		if len(p.Tasks) > maxTasks {
			break // it is said that there are more
		}
		for l := range strings.Lines(d.Body[read:max(read, b.At)]) {
			if l[0] == '#' {
				if m := waveHeading.FindStringSubmatch(l); m != nil {
					wave, _ = strconv.Atoi(m[1])
				}
			}
			read += len(l)
		}
		t := newTask(kind, b)
		t.Wave = wave
		if t.Number == "" {
			t.Number = strconv.Itoa(len(p.Tasks) + 1)
		}
		p.Tasks = append(p.Tasks, t)
	}
}

// ordinary are the children that every task but a checkpoint has.
var ordinary = []string{"name", "files", "action", "verify", "done"}

func newTask(kind string, b doc.Task) PlanTask {
	child := doc.FindChildren(b.Inner, "name", "files", "action", "verify", "done", "what-built", "how-to-verify", "resume-signal", "decision", "context", "options", "instructions", "question")
	t := PlanTask{
		Name: FirstLine(child["name"]), Kind: kind, GateKind: doc.ParseAttribute(b.Tag, "gate"), status: doc.ParseAttribute(b.Tag, "status"),
		Verify: FirstLine(child["verify"]), Done: FirstLine(child["done"]), Expects: FirstLine(child["how-to-verify"]), Line: b.Line, Open: b.Open,
	}
	t.Number, t.Title, _ = doc.ParseTaskNumber(t.Name)
	for f := range strings.FieldsFuncSeq(child["files"], func(r rune) bool { return r == ',' || r == '\n' || r == '\r' }) {
		if f = strings.Trim(strings.TrimSpace(f), "`"); f != "" {
			t.Files = append(t.Files, strings.TrimPrefix(f, "- "))
		}
	}
	if t.Checkpoint() == "" {
		for _, name := range ordinary {
			if text, ok := child[name]; !ok || name != "files" && strings.TrimSpace(text) == "" { // a task may touch no file
				t.Missing = append(t.Missing, name)
			}
		}
		return t
	}
	for _, ask := range []string{"what-built", "decision", "question", "instructions", "action"} {
		if t.Asks = FirstLine(child[ask]); t.Asks != "" {
			break
		}
	}
	if t.Title == "" {
		t.Title = t.Asks
	}
	return t
}

// readStates reads task_states, in which a state is a word or a mapping with one, by ids like "06-01-02".
func (p *PlanDoc) readStates(states yamldoc.Doc) {
	for _, id := range states.Keys() {
		word := states.String(id)
		if word == "" {
			word = states.Doc(id).String("status")
		}
		if p.states == nil {
			p.states = map[string]string{}
		}
		p.states[ParseTaskKey(id).Task] = strings.ToLower(word)
	}
}

// Box returns the box of a task among the success criteria, nil where none names it.
func (p *PlanDoc) Box(t *PlanTask) *Box {
	if i, outcome := FindBox(p.Boxes, t.Name); outcome == "" {
		return &p.Boxes[i]
	}
	return nil
}

// SummaryDoc is what a SUMMARY.md says of how it went. That it is there closes its plan, whatever is in it.
type SummaryDoc struct {
	Duration  model.Millis
	Timed     bool
	Completed string // a date
	Worked    protocol.Worked
}

func ParseSummary(text string) (*SummaryDoc, error) {
	d, front, err := protocol.ReadDocument(text, protocol.SummaryKeys()...)
	s := &SummaryDoc{Completed: Date(front.String("completed")), Worked: protocol.ParseSummaryTimes(d, front)}
	s.Duration, s.Timed = ParseDuration(front.String("duration"))
	return s, err
}
