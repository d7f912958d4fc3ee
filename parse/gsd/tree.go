// Laying out the rows: milestones where the roadmap has several, phases, plans,
// tasks and gates, then what stands beside them.

package gsd

import (
	"path"
	"strconv"
	"strings"

	"gatehouse/model"
	"gatehouse/model/line"
	"gatehouse/parse/gsd/milestone"
)

func phaseNode(p *phase) string { return "phase/" + p.part() }

func planNode(s *planState) string { return "plan/" + s.phase.part() + "/" + s.name }

// part is what a phase is called in the IDs of nodes: its number, of a second directory with the same one its name, and of one
// in an archive its milestone besides.
func (p *phase) part() string {
	switch {
	case p.archive:
		return p.version + "/" + p.id.key
	case p.again:
		return path.Base(p.dir)
	}
	return p.id.key
}

// layOut fills in the build's nodes.
func (c *collector) layOut() {
	b := c.b
	b.Nodes = append(b.Nodes, c.loose...)
	groups := map[string]*model.Node{}
	var order []*model.Node
	if len(c.roadmap.milestones) > 1 || len(c.archived) > 0 {
		for i := range c.roadmap.milestones {
			m := &c.roadmap.milestones[i]
			n := milestoneNode(m, c.file("ROADMAP.md"))
			groups[m.version] = n
			order = append(order, n)
		}
	}
	place := func(p *phase, n *model.Node) {
		g := groups[p.version]
		if g == nil && p.dir != "" && p.version != "" && n.IsArchived() {
			g = &model.Node{ID: "milestone/" + p.version, Kind: model.KindMilestone, Number: p.version, Source: model.Pos{File: path.Dir(p.dir)}}
			groups[p.version] = g
			order = append(order, g)
		}
		if g == nil {
			b.Nodes = append(b.Nodes, n)
			return
		}
		g.Children = append(g.Children, n)
	}
	archived := map[string]bool{}
	for _, p := range c.archived {
		archived[p.id.key] = true
		n := archivedNode(p)
		n.Children = c.waits[p]
		place(p, n)
	}
	closed := map[*model.Node]bool{}
	for _, p := range c.phases {
		n := c.phaseRow(p)
		closed[n] = p.closed
		// Planned only, over, and kept in the archive: shown there.
		if p.dir == "" && archived[p.id.key] && (p.past != "" || c.shipped(p)) {
			continue
		}
		place(p, n)
	}
	for _, g := range order {
		rollUp(g, closed)
		c.milestoneSince(g).put(g)
		if g.Number == c.currentVersion() && b.Progress.Known && c.overtaken == nil {
			g.Plans = b.Progress.Plans // which GSD may count otherwise than the roadmap lists
		}
	}
	b.Nodes = append(b.Nodes, order...)
	c.groups()
}

// milestoneNode makes the row of a milestone of the roadmap.
func milestoneNode(m *roadMilestone, file string) *model.Node {
	n := &model.Node{
		ID: "milestone/" + m.version, Kind: model.KindMilestone, Number: m.version, Title: line.Tidy(m.name),
		Source: model.Pos{File: file, Line: m.line},
	}
	switch m.state {
	case statePlanned:
		n.Status, n.Raw = model.Pending, "planned"
	case stateActive:
		n.Status, n.Raw = model.Active, "in progress"
	case stateShipped:
		n.Status, n.Raw = model.Done, "shipped"
	}
	return n
}

