package core

import (
	"slices"

	"gatehouse/model/line"
	"gatehouse/parse/disk/peek"
	"gatehouse/parse/doc"
)

// SpecKit is the name of GitHub Spec Kit: features in specs/NNN-name, and runs of workflows in .specify/workflows/runs.
const SpecKit = "speckit"

const specKitHome = ".specify"

// ReadSpecKit reads the features, the current one first, and the runs. Completed runs are shown only if there are no features.
func ReadSpecKit(f Files) (builds []*Build) {
	names := f.List(specKitHome)
	features := findFeatures(f, names)
	current, missing := findCurrent(f, features, slices.Contains(names, "feature.json"))
	if current != nil {
		current.read()
		if missing != "" {
			current.b.reportProblem(specKitHome+"/feature.json", 0, "feature.json names "+missing+", which is not there", "correct it, or run "+current.commandFor("specify"))
		}
		current.b.Selected = true
		builds = append(builds, current.b)
	}
	if current == nil || !f.Shallow() {
		for _, s := range features {
			if s != current && s.isFeature() {
				s.read()
				builds = append(builds, s.b)
			}
		}
	}
	hasFeature := len(builds) > 0
	if slices.Contains(names, "workflows/") {
		for _, id := range dirsIn(f, specKitRuns) {
			if f.Shallow() && hasFeature && !(f.WantsWaits() && mayWait(f, id)) {
				continue
			}
			if b := readRun(f, id); b != nil && !(hasFeature && b.Raw == "completed") {
				builds = append(builds, b)
			}
		}
	}
	return builds
}

// findFeatures returns the directories that may be features, in the order of their names; names are those in .specify. Without a
// .specify, a feature has to be named like one.
func findFeatures(f Files, names []string) (all []*feature) {
	roots := []string{"specs"}
	if slices.Contains(names, "specs/") {
		roots = append(roots, specKitHome+"/specs")
	}
	for _, root := range roots {
		for _, name := range dirsIn(f, root) {
			if !isArchive(name) && (len(names) > 0 || isNumbered(name)) {
				dir := root + "/" + name
				all = append(all, &feature{f: f, hasHome: len(names) > 0, b: &Build{Format: SpecKit, ID: name, Dir: dir, File: dir + "/spec.md"}})
			}
		}
	}
	return all
}

// findCurrent returns the feature that is worked on, nil without one: the one that feature.json names, which may be a path of another
// machine; else the one of the branch, else the last one that is not complete. missing is a directory that feature.json names and
// that is not there.
func findCurrent(f Files, features []*feature, hasPointer bool) (current *feature, missing string) {
	if hasPointer {
		tree, _ := f.JSON(specKitHome + "/feature.json")
		named := tree.Root().Get("feature_directory").Text()
		for _, s := range features {
			if named != "" && (named == s.b.Dir || doc.HasSuffix(named, "/"+s.b.Dir) || baseName(named) == s.b.ID) && s.isFeature() {
				return s, ""
			}
		}
		missing = named
	}
	if len(features) == 0 {
		return nil, missing
	}
	head, _ := f.Text(".git/HEAD")
	if _, branch, ok := doc.Cut(trimBlanks(head), "refs/heads/"); ok {
		for _, s := range features {
			n := doc.CountDigits(s.b.ID)
			if (branch == s.b.ID || isNumbered(s.b.ID) && doc.HasPrefix(branch, s.b.ID[:n+1])) && s.isFeature() {
				return s, missing
			}
		}
	}
	for i := len(features) - 1; i >= 0; i-- {
		if s := features[i]; s.isFeature() {
			if s.read(); s.b.Status != Done && s.b.Status != Skipped {
				return s, missing
			}
		}
	}
	return nil, missing
}

// isNumbered reports whether a directory is named like a feature: NNN-name.
func isNumbered(name string) bool {
	n := doc.CountDigits(name)
	return n >= 3 && n < len(name) && name[n] == '-'
}

// feature is a feature while it is read.
type feature struct {
	f       Files
	b       *Build
	hasHome bool     // the project has a .specify
	names   []string // in its directory
	ids     map[string]bool
	spec    string
	isRead  bool
}

