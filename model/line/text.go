// A line in pieces: what each stretch of it is, so that a sink can colour it, and how soon it may be left out, so that it
// can be made to fit. The text of all pieces in a row is the line as AppendFull and AppendCompact give it.

package line

import "unicode/utf8"

// Role says what a stretch of a line is. It is a meaning, no colour: each sink has its own way to show it, or none.
type Role uint8

const (
	// Plain is text in the colour that the place has anyway.
	Plain Role = iota
	// Dim is what gives structure: separators, the frame and the empty part of a bar.
	Dim
	// Accent is the filled part of a bar.
	Accent
	// Wait is what waits for somebody, or was laid down.
	Wait
	// Blocked is what cannot go on or has failed.
	Blocked
)

// Rank says how soon a segment is left out of a line that is too long: the highest rank first, up to RankLabel.
type Rank uint8

const (
	// Keep is what the line is there for, the scene and what waits: never left out, only cut at its end.
	Keep Rank = iota
	// RankDetail is what adds to another part, such as the position behind a status.
	RankDetail
	// RankPlace says which build it is: its version or identifier.
	RankPlace
	// RankPercent is the number behind a bar.
	RankPercent
	// RankName is a name beside a version or identifier.
	RankName
	// RankBar is the bar, whose number says the same.
	RankBar
	// RankLabel says of what a number is.
	RankLabel
	// RankStatus is a word that says how all of it stands: kept as Keep is, but not where a place says that itself. See [Position].
	RankStatus
)

const (
	// separator stands between the parts of a line: a space, U+00B7 and a space.
	separator = " · "
	// LineSeparator stands between the lines of several builds: a space, U+2502 and a space.
	LineSeparator = " │ "
)

// piecesLimit is how many pieces a text can tell apart: six times what the longest line of one build has. Beyond it, text
// joins the last piece: nothing is lost but colours.
const piecesLimit = 96

// glue says what a piece is: the text of a segment, or what stands before one.
type glue uint8

const (
	noGlue    glue = iota // text
	lineGlue              // before the first segment of a build's line; empty for the first build
	partGlue              // before a part
	spaceGlue             // before a further segment of the same part
)

// piece is a stretch of a text; it begins where the piece before it ends.
type piece struct {
	end  int
	role Role
	glue glue
	rank Rank // of the segment that a glue piece begins
}

// Text is a line while it is made. The zero value is empty and ready; Reset makes it so again. It is large: keep it and
// use it again.
type Text struct {
	bytes  []byte
	pieces [piecesLimit]piece
	count  int
	inLine bool // a part was begun in the present build's line
	inPart bool // a segment was begun in the present part
	signed bool // see Signed
}

// Reset empties t and gives it memory to write to.
func (t *Text) Reset(memory []byte) {
	t.bytes, t.count, t.inLine, t.inPart, t.signed = memory[:0], 0, false, false, false
}

// Signed says that the line has signs which are not those of the build's own tool, such as the one before what waits. Then no
// value from a file may hold any, also where a line has to be that tool's to the byte otherwise.
func (t *Text) Signed() { t.signed = true }

// Bytes returns the text, valid until the next change.
func (t *Text) Bytes() []byte { return t.bytes }

// Len returns how many pieces there are.
func (t *Text) Len() int { return t.count }

// Piece returns the text of piece i and its role.
func (t *Text) Piece(i int) (text []byte, role Role) {
	return t.bytes[t.start(i):t.pieces[i].end], t.pieces[i].role
}

// start returns where piece i begins.
func (t *Text) start(i int) int {
	if i == 0 {
		return 0
	}
	return t.pieces[i-1].end
}

// Begin starts the next part of the line, with a segment of this rank. A part counts as one even when nothing is written
// to it, as it does for GSD's own line.
func (t *Text) Begin(rank Rank) {
	switch {
	case t.inLine:
		t.glue(partGlue, rank, separator)
	case t.count > 0:
		t.glue(lineGlue, rank, LineSeparator)
	default:
		t.glue(lineGlue, rank, "")
	}
	t.inLine, t.inPart = true, true
}

// And starts a further segment of the same part, behind a space.
func (t *Text) And(rank Rank) { t.glue(spaceGlue, rank, " ") }

func (t *Text) glue(kind glue, rank Rank, text string) {
	t.bytes = append(t.bytes, text...)
	if t.count < len(t.pieces) {
		t.pieces[t.count] = piece{rank: rank, glue: kind, role: Dim}
		t.count++
	}
	t.pieces[t.count-1].end = len(t.bytes)
}

// mark gives what was appended since the last piece a role.
func (t *Text) mark(role Role) {
	if last := t.count - 1; t.count == len(t.pieces) || t.count > 0 && t.pieces[last].glue == noGlue && t.pieces[last].role == role {
		t.pieces[last].end = len(t.bytes)
		return
	}
	t.pieces[t.count] = piece{end: len(t.bytes), role: role}
	t.count++
}

// Add appends text of our own to the present segment.
func (t *Text) Add(role Role, text string) {
	t.bytes = append(t.bytes, text...)
	t.mark(role)
}

// Field appends a value from a file to the present segment, as foreign text and capped.
func (t *Text) Field(role Role, value string) {
	t.bytes = AppendForeign(t.bytes, value, FieldLimit)
	t.mark(role)
}

// Short is Field for a value of which cols columns are enough.
func (t *Text) Short(role Role, value string, cols int) {
	start := len(t.bytes)
	t.bytes = AppendForeign(t.bytes, value, FieldLimit)
	t.bytes = cutTail(t.bytes, start, cols)
	t.mark(role)
}

// Exact is Field for a value that has to stay as another tool shows it, apart from cleaning. In a line with signs of our own
// it can't.
func (t *Text) Exact(role Role, value string) {
	t.bytes = t.appendExact(value, FieldLimit)
	t.mark(role)
}