// rollUp gives a milestone the status of its phases; with one that waits no
// more it is past itself, unless more is left. That it has shipped is
// the roadmap's word; a phase that is open all the same is shown.
func rollUp(g *model.Node, closed map[*model.Node]bool) {
	var statuses []model.Status
	archived, past := 0, false
	for _, n := range g.Children {
		g.Count.Total++
		g.Plans.Done += n.Count.Done
		g.Plans.Total += n.Count.Total
		status := n.Status
		switch {
		case closed[n] && !status.Closed():
			status = model.Done
		case n.IsAnswered():
			status = model.Executed
		}
		if status.Closed() {
			g.Count.Done++
		}
		switch {
		case n.IsArchived():
			archived++
		case status == model.Waiting && n.IsExpired():
			past = true
		default:
			statuses = append(statuses, status)
		}
	}
	switch {
	case past && g.Raw != "shipped" && (len(statuses) == 0 || model.RollUp(statuses).Closed()): // nothing else is left of it
		g.Status, g.Why, g.Standing.Status = model.Waiting, "from its phases", model.Expired
	case len(statuses) > 0 && (g.Raw != "shipped" || !model.RollUp(statuses).Closed()):
		g.Status, g.Why = model.RollUp(statuses), "from its phases"
	case g.Status == model.Unknown && archived > 0:
		g.Status, g.Raw, g.Why = model.Done, "archived", "its phases are kept in "+g.Source.File
	case g.Raw == "shipped":
		g.Why = "ROADMAP.md says so"
	}
	if len(statuses) == 0 && g.Status == model.Done {
		g.Archive()
	}
}

// archivedNode makes the row of a phase of a milestone that is over.
func archivedNode(p *phase) *model.Node {
	n := &model.Node{
		ID: phaseNode(p), Kind: model.KindPhase, Number: p.id.text, Title: line.Tidy(p.name), Standing: model.Standing{Status: model.Archived},
		Status: model.Done, Raw: "archived", Why: "it was archived with its milestone",
		Source: model.Pos{File: p.dir}, Updated: p.modTime,
	}
	moment{p.modTime, true}.put(n)
	if p.road != nil && p.road.completed != "" {
		said(p.road.completed, p.modTime).put(n)
	}
	for _, s := range p.plans {
		n.Count.Total++
		if s.planFile.summary != "" {
			n.Count.Done++
		}
	}
	if n.Count.Open() > 0 {
		n.Why = "it was archived with " + number(n.Count.Open(), "plan") + " without a summary"
	}
	return n
}

// phaseRow makes the row of a phase and all below it.
func (c *collector) phaseRow(p *phase) *model.Node {
	plans, done := p.live()
	n := &model.Node{
		ID: phaseNode(p), Kind: model.KindPhase, Number: p.id.text, Title: line.Tidy(p.name),
		Status: p.status, Raw: line.Tidy(p.word), Why: line.Tidy(p.why), Count: model.Count{Done: done, Total: len(plans)}, Held: p.held,
		Source: model.Pos{File: p.dir}, Updated: p.modTime, Decides: p.decides,
	}
	switch {
	case c.answered(p):
		n.Standing.Status = model.Answered
	case p.past != "" && (p.closed || p.status == model.Waiting):
		n.Standing.Status = model.Expired
	}
	if p.dir == "" {
		n.Source = model.Pos{File: c.file("ROADMAP.md"), Line: p.road.line}
		if c.shipped(p) || p.past != "" && p.status.Closed() {
			n.Archive()
		}
	}
	c.phaseSince(p).put(n)
	if n.Title == "" {
		n.Title = "phase " + n.Number
	}
	if p.word == wordComplete && !p.closed {
		n.Raw = "" // GSD's word, but it is not: a test of it is before the user
	}
	c.phaseFacts(p, n)
	for _, e := range p.files {
		if e.ModTime.After(n.Updated) {
			n.Updated = e.ModTime
		}
		if name := artifactName(e.Name); name != "" && !e.Dir {
			n.Artifacts = append(n.Artifacts, model.Artifact{Name: name, File: path.Join(p.dir, e.Name), Exists: true, Size: e.Size, Changed: e.ModTime})
		}
	}
	for _, s := range p.plans {
		n.Children = append(n.Children, c.planRow(s))
	}
	c.plannedPlans(p, n)
	n.Children = append(n.Children, c.waits[p]...)
	if p.past != "" {
		n.Facts = append(n.Facts, model.Fact{Label: "past", Value: line.Tidy(p.past)})
	}
	return n
}

