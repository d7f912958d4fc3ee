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
	if r.b.File != "" {
		r.b.Dir = parentOf(r.b.File)
		r.addEpics()
	}
	r.addSpecs()
	if len(r.stories) == 0 && len(r.specs) == 0 && r.b.Unread == "" {
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
	f       Files
	b       *Build
	dirs    []string
	root    doc.Value // of the register
	text    string
	stories []*Item // by epic and number
	specs   []*Item
	retros  []string
	plan    string // the next step of the planning register
	planWhy string
}

// findRegister finds the register: the newest one that has stories. Templates of the installation do not count.
func (r *bmad) findRegister() {
	for _, home := range [...]string{"_bmad", ".bmad", "bmad"} {
		if !r.f.HasMark(home) {
			continue
		}
		if text, err := r.f.Text(home + "/bmm/config.yaml"); err == nil {
			dir := doc.ParseYAML(text, 0, len(text)).Root().Get("implementation_artifacts").Text()
			if dir = cutPrefix(dir, "{project-root}/"); dir != "" && dir[0] != '/' && dir[0] != '{' && !hasAny(dir, "..", `\`, ":") {
				r.dirs = append(r.dirs, dir)
			}
		}
	}
	for _, dir := range sprintDirs {
		if top, _, _ := doc.Cut(dir, "/"); r.f.HasMark(top) && !slices.Contains(r.dirs, dir) {
			r.dirs = append(r.dirs, dir)
		}
	}
	best := ""
	for _, dir := range r.dirs {
		trial := &Build{Format: BMAD, File: dir + "/" + sprintFile}
		root, text := trial.readYAML(r.f, trial.File)
		if text == "" && trial.Unread == "" {
			continue
		}
		stamp := "0" + newestStamp(root, text)
		if status := root.Get("development_status"); status.Len() > 0 || trial.Unread != "" || status.Is(doc.Unsupported) {
			stamp = "1" + stamp[1:]
		}
		if stamp > best {
			best, r.b, r.root, r.text = stamp, trial, root, text
		}
	}
	if r.b.File == "" {
		return
	}
	r.b.Title = r.root.Get("project").Scalar()
	for _, p := range r.b.Problems { // lines that are not YAML may hide stories
		if !doc.Contains(p.Text, "twice") && r.b.Unread == "" {
			r.b.Unread = baseName(r.b.File) + " can't be read as a whole"
		}
	}
	if status := r.root.Get("development_status"); r.b.Unread == "" && !status.Is(doc.Map) && !status.IsEmpty() || r.text != "" && !r.root.Is(doc.Map) {
		r.b.reportUnread(r.b.File, &doc.SyntaxError{Reason: "development_status is no map of stories", At: status.Offset()})
	}
}

// newestStamp returns when a register was written, in a form that sorts: year, month, day and time.
func newestStamp(root doc.Value, text string) (newest string) {
	for _, key := range [...]string{"last_updated", "updated", "generated"} {
		stamp := root.Get(key).Scalar()
		if stamp == "" {
			_, rest, _ := doc.Cut(text, "# "+key+":")
			stamp, _, _ = doc.Cut(rest, "\n")
			stamp = trimBlanks(stamp)
		}
		switch {
		case len(stamp) >= 10 && doc.CountDigits(stamp) == 2 && stamp[2] == '-': // 11-22-2026 09:30
			stamp = stamp[6:10] + "-" + stamp[:5] + stamp[10:]
		case doc.CountDigits(stamp) != 4:
			continue
		}
		if stamp > newest {
			newest = stamp
		}
	}
	return newest
}

// normalizeWord returns a status in lower case, with "-" between its words.
func normalizeWord(word string) string {
	isNormal := true
	for i := range len(word) {
		c := word[i]
		isNormal = isNormal && (c >= 'a' && c <= 'z' || c == '-')
	}
	if isNormal {
		return word
	}
	out := []byte(doc.Lower(trimBlanks(word)))
	for i, c := range out {
		if c == '_' || c == ' ' {
			out[i] = '-'
		}
	}
	return string(out)
}

// storyStatus returns the status of a story by its word. Deferred stories are not counted.
func storyStatus(word string) (s Status, known bool) {
	switch word {
	case "done", "completed", "complete":
		return Done, true
	case "review":
		return Waiting, true
	case "in-progress", "contexted":
		return Active, true
	case "blocked":
		return Blocked, true
	case "ready-for-dev", "drafted", "backlog":
		return Pending, true
	}
	if doc.HasPrefix(word, "deferred") || doc.HasPrefix(word, "post-mvp") || doc.HasSuffix(word, "post-mvp") {
		return Skipped, true
	}
	return Unknown, false
}

// epic is an epic while its stories are collected.
type epic struct {
	*Item
	key  string // "3-5" of epic-3-5
	word string
}

// addEpics adds the epics with their stories in the order of their numbers.
func (r *bmad) addEpics() {
	var epics []*epic
	find := func(key string) *epic {
		for _, e := range epics {
			if e.key == key {
				return e
			}
		}
		e := &epic{key: key, Item: &Item{ID: "epic-" + key, File: r.b.File}}
		epics = append(epics, e)
		return e
	}
	titles := r.epicTitles()
	register := r.root.Get("development_status")
	for v := range register.Members() {
		if key := v.Key(); doc.HasPrefix(key, "epic-") && !doc.HasSuffix(key, "-retrospective") {
			e := find(key[len("epic-"):])
			e.Raw, e.word, e.At = v.Scalar(), normalizeWord(v.Scalar()), v.KeyOffset()
		}
	}
	for v := range register.Members() {
		switch key := v.Key(); {
		case doc.HasPrefix(key, "epic-") && doc.HasSuffix(key, "-retrospective"):
			if s, _ := storyStatus(normalizeWord(v.Scalar())); !s.IsClosed() {
				r.retros = append(r.retros, key[len("epic-"):len(key)-len("-retrospective")])
			}
		case !doc.HasPrefix(key, "epic-"):
			owner := ""
			for _, e := range epics {
				if n := len(e.key); n > len(owner) && len(key) > n+1 && key[n] == '-' && isDigit(key[n+1]) && key[:n] == e.key {
					owner = e.key
				}
			}
			if owner == "" {
				owner, _, _ = doc.Cut(key, "-")
			}
			find(owner).addItem(r.parseStory(v, len(owner)))
		}
	}
	slices.SortStableFunc(epics, func(a, b *epic) int { return compareKeys(a.key, b.key) })
	slices.SortStableFunc(r.retros, compareKeys)
	for _, e := range epics {
		e.Title = titles[e.key]
		slices.SortStableFunc(e.Items, func(a, b *Item) int { return compareKeys(a.ID, b.ID) })
		r.settleEpic(e)
		r.b.Phases = append(r.b.Phases, e.Item)
		r.stories = append(r.stories, e.Items...)
	}
}

// parseStory reads one story. A story that is listed twice is open: it is unclear which line counts.
func (r *bmad) parseStory(v doc.Value, prefix int) *Item {
	s := &Item{ID: v.Key(), Raw: v.Scalar(), File: r.b.File, At: v.KeyOffset()}
	word := normalizeWord(s.Raw)
	status, known := storyStatus(word)
	s.Status = status
	if !known {
		s.Why = "unknown status"
		r.b.reportProblem(s.File, v.Offset(), "unknown status of story "+s.ID, "write backlog, ready-for-dev, in-progress, review or done; until then it counts as open")
	}
	for _, p := range r.b.Problems {
		if p.At == s.At && p.At > 0 && doc.Contains(p.Text, "twice") {
			s.Status, s.Why = Unknown, "it is listed twice"
		}
	}
	switch s.Status {
	case Waiting:
		r.b.Waits = append(r.b.Waits, Wait{Text: "review " + s.ID + " (bmad-code-review)", Place: s.ID, Item: s, File: s.File, At: s.At, IsGate: true})
	case Blocked:
		r.b.Waits = append(r.b.Waits, Wait{Text: s.ID + " is blocked: remove the cause", Place: s.ID, Item: s, File: s.File, At: s.At, IsGate: true})
	}
	return s
}

// settleEpic derives the status of an epic from its stories. The epic's own status is a claim; only its start is trusted.
func (r *bmad) settleEpic(e *epic) {
	e.settleStatus()
	claimsDone := e.word == "done" || e.word == "complete" || e.word == "completed"
	isBlocked := false
	for _, s := range e.Items {
		isBlocked = isBlocked || s.Status == Blocked
	}
	switch {
	case len(e.Items) == 0 && claimsDone:
		e.Status, e.Why = Unknown, "the register calls it done and lists no story"
	case isBlocked:
		e.Status = Blocked
	case e.Status == Pending && (e.word == "in-progress" || e.word == "contexted"):
		e.Status, e.Why = Active, "the register calls it "+e.Raw
	}
	if claimsDone && e.Count.Done < e.Count.Total {
		r.b.Claims = append(r.b.Claims, Claim{e.ID + " is " + e.Raw, line.Decimal(e.Count.Total-e.Count.Done) + " of its " + line.Decimal(e.Count.Total) + " stories are open", r.b.File, e.At})
	}
}

// epicTitles returns the titles of the epics, which are only in comments: "# Epic 3.5: Storage".
func (r *bmad) epicTitles() map[string]string {
	titles := map[string]string{}
	for rest := r.text; rest != ""; {
		var l string
		l, rest, _ = doc.Cut(rest, "\n")
		for l = trimBlanks(l); doc.HasPrefix(l, "#"); {
			l = l[1:]
		}
		l = trimBlanks(l)
		number, title, ok := doc.Cut(cutPrefix(l, "Epic "), ":")
		if !ok || !doc.HasPrefix(l, "Epic ") || doc.CountDigits(number) == 0 {
			continue
		}
		key := []byte(trimBlanks(doc.Lower(number)))
		for i, c := range key {
			if c == '.' {
				key[i] = '-'
			}
		}
		if titles[string(key)] == "" {
			titles[string(key)] = trimBlanks(title)
		}
	}
	return titles
}

// compareKeys orders keys such as 2-6a-x by their numbers, then by their letters.
func compareKeys(a, b string) int {
	for a != "" && b != "" {
		m, n := doc.CountDigits(a), doc.CountDigits(b)
		switch {
		case m > 0 && n > 0 && a[:m] != b[:n]:
			return cmp.Or(cmp.Compare(m, n), cmp.Compare(a[:m], b[:n]))
		case m > 0 && n > 0:
			a, b = a[m:], b[n:]
		case a[0] != b[0]:
			return cmp.Compare(a[0], b[0])
		default:
			a, b = a[1:], b[1:]
		}
	}
	return cmp.Compare(len(a), len(b))
}

// addSpecs adds the specifications in the directories of the register, except those of its stories.
func (r *bmad) addSpecs() {
	phase := &Item{ID: "specs", Title: "Specs"}
	for _, dir := range r.dirs {
		for _, name := range r.f.List(dir) {
			if doc.HasPrefix(name, "spec-") && doc.HasSuffix(name, ".md") {
				r.addSpec(phase, dir+"/"+name, name[:len(name)-len(".md")])
			}
		}
	}
	if len(phase.Items) > 0 {
		phase.settleStatus()
		r.b.Phases = append(r.b.Phases, phase)
		if r.b.File == "" {
			r.b.File, r.b.Dir = phase.Items[0].File, parentOf(phase.Items[0].File)
		}
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
	text, ok := r.b.read(r.f, file)
	front := doc.SplitFrontmatter(text)
	if !ok || !front.Exists {
		return
	}
	root := doc.ParseYAML(text, front.Block, front.BlockEnd).Root()
	word := normalizeWord(root.Get("status").Scalar())
	s := &Item{ID: id, Title: root.Get("title").Scalar(), Raw: root.Get("status").Scalar(), File: file}
	switch s.Status, _ = storyStatus(word); word {
	case "draft":
		s.Status = Pending
	case "in-review": // a review by the agent itself
		s.Status = Active
	}
	if word == "" {
		return // another kind of document
	}
	ask := ""
	switch {
	case word == "draft" && doc.Contains(text[front.Body:], "\n## Open Questions"):
		ask = "answer the open questions of " + id
	case word == "draft":
		ask = "approve " + id + ", then its build goes on"
	case s.Status == Blocked:
		ask = id + " is blocked: remove the cause"
	case s.Status == Waiting:
		ask = "review " + id
	case s.Status == Unknown:
		r.b.reportProblem(file, front.Block, "unknown status of "+id, "write draft, ready-for-dev, in-progress, in-review or done")
	}
	phase.addItem(s)
	r.specs = append(r.specs, s)
	if ask != "" {
		r.b.Waits = append(r.b.Waits, Wait{Text: ask, Place: id, Item: s, File: file, IsGate: true})
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
	item := &Item{ID: id, Title: v.Get("name").Scalar(), Raw: status, File: phase.File, At: v.Offset(), Status: Pending}
	switch word := normalizeWord(status); {
	case v.Get("id").Is(doc.Unsupported):
		item.Status = Unknown
	case hasAny(status, "/", ".md", ".yaml"), word == "done", word == "complete", word == "completed":
		item.Status = Done
	case slices.Contains([]string{"skipped", "optional", "recommended", "conditional"}, word):
		item.Status = Skipped
	case word != "required" && word != "pending" && word != "in-progress":
		item.Status = Unknown
		r.b.reportProblem(phase.File, item.At, "unknown status of "+id, "write required, optional, skipped or the file that came of it")
	}
	phase.addItem(item)
	if r.plan == "" && !item.Status.IsClosed() {
		r.plan, r.planWhy = item.Title, id+" is "+status
		if r.plan == "" {
			r.plan = id
		}
		if command := v.Get("command").Scalar(); command != "" {
			r.plan += " (" + command + ")"
		}
		r.b.Now = phase
	}
}

// stepRank returns how early a story or specification comes next: what is in progress, in review, ready, in the backlog.
func stepRank(s *Item) int {
	switch word := normalizeWord(s.Raw); {
	case s.Status == Active:
		return 0
	case s.Status == Waiting:
		return 1
	case s.Status == Pending && (word == "ready-for-dev" || word == "drafted"):
		return 2
	case s.Status == Pending && word == "backlog":
		return 3
	}
	return len(stepVerbs)
}

// stepVerbs are the verbs of the next steps by their rank.
var stepVerbs = [...]string{"resume ", "review ", "start ", "start "}

// setNext finds the next step in BMAD's own order; retrospectives come last.
func (r *bmad) setNext() {
	b := r.b
	best := len(stepVerbs)
	for _, s := range append(slices.Clone(r.stories), r.specs...) {
		if rank := stepRank(s); rank < best {
			best, b.NextItem = rank, s
		}
	}
	if s := b.NextItem; s != nil {
		if b.Next, b.NextWhy = stepVerbs[best]+s.ID, s.ID+" is "+s.Raw; s.Status != Pending {
			b.Now = s
		}
		return
	}
	switch {
	case len(b.Waits) > 0 && len(r.specs) > 0:
		b.Next, b.NextWhy = b.Waits[0].Text, "nothing else can go on"
	case r.plan != "":
		b.Next, b.NextWhy = r.plan, r.planWhy
	}
	for _, key := range r.retros {
		for _, p := range b.Phases {
			if b.Next == "" && p.ID == "epic-"+key && p.Status == Done {
				b.Next, b.NextWhy, b.NextItem = "retrospective of epic "+key, "all of its stories are done", p
			}
		}
	}
}
