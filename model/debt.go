package model

// Debt is what a past phase left to a human to verify, and nobody has.
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
	var last *Node // the phase of the last debt
	for depth, n := range Walk(b.Nodes) {
		path = append(path[:depth], n)
		w := expired[n.ID]
		if w == nil {
			continue
		}
		var d Debt
		var phase *Node
		file := n // the tests of one file are one wait
		for _, above := range path[:depth] {
			switch above.Kind {
			case KindMilestone:
				d.Milestone = above.Number
			case KindPhase:
				phase, d.Phase, d.Title, d.Node = above, above.Number, above.Title, above.ID
			case KindGate:
				file = above
			}
		}
		if phase == nil || phase != last {
			debts = append(debts, d)
		}
		last = phase
		to := &debts[len(debts)-1]
		to.Waits = append(to.Waits, w.Printed())
		to.Items += max(1, countWaiting(file.Children))
	}
	return debts
}

func countWaiting(nodes []*Node) (count int) {
	for _, n := range nodes {
		if n.Status == Waiting {
			count++
		}
	}
	return count
}
