// Collecting what the files say, before anything is concluded from it.

package gsd

import (
	"errors"
	"path"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"gatehouse/model"
	"gatehouse/parse/disk/mirror"
	"gatehouse/parse/gsd/milestone"
	"gatehouse/parse/gsd/rules"
	"gatehouse/parse/protocol"
)

// collector gathers one build.
type collector struct {
	m       *mirror.Mirror
	dir     string
	primary bool // see Reader
	now     time.Time
	b       *model.Build

	state   *state
	stateIs mirror.Result[*state]
	roadmap *roadmap
	planned moment // when ROADMAP.md was written last
	// scope is the phases of the current milestone to a reader ([milestone.OfReader]), counting those that GSD counts. They are the
	// same but where STATE.md was left behind, or one of the files writes versions or phases so that GSD finds them nowhere.
	scope, counting milestone.Scope
	behind          *shippedList // of MILESTONES.md: what has shipped
	ended           string       // why the current milestone is over; "" while it is not
	// overtaken is the milestone that is under way by ROADMAP.md where that has shipped the one STATE.md still names, else nil.
	overtaken *roadMilestone
	config    *config
	waiting   *waiting
	waitFile  string
	handoff   *handoff
	handFile  string

	phases   []*phase // in order: those with a directory, and those only planned
	archived []*phase
	backlog  []*phase
	byKey    map[string]*phase // of phases
	plans    map[string]*planState
	haltedBy map[*planState][]*planState // the halted plans behind each plan, once looked for
	counted  []*phase                    // those of phases that GSD counts: see collector.inScope
	ours     []*phase                    // those of the current milestone to a reader: see collector.nowCounted
	todos    []todoFile
	quick    []todoFile
	current  *phase // the phase worked on, nil if none is named
	waits    map[*phase][]*model.Node
	loose    []*model.Node // gates that belong to no phase
}

// phase is a phase with what its directory and the roadmap say about it.
type phase struct {
	id      phaseID
	name    string
	dir     string // relative to the project; "" for one that is only planned
	modTime time.Time
	road    *roadPhase // nil if the roadmap does not know it
	version string     // of the milestone it belongs to, "" if none says
	past    string     // why nothing of it waits for anybody any more; "" for a phase of the current milestone
	archive bool       // it lies in the archive of its milestone
	again   bool       // another directory before it bears the same number

	files    []mirror.Entry
	hadPlans bool // there were plans, superseded ones included
	plans    []*planState
	verified *verification
	verFile  mirror.Entry
	others   []otherVerification
	uats     []uatFile
	stopped  *continueHere
	stopFile string

	word    string    // GSD's own word for it
	decides model.Pos // what its status comes from, where one place of a file does
	status  model.Status
	why     string
	held    bool
	closed  bool // nothing is left to do
}

// planState is a plan with what its files say.
type planState struct {
	planFile
	file      string // relative to the project
	phase     *phase
	plan      *plan
	summary   *summary
	entry     mirror.Entry
	sumEntry  mirror.Entry
	held      bool
	dependsOn []*planState
	blockedBy []*planState
	status    model.Status
	raw, why  string
}

// otherVerification is a verification of a phase beside the first, which GSD goes by: what it leaves to a human waits as well.
type otherVerification struct {
	*verification
	file mirror.Entry
}

type uatFile struct {
	name  string
	entry mirror.Entry
	uat   *uat
	held  bool
	// broken says that the file can't be read as it is now: what is known of it is from before, or not all there is.
	broken bool
}

// gateID is the ID of the file's row; those of its tests are below it, by their place from 1.
func (f *uatFile) gateID(p *phase) string { return "gate/" + p.part() + "/" + f.name }

// sinceWhen is when the file began to wait for a human: when an agent last wrote it, as far as it says.
func (f *uatFile) sinceWhen() moment { return said(f.uat.updated, f.entry.ModTime) }

type todoFile struct {
	todo
	file    string
	modTime time.Time
	done    bool
}

