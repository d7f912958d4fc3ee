package core

import (
	"slices"

	"gatehouse/model/line"
	"gatehouse/parse/doc"
)

// Kiro is the name of Kiro: specifications in .kiro/specs, also of cc-sdd, which writes the same files.
const Kiro = "kiro"

const kiroHome = ".kiro/specs"

// ReadKiro reads the specifications. They may be grouped in directories; archives are none.
func ReadKiro(f Files) (builds []*Build) {
	var specs []*spec
	for _, name := range dirsIn(f, kiroHome) {
		if isArchive(name) {
			continue
		}
		if s := readSpec(f, kiroHome+"/"+name, name); s != nil {
			specs = append(specs, s)
			continue
		}
		for _, inner := range dirsIn(f, kiroHome+"/"+name) {
			if s := readSpec(f, kiroHome+"/"+name+"/"+inner, name+"/"+inner); s != nil && !isArchive(inner) {
				specs = append(specs, s)
			}
		}
	}
	for _, s := range specs {
		builds = append(builds, s.b)
	}
	current := Current(builds)
	for _, s := range specs {
		if !f.Shallow() || s.b == current || f.WantsWaits() && s.b.Waiting() != nil {
			s.findTitle()
		}
	}
	return builds
}

// spec is a specification while it is read.
type spec struct {
	f     Files
	b     *Build
	names []string
	meta  doc.Value // spec.json of cc-sdd
	first bool      // the design comes first
}

// readSpec reads the specification in a directory, nil without one.
func readSpec(f Files, dir, id string) *spec {
	s := &spec{f: f, names: f.List(dir), b: &Build{Format: Kiro, ID: id, Dir: dir, File: dir + "/tasks.md"}}
	if !s.hasFile("requirements.md") && !s.hasFile("bugfix.md") && !s.hasFile("design.md") && !s.hasFile("tasks.md") && !s.hasFile("spec.json") && !s.hasFile(".config.kiro") {
		return nil
	}
	if s.hasFile("spec.json") {
		tree, err := f.JSON(dir + "/spec.json")
		s.b.reportUnread(dir+"/spec.json", err)
		s.meta = tree.Root()
	}
	if s.hasFile(".config.kiro") {
		tree, err := f.JSON(dir + "/.config.kiro")
		s.first = err == nil && tree.Root().Get("workflowType").Text() == "design-first"
	}
	if s.hasFile("tasks.md") {
		text, _ := s.b.read(f, s.b.File)
		s.b.Title, _ = documentTitle(text)
		s.readTasks(text)
	}
	s.addWaits()
	s.b.settleStatus()
	s.setNext()
	s.addClaim()
	return s
}

// findTitle takes the title from another document if tasks.md has none, else from the directory. A document that can't be read
// hides no work: it is a problem, and changes nothing else.
func (s *spec) findTitle() {
	for _, name := range [...]string{"requirements.md", "bugfix.md", "design.md"} {
		if s.b.Title == "" && s.hasFile(name) {
			text, err := s.f.Text(s.b.Dir + "/" + name)
			if err != nil && !isMissing(err) {
				s.b.reportProblem(s.b.Dir+"/"+name, 0, "it can't be read: "+err.Error(), "fix the file")
			}
			s.b.Title, _ = documentTitle(text)
		}
	}
	if s.b.Title == "" {
		s.b.Title = baseName(s.b.ID)
	}
}

func (s *spec) hasFile(name string) bool { return slices.Contains(s.names, name) }

// kiroTask is a box while the tree is made.
type kiroTask struct {
	*Item
	number   string // "" without one
	indent   int
	sections [2]int // index of the level-2 and of the level-3 heading above
	parent   *kiroTask
	required int // required tasks below
	isLeaf   bool
}

