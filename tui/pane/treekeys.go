package pane

// The keys and clicks of the tree.

import (
	"gatehouse/tui/draw"
)

// Note implements [Pane].
func (t *Tree) Note(*draw.Look) string {
	if !t.isSorted() {
		return "order kept: going to the top sorts"
	}
	return ""
}

// Lay implements [Pane].
func (t *Tree) Lay(_ *Scene, a draw.Area, _ bool) { t.fitHeight(a.Height) }

// Move goes some rows down, or up.
func (t *Tree) Move(by int) {
	if by == -draw.FarAway {
		t.sortAgain()
	}
	t.selectBy(by)
	t.touched = true
}

// Out folds the selected row, or moves to the one above it.
func (t *Tree) Out() {
	r, ok := t.At()
	if !ok {
		return
	}
	if len(r.Children()) > 0 && t.isOpen(r) && !t.filter.Active() {
		t.Toggle()
		return
	}
	for i := t.selected - 1; i >= 0; i-- {
		if t.rows[i].Depth < r.Depth {
			t.Choose(i)
			return
		}
	}
}

// In unfolds the selected row, or moves to the first below it.
func (t *Tree) In() {
	r, ok := t.At()
	switch {
	case !ok || len(r.Children()) == 0:
	case t.isOpen(r):
		if i := t.selected + 1; i < len(t.rows) && t.rows[i].Depth > r.Depth {
			t.Choose(i)
		}
	default:
		t.Toggle()
	}
}

// Click selects the row at a point, folds or unfolds it, or switches the chip of the bar there.
func (t *Tree) Click(l *draw.Look, x, y, width int) {
	onBar, changed := t.filterBar.clickBar(l, x, y, width)
	if changed {
		t.Refilter()
	}
	if i, ok := t.lineAt(y); ok && !onBar {
		t.Choose(i)
		if r := t.rows[i]; x == 1+2*max(r.Depth-1, 0) && !t.filter.Active() {
			t.Toggle()
		}
	}
}
