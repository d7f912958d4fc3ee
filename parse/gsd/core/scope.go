package core

import (
	"gatehouse/parse/doc"
)

// Scope says which phases belong to the current milestone. The zero value holds every phase that is not of the backlog.
type Scope struct {
	Version string // as STATE.md writes it, quotation marks included; "" if no file names one
	// Found is true if ROADMAP.md has a section for that version. Without one the scope is the whole file, except
	// folded parts.
	Found bool

	ids     map[string]bool // the phases that are named, normalized
	hyphens bool            // one of them is of two parts, "02-01"
}

// NewScope returns the scope that GSD's tools make of the version that STATE.md declares, "" for none, and the text of ROADMAP.md.
func NewScope(declared, roadmap string) Scope {
	s := Scope{Version: declared}
	if s.Version == "" {
		s.Version = versionInProgress(roadmap)
	}
	var text string
	text, s.Found = currentWindow(roadmap, s.Version)
	s.ids = namedPhases(text)
	for id := range s.ids {
		s.hyphens = s.hyphens || doc.Contains(id, "-")
	}
	return s
}

// HoldsAll reports whether no phase is named: then every directory belongs.
func (s *Scope) HoldsAll() bool { return len(s.ids) == 0 }

// NamesPhase reports whether a phase is listed, by its number as ROADMAP.md writes it.
func (s *Scope) NamesPhase(id string) bool {
	return s.ids[normalizeID(id)] || s.ids[normalizeID(id[codeLength(id):])]
}

// HoldsDir reports whether a directory of phases/ belongs to the scope, by its name.
func (s *Scope) HoldsDir(dir string) bool {
	bare := dir[codeLength(dir):]
	digits, _ := digitsAt(bare, 0)
	if digits = trimZeros(digits); digits == "0" || digits == "999" {
		return false
	}
	if s.HoldsAll() {
		return true
	}
	if s.ids[normalizeID(s.leadingNumber(bare))] {
		return true
	}
	// A name that begins with a letter belongs if it begins with a word that is named.
	name := normalizeID(dir) + "-"
	for id := range s.ids {
		if isLetter(name[0]) && doc.HasPrefix(name, id+"-") {
			return true
		}
	}
	return false
}

// leadingNumber returns the number that a directory's name begins with: digits, a letter, decimals. If phases are numbered in two
// parts, parts of exactly two digits belong to it, and it ends with the name or before a hyphen.
func (s *Scope) leadingNumber(name string) (longest string) {
	_, end := digitsAt(name, 0)
	if end == 0 {
		return ""
	}
	if isLetter(byteAt(name, end)) {
		end++
	}
	if !s.hyphens {
		return name[:skipDecimals(name, end)]
	}
	for {
		if stop := skipDecimals(name, end); stop == len(name) || name[stop] == '-' {
			longest = name[:stop]
		}
		if byteAt(name, end) != '-' || doc.CountDigits(name[end+1:]) != 2 {
			return longest
		}
		if end += len("-02"); isUpper(byteAt(name, end)) {
			end++
		}
	}
}

// skipDecimals returns the offset after the decimals (".5", ".5.1") that s has at offset i.
func skipDecimals(s string, i int) int {
	for byteAt(s, i) == '.' && isDigit(byteAt(s, i+1)) {
		_, i = digitsAt(s, i+1)
	}
	return i
}

// normalizeID makes numbers comparable: in lower case, without leading zeros in any part.
func normalizeID(id string) string {
	var b []byte
	for i := range len(id) {
		if isStart := len(b) == 0 || b[len(b)-1] == '-'; !isStart || id[i] != '0' || !isDigit(byteAt(id, i+1)) {
			b = append(b, foldByte(id[i]))
		}
	}
	return string(b)
}

// codeLength returns the length of a project code, "CK-" in any case, before a digit at the start of s. GSD takes "phase-" for one,
// too.
func codeLength(s string) int {
	end := wordEnd(s, 0)
	if isLetter(byteAt(s, 0)) && byteAt(s, end) == '-' && isDigit(byteAt(s, end+1)) {
		return end + 1
	}
	return 0
}

// namedPhases returns the normalized phases that a text names outside of fences: in headings of level 2 to 4, "[tag] Phase 4.5
// (tag): Name", and in bold at the start of list items, "- [x] **Phase 4.5 — Name**". The icebox, 999, is left out.
func namedPhases(text string) map[string]bool {
	ids := map[string]bool{}
	for l := range doc.Lines(text, 0, len(text)) {
		id := ""
		if level, title := parseHeading(l.Text); level >= 2 && level <= 4 {
			id = parsePhaseHeading(cutTag(title, "[", "]"))
		} else {
			id = parsePhaseItem(l.Text)
		}
		if id != "" && !l.Code && (!doc.HasPrefix(id, "999") || isWord(byteAt(id, 3))) {
			ids[normalizeID(id)] = true
		}
	}
	return ids
}

// cutTag returns a text without the tag in brackets, and the blanks around it, that it may begin with.
func cutTag(text, open, end string) string {
	text = trimSpace(text)
	if tag, rest, ok := doc.Cut(text, end); ok && doc.HasPrefix(tag, open) {
		return trimSpace(rest)
	}
	return text
}

// parsePhaseHeading returns the number of a phase that a text begins with, "Phase 4.5:" or "Phase 4.5 (INSERTED):"; "" for others. The
// colon is required.
func parsePhaseHeading(text string) string {
	number, rest := cutPhaseNumber(text)
	if rest = cutTag(rest, "(", ")"); !doc.HasPrefix(rest, ":") {
		return ""
	}
	return number
}

// isPhaseTitle reports whether a text begins with "Phase" and anything after it.
func isPhaseTitle(text string) bool {
	return hasPrefixFold(text, "phase") && spaceLen(text[len("phase"):]) > 0 && trimSpace(text[len("phase"):]) != ""
}

// cutPhaseNumber returns the longest number that may be meant after "Phase", and the text after it.
func cutPhaseNumber(text string) (number, rest string) {
	if !isPhaseTitle(text) {
		return "", ""
	}
	rest = trimSpace(text[len("phase"):])
	end := wordEnd(rest, 0)
	for end > 0 && (isWord(byteAt(rest, end)) || byteAt(rest, end) == '.' || byteAt(rest, end) == '-') {
		end++
	}
	return rest[:end], rest[end:]
}

// parsePhaseItem returns the number of the phase that a line lists, "" for other lines. A colon or a dash must separate number and
// name. The hyphen of "**Phase 3-Setup**" is such a dash: the number is as long as the separator permits.
func parsePhaseItem(line string) string {
	item := trimSpace(line)
	if !hasAnyPrefix(item, "- ", "* ") {
		return ""
	}
	if item = trimSpace(item[2:]); hasAnyPrefix(item, "[ ] ", "[x] ", "[X] ") {
		item = trimSpace(item[4:])
	}
	if !doc.HasPrefix(item, "**") {
		return ""
	}
	number, rest := cutPhaseNumber(item[len("**"):])
	for end := len(number); end > 0; end-- {
		after := cutTag(number[end:]+rest, "(", ")")
		for _, sign := range [...]string{"—", "–", ":", "-"} {
			if doc.HasPrefix(after, sign) && doc.Index(after, "**") > len(sign) {
				return number[:end]
			}
		}
	}
	return ""
}
