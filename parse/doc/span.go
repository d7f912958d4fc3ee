package doc

// Span is a piece of a text that is replaced by another.
type Span struct {
	At    int    // offset in the text before
	Old   string // the removed bytes
	New   string // the inserted bytes
	Label string // the value that they belong to: "gates.frame-gate.status"
}

// Apply returns text with spans replaced. ok is false if the expected bytes are not there, or if spans overlap.
func Apply(text string, spans []Span) (result string, ok bool) {
	var out []byte
	at := 0
	for _, s := range SortSpans(spans) {
		if s.At < at || s.At > len(text) || !HasPrefix(text[s.At:], s.Old) {
			return "", false
		}
		out = append(append(out, text[at:s.At]...), s.New...)
		at = s.At + len(s.Old)
	}
	return string(append(out, text[at:]...)), true
}

// Invert returns the spans that revert applied ones.
func Invert(spans []Span) []Span {
	inverse := SortSpans(spans)
	moved := 0
	for i, s := range inverse {
		inverse[i].At, inverse[i].Old, inverse[i].New = s.At+moved, s.New, s.Old
		moved += len(s.New) - len(s.Old)
	}
	return inverse
}

// SortSpans returns the spans in the order of the text. Spans at the same place keep their order.
func SortSpans(spans []Span) []Span {
	sorted := make([]Span, 0, len(spans))
	for _, s := range spans {
		i := len(sorted)
		for i > 0 && sorted[i-1].At > s.At {
			i--
		}
		sorted = append(sorted[:i], append([]Span{s}, sorted[i:]...)...)
	}
	return sorted
}
