package gsd

import (
	"cmp"
	"path"
	"strconv"
	"strings"
	"time"

	"gatehouse/model"
	"gatehouse/model/line"
	"gatehouse/parse/gsd/core"
)

// phasePart names a phase in the IDs of nodes: its number; for a second directory with the number its name; for an archived phase its
// milestone, too.
func phasePart(p *core.Phase) string {
	switch {
	case p.IsArchived:
		return p.Version + "/" + p.ID.Key
	case p.IsDuplicate:
		return path.Base(p.Dir)
	}
	return p.ID.Key
}

func phaseNode(p *core.Phase) string { return "phase/" + phasePart(p) }

func planNode(s *core.PlanState) string { return "plan/" + phasePart(s.Phase) + "/" + s.File.Name }

func statusOf(s core.Status) model.Status { return model.Status(s) }

func (c *build) file(name string) string { return c.Dir + "/" + name }

// addFact adds a fact to a node, unless its value shows nothing.
func addFact(n *model.Node, label, value string) {
	if value = line.Tidy(value); value != "" {
		n.Facts = append(n.Facts, model.Fact{Label: label, Value: value})
	}
}

// addNodes lays out the rows: milestones if the roadmap has several, phases, plans, tasks and gates, then what lies beside them.
func (c *build) addNodes() {
	b := c.b
	b.Nodes = append(b.Nodes, c.loose...)
	milestones := map[string]*model.Node{}
	var order []*model.Node
	add := func(n *model.Node) {
		milestones[n.Number] = n
		order = append(order, n)
	}
	if len(c.Roadmap.Milestones) > 1 || len(c.Archived) > 0 {
		for i := range c.Roadmap.Milestones {
			add(c.milestoneNode(&c.Roadmap.Milestones[i]))
		}
	}
	place := func(p *core.Phase, n *model.Node) {
		if milestones[p.Version] == nil && p.Dir != "" && p.Version != "" && n.IsArchived() {
			add(&model.Node{ID: "milestone/" + p.Version, Kind: model.KindMilestone, Number: p.Version, Source: model.Pos{File: path.Dir(p.Dir)}})
		}
		if g := milestones[p.Version]; g != nil {
			g.Children = append(g.Children, n)
		} else {
			b.Nodes = append(b.Nodes, n)
		}
	}
	archived := map[string]bool{}
	for _, p := range c.Archived {
		archived[p.ID.Key] = true
		place(p, c.archivedNode(p))
	}
	closed := map[*model.Node]bool{}
	for _, p := range c.Phases {
		n := c.phaseNode(p)
		closed[n] = p.IsClosed
		if p.Dir != "" || !archived[p.ID.Key] || p.Past == "" && !c.IsOfShipped(p) { // else the archive has it
			place(p, n)
		}
	}
	for _, g := range order {
		rollUpMilestone(g, closed)
		setSince(g, c.milestoneSince(g))
		if g.Number == c.CurrentVersion() && b.Progress.Known && c.Overtaken == nil {
			g.Plans = b.Progress.Plans // GSD may count other plans than the roadmap lists
		}
	}
	b.Nodes = append(b.Nodes, order...)
	c.addGroups()
}

func (c *build) milestoneNode(m *core.Milestone) *model.Node {
	n := &model.Node{
		ID: "milestone/" + m.Version, Kind: model.KindMilestone, Number: m.Version, Title: line.Tidy(m.Name), Source: model.Pos{File: c.file("ROADMAP.md"), Line: m.Line},
	}
	switch m.State {
	case core.Planned:
		n.Status, n.Raw = model.Pending, "planned"
	case core.InProgress:
		n.Status, n.Raw = model.Active, "in progress"
	case core.Shipped:
		n.Status, n.Raw = model.Done, "shipped"
	}
	return n
}

