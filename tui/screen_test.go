package tui

import (
	"testing"

	"gatehouse/tui/pane"
)

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
