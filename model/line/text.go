// A line in pieces, each with its role, so that a sink can color it, and its rank, so that the line can be shortened to
// fit. The concatenated pieces are the line as [Full] and [Compact] return it.

package line

import "unicode/utf8"

// Role is the meaning of a stretch of a line. It is not a color: each sink displays roles in its own way, or not at all.
type Role uint8

const (
	// Plain is text in the default color of the place.
	Plain Role = iota
	// Dim marks structure: separators, the frame and the empty part of a bar.
	Dim
	// Accent is the filled part of a bar.
	Accent
	// Wait marks something that needs a human, or was paused.
	Wait
	// Blocked marks something that cannot proceed or has failed.
	Blocked
)

// Rank is the order in which segments of a line that is too long are left out: the highest rank first, up to RankLabel.
type Rank uint8

const (
	// Keep is the purpose of the line, the scene and the waits: never left out, only cut at its end.
	Keep Rank = iota
	// RankDetail adds to another part, such as the position after a status.
	RankDetail
	// RankPlace says which build it is: its version or identifier.
	RankPlace
	// RankPercent is the number behind a bar.
	RankPercent
	// RankName is a name next to a version or identifier.
	RankName
	// RankBar is the bar, whose number says the same.
	RankBar
	// RankLabel is the unit of a number.
	RankLabel
	// RankStatus is a word for the overall status: kept like Keep, but left out if the place shows the status itself.
	// See [Position].
	RankStatus
)

const (
	// separator separates the parts of a line: a space, U+00B7 and a space.
	separator = " · "
	// LineSeparator separates the lines of several builds: a space, U+2502 and a space.
	LineSeparator = " │ "
)

// glue is the kind of a piece: the text of a segment, or the separator before one.
type glue uint8

const (
	noGlue    glue = iota // text
	lineGlue              // before the first segment of a build's line; empty for the first build
	partGlue              // before a part
	spaceGlue             // before a further segment of the same part
)

// piece is a stretch of a text; it begins at the end of the previous piece.
type piece struct {
	end  int
	role Role
	glue glue
	rank Rank // of the segment that a glue piece begins
}

// Text is a line under construction. The zero value is empty and ready for use.
type Text struct {
	bytes  []byte
	pieces []piece
	inLine bool // a part was begun in the current build's line
	signed bool // see Signed
}

// Signed marks a line with signs that the build's own tool does not use, such as the one before waits. Values from
// files must not contain any of them then, even if the line otherwise equals that tool's line byte for byte.
func (t *Text) Signed() { t.signed = true }

// Bytes returns the text, valid until the next change.
func (t *Text) Bytes() []byte { return t.bytes }

// Len returns the number of pieces.
func (t *Text) Len() int { return len(t.pieces) }

// Piece returns the text of piece i and its role.
func (t *Text) Piece(i int) (text []byte, role Role) {
	return t.bytes[t.startOf(i):t.pieces[i].end], t.pieces[i].role
}

// startOf returns the offset of piece i.
func (t *Text) startOf(i int) int {
	if i == 0 {
		return 0
	}
	return t.pieces[i-1].end
}

// Begin starts the next part of the line, with a segment of this rank. A part counts even if nothing is written
// to it, as in GSD's own line.
func (t *Text) Begin(rank Rank) {
	switch {
	case t.inLine:
		t.addGlued(partGlue, rank, separator)
	case len(t.pieces) > 0:
		t.addGlued(lineGlue, rank, LineSeparator)
	default:
		t.addGlued(lineGlue, rank, "")
	}
	t.inLine = true
}

// And starts a further segment of the same part, after a space.
func (t *Text) And(rank Rank) { t.addGlued(spaceGlue, rank, " ") }

func (t *Text) addGlued(kind glue, rank Rank, text string) {
	t.bytes = append(t.bytes, text...)
	t.pieces = append(t.pieces, piece{len(t.bytes), Dim, kind, rank})
}