// rollUpMilestone gives a milestone the status of its phases. If only expired waits are left, it has expired itself. That it has
// shipped is the roadmap's word; a phase that is open is shown all the same.
func rollUpMilestone(g *model.Node, closed map[*model.Node]bool) {
	var statuses []model.Status
	archived, hasExpired := 0, false
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
			hasExpired = true
		default:
			statuses = append(statuses, status)
		}
	}
	isShipped := g.Raw == "shipped"
	isClosed := len(statuses) == 0 || model.RollUp(statuses).Closed()
	switch {
	case hasExpired && !isShipped && isClosed:
		g.Status, g.Why, g.Standing.Status = model.Waiting, "from its phases", model.Expired
	case len(statuses) > 0 && !(isShipped && isClosed):
		g.Status, g.Why = model.RollUp(statuses), "from its phases"
	case g.Status == model.Unknown && archived > 0:
		g.Status, g.Raw, g.Why = model.Done, "archived", "its phases are kept in "+g.Source.File
	case isShipped:
		g.Why = "ROADMAP.md says so"
	}
	if len(statuses) == 0 && g.Status == model.Done {
		g.Archive()
	}
}

// archivedNode makes the row of a phase of a milestone that was put away.
func (c *build) archivedNode(p *core.Phase) *model.Node {
	modified := time.Unix(0, p.Modified)
	n := &model.Node{
		ID: phaseNode(p), Kind: model.KindPhase, Number: p.ID.Text, Title: line.Tidy(p.Name), Standing: model.Standing{Status: model.Archived},
		Status: model.Done, Raw: "archived", Why: "it was archived with its milestone", Source: model.Pos{File: p.Dir}, Updated: modified, Children: c.gates[p],
	}
	completed := ""
	if p.Road != nil {
		completed = p.Road.Completed
	}
	setSince(n, said(completed, p.Modified))
	if n.Count.Done, n.Count.Total = p.CountPlans(); n.Count.Open() > 0 {
		n.Why = "it was archived with " + core.Count(n.Count.Open(), "plan") + " without a summary"
	}
	return n
}

// phaseNode makes the row of a phase and all below it.
func (c *build) phaseNode(p *core.Phase) *model.Node {
	n := &model.Node{
		ID: phaseNode(p), Kind: model.KindPhase, Number: p.ID.Text, Title: cmp.Or(line.Tidy(p.Name), "phase "+p.ID.Text),
		Status: statusOf(p.Status), Raw: line.Tidy(p.Word), Why: line.Tidy(p.Why), Held: p.IsHeld, Source: model.Pos{File: p.Dir}, Updated: timeOf(p.Modified),
	}
	n.Count.Done, n.Count.Total = p.CountPlans()
	if p.DecidedBy != "" {
		n.Decides = model.Pos{File: p.DecidedBy, Line: p.DecidedLine}
	}
	switch {
	case c.IsAnswered(p):
		n.Standing.Status = model.Answered
	case p.Past != "" && (p.IsClosed || p.Status == core.Waiting):
		n.Standing.Status = model.Expired
	}
	if p.Dir == "" {
		n.Source = model.Pos{File: c.file("ROADMAP.md"), Line: p.Road.Line}
		if c.IsOfShipped(p) || p.Past != "" && p.Status.IsClosed() {
			n.Archive()
		}
	}
	setSince(n, c.phaseSince(p))
	if p.Word == core.WordComplete && !p.IsClosed {
		n.Raw = "" // GSD's word, but a test is before the user
	}
	c.addPhaseFacts(p, n)
	for _, e := range p.Files {
		if t := timeOf(e.Modified); t.After(n.Updated) {
			n.Updated = t
		}
		if name := artifactName(e.Name); name != "" && !e.IsDir {
			n.Artifacts = append(n.Artifacts, model.Artifact{Name: name, File: path.Join(p.Dir, e.Name), Exists: true, Size: e.Size, Changed: timeOf(e.Modified)})
		}
	}
	for _, s := range p.Plans {
		n.Children = append(n.Children, c.planNode(s))
	}
	c.addPlannedPlans(p, n)
	n.Children = append(n.Children, c.gates[p]...)
	addFact(n, "past", p.Past)
	return n
}

