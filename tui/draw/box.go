package draw

// Areas of the screen and boxes: frames around lines with names in their upper edge, boxes over other lines, and the lines between boxes.

import (
	"strings"

	"github.com/charmbracelet/x/ansi"
)

// Tab is a name in the upper edge of a box.
type Tab struct {
	Text     string
	Front    bool
	From, To int // its columns in the box, set when it is drawn
}

// Box draws a frame around lines that are all width-2 columns wide. The result has height lines: missing ones are
// left blank and excess ones are left out. The tabs are in the upper edge, the note, which is ours, in the lower.
func (l *Look) Box(tabs []Tab, note string, lines []string, width, height int, focused bool) []string {
	g, edge := l.Glyphs, l.Theme.Border
	if focused {
		edge = l.Theme.borderFocused
	}
	out := make([]string, 0, height)
	top := l.Ribbon(width)
	top.Sign(edge, g.Edges[ToDown|ToRight]+g.Horizontal)
	l.drawTitles(&top, tabs, edge, focused, width)
	top.Fill(g.Horizontal, edge, width-1)
	top.Sign(edge, g.Edges[ToDown|ToLeft])
	out = append(out, top.Line())

	side := l.Ribbon(1)
	side.Sign(edge, g.Edges[ToUp|ToDown])
	wall, blank := side.Line(), strings.Repeat(" ", max(width-2, 0))
	for i := range height - 2 {
		inner := blank
		if i < len(lines) {
			inner = lines[i]
		}
		out = append(out, wall+inner+wall)
	}

	bottom := l.Ribbon(width)
	bottom.Sign(edge, g.Edges[ToUp|ToRight])
	_, noteWidth := l.MeasureExactly(note)
	if note != "" && noteWidth+5 < width {
		bottom.Fill(g.Horizontal, edge, width-noteWidth-4)
		bottom.Add("", " ")
		bottom.Exactly(l.Theme.Dim, note)
		bottom.Add("", " ")
	}
	bottom.Fill(g.Horizontal, edge, width-1)
	bottom.Sign(edge, g.Edges[ToUp|ToLeft])
	return append(out, bottom.Line())
}

// Titles draws the names in the upper edge of a box of some width, beginning in its third column, and returns their width.
func (l *Look) Titles(tabs []Tab, width int, focused bool) (string, int) {
	r := l.Ribbon(max(width-2, 0))
	l.drawTitles(&r, tabs, l.Theme.Border, focused, width-2)
	return r.Cut(), r.Width
}

// drawTitles writes the names, and stores their positions in the tabs. Only the name of the pane that has the keys is bright.
func (l *Look) drawTitles(r *Ribbon, tabs []Tab, edge Style, focused bool, width int) {
	begin := 2 - r.Width
	for i := range tabs {
		t := &tabs[i]
		heading := l.Theme.Dim
		switch {
		case t.Front && focused:
			heading = l.Theme.Title
		case t.Front && len(tabs) > 1:
			heading = ""
		}
		if i > 0 {
			r.Sign(edge, l.Glyphs.Horizontal)
		}
		t.From = r.Width + begin
		r.Add("", " ")
		r.AddWithin(heading, t.Text, width-r.Width-2)
		r.Add("", " ")
		t.To = r.Width + begin
	}
}

// MoreNote says whether there are lines above or below a window over n lines.
func MoreNote(l *Look, top, height, n int) string {
	up, down := top > 0, top+height < n
	switch {
	case up && down:
		return l.Glyphs.moreAbove + " " + l.Glyphs.moreBelow + " more"
	case up:
		return l.Glyphs.moreAbove
	case down:
		return l.Glyphs.moreBelow + " more"
	}
	return ""
}

// Centered returns lines of one width in the middle of an area.
func Centered(lines []string, width int, a Area) []string {
	room := max(a.Width-width, 0)
	left, right := strings.Repeat(" ", room/2), strings.Repeat(" ", room-room/2)
	out := make([]string, 0, a.Height)
	for _, line := range lines[:min(len(lines), a.Height)] {
		out = append(out, left+line+right)
	}
	return Filled(out, a.Width, a.Height)
}

// Overlay draws a box over lines, which keep their width.
func Overlay(lines, box []string, at Area) {
	for i, over := range box {
		y := at.Y + i
		if y < 0 || y >= len(lines) {
			continue
		}
		left := ansi.Truncate(lines[y], at.X, "")
		right := ansi.TruncateLeft(lines[y], at.X+at.Width, "")
		whole := ansi.StringWidth(lines[y])
		if ansi.StringWidth(right) > whole-at.X-at.Width { // it begins with a wide character that starts below the box
			right = ansi.TruncateLeft(lines[y], at.X+at.Width+1, "")
		}
		// A wide character that the box cuts in two is replaced by a blank.
		left += strings.Repeat(" ", max(at.X-ansi.StringWidth(left), 0))
		right = strings.Repeat(" ", max(whole-at.X-at.Width-ansi.StringWidth(right), 0)) + right
		lines[y] = left + reset + over + right
	}
}

// PageWidth returns the columns of a page in an area.
func (a Area) PageWidth() int { return max(a.Width-2, 1) }

// Area is a part of the screen.
type Area struct{ X, Y, Width, Height int }

func (a Area) Holds(x, y int) bool {
	return x >= a.X && x < a.X+a.Width && y >= a.Y && y < a.Y+a.Height
}

// Rows cuts an area below its first n rows.
func (a Area) Rows(n int) (up, down Area) {
	up, down = a, a
	up.Height = n
	down.Y, down.Height = a.Y+n, a.Height-n
	return up, down
}

// SharedRows is [Area.Rows] for two boxes that share the edge between them.
func (a Area) SharedRows(n int) (up, down Area) {
	up, down = a.Rows(n)
	if n > 0 {
		down.Y, down.Height = down.Y-1, down.Height+1
	}
	return up, down
}

// SharedColumns cuts an area behind its first n columns, for two boxes that share the edge between them.
func (a Area) SharedColumns(n int) (left, right Area) {
	left, right = a, a
	left.Width = n
	shared := min(n, 1)
	right.X, right.Width = a.X+n-shared, a.Width-n+shared
	return left, right
}

// InBox returns the inner area of a box.
func InBox(a Area) Area { return Area{a.X + 1, a.Y + 1, max(a.Width-2, 0), max(a.Height-2, 0)} }

// Middle returns an area of some size in the middle of another, or as much of it as there is.
func (a Area) Middle(width, height int) Area {
	width, height = min(width, a.Width), min(height, a.Height)
	return Area{a.X + (a.Width-width)/2, a.Y + (a.Height-height)/2, width, height}
}

// The directions of a line in a cell.
const (
	ToUp = 1 << iota
	ToDown
	ToLeft
	ToRight
)

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
