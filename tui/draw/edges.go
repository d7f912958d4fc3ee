package draw

// Edges of a graph: their classes, the directions of a line in a cell, and the signs for both.

// EdgeClass is the style of an edge, the plainest first.
type EdgeClass uint8

const (
	EdgeDone     EdgeClass = 1 + iota // the need is met
	EdgeOpen                          // the need is open
	EdgeCritical                      // it is on the longest path
)

// The directions of a line in a cell.
const (
	ToUp = 1 << iota
	ToDown
	ToLeft
	ToRight
)

// Edge draws a piece of an edge several times.
func (r *Ribbon) Edge(class EdgeClass, to uint8, times int) {
	if class == 0 {
		return
	}
	st := r.Look.Theme.Dim
	switch class {
	case EdgeCritical:
		st = r.Look.Theme.Accent
	case EdgeOpen:
		st = ""
	}
	sign := r.Look.Glyphs.Edge(class, to)
	for range times {
		r.Sign(st, sign)
	}
}

// Edge returns the sign of an edge of some class that leads in some directions.
func (g *glyphs) Edge(class EdgeClass, to uint8) string { return g.edges[class].lines[to] }

// edgeGlyphs are the signs of edges, by class and directions: plain for done, dashed for open, heavy for the longest path.
type edgeGlyphs [EdgeCritical + 1]struct{ lines [16]string }

func glyphSet(h, v, dr, dl, ur, ul, vr, vl, dh, uh, vh string) (s struct{ lines [16]string }) {
	s.lines = [16]string{
		0: " ", ToUp: v, ToDown: v, ToUp | ToDown: v, ToLeft: h, ToRight: h, ToLeft | ToRight: h,
		ToDown | ToRight: dr, ToDown | ToLeft: dl, ToUp | ToRight: ur, ToUp | ToLeft: ul,
		ToUp | ToDown | ToRight: vr, ToUp | ToDown | ToLeft: vl, ToDown | ToLeft | ToRight: dh, ToUp | ToLeft | ToRight: uh, ToUp | ToDown | ToLeft | ToRight: vh,
	}
	return s
}

var (
	boxEdges = edgeGlyphs{
		EdgeDone:     glyphSet("─", "│", "╭", "╮", "╰", "╯", "├", "┤", "┬", "┴", "┼"),
		EdgeOpen:     glyphSet("╌", "┆", "╭", "╮", "╰", "╯", "├", "┤", "┬", "┴", "┼"),
		EdgeCritical: glyphSet("━", "┃", "┏", "┓", "┗", "┛", "┣", "┫", "┳", "┻", "╋"),
	}
	asciiEdges = edgeGlyphs{
		EdgeDone:     glyphSet("-", "|", "+", "+", "+", "+", "+", "+", "+", "+", "+"),
		EdgeOpen:     glyphSet(".", ":", ".", ".", "'", "'", ":", ":", ".", ":", "+"),
		EdgeCritical: glyphSet("=", "#", "#", "#", "#", "#", "#", "#", "#", "#", "#"),
	}
)
