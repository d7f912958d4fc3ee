// PLAN.md: the tasks of a plan, their wave, and what the file itself says of how far they are.

package ultraplan

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"gatehouse/model"
	"gatehouse/parse/disk/mirror"
	"gatehouse/parse/reader"
	"gatehouse/parse/text/plantask"
	"gatehouse/parse/text/yamldoc"
)

// plan is what a PLAN.md says.
type plan struct {
	wave      int
	dependsOn []string
	attended  bool // autonomous: false
	objective string
	tasks     []task
	boxes     []box
	criteria  bool              // there is a section of success criteria
	states    map[string]string // what task_states says, by the number of the task
}

// task is one <task> of a plan.
type task struct {
	number  string // of "Task 2: …", else its place
	title   string // without the number
	name    string // as it is written
	kind    string // "auto", "checkpoint:decision"
	gate    string // "blocking"
	asks    string // what a checkpoint shows or asks
	expects string // how a human checks it
	verify  string
	done    string // when it is done
	files   []string
	wave    int
	status  string   // the attribute, "completed"
	missing []string // the children that an ordinary task has to have and does not
	line    int
}

// checkpoint returns what kind of checkpoint a task is ("human-verify"), "" for one that agents do alone.
func (t *task) checkpoint() string {
	kind, ok := strings.CutPrefix(t.kind, "checkpoint:")
	if !ok {
		return ""
	}
	return kind
}

func parsePlan(text string) (*plan, error) {
	doc, front, err := reader.Document(text, "wave", "depends_on", "autonomous", "task_states")
	p := &plan{attended: front.False("autonomous"), objective: plainLine(plantask.Element(doc.Body, "objective"))}
	p.wave, _ = front.Int("wave")
	for _, d := range front.Strings("depends_on") {
		for one := range strings.SplitSeq(d, ",") {
			if one = strings.TrimSpace(one); one != "" {
				p.dependsOn = append(p.dependsOn, one)
			}
		}
	}
	p.readTasks(doc)
	p.readStates(front.Doc("task_states"))
	p.boxes, p.criteria = criteria(text)
	if len(p.tasks) > maxTasks || len(p.boxes) > maxTasks {
		p.tasks, p.boxes = slices.Clone(p.tasks[:min(len(p.tasks), maxTasks)]), slices.Clone(p.boxes[:min(len(p.boxes), maxTasks)])
		if err == nil {
			err = &mirror.Fault{Text: fmt.Sprintf("more than %d tasks or criteria; the rest is left out", maxTasks), Minor: true}
		}
	}
	p.letGo()
	return p, err
}

// maxTasks is how many tasks of a plan are shown, and how many of its criteria: real ones have less than twenty.
const maxTasks = 1000

var waveHeading = regexp.MustCompile(`(?m)^#{2,4}[ \t]+Wave[ \t]+(\d{1,3})\b`)

// readTasks reads the task blocks that have a type: others are examples in prose.
func (p *plan) readTasks(doc yamldoc.Document) {
	waves := waveHeading.FindAllStringSubmatchIndex(doc.Body, -1)
	wave := 0
	for _, b := range plantask.Blocks(doc.Body, doc.BodyLine) {
		kind := plantask.Attribute(b.Tag, "type")
		if kind == "" {
			continue
		}
		for len(waves) > 0 && waves[0][0] < b.At {
			wave, _ = strconv.Atoi(doc.Body[waves[0][2]:waves[0][3]])
			waves = waves[1:]
		}
		t := newTask(kind, b)
		t.wave = wave
		if t.number == "" {
			t.number = strconv.Itoa(len(p.tasks) + 1)
		}
		p.tasks = append(p.tasks, t)
	}
}

// ordinary are the children that every task but a checkpoint has.
var ordinary = []string{"name", "files", "action", "verify", "done"}

