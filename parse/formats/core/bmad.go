package core

import (
	"cmp"
	"slices"

	"gatehouse/model/line"
	"gatehouse/parse/doc"
)

// BMAD is the name of the BMAD method: a register of epics and stories, sprint-status.yaml.
const BMAD = "bmad"

// The usual places of the register and of the planning register, the newest versions first.
var (
	sprintDirs = []string{"_bmad-output/implementation-artifacts", "docs/sprint-artifacts", "docs", "docs/stories", "_bmad-output"}
	planDirs   = []string{"_bmad-output/planning-artifacts", "_bmad-output", "docs"}
)

const (
	sprintFile = "sprint-status.yaml"
	planFile   = "bmm-workflow-status.yaml"
)

// ReadBMAD reads the register as one build; specifications outside its stories are one phase of it.
func ReadBMAD(f Files) []*Build {
	r := &bmad{f: f, b: &Build{Format: BMAD}}
	r.findRegister()
	r.addEpics()
	r.addSpecs()
	if len(r.stories) == 0 && len(r.specs.Items) == 0 && r.b.Unread == "" {
		r.readPlanning()
	}
	if r.b.File == "" {
		return nil
	}
	r.b.settleStatus()
	r.setNext()
	return []*Build{r.b}
}

type bmad struct {
	f        Files
	b        *Build
	dirs     []string
	root     doc.Value // of the register
	register doc.Value // the stories in it
	text     string
	epics    []*epic
	stories  []*Item // by epic and number
	specs    Item    // the phase of the specifications
	plan     string  // the next step of the planning register
	planWhy  string
}