func (t *Text) appendExact(value string, max int) []byte {
	if t.signed {
		return AppendForeign(t.bytes, value, max)
	}
	return AppendClean(t.bytes, value, max)
}

// number appends a number that is not negative to the present segment.
func (t *Text) number(role Role, n int) {
	t.bytes = appendNumber(t.bytes, n)
	t.mark(role)
}

// appendNumber appends the decimal digits of n, which is not negative.
func appendNumber(dst []byte, n int) []byte {
	if n >= 10 {
		dst = appendNumber(dst, n/10)
	}
	return append(dst, byte('0'+n%10))
}

// Bar appends a bar and its number as two segments, the bar behind a space when one is wanted: see appendBar.
func (t *Text) Bar(percent int, first bool) {
	if first {
		t.Begin(RankBar)
	} else {
		t.And(RankBar)
	}
	start := len(t.bytes)
	t.bytes = appendBar(t.bytes, percent)
	whole := t.bytes
	filled := start + 1 + max(0, min(100, percent))/barCells*len(barFull)
	empty := start + 1 + barCells*len(barFull) + 1
	for _, stretch := range [...]struct {
		end  int
		role Role
	}{{start + 1, Dim}, {filled, Accent}, {empty, Dim}} {
		if t.bytes = whole[:stretch.end]; stretch.end > t.pieces[t.count-1].end {
			t.mark(stretch.role)
		}
	}
	t.And(RankPercent)
	t.bytes = whole
	t.mark(Plain)
}

// Waits appends the part that says what waits for somebody: U+25C6 and what waits, of which 40 columns are enough.
func (t *Text) Waits(what string) {
	t.Begin(Keep)
	t.Add(Wait, waitsMark)
	t.Short(Wait, what, ShortCols)
}

// Turns appends the part that says how many agents have finished their turn: U+25C7 and text of our own.
func (t *Text) Turns(text string) {
	t.Begin(RankDetail)
	t.Add(Wait, "◇ ")
	t.Add(Wait, text)
}

// Denied appends the part that says that the tree denies what the line claims: U+2260.
func (t *Text) Denied() {
	t.Begin(Keep)
	t.Add(Wait, "≠")
}

// waitsMark stands before what waits.
const waitsMark = "◆ "

// ShortCols is how many columns of a name, a reason or a next step are enough.
const ShortCols = 40

// Next starts the line of a further build.
func (t *Text) Next() { t.inLine, t.inPart = false, false }

// Fit makes the text at most cols columns wide: it leaves out whole segments by their rank, of equals the last one first,
// and cuts what is left with an ellipsis. Of each build's line the last segment stays. 0 columns or fewer mean that the
// width is not known: then nothing is left out.
func (t *Text) Fit(cols int) {
	if cols <= 0 || widthOf(t.bytes) <= cols {
		return
	}
	for rank := RankLabel; rank > Keep; rank-- {
		for i := t.count - 1; i >= 0; i-- {
			if t.pieces[i].glue == noGlue || t.pieces[i].rank != rank || t.alone(i) {
				continue
			}
			t.leaveOut(i)
			if widthOf(t.bytes) <= cols {
				return
			}
		}
	}
	t.cut(cols)
}

// segmentEnd returns the piece behind the segment that piece i begins.
func (t *Text) segmentEnd(i int) int {
	for i++; i < t.count && t.pieces[i].glue == noGlue; i++ {
	}
	return i
}

// alone reports whether the segment that piece i begins is the only one of its build's line.
func (t *Text) alone(i int) bool {
	next := t.segmentEnd(i)
	return t.pieces[i].glue == lineGlue && (next == t.count || t.pieces[next].glue == lineGlue)
}

// leaveOut takes out the segment that piece i begins. What stood before the first segment of a build's line then stands
// before its second.
func (t *Text) leaveOut(i int) {
	next := t.segmentEnd(i)
	if t.pieces[i].glue == lineGlue {
		t.pieces[i].rank = t.pieces[next].rank
		i, next = i+1, next+1
	}
	from, to := t.start(i), t.start(next)
	t.bytes = append(t.bytes[:from], t.bytes[to:]...)
	copy(t.pieces[i:], t.pieces[next:t.count])
	t.count -= next - i
	for j := i; j < t.count; j++ {
		t.pieces[j].end -= to - from
	}
}

// leaveOutAll takes out all segments of a rank, but not the only one of its line, unless that is a status and the last of all.
func (t *Text) leaveOutAll(rank Rank) {
	for i := t.count - 1; i >= 0; i-- {
		switch {
		case t.pieces[i].glue == noGlue || t.pieces[i].rank != rank:
		case !t.alone(i):
			t.leaveOut(i)
		case rank == RankStatus && t.segmentEnd(i) == t.count:
			t.bytes, t.count = t.bytes[:t.start(i)], i
		}
	}
}

// cut cuts the text to cols columns, with an ellipsis at its end.
func (t *Text) cut(cols int) {
	t.bytes = cutTail(t.bytes, 0, cols)
	for i := range t.count {
		if t.pieces[i].end >= len(t.bytes)-len(Ellipsis) {
			t.count = i + 1
			t.pieces[i].end = len(t.bytes)
			return
		}
	}
}

// cutTail cuts what follows offset start of text to cols columns: Cut without allocating.
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

// widthOf returns how many columns clean text takes.
func widthOf(text []byte) int {
	columns := 0
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRune(text[i:])
		columns += runeWidth(r)
		i += size
	}
	return columns
}

// Decimal returns n, which is not negative, in decimal digits. Package strconv would cost the prompt its import.
func Decimal(n int) string { return string(appendNumber(nil, n)) }
