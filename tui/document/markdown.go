package document

// Markdown as people write it into state files: headings, lists with check boxes, quotes, tables, code, frontmatter, tags around
// parts. One pass over the lines, without nesting: a block inside a tag or a quote is drawn like any other.
//
// A paragraph keeps its lines, unless an editor broke one at its edge: "Status: done" below "Phase: 3" are two facts, although CommonMark
// joins them.

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"gatehouse/parse/doc"
	"gatehouse/tui/draw"
)

// brokenFrom is the minimum width of a line that an editor may have broken.
const brokenFrom = 60

// markdown is a text being laid out.
type markdown struct {
	look  *draw.Look
	width int
	rows  []Row
	lines []string // from the current line up to the furthest line that was read ahead
}

// Markdown lays a text out as Markdown.
func Markdown(l *draw.Look, text string, width int) []Row {
	m := &markdown{look: l, width: max(width, 8)}
	for s := range splitLines(text) {
		m.lines = append(m.lines, s)
		if len(m.lines) > rowsLimit {
			break
		}
	}
	number, front := 1, len(m.lines) > 1 && strings.TrimRight(m.lines[0], " ") == "---"
	for len(m.lines) > 0 {
		if len(m.rows) >= rowsLimit {
			return append(m.rows[:rowsLimit:rowsLimit], Row{Spans: []Span{{Text: leftOut, Role: Quiet}}})
		}
		var used int
		switch {
		case front:
			used, front = m.addFrontmatter(number), false
		default:
			used = m.addBlock(number)
		}
		number += used
		m.lines = m.lines[used:]
	}
	return m.rows
}

// addLine adds a line of the file as rows: our signs before it, spans broken to fit, and before each further row
// as many blanks as there were signs, or the rail that they end with.
func (m *markdown) addLine(number int, before []Span, after string, spans []Span) {
	indent := 0
	for _, s := range before {
		indent += m.look.Width(s.Text)
	}
	if indent > m.width/2 {
		before, after, indent = nil, "", 0
	}
	for i, part := range breakSpans(m.look, spans, m.width-indent) {
		row := Row{Line: number}
		if i == 0 {
			row.Spans = append(row.Spans, before...)
		} else {
			row.Line = 0
			if indent > 0 {
				pad := strings.Repeat(" ", max(indent-m.look.Width(after), 0)) + after
				row.Spans = append(row.Spans, Span{Text: pad, Role: Quiet})
			}
		}
		row.Spans = append(row.Spans, part...)
		m.rows = append(m.rows, row)
	}
}

// addExact adds a line unchanged, in one role.
func (m *markdown) addExact(number int, before, text string, role Role) {
	var signs []Span
	if before != "" {
		signs = []Span{{Text: before, Role: Quiet}}
	}
	m.addLine(number, signs, before, []Span{{Text: cleanText(m.look, text), Role: role}})
}

// addFrontmatter draws the fields before a document, keys and values in different styles.
func (m *markdown) addFrontmatter(number int) (used int) {
	end := 0
	for i, s := range m.lines[1:] {
		if strings.TrimRight(s, " ") == "---" {
			end = i + 1
			break
		}
	}
	if end == 0 {
		return m.addBlock(number)
	}
	for i, s := range m.lines[:end+1] {
		key, value, ok := strings.Cut(s, ":")
		switch {
		case i == 0 || i == end:
			m.addRule(number + i)
		case ok && !strings.ContainsAny(key, `"'#`):
			m.addLine(number+i, nil, "", []Span{{Text: cleanText(m.look, key+":"), Role: Quiet}, {Text: cleanText(m.look, value)}})
		default:
			m.addExact(number+i, "", s, Plain)
		}
	}
	return end + 1
}

func (m *markdown) addRule(number int) {
	m.rows = append(m.rows, Row{Line: number, Spans: []Span{{Text: strings.Repeat(m.look.Glyphs.Horizontal, min(m.width, 40)), Role: Quiet}}})
}

// addBlock draws the block that begins with the current line, and returns its number of lines.
func (m *markdown) addBlock(number int) (used int) {
	s := m.lines[0]
	text := strings.TrimLeft(s, " ")
	indent := len(s) - len(text)
	switch {
	case text == "":
		m.rows = append(m.rows, Row{Line: number, Spans: []Span{{Text: ""}}})
		return 1
	case fenceOf(text) != "":
		return m.addCode(number, fenceOf(text))
	case strings.HasPrefix(text, "#"):
		if level := len(text) - len(strings.TrimLeft(text, "#")); level <= 6 && (level == len(text) || text[level] == ' ') {
			m.addHeading(number, level, strings.TrimSpace(text[level:]))
			return 1
		}
	case isRule(text):
		m.addRule(number)
		return 1
	case m.isTable():
		return m.addTable(number)
	case strings.HasPrefix(text, "<!--"), isTag(text):
		m.addExact(number, "", s, Quiet)
		return 1
	}
	if len(m.lines) > 1 && isUnderline(m.lines[1]) && indent < 4 && !isItem(text) && !strings.HasPrefix(text, ">") {
		level := 1
		if m.lines[1][0] == '-' {
			level = 2
		}
		m.addHeading(number, level, strings.TrimSpace(text))
		return 2
	}
	return m.addParagraph(number, indent, text)
}

