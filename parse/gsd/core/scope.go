package core

import (
	"gatehouse/parse/text/scan"
)

// Scope says which phases belong to the current milestone. The zero value holds every phase that is none of the backlog.
type Scope struct {
	Version string // as STATE.md writes it, quotation marks and all; "" where neither file names one
	// Found says that ROADMAP.md has a section of that version; without one the scope is of the whole file, but for what
	// is folded.
	Found bool

	ids     map[string]bool // the phases named, normalised
	others  map[string]bool // of a reader: the phases of other milestones, where none is named
	hyphens bool            // one of them is of two parts, "02-01"
}

// NewScope returns the scope that the text of ROADMAP.md makes of the version that STATE.md declares; "" stands for a file that is
// missing, and for a version that is not declared.
func NewScope(declared, roadmap string) Scope {
	s := Scope{Version: declared}
	if s.Version == "" {
		s.Version = versionInProgress(roadmap)
	}
	var text string
	text, s.Found = currentWindow(roadmap, s.Version)
	s.ids = namedPhases(text)
	for id := range s.ids {
		for i := range len(id) {
			s.hyphens = s.hyphens || id[i] == '-'
		}
	}
	return s
}

// HoldsAll reports whether no phase is named: then every directory belongs.
func (s *Scope) HoldsAll() bool { return len(s.ids) == 0 }

// Names reports whether a phase is among those named, by its number as ROADMAP.md writes it.
func (s *Scope) Names(id string) bool {
	if s.isNamed(normalizeID(id)) {
		return true
	}
	rest := id[codeLength(id):]
	return rest != id && s.isNamed(normalizeID(rest))
}

// Holds reports whether a directory of phases/ belongs, by its name.
func (s *Scope) Holds(dir string) bool {
	bare := dir[codeLength(dir):]
	if isBacklog(bare) {
		return false
	}
	if s.HoldsAll() {
		return !s.others[normalizeID(s.leadingNumber(bare))]
	}
	for _, name := range [...]string{dir, bare} {
		if number := s.leadingNumber(name); number != "" && s.isNamed(normalizeID(number)) {
			return true
		}
	}
	// A name that begins with a letter belongs to the longest word named that it begins with.
	if isLetter(byteAt(dir, 0)) {
		name := normalizeID(dir)
		for id := range s.ids {
			if name == id || len(name) > len(id) && name[:len(id)] == id && name[len(id)] == '-' {
				return true
			}
		}
	}
	return false
}

// isBacklog reports whether a name begins with a number that marks no phase: 0 and 999, and what is below them.
func isBacklog(name string) bool {
	digits, end := scan.Digits(name, 0)
	if digits == "" || end < len(name) && isLetter(name[end]) && digits == "999" {
		return false
	}
	digits = trimZeros(digits)
	return digits == "0" || digits == "999"
}

func (s *Scope) isNamed(id string) bool { return s.ids[id] }

// leadingNumber returns the number that a directory's name begins with: digits, a letter, decimals. Where phases are
// numbered in two parts, parts of exactly two digits belong to it, and it ends with the name or before a hyphen.
func (s *Scope) leadingNumber(name string) string {
	_, digits := scan.Digits(name, 0)
	if digits == 0 {
		return ""
	}
	if !s.hyphens {
		end := digits
		if isLetter(byteAt(name, end)) {
			end++
		}
		return name[:skipDecimals(name, end)]
	}
	// The longest reading that ends where it has to.
	longest := ""
	for _, letter := range [...]bool{true, false} {
		end := digits
		if letter {
			if !isLetter(byteAt(name, end)) {
				continue
			}
			end++
		}
		for {
			for _, stop := range [...]int{skipDecimals(name, end), end} {
				if (stop == len(name) || name[stop] == '-') && stop > len(longest) {
					longest = name[:stop]
				}
			}
			if byteAt(name, end) != '-' {
				break
			}
			part, stop := scan.Digits(name, end+1)
			if len(part) != 2 {
				break
			}
			if end = stop; isUpper(byteAt(name, end)) {
				end++
			}
		}
	}
	return longest
}

// skipDecimals returns the offset behind the decimals (".5", ".5.1") that s has at offset i.
func skipDecimals(s string, i int) int {
	for byteAt(s, i) == '.' {
		_, end := scan.Digits(s, i+1)
		if end == i+1 {
			break
		}
		i = end
	}
	return i
}

// normalizeID makes numbers comparable: lower case, and no zeros in front of a part.
func normalizeID(id string) string {
	var b []byte
	start := true
	for i := range len(id) {
		c := id[i]
		if start && c == '0' && isDigit(byteAt(id, i+1)) {
			continue
		}
		start = c == '-'
		b = append(b, foldByte(c))
	}
	return string(b)
}

// codeLength returns the length of a project code, "CK-" in any case, before a digit at the start of s. GSD takes "phase-" for one,
// too.
func codeLength(s string) int {
	if !isLetter(byteAt(s, 0)) {
		return 0
	}
	i := 1
	for isWord(byteAt(s, i)) {
		i++
	}
	if byteAt(s, i) == '-' && isDigit(byteAt(s, i+1)) {
		return i + 1
	}
	return 0
}
