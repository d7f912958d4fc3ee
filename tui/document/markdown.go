package document

// Markdown as people write it into state files: headings, lists with check boxes, quotes, code, frontmatter, tags around parts. Each line
// of the file is laid out by itself; a table stays as it is written.

import (
	"strings"
	"unicode"

	"gatehouse/parse/doc"
	"gatehouse/tui/draw"
)

// markdown is a text being laid out.
type markdown struct {
	look  *draw.Look
	width int
	rows  []Row
	fence string // that ends the current block of code
	front bool   // the current line belongs to the fields before the document
}

// Markdown lays a text out as Markdown.
func Markdown(l *draw.Look, text string, width int) []Row {
	m := &markdown{look: l, width: max(width, 8), front: hasFrontmatter(text)}
	number := 0
	for s := range splitLines(text) {
		if len(m.rows) >= rowsLimit {
			return append(m.rows[:rowsLimit:rowsLimit], Row{Spans: []Span{{Text: leftOut, Role: Quiet}}})
		}
		number++
		switch {
		case m.front:
			m.addField(number, s)
		case m.fence != "":
			m.addCode(number, s)
		default:
			m.addBlock(number, s)
		}
	}
	return m.rows
}

// hasFrontmatter reports whether a text begins with fields between two lines of dashes.
func hasFrontmatter(text string) bool {
	isFirst := true
	for s := range splitLines(text) {
		isRule := strings.TrimRight(s, " ") == "---"
		if isFirst && !isRule {
			return false
		}
		if !isFirst && isRule {
			return true
		}
		isFirst = false
	}
	return false
}

// addLine adds a line of the file as rows: our signs before it, spans broken to fit, and before each further row
// as many blanks as there were signs, or the rail that they end with.
func (m *markdown) addLine(number int, before []Span, rail string, spans []Span) {
	indent := 0
	for _, s := range before {
		indent += m.look.Width(s.Text)
	}
	if indent > m.width/2 {
		before, rail, indent = nil, "", 0
	}
	for i, part := range breakSpans(m.look, spans, m.width-indent) {
		row := Row{Line: number}
		if i == 0 {
			row.Spans = append(row.Spans, before...)
		} else {
			row.Line = 0
			pad := strings.Repeat(" ", max(indent-m.look.Width(rail), 0)) + rail
			row.Spans = append(row.Spans, Span{Text: pad, Role: Quiet})
		}
		row.Spans = append(row.Spans, part...)
		m.rows = append(m.rows, row)
	}
}

// addExact adds a line unchanged, in one role, after a rail.
func (m *markdown) addExact(number int, rail, text string, role Role) {
	var signs []Span
	if rail != "" {
		signs = []Span{{Text: rail, Role: Quiet}}
	}
	m.addLine(number, signs, rail, []Span{{Text: cleanText(m.look, text), Role: role}})
}

func (m *markdown) addRule(number int) {
	rule := strings.Repeat(m.look.Glyphs.Horizontal, min(m.width, 40))
	m.rows = append(m.rows, Row{Line: number, Spans: []Span{{Text: rule, Role: Quiet}}})
}

// addField adds a line of the frontmatter, keys and values in different styles.
func (m *markdown) addField(number int, s string) {
	if strings.TrimRight(s, " ") == "---" {
		m.front = number == 1
		m.addRule(number)
		return
	}
	key, value, ok := strings.Cut(s, ":")
	if !ok || strings.ContainsAny(key, `"'#`) {
		m.addExact(number, "", s, Plain)
		return
	}
	m.addLine(number, nil, "", []Span{{Text: cleanText(m.look, key+":"), Role: Quiet}, {Text: cleanText(m.look, value)}})
}

// addBlock adds a line outside of frontmatter and code.
func (m *markdown) addBlock(number int, s string) {
	text := strings.TrimLeft(s, " ")
	level := len(text) - len(strings.TrimLeft(text, "#"))
	switch fence := fenceOf(text); {
	case text == "":
		m.rows = append(m.rows, Row{Line: number, Spans: []Span{{Text: ""}}})
	case fence != "":
		m.fence = fence
		m.addExact(number, m.rail(), strings.TrimSpace(strings.TrimLeft(text, fence[:1])), Quiet)
	case level > 0 && level <= 6 && (level == len(text) || text[level] == ' '):
		m.addHeading(number, level, strings.TrimSpace(text[level:]))
	case isRule(text):
		m.addRule(number)
	case strings.HasPrefix(text, "<!--"), isTag(text):
		m.addExact(number, "", s, Quiet)
	case text[0] == '|':
		m.addExact(number, "", s, Plain)
	default:
		m.addText(number, len(s)-len(text), text)
	}
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

// rail is the sign before a line of code or of a quote.
func (m *markdown) rail() string { return m.look.Glyphs.GoesOn + " " }

// fenceOf returns the fence that begins a block of code, "" for other lines.
func fenceOf(text string) string {
	for _, c := range []string{"`", "~"} {
		if n := len(text) - len(strings.TrimLeft(text, c)); n >= 3 && (c == "~" || !strings.Contains(text[n:], "`")) {
			return text[:n]
		}
	}
	return ""
}

// addCode adds a line of a block of code after a rail, or the line that ends the block.
func (m *markdown) addCode(number int, s string) {
	text := strings.TrimSpace(s)
	if strings.HasPrefix(text, m.fence) && strings.Trim(text, m.fence[:1]) == "" {
		m.fence = ""
		m.addExact(number, m.rail(), "", Quiet)
		return
	}
	m.addExact(number, m.rail(), s, Code)
}

// addText adds a line of text, of a list or of a quote.
func (m *markdown) addText(number, indent int, text string) {
	var before []Span
	rail := ""
	if indent > 0 {
		before = append(before, Span{Text: strings.Repeat(" ", min(indent, m.width/3))})
	}
	for depth := 0; strings.HasPrefix(text, ">") && depth < 8; depth++ {
		rail = m.rail()
		before = append(before, Span{Text: rail, Role: Quiet})
		text = strings.TrimPrefix(text[1:], " ")
	}
	if rest, _, isItem := doc.ParseItem(text); isItem {
		mark, _, _ := strings.Cut(text, " ")
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
	m.addLine(number, before, rail, parseInline(m.look, text))
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

// isRule reports whether a line is a rule across the page.
func isRule(text string) bool {
	bare := strings.ReplaceAll(text, " ", "")
	return len(bare) >= 3 && strings.ContainsRune("-*_", rune(bare[0])) && strings.Trim(bare, bare[:1]) == ""
}

// isTag reports whether a line is only a tag: "<objective>".
func isTag(text string) bool {
	text = strings.TrimRight(text, " ")
	return len(text) > 2 && text[0] == '<' && text[len(text)-1] == '>' && strings.Count(text, "<") == 1 &&
		(text[1] == '/' || unicode.IsLetter(rune(text[1]))) && !strings.Contains(text, "://")
}

// cleanText returns a text in displayable form.
func cleanText(l *draw.Look, text string) string {
	text, _ = l.MeasureExactly(text)
	return text
}
