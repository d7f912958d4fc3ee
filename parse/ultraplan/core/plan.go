package core

import (
	"gatehouse/model/line"
	"gatehouse/parse/doc"
)

// readOrder reads what decides the order of plans: the wave and the dependencies, a list or names separated by commas.
func (p *PlanDoc) readOrder(root doc.Value) {
	if wave := doc.Trim(root.Get("wave").Scalar()); doc.CountDigits(wave) == len(wave) {
		p.Wave = wave
	}
	depends := root.Get("depends_on")
	p.DependsOn = splitFiles(depends.Scalar())
	for v := range depends.Elements() {
		p.DependsOn = append(p.DependsOn, splitFiles(v.Scalar())...)
	}
}

// DependencyKey returns the plan that an entry of depends_on names: "03-01-PLAN.md", "01" of its own phase.
func DependencyKey(entry, phase string) string {
	entry = BaseName(entry)
	for _, end := range [...]string{".md", "-PLAN"} {
		if doc.HasSuffix(entry, end) {
			entry = entry[:len(entry)-len(end)]
		}
	}
	return PlanKeyIn(entry, phase)
}

// maxTasks limits the tasks and boxes of a plan; real plans have fewer than twenty.
const maxTasks = 1000

// PlanDoc is a PLAN.md.
type PlanDoc struct {
	Wave        string // digits, "" without a number
	DependsOn   []string
	Objective   string
	Tasks       []TaskDoc
	Boxes       []Box
	HasCriteria bool // whether it has a section of success criteria that ends
	IsCut       bool // it has more tasks or boxes than the limit
	Problems    []Problem
}

// TaskDoc is a <task> of a plan.
type TaskDoc struct {
	Number   string // from "Task 2: …", else its place
	Title    string // without the number
	Name     string // as it is written
	Kind     string // "auto", "checkpoint:decision"
	GateKind string // "blocking"
	Asks     string // what a checkpoint shows or asks
	Expects  string // what a human should check
	Verify   string
	Done     string // the criteria for it to be done
	Files    []string
	Status   string // attribute of the tag
	Line     int
	Open     bool // the closing tag is missing
}

// CheckpointKind returns the kind of a checkpoint, "human-verify"; "" for a task that agents do alone.
func (t *TaskDoc) CheckpointKind() string {
	if doc.HasPrefix(t.Kind, "checkpoint:") {
		return t.Kind[len("checkpoint:"):]
	}
	return ""
}

// ParsePlan parses a PLAN.md.
func ParsePlan(text string) *PlanDoc {
	p := &PlanDoc{}
	f := doc.SplitFrontmatter(text)
	if f.Exists {
		tree := doc.ParseYAML(text, f.Block, f.BlockEnd)
		root := tree.Root()
		p.readOrder(root)
		lines := doc.LineCounter{Text: text}
		for _, problem := range tree.Problems {
			p.Problems = append(p.Problems, Problem{lines.Line(problem.At), problem.Text, problem.Fix})
		}
	}
	p.Objective = FirstLine(doc.FindElement(text[f.Body:], "objective"))
	p.readTasks(text, f.Body)
	p.Boxes, p.HasCriteria = ParseCriteria(text)
	if len(p.Tasks) > maxTasks || len(p.Boxes) > maxTasks {
		p.Tasks, p.Boxes, p.IsCut = p.Tasks[:min(len(p.Tasks), maxTasks)], p.Boxes[:min(len(p.Boxes), maxTasks)], true
	}
	return p
}

// readTasks reads the blocks that have a type. Others are examples in prose.
func (p *PlanDoc) readTasks(text string, body int) {
	for _, b := range doc.ParseTasks(text, body, len(text)) {
		kind := doc.ParseAttribute(b.Tag, "type")
		if kind == "" {
			continue
		}
		if len(p.Tasks) > maxTasks {
			return
		}
		t := newTaskDoc(kind, &b)
		if t.Number == "" {
			t.Number = line.Decimal(len(p.Tasks) + 1)
		}
		p.Tasks = append(p.Tasks, t)
	}
}

