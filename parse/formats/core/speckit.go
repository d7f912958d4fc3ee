package core

import (
	"cmp"
	"slices"

	"gatehouse/model/line"
	"gatehouse/parse/doc"
)

// SpecKit is the name of GitHub Spec Kit: features in specs/NNN-name, and runs of workflows in .specify/workflows/runs.
const SpecKit = "speckit"

const specKitHome = ".specify"

// ReadSpecKit reads the features, the current one first, and the runs. Completed runs are shown only if there are no features.
func ReadSpecKit(f Files) (builds []*Build) {
	features := findFeatures(f)
	current, missing := findCurrent(f, features)
	if current != nil {
		current.read()
		if missing != "" {
			text := "feature.json names " + missing + ", which is not there"
			current.b.reportProblem(specKitHome+"/feature.json", 0, text, "correct it, or run "+current.commandFor("specify"))
		}
		current.b.Selected = true
		builds = append(builds, current.b)
	}
	for _, s := range features {
		if s != current && (current == nil || !f.Shallow()) && s.isFeature() {
			s.read()
			builds = append(builds, s.b)
		}
	}
	hasFeature := len(builds) > 0
	for _, id := range dirsIn(f, specKitRuns) {
		if f.Shallow() && hasFeature && !(f.WantsWaits() && mayWait(f, id)) {
			continue
		}
		if b := readRun(f, id); b != nil && !(hasFeature && b.Raw == "completed") {
			builds = append(builds, b)
		}
	}
	return builds
}

// findFeatures returns the directories that may be features, in the order of their names. Without a .specify, a feature has to be named
// like one.
func findFeatures(f Files) (all []*feature) {
	hasHome := len(f.List(specKitHome)) > 0
	for _, root := range [...]string{"specs", specKitHome + "/specs"} {
		for _, name := range dirsIn(f, root) {
			if !isArchive(name) && (hasHome || isNumbered(name)) {
				dir := root + "/" + name
				b := &Build{Format: SpecKit, ID: name, Dir: dir, File: dir + "/spec.md"}
				all = append(all, &feature{folder: folder{f: f, b: b}, hasHome: hasHome})
			}
		}
	}
	return all
}

// findCurrent returns the feature that is worked on, nil without one: the one that feature.json names, which may be a path of another
// machine; else the one of the branch, else the last one that is not complete. missing is a directory that feature.json names and
// that is not there.
func findCurrent(f Files, features []*feature) (current *feature, missing string) {
	tree, _ := f.JSON(specKitHome + "/feature.json")
	named := tree.Root().Get("feature_directory").Text()
	for _, s := range features {
		if named != "" && (doc.HasSuffix("/"+named, "/"+s.b.Dir) || baseName(named) == s.b.ID) && s.isFeature() {
			return s, ""
		}
	}
	head, _ := f.Text(".git/HEAD")
	_, branch, _ := doc.Cut(line.TrimSpace(head), "refs/heads/")
	for _, s := range features {
		n := doc.CountDigits(s.b.ID)
		if (branch == s.b.ID || isNumbered(s.b.ID) && doc.HasPrefix(branch, s.b.ID[:n+1])) && s.isFeature() {
			return s, named
		}
	}
	for _, s := range slices.Backward(features) {
		if s.isFeature() {
			if s.read(); s.b.Status != Done && s.b.Status != Skipped {
				return s, named
			}
		}
	}
	return nil, named
}

// isNumbered reports whether a directory is named like a feature: NNN-name.
func isNumbered(name string) bool {
	n := doc.CountDigits(name)
	return n >= 3 && n < len(name) && name[n] == '-'
}

// feature is a feature while it is read.
type feature struct {
	folder
	hasHome bool // the project has a .specify
	ids     map[string]bool
	spec    string
}

// hasPlan reports whether there is a plan, and not its template alone.
func (s *feature) hasPlan() bool {
	text, _ := s.f.Text(s.pathOf("plan.md"))
	return text != "" && !isTemplate(text)
}

// isFeature reports whether the directory holds a feature.
func (s *feature) isFeature() bool {
	if s.names == nil {
		s.names = s.f.List(s.b.Dir)
	}
	return s.has("spec.md", "tasks.md") || s.hasHome && s.has("plan.md")
}

