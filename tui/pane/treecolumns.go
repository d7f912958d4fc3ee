package pane

// The columns of the tree to the right of the names: which there are, and their widths.

// columns are the widths of the columns to the right of the titles; 0 leaves one out.
type columns struct{ word, bar, percent, age int }

// columnsFor returns the columns that fit next to readable titles.
func columnsFor(width int) columns {
	switch {
	case width < 50:
		return columns{word: 10, percent: 4}
	case width < 68:
		return columns{word: 11, percent: 4, age: 4}
	}
	return columns{word: 11, bar: 10, percent: 4, age: 4}
}

// width returns the width of the columns at the right of every row, with a blank before each and one after the last. Bar and percent are
// left of them if the name leaves room.
func (c columns) width() int {
	w := 1
	for _, column := range [...]int{c.word, c.age} {
		if column > 0 {
			w += column + 1
		}
	}
	return w
}

// barWidth returns the width of bar and percent, with a blank before each.
func (c columns) barWidth() int {
	w := 0
	for _, column := range [...]int{c.bar, c.percent} {
		if column > 0 {
			w += column + 1
		}
	}
	return w
}
