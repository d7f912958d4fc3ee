package graph

// Drawing the visible part of a graph.

import (
	"slices"
	"strconv"

	"gatehouse/model"
	"gatehouse/tui/draw"
)

// Render draws the notes and, below them, the list or the columns.
func (g *View) Render(l *draw.Look, width, height int, focused bool) []string {
	lines := make([]string, 0, height)
	for k, n := range g.plan.notes {
		if k == g.notesHeight() || len(lines) == height {
			break
		}
		r := l.Ribbon(width)
		r.Gap(1)
		st := l.Theme.Status(n.status)
		switch {
		case k == 0:
			st = ""
		case n.status == model.Active:
			st = l.Theme.Accent
			r.Sign(st, l.Glyphs.Edge(draw.EdgeCritical, draw.ToLeft|draw.ToRight))
			r.Gap(1)
		}
		r.Add(st, n.text)
		lines = append(lines, r.Line())
	}
	if g.notesHeight() > 1 {
		r := l.Ribbon(width)
		lines = append(lines, r.Line())
	}
	if g.asColumns(width) {
		lines = append(lines, g.drawColumns(l, width, height-len(lines), focused)...)
	} else {
		lines = append(lines, g.drawList(l, width, height-len(lines), focused)...)
	}
	return draw.Filled(lines, width, height)[:height]
}

// drawList draws the layers one below the other, with rails between dependent nodes.
func (g *View) drawList(l *draw.Look, width, height int, focused bool) []string {
	lines := make([]string, 0, max(height, 0))
	p := g.plan
	wide := p.rails.width(width)
	for k := g.top; k < len(p.lines) && len(lines) < height; k++ {
		r := l.Ribbon(width)
		i := p.lines[k]
		if i >= 0 && i == g.Selected {
			r.Select(focused)
		}
		r.To(1)
		p.rails.drawLine(&r, k, wide)
		if i < 0 {
			r.To(2 + wide)
			r.Add(l.Theme.Dim, g.layerHeading(p.layer[p.lines[k+1]])+" ")
			r.Fill(l.Glyphs.Horizontal, l.Theme.Border, width-1)
			lines = append(lines, r.Line())
			continue
		}
		r.To(2 + wide)
		n := p.nodes[i]
		st, sign, word := p.statusOf(l, n)
		r.Sign(st, sign)
		r.Gap(1)
		note, noteStyle := p.waitText(i), l.Theme.Dim
		if note == "" {
			note, noteStyle = word, st
		}
		if n.Status.Closed() {
			noteStyle = l.Theme.Dim
		}
		room := width - r.Width - 1
		names := max(room-l.Width(note)-2, room*55/100)
		from := r.Width
		r.AddWithin(p.titleStyle(l, n), nameOf(n), names)
		r.To(from + names + 2)
		r.AddWithin(noteStyle, note, width-r.Width-1)
		lines = append(lines, r.Line())
	}
	return lines
}

// layerHeading names a layer.
func (g *View) layerHeading(layer int) string {
	if g.plan.stuck && layer == len(g.plan.layers)-1 {
		return "needs a circle"
	}
	return strconv.Itoa(layer + 1)
}

func (p *Plan) titleStyle(l *draw.Look, n *model.Node) draw.Style {
	switch {
	case p.isOld(n):
	case n.Status.Closed():
		return l.Theme.Dim
	case n.Status == model.Active || n.Status == model.Waiting || n.Status == model.Retrying:
		return l.Theme.Strong
	}
	return ""
}

// rowSpacing returns the number of lines of a row of the columns: two if everything fits then, else one.
func (g *View) rowSpacing(room int) int {
	if g.plan.routes.rows*2-1 <= room {
		return 2
	}
	return 1
}

// width returns the columns that a gutter takes.
func (g *gutter) width() int { return 2*g.tracks + 2 }

// leastName is the shortest cut of a name if all layers are to stay visible, in columns.
const leastName = 12

// columnWidths returns the width of each layer. If not all fit the widest are cut to the same width.
func (g *View) columnWidths(width int) []int {
	p := g.plan
	const besides = 5 // the mark, the sign, and blanks
	gutters := 0
	for k := range p.routes.gutters {
		gutters += p.routes.gutters[k].width()
	}
	most := 20 // if they do not fit in any case
	for try := 48; try >= leastName; try -= 2 {
		total := 1 + gutters
		for _, w := range p.widths {
			total += min(w, try) + besides
		}
		if total <= width {
			most = try
			break
		}
	}
	widths := make([]int, len(p.widths))
	for k, w := range p.widths {
		widths[k] = min(w, most) + besides
	}
	return widths
}

// drawColumns draws the layers side by side, with the edges between them.
func (g *View) drawColumns(l *draw.Look, width, height int, focused bool) []string {
	height = max(height, 0)
	step := g.rowSpacing(height)
	widths := g.columnWidths(width)
	ribbons := make([]draw.Ribbon, height)
	for i := range ribbons {
		ribbons[i] = l.Ribbon(width)
	}
	x := 1
	for k := g.left; k < len(widths) && x < width; k++ {
		g.drawColumn(l, ribbons, k, x, widths[k], step, focused)
		x += widths[k]
		if k+1 < len(widths) && x < width {
			g.drawGutter(l, ribbons, k, x, step)
			x += g.plan.routes.gutters[k].width()
		}
	}
	lines := make([]string, height)
	for i := range ribbons {
		lines[i] = ribbons[i].Line()
	}
	return lines
}