func (m *markdown) addHeading(number, level int, text string) {
	role := Heading
	if level > 2 {
		role = Strong
	}
	spans := parseInline(m.look, strings.TrimRight(strings.TrimRight(text, "#"), " "))
	for i := range spans {
		if spans[i].Role == Plain {
			spans[i].Role = role
		}
	}
	m.addLine(number, nil, "", spans)
}

// fenceOf returns the fence that begins a block of code, "" for other lines.
func fenceOf(text string) string {
	for _, c := range []string{"`", "~"} {
		if n := len(text) - len(strings.TrimLeft(text, c)); n >= 3 && (c == "~" || !strings.Contains(text[n:], "`")) {
			return text[:n]
		}
	}
	return ""
}

// addCode draws a block of code after a rail, without its fences except for the language.
func (m *markdown) addCode(number int, fence string) (used int) {
	rail := m.look.Glyphs.GoesOn + " "
	language := strings.TrimSpace(strings.TrimLeft(strings.TrimLeft(m.lines[0], " "), fence[:1]))
	m.addExact(number, rail, language, Quiet)
	for i, s := range m.lines[1:] {
		text := strings.TrimSpace(s)
		if strings.HasPrefix(text, fence) && strings.Trim(text, fence[:1]) == "" {
			m.addExact(number+1+i, rail, "", Quiet)
			return i + 2
		}
		m.addExact(number+1+i, rail, s, Code)
	}
	return len(m.lines)
}

// addParagraph draws a line of text or of a list or quote, with its continuation lines.
func (m *markdown) addParagraph(number, indent int, text string) (used int) {
	var before []Span
	rail := ""
	if indent > 0 {
		before = append(before, Span{Text: strings.Repeat(" ", min(indent, m.width/3))})
	}
	for depth := 0; strings.HasPrefix(text, ">") && depth < 8; depth++ {
		rail = m.look.Glyphs.GoesOn + " "
		before = append(before, Span{Text: rail, Role: Quiet})
		text = strings.TrimPrefix(text[1:], " ")
	}
	if mark, rest := itemOf(text); mark != "" {
		sign := Span{Text: m.look.Glyphs.Bullet + " ", Role: Quiet}
		if len(mark) > 1 {
			sign.Text = cleanText(m.look, mark) + " "
		}
		if body, isChecked, ok := doc.ParseCheckBox(text); ok {
			box, _, _ := strings.Cut(rest, "]")
			sign, rest = m.checkBox(box+"]", isChecked), body
		}
		before = append(before, sign)
		text, rail = rest, ""
	}
	used = 1
	for last := m.lines[0]; used < len(m.lines) && utf8.RuneCountInString(last) >= brokenFrom && m.goesOn(used); used++ {
		last = m.lines[used]
		text += " " + strings.TrimSpace(last)
		if len(text) > 2*lineLimit {
			used++
			break
		}
	}
	m.addLine(number, before, rail, parseInline(m.look, text))
	return used
}

// checkBox draws a check box.
func (m *markdown) checkBox(box string, isChecked bool) Span {
	switch {
	case isChecked:
		return Span{Text: "[x] ", Role: Done}
	case strings.Trim(box, "[ ]") == "":
		return Span{Text: "[ ] ", Role: Quiet}
	}
	return Span{Text: cleanText(m.look, box) + " ", Role: Strong}
}

// goesOn reports whether a line continues a broken line above it.
func (m *markdown) goesOn(i int) bool {
	text := strings.TrimLeft(m.lines[i], " ")
	if text == "" || strings.ContainsRune("#>|<", rune(text[0])) || isItem(text) || fenceOf(text) != "" || isRule(text) || strings.HasPrefix(text, "**") {
		return false
	}
	if i+1 < len(m.lines) && isUnderline(m.lines[i+1]) {
		return false
	}
	word, _, field := strings.Cut(text, ":")
	return !field || strings.ContainsAny(word, " `")
}

// itemOf returns the mark of a list item, such as "-" or "12.", and its text; "" for other lines.
func itemOf(text string) (mark, rest string) {
	rest, _, isItem := doc.ParseItem(text)
	if isItem {
		mark, _, _ = strings.Cut(text, " ")
	}
	return mark, rest
}

// isItem reports whether a line begins an item of a list.
func isItem(text string) bool {
	mark, _ := itemOf(text)
	return mark != ""
}

// isRule reports whether a line is a rule across the page.
func isRule(text string) bool {
	bare := strings.ReplaceAll(text, " ", "")
	return len(bare) >= 3 && strings.ContainsRune("-*_", rune(bare[0])) && strings.Trim(bare, bare[:1]) == ""
}

// isUnderline reports whether a line turns the one above it into a heading.
func isUnderline(s string) bool {
	s = strings.TrimRight(s, " ")
	return len(s) >= 3 && (s[0] == '=' || s[0] == '-') && strings.Trim(s, s[:1]) == ""
}

// isTag reports whether a line is only a tag: "<objective>".
func isTag(text string) bool {
	text = strings.TrimRight(text, " ")
	return len(text) > 2 && text[0] == '<' && text[len(text)-1] == '>' && strings.Count(text, "<") == 1 &&
		(text[1] == '/' || unicode.IsLetter(rune(text[1]))) && !strings.Contains(text, "://")
}
