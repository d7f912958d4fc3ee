package line

// Ellipsis ends a text that was cut: U+2026, one column wide.
const Ellipsis = "…"

// Width returns how many columns of a terminal s takes: East Asian wide and full-width characters and emoji take two,
// combining marks and invisible characters none, all others one. s is expected to be clean (see AppendClean), so that a
// cluster is as wide as its parts together.
func Width(s string) int {
	columns := 0
	for i := 0; i < len(s); {
		if c := s[i]; c >= 0x20 && c < 0x7F {
			columns, i = columns+1, i+1
			continue
		}
		r, size := decodeRune(s[i:])
		columns += runeWidth(r)
		i += size
	}
	return columns
}

// runeWidth returns the width of a character by itself.
func runeWidth(r rune) int {
	switch {
	case r < 0x20, r >= 0x7F && r < 0xA0, r == 0xAD:
		return 0
	case r < 0x300:
		return 1
	case inSpans(invisible[:], r), inSpans(marking[:], r), inSpans(jamo[:], r):
		return 0
	case inSpans(wide[:], r):
		return 2
	}
	return 1
}