// markRole sets the role of the text appended since the last piece.
func (t *Text) markRole(role Role) {
	if last := len(t.pieces) - 1; last >= 0 && t.pieces[last].glue == noGlue && t.pieces[last].role == role {
		t.pieces[last].end = len(t.bytes)
		return
	}
	t.pieces = append(t.pieces, piece{end: len(t.bytes), role: role})
}

// Add appends our own text to the current segment.
func (t *Text) Add(role Role, text string) {
	t.bytes = append(t.bytes, text...)
	t.markRole(role)
}

// Field appends a value from a file to the current segment, as foreign text and with limited length.
func (t *Text) Field(role Role, value string) {
	t.bytes = AppendForeign(t.bytes, value, FieldLimit)
	t.markRole(role)
}

// Short is Field for a value of at most cols columns.
func (t *Text) Short(role Role, value string, cols int) {
	start := len(t.bytes)
	t.bytes = AppendForeign(t.bytes, value, FieldLimit)
	t.bytes = cutTail(t.bytes, start, cols)
	t.markRole(role)
}

func (t *Text) addShort(role Role, value string) { t.Short(role, value, ShortCols) }

// Exact is Field for a value that has to look as in another tool, apart from cleaning. In a line with our own signs
// that is impossible.
func (t *Text) Exact(role Role, value string) {
	t.bytes = t.appendExact(value, FieldLimit)
	t.markRole(role)
}

func (t *Text) appendExact(value string, max int) []byte {
	if t.signed {
		return AppendForeign(t.bytes, value, max)
	}
	return AppendClean(t.bytes, value, max)
}

// word is a stretch of a segment: our own text, or a value from a file.
type word struct {
	text string
	role Role
	add  func(t *Text, role Role, text string) // how it is written
}

func own(text string) word    { return word{text, Plain, (*Text).Add} }
func count(n int) word        { return own(Decimal(n)) }
func amount(a Amount) word    { return own(a.Text()) }
func value(text string) word  { return word{text, Plain, (*Text).Field} }
func exact(text string) word  { return word{text, Plain, (*Text).Exact} }
func short(text string) word  { return word{text, Plain, (*Text).addShort} }
func (w word) as(r Role) word { w.role = r; return w }
func status(text string) word { return short(text).as(statusRole(text)) }

// Part starts the next part of the line, with a segment of these words. Empty words are left out.
func (t *Text) part(rank Rank, words ...word) {
	t.Begin(rank)
	t.write(words...)
}

// further starts a further segment of the same part.
func (t *Text) further(rank Rank, words ...word) {
	t.And(rank)
	t.write(words...)
}

// write appends words to the current segment.
func (t *Text) write(words ...word) {
	for _, w := range words {
		if w.text != "" {
			w.add(t, w.role, w.text)
		}
	}
}

// statusPart adds a part for a status, and returns the rank of a position after it.
func (t *Text) statusPart(w word) (next Rank) {
	if w.text == "" {
		return Keep
	}
	t.part(statusRank(w.text), w.as(statusRole(w.text)))
	return RankDetail
}

// appendNumber appends the decimal digits of n, which must not be negative.
func appendNumber(dst []byte, n int) []byte {
	if n >= 10 {
		dst = appendNumber(dst, n/10)
	}
	return append(dst, byte('0'+n%10))
}

// Bar appends a progress bar of ten cells and its number as two segments, "[█████░░░░░]" and "59%", the bar behind a space unless it is the
// first of its part. A cell is filled once its ten percent are done in full, never earlier: 59 fills five, 99 nine.
func (t *Text) Bar(percent int, first bool) {
	const full, empty, cell = "██████████", "░░░░░░░░░░", len("█")
	percent = max(0, min(100, percent))
	begin := t.further
	if first {
		begin = t.part
	}
	filled := percent / 10 * cell
	begin(RankBar, own("[").as(Dim), own(full[:filled]).as(Accent), own(empty[filled:]+"]").as(Dim))
	t.further(RankPercent, count(percent), own("%"))
}

// Waits appends the part for a wait: U+25C6 and the text, limited to 40 columns.
func (t *Text) Waits(what string) {
	t.part(Keep, own(waitsMark).as(Wait), short(what).as(Wait))
}

