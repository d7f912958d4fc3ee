// Package milestone says which phases belong to the current milestone of a GSD project, as GSD itself decides it from the
// texts of STATE.md and ROADMAP.md. It opens no file and imports only what the prompt may.
//
// GSD reads both files with JavaScript's regular expressions and acts on what they find, odd readings included: its
// totals and its percentage are about these phases. Each function here stands for one step of that reading.
//
//   - version.go: which milestone is the current one
//   - window.go: the part of ROADMAP.md that speaks of it
//   - named.go: the phases named in a text
//   - told.go: those that only a reader finds there
//   - plans.go: which plans of a phase are open, by the names of its files
//   - lines.go: headings, fences and words
package milestone

import "gatehouse/parse/text/scan"

// Scope says which phases belong to the current milestone. The zero value holds every phase that is none of the backlog.
type Scope struct {
	Version string // as STATE.md writes it, quotation marks and all; "" where neither file names one
	// Found says that ROADMAP.md has a section of that version; without one the scope is of the whole file, but for what
	// is folded.
	Found bool
	// Closed says that its heading, or the summary of what is folded, calls it over.
	Closed bool

	ids     map[string]bool // the phases named, normalised
	ordered []string        // the same in the order of the text
	others  map[string]bool // of a reader: the phases of other milestones, where none is named
	hyphens bool            // one of them is of two parts, "02-01"
}

// Of returns the scope that the text of ROADMAP.md makes of the version that STATE.md declares; "" stands for a file that is
// missing, and for a version that is not declared.
func Of(declared, roadmap string) Scope {
	s := Scope{Version: declared}
	if s.Version == "" {
		s.Version = inProgress(roadmap)
	}
	var text string
	text, s.Found, s.Closed = window(roadmap, s.Version)
	s.ids, s.ordered = named(text)
	for id := range s.ids {
		for i := range len(id) {
			s.hyphens = s.hyphens || id[i] == '-'
		}
	}
	return s
}

// Everything reports whether no phase is named: then every directory belongs.
func (s *Scope) Everything() bool { return len(s.ids) == 0 }

// Names reports whether a phase is among those named, by its number as ROADMAP.md writes it.
func (s *Scope) Names(id string) bool {
	if s.has(normal(id)) {
		return true
	}
	rest := id[CodeLen(id):]
	return rest != id && s.has(normal(rest))
}

// Holds reports whether a directory of phases/ belongs, by its name.
func (s *Scope) Holds(dir string) bool {
	bare := dir[CodeLen(dir):]
	if isBacklog(bare) {
		return false
	}
	if s.Everything() {
		return !s.others[normal(s.leadingNumber(bare))]
	}
	for _, name := range [...]string{dir, bare} {
		if number := s.leadingNumber(name); number != "" && s.has(normal(number)) {
			return true
		}
	}
	// A name that begins with a letter belongs to the longest word named that it begins with.
	if isLetter(first(dir)) {
		name := normal(dir)
		for id := range s.ids {
			if name == id || len(name) > len(id) && name[:len(id)] == id && name[len(id)] == '-' {
				return true
			}
		}
	}
	return false
}

// Missing yields the phases named, by their numbers, that have none of the directories, checked off or not.
func (s *Scope) Missing(dirs []string) func(yield func(phase string) bool) {
	return func(yield func(string) bool) {
		for _, id := range s.ordered {
			bare, there := id[CodeLen(id):], isBacklog(id)
			for _, dir := range dirs {
				there = there || normal(s.leadingNumber(dir[CodeLen(dir):])) == bare
			}
			if !there && isDigit(first(bare)) && !yield(id) {
				return
			}
		}
	}
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

func (s *Scope) has(id string) bool { return s.ids[id] }

// leadingNumber returns the number that a directory's name begins with: digits, a letter, decimals. Where phases are
// numbered in two parts, parts of exactly two digits belong to it, and it ends with the name or before a hyphen.
func (s *Scope) leadingNumber(name string) string {
	_, digits := scan.Digits(name, 0)
	if digits == 0 {
		return ""
	}
	if !s.hyphens {
		end := digits
		if isLetter(at(name, end)) {
			end++
		}
		return name[:decimals(name, end)]
	}
	// The longest reading that ends where it has to.
	longest := ""
	for _, letter := range [...]bool{true, false} {
		end := digits
		if letter {
			if !isLetter(at(name, end)) {
				continue
			}
			end++
		}
		for {
			for _, stop := range [...]int{decimals(name, end), end} {
				if (stop == len(name) || name[stop] == '-') && stop > len(longest) {
					longest = name[:stop]
				}
			}
			if at(name, end) != '-' {
				break
			}
			part, stop := scan.Digits(name, end+1)
			if len(part) != 2 {
				break
			}
			if end = stop; isUpper(at(name, end)) {
				end++
			}
		}
	}
	return longest
}

// decimals returns the offset behind the decimals (".5", ".5.1") that s has at offset i.
func decimals(s string, i int) int {
	for at(s, i) == '.' {
		_, end := scan.Digits(s, i+1)
		if end == i+1 {
			break
		}
		i = end
	}
	return i
}

// normal makes numbers comparable: lower case, and no zeros in front of a part.
func normal(id string) string {
	var b []byte
	start := true
	for i := range len(id) {
		c := id[i]
		if start && c == '0' && isDigit(at(id, i+1)) {
			continue
		}
		start = c == '-'
		b = append(b, lowerByte(c))
	}
	return string(b)
}

// CodeLen returns the length of a project code, "CK-" in any case, before a digit at the start of s. GSD takes "phase-" for one,
// too.
func CodeLen(s string) int {
	if !isLetter(first(s)) {
		return 0
	}
	i := 1
	for isWord(at(s, i)) {
		i++
	}
	if at(s, i) == '-' && isDigit(at(s, i+1)) {
		return i + 1
	}
	return 0
}

func trimZeros(digits string) string {
	for len(digits) > 1 && digits[0] == '0' {
		digits = digits[1:]
	}
	return digits
}
