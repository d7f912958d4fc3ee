// Package core reads the files of spec-driven formats that have no protocol of their own with Gatehouse: Spec Kit, Kiro, OpenSpec,
// BMAD, task-master, and formats that users define. Prompt and dashboard share it.
//
//	Files ── Format.Read ──► Builds: phases with tasks, waits, the next step, problems ── Facts ──► the line
//
// Every format is one file here. A box that an agent ticked is the agent's claim: it counts as done, and nothing else does. What can't be
// read is never done; it is a [Problem], and if it may hide work, the build is [Build.Unread].
//
// The prompt links the package and pays for every import, so it uses neither strings nor fmt.
package core

import (
	"slices"

	"gatehouse/model/line"
	"gatehouse/parse/disk/peek"
	"gatehouse/parse/doc"
)

// Files is the project that a format is read from. Paths are relative to it and separated by "/".
type Files interface {
	// List returns the names in a directory in the order of their bytes. Names of directories end with "/", which does not
	// affect the order.
	List(dir string) []string
	// Text returns the text of a file. The error is [peek.ErrNotExist] if there is none.
	Text(file string) (string, error)
	// JSON returns the parsed text of a file.
	JSON(file string) (*doc.Tree, error)
	// HasMark reports whether one of the Marks of formats is there.
	HasMark(name string) bool
	// Shallow reports that only the current build is wanted, and what waits: a format may leave out the others.
	Shallow() bool
	// WantsWaits reports that waits in other builds than the current one are wanted, too.
	WantsWaits() bool
}

// Format is one of the formats.
type Format struct {
	Name string
	// Marks are names. A directory with none of them is no project of the format.
	Marks []string
	Read  func(f Files) []*Build
}

// Formats are the formats in display order.
var Formats = []Format{
	{SpecKit, []string{".specify", "specs"}, ReadSpecKit},
	{OpenSpec, []string{"openspec"}, ReadOpenSpec},
	{Kiro, []string{".kiro"}, ReadKiro},
	{BMAD, []string{"_bmad-output", "docs", "_bmad", ".bmad", "bmad"}, ReadBMAD},
	{TaskMaster, []string{".taskmaster", "tasks"}, ReadTaskMaster},
}

// Status is the state of an item, with the values of the model that formats have.
type Status uint8

// The statuses. Unknown items are open.
const (
	Unknown Status = iota
	Pending
	Active
	Waiting
	Blocked
	Failed
	Done
	Skipped // not counted anywhere
)

// StatusName returns the word for a status, as in definitions of formats.
func StatusName(s Status) string { return statusNames[s] }

// IsClosed reports whether nothing remains to be done.
func (s Status) IsClosed() bool { return s == Done || s == Skipped }

// Count holds how many of some things are done.
type Count struct{ Done, Total int }

// Add counts one thing, unless it was skipped.
func (c *Count) Add(s Status) {
	if s != Skipped {
		c.Total++
	}
	if s == Done {
		c.Done++
	}
}

// describeOpen says how many things are open: "2 of its 3 tasks are open".
func (c Count) describeOpen(things string) string {
	return line.Decimal(c.Total-c.Done) + " of its " + line.Decimal(c.Total) + " " + things + " are open"
}

// Item is a phase, a task or a subtask.
type Item struct {
	ID, Title string // ID is the number or name that the file gives it, "" without one
	Labels    string // the words in brackets before the title, with the brackets
	Status    Status
	Raw, Why  string
	File      string
	At        int   // offset in File
	Count     Count // of its tasks
	Items     []*Item
	DependsOn []string
	Gate      *Gate
	Optional  bool
}

// addItem adds an item and returns it.
func (it *Item) addItem(child *Item) *Item {
	it.Items = append(it.Items, child)
	return child
}

// settleStatus counts the tasks of a phase and derives its status.
func (it *Item) settleStatus() {
	it.Count = Count{}
	isBegun := false
	for _, task := range it.Items {
		if !task.Optional {
			it.Count.Add(task.Status)
		}
		isBegun = isBegun || task.Status == Active || task.Status == Waiting
	}
	it.deriveStatus(isBegun)
}

