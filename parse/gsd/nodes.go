package gsd

import (
	"cmp"
	"path"
	"strconv"
	"strings"
	"time"

	"gatehouse/model"
	"gatehouse/model/line"
	"gatehouse/parse/doc"
	"gatehouse/parse/gsd/core"
	"gatehouse/parse/protocol"
)

// phasePart names a phase in the IDs of nodes: its number; for a second directory with the number its name; for an
// archived phase its milestone, too.
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

func (c *build) buildFile(name string) string { return c.Dir + "/" + name }

func (c *build) roadmapPos(line int) model.Pos {
	return model.Pos{File: c.buildFile("ROADMAP.md"), Line: line}
}

// addFacts adds facts to a node: labels, each with its value. A value that shows nothing adds none.
func addFacts(n *model.Node, labelsAndValues ...string) {
	for i := 0; i < len(labelsAndValues); i += 2 {
		protocol.AddFact(n, labelsAndValues[i], labelsAndValues[i+1])
	}
}

// addNodes lays out the rows: milestones if the roadmap has several, phases, plans, tasks and gates, then the groups
// outside the phases.
func (c *build) addNodes() {
	c.b.Nodes = append(c.b.Nodes, c.gates[nil]...)
	var milestones []*model.Node
	if len(c.Roadmap.Milestones) > 1 || len(c.Archived) > 0 {
		for i := range c.Roadmap.Milestones {
			milestones = append(milestones, c.milestoneNode(&c.Roadmap.Milestones[i]))
		}
	}
	place := func(p *core.Phase, n *model.Node) {
		var g *model.Node
		for _, n := range milestones {
			if n.Number == p.Version {
				g = n
			}
		}
		if g == nil && p.Dir != "" && p.Version != "" && n.IsArchived() {
			g = &model.Node{ID: "milestone/" + p.Version, Kind: model.KindMilestone, Number: p.Version, Source: model.Pos{File: path.Dir(p.Dir)}}
			milestones = append(milestones, g)
		}
		if g == nil {
			c.b.Nodes = append(c.b.Nodes, n)
		} else {
			g.Children = append(g.Children, n)
		}
	}
	for _, p := range c.Archived {
		place(p, c.archivedNode(p))
	}
	closed := map[*model.Node]bool{}
	for _, p := range c.Phases {
		if p.Dir == "" && c.IsInArchive(p.ID) && (p.Past != "" || c.IsOfShipped(p)) {
			continue // the archive has it
		}
		n := c.phaseNode(p)
		closed[n] = p.IsClosed
		place(p, n)
	}
	for _, g := range milestones {
		rollUpMilestone(g, closed)
		setSince(g, c.milestoneSince(g))
		if g.Number == c.CurrentVersion() && c.b.Progress.Known && c.Overtaken == nil {
			g.Plans = c.b.Progress.Plans // GSD may count other plans than the roadmap lists
		}
	}
	c.b.Nodes = append(c.b.Nodes, milestones...)
	c.addGroups()
}

