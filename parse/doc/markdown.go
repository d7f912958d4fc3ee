package doc

import "unicode/utf8"

// Line is a line of Markdown.
type Line struct {
	Number int    // from 1, in the whole text
	At     int    // offset in the whole text
	Text   string // without the line end
	Level  int    // of a heading, 1 to 6; else 0
	Title  string // of a heading
	// Code is true within fenced code and for its fences, Comment within an HTML comment that began on an earlier line. Such
	// lines are not headings. EndsCode is true for the fence that ends code.
	Code, Comment, EndsCode bool
}

// Lines iterates over the lines of text[from:to]; offset from begins a line. Lines end with LF or CR LF.
//
// A fence of three or more ` or ~ is closed by a line of at least as many, as in CommonMark; an unclosed one reaches to the
// end. An unclosed comment is ignored: it would hide everything below a stray "<!--".
func Lines(text string, from, to int) func(yield func(Line) bool) {
	return func(yield func(Line) bool) {
		s := newLineScanner(text[:to], from)
		for s.number += countParts(text[:from], "\n"); s.at < to; {
			if !yield(s.next()) {
				return
			}
		}
	}
}

type lineScanner struct {
	text        string
	at          int // of the next line
	number      int
	fence       string // that is open
	comment     bool   // a comment is open
	lastComment int    // offset of the last end of a comment, found when it is needed
}

func newLineScanner(text string, at int) lineScanner {
	if at == 0 && HasPrefix(text, ByteOrderMark) {
		at = len(ByteOrderMark)
	}
	return lineScanner{text: text, at: at, number: 1, lastComment: unknown}
}

// unknown is an end that was not searched for yet.
const unknown = -2

// next returns the next line.
func (s *lineScanner) next() Line {
	end := lineEnd(s.text, s.at)
	l := Line{Number: s.number, At: s.at, Text: TrimSuffix(s.text[s.at:end], "\r")}
	s.number, s.at = s.number+1, min(end+1, len(s.text))
	fence, info := cutFence(l.Text)
	switch {
	case s.fence != "":
		l.Code = true
		if HasPrefix(fence, s.fence) && Trim(info) == "" {
			s.fence, l.EndsCode = "", true
		}
	case s.comment:
		l.Comment = true
		s.comment = !Contains(l.Text, "-->") || s.opensComment(l.Text)
	case fence != "":
		l.Code, s.fence = true, fence
	default:
		l.Level, l.Title = parseHeading(l.Text)
		s.comment = s.opensComment(l.Text)
	}
	return l
}

// opensComment reports whether a comment begins on a line, and ends on a later one.
func (s *lineScanner) opensComment(line string) bool {
	if !Contains(line, "<!--") {
		return false
	}
	if s.lastComment == unknown {
		s.lastComment = LastIndex(s.text, "-->")
	}
	return s.at <= s.lastComment && !Contains(line[LastIndex(line, "<!--"):], "-->")
}

// cutFence splits a line that is a fence of code into the fence and the text after it. The fence of other lines is "".
func cutFence(line string) (fence, info string) {
	indent := countLeading(line, ' ')
	if line = line[indent:]; indent > 3 || line == "" || line[0] != '`' && line[0] != '~' {
		return "", ""
	}
	n := countLeading(line, line[0])
	if n < 3 || line[0] == '`' && Contains(line[n:], "`") {
		return "", ""
	}
	return line[:n], line[n:]
}

func parseHeading(line string) (level int, title string) {
	level = countLeading(line, '#')
	if level == 0 || level > 6 || level == len(line) || line[level] != ' ' && line[level] != '\t' {
		return 0, ""
	}
	title = Trim(line[level:])
	n := len(title)
	for n > 0 && title[n-1] == '#' {
		n--
	}
	if n == 0 || title[n-1] == ' ' || title[n-1] == '\t' {
		title = Trim(title[:n])
	}
	return level, title
}

// ParseItem returns the text of a list item ("- x", "* x", "+ x", "1. x") and its indentation in columns, a tab counting four.
func ParseItem(line string) (text string, indent int, ok bool) {
	blanks := indentOf(line)
	for i := range blanks {
		if indent++; line[i] == '\t' {
			indent += 3
		}
	}
	text, ok = CutMarker(line[blanks:])
	if !ok || text != "" && indentOf(text) == 0 {
		return "", 0, false
	}
	return Trim(text), indent, true
}

