package tui

// How the graph is drawn: only what can be seen of it.

import (
	"slices"

	"gatehouse/model"
)

// Render draws the notes and, below them, the list or the columns.
func (g *graph) Render(l *look, width, height int, focused bool) []string {
	lines := make([]string, 0, height)
	for k, n := range g.plan.notes {
		if k == g.above() || len(lines) == height {
			break
		}
		r := l.ribbon(width)
		r.gap(1)
		st := l.theme.status(n.status)
		switch {
		case k == 0:
			st = ""
		case n.status == model.Active:
			st = l.theme.accent
			r.sign(st, l.glyphs.edges[edgeCritical].lines[toLeft|toRight])
			r.gap(1)
		}
		r.add(st, n.text)
		lines = append(lines, r.line())
	}
	if g.above() > 1 {
		r := l.ribbon(width)
		lines = append(lines, r.line())
	}
	if g.asColumns(width) {
		lines = append(lines, g.columns(l, width, height-len(lines), focused)...)
	} else {
		lines = append(lines, g.list(l, width, height-len(lines), focused)...)
	}
	return filled(lines, width, height)[:height]
}

// list draws the layers one below the other.
func (g *graph) list(l *look, width, height int, focused bool) []string {
	lines := make([]string, 0, max(height, 0))
	p := g.plan
	for k := g.top; k < len(p.lines) && len(lines) < height; k++ {
		r := l.ribbon(width)
		i := p.lines[k]
		if i < 0 {
			r.gap(1)
			r.add(l.theme.dim, g.heading(p.layer[p.lines[k+1]])+" ")
			r.fill(l.glyphs.horizontal, l.theme.border, width-1)
			lines = append(lines, r.line())
			continue
		}
		if i == g.selected {
			r.sign(l.theme.marker(focused), l.glyphs.marker)
		}
		r.to(1)
		if p.critical[i] {
			r.sign(l.theme.accent, l.glyphs.edges[edgeCritical].lines[toUp|toDown])
		}
		r.to(3)
		n := p.nodes[i]
		st, sign := l.statusOf(n)
		r.sign(st, sign)
		r.gap(1)
		says, saysStyle := p.waits(i), l.theme.dim
		if says == "" {
			says, saysStyle = word(n), st
		}
		if n.Status.Closed() {
			saysStyle = l.theme.dim
		}
		room := width - r.width - 1
		names := max(room-l.width(says)-2, room*55/100)
		from := r.width
		r.addWithin(titleStyle(l, n), graphName(n), names)
		r.to(from + names + 2)
		r.addWithin(saysStyle, says, width-r.width-1)
		lines = append(lines, r.line())
	}
	return lines
}

// heading names a layer.
func (g *graph) heading(layer int) string {
	if g.plan.stuck && layer == len(g.plan.layers)-1 {
		return "needs a circle"
	}
	return itoa(layer + 1)
}

func titleStyle(l *look, n *model.Node) style {
	switch {
	case n.Status.Closed():
		return l.theme.dim
	case n.Status == model.Active || n.Status == model.Waiting || n.Status == model.Retrying:
		return l.theme.strong
	}
	return ""
}

// spacing returns how many lines a row of the columns takes: two where that shows all.
func (g *graph) spacing(room int) int {
	if g.plan.routes.rows*2-1 <= room {
		return 2
	}
	return 1
}

// width returns how many columns a gutter takes.
func (g *gutter) width() int { return 2*g.tracks + 2 }

