package draw

// Laying out text without Lip Gloss: width, cut, pad, wrap. It is some hundred times cheaper than with styles.

import (
	"strings"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"

	"gatehouse/model/line"
)

const reset = "\x1b[m"

// Ribbon is one line of the screen being written from left to right. It never gets wider than its room, and always knows
// its width.
type Ribbon struct {
	Look  *Look
	buf   []byte
	Width int   // columns written
	Room  int   // columns there are
	Under Style // shines through below every other style: the selection
	on    Style // the style that is switched on now
}

// Ribbon starts a line of some columns.
func (l *Look) Ribbon(room int) Ribbon {
	return Ribbon{Look: l, Room: max(room, 0), buf: make([]byte, 0, room+64)}
}

// Add writes text from any source, as foreign text, and cuts it to the room.
func (r *Ribbon) Add(st Style, text string) { r.AddWithin(st, text, r.Room-r.Width) }

// AddWithin is Add with less room than the line has.
func (r *Ribbon) AddWithin(st Style, text string, columns int) {
	text, w := r.Look.Measure(text)
	r.write(st, text, w, columns)
}

// Exactly writes a text unchanged, with its blanks and signs: our own text, the user's text, the lines of a file.
func (r *Ribbon) Exactly(st Style, text string) { r.ExactlyWithin(st, text, r.Room) }

// ExactlyWithin is Exactly with less room than the line has.
func (r *Ribbon) ExactlyWithin(st Style, text string, columns int) {
	text, w := r.Look.MeasureExactly(text)
	r.write(st, text, w, columns)
}

// write writes a text that is w columns wide in at most some columns.
func (r *Ribbon) write(st Style, text string, w, columns int) {
	columns = min(columns, r.Room-r.Width)
	if columns <= 0 || text == "" {
		return
	}
	if w > columns {
		tail := r.Look.Glyphs.Ellipsis
		if utf8.RuneCountInString(tail) > columns {
			tail = ""
		}
		text = ansi.Truncate(text, columns, tail)
		w = ansi.StringWidth(text)
	}
	r.switchTo(st)
	r.buf = append(r.buf, text...)
	r.Width += w
}

// Sign writes one of our own glyphs, or several of one column each.
func (r *Ribbon) Sign(st Style, glyphs string) {
	n := utf8.RuneCountInString(glyphs)
	if n == 0 || n > r.Room-r.Width {
		return
	}
	r.switchTo(st)
	r.buf = append(r.buf, glyphs...)
	r.Width += n
}

// To leaves blanks up to a column, which is counted from 0.
func (r *Ribbon) To(column int) { r.Fill(" ", "", column) }

// Gap leaves some blanks.
func (r *Ribbon) Gap(n int) { r.To(r.Width + n) }

// Fill repeats one of our glyphs up to a column.
func (r *Ribbon) Fill(glyph string, st Style, column int) {
	n := min(column, r.Room) - r.Width
	if n <= 0 {
		return
	}
	r.switchTo(st)
	for range n {
		r.buf = append(r.buf, glyph...)
	}
	r.Width += n
}

// Select marks the row as the selected one: a sign at its beginning, and a bar under all that follows. Without the focus the row is only
// bold: the bar marks the pane that has the keys.
func (r *Ribbon) Select(focused bool) {
	th := r.Look.Theme
	mark, under := th.Dim, th.Strong
	if focused {
		mark, under = th.Pointer, th.Selected
	}
	r.Sign(mark, r.Look.Glyphs.Marker)
	r.Under = under
}

// Selected returns a drawn row as [Ribbon.Select] would draw it.
func (l *Look) Selected(drawn string, focused bool) string {
	r := l.Ribbon(ansi.StringWidth(drawn) + 1)
	r.Select(focused)
	r.switchTo("")
	if l.Theme.solid {
		drawn = ansi.Strip(drawn)
	} else {
		drawn = strings.ReplaceAll(drawn, reset, reset+string(r.Under))
	}
	r.buf = append(r.buf, drawn...)
	return string(append(r.buf, reset...))
}