func (c *collector) collect() {
	c.stateIs = readFile(c, "STATE.md", parseState)
	if c.state = c.stateIs.Value; c.state == nil {
		c.state = &state{progress: map[string]int{}}
	}
	if !c.stateIs.Exists {
		c.b.Problems = append(c.b.Problems, model.Problem{
			Pos: model.Pos{File: c.b.File}, Severity: model.Warning, Text: "there is no STATE.md", Fix: "what is shown comes from the tree alone; GSD's next command writes one",
		})
	}
	road := readFile(c, "ROADMAP.md", parseRoadmap)
	c.planned = moment{road.ModTime, !road.ModTime.IsZero()}
	if c.roadmap = road.Value; c.roadmap == nil {
		c.roadmap = newRoadmap()
	}
	declared := c.roadmap.scopesOf(c.state.declared)
	c.counting, c.scope = declared.gsd, declared.reader
	if c.overtaken = c.overtakenBy(); c.overtaken != nil {
		c.scope = c.roadmap.scopesOf(c.overtaken.version).reader
	}
	if c.behind = readFile(c, "MILESTONES.md", parseShipped).Value; c.behind == nil {
		c.behind = &shippedList{}
	}
	if len(c.state.shipped) > 0 {
		behind := &shippedList{milestones: slices.Clone(c.behind.milestones)}
		for _, m := range c.state.shipped {
			if m.version != c.currentVersion() && behind.find(m.version) == nil {
				behind.milestones = append(behind.milestones, m)
			}
		}
		c.behind = behind
	}
	// PROJECT.md and config.json stay in .planning for all workstreams.
	if c.config = protocol.ReadFile(c.m, c.b, path.Join(Planning, "config.json"), parseConfig).Value; c.config == nil {
		c.config = &config{verifier: true}
	}
	for _, dir := range c.places(".gsd") {
		file := path.Join(dir, "WAITING.json")
		w := protocol.ReadFile(c.m, c.b, file, parseWaiting)
		if w.Value == nil && w.Err != nil {
			w.Value = &waiting{question: rules.UnreadableWait}
		}
		if w.Value != nil && c.waiting == nil {
			c.waiting, c.waitFile = w.Value, file
			c.waiting.modTime = w.ModTime
		}
	}
	for _, dir := range c.places() {
		file := path.Join(dir, "HANDOFF.json")
		if h := protocol.ReadFile(c.m, c.b, file, parseHandoff); h.Value != nil && c.handoff == nil {
			c.handoff, c.handFile = h.Value, file
			c.handoff.modTime = h.ModTime
		}
	}
	c.collectPhases()
	c.collectArchives()
	c.answerGone()
	c.collectTodos()
}

// places returns where the files lie that speak to a human: in the build's
// directory and, for one build of the project, in .planning and the others.
func (c *collector) places(others ...string) []string {
	places := []string{c.dir}
	if !c.primary {
		return places
	}
	if c.dir != Planning {
		places = append(places, Planning)
	}
	return append(places, others...)
}

// readFile reads a file of the build's directory.
func readFile[T any](c *collector, name string, parse func(string) (T, error)) mirror.Result[T] {
	return protocol.ReadFile(c.m, c.b, path.Join(c.dir, name), parse)
}

// list lists a directory, and notes what is wrong with it.
func (c *collector) list(dir string) []mirror.Entry {
	entries, _ := protocol.ListDir(c.m, c.b, dir)
	return entries
}

// serious reports whether a fault makes what could be read of a file worthless.
func serious(err error) bool {
	var fault *mirror.Fault
	return err != nil && !(errors.As(err, &fault) && fault.Minor)
}

// collectPhases unites the directories with the roadmap by identity key.
func (c *collector) collectPhases() {
	c.byKey = map[string]*phase{}
	root := path.Join(c.dir, "phases")
	for _, e := range c.list(root) {
		if e.Regular {
			continue // what is neither is a link that leads nowhere or out of the project, and a phase all the same
		}
		id, name, ok := splitDir(e.Name)
		if !ok {
			if !c.counting.Holds(e.Name) || e.Name[0] == '.' {
				continue
			}
			id = wordID(e.Name) // GSD counts it
		}
		p := &phase{id: id, name: name, dir: path.Join(root, e.Name), modTime: e.ModTime}
		if id.sentinel() {
			c.backlog = append(c.backlog, p)
			continue
		}
		if other := c.byKey[id.key]; other != nil {
			c.doubled(other, p)
		} else {
			c.byKey[id.key] = p
		}
		c.phases = append(c.phases, p)
	}
	if c.m.Reads() < len(c.phases) { // nothing much is known yet
		c.warm()
	}
	for _, p := range c.phases {
		p.road = c.roadmap.byKey[p.id.key]
		if p.road != nil && slug(p.road.name) == slug(p.name) {
			p.name = p.road.name
		}
		c.collectPhase(p)
	}
	padded := slices.ContainsFunc(c.phases, func(p *phase) bool { return p.id.text[0] == '0' })
	for _, r := range c.roadmap.phases {
		if c.byKey[r.id.key] == nil {
			p := &phase{id: r.id, name: r.name, road: r}
			if padded && digits(p.id.text) == 1 {
				p.id.text = "0" + p.id.text // as the directories beside it
			}
			c.byKey[r.id.key] = p
			c.phases = append(c.phases, p)
		}
	}
	c.place()
	slices.SortStableFunc(c.phases, func(a, b *phase) int { return a.id.compare(b.id) })
}

