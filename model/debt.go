package model

// Debt is human verification that a past phase still needs.
type Debt struct {
	Milestone string `json:"milestone,omitempty"` // its number, "" if the phase is in none
	Phase     string `json:"phase"`               // its number
	Title     string `json:"title,omitempty"`     // of the phase
	Node      string `json:"node"`                // of the phase
	// Items counts the tests and checks that are left, of all its waits.
	Items int `json:"items"`
	// Waits are the waits of the phase, which [Build.Expired] has too.
	Waits []Wait `json:"waits"`
}

// Debts returns the verification debt of a build by phase, in the order of the tree: tests and verifications of phases whose milestone
// is over.
func (b *Build) Debts() (debts []Debt) {
	expired := map[string]*Wait{}
	for i := range b.Expired {
		if w := &b.Expired[i]; w.Evidence == Tested || w.Evidence == Verified {
			expired[w.Node] = w
		}
	}
	if len(expired) == 0 {
		return nil
	}
	var path []*Node
	var last *Node // the phase of the previous debt
	for depth, n := range Walk(b.Nodes) {
		path = append(path[:depth], n)
		w := expired[n.ID]
		if w == nil {
			continue
		}
		var d Debt
		var phase *Node
		for _, above := range path[:depth] {
			switch above.Kind {
			case KindMilestone:
				d.Milestone = above.Number
			case KindPhase:
				phase, d.Phase, d.Title, d.Node = above, above.Number, above.Title, above.ID
			}
		}
		if phase == nil || phase != last {
			debts = append(debts, d)
		}
		last = phase
		to := &debts[len(debts)-1]
		to.Waits = append(to.Waits, w.Printed())
		to.Items += len(w.openItems(n, path[:depth]))
	}
	return debts
}

// Items returns the nodes for which a wait needs a human: the open tests or checks of its file, else its own node.
func (b *Build) Items(w *Wait) []*Node {
	n, above := b.Find(w.Node)
	if n == nil {
		return nil
	}
	return w.openItems(n, above)
}

// openItems is [Build.Items] for a node and those above it. The tests of one file are one wait; for a past phase, also those that a human
// has judged but not passed.
func (w *Wait) openItems(n *Node, above []*Node) (items []*Node) {
	file := n
	for _, a := range above {
		if a.Kind == KindGate {
			file = a
		}
	}
	for _, child := range file.Children {
		if child.Gate != nil && (child.Status == Waiting || w.IsExpired() && !child.Status.Closed()) {
			items = append(items, child)
		}
	}
	if len(items) == 0 {
		return []*Node{n}
	}
	return items
}