func (c *collector) phaseFacts(p *phase, n *model.Node) {
	add := func(label, value string) {
		if value = line.Tidy(value); value != "" {
			n.Facts = append(n.Facts, model.Fact{Label: label, Value: value})
		}
	}
	if r := p.road; r != nil {
		add("goal", r.goal)
		add("depends on", r.depends)
		switch {
		case r.checked:
			add("roadmap", "checked off")
		case r.listed:
			add("roadmap", "not checked off")
		}
		if slug(r.name) != slug(p.name) {
			add("in the roadmap", r.name)
		}
		add("completed", r.completed)
	}
	if v := p.verified; v != nil {
		add("verification", v.status)
		add("score", v.score)
		for _, g := range v.gaps {
			add("gap", g)
		}
	}
	if p.stopped != nil {
		add("stopped at", p.stopped.task)
	}
}

// plannedPlans adds the plans that the roadmap lists for a phase without any.
func (c *collector) plannedPlans(p *phase, n *model.Node) {
	if p.road == nil || len(p.plans) > 0 {
		return
	}
	for _, r := range p.road.plans {
		child := &model.Node{
			ID: "plan/" + p.id.key + "/roadmap/" + r.id, Kind: model.KindPlan, Number: r.id, Title: line.Tidy(r.name), Status: model.Pending,
			Why: "ROADMAP.md lists it; it has no file", Source: model.Pos{File: c.file("ROADMAP.md"), Line: r.line},
		}
		if n.IsArchived() {
			child.Archive()
		}
		if r.checked {
			child.Status = model.Unknown
			if n.Status == model.Done {
				child.Status = model.Done
			}
			child.Why = "ROADMAP.md checks it off; it has no file"
		}
		if child.Status == n.Status {
			moment{n.Since, n.SinceFile}.put(child)
		} else {
			c.planned.put(child)
		}
		n.Children = append(n.Children, child)
	}
}

// planRow makes the row of a plan and its tasks.
func (c *collector) planRow(s *planState) *model.Node {
	n := &model.Node{
		ID: planNode(s), Kind: model.KindPlan, Number: line.Tidy(s.id), Title: line.Tidy(s.title()), Status: s.status, Raw: line.Tidy(s.raw), Why: line.Tidy(s.why),
		Wave: s.plan.wave, Source: model.Pos{File: s.file}, Updated: s.entry.ModTime, Held: s.held,
	}
	c.planSince(s).put(n)
	for _, d := range s.dependsOn {
		n.DependsOn = append(n.DependsOn, planNode(d))
	}
	for _, d := range s.blockedBy {
		n.BlockedBy = append(n.BlockedBy, planNode(d))
	}
	add := func(label, value string) {
		if value = line.Tidy(value); value != "" {
			n.Facts = append(n.Facts, model.Fact{Label: label, Value: value})
		}
	}
	add("objective", s.plan.objective)
	if s.plan.attended {
		add("runs", "attended (autonomous: false)")
	}
	if s.plan.gapClosure {
		add("closes", "gaps of a verification")
	}
	n.Artifacts = append(n.Artifacts, model.Artifact{Name: "PLAN", File: n.Source.File, Exists: true, Size: s.entry.Size, Changed: s.entry.ModTime})
	if s.summary != nil {
		n.Artifacts = append(n.Artifacts, model.Artifact{Name: "SUMMARY", File: path.Join(s.phase.dir, s.planFile.summary), Exists: true, Size: s.sumEntry.Size, Changed: s.sumEntry.ModTime})
		if s.sumEntry.ModTime.After(n.Updated) {
			n.Updated = s.sumEntry.ModTime
		}
		add("completed", s.summary.completed)
		add("took", s.summary.duration)
	}
	n.Children = tasksOf(s, c.notBeforeItIs(c.planSince(s)))
	return n
}

// title returns what a plan is called: in the roadmap, else in its file name,
// else by its objective.
func (s *planState) title() string {
	if r := s.phase.road; r != nil {
		for _, listed := range r.plans {
			if planKey(s.phase, listed.id) == planKey(s.phase, s.id) && listed.name != "" {
				return listed.name
			}
		}
	}
	name := strings.TrimSuffix(path.Base(s.name), ".md")
	name = strings.TrimPrefix(strings.TrimSuffix(name, "-PLAN"), s.id)
	if _, rest, ok := strings.Cut(name, "PLAN-"); ok {
		name = rest[digits(rest):]
	}
	if name = strings.Trim(strings.ReplaceAll(name, "-", " "), " "); name != "" && name != "PLAN" {
		return name
	}
	return s.plan.objective
}

