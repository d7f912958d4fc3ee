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
	"unicode"
	"unicode/utf8"

	"gatehouse/parse/text/scan"
)

// Line is one line of a Markdown document.
type Line struct {
	No   int    // from 1, or from what was given to Lines
	At   int    // offset of the line in the text, in bytes
	Text string // without its line end
	// Level is 1 to 6 for a heading ("## Title", or one by the line below it, see [scan.Setext]), else 0; Title is its text.
	Level int
	Title string
	// Under is true of the line that makes a heading of the one above it.
	Under bool
	// Code is true within fenced code, the fences included; Comment within an
	// HTML comment that began on an earlier line. Neither has a Level.
	Code, Comment bool
}

// Lines yields the lines of text, the first with the number first. A line
// ends with LF or CR LF. A fence of three or more ` or ~ is closed by a line
// of at least as many of the same, as CommonMark has it; one never closed
// reaches to the end. A comment never closed is none: it would hide all that
// follows a stray "<!--".
func Lines(text string, first int) iter.Seq[Line] {
	return func(yield func(Line) bool) {
		var fence byte
		var fenceLen int
		comment := false
		top, under := true, false // the line before is blank, or ended what came before; it is a heading by the line that follows
		rest := text
		unclosed := false // no comment ends in the rest any more
		begins := func(line string) bool {
			if unclosed || !opensComment(line) {
				return false
			}
			unclosed = !strings.Contains(rest, "-->")
			return !unclosed
		}
		for no := first; rest != ""; no++ {
			var raw string
			at := len(text) - len(rest)
			raw, rest, _ = strings.Cut(rest, "\n")
			l := Line{No: no, At: at, Text: strings.TrimSuffix(raw, "\r")}
			mark, n, info := fenceOf(l.Text)
			switch {
			case fence != 0:
				l.Code = true
				if mark == fence && n >= fenceLen && strings.TrimSpace(info) == "" {
					fence = 0
				}
			case comment:
				l.Comment = true
				comment = !strings.Contains(l.Text, "-->") || begins(l.Text)
			case mark != 0:
				l.Code, fence, fenceLen = true, mark, n
			default:
				if l.Level, l.Title = heading(l.Text); l.Level == 0 && !under && top {
					if l.Level = scan.Setext(top, l.Text, rest); l.Level > 0 {
						l.Title = strings.TrimSpace(l.Text)
					}
				}
				l.Under = under
				comment = begins(l.Text)
			}
			top, under = l.Level > 0 || l.Code || l.Under || strings.TrimSpace(l.Text) == "", l.Level > 0 && l.Text != "" && !strings.HasPrefix(l.Text, "#")
			if !yield(l) {
				return
			}
		}
	}
}

// opensComment reports whether a comment begins on a line and does not end there.
func opensComment(line string) bool {
	if !strings.Contains(line, "<!--") { // nearly always, and found out many times faster than where the last one is
		return false
	}
	return !strings.Contains(line[strings.LastIndex(line, "<!--"):], "-->")
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
	if closing := strings.TrimRight(title, "#"); closing == "" || strings.TrimRight(closing, " \t") != closing {
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
// whether it is checked, and whether the line is one. A letter or a sign beyond
// ASCII checks it, as hand-edited files have it ("[X]", "[√]"); other signs
// leave it open ("[~]" is begun, "[-]" given up). A number or a word in brackets
// is no box.
func CheckBox(line string) (text string, checked, ok bool) {
	item, _, ok := Item(line)
	if !ok || len(item) < 3 || item[0] != '[' {
		return "", false, false
	}
	mark, rest, ok := strings.Cut(item[1:], "]")
	mark = strings.TrimSuffix(strings.TrimSpace(mark), emojiStyle)
	r, size := utf8.DecodeRuneInString(mark)
	if !ok || size != len(mark) || strings.ContainsAny(mark, "[(0123456789") {
		return "", false, false
	}
	if rest != "" && (rest[0] == '(' || rest[0] == '[') {
		return "", false, false // a link
	}
	return strings.TrimSpace(rest), unicode.IsLetter(r) || size > 1, true
}

// emojiStyle follows a sign that is to be drawn in colour ("✔️").
const emojiStyle = "\uFE0F"

// Field returns the name and value of a bold field, "**Goal**: x" or
// "**Goal:** x", and whether the line is one.
func Field(line string) (name, value string, ok bool) {
	t, found := strings.CutPrefix(strings.TrimSpace(line), "**")
	if !found {
		return "", "", false
	}
	name, rest, found := strings.Cut(t, "**")
	if !found {
		return "", "", false
	}
	name, colon := strings.CutSuffix(name, ":")
	if !colon {
		rest, colon = strings.CutPrefix(strings.TrimLeft(rest, " "), ":")
	}
	if name = strings.TrimSpace(name); name == "" || !colon {
		return "", "", false
	}
	return name, strings.TrimSpace(rest), true
}

// Cells returns the cells of a table row ("| a | b |"), or nil for a line that
// is none. In a cell "\|" stands for "|".
func Cells(line string) []string {
	t := strings.TrimSpace(line)
	if len(t) < 2 || t[0] != '|' {
		return nil
	}
	t = t[1:]
	var cells []string
	add := func(cell string) { cells = append(cells, strings.ReplaceAll(strings.TrimSpace(cell), `\|`, "|")) }
	cell := 0
	for i := 0; i < len(t); i++ {
		switch t[i] {
		case '\\':
			i++
		case '|':
			add(t[cell:i])
			cell = i + 1
		}
	}
	if rest := t[cell:]; strings.TrimSpace(rest) != "" {
		add(rest)
	}
	return cells
}

// Rule reports whether a table row is the one under the head ("|---|:--:|").
func Rule(cells []string) bool {
	for _, c := range cells {
		if !strings.Contains(c, "-") || strings.Trim(c, "-: ") != "" {
			return false
		}
	}
	return len(cells) > 0
}

// Plain takes the marks of bold, struck and code text off: "**a** `b`" is
// "a b". What stands in code keeps its signs: "`__init__.py`" is "__init__.py".
func Plain(s string) string {
	var plain strings.Builder
	for {
		text, rest, _ := strings.Cut(s, "`")
		plain.WriteString(marks.Replace(text))
		code, after, closed := strings.Cut(rest, "`")
		if !closed {
			plain.WriteString(marks.Replace(rest))
			return strings.TrimSpace(plain.String())
		}
		plain.WriteString(code)
		s = after
	}
}

var marks = strings.NewReplacer("**", "", "__", "", "~~", "")