func newTaskDoc(kind string, b *doc.Task) TaskDoc {
	child := doc.FindChildren(b.Inner, "name", "files", "action", "verify", "done", "what-built", "how-to-verify", "resume-signal", "decision", "context", "options", "instructions", "question")
	t := TaskDoc{
		Name: FirstLine(child["name"]), Kind: kind, GateKind: doc.ParseAttribute(b.Tag, "gate"), Status: doc.ParseAttribute(b.Tag, "status"),
		Verify: FirstLine(child["verify"]), Done: FirstLine(child["done"]), Expects: FirstLine(child["how-to-verify"]), Line: b.Line, Open: b.Open,
	}
	t.Number, t.Title, _ = doc.ParseTaskNumber(t.Name)
	t.Files = splitFiles(child["files"])
	if t.CheckpointKind() == "" {
		return t
	}
	for _, ask := range [...]string{"what-built", "decision", "question", "instructions", "action"} {
		if t.Asks = FirstLine(child[ask]); t.Asks != "" {
			break
		}
	}
	if t.Title == "" {
		t.Title = t.Asks
	}
	return t
}

// splitFiles splits a list of files at commas and line ends.
func splitFiles(text string) (files []string) {
	from := 0
	for i := 0; i <= len(text); i++ {
		if i < len(text) && text[i] != ',' && text[i] != '\n' {
			continue
		}
		f := doc.Trim(text[from:i])
		from = i + 1
		for doc.HasPrefix(f, "`") {
			f = f[1:]
		}
		for doc.HasSuffix(f, "`") {
			f = f[:len(f)-1]
		}
		if doc.HasPrefix(f, "- ") {
			f = f[2:]
		}
		if f != "" {
			files = append(files, f)
		}
	}
	return files
}

// BoxOf returns the box of a task among the success criteria, nil without one.
func (p *PlanDoc) BoxOf(t *TaskDoc) *Box {
	if i, why := FindBox(p.Boxes, t.Name); why == "" {
		return &p.Boxes[i]
	}
	return nil
}

// FindTask returns the task with a name, else with the number at the beginning of the name; nil without one.
func (p *PlanDoc) FindTask(name string) *TaskDoc {
	for i := range p.Tasks {
		if SameName(p.Tasks[i].Name, name) {
			return &p.Tasks[i]
		}
	}
	if number, _, ok := doc.ParseTaskNumber(doc.Trim(name)); ok {
		return p.TaskNumbered(number)
	}
	return nil
}

// TaskNumbered returns the first task with a number, nil without one.
func (p *PlanDoc) TaskNumbered(number string) *TaskDoc {
	for i := range p.Tasks {
		if p.Tasks[i].Number == number {
			return &p.Tasks[i]
		}
	}
	return nil
}

// The reasons why a task has no box.
const (
	BoxNotFound  = "not-found" // no box names the task: the usual case
	BoxAmbiguous = "ambiguous" // several boxes name it
)

// Box is a check box among the success criteria.
type Box struct {
	Name    string // without a date of completion and the marks of bold text
	Date    string // when it was checked off
	Checked bool
	Line    int
	Mark    int // offset of the mark in the brackets
	End     int // offset after its text
}

// ParseCriteria returns the boxes of the success criteria: of the last section after the last </tasks>, else of the last one before the first
// <tasks>. ok is false without a section that ends, as in a half-written file.
//
// Fences count only after </tasks>. Fences in actions before it may be unbalanced and must not hide what follows.
func ParseCriteria(text string) (boxes []Box, ok bool) {
	first, last := -1, -1
	for at := 0; at < len(text); {
		end := doc.Index(text[at:], "\n")
		if end < 0 {
			end = len(text) - at - 1
		}
		switch doc.Trim(text[at : at+end+1]) {
		case "<tasks>":
			if first < 0 {
				first = at
			}
		case "</tasks>":
			last = at + end + 1
		}
		at += end + 1
	}
	boxes, opens, ends := boxesIn(text, max(0, last), len(text))
	if !opens && last >= 0 {
		before := last
		if first >= 0 && first < last {
			before = first
		}
		boxes, opens, ends = boxesIn(text, 0, before)
	}
	return boxes, opens && ends
}