// warm reads the files of all phases into the mirror, on all processors: what
// collectPhase then asks for, in order, is there already.
func (c *collector) warm() {
	work := make(chan *phase, len(c.phases))
	for _, p := range c.phases {
		work <- p
	}
	close(work)
	var wg sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		wg.Go(func() {
			// A fault of ours is met again in order, where it is reported.
			defer func() { _ = recover() }()
			for p := range work {
				own := &collector{m: c.m, b: &model.Build{}}
				own.collectPhase(&phase{id: p.id, dir: p.dir})
			}
		})
	}
	wg.Wait()
}

// doubled notes a second directory for a phase. GSD counts the plans of both, so both are shown; what files say of the
// number is said of the first.
func (c *collector) doubled(first, second *phase) {
	c.b.Problems = append(c.b.Problems, model.Problem{
		Pos: model.Pos{File: second.dir}, Severity: model.Warning, Text: "a second directory for phase " + second.id.key,
		Fix: "GSD counts the plans of this one and of " + path.Base(first.dir) + "; move them into one, or give it a number of its own",
	})
	second.again = true
}

// slug makes names comparable: lower case, with one blank between words.
func slug(name string) string {
	return strings.Join(strings.FieldsFunc(strings.ToLower(name), func(r rune) bool {
		return !(r >= 'a' && r <= 'z' || r >= '0' && r <= '9' || r > 0x7F)
	}), " ")
}

// collectPhase reads a phase's directory.
func (c *collector) collectPhase(p *phase) {
	p.files = c.list(p.dir)
	var names, nested []string
	for _, e := range p.files {
		switch {
		case !e.Dir:
			names = append(names, e.Name)
		case e.Name == "plans":
			for _, n := range c.list(path.Join(p.dir, "plans")) {
				nested = append(nested, n.Name)
			}
		}
	}
	for _, f := range pairPlans(p.id, names, nested) {
		p.plans = append(p.plans, c.collectPlan(p, f))
	}
	p.hadPlans = len(p.plans) > 0
	c.collectReviews(p, names)
}

// collectReviews reads what was found out about a phase's work, and where that stopped. names are those of its files.
func (c *collector) collectReviews(p *phase, names []string) {
	verification := rules.Verification(names)
	for _, e := range p.files {
		switch name := e.Name; {
		case e.Dir:
		case name == verification:
			r := protocol.ReadFile(c.m, c.b, path.Join(p.dir, name), parseVerification)
			p.verified, p.verFile, p.held = r.Value, e, p.held || r.Held
		case rules.IsVerification(name):
			if r := protocol.ReadFile(c.m, c.b, path.Join(p.dir, name), parseVerification); r.Value != nil {
				p.others = append(p.others, otherVerification{r.Value, e})
			}
		case rules.IsUAT(name):
			r := protocol.ReadFile(c.m, c.b, path.Join(p.dir, name), parseUAT)
			if r.Value != nil {
				p.uats = append(p.uats, uatFile{name: name, entry: e, uat: r.Value, held: r.Held, broken: serious(r.Err)})
			}
		case strings.HasPrefix(name, ".continue-here") && strings.HasSuffix(name, ".md"):
			r := protocol.ReadFile(c.m, c.b, path.Join(p.dir, name), parseContinue)
			if r.Value != nil {
				p.stopped, p.stopFile = r.Value, path.Join(p.dir, name)
				p.stopped.modTime = e.ModTime
			}
		}
	}
}

func (c *collector) collectPlan(p *phase, f planFile) *planState {
	s := &planState{planFile: f, phase: p, file: path.Join(p.dir, f.name)}
	r := protocol.ReadFile(c.m, c.b, s.file, parsePlan)
	if s.plan = r.Value; s.plan == nil {
		s.plan = &plan{}
	}
	s.entry, _ = c.m.Stat(s.file)
	s.held = r.Held
	if f.summary != "" {
		sr := protocol.ReadFile(c.m, c.b, path.Join(p.dir, f.summary), parseSummary)
		// The file's being there closes the plan, whatever is in it.
		if s.summary = sr.Value; s.summary == nil {
			s.summary = &summary{}
		}
		s.sumEntry, _ = c.m.Stat(path.Join(p.dir, f.summary))
		s.held = s.held || sr.Held
	}
	return s
}
