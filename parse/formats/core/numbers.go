package core

import (
	"cmp"
	"slices"

	"gatehouse/model/line"
	"gatehouse/parse/doc"
)

// Numbers, ids and words as the formats write them.

// parsePhase splits the title of a heading "Phase 3: Setup" or "Phase 6 (Final): Polish".
func parsePhase(title string) (number, name string, ok bool) {
	if doc.HasPrefix(title, "[") || !doc.HasPrefix(doc.Lower(title), "phase ") {
		return "", title, false
	}
	rest := line.TrimSpace(title[len("phase "):])
	n := 0
	for n < len(rest) && (isAlnum(rest[n]) || rest[n] == '.' && n+1 < len(rest) && isAlnum(rest[n+1])) {
		n++
	}
	if number = rest[:n]; n == 0 || !isDigit(number[0]) && n > 2 {
		return "", title, false
	}
	rest = line.TrimSpace(rest[n:])
	if doc.HasPrefix(rest, "(") {
		if note, behind, found := doc.Cut(rest[1:], ")"); found {
			if rest = line.TrimSpace(behind); rest == "" {
				rest = note
			}
		}
	}
	for _, mark := range [...]string{":", "：", "—", "–", "-"} {
		if doc.HasPrefix(rest, mark) {
			rest = line.TrimSpace(rest[len(mark):])
			break
		}
	}
	return number, rest, true
}

// parseTaskID returns the id at the start of a task, "T001" or "I9-T001", and the text after it. Marks of code, bold and struck
// text around it do not matter.
func parseTaskID(text string) (id, rest string) {
	start := 0
	for start < len(text) && doc.Contains("*~`[", text[start:start+1]) {
		start++
	}
	n, digits, prefix := start, 0, 0
	for n < len(text) && (isAlnum(text[n]) || text[n] == '-' && n+1 < len(text) && isAlnum(text[n+1])) {
		switch {
		case isDigit(text[n]):
			digits++
		case digits == 0 && isUpper(text[n]):
			prefix++
		}
		n++
	}
	id = text[start:n]
	isTask := doc.HasPrefix(id, "T") && prefix == 1 && digits > 0 || digits >= 3 && prefix <= 4 || doc.Contains(id, "-T") && digits > 0
	if n == start || !isUpper(id[0]) || !isTask || n < len(text) && !startsBlank(text[n:]) && !doc.Contains("*~`]:.,", text[n:n+1]) {
		return "", text
	}
	for n < len(text) && doc.Contains("*~`]:.", text[n:n+1]) {
		n++
	}
	rest = line.TrimSpace(text[n:])
	for _, dash := range [...]string{"— ", "– ", "- "} {
		if doc.HasPrefix(rest, dash) {
			rest = line.TrimSpace(rest[len(dash):])
		}
	}
	return id, rest
}

// cutLabels splits the title of a task from the labels before it: "[P] [US1] [Owner: Ann] Title".
func cutLabels(text string) (title, labels string) {
	for title = text; doc.HasPrefix(title, "["); {
		_, rest, ok := doc.Cut(title, "]")
		if rest = line.TrimSpace(rest); !ok || rest == "" || rest[0] == '(' {
			break
		}
		title = rest
	}
	return title, text[:len(text)-len(title)]
}

// parseKiroNumber returns the number at the start of a task, and the text after it. A star after the number marks an optional task.
func parseKiroNumber(text string) (number, rest string, isOptional bool) {
	for doc.HasPrefix(text, "*") {
		text = text[1:]
	}
	n, digits, dots := 0, 0, 0
	for n < len(text) && (isAlnum(text[n]) && (digits == 0 || dots > 0 || isDigit(text[n])) || text[n] == '.' && digits > 0 && n+1 < len(text) && isAlnum(text[n+1])) {
		switch {
		case isDigit(text[n]):
			digits++
		case text[n] == '.':
			dots++
		case digits == 0 && n > 1:
			return "", text, false
		}
		n++
	}
	end := n
	for end < len(text) && doc.Contains("*.:)", text[end:end+1]) {
		isOptional = isOptional || text[end] == '*' && (end == n || text[end-1] != '*') && !doc.HasPrefix(text[end:], "**")
		end++
	}
	isNumber := digits > 0 && (dots > 0 || end > n || isUpper(text[0]))
	if !isNumber || end < len(text) && !startsBlank(text[end:]) {
		return "", text, false
	}
	return text[:n], line.TrimSpace(text[end:]), isOptional
}

// startsBlank reports whether a text begins with white space.
func startsBlank(text string) bool { return line.TrimStart(text) != text }

// compareKeys orders keys such as 2-6a-x by their numbers, then by their letters.
func compareKeys(a, b string) int {
	for a != "" && b != "" {
		m, n := doc.CountDigits(a), doc.CountDigits(b)
		switch {
		case m > 0 && n > 0 && a[:m] != b[:n]:
			return cmp.Or(cmp.Compare(m, n), cmp.Compare(a[:m], b[:n]))
		case m > 0 && n > 0:
			a, b = a[m:], b[n:]
		case a[0] != b[0]:
			return cmp.Compare(a[0], b[0])
		default:
			a, b = a[1:], b[1:]
		}
	}
	return cmp.Compare(len(a), len(b))
}

// words are the words for statuses.
type words []struct {
	status Status
	words  []string
}

// statusOf returns the status of a word, Unknown for other words.
func (w words) statusOf(word string) Status {
	for i := range w {
		if slices.Contains(w[i].words, word) {
			return w[i].status
		}
	}
	return Unknown
}

// normalizeWord returns a status in lower case, with "-" between its words.
func normalizeWord(word string) string {
	return doc.ReplaceAll(doc.ReplaceAll(doc.Lower(line.TrimSpace(word)), "_", "-"), " ", "-")
}
