package parse

import "gatehouse/model"

// Evidence returns the files that the gate of an action is judged by, as they are now; nil for an action that is about no gate.
func (as *Actions) Evidence(a model.Action) ([]model.Evidenced, error) {
	op, err := as.find(a)
	if err != nil {
		return nil, err
	}
	if n := op.node(a.Node); n != nil && n.Gate != nil {
		return evidenceOf(n, op.hash), nil
	}
	return nil, nil
}
