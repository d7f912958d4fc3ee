package milestone

import "gatehouse/parse/text/scan"

// named returns the phases that a text names outside of fences, normalised: in headings of level 2 to 4, "[tag] Phase 4.5
// (tag): Name", and in bold at the start of list items, "- [x] **Phase 4.5 — Name**". Those of the icebox, 999, are left
// out. They are in no order, and in that of the text.
func named(text string) (ids map[string]bool, ordered []string) {
	ids = map[string]bool{}
	add := func(id string) {
		if id == "" || hasPrefix(id, "999") && !isWord(at(id, 3)) {
			return
		}
		if id = normal(id); !ids[id] {
			ids[id], ordered = true, append(ordered, id)
		}
	}
	for _, t := range tokens(text) {
		if t.level >= 2 && t.level <= 4 {
			add(phaseAt(withoutTag(t.text)))
		}
	}
	for line := range unfenced(text) {
		add(listed(line))
	}
	return ids, ordered
}

// withoutTag returns a heading without the tag in brackets that it may begin with.
func withoutTag(title string) string {
	if first(title) != '[' {
		return title
	}
	end := index(title, ']')
	if end < 2 || end > 1+maxTag {
		return title
	}
	return title[end+1:][scan.SkipSpace(title[end+1:], 0):]
}

// maxTag is the longest tag that GSD takes for one, in bytes.
const maxTag = 200

// phaseAt returns the number of a phase that a text begins with, "Phase 4.5:" or "Phase 4.5 (INSERTED):"; "" for others. The
// colon has to be there.
func phaseAt(text string) string {
	number, rest := afterPhase(text)
	if number == "" {
		return ""
	}
	rest = rest[tagLen(rest):]
	if at(rest, scan.SkipSpace(rest, 0)) != ':' {
		return ""
	}
	return number
}

// ofPhase reports whether a text begins with "Phase" and anything behind it.
func ofPhase(text string) bool {
	if !hasPrefixFold(text, "phase") {
		return false
	}
	rest := text[len("phase"):]
	i := scan.SkipSpace(rest, 0)
	return i > 0 && i < len(rest)
}

// afterPhase returns what may be the number behind "Phase", as long as it can be, and what follows it.
func afterPhase(text string) (number, rest string) {
	if !ofPhase(text) {
		return "", ""
	}
	rest = text[len("phase"):]
	rest = rest[scan.SkipSpace(rest, 0):]
	if !isWord(first(rest)) {
		return "", ""
	}
	end := 1
	for isWord(at(rest, end)) || at(rest, end) == '.' || at(rest, end) == '-' {
		end++
	}
	return rest[:end], rest[end:]
}

// tagLen returns the length of a tag in round brackets, blanks before it included; 0 without one.
func tagLen(text string) int {
	i := scan.SkipSpace(text, 0)
	if at(text, i) != '(' {
		return 0
	}
	for end := i + 1; end < len(text) && end <= i+1+maxTag && text[end] != '\n'; end++ {
		if text[end] == ')' {
			return end + 1
		}
	}
	return 0
}

// listed returns the number of the phase that a line lists, "" for other lines. Between number and name stands a colon or
// a dash, and the hyphen of "**Phase 3-Setup**" is one, too: the number is as long as such a sign lets it be.
func listed(line string) string {
	line = line[scan.SkipSpace(line, 0):]
	if c := first(line); c != '-' && c != '*' {
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
	if !hasPrefix(line, "**") {
		return ""
	}
	line = line[2:]
	number, rest := afterPhase(line)
	for end := len(number); end > 0; end-- {
		after := line[len(line)-len(rest)-len(number)+end:]
		if named := behindSign(after[tagLen(after):]) || behindSign(after); named {
			return number[:end]
		}
	}
	return ""
}

// behindSign reports whether a text is a colon or a dash, a name of at least one character, and the end of the bold.
func behindSign(text string) bool {
	text = text[scan.SkipSpace(text, 0):]
	for _, sign := range [...]string{"—", "–", ":", "-"} {
		if hasPrefix(text, sign) {
			rest := text[len(sign):]
			return len(rest) > 1 && contains(rest[1:], "**")
		}
	}
	return false
}
