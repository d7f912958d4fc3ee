package pane

// The columns of the tree to the right of the names: which there are, and their widths.

import "slices"

// columns are the widths of the columns to the right of the titles; 0 leaves one out.
type columns struct{ word, bar, percent, age int }

// Columns are the names of the columns of the tree.
var Columns = []string{"status", "bar", "percent", "age"}

// columnsFor returns the requested columns that fit next to readable titles; nil requests all.
func columnsFor(width int, wished []string) columns {
	c := columns{word: 11, bar: 10, percent: 4, age: 4}
	switch {
	case width < 50:
		c = columns{word: 10, percent: 4}
	case width < 68:
		c.bar = 0
	}
	for i, column := range []*int{&c.word, &c.bar, &c.percent, &c.age} {
		if wished != nil && !slices.Contains(wished, Columns[i]) {
			*column = 0
		}
	}
	return c
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