// CutMarker returns the text after the marker of a list item, "-", "*", "+", "1." or "1)".
func CutMarker(text string) (rest string, ok bool) {
	n := CountDigits(text)
	switch {
	case n == 0 && text != "" && (text[0] == '-' || text[0] == '*' || text[0] == '+'):
	case n > 0 && n < 10 && n < len(text) && (text[n] == '.' || text[n] == ')'):
	default:
		return "", false
	}
	return text[n+1:], true
}

// ParseCheckBox returns the text after the check box of a list item ("- [x] x"). A letter or a sign beyond ASCII checks the
// box, as hand-edited files have it ("[X]", "[√]"); other signs leave it open ("[~]" is begun, "[-]" dropped). A number, a word
// or a link in brackets is not a check box.
func ParseCheckBox(line string) (text string, checked, ok bool) {
	item, _, _ := ParseItem(line)
	if len(item) < 3 || item[0] != '[' {
		return "", false, false
	}
	mark, rest, ok := Cut(item[1:], "]")
	mark = TrimSuffix(Trim(mark), emojiStyle)
	r, size := utf8.DecodeRuneInString(mark)
	if !ok || size != len(mark) || size == 1 && (r == '[' || r == '(' || isDigit(mark[0])) || HasPrefix(rest, "(") || HasPrefix(rest, "[") {
		return "", false, false
	}
	return Trim(rest), size > 1 || size == 1 && isLetter(mark[0]), true
}

// emojiStyle follows a sign that is drawn in color ("✔️").
const emojiStyle = "\uFE0F"

// ParseField returns the name and value of a bold field, "**Goal**: x" or "**Goal:** x".
func ParseField(line string) (name, value string, ok bool) {
	line = Trim(line)
	if !HasPrefix(line, "**") {
		return "", "", false
	}
	name, rest, ok := Cut(line[2:], "**")
	if HasSuffix(name, ":") {
		name = name[:len(name)-1]
	} else if rest = rest[countLeading(rest, ' '):]; HasPrefix(rest, ":") {
		rest = rest[1:]
	} else {
		return "", "", false
	}
	if name = Trim(name); name == "" || !ok {
		return "", "", false
	}
	return name, Trim(rest), true
}

// SplitCells returns the cells of a table row ("| a | b |"), nil for other lines. In a cell "\|" represents "|".
func SplitCells(line string) (cells []string) {
	line = Trim(line)
	if len(line) < 2 || line[0] != '|' {
		return nil
	}
	var cell []byte
	for i := 1; i < len(line); i++ {
		if line[i] == '|' {
			cells, cell = append(cells, Trim(string(cell))), nil
			continue
		}
		if line[i] == '\\' && i+1 < len(line) {
			if i++; line[i] != '|' {
				cell = append(cell, '\\')
			}
		}
		cell = append(cell, line[i])
	}
	if rest := Trim(string(cell)); rest != "" {
		cells = append(cells, rest)
	}
	return cells
}

// IsTableRule reports whether a table row is the one below the head ("|---|:--:|").
func IsTableRule(cells []string) bool {
	for _, cell := range cells {
		if dashes := countParts(cell, "-"); dashes == 0 || dashes+countParts(cell, ":")+countParts(cell, " ") < len(cell) {
			return false
		}
	}
	return len(cells) > 0
}

// StripMarks returns text without the marks of bold, struck and code text: "**a** `b`" is "a b". Code keeps its characters:
// "`__init__.py`" is "__init__.py".
func StripMarks(text string) string {
	out := make([]byte, 0, len(text))
	code := false
	for i := 0; i < len(text); i++ {
		c := text[i]
		switch {
		case c == '`' && (code || Contains(text[i+1:], "`")):
			code = !code
		case c == '`':
		case !code && i+1 < len(text) && text[i+1] == c && (c == '*' || c == '_' || c == '~'):
			i++
		default:
			out = append(out, c)
		}
	}
	return Trim(string(out))
}