// boxesIn returns the boxes of the last section in text[from:to], whether a section begins in it, and whether that one ends.
func boxesIn(text string, from, to int) (boxes []Box, opens, ends bool) {
	for l := range doc.Lines(text, from, to) {
		if l.Code || l.Comment {
			continue
		}
		switch doc.Trim(l.Text) {
		case "<success_criteria>":
			boxes, opens, ends = nil, true, false
		case "</success_criteria>":
			ends = ends || opens
		default:
			if opens && !ends {
				if b, ok := parseBox(&l); ok {
					boxes = append(boxes, b)
				}
			}
		}
	}
	return boxes, opens, ends
}

// parseBox parses "- [x] a text (completed 2026-01-26)".
func parseBox(l *doc.Line) (b Box, ok bool) {
	at := skipBlanks(l.Text, 0)
	if at == len(l.Text) || !doc.Contains("-*+", l.Text[at:at+1]) {
		return b, false
	}
	box := skipBlanks(l.Text, at+1)
	rest := l.Text[box:]
	if box == at+1 || len(rest) < 4 || rest[0] != '[' || !doc.Contains(" xX", rest[1:2]) || rest[2] != ']' || rest[3] != ' ' && rest[3] != '\t' {
		return b, false
	}
	end := len(l.Text)
	for end > box+3 && doc.Contains(" \t\r", l.Text[end-1:end]) {
		end--
	}
	name := doc.Trim(l.Text[box+3 : end])
	if name == "" || name[0] == '\f' {
		return b, false
	}
	b = Box{Checked: rest[1] != ' ', Line: l.Number, Mark: l.At + box + 1, End: l.At + end, Name: name}
	const open, stamp = "(completed ", "(completed 2006-01-02)"
	if cut := len(name) - len(stamp); cut >= 0 && doc.HasPrefix(name[cut:], open) && name[len(name)-1] == ')' && isDateForm(name[cut+len(open):len(name)-1]) {
		b.Date, b.Name = name[cut+len(open):len(name)-1], doc.Trim(name[:cut])
	}
	if doc.HasPrefix(b.Name, "**") && doc.HasSuffix(b.Name, "**") && len(b.Name) >= 4 {
		b.Name = doc.Trim(b.Name[2 : len(b.Name)-2])
	}
	return b, true
}

// isDateForm reports whether a text has the form 2006-01-02.
func isDateForm(text string) bool {
	return len(text) == 10 && text[4] == '-' && text[7] == '-' && doc.CountDigits(text[:4])+doc.CountDigits(text[5:7])+doc.CountDigits(text[8:]) == 8
}

// FindBox returns the box of a task: the first open one with its name, else the only one with its number. Without one, why is the reason.
func FindBox(boxes []Box, task string) (i int, why string) {
	exact := -1
	names := make([]string, len(boxes))
	for i := range boxes {
		if SameName(boxes[i].Name, task) && (exact < 0 || boxes[exact].Checked && !boxes[i].Checked) {
			exact = i
		}
		for names[i] = boxes[i].Name; doc.HasPrefix(names[i], "*"); {
			names[i] = names[i][1:]
		}
	}
	if exact >= 0 {
		return exact, ""
	}
	return FindByNumber(names, task)
}

// FindByNumber returns the only name with the number of a task, "Task 2: …". Without one, why is the reason.
func FindByNumber(names []string, task string) (i int, why string) {
	number, _, ok := doc.ParseTaskNumber(doc.Trim(task))
	found, why := -1, BoxNotFound
	for i, name := range names {
		if n, _, isTask := doc.ParseTaskNumber(name); !ok || !isTask || n != number {
			continue
		}
		if found >= 0 {
			return -1, BoxAmbiguous
		}
		found, why = i, ""
	}
	return found, why
}

// SummaryDoc is a SUMMARY.md. Its presence closes its plan, whatever its content.
type SummaryDoc struct {
	Duration  string // as it is written
	Completed string // a date
}

// ParseSummary parses a SUMMARY.md.
func ParseSummary(text string) *SummaryDoc {
	s := &SummaryDoc{}
	if f := doc.SplitFrontmatter(text); f.Exists {
		root := doc.ParseYAML(text, f.Block, f.BlockEnd).Root()
		s.Completed = ParseDate(root.Get("completed").Scalar())
		s.Duration = root.Get("duration").Scalar()
	}
	return s
}
