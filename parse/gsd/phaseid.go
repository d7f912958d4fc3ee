// The numbers of phases: as directories and the roadmap write them, told apart and ordered as GSD does.

package gsd

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"gatehouse/parse/gsd/milestone"
)

// phaseID is the number of a phase. "03", "3" and "PROJ-003" are the same
// phase, so phases are compared by key.
type phaseID struct {
	text string // as written: "04.5", "12A", "02-01"
	key  string // what it is known by: "04.5"
	sort sortKey
}

type sortKey struct {
	prefix   string
	number   int
	letter   string
	decimals []int
	segments []int // of a milestone-prefixed number, "02-01"
}

// parsePhaseID reads the number at the start of s and returns what follows it.
func parsePhaseID(s string) (id phaseID, rest string, ok bool) {
	start := codeLen(s)
	i := start
	var k sortKey
	if i+1 < len(s) && isUpper(s[i]) && isDigit(s[i+1]) {
		k.prefix = s[i : i+1]
		i++
	}
	n := digits(s[i:])
	if n == 0 {
		return phaseID{}, s, false
	}
	number := s[i : i+n]
	k.number = atoi(number)
	i += n
	if i < len(s) && isLetter(s[i]) && (i+1 == len(s) || !isLetter(s[i+1]) && !isDigit(s[i+1])) {
		k.letter = strings.ToUpper(s[i : i+1])
		i++
	}
	decimals := ""
	for i+1 < len(s) && s[i] == '.' && isDigit(s[i+1]) {
		n := digits(s[i+1:])
		decimals += s[i : i+1+n]
		k.decimals = append(k.decimals, atoi(s[i+1:i+1+n]))
		i += 1 + n
	}
	segments := ""
	for i < len(s) && s[i] == '-' {
		n := digits(s[i+1:])
		ends := i+1+n == len(s) || s[i+1+n] == '-' || s[i+1+n] == ':' || s[i+1+n] == ' '
		if !ends || (n != 2 && (k.prefix == "" || n == 0)) {
			break
		}
		k.segments = append(k.segments, atoi(s[i+1:i+1+n]))
		segments += "-" + trimZeros(s[i+1:i+1+n])
		i += 1 + n
	}
	id.text = s[:i]
	id.sort = k
	padded := trimZeros(number)
	if len(padded) < 2 && k.prefix == "" {
		padded = "0" + padded
	}
	id.key = k.prefix + padded + k.letter + decimals + segments
	return id, s[i:], true
}

// codeLen returns the length of a project code ("PROJ-", "CK-") before a
// digit at the start of s, 0 without one. "B7-" is no code but the number B7.
func codeLen(s string) int {
	if s == "" || !isUpper(s[0]) {
		return 0
	}
	i := 1
	for i < len(s) && (isUpper(s[i]) || isDigit(s[i]) || s[i] == '_') {
		i++
	}
	if i+1 < len(s) && s[i] == '-' && isDigit(s[i+1]) && (i == 1 || !allDigits(s[1:i])) {
		return i + 1
	}
	return 0
}

// sentinel reports whether the number marks no phase: 0 and 999 and what is
// below them hold the backlog.
func (id phaseID) sentinel() bool {
	return id.sort.prefix == "" && (id.sort.number == 0 || id.sort.number == 999)
}

// compare orders by number, letter (none first), decimals one by one, then
// segments: 4 < 4.5 < 4.9 < 4.10 < 5B < 10 < 12A.
func (id phaseID) compare(other phaseID) int {
	a, b := id.sort, other.sort
	return cmp.Or(
		strings.Compare(a.prefix, b.prefix),
		cmp.Compare(a.number, b.number),
		strings.Compare(a.letter, b.letter),
		slices.Compare(a.decimals, b.decimals),
		slices.Compare(a.segments, b.segments),
	)
}

// splitDir returns the number and the name that a phase directory bears:
// "04.5-auth-api" is 4.5 and "auth api". ok is false for other directories.
func splitDir(dir string) (id phaseID, name string, ok bool) {
	id, rest, ok := parsePhaseID(dir)
	if !ok {
		// A project code is one in any case in the name of a directory, and so is a word: "ck-03-a", "phase-03-a".
		if code := milestone.CodeLen(dir); code > 0 {
			id, rest, ok = parsePhaseID(dir[code:])
		}
	}
	if !ok || (rest != "" && rest[0] != '-') {
		return phaseID{}, "", false
	}
	return id, strings.ReplaceAll(strings.TrimPrefix(rest, "-"), "-", " "), true
}

// wordID is the ID of a phase that is named by a word: it comes after all numbers.
func wordID(name string) phaseID {
	return phaseID{text: name, key: strings.ToLower(name), sort: sortKey{prefix: "~" + name}}
}

func isDigit(c byte) bool  { return c >= '0' && c <= '9' }
func isUpper(c byte) bool  { return c >= 'A' && c <= 'Z' }
func isLetter(c byte) bool { return isUpper(c) || c >= 'a' && c <= 'z' }

func digits(s string) int {
	n := 0
	for n < len(s) && isDigit(s[n]) {
		n++
	}
	return n
}

func allDigits(s string) bool { return digits(s) == len(s) }

func trimZeros(s string) string {
	if t := strings.TrimLeft(s, "0"); t != "" {
		return t
	}
	return "0"
}

// atoi reads digits; a number too large for an int is the largest int.
func atoi(digits string) int {
	n, err := strconv.Atoi(digits)
	if err != nil && len(digits) > 0 {
		return int(^uint(0) >> 1)
	}
	return n
}
