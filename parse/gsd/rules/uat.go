// What the line asks of a UAT: whether a test of it is still to be passed. The dashboard reads more, fields with their lines.

package rules

import (
	"gatehouse/model/line"
	"gatehouse/parse/text/scan"
)

// IsUAT reports whether a file of a phase's directory is a UAT by its name.
func IsUAT(name string) bool {
	const suffix = ".md"
	if len(name) < len(suffix) || name[len(name)-len(suffix):] != suffix {
		return false
	}
	for i := range name {
		if scan.HasPrefixAt(name, "-UAT", i) {
			return true
		}
	}
	return name == "UAT.md"
}

// OpenTest says of the first test in the text of a UAT that a human has not passed how it stands, "" where there is none: it
// is pending, found an issue that is not resolved, or could not be run. What stands in code, and below other headings than
// "## Tests", counts for nothing; nor does an issue where the file or one of its gaps calls it resolved.
func OpenTest(text string) (how string) {
	_, body, ok := scan.Frontmatter(text)
	if !ok {
		body = text
	}
	resolved := field(text, "status", "resolved") || field(body, "status", "resolved")
	inTests, fenced, waits := false, false, false
	for i := 0; i < len(body); {
		end := scan.LineEnd(body, i)
		l := body[i:end]
		i = end + max(scan.TerminatorLen(body[end:]), 1)
		switch at := scan.SkipBlanks(l, 0); {
		case scan.HasPrefixAt(l, "```", at):
			fenced = !fenced
		case fenced:
		case scan.HasPrefixAt(l, "###", 0):
			if waits {
				return "that is pending"
			}
			waits = inTests
		case scan.HasPrefixAt(l, "#", 0):
			if waits {
				return "that is pending"
			}
			waits, inTests = false, line.ContainsFold(l, "# test")
		case inTests:
			value, is := result(l)
			if !is {
				continue
			}
			waits = false
			switch {
			case value == "" || starts(value, "pending"):
				return "that is pending"
			case starts(value, "issue") || starts(value, "fail"):
				if !resolved {
					return "with an issue"
				}
			case starts(value, "blocked"):
				if !resolved {
					return "that could not be run"
				}
			}
		}
	}
	if waits {
		return "that is pending"
	}
	return ""
}

// result returns the value of a line "result: …", also as a list item, in bold or in brackets.
func result(l string) (value string, ok bool) {
	i := 0
	for i < len(l) && (l[i] == ' ' || l[i] == '\t' || l[i] == '-' || l[i] == '*') {
		i++
	}
	const key = "result"
	if !starts(l[i:], key) {
		return "", false
	}
	for i += len(key); i < len(l) && l[i] == '*'; i++ {
	}
	if i == len(l) || l[i] != ':' {
		return "", false
	}
	for i++; i < len(l) && (l[i] == ' ' || l[i] == '\t' || l[i] == '*' || l[i] == '[' || l[i] == '"' || l[i] == '\''); i++ {
	}
	return scan.TrimSpace(l[i:]), true
}

// starts reports whether a text begins with a word, given in lower case, in any case.
func starts(text, word string) bool {
	return len(text) >= len(word) && line.ContainsFold(text[:len(word)], word)
}

// field reports whether a text has a line "key: value", indented or not.
func field(text, key, value string) bool {
	for i := 0; i < len(text); {
		end := scan.LineEnd(text, i)
		l := text[i:end]
		i = end + max(scan.TerminatorLen(text[end:]), 1)
		at := scan.SkipBlanks(l, 0)
		if scan.HasPrefixAt(l, key, at) && scan.HasPrefixAt(l, ":", at+len(key)) && starts(scan.TrimSpace(l[at+len(key)+1:]), value) {
			return true
		}
	}
	return false
}