func newTask(kind string, b plantask.Block) task {
	child := plantask.Children(b.Inner, "name", "files", "action", "verify", "done", "what-built", "how-to-verify", "resume-signal", "decision", "context", "options", "instructions", "question")
	t := task{
		name: plainLine(child["name"]), kind: kind, gate: plantask.Attribute(b.Tag, "gate"), status: plantask.Attribute(b.Tag, "status"),
		verify: plainLine(child["verify"]), done: plainLine(child["done"]), expects: plainLine(child["how-to-verify"]), line: b.Line,
	}
	t.number, t.title, _ = plantask.Number(t.name)
	for f := range strings.FieldsFuncSeq(child["files"], func(r rune) bool { return r == ',' || r == '\n' || r == '\r' }) {
		if f = strings.Trim(strings.TrimSpace(f), "`"); f != "" {
			t.files = append(t.files, strings.TrimPrefix(f, "- "))
		}
	}
	if t.checkpoint() == "" {
		for _, name := range ordinary {
			if _, ok := child[name]; !ok {
				t.missing = append(t.missing, name)
			}
		}
		return t
	}
	for _, ask := range []string{"what-built", "decision", "question", "instructions", "action"} {
		if t.asks = plainLine(child[ask]); t.asks != "" {
			break
		}
	}
	if t.title == "" {
		t.title = t.asks
	}
	return t
}

// readStates reads task_states, in which a state is a word or a mapping with one, by ids like "06-01-02".
func (p *plan) readStates(states yamldoc.Doc) {
	for _, id := range states.Keys() {
		word := states.String(id)
		if word == "" {
			word = states.Doc(id).String("status")
		}
		if p.states == nil {
			p.states = map[string]string{}
		}
		p.states[parseKey(id).task] = strings.ToLower(word)
	}
}

// letGo copies the texts, which are parts of the whole file's and would keep all of it in memory.
func (p *plan) letGo() {
	p.objective = strings.Clone(p.objective)
	for i := range p.dependsOn {
		p.dependsOn[i] = strings.Clone(p.dependsOn[i])
	}
	for i := range p.tasks {
		t := &p.tasks[i]
		for _, s := range []*string{&t.number, &t.title, &t.name, &t.kind, &t.gate, &t.asks, &t.expects, &t.verify, &t.done, &t.status} {
			*s = strings.Clone(*s)
		}
		for j := range t.files {
			t.files[j] = strings.Clone(t.files[j])
		}
	}
	for i := range p.boxes {
		p.boxes[i].name, p.boxes[i].date = strings.Clone(p.boxes[i].name), strings.Clone(p.boxes[i].date)
	}
}

// box returns the box of a task among the success criteria, nil where none names it.
func (p *plan) box(t *task) *box {
	if i, outcome := findBox(p.boxes, t.name); outcome == "" {
		return &p.boxes[i]
	}
	return nil
}

// planTasks returns the tasks as a result is held against them.
func (p *plan) planTasks() []planTask {
	tasks := make([]planTask, len(p.tasks))
	for i := range p.tasks {
		tasks[i] = planTask{Name: p.tasks[i].name, Files: slices.Clone(p.tasks[i].files)}
	}
	return tasks
}

// taskStanding is how far a task is, for finding the next one.
type taskStanding struct {
	Wave          int // tasks of a wave run side by side, after those of the waves before
	Done, Blocked bool
}

// nextTask returns which task comes next, -1 for none: the first that is neither done nor blocked, once all of the waves
// before its own are done. A task that failed comes again.
func nextTask(tasks []taskStanding) int {
	for i, t := range tasks {
		free := !slices.ContainsFunc(tasks, func(o taskStanding) bool { return o.Wave < t.Wave && !o.Done })
		if !t.Done && !t.Blocked && free {
			return i
		}
	}
	return -1
}

// summary is what a SUMMARY.md says of how it went. That it is there closes its plan, whatever is in it.
type summary struct {
	duration  model.Millis
	timed     bool
	completed string // a date
}

func parseSummary(text string) (*summary, error) {
	_, front, err := reader.Document(text, "completed", "duration")
	s := &summary{completed: strings.Clone(day(front.String("completed")))}
	s.duration, s.timed = parseDuration(front.String("duration"))
	return s, err
}