// isFeature reports whether the directory holds a feature.
func (s *feature) isFeature() bool {
	if s.names == nil {
		s.names = s.f.List(s.b.Dir)
	}
	return s.hasFile("spec.md") || s.hasFile("tasks.md") || s.hasHome && s.hasFile("plan.md")
}

func (s *feature) pathOf(name string) string { return s.b.Dir + "/" + name }

func (s *feature) hasFile(name string) bool { return slices.Contains(s.names, name) }

// read reads the files, once.
func (s *feature) read() {
	if s.isRead {
		return
	}
	s.isRead = true
	tasks := ""
	if s.hasFile("spec.md") {
		if s.spec, _ = s.b.read(s.f, s.pathOf("spec.md")); isTemplate(s.spec) {
			s.spec = ""
		}
	}
	if s.hasFile("tasks.md") {
		tasks, _ = s.b.read(s.f, s.pathOf("tasks.md"))
		if s.b.File = s.pathOf("tasks.md"); isTemplate(tasks) {
			s.b.reportProblem(s.b.File, 0, "this is the template of tasks.md, which nobody has filled in", "run "+s.commandFor("tasks"))
			tasks = ""
		}
	}
	title, whole := documentTitle(s.spec)
	if s.b.Title = title; !doc.HasPrefix(whole, "Feature Specification") && title == "" {
		s.b.Title = whole
	}
	for _, text := range [...]func() string{func() string { return tasks }, s.readPlan} {
		if s.b.Title == "" {
			s.b.Title, _ = documentTitle(text())
		}
	}
	if s.b.Title == "" {
		s.b.Title = s.b.ID
	}
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

// readPlan returns the text of plan.md; nothing but the stage depends on it.
func (s *feature) readPlan() (text string) {
	if s.hasFile("plan.md") {
		text, _ = s.f.Text(s.pathOf("plan.md"))
	}
	return text
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
	open := b.firstOpen(func(t *Item) bool { return !t.Status.IsClosed() })
	hasQuestions := len(b.Waits) > 0 && b.Waits[0].File == s.pathOf("spec.md")
	switch {
	case open != nil:
		b.Now, b.NextItem = open, open
		b.Next, b.NextWhy = s.commandFor("implement"), open.Name()+" is the first open task"
	case b.Unread != "":
	case s.spec == "":
		b.Next, b.NextWhy = s.commandFor("specify"), "there is no spec.md"
	case hasQuestions:
		b.Next, b.NextWhy = s.commandFor("clarify"), "spec.md has open questions"
	case s.readPlan() == "" || isTemplate(s.readPlan()):
		b.Next, b.NextWhy = s.commandFor("plan"), "there is a specification and no plan"
	default:
		b.Next, b.NextWhy = s.commandFor("tasks"), "there is a plan and no task"
	}
}

// notPhases are the first words of headings whose boxes are examples, reviews or notes.
var notPhases = []string{"dependenc", "parallel", "implementation strategy", "notes", "format", "path convention", "success criteria",
	"execution flow", "within phase", "task summary", "review & acceptance"}

func isNoPhase(title string) bool {
	title = doc.Lower(title)
	for _, prefix := range notPhases {
		if doc.HasPrefix(title, prefix) {
			return true
		}
	}
	return doc.Contains(title, "checklist")
}

// parsePhase splits the title of a heading "Phase 3: Setup" or "Phase 6 (Final): Polish".
func parsePhase(title string) (number, name string, ok bool) {
	if doc.HasPrefix(title, "[") || !doc.HasPrefix(doc.Lower(title), "phase ") {
		return "", title, false
	}
	rest := trimBlanks(title[len("phase "):])
	n := 0
	for n < len(rest) && (isAlnum(rest[n]) || rest[n] == '.' && n+1 < len(rest) && isAlnum(rest[n+1])) {
		n++
	}
	if number = rest[:n]; n == 0 || !isDigit(number[0]) && n > 2 {
		return "", title, false
	}
	rest = trimBlanks(rest[n:])
	if doc.HasPrefix(rest, "(") {
		if note, behind, found := doc.Cut(rest[1:], ")"); found {
			if rest = trimBlanks(behind); rest == "" {
				rest = note
			}
		}
	}
	for _, mark := range [...]string{":", "：", "—", "–", "-"} {
		if doc.HasPrefix(rest, mark) {
			rest = trimBlanks(rest[len(mark):])
			break
		}
	}
	return number, rest, true
}

// parseTaskID returns the id at the start of a task, "T001" or "I9-T001", and the text after it. Marks of code, bold and struck
// text around it do not matter.
func parseTaskID(text string) (id, rest string) {
	start := 0
	for start < len(text) && doc.Contains("*~`[", text[start:start+1]) {
		start++
	}
	n, digits, prefix := start, 0, 0
	for n < len(text) && (isAlnum(text[n]) || text[n] == '-' && n+1 < len(text) && isAlnum(text[n+1])) {
		switch {
		case isDigit(text[n]):
			digits++
		case digits == 0 && isUpper(text[n]):
			prefix++
		}
		n++
	}
	id = text[start:n]
	isTask := doc.HasPrefix(id, "T") && prefix == 1 && digits > 0 || digits >= 3 && prefix <= 4 || doc.Contains(id, "-T") && digits > 0
	if n == start || !isUpper(id[0]) || !isTask || n < len(text) && blankLen(text[n:]) == 0 && !doc.Contains("*~`]:.,", text[n:n+1]) {
		return "", text
	}
	for n < len(text) && doc.Contains("*~`]:.", text[n:n+1]) {
		n++
	}
	rest = trimBlanks(text[n:])
	for _, dash := range [...]string{"— ", "– ", "- "} {
		if doc.HasPrefix(rest, dash) {
			rest = trimBlanks(rest[len(dash):])
		}
	}
	return id, rest
}

// cutLabels splits the title of a task from the labels before it: "[P] [US1] [Owner: Ann] Title".
func cutLabels(text string) (title, labels string) {
	for title = text; doc.HasPrefix(title, "["); {
		_, rest, ok := doc.Cut(title, "]")
		if rest = trimBlanks(rest); !ok || rest == "" || rest[0] == '(' {
			break
		}
		title = rest
	}
	return title, text[:len(text)-len(title)]
}

// section is the current position in tasks.md.
type section struct {
	phase   *Item
	level   int   // of the heading of the phase
	ignored int   // the level of a heading whose boxes are not tasks, 0 without one
	task    *Item // a task that is a heading; the boxes below are its acceptance criteria
	boxes   Count
}

// readTasks reads tasks.md: a phase is a heading that owns tasks. If one task has an id, boxes without one are details.
func (s *feature) readTasks(text string) {
	for _, needID := range [...]bool{true, false} {
		s.ids, s.b.Phases = map[string]bool{}, nil
		at := section{level: 7}
		fence := walkBoxes(text, func(h heading) { s.addHeading(&at, h, needID) }, func(x box) { s.addBox(&at, x, needID) })
		at.closeTask()
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

func (at *section) closeTask() {
	if at.task != nil && at.boxes.Total > 0 && at.boxes.Done == at.boxes.Total {
		at.task.Status, at.task.Why = Done, "all boxes below its heading are ticked"
	}
	at.task, at.boxes = nil, Count{}
}

func (s *feature) addHeading(at *section, h heading, needID bool) {
	at.closeTask()
	number, name, isPhase := parsePhase(h.title)
	if at.ignored > 0 && h.level <= at.ignored {
		at.ignored = 0
	}
	if id, title := parseTaskID(h.title); needID && id != "" && h.level > 2 && at.ignored == 0 {
		at.task = s.addTask(at, &Item{ID: id, Title: title, Status: Pending, File: s.b.File, At: h.at})
		return
	}
	switch {
	case h.level == 1 && !isPhase:
		return
	case !isPhase && isNoPhase(h.title):
		if at.ignored == 0 {
			at.ignored = h.level
		}
		return
	case isPhase || h.level <= at.level || at.phase == nil:
		at.phase = &Item{ID: number, Title: name, File: s.b.File, At: h.at}
		at.level = h.level
		s.b.Phases = append(s.b.Phases, at.phase)
	}
}

func (s *feature) addBox(at *section, x box, needID bool) {
	id, title := parseTaskID(x.text)
	switch {
	case x.isWord():
		return
	case at.task != nil && id == "":
		at.boxes.Total++
		if x.isTicked() {
			at.boxes.Done++
		}
		return
	case needID && id == "", at.ignored > 0 && id == "":
		return
	}
	title, labels := cutLabels(title)
	task := &Item{ID: id, Title: title, Labels: labels, Status: Pending, Raw: "[" + x.mark + "]", File: s.b.File, At: x.at}
	isDropped := x.mark == "~" && hasAny(x.text, "DROPPED", "SKIPPED")
	switch {
	case x.isTicked():
		task.Status = Done
	case x.mark == "-" || isDropped:
		task.Status, task.Why = Skipped, "its box says that it was left out"
	}
	s.addTask(at, task)
}

// addTask adds a task to the phase. Of two tasks with an id the first one counts: later ones are reviews.
func (s *feature) addTask(at *section, task *Item) *Item {
	if task.ID != "" && s.ids[task.ID] {
		return nil
	}
	if task.ID != "" {
		s.ids[task.ID] = true
	}
	if at.phase == nil {
		at.phase = &Item{Title: "Tasks", File: s.b.File, At: task.At}
		s.b.Phases = append(s.b.Phases, at.phase)
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
	hides := false
	var l doc.Line
	for l = range doc.Lines(s.spec, 0, len(s.spec)) {
		if l.Code || l.Comment {
			hides = hides || l.Code && doc.Contains(l.Text, question)
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
		s.b.reportOpenFence(s.pathOf("spec.md"), fenceAfter(l, hides))
	}
}

// addQuestions adds the questions of a line. Questions in code, comments and struck text do not count.
func (s *feature) addQuestions(l doc.Line) {
	text := l.Text
	for _, pair := range [...][2]string{{"<!--", "-->"}, {"`", "`"}, {"~~", "~~"}} {
		text = cutOut(text, pair[0], pair[1])
	}
	for {
		before, rest, found := doc.Cut(text, question)
		if !found {
			return
		}
		asks, behind, _ := doc.Cut(rest, "]")
		for asks != "" && doc.Contains(": -–—", asks[:1]) {
			asks = asks[1:]
		}
		if asks == "" {
			asks = doc.StripMarks(trimBlanks(before))
		}
		s.b.Waits = append(s.b.Waits, Wait{Text: "answer: " + asks, Place: "spec.md", File: s.pathOf("spec.md"), At: l.At})
		text = behind
	}
}

// cutOut returns text without the parts between two marks.
func cutOut(text, from, to string) string {
	kept := ""
	for {
		before, rest, found := doc.Cut(text, from)
		_, behind, ends := doc.Cut(rest, to)
		if !found || !ends {
			return kept + text
		}
		kept, text = kept+before, behind
	}
}

// addChecklists adds a wait for each checklist with open items: /speckit.implement stops at it.
func (s *feature) addChecklists() {
	if !s.hasFile("checklists/") {
		return
	}
	for _, name := range s.f.List(s.pathOf("checklists")) {
		if !doc.HasSuffix(name, ".md") {
			continue
		}
		file := s.pathOf("checklists/" + name)
		text, ok := s.b.read(s.f, file)
		var c Count
		fence := walkBoxes(text, func(heading) {}, func(x box) {
			if x.mark == "" || x.isTicked() {
				c.Total++
				if x.isTicked() {
					c.Done++
				}
			}
		})
		s.b.reportOpenFence(file, fence)
		if ok && c.Done < c.Total {
			s.b.Waits = append(s.b.Waits, Wait{Text: "review the checklist " + name + ": " + line.Decimal(c.Total-c.Done) + " of " + line.Decimal(c.Total) + " items are open", Place: name, File: file})
		}
	}
}

// isMissing reports whether an error says that a file is not there.
func isMissing(err error) bool { return err != nil && peek.Missing(err) }
