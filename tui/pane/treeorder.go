package pane

// The order of the tree. While the user reads, nothing moves. The tree is sorted and follows the work while the selection is at the top, or
// as soon as it goes there.

import (
	"cmp"
	"slices"

	"gatehouse/model"
	"gatehouse/tui/index"
)

// isRead reports whether the user reads the tree: the selection has moved from the top.
func (t *Tree) isRead() bool {
	return t.touched && (t.top > 0 || t.selected > t.entryAt(0, 1))
}

// Moved reports whether the user has moved the selection since [Tree.Open].
func (t *Tree) Moved() bool { return t.touched }

// rememberRows keeps the shown rows, if the user reads them.
func (t *Tree) rememberRows() {
	switch {
	case !t.isRead():
		t.shown = nil
	case t.filter.Active(): // the filter shows other rows for a while
	default:
		t.shown, t.runs = make(map[index.Place]bool), make(map[index.Place]int)
		for i, r := range t.rows {
			if len(r.Children()) == 0 && !mayFill(r.Node) {
				continue
			}
			at := r.Place()
			t.shown[at] = i+1 < len(t.rows) && t.rows[i+1].Depth > r.Depth
			if len(r.Run) > 0 {
				t.runs[at] = len(r.Run)
			}
			for _, n := range r.Run { // a row that leaves the run stays folded, too; the rows of an open run have folds of their own
				t.shown[r.Site.Place(n.ID)] = false
			}
		}
	}
}

// mayFill reports whether a row without rows below it may get some: a node, or a project without a build.
func mayFill(n *model.Node) bool {
	return n == nil || !n.Status.Closed() && (n.Kind == model.KindPhase || n.Kind == model.KindMilestone || n.Kind == model.KindSession)
}

// orderSites takes in the builds of a snapshot: in its order or, while the user reads, in the current order, with new ones at the end.
func (t *Tree) orderSites() {
	if t.shown == nil {
		t.sites = t.index.Sites
		return
	}
	projects, builds := make(map[string]int), make(map[index.Place]int)
	for i, s := range t.sites {
		if _, known := projects[s.Project.Root]; !known {
			projects[s.Project.Root] = i
		}
		builds[s.Place("")] = i
	}
	last := len(t.sites)
	t.sites = slices.SortedStableFunc(slices.Values(t.index.Sites), func(a, b *index.Site) int {
		return cmp.Or(placeIn(projects, a.Project.Root, last)-placeIn(projects, b.Project.Root, last),
			placeIn(builds, a.Place(""), last)-placeIn(builds, b.Place(""), last))
	})
}

// placeIn returns the place of a key, or else the last one.
func placeIn[K comparable](places map[K]int, key K, last int) int {
	if i, known := places[key]; known {
		return i
	}
	return last
}

// isSorted reports whether the rows have the order of the snapshot.
func (t *Tree) isSorted() bool { return slices.Equal(t.sites, t.index.Sites) }

// sortAgain sorts the tree, which follows the work again.
func (t *Tree) sortAgain() {
	t.shown, t.held, t.target = nil, nil, index.Place{}
	t.orderSites()
	t.reflowRows()
}

// Open goes to the place that waits, or runs, when the tree is opened. The tree follows the work until the user moves.
func (t *Tree) Open(at index.Place) {
	t.GoTo(at)
	t.touched = false
}