// deriveStatus derives the status of a phase: done if all tasks that count are, active if one is done or begun.
func (it *Item) deriveStatus(isBegun bool) {
	switch {
	case it.Count.Total == 0 && len(it.Items) > 0:
		it.Status = Skipped
	case it.Count.Total > 0 && it.Count.Done == it.Count.Total:
		it.Status = Done
	case isBegun || it.Count.Done > 0:
		it.Status = Active
	default:
		it.Status = Pending
	}
}

// Gate is a point where a run stops until a human answers by the command of the format.
type Gate struct {
	Message string
	Options []string
	File    string   // the file that the gate shows
	Command []string // the command that answers it, without the option
	Input   string   // the name of the input that takes the option; "" if only a terminal can answer
	Hint    string   // what to do if Input is ""
}

// Answer returns the command that answers a gate with an option.
func (g *Gate) Answer(option string) []string {
	return append(append([]string(nil), g.Command...), "--input", g.Input+"="+option)
}

// Wait is something that waits for a human.
type Wait struct {
	Text, Place string
	Item        *Item // nil for the build as a whole
	File        string
	At          int
	IsGate      bool // work stops there
	IsReview    bool // work is done and has to be judged
	IsWeak      bool // no file says that a human has to act now
}

// Problem is something that could not be read as it should.
type Problem struct {
	File      string
	At        int
	Text, Fix string
	IsError   bool // something is missing from what is shown
}

// Claim is a statement of a file that other files deny.
type Claim struct {
	Text, Truth, File string
	At                int
}

// Build is a feature, change, run or list of tasks.
type Build struct {
	Format    string
	ID        string // "" if the format has one build in a project
	Title     string // "" for the name of the project
	Dir, File string
	Raw       string
	Phases    []*Item
	Count     Count // the counts behind the progress
	Status    Status
	Why       string
	Selected  bool  // the format names it as the current one
	Now       *Item // the item that is worked on
	Next      string
	NextWhy   string
	NextItem  *Item
	Waits     []Wait
	Problems  []Problem
	Claims    []Claim
	Unread    string // the unreadable part that may hide work
}

// addPhase adds a phase and returns it.
func (b *Build) addPhase(p *Item) *Item {
	b.Phases = append(b.Phases, p)
	return p
}

// askFor adds a wait at which the work on an item stops.
func (b *Build) askFor(it *Item, place, text string) {
	b.Waits = append(b.Waits, Wait{Text: text, Place: place, Item: it, File: it.File, At: it.At, IsGate: true})
}

// reportProblem adds a problem.
func (b *Build) reportProblem(file string, at int, text, fix string) {
	b.Problems = append(b.Problems, Problem{File: file, At: at, Text: text, Fix: fix})
}

// reportOpenFence adds the problem of a block of code that reaches to the end of a file, if there is one. What it hides is unknown.
func (b *Build) reportOpenFence(file string, fence openFence) {
	if fence == noOpenFence {
		return
	}
	b.Problems = append(b.Problems, Problem{File: file, Text: "a block of code has no end", Fix: "close it with ```", IsError: fence == hidingFence})
	if b.Unread == "" && fence == hidingFence {
		b.Unread = baseName(file) + " has an open block of code"
	}
}

// reportUnread adds the problem of a file that can't be read.
func (b *Build) reportUnread(file string, err error) {
	if err == nil || peek.Missing(err) {
		return
	}
	at := 0
	if syntax, ok := err.(*doc.SyntaxError); ok {
		at = syntax.At
	}
	b.Problems = append(b.Problems, Problem{File: file, At: at, Text: "it can't be read: " + err.Error(), Fix: "fix the file; until then nothing of it counts as done", IsError: true})
	if b.Unread == "" {
		b.Unread = baseName(file) + " can't be read"
	}
}

// read returns the text of a file; a file that is there and can't be read is a problem.
func (b *Build) read(f Files, file string) (text string, ok bool) {
	text, err := f.Text(file)
	b.reportUnread(file, err)
	return text, err == nil
}

