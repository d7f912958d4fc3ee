package tui

// Drawing a frame at 200x60 costs the same for ten rows as for ten thousand: at most a millisecond.

import (
	"testing"

	"gatehouse/model"
	"gatehouse/tui/draw"
	"gatehouse/tui/tuitest"
)

// showing returns a dashboard at 200x60 that shows a snapshot, after some keys were pressed.
func showing(snap *model.Snapshot, keys ...string) *dashboard {
	d := dashboardOf(testOptions(draw.ThemeDark), snap, 200, 60)
	d.enterKeys(keys...)
	return d
}

// atRow returns a dashboard with that many rows, one in the middle selected.
func atRow(rows int) *dashboard {
	d := showing(tuitest.Forest(rows))
	d.tree.Choose(rows / 2)
	d.layOut()
	return d
}

// TestViewDoesNotGrowWithTheBuild: the allocations of a frame do not grow with the number of rows. This guard holds on any machine.
func TestViewDoesNotGrowWithTheBuild(t *testing.T) {
	allocations := func(rows int) float64 {
		d := atRow(rows)
		return testing.AllocsPerRun(20, func() { d.View() })
	}
	few, many := allocations(100), allocations(10_000)
	if many > few*1.1+10 {
		t.Errorf("%v allocations with 100 rows, %v with 10,000", few, many)
	}
}
