package pane

// The columns of the tree behind the names of its rows: which there are, and how much room each has.

import "slices"

// columns are the widths of the columns right of the titles; 0 leaves one out.
type columns struct{ word, bar, percent, age int }

// Columns are the columns of the tree behind the names of the rows.
var Columns = []string{"status", "bar", "percent", "age"}

// hidden are the columns that are left out.
type hidden struct{ word, bar, percent, age bool }

// Showing returns which columns are left out where some are wished for; nil wishes for all.
func Showing(wished []string) hidden {
	if wished == nil {
		return hidden{}
	}
	lacks := func(column string) bool { return !slices.Contains(wished, column) }
	return hidden{word: lacks("status"), bar: lacks("bar"), percent: lacks("percent"), age: lacks("age")}
}

// columnsFor chooses what fits beside titles that can still be read.
func columnsFor(width int, h hidden) columns {
	var c columns
	switch {
	case width < 50:
		c = columns{word: 10, percent: 4}
	case width < 68:
		c = columns{word: 11, percent: 4, age: 4}
	default:
		c = columns{word: 11, bar: 10, percent: 4, age: 4}
	}
	for _, column := range [...]struct {
		out   bool
		width *int
	}{{h.word, &c.word}, {h.bar, &c.bar}, {h.percent, &c.percent}, {h.age, &c.age}} {
		if column.out {
			*column.width = 0
		}
	}
	return c
}

// width returns the columns that every row leaves to them, with a blank before each and one behind the last. Bar and percent stand
// before these, where a name leaves them room.
func (c columns) width() int {
	w := 1
	for _, column := range [...]int{c.word, c.age} {
		if column > 0 {
			w += column + 1
		}
	}
	return w
}

// barWidth returns the columns that bar and percent take, with a blank before each.
func (c columns) barWidth() int {
	w := 0
	for _, column := range [...]int{c.bar, c.percent} {
		if column > 0 {
			w += column + 1
		}
	}
	return w
}