func (c *build) addPhaseFacts(p *core.Phase, n *model.Node) {
	if r := p.Road; r != nil {
		addFact(n, "goal", r.Goal)
		addFact(n, "depends on", r.DependsOn)
		switch {
		case r.IsChecked:
			addFact(n, "roadmap", "checked off")
		case r.IsListed:
			addFact(n, "roadmap", "not checked off")
		}
		if !p.IsNamed() {
			addFact(n, "in the roadmap", r.Name)
		}
		addFact(n, "completed", r.Completed)
	}
	if v := p.Main; v != nil {
		addFact(n, "verification", v.Status)
		addFact(n, "score", v.Score)
		for _, g := range v.Gaps {
			addFact(n, "gap", g)
		}
	}
	if p.Stopped != nil {
		addFact(n, "stopped at", p.Stopped.Task)
	}
}

// addPlannedPlans adds the plans that the roadmap lists for a phase without any.
func (c *build) addPlannedPlans(p *core.Phase, n *model.Node) {
	if p.Road == nil || len(p.Plans) > 0 {
		return
	}
	for _, r := range p.Road.Plans {
		child := &model.Node{
			ID: "plan/" + p.ID.Key + "/roadmap/" + r.ID, Kind: model.KindPlan, Number: r.ID, Title: line.Tidy(r.Name), Status: model.Pending,
			Why: "ROADMAP.md lists it; it has no file", Source: model.Pos{File: c.file("ROADMAP.md"), Line: r.Line},
		}
		if n.IsArchived() {
			child.Archive()
		}
		if r.IsChecked {
			child.Status, child.Why = model.Unknown, "ROADMAP.md checks it off; it has no file"
			if n.Status == model.Done {
				child.Status = model.Done
			}
		}
		if child.Status == n.Status {
			child.Since, child.SinceFile = n.Since, n.SinceFile
		} else {
			setSince(child, fileTime(c.Planned))
		}
		n.Children = append(n.Children, child)
	}
}

// planNode makes the row of a plan and its tasks.
func (c *build) planNode(s *core.PlanState) *model.Node {
	n := &model.Node{
		ID: planNode(s), Kind: model.KindPlan, Number: line.Tidy(s.ID), Title: line.Tidy(planTitle(s)), Status: statusOf(s.Status), Raw: line.Tidy(s.Word), Why: line.Tidy(s.Why),
		Wave: s.Plan.Wave, Source: model.Pos{File: s.Path}, Updated: timeOf(s.Modified), Held: s.IsHeld,
	}
	since := c.planSince(s)
	setSince(n, since)
	for _, d := range s.DependsOn {
		n.DependsOn = append(n.DependsOn, planNode(d))
	}
	for _, d := range s.BlockedBy {
		n.BlockedBy = append(n.BlockedBy, planNode(d))
	}
	addFact(n, "objective", s.Plan.Objective)
	if s.Plan.IsAttended {
		addFact(n, "runs", "attended (autonomous: false)")
	}
	if s.Plan.ClosesGaps {
		addFact(n, "closes", "gaps of a verification")
	}
	n.Artifacts = append(n.Artifacts, model.Artifact{Name: "PLAN", File: s.Path, Exists: true, Size: s.Size, Changed: n.Updated})
	if s.Summary != nil {
		changed := timeOf(s.SummaryModified)
		n.Artifacts = append(n.Artifacts, model.Artifact{Name: "SUMMARY", File: path.Join(s.Phase.Dir, s.File.Summary), Exists: true, Size: s.SummarySize, Changed: changed})
		if changed.After(n.Updated) {
			n.Updated = changed
		}
		addFact(n, "completed", s.Summary.Completed)
		addFact(n, "took", timesOf(s).Took)
	}
	n.Children = taskNodes(s, c.dropFuture(since))
	return n
}

// planTitle returns the name of a plan in the roadmap, else in its file name, else its objective.
func planTitle(s *core.PlanState) string {
	if r := s.Phase.Road; r != nil {
		for _, listed := range r.Plans {
			if core.PlanKey(s.Phase.ID, listed.ID) == core.PlanKey(s.Phase.ID, s.ID) && listed.Name != "" {
				return listed.Name
			}
		}
	}
	name := strings.TrimSuffix(path.Base(s.File.Name), ".md")
	name = strings.TrimPrefix(strings.TrimSuffix(name, "-PLAN"), s.ID)
	if _, rest, ok := strings.Cut(name, "PLAN-"); ok {
		name = strings.TrimLeft(rest, "0123456789")
	}
	if name = strings.Trim(strings.ReplaceAll(name, "-", " "), " "); name != "" && name != "PLAN" {
		return name
	}
	return s.Plan.Objective
}