// taskRows are the rows of a plan's tasks, and what they were laid out for.
type taskRows struct {
	nodes  []*model.Node
	status model.Status
	raw    string
	since  moment
}

// tasksOf returns the rows of a plan's tasks: those of the build before while
// the plan's file and its status are the same. A node is never changed once it
// is handed out, and most nodes of a large build are tasks of plans in which
// nothing happens.
func tasksOf(s *planState, since moment) []*model.Node {
	if len(s.plan.tasks) == 0 {
		return nil
	}
	last := &s.plan.rows
	if last.nodes == nil || last.status != s.status || last.raw != s.raw || last.since.file != since.file || !last.since.at.Equal(since.at) {
		*last = taskRows{make([]*model.Node, len(s.plan.tasks)), s.status, s.raw, since}
		for i := range last.nodes {
			last.nodes[i] = taskNode(s, i)
			since.put(last.nodes[i]) // as its plan: no file says more
		}
	}
	return last.nodes
}

// taskNode makes the row of a task. A checkpoint is a task that stops for a
// human; nothing says whether it has been reached, so its gate is potential.
func taskNode(s *planState, i int) *model.Node {
	t := &s.plan.tasks[i]
	n := &model.Node{
		ID: "task/" + s.phase.part() + "/" + s.name + "/" + strconv.Itoa(i+1), Kind: model.KindTask, Number: strconv.Itoa(i + 1),
		Title: line.Tidy(taskName(t)), Status: model.Pending, Source: model.Pos{File: s.file, Line: t.line},
	}
	switch s.status {
	case model.Done, model.Skipped:
		n.Status, n.Why = s.status, "with its plan"
	case model.Blocked:
		n.Status, n.Why = model.Blocked, "with its plan"
		if s.raw == "halted" {
			n.Status, n.Why = model.Unknown, "its plan was halted; no file says how far it came"
		}
	}
	if t.files != "" {
		n.Facts = append(n.Facts, model.Fact{Label: "files", Value: line.Tidy(t.files)})
	}
	kind := t.checkpoint()
	if kind == "" {
		return n
	}
	n.Raw = line.Tidy("checkpoint: " + kind)
	if n.Status == model.Pending {
		n.Why = "its plan stops here for a human"
	}
	n.Gate = &model.Gate{
		Approval: model.ApprovalHuman, Required: strings.HasPrefix(t.gate, "blocking"), Asks: line.Tidy(t.asks),
		Expects: line.Tidy(firstLine(t.how)), Opens: []string{planNode(s)}, Upcoming: true,
	}
	return n
}

// taskName drops the "Task 2:" that repeats the number.
func taskName(t *task) string {
	name := t.name
	if rest, ok := strings.CutPrefix(name, "Task "); ok {
		if n := digits(rest); n > 0 {
			if after, cut := strings.CutPrefix(rest[n:], ":"); cut {
				name = strings.TrimSpace(after)
			}
		}
	}
	if name == "" {
		return t.asks
	}
	return name
}

// artifactName says what a file of a phase is to GSD, "" for others and for
// plans and summaries, which have rows of their own.
func artifactName(name string) string {
	stem, ok := strings.CutSuffix(name, ".md")
	if !ok || milestone.IsPlan(name) || milestone.IsSummary(name) {
		return ""
	}
	for _, known := range []string{"CONTEXT", "RESEARCH", "DISCUSSION-LOG", "VALIDATION", "PATTERNS", "UI-SPEC", "VERIFICATION", "HUMAN-UAT", "UAT", "REVIEWS", "REVIEW", "SECURITY", "OUTLINE"} {
		if stem == known || strings.HasSuffix(stem, "-"+known) {
			return known
		}
	}
	return ""
}