// readYAML returns the parsed text of a YAML file and reports unsupported parts.
func (b *Build) readYAML(f Files, file string) (root doc.Value, text string) {
	text, ok := b.read(f, file)
	if !ok {
		return doc.Value{}, ""
	}
	tree := doc.ParseYAML(text, 0, len(text))
	for _, p := range tree.Problems {
		b.reportProblem(file, p.At, p.Text, p.Fix)
	}
	return tree.Root(), text
}

// hidePart makes the build unread if a YAML file had a problem, unless its text has a harmless word.
func (b *Build) hidePart(file, harmless string) {
	for _, p := range b.Problems {
		if b.Unread == "" && p.File == file && (harmless == "" || !doc.Contains(p.Text, harmless)) {
			b.Unread = baseName(file) + " can't be read as a whole"
		}
	}
}

// settleStatus counts the tasks of all phases, and derives the status of the build.
func (b *Build) settleStatus() {
	b.countTasks()
	b.setStatus()
}

func (b *Build) countTasks() {
	b.Count = Count{}
	for _, p := range b.Phases {
		b.Count.Done += p.Count.Done
		b.Count.Total += p.Count.Total
	}
}

// setStatus derives the status of the build from its count, its phases and its waits.
func (b *Build) setStatus() {
	isBegun, isDone := b.Count.Done > 0, b.Count.Total > 0 && b.Count.Done == b.Count.Total
	for _, p := range b.Phases {
		isBegun = isBegun || p.Status == Active || p.Status == Waiting
		isDone = isDone && p.Status.IsClosed()
	}
	switch {
	case b.Status == Failed || b.Status == Skipped:
	case b.Waiting() != nil:
		b.Status, b.Why = Waiting, b.Waits[0].Text
	case b.Unread != "":
		b.Status, b.Why = Unknown, b.Unread
	case isDone:
		b.Status, b.Why = Done, "all of its tasks are done"
	case isBegun:
		b.Status, b.Why = Active, "some of its tasks are done or begun"
	case b.Count.Total == 0:
		b.Status, b.Why = Pending, "it has no tasks"
	default:
		b.Status, b.Why = Pending, "none of its tasks is done"
	}
	if b.Unread != "" {
		b.Waits = append(b.Waits, Wait{Text: b.Unread + ": fix it", Place: b.File, File: b.File})
	}
}

// dropEmptyPhases removes the headings that own no task.
func (b *Build) dropEmptyPhases() {
	b.Phases = slices.DeleteFunc(b.Phases, func(p *Item) bool { return len(p.Items) == 0 })
}

// currentTask returns the first required task at work, else the first that can start; nil without one.
func (b *Build) currentTask() (task *Item) {
	for _, p := range b.Phases {
		for _, t := range p.Items {
			switch {
			case t.Optional || t.Status.IsClosed():
			case t.Status == Active:
				return t
			case task == nil && t.Status != Waiting && t.Status != Blocked:
				task = t
			}
		}
	}
	return task
}

// Name returns the name of the item for display: its number and title.
func (it *Item) Name() string {
	title := it.PlainTitle()
	switch {
	case it.ID == "":
		return title
	case title == "" || it.Title == it.ID:
		return it.ID
	}
	return it.ID + " " + title
}

// PlainTitle returns the title without the marks of bold, struck and code text.
func (it *Item) PlainTitle() string {
	if hasAny(it.Title, "**", "`", "~~") {
		return doc.StripMarks(it.Title)
	}
	return it.Title
}

// Current returns the build that a line is about: the one that the format names; else the first one at work with open tasks, then the
// first that failed or has none, then the first that can go on, then the first.
func Current(builds []*Build) *Build {
	var best *Build
	for _, b := range builds {
		if best == nil || b.currentRank() > best.currentRank() {
			best = b
		}
	}
	return best
}

// The ranks of builds for the line.
const (
	rankClosed = iota
	rankOpen
	rankStuck
	rankAtWork
	rankSelected
)

func (b *Build) currentRank() int {
	switch {
	case b.Selected:
		return rankSelected
	case b.Status == Waiting || b.Status == Active && b.Count.Done < b.Count.Total:
		return rankAtWork
	case b.Status == Active || b.Status == Failed:
		return rankStuck
	case b.Status == Pending || b.Status == Unknown:
		return rankOpen
	}
	return rankClosed
}
