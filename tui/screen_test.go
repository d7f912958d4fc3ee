package tui

import (
	"testing"

	"gatehouse/tui/pane"
)

func TestScreenFor(t *testing.T) {
	for _, c := range []struct {
		width, height int
		want          kind
	}{
		{39, 24, tooSmall}, {40, 9, tooSmall}, {40, 10, sidebar}, {60, 24, sidebar}, {61, 24, single}, {80, 24, single},
		{99, 24, single}, {100, 24, double}, {159, 40, double}, {160, 40, triple}, {400, 100, triple},
	} {
		s := screenFor(c.width, c.height, layout{})
		if s.kind != c.want {
			t.Errorf("%dx%d: %d, want %d", c.width, c.height, s.kind, c.want)
		}
		if w := s.innerArea(pane.TreeID).Width; s.split && w > 104 {
			t.Errorf("%dx%d: a tree of %d columns", c.width, c.height, w)
		}
	}
}

// TestSlotsCoverTheBody: at every size and in every division each pane has one slot, and every cell of the body belongs to one pane or to an edge, which neighbors share.
func TestSlotsCoverTheBody(t *testing.T) {
	for width := smallestWidth; width <= 240; width += 3 {
		for height := smallestHeight; height <= 80; height += 2 {
			for _, w := range []layout{{}, {preview: previewBottom}, {preview: previewOff}, {zoom: true}, {still: true}} {
				s := screenFor(width, height, w)
				homes, owners := [pane.Count]int{}, make([]int, s.body.Width*s.body.Height)
				for i, a := range s.slots {
					if a.area.Width < 12 || a.area.Height < 3 {
						t.Fatalf("%dx%d %+v: slot %d is %+v", width, height, w, i, a.area)
					}
					for _, p := range a.panes {
						homes[p]++
					}
					in := slot{area: a.area}.innerArea(a.panes[0])
					for y := in.Y; y < in.Y+in.Height; y++ {
						for x := in.X; x < in.X+in.Width; x++ {
							owners[(y-s.body.Y)*s.body.Width+x]++
						}
					}
				}
				for i, n := range owners {
					if edge := s.edges[i] != 0; n > 1 || edge == (n == 1) {
						t.Fatalf("%dx%d %+v: the cell %d, %d belongs to %d panes, on an edge: %v", width, height, w, i%s.body.Width, i/s.body.Width, n, edge)
					}
				}
				for p, n := range homes {
					if n != 1 {
						t.Fatalf("%dx%d %+v: %s is in %d slots", width, height, w, pane.New()[p].Name(), n)
					}
				}
			}
		}
	}
}