// Turns appends the part that says how many agents have finished their turn: U+25C7 and text of our own.
func (t *Text) Turns(text string) {
	t.part(RankDetail, own("◇ "+text).as(Wait))
}

// Denied appends the sign that the tree contradicts the line: U+2260.
func (t *Text) Denied() {
	t.part(Keep, own("≠").as(Wait))
}

// waitsMark is the sign before a wait.
const waitsMark = "◆ "

// ShortCols is how many columns of a name, a reason or a next step are enough.
const ShortCols = 40

// Next starts the line of a further build.
func (t *Text) Next() { t.inLine = false }

// Fit limits the text to cols columns: it leaves out whole segments by their rank, among equals the last one first, and
// cuts the rest with an ellipsis. The last segment of each build's line stays. 0 columns or fewer mean an unknown
// width: then nothing is left out.
func (t *Text) Fit(cols int) {
	if cols <= 0 || Width(string(t.bytes)) <= cols {
		return
	}
	for rank := RankLabel; rank > Keep; rank-- {
		for i := len(t.pieces) - 1; i >= 0; i-- {
			if t.pieces[i].glue == noGlue || t.pieces[i].rank != rank || t.isAlone(i) {
				continue
			}
			t.leaveOut(i)
			if Width(string(t.bytes)) <= cols {
				return
			}
		}
	}
	t.cutTo(cols)
}

// segmentEnd returns the piece behind the segment that piece i begins.
func (t *Text) segmentEnd(i int) int {
	for i++; i < len(t.pieces) && t.pieces[i].glue == noGlue; i++ {
	}
	return i
}

// isAlone reports whether the segment that piece i begins is the only one of its build's line.
func (t *Text) isAlone(i int) bool {
	next := t.segmentEnd(i)
	return t.pieces[i].glue == lineGlue && (next == len(t.pieces) || t.pieces[next].glue == lineGlue)
}

// leaveOut removes the segment that piece i begins. The separator before the first segment of a build's line then
// precedes its second.
func (t *Text) leaveOut(i int) {
	next := t.segmentEnd(i)
	if t.pieces[i].glue == lineGlue {
		t.pieces[i].rank = t.pieces[next].rank
		i, next = i+1, next+1
	}
	from, to := t.startOf(i), t.startOf(next)
	t.bytes = append(t.bytes[:from], t.bytes[to:]...)
	t.pieces = append(t.pieces[:i], t.pieces[next:]...)
	for j := range t.pieces[i:] {
		t.pieces[i+j].end -= to - from
	}
}

// leaveOutAll takes out all segments of a rank, but not the only one of its line, unless that is a status and the last of all.
func (t *Text) leaveOutAll(rank Rank) {
	for i := len(t.pieces) - 1; i >= 0; i-- {
		switch {
		case t.pieces[i].glue == noGlue || t.pieces[i].rank != rank:
		case !t.isAlone(i):
			t.leaveOut(i)
		case rank == RankStatus && t.segmentEnd(i) == len(t.pieces):
			t.bytes, t.pieces = t.bytes[:t.startOf(i)], t.pieces[:i]
		}
	}
}

// cutTo cuts the text to cols columns, with an ellipsis at its end.
func (t *Text) cutTo(cols int) {
	t.bytes = cutTail(t.bytes, 0, cols)
	for i := range t.pieces {
		if t.pieces[i].end >= len(t.bytes)-len(Ellipsis) {
			t.pieces = t.pieces[:i+1]
			t.pieces[i].end = len(t.bytes)
			return
		}
	}
}

// cutTail cuts text after offset start to cols columns.
func cutTail(text []byte, start, cols int) []byte {
	columns, keep := 0, start
	for i := start; i < len(text); {
		r, size := utf8.DecodeRune(text[i:])
		columns += runeWidth(r)
		i += size
		if columns > cols {
			return append(text[:keep], Ellipsis...)
		}
		if columns < cols {
			keep = i
		}
	}
	return text
}

// Decimal returns n, which is not negative, in decimal digits. Package strconv would cost the prompt its import.
func Decimal(n int) string { return string(appendNumber(nil, n)) }