func (c *build) milestoneNode(m *core.Milestone) *model.Node {
	n := &model.Node{ID: "milestone/" + m.Version, Kind: model.KindMilestone, Number: m.Version, Title: line.Tidy(m.Name), Source: c.roadmapPos(m.Line)}
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

// rollUpMilestone gives a milestone the status of its phases. If only expired waits are left, it has expired itself.
// "Shipped" is the roadmap's claim; an open phase is still shown.
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
		if status.Closed() && (n.Count.Open() == 0 || n.Status == model.Skipped || n.IsArchived()) {
			g.Count.Done++ // one with open plans is not done, also if its milestone is over
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

// archivedNode makes the row of a phase of an archived milestone.
func (c *build) archivedNode(p *core.Phase) *model.Node {
	n := &model.Node{
		ID: phaseNode(p), Kind: model.KindPhase, Number: p.ID.Text, Title: line.Tidy(p.Name), Standing: model.Standing{Status: model.Archived}, Status: model.Done,
		Raw: "archived", Why: "it was archived with its milestone", Source: model.Pos{File: p.Dir}, Updated: time.Unix(0, p.Modified), Children: c.gates[p],
	}
	completed := ""
	if p.Road != nil {
		completed = p.Road.Completed
	}
	setSince(n, c.momentStated(completed, p.Modified))
	if n.Count.Done, n.Count.Total = p.CountPlans(); n.Count.Open() > 0 {
		n.Why = "it was archived with " + core.Count(n.Count.Open(), "plan") + " without a summary"
	}
	return n
}

// phaseNode makes the row of a phase and all below it.
func (c *build) phaseNode(p *core.Phase) *model.Node {
	n := &model.Node{
		ID: phaseNode(p), Kind: model.KindPhase, Number: p.ID.Text, Title: cmp.Or(line.Tidy(p.Name), "phase "+p.ID.Text),
		Status: model.Status(p.Status), Raw: line.Tidy(p.Word), Why: line.Tidy(p.Why), Held: p.IsHeld, Source: model.Pos{File: p.Dir}, Updated: timeOf(p.Modified),
	}
	n.Count.Done, n.Count.Total = p.CountPlans()
	if p.DecidedBy != "" {
		n.Decides = model.Pos{File: p.DecidedBy, Line: p.DecidedLine}
	}
	switch {
	case c.IsAnswered(p):
		n.Standing.Status = model.Answered
	case p.IsAhead && p.Status == core.Waiting:
		n.Status, n.Why = model.Pending, line.Tidy(p.Past)
	case p.Past != "" && (p.IsClosed || p.Status == core.Waiting):
		n.Standing.Status = model.Expired
	}
	if p.Dir == "" {
		n.Source = c.roadmapPos(p.Road.Line)
		if c.IsOfShipped(p) || p.Past != "" && p.Status.IsClosed() {
			n.Archive()
		}
	}
	setSince(n, c.phaseSince(p))
	if p.Word == core.WordComplete && !p.IsClosed {
		n.Raw = "" // GSD's word, but a test is before the user
	}
	addPhaseFacts(p, n)
	for _, e := range p.Files {
		changed := timeOf(e.Modified)
		if changed.After(n.Updated) {
			n.Updated = changed
		}
		if name := artifactName(e.Name); name != "" && !e.IsDir {
			n.Artifacts = append(n.Artifacts, model.Artifact{Name: name, File: path.Join(p.Dir, e.Name), Exists: true, Size: e.Size, Changed: changed})
		}
	}
	for _, s := range p.Plans {
		n.Children = append(n.Children, c.planNode(s))
	}
	n.Children = append(n.Children, c.gates[p]...)
	addFacts(n, "past", p.Past)
	return n
}

func addPhaseFacts(p *core.Phase, n *model.Node) {
	if r := p.Road; r != nil {
		box, name := "", ""
		switch {
		case r.IsChecked:
			box = "checked off"
		case r.IsListed:
			box = "not checked off"
		}
		if !p.IsNamed() {
			name = r.Name
		}
		addFacts(n, "goal", r.Goal, "depends on", r.DependsOn, "roadmap", box, "in the roadmap", name, "completed", r.Completed)
	}
	if v := p.Main; v != nil {
		addFacts(n, "verification", v.Status, "score", v.Score)
		for _, g := range v.Gaps {
			addFacts(n, "gap", g)
		}
	}
	if p.Stopped != nil {
		addFacts(n, "stopped at", p.Stopped.Task)
	}
}

// planNode makes the row of a plan and its tasks.
func (c *build) planNode(s *core.PlanState) *model.Node {
	n := &model.Node{
		ID: planNode(s), Kind: model.KindPlan, Number: line.Tidy(s.ID), Title: line.Tidy(planTitle(s)), Status: model.Status(s.Status), Raw: line.Tidy(s.Word), Why: line.Tidy(s.Why),
		Wave: s.Plan.Wave, Source: model.Pos{File: s.Path}, Updated: timeOf(max(s.Modified, s.SummaryModified)), Held: s.IsHeld, DependsOn: planNodes(s.DependsOn), BlockedBy: planNodes(s.BlockedBy),
	}
	since := c.planSince(s)
	setSince(n, since)
	addFacts(n, "objective", s.Plan.Objective)
	if s.Plan.IsAttended {
		addFacts(n, "runs", "attended (autonomous: false)")
	}
	if s.Plan.ClosesGaps {
		addFacts(n, "closes", "gaps of a verification")
	}
	n.Artifacts = []model.Artifact{{Name: "PLAN", File: s.Path, Exists: true, Size: s.Size, Changed: timeOf(s.Modified)}}
	if s.Summary != nil {
		file := path.Join(s.Phase.Dir, s.File.Summary)
		n.Artifacts = append(n.Artifacts, model.Artifact{Name: "SUMMARY", File: file, Exists: true, Size: s.SummarySize, Changed: timeOf(s.SummaryModified)})
		addFacts(n, "completed", s.Summary.Completed, "took", timesOf(s).Took)
	}
	for i := range s.Plan.Tasks {
		task := taskNode(s, i)
		setSince(task, since) // no file says more
		n.Children = append(n.Children, task)
	}
	return n
}

func planNodes(plans []*core.PlanState) (ids []string) {
	for _, s := range plans {
		ids = append(ids, planNode(s))
	}
	return ids
}

// planTitle returns the name of a plan in its file name, else its objective without the period at its end.
func planTitle(s *core.PlanState) string {
	name := strings.TrimSuffix(path.Base(s.File.Name), ".md")
	name = strings.TrimPrefix(strings.TrimSuffix(name, "-PLAN"), s.ID)
	if _, rest, ok := strings.Cut(name, "PLAN-"); ok {
		name = strings.TrimLeft(rest, "0123456789")
	}
	if name = strings.Trim(strings.ReplaceAll(name, "-", " "), " "); name != "" && name != "PLAN" {
		return name
	}
	return strings.TrimSuffix(s.Plan.Objective, ".")
}

// taskNode makes the row of a task. A checkpoint is a task that stops for a human; nothing says whether it was reached, so its gate
// is upcoming.
func taskNode(s *core.PlanState, i int) *model.Node {
	t := &s.Plan.Tasks[i]
	n := &model.Node{
		ID: "task/" + phasePart(s.Phase) + "/" + s.File.Name + "/" + strconv.Itoa(i+1), Kind: model.KindTask, Number: strconv.Itoa(i + 1),
		Title: line.Tidy(taskName(t)), Status: model.Pending, Source: model.Pos{File: s.Path, Line: t.Line},
	}
	switch {
	case s.Word == "halted":
		n.Status, n.Why = model.Unknown, "its plan was halted; no file says how far it came"
	case s.Status.IsClosed(), s.Status == core.Blocked:
		n.Status, n.Why = model.Status(s.Status), "with its plan"
	}
	addFacts(n, "files", t.Files)
	if t.Checkpoint == "" {
		return n
	}
	n.Raw = line.Tidy("checkpoint: " + t.Checkpoint)
	if n.Status == model.Pending {
		n.Why = "its plan stops here for a human"
	}
	n.Gate = &model.Gate{
		Approval: model.ApprovalHuman, Required: strings.HasPrefix(t.Gate, "blocking"), Asks: line.Tidy(t.Asks), Expects: line.Tidy(firstLine(t.HowTo)),
		Opens: []string{planNode(s)}, Upcoming: true,
	}
	return n
}

// taskName removes the "Task 2:" that repeats the number.
func taskName(t *core.Task) string {
	_, name, _ := doc.ParseTaskNumber(t.Name)
	return cmp.Or(name, t.Asks)
}

// artifactName returns GSD's name for a kind of phase file; "" for others, and for plans and summaries, which have rows
// of their own.
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
