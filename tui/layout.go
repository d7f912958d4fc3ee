package tui

// Laying out text by hand: width, cut, pad, wrap, boxes. It is some hundred times cheaper than doing it with styles.

import (
	"strings"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"

	"gatehouse/model/line"
)

const reset = "\x1b[m"

// ribbon is one line of the screen being written from left to right. It never gets wider than its room, and knows at
// every moment how wide it is.
type ribbon struct {
	look  *look
	buf   []byte
	width int   // columns written
	room  int   // columns there are
	under style // shines through below every other style: the selection
	on    style // what is switched on now
}

// ribbon starts a line of some columns.
func (l *look) ribbon(room int) ribbon {
	return ribbon{look: l, room: max(room, 0), buf: make([]byte, 0, room+64)}
}

// add writes a text that may come from anywhere, as foreign text, and cut where it does not fit.
func (r *ribbon) add(st style, text string) { r.addWithin(st, text, r.room-r.width) }

// addWithin is add with less room than the line has.
func (r *ribbon) addWithin(st style, text string, columns int) {
	text, w := r.look.measure(text)
	r.write(st, text, w, columns)
}

// exactly writes a text as it is, with its blanks and signs: what is ours, what the user types, the lines of a file.
func (r *ribbon) exactly(st style, text string) { r.exactlyWithin(st, text, r.room) }

// exactlyWithin is exactly with less room than the line has.
func (r *ribbon) exactlyWithin(st style, text string, columns int) {
	text, w := r.look.measureExactly(text)
	r.write(st, text, w, columns)
}

// write writes a text that is w columns wide in at most some columns.
func (r *ribbon) write(st style, text string, w, columns int) {
	columns = min(columns, r.room-r.width)
	if columns <= 0 || text == "" {
		return
	}
	if w > columns {
		tail := r.look.glyphs.ellipsis
		if utf8.RuneCountInString(tail) > columns {
			tail = ""
		}
		text = ansi.Truncate(text, columns, tail)
		w = ansi.StringWidth(text)
	}
	r.switchTo(st)
	r.buf = append(r.buf, text...)
	r.width += w
}

// sign writes one of our own glyphs, or several of one column each.
func (r *ribbon) sign(st style, glyphs string) {
	n := utf8.RuneCountInString(glyphs)
	if n == 0 || n > r.room-r.width {
		return
	}
	r.switchTo(st)
	r.buf = append(r.buf, glyphs...)
	r.width += n
}

// to leaves blanks up to a column, which is counted from 0.
func (r *ribbon) to(column int) { r.fill(" ", "", column) }

// gap leaves some blanks.
func (r *ribbon) gap(n int) { r.to(r.width + n) }

// fill repeats a glyph of ours up to a column.
func (r *ribbon) fill(glyph string, st style, column int) {
	n := min(column, r.room) - r.width
	if n <= 0 {
		return
	}
	r.switchTo(st)
	for range n {
		r.buf = append(r.buf, glyph...)
	}
	r.width += n
}

// switchTo makes a style hold for what is written next.
func (r *ribbon) switchTo(st style) {
	now := st + r.under
	if r.under != "" && r.look.theme.solid {
		now = r.under
	}
	if now == r.on {
		return
	}
	if r.on != "" {
		r.buf = append(r.buf, reset...)
	}
	r.buf = append(r.buf, now...)
	r.on = now
}

// line ends the ribbon: padded to its room, with every style switched off.
func (r *ribbon) line() string {
	r.to(r.room)
	if r.on != "" {
		r.buf = append(r.buf, reset...)
		r.on = ""
	}
	return string(r.buf)
}

// measure returns a text made safe to show among text and signs of our own, and its width in columns.
func (l *look) measure(text string) (string, int) { return l.widthOf(foreign(text)) }

// measureExactly returns a text made safe to show where only it can stand, and its width in columns.
func (l *look) measureExactly(text string) (string, int) { return l.widthOf(line.Clean(text)) }

// The joints are what we put between the parts of a text.
const (
	partJoint   = " · "
	changeJoint = " → "
)

// foreign makes a text foreign but for the joints in it: a text is put together by join and becomes, which let no part hold
// those that they put in.
func foreign(text string) string { return line.Composed(text, partJoint, changeJoint) }

// becomes says that something is different now.
func becomes(was, is string) string { return line.Foreign(was) + changeJoint + line.Foreign(is) }

// widthOf returns a clean text as it can be shown, and its width in columns.
func (l *look) widthOf(text string) (string, int) {
	plain := true
	for i := 0; i < len(text) && plain; i++ {
		plain = text[i] >= ' ' && text[i] < 0x7f
	}
	if plain {
		return text, len(text)
	}
	if l.glyphs.ascii {
		text = toASCII(text)
		return text, len(text)
	}
	text = apart.Replace(text)
	w, ok := widthOf(text)
	if !ok {
		text = undisputed(text)
		w, _ = widthOf(text)
	}
	return text, w
}

// apart writes the two letters that are one character with the letter before them in some ways of counting, and a column in
// others, as the two characters they consist of, which look the same: SARA AM of Thai ("กำ") and AM of Lao.
var apart = strings.NewReplacer("\u0E33", "\u0E4D\u0E32", "\u0EB3", "\u0ECD\u0EB2")

