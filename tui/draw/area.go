package draw

// Areas: parts of the screen, and how they are cut.

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

// Columns cuts an area behind its first n columns.
func (a Area) Columns(n int) (left, right Area) {
	left, right = a, a
	left.Width = n
	right.X, right.Width = a.X+n, a.Width-n
	return left, right
}

// SharedRows is [Area.Rows] for two boxes that share the edge between them.
func (a Area) SharedRows(n int) (up, down Area) {
	up, down = a.Rows(n)
	if n > 0 {
		down.Y, down.Height = down.Y-1, down.Height+1
	}
	return up, down
}

// SharedColumns is [Area.Columns] for two boxes that share the edge between them.
func (a Area) SharedColumns(n int) (left, right Area) {
	left, right = a.Columns(n)
	if n > 0 {
		right.X, right.Width = right.X-1, right.Width+1
	}
	return left, right
}

// InBox returns the inner area of a box.
func InBox(a Area) Area { return Area{a.X + 1, a.Y + 1, max(a.Width-2, 0), max(a.Height-2, 0)} }

// Middle returns an area of some size in the middle of another, or as much of it as there is.
func (a Area) Middle(width, height int) Area {
	width, height = min(width, a.Width), min(height, a.Height)
	return Area{a.X + (a.Width-width)/2, a.Y + (a.Height-height)/2, width, height}
}
