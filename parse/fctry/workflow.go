package fctry

import (
	"slices"
	"strings"

	"gatehouse/model"
	"gatehouse/model/line"
	"gatehouse/parse/doc"
	"gatehouse/parse/fctry/core"
	"gatehouse/parse/protocol"
)

// step is a step of the workflow that is done or under way.
type step struct {
	name    string
	row     string // its ID
	isDone  bool
	at      doc.Value
	missing []string // prerequisites that it has begun without
}

// workflowSteps returns the steps that the state names.
func (v *view) workflowSteps() (all []step) {
	command := line.Tidy(v.Facts.Command)
	rows := protocol.Rows{}
	var before []string
	for element := range elementsOf(v.Root.Get("completedSteps")) {
		if name := textOf(element); name != "" {
			all = append(all, step{name, rows.ID("step/" + name), true, element, core.MissingSteps(name, command, before)})
			before = append(before, name)
		}
	}
	if name := line.Tidy(v.Facts.Step); name != "" && !slices.Contains(before, name) {
		all = append(all, step{name, rows.ID("step/" + name), false, v.Root.Get("workflowStep"), core.MissingSteps(name, command, before)})
	}
	return all
}

func (s *step) missingText() string { return strings.Join(s.missing, " and ") }

// optionsText are the choices of the specification for a missing prerequisite.
func (s *step) optionsText() string {
	return "(1) run it now (recommended), (2) skip it (not recommended), (3) abort the command"
}

// workflowGroup returns the row of the workflow with a row for each step, nil without any.
func (v *view) workflowGroup() *model.Node {
	all := v.workflowSteps()
	if len(all) == 0 {
		return nil
	}
	group := &model.Node{ID: "group/workflow", Kind: model.KindGroup, Title: "Workflow", Source: v.state.At(v.Root.Get("completedSteps"))}
	if v.Facts.Command != "" {
		group.Title += " of " + line.Tidy(v.Facts.Command)
	}
	for i := range all {
		s := &all[i]
		n := &model.Node{ID: s.row, Kind: model.KindTask, Title: s.name, Status: model.Done, Why: "completedSteps has it", Source: v.state.At(s.at)}
		switch {
		case s.isDone:
		case v.Facts.Fresh:
			n.Status, n.Why = model.Active, "workflowStep has it"
		default:
			n.Status, n.Why = model.Unknown, "workflowStep has it, but nothing has been written for long"
		}
		agent := agentOf(s.name)
		output := v.Root.Get("agentOutputs").First(s.name, agentSlug(agent))
		var f protocol.Facts
		f.Add("agent", agent)
		f.Add("report", firstText(output, "summary", "briefingDigest"))
		f.Add("relevant", flattenValue(output.Get("relevanceManifest")))
		if len(s.missing) > 0 {
			f.Add("missing before it", s.missingText())
		}
		n.Facts = f
		group.Children = append(group.Children, n)
	}
	setGroupStatus(group)
	return group
}

// agentOf returns the agent that does a step, "" for an unknown step.
func agentOf(step string) string {
	if i := slices.IndexFunc(core.Steps, func(s core.Step) bool { return s.Name == step }); i >= 0 {
		return core.Steps[i].Agent
	}
	return ""
}

// agentSlug returns the key of an agent's output: "state-owner".
func agentSlug(agent string) string { return strings.ReplaceAll(strings.ToLower(agent), " ", "-") }
