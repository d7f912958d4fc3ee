// The rows of the tree: what is asked, the chunks, the steps of the workflow, the inbox.

package fctry

import (
	"fmt"
	"slices"
	"strings"

	"gatehouse/model"
	"gatehouse/parse/fctry/rules"
)

// layOut puts the rows in order.
func (c *collector) layOut() {
	b := c.b
	b.Nodes = append(b.Nodes, c.gates...)
	if c.last {
		group := &model.Node{ID: "group/last", Kind: model.KindGroup, Title: "Last build, from before state.json was emptied", Standing: model.Standing{Status: model.Archived}, Updated: c.kept.at, Children: c.nodes}
		s := c.stood
		group.Count = model.Count{Done: s.Done, Total: s.Total}
		rollUp(group)
		b.Nodes = append(b.Nodes, group)
	} else {
		b.Nodes = append(b.Nodes, c.nodes...)
	}
	if c.stateIs.Held {
		for _, n := range c.nodes {
			n.Held = true
		}
	}
	for _, group := range []*model.Node{c.workflow(), c.inboxGroup()} {
		if group != nil {
			b.Nodes = append(b.Nodes, group)
		}
	}
}

// step is a step of the workflow that has been done or is under way.
type step struct {
	name    string
	done    bool
	at      value
	missing []string
}

// steps returns the steps that the state names, with the prerequisites that they have begun without.
func (c *collector) steps() (all []step) {
	top := c.state.top
	command := top.get("currentCommand").text()
	var before []string
	for _, v := range top.get("completedSteps").list() {
		name := v.text()
		if name == "" {
			continue
		}
		all = append(all, step{name, true, v, rules.MissingSteps(name, command, before)})
		before = append(before, name)
	}
	if v := top.get("workflowStep"); v.text() != "" && !slices.Contains(before, v.text()) {
		all = append(all, step{v.text(), false, v, rules.MissingSteps(v.text(), command, before)})
	}
	return all
}

// prerequisites lists, as information, the steps that have begun without what they need: skipping is a human's right, and
// nothing is written down when one does.
func (c *collector) prerequisites() {
	for _, s := range c.steps() {
		if len(s.missing) > 0 {
			c.b.Blockers = append(c.b.Blockers, model.Blocker{
				Text: s.name + " has begun without " + strings.Join(s.missing, " and ") + " (skipped?)", Source: c.state.pos(stateFile, s.at), Concern: true,
			})
		}
	}
}

// workflow returns the row of the workflow with one row a step, nil without any.
func (c *collector) workflow() *model.Node {
	all := c.steps()
	if len(all) == 0 {
		return nil
	}
	group := &model.Node{ID: "group/workflow", Kind: model.KindGroup, Title: "Workflow", Source: c.state.pos(stateFile, c.state.top.get("completedSteps"))}
	if command := c.state.top.get("currentCommand").text(); command != "" {
		group.Title += " of " + command
	}
	used := names{}
	outputs := c.state.top.get("agentOutputs")
	for _, s := range all {
		n := &model.Node{ID: used.take("step/" + s.name), Kind: model.KindTask, Title: s.name, Status: model.Done, Why: "completedSteps has it", Source: c.state.pos(stateFile, s.at)}
		if !s.done {
			n.Status, n.Why = model.Active, "workflowStep has it"
			if !c.line.Facts.Fresh {
				n.Status, n.Why = model.Unknown, "workflowStep has it, but nothing has been written for long"
			}
		}
		agent := rules.StepAgent(s.name)
		n.Facts = append(n.Facts, fact("agent", agent)...)
		output := outputs.first(s.name, strings.ReplaceAll(strings.ToLower(agent), " ", "-"))
		n.Facts = append(n.Facts, fact("told", output.first("summary", "briefingDigest").text())...)
		n.Facts = append(n.Facts, fact("relevant", output.get("relevanceManifest").flat())...)
		n.Facts = append(n.Facts, missingFacts(s)...)
		group.Children = append(group.Children, n)
	}
	rollUp(group)
	return group
}

// rollUp gives a group the status of what is below it.
func rollUp(group *model.Node) {
	var all []model.Status
	for _, n := range group.Children {
		all = append(all, n.Status)
	}
	group.Status = model.RollUp(all)
}

// missingFacts are the three choices that the document has where a prerequisite is missing.
func missingFacts(s step) []model.Fact {
	if len(s.missing) == 0 {
		return nil
	}
	missing := strings.Join(s.missing, " and ")
	return []model.Fact{
		{Label: "missing before it", Value: missing},
		{Label: "(1)", Value: fmt.Sprintf("run %s now (recommended)", missing)},
		{Label: "(2)", Value: "go on without (not recommended: the result may be wrong)"},
		{Label: "(3)", Value: "stop the command"},
	}
}