// parseKiroNumber returns the number that a task begins with, and the text behind it. A star behind it marks an optional task.
func parseKiroNumber(text string) (number, rest string, isOptional bool) {
	for doc.HasPrefix(text, "*") {
		text = text[1:]
	}
	n, digits, dots := 0, 0, 0
	for n < len(text) && (isAlnum(text[n]) && (digits == 0 || dots > 0 || isDigit(text[n])) || text[n] == '.' && digits > 0 && n+1 < len(text) && isAlnum(text[n+1])) {
		switch {
		case isDigit(text[n]):
			digits++
		case text[n] == '.':
			dots++
		case digits == 0 && n > 1:
			return "", text, false
		}
		n++
	}
	end := n
	for end < len(text) && doc.Contains("*.:)", text[end:end+1]) {
		isOptional = isOptional || text[end] == '*' && (end == n || text[end-1] != '*') && !doc.HasPrefix(text[end:], "**")
		end++
	}
	isNumber := digits > 0 && (dots > 0 || end > n || isUpper(text[0]))
	if !isNumber || end < len(text) && blankLen(text[end:]) == 0 {
		return "", text, false
	}
	return text[:n], trimBlanks(text[end:]), isOptional
}

func isKiroDone(mark string) bool {
	return slices.Contains([]string{"x", "X", "✓", "✔", "✔\uFE0F", "☑", "☑\uFE0F", "√", "✅"}, mark)
}

// readTasks reads tasks.md. Only required leaves count: boxes of parents are claims. The number decides the parent, and without one
// the indentation.
func (s *spec) readTasks(text string) {
	var tasks []*kiroTask
	headings := [2][]heading{}
	ignored := 0
	isWhole := walkBoxes(text, func(h heading) {
		if ignored > 0 && h.level <= ignored {
			ignored = 0
		}
		title := doc.Lower(h.title)
		if ignored == 0 && (hasAny(title, "coverage", "legend", "dependency graph") || slices.Contains([]string{"notes", "overview"}, title)) {
			ignored = h.level
		}
		if h.level == 2 || h.level == 3 {
			headings[h.level-2] = append(headings[h.level-2], h)
		}
		if h.level == 2 {
			headings[1] = append(headings[1], h) // a level-3 section ends with the level-2 section around it
		}
	}, func(x box) {
		if ignored > 0 || x.isWord() {
			return
		}
		number, title, isOptional := parseKiroNumber(x.text)
		isOptional = isOptional || doc.HasPrefix(x.rest, "*") && !doc.HasPrefix(x.rest, "**") || doc.HasPrefix(x.rest, `\*`)
		if isOptional && number == "" {
			number, title, _ = parseKiroNumber(trimBlanks(cutStar(x.rest)))
		}
		t := &kiroTask{number: number, indent: x.indent, sections: [2]int{len(headings[0]), len(headings[1])}, isLeaf: true,
			Item: &Item{ID: number, Title: cutNote(title), Raw: "[" + x.mark + "]", Status: Pending, File: s.b.File, At: x.at, Optional: isOptional}}
		switch {
		case isKiroDone(x.mark):
			t.Status = Done
		case x.mark == "-":
			t.Status = Active
		case x.mark == "~":
			t.Why = "queued"
		}
		t.parent = parentOfTask(tasks, t)
		tasks = append(tasks, t)
	})
	if !isWhole {
		s.b.reportProblem(s.b.File, 0, "a block of code has no end", "close it with ```; boxes below it are read as tasks")
	}
	for i := len(tasks) - 1; i >= 0; i-- { // children follow their parents
		t := tasks[i]
		if p := t.parent; p != nil {
			if !t.Optional {
				p.required++
				p.isLeaf = false
			}
		}
	}
	s.addPhases(tasks, headings)
}