// widthOf returns the columns a clean text takes, and whether that is beyond dispute: by characters as people see them, by code
// points as most terminals count, by our own count, and whatever stands around it.
func widthOf(text string) (columns int, ok bool) {
	columns = ansi.StringWidth(text)
	return columns, columns == ansi.StringWidthWc(text) && columns == line.Width(text) && standsAlone(text, columns)
}

// standsAlone reports whether a text of some columns takes no other ones for what stands around it.
func standsAlone(text string, columns int) bool {
	const firstMark = 0x300 // before it no character joins another
	first, _ := utf8.DecodeRuneInString(text)
	last, _ := utf8.DecodeLastRuneInString(text)
	return first < firstMark && last < firstMark || ansi.StringWidth("x"+text+"x") == columns+2
}

// width returns the columns a text takes once it is cleaned.
func (l *look) width(text string) int {
	_, w := l.measure(text)
	return w
}

// toASCII replaces what is not ASCII, column by column as well as may be.
func toASCII(text string) string {
	return strings.Map(func(r rune) rune {
		if r >= ' ' && r < 0x7f {
			return r
		}
		return '?'
	}, asciiFor.Replace(text))
}

// undisputed replaces the characters about whose width terminals disagree (joined emoji, flags, letters with vowels beside
// them), each by a sign of one column. One of them would shift the rest of its row, borders included, in half of the terminals.
func undisputed(text string) string {
	var b strings.Builder
	for text != "" {
		cluster := firstCharacter(text)
		if _, ok := widthOf(cluster); ok {
			b.WriteString(cluster)
		} else {
			b.WriteString("▫")
		}
		text = text[len(cluster):]
	}
	return b.String()
}

// wrap breaks a text, as foreign text, into lines of at most some columns, between words where it can.
func (l *look) wrap(text string, columns int) []string {
	text, w := l.measure(text)
	return broken(text, w, columns)
}

// wrapExactly is wrap for a text that is shown as it is.
func (l *look) wrapExactly(text string, columns int) []string {
	text, w := l.measureExactly(text)
	return broken(text, w, columns)
}

// broken breaks a text that is w columns wide into lines.
func broken(text string, w, columns int) []string {
	if w <= columns {
		return []string{text}
	}
	lines := strings.Split(ansi.Wrap(text, max(columns, 1), ""), "\n")
	for i, s := range lines {
		lines[i] = strings.TrimRight(s, " ")
	}
	return lines
}

// tab is a name in the upper edge of a box.
type tab struct {
	pane     pane
	text     string
	front    bool
	typed    bool // somebody types at its end
	from, to int  // its columns in the box, set when it is drawn
}

// box draws a frame around lines that are all width-2 columns wide. There are height lines in the result: missing ones are
// left blank and those too many are left out. The tabs stand in the upper edge, the note, which is ours, in the lower.
func (l *look) box(tabs []tab, note string, lines []string, width, height int, focused bool) []string {
	g, edge := l.glyphs, l.theme.border
	if focused {
		edge = l.theme.borderFocused
	}
	out := make([]string, 0, height)
	out = append(out, l.edge(tabs, width, edge, focused))

	side := l.ribbon(1)
	side.sign(edge, g.vertical)
	wall, blank := side.line(), strings.Repeat(" ", max(width-2, 0))
	for i := range height - 2 {
		inner := blank
		if i < len(lines) {
			inner = lines[i]
		}
		out = append(out, wall+inner+wall)
	}

	bottom := l.ribbon(width)
	bottom.sign(edge, g.bottomLeft)
	_, noteWidth := l.measureExactly(note)
	if note != "" && noteWidth+5 < width {
		bottom.fill(g.horizontal, edge, width-noteWidth-4)
		bottom.add("", " ")
		bottom.exactly(l.theme.dim, note)
		bottom.add("", " ")
	}
	bottom.fill(g.horizontal, edge, width-1)
	bottom.sign(edge, g.bottomRight)
	return append(out, bottom.line())
}

// edge draws the upper edge of a box, and notes in the tabs where they stand.
func (l *look) edge(tabs []tab, width int, edge style, focused bool) string {
	g := l.glyphs
	r := l.ribbon(width)
	r.sign(edge, g.topLeft+g.horizontal)
	for i := range tabs {
		t := &tabs[i]
		heading := l.theme.dim
		switch {
		case t.front && focused:
			heading = l.theme.strong
		case t.front && len(tabs) > 1:
			heading = ""
		}
		if i > 0 {
			r.sign(edge, g.horizontal)
		}
		t.from = r.width
		r.add("", " ")
		r.addWithin(heading, t.text, width-r.width-3)
		if t.typed {
			r.sign(heading, g.cursor)
		}
		r.add("", " ")
		t.to = r.width
	}
	r.fill(g.horizontal, edge, width-1)
	r.sign(edge, g.topRight)
	return r.line()
}

// cut ends the ribbon where it was written to, without padding.
func (r *ribbon) cut() string {
	r.room = r.width
	return r.line()
}