// taskRows are the rows of a plan's tasks, and what they were made for.
type taskRows struct {
	nodes  []*model.Node
	status core.Status
	word   string
	since  moment
}

// taskNodes returns the rows of a plan's tasks: those of the build before while file and status of the plan are the same. Nodes are
// never changed once they are handed out, and most nodes of a large build are tasks of plans in which nothing happens.
func taskNodes(s *core.PlanState, since moment) []*model.Node {
	if len(s.Plan.Tasks) == 0 {
		return nil
	}
	last, _ := s.Plan.Rows.(*taskRows)
	if last == nil || last.status != s.Status || last.word != s.Word || last.since.fromFile != since.fromFile || !last.since.at.Equal(since.at) {
		last = &taskRows{nil, s.Status, s.Word, since}
		for i := range s.Plan.Tasks {
			n := taskNode(s, i)
			setSince(n, since) // no file says more
			last.nodes = append(last.nodes, n)
		}
		s.Plan.Rows = last
	}
	return last.nodes
}

// taskNode makes the row of a task. A checkpoint is a task that stops for a human; nothing says whether it was reached, so its gate
// is upcoming.
func taskNode(s *core.PlanState, i int) *model.Node {
	t := &s.Plan.Tasks[i]
	n := &model.Node{
		ID: "task/" + phasePart(s.Phase) + "/" + s.File.Name + "/" + strconv.Itoa(i+1), Kind: model.KindTask, Number: strconv.Itoa(i + 1),
		Title: line.Tidy(taskName(t)), Status: model.Pending, Source: model.Pos{File: s.Path, Line: t.Line},
	}
	switch s.Status {
	case core.Done, core.Skipped, core.Blocked:
		n.Status, n.Why = statusOf(s.Status), "with its plan"
		if s.Word == "halted" {
			n.Status, n.Why = model.Unknown, "its plan was halted; no file says how far it came"
		}
	}
	addFact(n, "files", t.Files)
	if t.Checkpoint == "" {
		return n
	}
	n.Raw = line.Tidy("checkpoint: " + t.Checkpoint)
	if n.Status == model.Pending {
		n.Why = "its plan stops here for a human"
	}
	howTo, _, _ := strings.Cut(strings.TrimSpace(t.HowTo), "\n")
	n.Gate = &model.Gate{
		Approval: model.ApprovalHuman, Required: strings.HasPrefix(t.Gate, "blocking"), Asks: line.Tidy(t.Asks), Expects: line.Tidy(howTo),
		Opens: []string{planNode(s)}, Upcoming: true,
	}
	return n
}

// taskName removes the "Task 2:" that repeats the number.
func taskName(t *core.Task) string {
	name := t.Name
	if rest, ok := strings.CutPrefix(name, "Task "); ok {
		if number, after, cut := strings.Cut(rest, ":"); cut && number != "" && strings.Trim(number, "0123456789") == "" {
			name = strings.TrimSpace(after)
		}
	}
	return cmp.Or(name, t.Asks)
}

// artifactName says what a file of a phase is to GSD; "" for others, and for plans and summaries, which have rows of their own.
func artifactName(name string) string {
	stem, ok := strings.CutSuffix(name, ".md")
	if !ok || core.IsPlan(name) || core.IsSummary(name) {
		return ""
	}
	for _, known := range []string{"CONTEXT", "RESEARCH", "DISCUSSION-LOG", "VALIDATION", "PATTERNS", "UI-SPEC", "VERIFICATION", "HUMAN-UAT", "UAT", "REVIEWS", "REVIEW", "SECURITY", "OUTLINE"} {
		if stem == known || strings.HasSuffix(stem, "-"+known) {
			return known
		}
	}
	return ""
}
