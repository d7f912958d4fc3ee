package parse

import (
	"fmt"

	"gatehouse/model"
	"gatehouse/parse/disk/journal"
	"gatehouse/parse/disk/peek"
)

// Evidence returns the files that the gate of an action is judged by, as they are now; nil for an action that is about no gate. It
// fails if a signature could not hold all of them: a file that cannot be hashed could change unnoticed.
func (as *Actions) Evidence(a model.Action) ([]model.Evidenced, error) {
	op, err := as.findOperation(a)
	if err != nil {
		return nil, err
	}
	n := op.findNode(a.Node)
	if n == nil || n.Gate == nil {
		return nil, nil
	}
	for _, x := range gateArtifacts(n) {
		if x.Exists && op.hashOf(x.File) == "" {
			return nil, &model.Refusal{Text: fmt.Sprintf("%s cannot be signed: it cannot be read, or is larger than %d MiB", x.File, peek.Limit>>20), Fix: "let the gate ask for a smaller file with its hash"}
		}
	}
	all := evidenceOf(n, op.hashOf)
	if len(all) == maxEvidence {
		return nil, &model.Refusal{Text: fmt.Sprintf("a gate with %d files or more cannot be signed", maxEvidence), Fix: "let it ask for one file with their hashes"}
	}
	return all, nil
}

// ToSign returns the subject of a signature of an action, from the current files: the decision it would make, and the
// hash of its evidence.
func (as *Actions) ToSign(a model.Action) (d model.Decision, evidence string, err error) {
	op, err := as.findOperation(a)
	if err == nil {
		_, err = op.proposeAction()
	}
	if err != nil {
		return d, "", err
	}
	d = model.Decision{Project: a.Project, Build: a.Build, Node: a.Node, Verb: a.Verb, Text: a.Text, Is: op.is, File: op.target.File}
	files, err := as.Evidence(a)
	return d, model.HashEvidence(files, d.File), err
}

// Last returns the last decision about the target of an action, nil without one.
func (as *Actions) Last(a model.Action) (*model.Decision, error) {
	op, err := as.findOperation(a)
	if err != nil {
		return nil, err
	}
	all, err := op.log.Read()
	all = journal.Prove(all, op.hashOf)
	for i := range all {
		if targetOf(&all[i]) == (target{a.Build, a.Node}) && !all[i].Interrupted {
			return &all[i], err
		}
	}
	return nil, err
}
