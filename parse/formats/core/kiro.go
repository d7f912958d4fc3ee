package core

import (
	"cmp"
	"slices"

	"gatehouse/model/line"
	"gatehouse/parse/disk/peek"
	"gatehouse/parse/doc"
)

// Kiro is the name of Kiro: specifications in .kiro/specs, also those of cc-sdd, which writes the same files.
const Kiro = "kiro"

const kiroHome = ".kiro/specs"

// ReadKiro reads the specifications. They may be grouped in directories; archives are skipped.
func ReadKiro(f Files) (builds []*Build) {
	specs := readSpecs(f, "", nil)
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

// readSpecs adds the specifications in a group of specifications, "" for all of them. The prompt needs none after the one that its
// line is about.
func readSpecs(f Files, group string, specs []*spec) []*spec {
	for _, name := range dirsIn(f, kiroHome+group) {
		if isArchive(name) {
			continue
		}
		switch s := readSpec(f, group+"/"+name); {
		case s == nil && group == "":
			specs = readSpecs(f, "/"+name, specs)
		case s != nil:
			specs = append(specs, s)
		}
		if n := len(specs); n > 0 && f.Shallow() && !f.WantsWaits() && specs[n-1].b.currentRank() == rankAtWork {
			break
		}
	}
	return specs
}

// spec is a specification while it is read.
type spec struct {
	folder
	meta  doc.Value // spec.json of cc-sdd
	first bool      // the design is written before the requirements
}

// readSpec reads the specification at a path such as "/login", nil without one.
func readSpec(f Files, path string) *spec {
	dir := kiroHome + path
	s := &spec{folder: folder{f, &Build{Format: Kiro, ID: path[1:], Dir: dir, File: dir + "/tasks.md"}, f.List(dir)}}
	if !s.has("requirements.md", "bugfix.md", "design.md", "tasks.md", "spec.json", ".config.kiro") {
		return nil
	}
	if s.has("spec.json") {
		tree, err := f.JSON(dir + "/spec.json")
		s.b.reportUnread(dir+"/spec.json", err)
		s.meta = tree.Root()
	}
	if s.has(".config.kiro") && !s.has("tasks.md") {
		tree, err := f.JSON(dir + "/.config.kiro")
		s.first = err == nil && tree.Root().Get("workflowType").Text() == "design-first"
	}
	if s.has("tasks.md") {
		text := s.read("tasks.md")
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
		if s.b.Title == "" && s.has(name) {
			text, err := s.f.Text(s.pathOf(name))
			if s.b.Title, _ = documentTitle(text); err != nil && !peek.Missing(err) {
				s.b.reportProblem(s.pathOf(name), 0, "it can't be read: "+err.Error(), "fix the file")
			}
		}
	}
	s.b.Title = cmp.Or(s.b.Title, baseName(s.b.ID))
}

// kiroTask is a box while the tree is made.
type kiroTask struct {
	*Item
	indent int
	parent *kiroTask
	owners [3]*Item // the phase by level-2 headings, by level-3 headings, and by top-level tasks
	isLeaf bool
}

// readTasks reads tasks.md. Only required leaves count: boxes of parents are claims. The number decides the parent, and without one
// the indentation.
func (s *spec) readTasks(text string) {
	var tasks []*kiroTask
	section := &Item{Title: "Tasks", File: s.b.File}
	sections := [2]*Item{section, section}
	isAside := func(h heading) bool {
		title := doc.Lower(h.title)
		return hasAny(title, "coverage", "legend", "dependency graph") || title == "notes" || title == "overview"
	}
	fence := walkBoxes(text, isAside, func(h heading) {
		for i := range sections {
			if h.level == 2 || h.level == 2+i { // a level-3 section ends with the level-2 section around it
				sections[i] = headingPhase(h, s.b.File)
			}
		}
	}, func(x box) {
		t := s.parseTask(x)
		if x.aside || x.isWord() && t.ID == "" {
			return
		}
		t.parent = parentOfTask(tasks, t)
		t.owners = [3]*Item{sections[0], sections[1], topOf(tasks, t)}
		if t.parent != nil && !t.Optional {
			t.parent.isLeaf = false
		}
		tasks = append(tasks, t)
	})
	s.b.reportOpenFence(s.b.File, fence)
	s.addPhases(tasks)
}

// parseTask returns the task of a box.
func (s *spec) parseTask(x box) *kiroTask {
	number, title, isOptional := parseKiroNumber(x.text)
	isOptional = isOptional || doc.HasPrefix(x.rest, "*") && !doc.HasPrefix(x.rest, "**") || doc.HasPrefix(x.rest, `\*`)
	if isOptional && number == "" {
		number, title, _ = parseKiroNumber(line.TrimSpace(doc.TrimPrefix(doc.TrimPrefix(x.rest, `\`), "*")))
	}
	title = doc.TrimSuffix(doc.TrimPrefix(line.TrimSpace(title), "(P) "), " (P)")
	t := &kiroTask{indent: x.indent, isLeaf: true,
		Item: &Item{ID: number, Title: line.TrimSpace(title), Raw: "[" + x.mark + "]", Status: Pending, File: s.b.File, At: x.at}}
	t.Optional = isOptional
	switch {
	case slices.Contains([]string{"x", "X", "✓", "✔", "✔\uFE0F", "☑", "☑\uFE0F", "√", "✅"}, x.mark):
		t.Status = Done
	case x.mark == "-":
		t.Status = Active
	case x.mark == "~":
		t.Why = "queued"
	}
	return t
}

// parentOfTask returns the parent of a new task among the earlier ones, nil without one.
func parentOfTask(tasks []*kiroTask, t *kiroTask) *kiroTask {
	if t.ID == "" {
		for _, other := range slices.Backward(tasks) {
			if other.indent < t.indent {
				return other
			}
		}
	}
	for number := t.ID; doc.Contains(number, "."); {
		number = number[:doc.LastIndex(number, ".")]
		for _, other := range slices.Backward(tasks) {
			if other.ID == number {
				return other
			}
		}
	}
	return nil
}

// topOf returns the phase of a task, which is its top-level task. If that is missing, the phase has only the number.
func topOf(tasks []*kiroTask, t *kiroTask) *Item {
	number, _, isDotted := doc.Cut(t.ID, ".")
	switch {
	case t.parent != nil:
		return t.parent.owners[2]
	case !isDotted:
		return &Item{ID: t.ID, Title: t.Title, File: t.File, At: t.At, Optional: t.Optional}
	}
	for _, other := range tasks {
		if top := other.owners[2]; top.ID == number {
			return top
		}
	}
	return &Item{ID: number, File: t.File, At: t.At}
}

// addPhases makes phases from the headings if several own tasks, otherwise from the top-level tasks. A phase is also at work if a task
// is in progress, or the box of a parent says that it is not done.
func (s *spec) addPhases(tasks []*kiroTask) {
	level := 0
	for ; level < 3 && len(s.b.Phases) < 2; level++ {
		s.b.Phases = nil
		for _, t := range tasks {
			if !slices.Contains(s.b.Phases, t.owners[level]) {
				s.b.addPhase(t.owners[level])
			}
		}
	}
	for _, t := range tasks {
		p := t.owners[level-1]
		if t.isLeaf {
			p.addItem(t.Item)
		}
		if (t.Status == Active || t.Why != "" && !t.isLeaf) && !t.Optional {
			p.Raw = t.Raw
		}
	}
	for _, p := range s.b.Phases {
		if p.settleStatus(); p.Raw != "" && p.Status != Skipped {
			p.Status = Active
		}
	}
}

// headingPhase returns the phase in a heading: "1. Title", "Phase 0：Title", "任务 1：Title".
func headingPhase(h heading, file string) *Item {
	p := &Item{Title: h.title, File: file, At: h.at}
	if number, rest, ok := parsePhase(h.title); ok {
		p.ID, p.Title = number, rest
	} else if number, rest, _ := parseKiroNumber(h.title); number != "" {
		p.ID, p.Title = number, rest
	} else if _, rest, _ := doc.Cut(h.title, " "); doc.CountDigits(rest) > 0 {
		n := doc.CountDigits(rest)
		for _, colon := range [...]string{":", "：", "."} {
			if doc.HasPrefix(rest[n:], colon) {
				p.ID, p.Title = rest[:n], line.TrimSpace(rest[n+len(colon):])
			}
		}
	}
	return p
}

// documentNames returns the documents in the order in which they are written.
func (s *spec) documentNames() []string {
	names := []string{"requirements.md", "design.md"}
	if s.has("bugfix.md") {
		names[0] = "bugfix.md"
	}
	if s.first {
		slices.Reverse(names)
	}
	return names
}

// addWaits adds the documents that wait for approval: those that spec.json calls generated and not approved; without it the last
// document, as long as there are no tasks. Kiro stores the answer in no file.
func (s *spec) addWaits() {
	if approvals := s.meta.Get("approvals"); approvals.Is(doc.Map) {
		for _, name := range [...]string{"requirements", "design", "tasks"} {
			a := approvals.Get(name)
			isGenerated, _ := a.Get("generated").Bool()
			if isApproved, _ := a.Get("approved").Bool(); isGenerated && !isApproved {
				text := "approve the " + name + " of " + baseName(s.b.ID)
				s.b.Waits = append(s.b.Waits, Wait{Text: text, Place: name, File: s.pathOf("spec.json"), At: a.Offset(), IsGate: true})
			}
		}
		return
	}
	if s.has("tasks.md") {
		return
	}
	last := ""
	for _, name := range s.documentNames() {
		if s.has(name) {
			last = name
		}
	}
	if last != "" {
		s.b.File = s.pathOf(last)
		text := "review " + last + " of " + baseName(s.b.ID) + " (no file says that it is approved)"
		s.b.Waits = append(s.b.Waits, Wait{Text: text, Place: last, File: s.b.File})
	}
}

func (s *spec) setNext() {
	b := s.b
	name := baseName(b.ID)
	isCCSDD := s.meta.Get("approvals").Is(doc.Map)
	task := b.currentTask()
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
	case b.Status == Active:
		for _, p := range b.Phases {
			if p.Status == Active && b.Now == nil {
				b.Now, b.NextItem, b.NextWhy = p, p, "its own box is not ticked, the boxes below it are"
				b.Next = "open " + b.File + " in Kiro, finish task " + p.Name()
			}
		}
	case s.has("tasks.md"):
	default:
		for _, document := range append(s.documentNames(), "tasks.md") {
			step := document[:len(document)-len(".md")]
			isGenerated, _ := s.meta.Get("approvals", step, "generated").Bool()
			if s.has(document) && (isGenerated || !isCCSDD) {
				continue
			}
			if b.Next, b.NextWhy = "write "+document+" of "+name, document+" is not written yet"; isCCSDD {
				b.Next = "/kiro:spec-" + step + " " + name
			}
			return
		}
	}
}

// addClaim adds the claim of cc-sdd's spec.json that work is completed, if the tasks deny it.
func (s *spec) addClaim() {
	phase := s.meta.Get("phase")
	if phase.Text() != "implementation-completed" || s.b.Count.Total > 0 && s.b.Count.Done == s.b.Count.Total {
		return
	}
	truth := s.b.Count.describeOpen("tasks")
	if s.b.Count.Total == 0 {
		truth = "there is no task"
	}
	s.b.Claims = append(s.b.Claims, Claim{"spec.json says implementation-completed", truth, s.b.Dir + "/spec.json", phase.Offset()})
}
