package core

import (
	"gatehouse/parse/doc"
	"gatehouse/parse/text/scan"
)

// namedPhases returns the normalized phases that a text names outside of fences: in headings of level 2 to 4, "[tag] Phase 4.5
// (tag): Name", and in bold at the start of list items, "- [x] **Phase 4.5 — Name**". The icebox, 999, is left out.
func namedPhases(text string) map[string]bool {
	ids := map[string]bool{}
	add := func(id string) {
		if id != "" && !(doc.HasPrefix(id, "999") && !isWord(byteAt(id, 3))) {
			ids[normalizeID(id)] = true
		}
	}
	for _, t := range parseHeadings(text) {
		if t.level >= 2 && t.level <= 4 {
			add(parsePhaseHeading(cutTag(t.text)))
		}
	}
	for line := range unfencedLines(text) {
		add(parsePhaseItem(line))
	}
	return ids
}

// cutTag returns a heading without the tag in brackets that it may begin with.
func cutTag(title string) string {
	if byteAt(title, 0) != '[' {
		return title
	}
	end := doc.Index(title, "]")
	if end < 2 || end > 1+maxTag {
		return title
	}
	return title[end+1:][scan.SkipSpace(title[end+1:], 0):]
}

// maxTag is the longest tag that GSD takes for one, in bytes.
const maxTag = 200

// parsePhaseHeading returns the number of a phase that a text begins with, "Phase 4.5:" or "Phase 4.5 (INSERTED):"; "" for others. The
// colon has to be there.
func parsePhaseHeading(text string) string {
	number, rest := cutPhaseNumber(text)
	if number == "" {
		return ""
	}
	rest = rest[tagLength(rest):]
	if byteAt(rest, scan.SkipSpace(rest, 0)) != ':' {
		return ""
	}
	return number
}

// isPhaseTitle reports whether a text begins with "Phase" and anything behind it.
func isPhaseTitle(text string) bool {
	if !hasPrefixFold(text, "phase") {
		return false
	}
	rest := text[len("phase"):]
	i := scan.SkipSpace(rest, 0)
	return i > 0 && i < len(rest)
}

// cutPhaseNumber returns what may be the number behind "Phase", as long as it can be, and what follows it.
func cutPhaseNumber(text string) (number, rest string) {
	if !isPhaseTitle(text) {
		return "", ""
	}
	rest = text[len("phase"):]
	rest = rest[scan.SkipSpace(rest, 0):]
	if !isWord(byteAt(rest, 0)) {
		return "", ""
	}
	end := 1
	for isWord(byteAt(rest, end)) || byteAt(rest, end) == '.' || byteAt(rest, end) == '-' {
		end++
	}
	return rest[:end], rest[end:]
}

// tagLength returns the length of a tag in round brackets, blanks before it included; 0 without one.
func tagLength(text string) int {
	i := scan.SkipSpace(text, 0)
	if byteAt(text, i) != '(' {
		return 0
	}
	for end := i + 1; end < len(text) && end <= i+1+maxTag && text[end] != '\n'; end++ {
		if text[end] == ')' {
			return end + 1
		}
	}
	return 0
}

// parsePhaseItem returns the number of the phase that a line lists, "" for other lines. Between number and name stands a colon or
// a dash, and the hyphen of "**Phase 3-Setup**" is one, too: the number is as long as such a sign lets it be.
func parsePhaseItem(line string) string {
	line = line[scan.SkipSpace(line, 0):]
	if c := byteAt(line, 0); c != '-' && c != '*' {
		return ""
	}
	line = line[1:]
	i := scan.SkipSpace(line, 0)
	if i == 0 {
		return ""
	}
	line = line[i:]
	if len(line) > 3 && line[0] == '[' && (line[1] == ' ' || line[1] == 'x' || line[1] == 'X') && line[2] == ']' && scan.SpaceLen(line[3:]) > 0 {
		line = line[3:]
		line = line[scan.SkipSpace(line, 0):]
	}
	if !doc.HasPrefix(line, "**") {
		return ""
	}
	line = line[2:]
	number, rest := cutPhaseNumber(line)
	for end := len(number); end > 0; end-- {
		after := line[len(line)-len(rest)-len(number)+end:]
		if named := hasNameBehindSign(after[tagLength(after):]) || hasNameBehindSign(after); named {
			return number[:end]
		}
	}
	return ""
}

// hasNameBehindSign reports whether a text is a colon or a dash, a name of at least one character, and the end of the bold.
func hasNameBehindSign(text string) bool {
	text = text[scan.SkipSpace(text, 0):]
	for _, sign := range [...]string{"—", "–", ":", "-"} {
		if doc.HasPrefix(text, sign) {
			rest := text[len(sign):]
			return len(rest) > 1 && doc.Contains(rest[1:], "**")
		}
	}
	return false
}