// read reads the files, once.
func (s *feature) read() {
	if s.ids != nil {
		return
	}
	if s.spec = s.folder.read("spec.md"); isTemplate(s.spec) {
		s.spec = ""
	}
	tasks := s.folder.read("tasks.md")
	if s.has("tasks.md") {
		s.b.File = s.pathOf("tasks.md")
	}
	if isTemplate(tasks) {
		s.b.reportProblem(s.b.File, 0, "this is the template of tasks.md, which nobody has filled in", "run "+s.commandFor("tasks"))
		tasks = ""
	}
	title, whole := documentTitle(s.spec)
	if doc.HasPrefix(whole, "Feature Specification") {
		whole = ""
	}
	titleOfTasks, _ := documentTitle(tasks)
	s.b.Title = cmp.Or(title, whole, titleOfTasks, s.b.ID)
	s.readTasks(tasks)
	s.readSpec()
	s.b.countTasks()
	isClosed := s.b.Status == Skipped || s.b.Count.Total > 0 && s.b.Count.Done == s.b.Count.Total
	if !isClosed {
		s.addChecklists()
	}
	if s.b.setStatus(); !isClosed {
		s.setNext()
	}
}

// commandFor returns a slash command of Spec Kit as the project's agent spells it.
func (s *feature) commandFor(name string) string {
	if tree, err := s.f.JSON(specKitHome + "/integration.json"); err == nil && tree.Root().Get("invoke_separator").Text() == "-" {
		return "/speckit-" + name
	}
	return "/speckit." + name
}

func (s *feature) setNext() {
	b := s.b
	open := b.currentTask()
	switch {
	case open != nil:
		b.Now, b.NextItem = open, open
		b.Next, b.NextWhy = s.commandFor("implement"), open.Name()+" is the first open task"
	case b.Unread != "":
	case s.spec == "":
		b.Next, b.NextWhy = s.commandFor("specify"), "there is no spec.md"
	case len(b.Waits) > 0 && b.Waits[0].File == s.pathOf("spec.md"):
		b.Next, b.NextWhy = s.commandFor("clarify"), "spec.md has open questions"
	case !s.hasPlan():
		b.Next, b.NextWhy = s.commandFor("plan"), "there is a specification and no plan"
	default:
		b.Next, b.NextWhy = s.commandFor("tasks"), "there is a plan and no task"
	}
}

// notPhases are the first words of headings whose boxes are examples, reviews or notes.
var notPhases = []string{"dependenc", "parallel", "implementation strategy", "notes", "format", "path convention", "success criteria",
	"execution flow", "within phase", "task summary", "review & acceptance"}

// isNoPhase reports whether a heading of tasks.md owns no tasks. The title of the document and tasks do not count.
func isNoPhase(h heading) bool {
	title := doc.Lower(h.title)
	_, _, isPhase := parsePhase(h.title)
	id, _ := parseTaskID(h.title)
	isOther := slices.ContainsFunc(notPhases, func(words string) bool { return doc.HasPrefix(title, words) })
	return (isOther || doc.Contains(title, "checklist")) && !isPhase && id == "" && h.level > 1
}

// section is the current position in tasks.md.
type section struct {
	needID bool // boxes without an id are details
	phase  *Item
	level  int   // of the heading of the phase
	task   *Item // a task that is a heading; the boxes below are its acceptance criteria
	boxes  Count // of the task
}

// readTasks reads tasks.md: a phase is a heading that owns tasks. If one task has an id, boxes without one are details.
func (s *feature) readTasks(text string) {
	for _, needID := range [...]bool{true, false} {
		s.ids, s.b.Phases = map[string]bool{}, nil
		at := section{needID: needID, level: 7}
		fence := walkBoxes(text, isNoPhase, func(h heading) { s.addHeading(&at, h) }, func(x box) { s.addBox(&at, x) })
		if needID {
			s.b.reportOpenFence(s.b.File, fence)
		}
		if len(s.ids) > 0 {
			break
		}
	}
	s.b.dropEmptyPhases()
	for _, p := range s.b.Phases {
		p.settleStatus()
	}
}

func (s *feature) addHeading(at *section, h heading) {
	number, name, isPhase := parsePhase(h.title)
	id, title := parseTaskID(h.title)
	at.task, at.boxes = nil, Count{}
	switch {
	case h.aside || h.level == 1 && !isPhase:
	case at.needID && id != "" && h.level > 2:
		at.task = s.addTask(at, &Item{ID: id, Title: title, Status: Pending, File: s.b.File, At: h.at})
	case isPhase || h.level <= at.level || at.phase == nil:
		at.phase, at.level = s.b.addPhase(&Item{ID: number, Title: name, File: s.b.File, At: h.at}), h.level
	}
}

