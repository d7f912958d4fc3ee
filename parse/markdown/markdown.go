// Package markdown reads Markdown as state files use it: lines with their
// number, headings, fenced code, comments, check boxes, bold fields and table
// rows. It is no Markdown parser: paragraphs, links and emphasis mean nothing
// here.
//
// It stands beside package scan and not in it because the prompt binary, which
// pays for each import, needs none of it.
package markdown

import (
	"iter"
	"strings"
)

// Line is one line of a Markdown document.
type Line struct {
	No   int    // from 1, or from what was given to Lines
	Text string // without its line end
	// Level is 1 to 6 for a heading ("## Title"), else 0; Title is its text.
	Level int
	Title string
	// Code is true within fenced code, the fences included; Comment within an
	// HTML comment that began on an earlier line. Neither has a Level.
	Code, Comment bool
}

// Lines yields the lines of text, the first with the number first. A line
// ends with LF or CR LF. A fence of three or more ` or ~ is closed by a line
// of at least as many of the same, as CommonMark has it; one never closed
// reaches to the end.
func Lines(text string, first int) iter.Seq[Line] {
	return func(yield func(Line) bool) {
		var fence byte
		var fenceLen int
		comment := false
		for no := first; text != ""; no++ {
			raw, rest, _ := strings.Cut(text, "\n")
			text = rest
			l := Line{No: no, Text: strings.TrimSuffix(raw, "\r")}
			mark, n, info := fenceOf(l.Text)
			switch {
			case fence != 0:
				l.Code = true
				if mark == fence && n >= fenceLen && strings.TrimSpace(info) == "" {
					fence = 0
				}
			case comment:
				l.Comment = true
				comment = !strings.Contains(l.Text, "-->")
			case mark != 0:
				l.Code, fence, fenceLen = true, mark, n
			default:
				l.Level, l.Title = heading(l.Text)
				if open := strings.LastIndex(l.Text, "<!--"); open >= 0 && !strings.Contains(l.Text[open:], "-->") {
					comment = true
				}
			}
			if !yield(l) {
				return
			}
		}
	}
}

// fenceOf returns the character and length of the fence a line is, or 0.
func fenceOf(line string) (mark byte, n int, info string) {
	t := strings.TrimLeft(line, " ")
	if len(line)-len(t) > 3 || len(t) < 3 || (t[0] != '`' && t[0] != '~') {
		return 0, 0, ""
	}
	for n < len(t) && t[n] == t[0] {
		n++
	}
	if n < 3 || (t[0] == '`' && strings.IndexByte(t[n:], '`') >= 0) {
		return 0, 0, ""
	}
	return t[0], n, t[n:]
}

func heading(line string) (level int, title string) {
	for level < len(line) && line[level] == '#' {
		level++
	}
	if level == 0 || level > 6 || level == len(line) || (line[level] != ' ' && line[level] != '\t') {
		return 0, ""
	}
	title = strings.TrimSpace(line[level:])
	if closing := strings.TrimRight(title, "#"); closing == "" || strings.HasSuffix(closing, " ") {
		title = strings.TrimSpace(closing)
	}
	return level, title
}

// Item returns the text of a list item ("- x", "* x", "+ x", "1. x"), its
// indentation in columns (a tab counts four), and whether the line is one.
func Item(line string) (text string, indent int, ok bool) {
	i := 0
	for ; i < len(line) && (line[i] == ' ' || line[i] == '\t'); i++ {
		if line[i] == '\t' {
			indent += 3
		}
		indent++
	}
	t := line[i:]
	n := 0
	for n < len(t) && t[n] >= '0' && t[n] <= '9' {
		n++
	}
	switch {
	case n == 0 && t != "" && (t[0] == '-' || t[0] == '*' || t[0] == '+'):
		n = 1
	case n > 0 && n < 10 && n < len(t) && (t[n] == '.' || t[n] == ')'):
		n++
	default:
		return "", 0, false
	}
	if n == len(t) {
		return "", indent, true
	}
	if t[n] != ' ' && t[n] != '\t' {
		return "", 0, false
	}
	return strings.TrimSpace(t[n:]), indent, true
}

// CheckBox returns the text behind the check box of a list item ("- [x] x"),
// whether it is checked, and whether the line is one. Any letter but a space
// checks it, as hand-edited files have it ("[X]", "[√]").
func CheckBox(line string) (text string, checked, ok bool) {
	item, _, ok := Item(line)
	if !ok || len(item) < 3 || item[0] != '[' {
		return "", false, false
	}
	mark, rest, ok := strings.Cut(item[1:], "]")
	if !ok || len(mark) > 4 || strings.ContainsAny(mark, "[(") {
		return "", false, false
	}
	if rest != "" && (rest[0] == '(' || rest[0] == '[') {
		return "", false, false // a link
	}
	return strings.TrimSpace(rest), strings.TrimSpace(mark) != "", true
}

// Field returns the name and value of a bold field, "**Goal**: x" or
// "**Goal:** x", and whether the line is one.
func Field(line string) (name, value string, ok bool) {
	t, found := strings.CutPrefix(strings.TrimSpace(line), "**")
	if !found {
		return "", "", false
	}
	name, rest, found := strings.Cut(t, "**")
	if !found || name == "" {
		return "", "", false
	}
	if n, inside := strings.CutSuffix(name, ":"); inside {
		return strings.TrimSpace(n), strings.TrimSpace(rest), true
	}
	if v, after := strings.CutPrefix(strings.TrimLeft(rest, " "), ":"); after {
		return strings.TrimSpace(name), strings.TrimSpace(v), true
	}
	return "", "", false
}

// Cells returns the cells of a table row ("| a | b |"), or nil for a line that
// is none. A cell may hold "\|".
func Cells(line string) []string {
	t := strings.TrimSpace(line)
	if len(t) < 2 || t[0] != '|' {
		return nil
	}
	t = t[1:]
	var cells []string
	cell := 0
	for i := 0; i < len(t); i++ {
		switch t[i] {
		case '\\':
			i++
		case '|':
			cells = append(cells, strings.TrimSpace(t[cell:i]))
			cell = i + 1
		}
	}
	if rest := strings.TrimSpace(t[min(cell, len(t)):]); rest != "" {
		cells = append(cells, rest)
	}
	return cells
}

// Rule reports whether a table row is the one under the head ("|---|:--:|").
func Rule(cells []string) bool {
	for _, c := range cells {
		if c == "" || strings.Trim(c, "-: ") != "" {
			return false
		}
	}
	return len(cells) > 0
}

// Plain takes the marks of bold, struck and code text off: "**a** `b`" is
// "a b".
func Plain(s string) string {
	if !strings.ContainsAny(s, "*~`_") {
		return strings.TrimSpace(s)
	}
	s = strings.NewReplacer("**", "", "__", "", "~~", "", "`", "").Replace(s)
	return strings.TrimSpace(s)
}
