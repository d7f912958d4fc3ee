// Laying out the rows: phases, plans, tasks, and the gate of a task below it.

package ultraplan

import (
	"path"
	"strings"

	"gatehouse/model"
	"gatehouse/model/line"
	"gatehouse/parse/disk/mirror"
	"gatehouse/parse/ultraplan/facts"
	"gatehouse/parse/ultraplan/rules"
)

// layOut fills in the build's nodes and, with their gates, what waits.
func (c *builder) layOut() {
	if n := c.looseGate(); n != nil {
		c.Build.Nodes = append(c.Build.Nodes, n)
	}
	for _, p := range c.Phases {
		c.Build.Nodes = append(c.Build.Nodes, c.phaseRow(p))
	}
	c.checkpoints()
	model.SortWaits(c.Build.Waits)
}

func (c *builder) phaseRow(p *facts.Phase) *model.Node {
	n := &model.Node{
		ID: p.ID, Kind: model.KindPhase, Number: p.Number, Title: line.Tidy(p.Title), Status: p.Status, Raw: line.Tidy(p.Word), Why: line.Tidy(p.Why),
		Count: p.Count(), Source: model.Pos{File: p.Path()}, Updated: p.ModTime,
	}
	if p.Dir == "" {
		n.Source = model.Pos{File: facts.RoadmapFile, Line: p.Road.Line}
	}
	if r := p.Road; r != nil && r.Checked {
		fact(n, "roadmap", "checked off")
	} else if r != nil {
		fact(n, "roadmap", "not checked off")
	}
	for _, e := range p.Files {
		if e.ModTime.After(n.Updated) {
			n.Updated = e.ModTime
		}
		if name := artifactName(e); name != "" {
			n.Artifacts = append(n.Artifacts, artifact(name, path.Join(p.Path(), e.Name), e))
		}
	}
	for _, s := range p.Plans {
		n.Children = append(n.Children, c.planRow(s))
	}
	return n
}

func artifact(name, file string, e mirror.Entry) model.Artifact {
	return model.Artifact{Name: name, File: file, Exists: true, Size: e.Size, Changed: e.ModTime}
}

// artifactName says what a file of a phase is to the protocol, "" for others and for plans, which have rows of their own.
func artifactName(e mirror.Entry) string {
	stem, ok := strings.CutSuffix(e.Name, ".md")
	if !ok || e.Dir {
		return ""
	}
	for _, known := range []string{"CONTEXT", "RESEARCH", "VERIFICATION", "REQUIREMENTS"} {
		if stem == known || strings.HasSuffix(stem, "-"+known) {
			return known
		}
	}
	return ""
}

func (c *builder) planRow(s *facts.Plan) *model.Node {
	n := &model.Node{
		ID: s.Node, Kind: model.KindPlan, Number: s.ID, Title: line.Tidy(s.Doc.Objective), Status: s.Status, Raw: s.Word, Why: s.Why,
		Wave: s.Doc.Wave, Held: s.Held, Source: model.Pos{File: s.File}, Updated: s.Changed,
	}
	if s.Closed.After(n.Updated) {
		n.Updated = s.Closed
	}
	for _, d := range s.Doc.DependsOn {
		if other := c.Plans[facts.PlanKey(rules.Dependency(d, s.Phase.Number))]; other != nil && other != s {
			n.DependsOn = append(n.DependsOn, other.Node)
		}
	}
	if s.Doc.Attended {
		fact(n, "autonomous", "no: it stops for a human")
	}
	if s.Summary != nil && s.Summary.Timed {
		fact(n, "took", duration(s.Summary.Duration))
	}
	if s.Done {
		summary := strings.TrimSuffix(s.File, "-PLAN.md") + "-SUMMARY.md"
		if e, ok := c.Mirror.Stat(summary); ok {
			n.Artifacts = append(n.Artifacts, artifact("SUMMARY", summary, e))
		}
	}
	for _, t := range s.Tasks {
		n.Count.Total++
		if t.Status.Closed() {
			n.Count.Done++
		}
		n.Children = append(n.Children, c.taskRow(t))
	}
	return n
}

func (c *builder) taskRow(t *facts.Task) *model.Node {
	n := &model.Node{
		ID: t.Node, Kind: model.KindTask, Number: line.Tidy(t.Number), Title: line.Tidy(t.Title), Status: t.Status, Raw: line.Tidy(t.Raw), Why: t.Why,
		Wave: t.Wave, Source: model.Pos{File: t.Plan.File, Line: t.Line},
	}
	if n.Title == "" {
		n.Title = "task " + n.Number
	}
	n.Attempt, n.Attempts = tries(t)
	fact(n, "files", strings.Join(t.Files, ", "))
	fact(n, "verify", t.Verify)
	fact(n, "done when", t.Done)
	if l := t.Last(); l != nil {
		n.Updated = l.At
		fact(n, "result", resultText(l))
		fact(n, "error", l.Error)
	}
	if b := t.Plan.Doc.Box(t.PlanTask); b != nil && b.Date != "" {
		fact(n, "checked off", b.Date)
	}
	if kind := t.Checkpoint(); kind != "" {
		if n.Raw == "" && !n.Status.Closed() {
			n.Raw, n.Why = "checkpoint: "+line.Tidy(kind), "its plan stops here for a human"
		}
		n.Gate = &model.Gate{
			Approval: model.ApprovalHuman, Required: strings.HasPrefix(t.PlanTask.GateKind, "blocking"), Asks: line.Tidy(t.Asks), Expects: line.Tidy(t.Expects),
			Opens: []string{t.Plan.Node}, Upcoming: true,
		}
	}
	if g := c.gateRow(t); g != nil {
		n.Children = append(n.Children, g)
	}
	return n
}
