package draw

// The lines between boxes: the directions of a line in a cell, and the signs for them.

// The directions of a line in a cell.
const (
	ToUp = 1 << iota
	ToDown
	ToLeft
	ToRight
)

// Edge returns the sign of a line that leads in some directions.
func (g *glyphs) Edge(to uint8) string { return g.edges[to] }

// edgeGlyphs are the signs of lines by their directions.
type edgeGlyphs [16]string

func newEdges(h, v, dr, dl, ur, ul, vr, vl, dh, uh, vh string) edgeGlyphs {
	return edgeGlyphs{
		0: " ", ToUp: v, ToDown: v, ToUp | ToDown: v, ToLeft: h, ToRight: h, ToLeft | ToRight: h,
		ToDown | ToRight: dr, ToDown | ToLeft: dl, ToUp | ToRight: ur, ToUp | ToLeft: ul,
		ToUp | ToDown | ToRight: vr, ToUp | ToDown | ToLeft: vl, ToDown | ToLeft | ToRight: dh, ToUp | ToLeft | ToRight: uh,
		ToUp | ToDown | ToLeft | ToRight: vh,
	}
}

var (
	boxEdges   = newEdges("─", "│", "╭", "╮", "╰", "╯", "├", "┤", "┬", "┴", "┼")
	asciiEdges = newEdges("-", "|", "+", "+", "+", "+", "+", "+", "+", "+", "+")
)
