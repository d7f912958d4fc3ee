// Laying out the rows: phases, plans, tasks, and the gate of a task below it.

package ultraplan

import (
	"path"
	"strings"

	"gatehouse/model"
	"gatehouse/parse/disk/mirror"
)

// layOut fills in the build's nodes and, with their gates, what waits.
func (c *collector) layOut() {
	if n := c.looseGate(); n != nil {
		c.b.Nodes = append(c.b.Nodes, n)
	}
	for _, p := range c.phases {
		c.b.Nodes = append(c.b.Nodes, c.phaseRow(p))
	}
	c.checkpoints()
	model.SortWaits(c.b.Waits)
}

func (c *collector) phaseRow(p *phase) *model.Node {
	n := &model.Node{
		ID: p.id, Kind: model.KindPhase, Number: p.Number, Title: clean(p.title), Status: p.status, Raw: clean(p.word), Why: clean(p.why),
		Count: p.count(), Source: model.Pos{File: p.dir()}, Updated: p.modTime,
	}
	if p.Dir == "" {
		n.Source = model.Pos{File: roadmapFile, Line: p.road.Line}
	}
	if r := p.road; r != nil && r.Checked {
		fact(n, "roadmap", "checked off")
	} else if r != nil {
		fact(n, "roadmap", "not checked off")
	}
	for _, e := range p.files {
		if e.ModTime.After(n.Updated) {
			n.Updated = e.ModTime
		}
		if name := artifactName(e); name != "" {
			n.Artifacts = append(n.Artifacts, artifact(name, path.Join(p.dir(), e.Name), e))
		}
	}
	for _, s := range p.plans {
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

func (c *collector) planRow(s *planState) *model.Node {
	n := &model.Node{
		ID: s.node, Kind: model.KindPlan, Number: s.ID, Title: clean(s.plan.objective), Status: s.status, Raw: s.word, Why: s.why,
		Wave: s.plan.wave, Held: s.held, Source: model.Pos{File: s.file}, Updated: s.changed,
	}
	if s.closed.After(n.Updated) {
		n.Updated = s.closed
	}
	for _, d := range s.plan.dependsOn {
		if other := c.plans[planKey(dependency(d, s.phase.Number))]; other != nil && other != s {
			n.DependsOn = append(n.DependsOn, other.node)
		}
	}
	if s.plan.attended {
		fact(n, "autonomous", "no: it stops for a human")
	}
	if s.summary != nil && s.summary.timed {
		fact(n, "took", duration(s.summary.duration))
	}
	if s.Done {
		summary := strings.TrimSuffix(s.file, "-PLAN.md") + "-SUMMARY.md"
		if e, ok := c.m.Stat(summary); ok {
			n.Artifacts = append(n.Artifacts, artifact("SUMMARY", summary, e))
		}
	}
	for _, t := range s.tasks {
		n.Count.Total++
		if t.status.Closed() {
			n.Count.Done++
		}
		n.Children = append(n.Children, c.taskRow(t))
	}
	return n
}

// dependency takes from an entry of depends_on what is written around the number: "03-01-PLAN.md", "01" of its own phase.
func dependency(d, phase string) string {
	d = strings.TrimSuffix(strings.TrimSuffix(path.Base(d), ".md"), "-PLAN")
	if !strings.Contains(d, "-") {
		d = phase + "-" + d
	}
	return d
}

func (c *collector) taskRow(t *taskState) *model.Node {
	n := &model.Node{
		ID: t.node, Kind: model.KindTask, Number: clean(t.number), Title: clean(t.title), Status: t.status, Raw: clean(t.raw), Why: t.why,
		Wave: t.wave, Source: model.Pos{File: t.plan.file, Line: t.line},
	}
	if n.Title == "" {
		n.Title = "task " + n.Number
	}
	fact(n, "files", strings.Join(t.files, ", "))
	fact(n, "verify", t.verify)
	fact(n, "done when", t.done)
	if l := t.last(); l != nil {
		n.Updated = l.at
		fact(n, "result", resultText(l))
		fact(n, "error", l.err)
	}
	if b := t.plan.plan.box(t.task); b != nil && b.date != "" {
		fact(n, "checked off", b.date)
	}
	if kind := t.checkpoint(); kind != "" {
		if n.Raw == "" && !n.Status.Closed() {
			n.Raw, n.Why = "checkpoint: "+clean(kind), "its plan stops here for a human"
		}
		n.Gate = &model.Gate{
			Approval: model.ApprovalHuman, Required: strings.HasPrefix(t.task.gate, "blocking"), Asks: clean(t.asks), Expects: clean(t.expects),
			Opens: []string{t.plan.node}, Potential: true,
		}
	}
	if g := c.gateRow(t); g != nil {
		n.Children = append(n.Children, g)
	}
	return n
}