// findRegister finds the register: the newest one that has stories. Templates of the installation do not count.
func (r *bmad) findRegister() {
	if text, err := r.f.Text("_bmad/bmm/config.yaml"); err == nil {
		dir := doc.ParseYAML(text, 0, len(text)).Root().Get("implementation_artifacts").Text()
		if dir = doc.TrimPrefix(dir, "{project-root}/"); dir != "" && !hasAny(dir[:1], "/", "{") && !hasAny(dir, "..", `\`, ":") {
			r.dirs = append(r.dirs, dir)
		}
	}
	for _, dir := range sprintDirs {
		if top, _, _ := doc.Cut(dir, "/"); r.f.HasMark(top) && !slices.Contains(r.dirs, dir) {
			r.dirs = append(r.dirs, dir)
		}
	}
	best := ""
	for _, dir := range r.dirs {
		trial := &Build{Format: BMAD, Dir: dir, File: dir + "/" + sprintFile}
		root, text := trial.readYAML(r.f, trial.File)
		if text == "" && trial.Unread == "" {
			continue
		}
		stories := root.Get("development_status")
		stamp := "0" + newestStamp(root, text)
		if stories.Len() > 0 || trial.Unread != "" || stories.Is(doc.Unsupported) {
			stamp = "1" + stamp[1:]
		}
		if stamp > best {
			best, r.b, r.root, r.register, r.text = stamp, trial, root, stories, text
		}
	}
	r.b.Title = r.root.Get("project").Scalar()
	r.b.hidePart(r.b.File, "twice")
	isOther := r.b.Unread == "" && !r.register.Is(doc.Map) && !r.register.IsEmpty()
	if isOther || r.text != "" && !r.root.Is(doc.Map) {
		r.b.reportUnread(r.b.File, &doc.SyntaxError{Reason: "development_status is no map of stories", At: r.register.Offset()})
	}
}

// newestStamp returns when a register was written, in a form that sorts: year, month, day and time.
func newestStamp(root doc.Value, text string) (newest string) {
	for _, key := range [...]string{"last_updated", "updated", "generated"} {
		_, rest, _ := doc.Cut(text, "# "+key+":")
		inComment, _, _ := doc.Cut(rest, "\n")
		stamp := cmp.Or(root.Get(key).Scalar(), line.TrimSpace(inComment))
		if len(stamp) >= 10 && doc.CountDigits(stamp) == 2 && stamp[2] == '-' { // 11-22-2026 09:30
			stamp = stamp[6:10] + "-" + stamp[:5] + stamp[10:]
		}
		if doc.CountDigits(stamp) == 4 && stamp > newest {
			newest = stamp
		}
	}
	return newest
}

// storyWords are the words for the status of a story or specification.
var storyWords = words{{Done, []string{"done", "completed", "complete"}}, {Waiting, []string{"review"}}, {Blocked, []string{"blocked"}},
	{Active, []string{"in-progress", "contexted"}}, {Pending, []string{"ready-for-dev", "drafted", "backlog"}}}

// storyStatus returns the status of a story by its word, Unknown for other words. Deferred stories are not counted.
func storyStatus(raw string) Status {
	word := normalizeWord(raw)
	if doc.HasPrefix(word, "deferred") || doc.HasPrefix(word, "post-mvp") || doc.HasSuffix(word, "post-mvp") {
		return Skipped
	}
	return storyWords.statusOf(word)
}

// epic is an epic while its stories are collected.
type epic struct {
	*Item
	key   string // "3-5" of epic-3-5
	claim Status // its own word
	retro bool   // its retrospective is open
}

const retrospective = "-retrospective"

// epicOf returns the epic with a key, a new one if there is none.
func (r *bmad) epicOf(key string) *epic {
	for _, e := range r.epics {
		if e.key == key {
			return e
		}
	}
	e := &epic{key: key, Item: &Item{ID: "epic-" + key, File: r.b.File}}
	r.epics = append(r.epics, e)
	return e
}

// addEpics adds the epics with their stories in the order of their numbers.
func (r *bmad) addEpics() {
	for v := range r.register.Members() {
		if key := v.Key(); doc.HasPrefix(key, "epic-") && !doc.HasSuffix(key, retrospective) {
			e := r.epicOf(key[len("epic-"):])
			e.Raw, e.claim, e.At = v.Scalar(), storyStatus(v.Scalar()), v.KeyOffset()
		}
	}
	for v := range r.register.Members() {
		key := v.Key()
		if !doc.HasPrefix(key, "epic-") {
			r.epicOf(r.ownerOf(key)).addItem(r.parseStory(v))
		}
		for _, e := range r.epics {
			if doc.HasSuffix(key, retrospective) && key == e.ID+retrospective {
				e.retro = !storyStatus(v.Scalar()).IsClosed()
			}
		}
	}
	slices.SortStableFunc(r.epics, func(a, b *epic) int { return compareKeys(a.key, b.key) })
	titles := r.epicTitles()
	for _, e := range r.epics {
		e.Title = titles[e.key]
		slices.SortStableFunc(e.Items, func(a, b *Item) int { return compareKeys(a.ID, b.ID) })
		r.settleEpic(e)
		r.b.addPhase(e.Item)
		r.stories = append(r.stories, e.Items...)
	}
}

// ownerOf returns the key of the epic that a story belongs to: the longest one before a number.
func (r *bmad) ownerOf(story string) (owner string) {
	for _, e := range r.epics {
		n := len(e.key)
		if n > len(owner) && len(story) > n+1 && story[:n] == e.key && story[n] == '-' && isDigit(story[n+1]) {
			owner = e.key
		}
	}
	first, _, _ := doc.Cut(story, "-")
	return cmp.Or(owner, first)
}

// parseStory reads one story. A story that is listed twice is open: it is unclear which line counts.
func (r *bmad) parseStory(v doc.Value) *Item {
	s := &Item{ID: v.Key(), Raw: v.Scalar(), Status: storyStatus(v.Scalar()), File: r.b.File, At: v.KeyOffset()}
	if s.Status == Unknown {
		s.Why = "unknown status"
		r.b.reportProblem(s.File, v.Offset(), "unknown status of story "+s.ID,
			"write backlog, ready-for-dev, in-progress, review or done; until then it counts as open")
	}
	for _, p := range r.b.Problems {
		if p.At == s.At && p.At > 0 && doc.Contains(p.Text, "twice") {
			s.Status, s.Why = Unknown, "it is listed twice"
		}
	}
	switch s.Status {
	case Waiting:
		r.b.askFor(s, s.ID, "review "+s.ID+" (bmad-code-review)")
	case Blocked:
		r.b.askFor(s, s.ID, s.ID+" is blocked: remove the cause")
	}
	return s
}

// settleEpic derives the status of an epic from its stories. The epic's own status is a claim; only its start is trusted.
func (r *bmad) settleEpic(e *epic) {
	e.settleStatus()
	switch {
	case len(e.Items) == 0 && e.claim == Done:
		e.Status, e.Why = Unknown, "the register calls it done and lists no story"
	case slices.ContainsFunc(e.Items, func(s *Item) bool { return s.Status == Blocked }):
		e.Status = Blocked
	case e.Status == Pending && e.claim == Active:
		e.Status, e.Why = Active, "the register calls it "+e.Raw
	}
	if e.claim == Done && e.Count.Done < e.Count.Total {
		r.b.Claims = append(r.b.Claims, Claim{e.ID + " is " + e.Raw, e.Count.describeOpen("stories"), r.b.File, e.At})
	}
}

// epicTitles returns the titles of the epics, which are only in comments: "# Epic 3.5: Storage".
func (r *bmad) epicTitles() map[string]string {
	titles := map[string]string{}
	for rest := r.text; rest != ""; {
		var l string
		l, rest, _ = doc.Cut(rest, "\n")
		for l = line.TrimSpace(l); doc.HasPrefix(l, "#"); {
			l = line.TrimSpace(l[1:])
		}
		number, title, _ := doc.Cut(l, ":")
		key := doc.ReplaceAll(line.TrimSpace(doc.Lower(doc.TrimPrefix(number, "Epic "))), ".", "-")
		if doc.HasPrefix(number, "Epic ") && titles[key] == "" {
			titles[key] = line.TrimSpace(title)
		}
	}
	return titles
}

// addSpecs adds the specifications in the directories of the register, except those of its stories.
func (r *bmad) addSpecs() {
	phase := &r.specs
	phase.ID, phase.Title = "specs", "Specs"
	for _, dir := range r.dirs {
		for _, file := range findFiles(r.f, dir, "spec-*.md") {
			r.addSpec(phase, file, doc.TrimSuffix(baseName(file), ".md"))
		}
	}
	if len(phase.Items) == 0 {
		return
	}
	phase.settleStatus()
	if r.b.addPhase(phase); r.b.File == "" {
		r.b.File, r.b.Dir = phase.Items[0].File, parentOf(phase.Items[0].File)
	}
}

func (r *bmad) addSpec(phase *Item, file, id string) {
	slug := id[len("spec-"):]
	isNumbered := doc.CountDigits(slug) > 0
	if isNumbered && r.b.Unread != "" {
		return // the unreadable part may contain its story
	}
	for _, story := range r.stories {
		if slug == story.ID || isNumbered && doc.HasPrefix(story.ID, slug+"-") {
			return
		}
	}
	text, _ := r.b.read(r.f, file)
	front := doc.SplitFrontmatter(text)
	root := doc.ParseYAML(text, front.Block, front.BlockEnd).Root()
	s := &Item{ID: id, Title: root.Get("title").Scalar(), Raw: root.Get("status").Scalar(), File: file}
	word := normalizeWord(s.Raw)
	if word == "" {
		return // another kind of document
	}
	phase.addItem(s)
	switch s.Status = storyStatus(word); {
	case word == "draft":
		s.Status = Pending
		ask := "approve " + id + ", then its build goes on"
		if doc.Contains(text[front.Body:], "\n## Open Questions") {
			ask = "answer the open questions of " + id
		}
		r.b.askFor(s, id, ask)
	case word == "in-review": // a review by the agent itself
		s.Status = Active
	case s.Status == Blocked:
		r.b.askFor(s, id, id+" is blocked: remove the cause")
	case s.Status == Waiting:
		r.b.askFor(s, id, "review "+id)
	case s.Status == Unknown:
		r.b.reportProblem(file, front.Block, "unknown status of "+id, "write draft, ready-for-dev, in-progress, in-review or done")
	}
}

// readPlanning reads the planning register, which applies until there are stories. It has had four forms.
func (r *bmad) readPlanning() {
	for _, dir := range planDirs {
		b := &Build{Format: BMAD, Dir: dir, File: dir + "/" + planFile, Problems: r.b.Problems}
		root, text := b.readYAML(r.f, b.File)
		if text == "" && b.Unread == "" {
			continue
		}
		b.Title, r.b = root.Get("project").Scalar(), b
		phase := &Item{ID: "planning", Title: "Planning", File: b.File}
		r.addPlanned(phase, root.First("workflow_status", "workflows", "phases"), "")
		if phase.settleStatus(); len(phase.Items) > 0 {
			b.Phases = []*Item{phase}
		}
		return
	}
}

// planWords are the words for the status of a planned document.
var planWords = words{{Done, []string{"done", "complete", "completed"}}, {Pending, []string{"required", "pending", "in-progress"}},
	{Skipped, []string{"skipped", "optional", "recommended", "conditional"}}}

func (r *bmad) addPlanned(phase *Item, v doc.Value, id string) {
	status := v.Get("status").Scalar()
	switch {
	case v.Is(doc.Map) && status == "" && !v.Get("status").Is(doc.Unsupported) || v.Is(doc.List):
		for child := range v.Children() {
			if child.Is(doc.Map) || child.Is(doc.List) || !v.Get("phase").Exists() && v.Is(doc.Map) {
				r.addPlanned(phase, child, child.Key())
			}
		}
		return
	case !v.Is(doc.Map):
		status = v.Scalar()
	}
	if id == "" {
		id = v.Get("id").Scalar()
	}
	item := &Item{ID: id, Title: v.Get("name").Scalar(), Raw: status, File: phase.File, At: v.Offset()}
	item.Status = planWords.statusOf(normalizeWord(status))
	switch {
	case v.Get("id").Is(doc.Unsupported):
		item.Status = Unknown
	case hasAny(status, "/", ".md", ".yaml"):
		item.Status = Done
	case item.Status == Unknown:
		r.b.reportProblem(phase.File, item.At, "unknown status of "+id, "write required, optional, skipped or the file that came of it")
	}
	phase.addItem(item)
	if r.plan == "" && !item.Status.IsClosed() {
		r.plan, r.planWhy = cmp.Or(item.Title, id), id+" is "+status
		if command := v.Get("command").Scalar(); command != "" {
			r.plan += " (" + command + ")"
		}
		r.b.Now = phase
	}
}

// steps are the next steps in BMAD's own order.
var steps = [...]struct {
	status Status
	words  []string // nil for any
	verb   string
}{{Active, nil, "resume "}, {Waiting, nil, "review "}, {Pending, []string{"ready-for-dev", "drafted"}, "start "},
	{Pending, []string{"backlog"}, "start "}}

// setNext finds the next step; retrospectives come last.
func (r *bmad) setNext() {
	b := r.b
	for _, step := range steps {
		for _, s := range append(slices.Clone(r.stories), r.specs.Items...) {
			if s.Status != step.status || step.words != nil && !slices.Contains(step.words, normalizeWord(s.Raw)) {
				continue
			}
			if b.NextItem, b.Next, b.NextWhy = s, step.verb+s.ID, s.ID+" is "+s.Raw; s.Status != Pending {
				b.Now = s
			}
			return
		}
	}
	if b.Next, b.NextWhy = r.plan, r.planWhy; len(b.Waits) > 0 && len(r.specs.Items) > 0 {
		b.Next, b.NextWhy = b.Waits[0].Text, "nothing else can go on"
	}
	for _, e := range r.epics {
		if b.Next == "" && e.retro && e.Status == Done {
			b.Next, b.NextWhy, b.NextItem = "retrospective of epic "+e.key, "all of its stories are done", e.Item
		}
	}
}