// cutStar returns the text behind the star that marks an optional task.
func cutStar(rest string) string {
	if doc.HasPrefix(rest, `\`) {
		rest = rest[1:]
	}
	if doc.HasPrefix(rest, "*") {
		rest = rest[1:]
	}
	return rest
}

// cutNote returns a title without the mark for tasks that can run in parallel.
func cutNote(title string) string {
	title = trimBlanks(title)
	if doc.HasPrefix(title, "(P) ") {
		title = title[len("(P) "):]
	}
	if doc.HasSuffix(title, " (P)") {
		title = title[:len(title)-len(" (P)")]
	}
	return trimBlanks(title)
}

// parentOfTask returns the task that a further one belongs to, nil without one.
func parentOfTask(tasks []*kiroTask, t *kiroTask) *kiroTask {
	if t.number != "" {
		for number := t.number; ; {
			dot := doc.LastIndex(number, ".")
			if dot < 0 {
				return nil
			}
			number = number[:dot]
			for i := len(tasks) - 1; i >= 0; i-- {
				if tasks[i].number == number {
					return tasks[i]
				}
			}
		}
	}
	for i := len(tasks) - 1; i >= 0; i-- {
		if tasks[i].indent < t.indent {
			return tasks[i]
		}
	}
	return nil
}

// addPhases makes phases of the headings if several own tasks, else of the top-level tasks.
func (s *spec) addPhases(tasks []*kiroTask, headings [2][]heading) {
	for level := range headings {
		owners := map[int]*Item{}
		var phases []*Item
		for _, t := range tasks {
			if at := t.sections[level]; owners[at] == nil {
				p := &Item{Title: "Tasks", File: s.b.File, At: t.At}
				if at > 0 {
					p = headingPhase(headings[level][at-1], s.b.File)
				}
				owners[at] = p
				phases = append(phases, p)
			}
		}
		if len(phases) < 2 {
			continue
		}
		for _, t := range tasks {
			if t.isLeaf {
				owners[t.sections[level]].addItem(t.Item)
			}
			markActive(owners[t.sections[level]], t)
		}
		s.settlePhases(phases)
		return
	}
	var phases []*Item
	owners := map[*kiroTask]*Item{}
	byNumber := map[string]*Item{}
	for _, t := range tasks {
		top := t
		for top.parent != nil {
			top = top.parent
		}
		p := owners[top]
		if number, _, dotted := doc.Cut(top.number, "."); p == nil && dotted { // its parent is missing
			if p = byNumber[number]; p == nil {
				p = &Item{ID: number, File: s.b.File, At: top.At}
				phases = append(phases, p)
				byNumber[number] = p
			}
		} else if p == nil {
			p = &Item{ID: top.ID, Title: top.Title, File: s.b.File, At: top.At, Optional: top.Optional}
			phases = append(phases, p)
			owners[top], byNumber[top.number] = p, p
		}
		if t.isLeaf {
			p.addItem(t.Item)
		}
		markActive(p, t)
	}
	s.settlePhases(phases)
}

// markActive notes that a task of a phase is in progress, or that the box of a parent says that it is not done; settlePhases uses it.
func markActive(p *Item, t *kiroTask) {
	if (t.Status == Active || t.Why != "" && !t.isLeaf) && !t.Optional {
		p.Raw = t.Raw
	}
}

func (s *spec) settlePhases(phases []*Item) {
	for _, p := range phases {
		isBegun := p.Raw != ""
		if p.settleStatus(); isBegun && p.Status != Skipped {
			p.Status = Active
		}
	}
	s.b.Phases = phases
}

// headingPhase returns the phase that a heading is: "1. Title", "Phase 0：Title", "任务 1：Title".
func headingPhase(h heading, file string) *Item {
	p := &Item{Title: h.title, File: file, At: h.at}
	if number, rest, ok := parsePhase(h.title); ok {
		p.ID, p.Title = number, rest
	} else if number, rest, _ := parseKiroNumber(h.title); number != "" {
		p.ID, p.Title = number, rest
	} else if word, rest, ok := doc.Cut(h.title, " "); ok && doc.CountDigits(rest) > 0 && len(word) > 0 {
		n := doc.CountDigits(rest)
		for _, colon := range [...]string{":", "：", "."} {
			if doc.HasPrefix(rest[n:], colon) {
				p.ID, p.Title = rest[:n], trimBlanks(rest[n+len(colon):])
			}
		}
	}
	return p
}

// documentNames returns the documents in the order of their making.
func (s *spec) documentNames() []string {
	requirements := "requirements.md"
	if s.hasFile("bugfix.md") {
		requirements = "bugfix.md"
	}
	if s.first {
		return []string{"design.md", requirements}
	}
	return []string{requirements, "design.md"}
}

// addWaits adds the documents that wait for approval: the documents that spec.json calls generated and not approved; without it the last
// document, as long as there are no tasks. Kiro writes the answer nowhere.
func (s *spec) addWaits() {
	if approvals := s.meta.Get("approvals"); approvals.Is(doc.Map) {
		for _, name := range [...]string{"requirements", "design", "tasks"} {
			a := approvals.Get(name)
			isGenerated, _ := a.Get("generated").Bool()
			if isApproved, _ := a.Get("approved").Bool(); isGenerated && !isApproved {
				s.b.Waits = append(s.b.Waits, Wait{Text: "approve the " + name + " of " + baseName(s.b.ID), Place: name, File: s.b.Dir + "/spec.json", At: a.Offset(), IsGate: true})
			}
		}
		return
	}
	if s.hasFile("tasks.md") {
		return
	}
	last := ""
	for _, name := range s.documentNames() {
		if s.hasFile(name) {
			last = name
		}
	}
	if last != "" {
		s.b.File = s.b.Dir + "/" + last
		s.b.Waits = append(s.b.Waits, Wait{Text: "review " + last + " of " + baseName(s.b.ID) + " (no file says that it is approved)", Place: last, File: s.b.File})
	}
}

func (s *spec) setNext() {
	b := s.b
	name := baseName(b.ID)
	isCCSDD := s.meta.Get("approvals").Is(doc.Map)
	task := b.firstOpen(func(t *Item) bool { return t.Status == Active && !t.Optional })
	if task == nil {
		task = b.firstOpen(func(t *Item) bool { return !t.Status.IsClosed() && !t.Optional })
	}
	isHeld := len(b.Waits) > 0 && b.Waits[0].IsGate && b.Count.Done == 0
	switch {
	case task != nil && !isHeld:
		b.Now, b.NextItem, b.NextWhy = task, task, task.Name()+" is the first open task"
		if task.Status == Active {
			b.NextWhy = task.Name() + " is in progress"
		}
		if b.Next = "open " + b.Dir + "/tasks.md in Kiro, start task " + task.Name(); isCCSDD && task.ID != "" {
			b.Next = "/kiro:spec-impl " + name + " " + task.ID
		}
	case len(b.Waits) > 0:
		b.Next, b.NextWhy = b.Waits[0].Text, "work goes on once it is approved"
	case b.Unread != "":
	case s.hasFile("tasks.md") && b.Count.Total == 0:
		b.Why = "tasks.md has no task"
	case b.Status == Active:
		for _, p := range b.Phases {
			if p.Status == Active && b.Now == nil {
				b.Now, b.NextItem, b.NextWhy = p, p, "its own box is not ticked, the boxes below it are"
				b.Next = "open " + b.File + " in Kiro, finish task " + p.Name()
			}
		}
	case b.Count.Total > 0:
	default:
		for _, document := range append(s.documentNames(), "tasks.md") {
			step := document[:len(document)-len(".md")]
			isGenerated, _ := s.meta.Get("approvals", step, "generated").Bool()
			if s.hasFile(document) && (isGenerated || !isCCSDD) {
				continue
			}
			if b.Next, b.NextWhy = "write "+document+" of "+name, "there is no "+document; isCCSDD {
				b.Next = "/kiro:spec-" + step + " " + name
			}
			if s.hasFile(document) {
				b.NextWhy = document + " is not generated"
			}
			return
		}
	}
}

// addClaim notes that spec.json of cc-sdd calls work completed of which the tasks say otherwise.
func (s *spec) addClaim() {
	phase := s.meta.Get("phase")
	open := s.b.Count.Total - s.b.Count.Done
	if phase.Text() != "implementation-completed" || open == 0 && s.b.Count.Total > 0 {
		return
	}
	truth := line.Decimal(open) + " of its " + line.Decimal(s.b.Count.Total) + " tasks are open"
	if s.b.Count.Total == 0 {
		truth = "there is no task"
	}
	s.b.Claims = append(s.b.Claims, Claim{"spec.json says implementation-completed", truth, s.b.Dir + "/spec.json", phase.Offset()})
}
