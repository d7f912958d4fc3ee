package model

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
