package graph

// The rails of the list: dependent nodes are joined by lines at the left. Each node that others need has a rail.

import (
	"slices"

	"gatehouse/tui/draw"
)

// The limits of the rails. More of them side by side are hard to distinguish, and each row names its needs in words.
const (
	mostRails   = 10
	railsOfList = 5 // of so many columns of a list at least one is for rails
)

// rails are the lines at the left of the list.
type rails struct {
	cells [][]edgeCell // of each line, from the left
	count int
}

// rail joins a node with those that need it.
type rail struct {
	from, first, last int // lines: of the node, and of all that it joins
	to                []int
	class             []draw.EdgeClass
}

// layRails gives each node that others need a rail: open ones first, the shortest next to the rows.
func (p *Plan) layRails(less [][]int) rails {
	place := make([]int, len(p.nodes))
	for k, i := range p.lines {
		if i >= 0 {
			place[i] = k
		}
	}
	all := make([]rail, len(p.nodes))
	for i, needs := range less {
		for _, j := range needs {
			x := &all[j]
			x.to, x.class = append(x.to, place[i]), append(x.class, p.classOf(j, i))
		}
	}
	var used []rail
	for j := range all {
		if x := &all[j]; len(x.to) > 0 {
			x.from = place[j]
			x.first, x.last = min(x.from, slices.Min(x.to)), max(x.from, slices.Max(x.to))
			used = append(used, *x)
		}
	}
	slices.SortStableFunc(used, func(a, b rail) int {
		if closed := b2i(slices.Max(b.class) > draw.EdgeDone) - b2i(slices.Max(a.class) > draw.EdgeDone); closed != 0 {
			return closed
		}
		return (a.last - a.first) - (b.last - b.first)
	})
	r := rails{cells: make([][]edgeCell, len(p.lines))}
	var taken [mostRails][]bool // by the line above each step, for the rail next to the rows first
	column := make([]int, len(used))
	for n, x := range used {
		column[n] = -1
		for k := range taken {
			if taken[k] == nil {
				taken[k] = make([]bool, len(p.lines))
			}
			if way := taken[k][x.first:x.last]; !slices.Contains(way, true) {
				for y := range way {
					way[y] = true
				}
				column[n], r.count = k, max(r.count, k+1)
				break
			}
		}
	}
	for k := range r.cells {
		r.cells[k] = make([]edgeCell, r.count)
	}
	for n := range used {
		if column[n] >= 0 {
			r.add(&used[n], r.count-1-column[n])
		}
	}
	return r
}

func b2i(b bool) int {
	if b {
		return 1
	}
	return 0
}

// add draws a rail in a column, with a branch to each of its rows.
func (r *rails) add(x *rail, column int) {
	r.drawRail(column, x.first, x.last, slices.Min(x.class))
	join := func(y int, class draw.EdgeClass) {
		r.cells[y][column].add(draw.ToRight, class)
		for c := column + 1; c < r.count; c++ {
			r.cells[y][c].add(draw.ToLeft|draw.ToRight, class)
		}
	}
	join(x.from, slices.Max(x.class))
	for k, to := range x.to {
		join(to, x.class[k])
		if x.class[k] == draw.EdgeCritical {
			r.drawRail(column, min(x.from, to), max(x.from, to), x.class[k])
		}
	}
}

// drawRail draws a rail from a line down to another one.
func (r *rails) drawRail(column, from, to int, class draw.EdgeClass) {
	for y := from; y <= to; y++ {
		bits := uint8(0)
		if y > from {
			bits |= draw.ToUp
		}
		if y < to {
			bits |= draw.ToDown
		}
		r.cells[y][column].add(bits, class)
	}
}

// width returns how many rails fit into a list of a width. The ones farthest from the rows are left out first.
func (r *rails) width(list int) int { return min(r.count, list/railsOfList) }

// drawLine draws the rails of a line.
func (r *rails) drawLine(to *draw.Ribbon, line, wide int) {
	for _, cell := range r.cells[line][r.count-wide:] {
		if cell.to == 0 {
			to.Gap(1)
			continue
		}
		to.Edge(cell.class, cell.to, 1)
	}
}
