package core

import (
	"cmp"
	"slices"

	"gatehouse/parse/doc"
)

// ProjectFormat is the file that defines a format of a project's own.
const ProjectFormat = ".gatehouse/format.yaml"

// Definition is a format that a user defines. It is data: it reads files below its project and nothing else.
type Definition struct {
	File                 string // the path of the definition, for people
	Name                 string
	Globs                []string
	Phases               string // "2": headings of that level; a path of keys: "plan.phases"; "" for one phase
	Tasks                string // "boxes", "table", or a path of keys below a phase
	ID, Title, StatusKey string // columns or keys
	words                map[string]Status
	Next, Ask            string // texts with {id}, {title} and {file}
	Problems             []Problem
}

// statusNames are the keys below "words".
var statusNames = [...]string{"unknown", "pending", "active", "waiting", "blocked", "failed", "done", "skipped"}

// knownKeys are the keys of a definition.
var knownKeys = []string{"name", "files", "phases", "tasks", "id", "title", "status", "words", "next", "ask"}

// ParseDefinition parses the file of a format. A definition with errors among its problems reads nothing.
func ParseDefinition(file, text string) *Definition {
	d := &Definition{File: file, ID: "id", Title: "title", StatusKey: "status", Tasks: "boxes", words: map[string]Status{}}
	fail := func(at int, text, fix string) {
		d.Problems = append(d.Problems, Problem{File: file, At: at, Text: text, Fix: fix, IsError: true})
	}
	tree := doc.ParseYAML(text, 0, len(text))
	for _, p := range tree.Problems {
		fail(p.At, p.Text, p.Fix)
	}
	root := tree.Root()
	for v := range root.Members() {
		if !slices.Contains(knownKeys, v.Key()) {
			fail(v.KeyOffset(), "unknown key "+v.Key(), "gatehouse knows name, files, phases, tasks, id, title, status, words, next and ask")
		}
	}
	if d.Name = root.Get("name").Text(); !isFormatName(d.Name) {
		fix := "write lower-case letters, digits and “-”, and no name of a protocol"
		fail(root.Get("name").Offset(), "name is missing, or no name for a format", fix)
	}
	files := root.Get("files")
	for _, glob := range append(listTexts(files), files.Text()) {
		switch {
		case glob == "":
		case glob[0] == '/' || hasAny(glob, "..", `\`, ":"):
			fail(files.Offset(), "“"+glob+"” leads out of the project", "name files below the project, such as plans/*/tasks.md")
		default:
			d.Globs = append(d.Globs, glob)
		}
	}
	if len(d.Globs) == 0 {
		fail(files.Offset(), "files names no file", "write a pattern such as plans/*/tasks.md")
	}
	d.Phases = root.Get("phases").Scalar()
	for _, key := range [...]struct {
		name string
		at   *string
	}{{"tasks", &d.Tasks}, {"id", &d.ID}, {"title", &d.Title}, {"status", &d.StatusKey}, {"next", &d.Next}, {"ask", &d.Ask}} {
		if v := root.Get(key.name); v.Text() != "" {
			*key.at = v.Text()
		} else if v.Exists() {
			fail(v.Offset(), key.name+" is no text", "write a text")
		}
	}
	for v := range root.Get("words").Members() {
		status := Status(max(0, slices.Index(statusNames[:], v.Key())))
		if status == Unknown {
			fail(v.KeyOffset(), "unknown status "+v.Key(), "write pending, active, waiting, blocked, failed, done or skipped")
		}
		for _, word := range append(listTexts(v), v.Text()) {
			if word != "" {
				d.words[doc.Lower(word)] = status
			}
		}
	}
	return d
}

// listTexts returns the texts in a list.
func listTexts(list doc.Value) (all []string) {
	for v := range list.Elements() {
		all = append(all, v.Scalar())
	}
	return all
}

func isFormatName(name string) bool {
	for i := range len(name) {
		if c := name[i]; !(c >= 'a' && c <= 'z' || i > 0 && (isDigit(c) || c == '-')) {
			return false
		}
	}
	isBuiltIn := slices.ContainsFunc(Formats, func(f Format) bool { return f.Name == name })
	return name != "" && !isBuiltIn && !slices.Contains([]string{"gsd", "ultraplan", "loop", "fctry", "agents"}, name)
}

// IsUsable reports whether the definition can be used.
func (d *Definition) IsUsable() bool { return len(d.Problems) == 0 }

// Marks returns names. A directory with none of them is no project of the format. A pattern that begins with "*" has
// no mark: it finds files only in a project that defines the format itself.
func (d *Definition) Marks() (marks []string) {
	for _, glob := range d.Globs {
		if first, _, _ := doc.Cut(glob, "/"); !hasAny(first, "*", "?") {
			marks = append(marks, first)
		}
	}
	return marks
}

// Read reads the builds of the format.
func (d *Definition) Read(f Files) (builds []*Build) {
	if !d.IsUsable() {
		b := &Build{Format: d.Name, File: d.File, Dir: parentOf(d.File), Problems: d.Problems, Unread: baseName(d.File) + " can't be used"}
		b.settleStatus()
		return []*Build{b}
	}
	for _, pattern := range d.Globs {
		for _, file := range findFiles(f, "", pattern) {
			b := &Build{Format: d.Name, ID: file, Dir: parentOf(file), File: file}
			(&customFile{d, f, b, nil}).read()
			d.findNext(b)
			builds = append(builds, b)
		}
	}
	return builds
}

// findNext derives what is current and what comes next.
func (d *Definition) findNext(b *Build) {
	b.settleStatus()
	task := b.currentTask()
	if task == nil {
		return
	}
	b.Now, b.NextItem, b.Next, b.NextWhy = task, task, task.Name(), task.Name()+" is the first open task"
	if d.Next != "" {
		b.Next = fillFields(d.Next, task)
	}
}

// fillFields replaces {id}, {title} and {file} in a text.
func fillFields(text string, t *Item) string {
	return doc.ReplaceAll(doc.ReplaceAll(doc.ReplaceAll(text, "{id}", t.ID), "{title}", t.PlainTitle()), "{file}", t.File)
}

// customFile is a file while it is read.
type customFile struct {
	d     *Definition
	f     Files
	b     *Build
	phase *Item
}

func (c *customFile) read() {
	switch file := c.b.File; {
	case doc.HasSuffix(file, ".json"):
		tree, err := c.f.JSON(file)
		if c.b.reportUnread(file, err); err == nil {
			c.readTree(tree.Root())
		}
	case doc.HasSuffix(file, ".yaml"), doc.HasSuffix(file, ".yml"):
		root, _ := c.b.readYAML(c.f, file)
		c.b.hidePart(file, "")
		c.readTree(root)
	default:
		if text, ok := c.b.read(c.f, file); ok {
			c.readMarkdown(text)
		}
	}
	for _, p := range c.b.Phases {
		p.settleStatus()
	}
}

// addPhase begins a phase.
func (c *customFile) addPhase(id, title string, at int) {
	c.phase = c.b.addPhase(&Item{ID: id, Title: title, File: c.b.File, At: at})
}

// addTask adds a task with a status in the words of the file. A word that the format does not list is open.
func (c *customFile) addTask(id, title, word string, isBox bool, at int) {
	if c.phase == nil {
		c.addPhase("", "Tasks", at)
	}
	t := c.phase.addItem(&Item{ID: id, Title: title, Raw: word, File: c.b.File, At: at})
	status, known := c.d.words[doc.Lower(word)]
	switch {
	case known:
	case isBox && (word == "x" || word == "X"):
		status = Done
	case word == "":
		status = Pending
	default:
		t.Why = "the format does not list the word “" + word + "”"
		c.b.reportProblem(c.b.File, at, "unknown status “"+word+"”", "list it below words in "+c.d.File)
	}
	t.Status = status
	ask := "review " + t.Name()
	if status == Blocked {
		ask = t.Name() + " is blocked"
	}
	if c.d.Ask != "" {
		ask = fillFields(c.d.Ask, t)
	}
	if status == Waiting || status == Blocked {
		c.b.askFor(t, t.ID, ask)
	}
}

// readMarkdown reads boxes or rows of tables below headings.
func (c *customFile) readMarkdown(text string) {
	title, whole := documentTitle(text)
	c.b.Title = cmp.Or(title, whole)
	level := 0
	if len(c.d.Phases) == 1 && isDigit(c.d.Phases[0]) {
		level = int(c.d.Phases[0] - '0')
	}
	onHeading := func(h heading) {
		if h.level == level {
			number, title, _ := parsePhase(h.title)
			c.addPhase(number, title, h.at)
		}
	}
	var fence openFence
	if c.d.Tasks == "table" {
		fence = c.readTables(text, onHeading)
	} else {
		fence = walkBoxes(text, nil, onHeading, func(x box) {
			id, title := parseTaskID(x.text)
			if number, rest, _ := parseKiroNumber(x.text); id == "" && number != "" {
				id, title = number, rest
			}
			if _, known := c.d.words[doc.Lower(x.mark)]; known || !x.isWord() || id != "" {
				c.addTask(id, title, x.mark, true, x.at)
			}
		})
	}
	c.b.reportOpenFence(c.b.File, fence)
	c.b.dropEmptyPhases()
}

// readTables reads the rows of the tables that have the columns of the title and of the status.
func (c *customFile) readTables(text string, onHeading func(heading)) openFence {
	var columns [3]int
	isTable, hasColumns := false, false
	var l doc.Line
	for l = range doc.Lines(text, 0, len(text)) {
		cells := doc.SplitCells(l.Text)
		switch {
		case l.Code || l.Comment:
		case l.Level > 0:
			onHeading(heading{level: l.Level, title: doc.StripMarks(l.Title), at: l.At})
			isTable = false
		case cells == nil:
			isTable = false
		case !isTable:
			isTable = true
			columns = [3]int{columnOf(cells, c.d.ID), columnOf(cells, c.d.Title), columnOf(cells, c.d.StatusKey)}
			hasColumns = columns[1] >= 0 && columns[2] >= 0
		case hasColumns && !doc.IsTableRule(cells):
			var values [3]string
			for i, column := range columns {
				if column >= 0 && column < len(cells) {
					values[i] = cells[column]
				}
			}
			c.addTask(values[0], values[1], doc.StripMarks(values[2]), false, l.At)
		}
	}
	return fenceAfter(l, true)
}

// columnOf returns the index of a column, -1 without one.
func columnOf(cells []string, name string) int {
	for i, cell := range cells {
		if doc.Lower(doc.StripMarks(cell)) == doc.Lower(name) {
			return i
		}
	}
	return -1
}

// valueAt returns the value at a path of keys such as "plan.phases".
func valueAt(v doc.Value, path string) doc.Value {
	for path != "" {
		var key string
		key, path, _ = doc.Cut(path, ".")
		v = v.Get(key)
	}
	return v
}

// readTree reads JSON or YAML: lists, or maps whose keys are the ids.
func (c *customFile) readTree(root doc.Value) {
	c.b.Title = root.Get(c.d.Title).Scalar()
	if c.d.Phases == "" {
		c.readTasks(valueAt(root, c.d.Tasks))
		return
	}
	phases := valueAt(root, c.d.Phases)
	for p := range phases.Children() {
		id := cmp.Or(p.Get(c.d.ID).Scalar(), p.Key())
		c.addPhase(id, p.Get(c.d.Title).Scalar(), p.Offset())
		c.readTasks(valueAt(p, c.d.Tasks))
	}
	c.reportMissing(phases, c.d.Phases)
}

// reportMissing reports a path without a list. Then the remaining work is unknown.
func (c *customFile) reportMissing(v doc.Value, path string) {
	if !v.Is(doc.List) && !v.Is(doc.Map) && c.b.Unread == "" {
		c.b.Unread = baseName(c.b.File) + " has no " + path
		c.b.reportProblem(c.b.File, v.Offset(), "there is no list at "+path, "correct the file, or the path in "+c.d.File)
	}
}

func (c *customFile) readTasks(list doc.Value) {
	c.reportMissing(list, c.d.Tasks)
	for t := range list.Children() {
		id, title, status := cmp.Or(t.Get(c.d.ID).Scalar(), t.Key()), t.Get(c.d.Title).Scalar(), t.Get(c.d.StatusKey).Scalar()
		if !t.Is(doc.Map) { // "task: status"
			status = t.Scalar()
		}
		c.addTask(id, title, status, false, t.Offset())
	}
}