// drawColumn draws the nodes of a layer, and the edges that pass through it.
func (g *View) drawColumn(l *draw.Look, ribbons []draw.Ribbon, layer, x, width, step int, focused bool) {
	p := g.plan
	for _, s := range p.routes.columns[layer] {
		at := &p.routes.stops[s]
		y := (at.y - g.top) * step
		if y < 0 || y >= len(ribbons) {
			continue
		}
		r := &ribbons[y]
		class := draw.EdgeClass(0)
		if b := p.routes.gutters[layer].bundleAt(at.y); b != nil {
			class = b.strongestClass()
		}
		r.To(x)
		if at.node < 0 {
			r.Edge(class, draw.ToLeft|draw.ToRight, width)
			continue
		}
		n := p.nodes[at.node]
		if at.node == g.Selected {
			r.Select(focused)
		}
		r.To(x + 1)
		st, sign, _ := p.statusOf(l, n)
		r.Sign(st, sign)
		r.Gap(1)
		name := p.titleStyle(l, n)
		if p.critical[at.node] {
			name = l.Theme.Accent + name
		}
		r.AddWithin(name, nameOf(n), x+width-2-r.Width)
		r.Gap(1)
		r.Under = ""
		if class > 0 {
			r.Edge(class, draw.ToLeft|draw.ToRight, x+width-r.Width)
		}
	}
}

// bundleAt returns the edges that leave a row, or nil.
func (g *gutter) bundleAt(y int) *bundle {
	i, there := slices.BinarySearchFunc(g.bundles, y, func(b bundle, y int) int { return b.from - y })
	if !there {
		return nil
	}
	return &g.bundles[i]
}

// edgeCell is a cell of a gutter.
type edgeCell struct {
	to    uint8
	class draw.EdgeClass
}

func (c *edgeCell) add(to uint8, class draw.EdgeClass) {
	c.to |= to
	c.class = max(c.class, class)
}

// drawGutter draws the edges to the right of a layer.
func (g *View) drawGutter(l *draw.Look, ribbons []draw.Ribbon, layer, x, step int) {
	gut := &g.plan.routes.gutters[layer]
	width := gut.width()
	cells := make([]edgeCell, width*len(ribbons))
	line := func(y int) int { return (y - g.top) * step } // of a row, perhaps out of view
	run := func(y, from, to int, class draw.EdgeClass) {
		if y = line(y); y < 0 || y >= len(ribbons) {
			return
		}
		for c := from; c <= to; c++ {
			bits := uint8(draw.ToLeft | draw.ToRight)
			if c == from && from > 0 {
				bits = draw.ToRight
			}
			if c == to && to < width-1 {
				bits = draw.ToLeft
			}
			cells[y*width+c].add(bits, class)
		}
	}
	for i := range gut.bundles {
		b := &gut.bundles[i]
		if line(b.high) < 0 || line(b.low) >= len(ribbons) {
			continue
		}
		if b.low == b.high {
			run(b.from, 0, width-1, b.strongestClass())
			continue
		}
		track := 1 + 2*b.track
		run(b.from, 0, track, b.strongestClass())
		for k, to := range b.to {
			run(to, track, width-1, b.class[k])
			for y := max(line(min(b.from, to)), 0); y <= min(line(max(b.from, to)), len(ribbons)-1); y++ {
				bits := uint8(draw.ToUp | draw.ToDown)
				if y == line(min(b.from, to)) {
					bits = draw.ToDown
				}
				if y == line(max(b.from, to)) {
					bits = draw.ToUp
				}
				if to != b.from {
					cells[y*width+track].add(bits, b.class[k])
				}
			}
		}
	}
	for y := range ribbons {
		for c := range width {
			if cell := cells[y*width+c]; cell.to > 0 {
				ribbons[y].To(x + c)
				ribbons[y].Edge(cell.class, cell.to, 1)
			}
		}
	}
}

// Hit returns the ID of the node at a point, or "".
func (g *View) Hit(x, y, width int) string {
	p := g.plan
	if y -= g.notesHeight(); y < 0 {
		return ""
	}
	if !g.asColumns(width) {
		if k := g.top + y; k < len(p.lines) && p.lines[k] >= 0 {
			return g.nodeID(p.lines[k])
		}
		return ""
	}
	step := g.rowSpacing(max(g.height-g.notesHeight(), 0))
	from := 1
	for k, w := range g.columnWidths(width) {
		if k < g.left {
			continue
		}
		if x >= from && x < from+w {
			for _, i := range p.layers[k] {
				if (p.routes.y[i]-g.top)*step == y {
					return g.nodeID(i)
				}
			}
		}
		from += w + p.routes.gutters[k].width()
	}
	return ""
}
