package input

// A text being typed: one line or several, with a cursor that moves by whole characters. Pasted text is cleaned
// immediately, so that a text never contains characters that can't be shown.

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"gatehouse/model/line"
	"gatehouse/tui/draw"
)

// TextLimit is the maximum length of a reason or a request, in characters.
const TextLimit = 4000

// Editor is a text with a cursor.
type Editor struct {
	text   string
	cursor int  // offset in bytes, always at the beginning of a character
	Many   bool // more than one line
	Full   bool // a part was dropped because the text is too long
	Rows   []span
}

// span is a row of the text on the screen: its bytes from one offset to another.
type span struct{ from, to int }

// Set replaces the text and moves the cursor to its end.
func (e *Editor) Set(text string) {
	e.text, e.cursor, e.Full = "", 0, false
	e.insertText(text)
}

// Value returns the text without blanks around it.
func (e *Editor) Value() string { return strings.TrimSpace(e.text) }

// Press handles a key.
func (e *Editor) Press(k Stroke) {
	switch k.Name {
	case "left", "ctrl+b":
		e.cursor -= len(lastCharacter(e.text[:e.cursor]))
	case "right", "ctrl+f":
		e.cursor += len(draw.FirstCharacter(e.text[e.cursor:]))
	case "home", "ctrl+a":
		e.cursor = e.lineStart()
	case "end", "ctrl+e":
		rest, _, _ := strings.Cut(e.text[e.cursor:], "\n")
		e.cursor += len(rest)
	case "up", "ctrl+p":
		e.moveRows(-1)
	case "down", "ctrl+n":
		e.moveRows(1)
	case "backspace", "ctrl+h":
		e.cutText(e.cursor-len(lastCharacter(e.text[:e.cursor])), e.cursor)
	case "delete", "ctrl+d":
		e.cutText(e.cursor, e.cursor+len(draw.FirstCharacter(e.text[e.cursor:])))
	case "ctrl+w", "alt+backspace":
		before := strings.TrimRightFunc(e.text[:e.cursor], unicode.IsSpace)
		e.cutText(strings.LastIndexFunc(before, unicode.IsSpace)+1, e.cursor)
	case "ctrl+u":
		e.cutText(e.lineStart(), e.cursor)
	case "ctrl+j", "alt+enter", "shift+enter":
		if e.Many {
			e.insertText("\n")
		}
	default:
		if k.Text != "" {
			e.insertText(k.Text)
		}
	}
}

// insertText inserts a text at the cursor, up to the limit.
func (e *Editor) insertText(text string) {
	text = e.cleanText(text)
	room := TextLimit - utf8.RuneCountInString(e.text)
	e.Full = utf8.RuneCountInString(text) > room
	if e.Full {
		text = string([]rune(text)[:max(room, 0)])
	}
	e.text = e.text[:e.cursor] + text + e.text[e.cursor:]
	e.cursor += len(text)
}

// cleanText removes characters that cannot be shown. Line ends stay if several lines are allowed.
func (e *Editor) cleanText(text string) string {
	text = strings.ReplaceAll(strings.ReplaceAll(text, "\r\n", "\n"), "\r", "\n")
	if !e.Many {
		return line.Clean(strings.ReplaceAll(text, "\n", " "))
	}
	lines := strings.Split(text, "\n")
	for i := range lines {
		lines[i] = line.Clean(strings.ReplaceAll(lines[i], "\t", "    "))
	}
	return strings.Join(lines, "\n")
}

func (e *Editor) cutText(from, to int) {
	e.text = e.text[:from] + e.text[to:]
	e.cursor, e.Full = from, false
}

// lastCharacter returns the last character. Characters are found from the front, in the last line only.
func lastCharacter(text string) string {
	if strings.HasSuffix(text, "\n") {
		return "\n"
	}
	rest := text[strings.LastIndexByte(text, '\n')+1:]
	last := ""
	for rest != "" {
		last = draw.FirstCharacter(rest)
		rest = rest[len(last):]
	}
	return last
}

func (e *Editor) lineStart() int { return strings.LastIndexByte(e.text[:e.cursor], '\n') + 1 }

// moveRows moves the cursor some rows down, or up, in the last layout.
func (e *Editor) moveRows(by int) {
	i := e.cursorRow()
	if i+by < 0 || i+by >= len(e.Rows) {
		return
	}
	column := utf8.RuneCountInString(e.text[e.Rows[i].from:e.cursor])
	to := e.Rows[i+by]
	at := to.from
	for ; column > 0 && at < to.to; column-- {
		at += len(draw.FirstCharacter(e.text[at:to.to]))
	}
	e.cursor = at
}

// cursorRow returns the number of the cursor's row.
func (e *Editor) cursorRow() int {
	for i := len(e.Rows) - 1; i > 0; i-- {
		if e.Rows[i].from <= e.cursor {
			return i
		}
	}
	return 0
}

// Lay breaks the text into rows of limited width, between words if possible.
func (e *Editor) Lay(l *draw.Look, columns int) {
	e.Rows = e.Rows[:0]
	columns = max(columns, 2) // the widest character
	from := 0
	for s := range strings.SplitAfterSeq(e.text, "\n") {
		e.layLine(l, from, from+len(strings.TrimSuffix(s, "\n")), columns)
		from += len(s)
	}
}

func (e *Editor) layLine(l *draw.Look, from, to, columns int) {
	start, width, blank := from, 0, -1
	for at := from; at < to; {
		c := draw.FirstCharacter(e.text[at:to])
		_, w := l.MeasureExactly(c)
		if width+w > columns {
			end := at
			if blank > start {
				end = blank
			}
			e.Rows = append(e.Rows, span{start, end})
			start, blank = end, -1
			_, width = l.MeasureExactly(e.text[start:at])
		}
		at += len(c)
		width += w
		if c == " " {
			blank = at
		}
	}
	e.Rows = append(e.Rows, span{start, to})
}

// Draw returns the rows around the cursor, as many as fit, each padded to the width.
func (e *Editor) Draw(l *draw.Look, width, height int) []string {
	e.Lay(l, width-1) // one column is the cursor's
	here := e.cursorRow()
	top := max(0, min(here-height+1, len(e.Rows)-height))
	lines := make([]string, 0, height)
	for i := top; i < len(e.Rows) && len(lines) < height; i++ {
		r := l.Ribbon(width)
		row := e.Rows[i]
		if i == here {
			r.Exactly("", e.text[row.from:e.cursor])
			r.Sign(l.Theme.Accent, l.Glyphs.Cursor)
			r.Exactly("", e.text[e.cursor:row.to])
		} else {
			r.Exactly("", e.text[row.from:row.to])
		}
		lines = append(lines, r.Line())
	}
	return draw.Filled(lines, width, height)
}