// switchTo sets the style for the following text.
func (r *Ribbon) switchTo(st Style) {
	now := st + r.Under
	if r.Under != "" && (r.Look.Theme.solid || st == r.Look.Theme.Dim) { // faint text can't be read on a bar
		now = r.Under
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

// Line ends the ribbon: padded to its room, with every style switched off.
func (r *Ribbon) Line() string {
	r.To(r.Room)
	if r.on != "" {
		r.buf = append(r.buf, reset...)
		r.on = ""
	}
	return string(r.buf)
}

// Measure returns a text that is safe to show among our own text and signs, and its width in columns.
func (l *Look) Measure(text string) (string, int) { return l.widthOf(Foreign(text)) }

// MeasureExactly returns a text that is safe to show alone, and its width in columns.
func (l *Look) MeasureExactly(text string) (string, int) { return l.widthOf(line.Clean(Plain(text))) }

// The joints are the separators between the parts of a text. Each begins with a character that no text from a file has, because
// cleaning removes it: so a file's text can't pass for a joint.
const (
	mark        = "\x1f"
	PartJoint   = mark + " · "
	ChangeJoint = mark + " → "
)

// Foreign marks a text as foreign except for the joints in it.
func Foreign(text string) string { return Plain(line.Composed(text, PartJoint, ChangeJoint)) }

// Plain returns a text with its joints as they are displayed, for text that is not drawn.
func Plain(text string) string { return strings.ReplaceAll(text, mark, "") }

// Becomes joins an old and a new value.
func Becomes(was, is string) string { return line.Foreign(was) + ChangeJoint + line.Foreign(is) }

// Changed is Becomes for values that the model has in one text, such as "pending → passed": of several arrows the last is ours.
func Changed(change string) string {
	if i := strings.LastIndex(change, " → "); i >= 0 {
		return Becomes(change[:i], change[i+len(" → "):])
	}
	return change
}

// widthOf returns a clean text in displayable form, and its width in columns.
func (l *Look) widthOf(text string) (string, int) {
	plain := true
	for i := 0; i < len(text) && plain; i++ {
		plain = text[i] >= ' ' && text[i] < 0x7f
	}
	if plain {
		return text, len(text)
	}
	if l.Glyphs.ascii {
		text = toASCII(text)
		return text, len(text)
	}
	text = apart.Replace(text)
	w, ok := widthOf(text)
	if !ok {
		text = replaceDisputed(text)
		w, _ = widthOf(text)
	}
	return text, w
}

// apart splits the two letters that some ways of counting treat as one character with the letter before them and others as a column of
// their own into the two characters they consist of, which look the same: SARA AM of Thai ("กำ") and AM of Lao.
var apart = strings.NewReplacer("\u0E33", "\u0E4D\u0E32", "\u0EB3", "\u0ECD\u0EB2")

// widthOf returns the width of a clean text in columns, and whether that is undisputed: by characters as people see them, by code
// points as most terminals count, by our own count, and whatever is next to it.
func widthOf(text string) (columns int, ok bool) {
	columns = ansi.StringWidth(text)
	return columns, columns == ansi.StringWidthWc(text) && columns == line.Width(text) && !line.Disputed(text) && standsAlone(text, columns)
}

// standsAlone reports whether a text of some columns has the same width whatever is next to it.
func standsAlone(text string, columns int) bool {
	const firstMark = 0x300 // before it no character joins another
	first, _ := utf8.DecodeRuneInString(text)
	last, _ := utf8.DecodeLastRuneInString(text)
	return first < firstMark && last < firstMark || ansi.StringWidth("x"+text+"x") == columns+2
}

// Width returns the width of a text after cleaning, in columns.
func (l *Look) Width(text string) int {
	_, w := l.Measure(text)
	return w
}

// toASCII replaces characters that are not ASCII, if possible with the same number of columns.
func toASCII(text string) string {
	return strings.Map(func(r rune) rune {
		if r >= ' ' && r < 0x7f {
			return r
		}
		return '?'
	}, asciiFor.Replace(text))
}

// replaceDisputed replaces characters with disputed widths (joined emoji, flags, letters with combining vowels), each by a sign of one column.
// One of them would shift the rest of its row, borders included, in half of all terminals.
func replaceDisputed(text string) string {
	var b strings.Builder
	for text != "" {
		cluster := FirstCharacter(text)
		if _, ok := widthOf(cluster); ok {
			b.WriteString(cluster)
		} else {
			b.WriteString("▫")
		}
		text = text[len(cluster):]
	}
	return b.String()
}

// wrapText breaks a foreign text into lines of at most some columns, between words if possible.
func (l *Look) wrapText(text string, columns int) []string {
	text, w := l.Measure(text)
	return breakText(text, w, columns)
}

// WrapExactly wraps a text that is shown unchanged.
func (l *Look) WrapExactly(text string, columns int) []string {
	text, w := l.MeasureExactly(text)
	return breakText(text, w, columns)
}

// HardWrapExactly breaks a text as [Look.WrapExactly] does, but at any column, so that all blanks stay.
func (l *Look) HardWrapExactly(text string, columns int) []string {
	text, w := l.MeasureExactly(text)
	if w <= columns {
		return []string{text}
	}
	return strings.Split(ansi.Hardwrap(text, max(columns, 1), true), "\n")
}

// breakText breaks a text that is w columns wide into lines.
func breakText(text string, w, columns int) []string {
	if w <= columns {
		return []string{text}
	}
	columns = max(columns, 1)
	var lines []string
	for s := range strings.SplitSeq(ansi.Wrap(text, columns, ""), "\n") {
		if len(s) > columns && ansi.StringWidth(s) > columns { // it takes a row of single hyphens for one word
			s = ansi.Hardwrap(s, columns, true)
		}
		for s := range strings.SplitSeq(s, "\n") {
			lines = append(lines, strings.TrimRight(s, " "))
		}
	}
	return lines
}

// Cut ends the ribbon at its last character, without padding.
func (r *Ribbon) Cut() string {
	r.Room = r.Width
	return r.Line()
}

// Filled adds blank lines up to a height.
func Filled(lines []string, width, height int) []string {
	blank := strings.Repeat(" ", max(width, 0))
	for len(lines) < height {
		lines = append(lines, blank)
	}
	return lines
}

// DrawRight writes a short text right-aligned in its column.
func DrawRight(line *Ribbon, st Style, text string, column int) {
	line.Gap(column - line.Look.Width(text))
	line.AddWithin(st, text, column)
}

// Scrolled returns the first visible of n lines so that line i is visible.
func Scrolled(top, i, n, height int) int {
	around := 0
	if height > 4 {
		around = 1
	}
	top = min(top, i-around)
	top = max(top, i+around-height+1)
	return max(0, min(top, n-height))
}

// TailOf returns as much of the end of a text as fits.
func (l *Look) TailOf(text string, columns int) string {
	runes := []rune(text)
	for len(runes) > 0 && l.Width(string(runes)) > columns {
		runes = runes[1:]
	}
	return strings.TrimLeft(string(runes), " ")
}

// Clipped returns as much of a text as fits.
func (l *Look) Clipped(text string, columns int) string {
	r := l.Ribbon(max(columns, 1))
	r.Add("", text)
	return r.Cut()
}

// FirstCharacter returns the first character of a text as people see it, which may be several code points.
func FirstCharacter(text string) string {
	first, _ := ansi.FirstGraphemeCluster(text, ansi.GraphemeWidth)
	return first
}
