package protocol

import (
	"strings"

	"gatehouse/model"
	"gatehouse/model/line"
)

// GateTerms describe a gate: its question, its approver, and its conditions.
type GateTerms struct {
	Name, About     string
	Approval        model.Approval
	UnknownApproval string // the file's word if the protocol does not know it
	Deliverables    []string
	Facts           []model.Fact // checks, conditions and criteria, by their label
}

// Criterion is the label of a criterion among [GateTerms.Facts].
const Criterion = "criterion"

// AddFact adds a fact, unless its value is empty.
func (t *GateTerms) AddFact(label, value string) {
	if value != "" {
		t.Facts = append(t.Facts, model.Fact{Label: label, Value: value})
	}
}

// Asks returns the question of the gate.
func (t *GateTerms) Asks() string {
	return line.Tidy(strings.TrimSuffix(strings.TrimPrefix(t.Name+": "+t.About, ": "), ": "))
}

// Checks returns the conditions of the gate. With labels, automatic ones are marked.
func (t *GateTerms) Checks(hasLabels bool) (all []string) {
	for _, f := range t.Facts {
		switch {
		case f.Label == "type":
		case hasLabels && f.Label != Criterion:
			all = append(all, line.Tidy(f.Label+": "+f.Value))
		default:
			all = append(all, line.Tidy(f.Value))
		}
	}
	return all
}

// Gate returns the gate as the model has it.
func (t *GateTerms) Gate(isRequired bool) *model.Gate {
	return &model.Gate{Required: isRequired, Approval: t.Approval, Asks: t.Asks(), Expects: strings.Join(t.Checks(false), "; ")}
}

// Proposal returns the proposal to decide the gate.
func (t *GateTerms) Proposal(name string, isRequired bool, deliverables []Deliverable) model.Proposal {
	p := model.Proposal{Name: line.Tidy(name), Asks: t.Asks(), Checks: t.Checks(true), Evidence: Artifacts(deliverables), Terms: string(t.Approval) + ", optional"}
	if isRequired {
		p.Terms = string(t.Approval) + ", required"
	}
	return p
}

// AddApprovalChecks adds to a proposal the items to review before the gate is approved.
func (t *GateTerms) AddApprovalChecks(p *model.Proposal) {
	if t.Approval == model.ApprovalAuto {
		p.Warnings = append(p.Warnings, "an automatic check decides this gate; approve it only if you made the check")
	}
	for _, name := range t.Deliverables {
		if !IsFileName(name) {
			p.Checks = append(p.Checks, line.Tidy("deliverable: "+name))
		}
	}
}

// Strictness orders the kinds of approval: a human is stricter than a condition, which is stricter than an automatic check.
func Strictness(a model.Approval) int {
	switch a {
	case model.ApprovalAuto:
		return 0
	case model.ApprovalConditional:
		return 1
	}
	return 2
}

// ParseApproval returns who approves a gate; unknown is the word if no protocol knows it. Then a human does.
func ParseApproval(word string) (a model.Approval, unknown string) {
	switch a = model.Approval(word); a {
	case model.ApprovalHuman, model.ApprovalConditional, model.ApprovalAuto:
		return a, ""
	}
	return model.ApprovalHuman, word
}
