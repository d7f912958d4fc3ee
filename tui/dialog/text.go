package dialog

// The text below the page of a dialog, which may be a megabyte: a plan, a call, a document, the end of a log. It is broken into lines once,
// and drawn line by line as it comes into view. Each foreign line has a rail before it: none passes for one of ours.

import (
	"slices"
	"strings"
	"unicode"

	"gatehouse/model/line"
	"gatehouse/tui/document"
	"gatehouse/tui/draw"
)

// markdownLimit is the longest text that is drawn as Markdown, in bytes. A longer one is read in an editor, if at all.
const markdownLimit = 64 << 10

// Text is a text, line by line.
type Text struct {
	width int
	lines []textLine
}

// NewText returns an empty text of some columns.
func NewText(width int) *Text { return &Text{width: width} }

// textLine is a line. There may be half a million of them.
type textLine struct {
	text    string
	style   draw.Style
	foreign bool
	row     *document.Row // of a document
}

// Len implements [draw.Rest].
func (b *Text) Len() int { return len(b.lines) }

// Line implements [draw.Rest].
func (b *Text) Line(l *draw.Look, i int) string {
	r, at := l.Ribbon(b.width), &b.lines[i]
	if at.foreign {
		r.Sign(l.Theme.Dim, l.Glyphs.GoesOn)
		r.To(2)
	}
	if at.row != nil {
		at.row.Draw(&r)
	} else {
		r.Exactly(at.style, at.text)
	}
	return r.Line()
}

// Say adds our own words below an empty line.
func (b *Text) Say(st draw.Style, text string) {
	b.lines = append(b.lines, textLine{}, textLine{text: text, style: st})
}

// Quote adds a foreign text unchanged, line by line.
func (b *Text) Quote(l *draw.Look, text string) {
	b.quote(l, text, func(string) draw.Style { return "" })
}

// Document adds the text of a file.
func (b *Text) Document(l *draw.Look, file, text string) {
	if !document.IsMarkdown(file) || !b.addMarkdown(l, text, false) {
		b.addRows(document.Raw(l, text, b.width-2))
	}
}

func (b *Text) addRows(rows []document.Row) {
	for i := range rows {
		b.lines = append(b.lines, textLine{row: &rows[i], foreign: true})
	}
}

// addMarkdown lays a text out as Markdown, unless it is too long, or would hide anything and always is not set.
func (b *Text) addMarkdown(l *draw.Look, text string, always bool) bool {
	if len(text) > markdownLimit {
		return false
	}
	rows := document.Markdown(l, text, b.width-2)
	if !always && !showsAll(l, text, rows) {
		return false
	}
	b.addRows(rows)
	return true
}

// quote adds a foreign text, line by line; of gives the style of each line.
func (b *Text) quote(l *draw.Look, text string, of func(s string) draw.Style) {
	text = strings.TrimRight(text, "\n")
	b.lines = slices.Grow(b.lines, strings.Count(text, "\n")+1)
	for s := range strings.SplitSeq(text, "\n") {
		st := of(s)
		for _, part := range breakBody(l, line.ForeignBody(s), b.width-2) {
			b.lines = append(b.lines, textLine{text: part, style: st, foreign: true})
		}
	}
}

// Diff adds a unified diff. Each row of a broken line has the sign of the line, so that no part of it passes for a line of another kind.
func (b *Text) Diff(l *draw.Look, diff string) {
	diff = strings.TrimRight(diff, "\n")
	b.lines = slices.Grow(b.lines, strings.Count(diff, "\n")+1)
	inHeader := true
	for s := range strings.SplitSeq(diff, "\n") {
		st, sign, next := draw.Style(""), "", " "
		inHeader = inHeader && !strings.HasPrefix(s, "@@") || strings.HasPrefix(s, "diff ")
		switch {
		case inHeader && (strings.HasPrefix(s, "diff ") || strings.HasPrefix(s, "--- ") || strings.HasPrefix(s, "+++ ")):
			st = l.Theme.Strong
		case strings.HasPrefix(s, "+"):
			st, sign, next = l.Theme.OK, "+", "+"
		case strings.HasPrefix(s, "-"):
			st, sign, next = l.Theme.Block, "-", "-"
		case strings.HasPrefix(s, " "):
			sign = " "
		case strings.HasPrefix(s, "@@"), strings.HasPrefix(s, "\\"):
			st = l.Theme.Dim
		}
		for _, part := range breakBody(l, line.ForeignBody(s[len(sign):]), b.width-3) {
			b.lines = append(b.lines, textLine{text: sign + part, style: st, foreign: true})
			sign = next
		}
	}
}

// breakBody breaks a line and keeps all its blanks: at words below its indentation, or anywhere if it has runs of blanks, which could push a
// text out of sight.
func breakBody(l *draw.Look, s string, columns int) []string {
	if len(s) <= columns {
		return []string{s}
	}
	text := strings.TrimLeft(s, " ")
	indent := s[:len(s)-len(text)]
	if len(indent) > columns/2 || strings.Contains(text, "  ") {
		return l.HardWrapExactly(s, columns)
	}
	parts := l.WrapExactly(text, columns-len(indent))
	for i := range parts {
		parts[i] = indent + parts[i]
	}
	return parts
}

// Plan adds a plan or the last words of an agent, or says that there are none: as Markdown, else as written, with its headings and code
// set apart. If always is not set, Markdown that would hide anything is shown as written.
func (b *Text) Plan(l *draw.Look, plan, none string, always bool) {
	if strings.TrimSpace(plan) == "" {
		b.Say(l.Theme.Wait, none)
		return
	}
	b.lines = append(b.lines, textLine{})
	if b.addMarkdown(l, strings.TrimRight(plan, "\n"), always) {
		return
	}
	code := false
	b.quote(l, plan, func(s string) draw.Style {
		switch {
		case strings.HasPrefix(strings.TrimSpace(s), "```"):
			code = !code
			return l.Theme.Dim
		case code:
			return l.Theme.Dim
		case strings.HasPrefix(s, "#"):
			return l.Theme.Strong
		}
		return ""
	})
}

// showsAll reports whether rendered Markdown shows the whole text: an address behind a link, a comment, or a star that a shell would expand
// must not be hidden from the user who approves it. Marks of headings, lists, tables, code and strong words may go.
func showsAll(l *draw.Look, text string, rows []document.Row) bool {
	var shown strings.Builder
	for _, r := range rows {
		for _, s := range r.Spans {
			if s.Role != document.Quiet || strings.TrimSpace(s.Text) != l.Glyphs.Bullet {
				shown.WriteString(s.Text)
			}
		}
		shown.WriteByte('\n')
	}
	var written strings.Builder
	for s := range strings.SplitSeq(text, "\n") {
		bare := strings.TrimLeft(s, " >")
		if len(bare) > 1 && (bare[0] == '*' || bare[0] == '+') && bare[1] == ' ' {
			bare = bare[1:]
		}
		written.WriteString(strings.NewReplacer("**", "", "__", "").Replace(line.Clean(bare)))
	}
	return tellingParts(written.String()) == tellingParts(shown.String())
}

// tellingParts returns the parts of a text that can make a difference: letters, digits, and the signs that shells and programs interpret.
func tellingParts(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) || strings.ContainsRune("$&;*_/?!(){}\\'\"%@~<", r) {
			return r
		}
		return -1
	}, text)
}