// columnWidths returns how wide each layer is drawn: in full where all have room, else cut, alike.
func (g *graph) columnWidths(width int) []int {
	p := g.plan
	const besides = 5 // the mark, the sign, and blanks
	gutters := 0
	for k := range p.routes.gutters {
		gutters += p.routes.gutters[k].width()
	}
	most := 20 // where they don't all fit in any case
	for try := 48; try >= 12; try -= 2 {
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

// columns draws the layers side by side, with the edges between them.
func (g *graph) columns(l *look, width, height int, focused bool) []string {
	height = max(height, 0)
	step := g.spacing(height)
	widths := g.columnWidths(width)
	ribbons := make([]ribbon, height)
	for i := range ribbons {
		ribbons[i] = l.ribbon(width)
	}
	x := 1
	for k := g.left; k < len(widths) && x < width; k++ {
		g.column(l, ribbons, k, x, widths[k], step, focused)
		x += widths[k]
		if k+1 < len(widths) && x < width {
			g.gutter(l, ribbons, k, x, step)
			x += g.plan.routes.gutters[k].width()
		}
	}
	lines := make([]string, height)
	for i := range ribbons {
		lines[i] = ribbons[i].line()
	}
	return lines
}

// column draws the nodes of a layer, and what passes through it.
func (g *graph) column(l *look, ribbons []ribbon, layer, x, width, step int, focused bool) {
	p := g.plan
	for _, s := range p.routes.columns[layer] {
		at := &p.routes.stops[s]
		y := (at.y - g.top) * step
		if y < 0 || y >= len(ribbons) {
			continue
		}
		r := &ribbons[y]
		class := edgeClass(0)
		if b := p.routes.gutters[layer].leaving(at.y); b != nil {
			class = b.strongest()
		}
		r.to(x)
		if at.node < 0 {
			r.edge(class, toLeft|toRight, width)
			continue
		}
		n := p.nodes[at.node]
		if at.node == g.selected {
			r.sign(l.theme.marker(focused), l.glyphs.marker)
		}
		r.to(x + 1)
		st, sign := l.statusOf(n)
		r.sign(st, sign)
		r.gap(1)
		name := titleStyle(l, n)
		if p.critical[at.node] {
			name = l.theme.accent + name
		}
		r.addWithin(name, graphName(n), x+width-2-r.width)
		r.gap(1)
		if class > 0 {
			r.edge(class, toLeft|toRight, x+width-r.width)
		}
	}
}

// leaving returns what leaves a row, nil where nothing does.
func (g *gutter) leaving(y int) *bundle {
	i, there := slices.BinarySearchFunc(g.bundles, y, func(b bundle, y int) int { return b.from - y })
	if !there {
		return nil
	}
	return &g.bundles[i]
}

// The directions in which a line leaves a cell.
const (
	toUp = 1 << iota
	toDown
	toLeft
	toRight
)

// edgeCell is a cell of a gutter.
type edgeCell struct {
	to    uint8
	class edgeClass
}

func (c *edgeCell) add(to uint8, class edgeClass) {
	c.to |= to
	c.class = max(c.class, class)
}

// gutter draws the edges behind a layer.
func (g *graph) gutter(l *look, ribbons []ribbon, layer, x, step int) {
	gut := &g.plan.routes.gutters[layer]
	width := gut.width()
	cells := make([]edgeCell, width*len(ribbons))
	line := func(y int) int { return (y - g.top) * step } // of a row, perhaps out of view
	run := func(y, from, to int, class edgeClass) {
		if y = line(y); y < 0 || y >= len(ribbons) {
			return
		}
		for c := from; c <= to; c++ {
			bits := uint8(toLeft | toRight)
			if c == from && from > 0 {
				bits = toRight
			}
			if c == to && to < width-1 {
				bits = toLeft
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
			run(b.from, 0, width-1, b.strongest())
			continue
		}
		track := 1 + 2*b.track
		run(b.from, 0, track, b.strongest())
		for k, to := range b.to {
			run(to, track, width-1, b.class[k])
			for y := max(line(min(b.from, to)), 0); y <= min(line(max(b.from, to)), len(ribbons)-1); y++ {
				bits := uint8(toUp | toDown)
				if y == line(min(b.from, to)) {
					bits = toDown
				}
				if y == line(max(b.from, to)) {
					bits = toUp
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
				ribbons[y].to(x + c)
				ribbons[y].edge(cell.class, cell.to, 1)
			}
		}
	}
}

// edge draws a piece of an edge, several times.
func (r *ribbon) edge(class edgeClass, to uint8, times int) {
	if class == 0 {
		return
	}
	st := r.look.theme.dim
	switch class {
	case edgeCritical:
		st = r.look.theme.accent
	case edgeOpen:
		st = ""
	}
	sign := r.look.glyphs.edges[class].lines[to]
	for range times {
		r.sign(st, sign)
	}
}

// edgeGlyphs are the signs of edges, by class and by where they lead: done ones are plain, open ones dashed, those of the
// longest way heavy.
type edgeGlyphs [edgeCritical + 1]struct{ lines [16]string }

func glyphSet(h, v, dr, dl, ur, ul, vr, vl, dh, uh, vh string) (s struct{ lines [16]string }) {
	s.lines = [16]string{
		0: " ", toUp: v, toDown: v, toUp | toDown: v, toLeft: h, toRight: h, toLeft | toRight: h,
		toDown | toRight: dr, toDown | toLeft: dl, toUp | toRight: ur, toUp | toLeft: ul,
		toUp | toDown | toRight: vr, toUp | toDown | toLeft: vl, toDown | toLeft | toRight: dh, toUp | toLeft | toRight: uh, toUp | toDown | toLeft | toRight: vh,
	}
	return s
}

var (
	boxEdges = edgeGlyphs{
		edgeDone:     glyphSet("─", "│", "╭", "╮", "╰", "╯", "├", "┤", "┬", "┴", "┼"),
		edgeOpen:     glyphSet("╌", "┆", "╭", "╮", "╰", "╯", "├", "┤", "┬", "┴", "┼"),
		edgeCritical: glyphSet("━", "┃", "┏", "┓", "┗", "┛", "┣", "┫", "┳", "┻", "╋"),
	}
	asciiEdges = edgeGlyphs{
		edgeDone:     glyphSet("-", "|", "+", "+", "+", "+", "+", "+", "+", "+", "+"),
		edgeOpen:     glyphSet(".", ":", ".", ".", "'", "'", ":", ":", ".", ":", "+"),
		edgeCritical: glyphSet("=", "#", "#", "#", "#", "#", "#", "#", "#", "#", "#"),
	}
)

// hit returns the node at a point.
func (g *graph) hit(x, y, width int) (node int, ok bool) {
	p := g.plan
	if y -= g.above(); y < 0 {
		return 0, false
	}
	if !g.asColumns(width) {
		if k := g.top + y; k < len(p.lines) && p.lines[k] >= 0 {
			return p.lines[k], true
		}
		return 0, false
	}
	step := g.spacing(max(g.height-g.above(), 0))
	from := 1
	for k, w := range g.columnWidths(width) {
		if k < g.left {
			continue
		}
		if x >= from && x < from+w {
			for _, i := range p.layers[k] {
				if (p.routes.y[i]-g.top)*step == y {
					return i, true
				}
			}
		}
		from += w + p.routes.gutters[k].width()
	}
	return 0, false
}
