package core

import (
	"cmp"
	"slices"

	"gatehouse/parse/doc"
)

// PhaseID is the number of a phase. "03", "3" and "PROJ-003" are the same phase: their keys are equal.
type PhaseID struct {
	Text string // as written: "04.5", "12A", "02-01"
	Key  string // "04.5"

	prefix, letter string
	number         int
	decimals       []int
	segments       []int // of a number of two parts, "02-01"
}

// ParsePhaseID parses the number at the start of s and returns the text after it.
func ParsePhaseID(s string) (id PhaseID, rest string, ok bool) {
	i := projectCodeLength(s)
	if isUpper(byteAt(s, i)) && isDigit(byteAt(s, i+1)) {
		id.prefix = s[i : i+1]
		i++
	}
	n := doc.CountDigits(s[i:])
	if n == 0 {
		return PhaseID{}, s, false
	}
	number := trimZeros(s[i : i+n])
	id.number = parseNumber(number)
	i += n
	if isLetter(byteAt(s, i)) && !isAlphanumeric(byteAt(s, i+1)) {
		id.letter = string(rune(s[i] &^ 0x20))
		i++
	}
	from := i
	for byteAt(s, i) == '.' && isDigit(byteAt(s, i+1)) {
		n := doc.CountDigits(s[i+1:])
		id.decimals = append(id.decimals, parseNumber(s[i+1:i+1+n]))
		i += 1 + n
	}
	decimals, segments := s[from:i], ""
	for byteAt(s, i) == '-' {
		n := doc.CountDigits(s[i+1:])
		end := byteAt(s, i+1+n)
		if end != 0 && end != '-' && end != ':' && end != ' ' || n != 2 && (id.prefix == "" || n == 0) {
			break
		}
		digits := s[i+1 : i+1+n]
		id.segments = append(id.segments, parseNumber(digits))
		segments += "-" + trimZeros(digits)
		i += 1 + n
	}
	if len(number) < 2 && id.prefix == "" {
		number = "0" + number
	}
	id.Text, id.Key = s[:i], id.prefix+number+id.letter+decimals+segments
	return id, s[i:], true
}

// projectCodeLength returns the length of a project code ("PROJ-", "CK-") before a digit at the start of s, 0 without one. "B7-" is
// not a code but the number B7.
func projectCodeLength(s string) int {
	n := codeLength(s)
	for i := range n {
		if s[i] >= 'a' {
			return 0
		}
	}
	if n > len("B-") && doc.CountDigits(s[1:]) == n-len("B-") {
		return 0
	}
	return n
}

// IsZero reports whether the number is 0 or below it, 0.1. GSD counts no such phase.
func (id PhaseID) IsZero() bool { return id.prefix == "" && id.number == 0 }

// IsBacklog reports whether the number is 999 or below it: an idea for later, not a phase.
func (id PhaseID) IsBacklog() bool { return id.prefix == "" && id.number == 999 }

// Compare orders by number, letter, decimals and segments: 4 < 4.5 < 4.9 < 4.10 < 5B < 10 < 12A.
func (id PhaseID) Compare(other PhaseID) int {
	return cmp.Or(
		cmp.Compare(id.prefix, other.prefix), cmp.Compare(id.number, other.number), cmp.Compare(id.letter, other.letter),
		slices.Compare(id.decimals, other.decimals), slices.Compare(id.segments, other.segments),
	)
}

// ParsePhaseDir parses the name of a phase directory: "04.5-auth-api" is 4.5 and "auth api".
func ParsePhaseDir(dir string) (id PhaseID, name string, ok bool) {
	id, rest, ok := ParsePhaseID(dir)
	if !ok {
		id, rest, ok = ParsePhaseID(dir[codeLength(dir):]) // a project code in lower case, or a word: "phase-03-a"
	}
	if !ok || rest != "" && rest[0] != '-' {
		return PhaseID{}, "", false
	}
	return id, replaceByte(cutPrefix(rest, "-"), '-', ' '), true
}

// wordPhaseID returns the ID of a phase that is named by a word. It comes after all numbers.
func wordPhaseID(name string) PhaseID {
	return PhaseID{Text: name, Key: doc.Lower(name), prefix: "~" + name}
}

// parsePhaseReference parses a phase as files refer to it: "3", "Phase 3", "03-name".
func parsePhaseReference(text string) (id PhaseID, ok bool) {
	id, _, ok = ParsePhaseID(doc.Trim(cutPrefix(doc.Trim(text), "Phase ")))
	return id, ok
}