func (s *feature) addBox(at *section, x box) {
	id, title := parseTaskID(x.text)
	switch {
	case x.isWord() && id == "":
		return
	case at.task != nil && id == "":
		at.task.Status, at.task.Why = Pending, ""
		if at.boxes.Add(x.status()); at.boxes.Done == at.boxes.Total {
			at.task.Status, at.task.Why = Done, "all boxes below its heading are ticked"
		}
		return
	case id == "" && (at.needID || x.aside):
		return
	}
	title, labels := cutLabels(title)
	task := &Item{ID: id, Title: title, Labels: labels, Status: x.status(), Raw: "[" + x.mark + "]", File: s.b.File, At: x.at}
	if x.mark == "-" || x.mark == "~" && hasAny(x.text, "DROPPED", "SKIPPED") {
		task.Status, task.Why = Skipped, "its box says that it was left out"
	}
	s.addTask(at, task)
}

// addTask adds a task to the phase. Of two tasks with an id the first one counts: later ones are reviews.
func (s *feature) addTask(at *section, task *Item) *Item {
	if s.ids[task.ID] {
		return nil
	}
	s.ids[task.ID] = task.ID != ""
	if at.phase == nil {
		at.phase = s.b.addPhase(&Item{Title: "Tasks", File: s.b.File, At: task.At})
	}
	return at.phase.addItem(task)
}

// templateQuestions are the sentences with a marker that the template of spec.md has.
var templateQuestions = []string{"Use [NEEDS CLARIFICATION: specific question]", "Mark with [NEEDS CLARIFICATION",
	"[NEEDS CLARIFICATION: auth method not specified - email/password, SSO, OAuth?]", "[NEEDS CLARIFICATION: retention period not specified]"}

// question is the start of a question in spec.md.
const question = "[NEEDS CLARIFICATION"

// readSpec reads the status in spec.md, and adds a wait for each "[NEEDS CLARIFICATION: …]". In most projects the status stays "Draft";
// it only matters if the feature was abandoned.
func (s *feature) readSpec() {
	hasQuestions := doc.Contains(s.spec, question)
	var l doc.Line
	for l = range doc.Lines(s.spec, 0, len(s.spec)) {
		if l.Code || l.Comment {
			continue
		}
		if name, value, _ := doc.ParseField(l.Text); name == "Status" && s.b.Raw == "" {
			if s.b.Raw = value; hasAny(doc.Lower(value), "superseded", "abandoned", "rejected", "deferred") {
				s.b.Status, s.b.Why = Skipped, "spec.md says "+value
			}
			if !hasQuestions {
				return
			}
		}
		if _, isBox := parseBox(l.Text); !isBox && doc.Contains(l.Text, question) && !hasAny(l.Text, templateQuestions...) {
			s.addQuestions(l)
		}
	}
	if s.b.Status == Skipped {
		s.b.Waits = nil
	} else {
		s.b.reportOpenFence(s.pathOf("spec.md"), fenceAfter(l, hasQuestions))
	}
}

// addQuestions adds the questions of a line. Questions in code, comments and struck text do not count.
func (s *feature) addQuestions(l doc.Line) {
	text := l.Text
	for _, pair := range [...][2]string{{"<!--", "-->"}, {"`", "`"}, {"~~", "~~"}} {
		text = cutOut(text, pair[0], pair[1])
	}
	for doc.Contains(text, question) {
		before, rest, _ := doc.Cut(text, question)
		asks, behind, _ := doc.Cut(rest, "]")
		for asks != "" && doc.Contains(": -–—", asks[:1]) {
			asks = asks[1:]
		}
		if asks == "" {
			asks = doc.StripMarks(line.TrimSpace(before))
		}
		s.b.Waits = append(s.b.Waits, Wait{Text: "answer: " + asks, Place: "spec.md", File: s.pathOf("spec.md"), At: l.At})
		text = behind
	}
}

// addChecklists adds a wait for each checklist with open items: /speckit.implement stops at it.
func (s *feature) addChecklists() {
	for _, file := range findFiles(s.f, s.pathOf("checklists"), "*.md") {
		var c Count
		text, ok := s.b.read(s.f, file)
		fence := walkBoxes(text, nil, func(heading) {}, func(x box) {
			if x.mark == "" || x.isTicked() {
				c.Add(x.status())
			}
		})
		s.b.reportOpenFence(file, fence)
		if ok && c.Done < c.Total {
			open := line.Decimal(c.Total-c.Done) + " of " + line.Decimal(c.Total) + " items are open"
			s.b.Waits = append(s.b.Waits, Wait{Text: "review the checklist " + baseName(file) + ": " + open, Place: baseName(file), File: file})
		}
	}
}
