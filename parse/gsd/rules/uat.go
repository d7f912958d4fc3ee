// The tests of a UAT: which word their results are, for everyone, and, for the line, whether one is still to be passed. The
// dashboard reads more of them, fields with their lines.

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

// The words of results, as GSD writes them.
const (
	Pending = "pending"
	Pass    = "pass"
	Issue   = "issue"
	Skipped = "skipped"
	Blocked = "blocked"
)

// Awaited reports whether a human has yet to judge a test, by the word of its result.
func Awaited(result string) bool { return result == "" || result == Pending }

// Passed reports whether a human judged that a test works, by the word of its result.
func Passed(result string) bool { return result == Pass || result == "passed" }

// Failed reports whether a human found that it does not, by the word of its result.
func Failed(result string) bool { return result == Issue || result == "fail" || result == "failed" }

// Result takes the word out of a result as it is written: what stands before a bracket, a dash or the end of a sentence, in
// lower case. "[pending] # needs a phone", "pending (later)" and "[pending deploy]" are "pending", "PASS — on the phone" is
// "pass". Of a word that is no pass the rest is its reason; "pass with a crash" stays as it is, for nobody can tell.
func Result(value string) string {
	const around, signs = "[]\"'` *", "✅✓✔☑\uFE0F"
	value = trimOf(scan.TrimSpace(value[:Remark(value)]), around)
	for i := range value {
		if endsResult(value[i:]) {
			value = value[:i]
			break
		}
	}
	value = trimOf(value, around+".")
	if word := trimOf(value, around+signs); word != "" {
		value = word // a sign alone stays, and is no result
	}
	value = lower(value)
	const again = " on retest"
	if n := len(value) - len(again); n >= 0 && value[n:] == again {
		return value[:n]
	}
	for i := range value {
		if value[i] != ' ' {
			continue
		}
		switch word := value[:i]; word {
		case Pending, Issue, Skipped, Blocked, "fail", "failed":
			return word
		}
		break
	}
	return value
}

// endsResult reports whether a text begins with what ends the word of a result.
func endsResult(text string) bool {
	for _, sign := range [...]string{"(", "[", "]", "—", "–", " - ", " -- ", ";", ",", ":", ". "} {
		if scan.HasPrefixAt(text, sign, 0) {
			return true
		}
	}
	return false
}

// Remark returns where a comment begins in a value, its length where none does.
func Remark(value string) int {
	for i := range value {
		if value[i] == '#' || scan.HasPrefixAt(value, "<!--", i) {
			return i
		}
	}
	return len(value)
}

// GapClosed reports whether a gap that a UAT found is mended, or is none, by its status.
func GapClosed(status string) bool {
	return oneOf(Word(status), "resolved", "fixed", "closed", "done", "complete", "completed", "passed", "not_a_bug", "wont_fix", "wontfix", "by_design",
		"as_designed", "invalid", "duplicate", "accepted")
}

// Standing is how the tests of a UAT stand, by the worst of them.
type Standing uint8

// The last four keep a phase open.
const (
	TestsOver    Standing = iota // there is none, or nothing is left to do
	TestsPassed                  // a human has passed all, which answers what a verification leaves to one
	TestsUnknown                 // one has a result that nobody knows
	TestsBlocked                 // one could not be run
	TestsFailed                  // one found an issue
	TestsPending                 // one is before a human
)

// String says of the worst test how it stands: "that is pending".
func (s Standing) String() string {
	return [...]string{"that is over", "that has passed", "with a result that is none", "that could not be run", "with an issue", "that is pending"}[s]
}

// Tests says how the tests in the text of a UAT stand. An issue is over where the file calls itself resolved or all its gaps
// are closed; that, or a test that could not be run, is also over where mended says so, which is asked for these alone.
func Tests(text string, mended func() bool) Standing {
	u := tests{passed: true}
	u.read(text)
	switch {
	case u.pending, u.count == 0 && u.announced:
		return TestsPending
	case u.failed && !u.resolved() && !mended():
		return TestsFailed
	case u.blocked && !mended():
		return TestsBlocked
	case u.unknown:
		return TestsUnknown
	case u.passed && u.count > 0:
		return TestsPassed
	}
	return TestsOver
}

// tests is what is found of the tests of a UAT while it is read.
type tests struct {
	count                                     int
	pending, failed, blocked, unknown, passed bool
	announced                                 bool // "## Current Test" waits for the user
	called                                    bool // the file calls itself resolved
	gaps, closed                              int
}

func (u *tests) resolved() bool { return u.called || u.gaps > 0 && u.closed == u.gaps }

// add takes in the result of a test.
func (u *tests) add(result string) {
	u.count++
	u.passed = u.passed && Passed(result)
	switch {
	case Awaited(result):
		u.pending = true
	case Failed(result):
		u.failed = true
	case result == Blocked:
		u.blocked = true
	case !Passed(result) && result != Skipped:
		u.unknown = true
	}
}

// read takes in the whole text. What stands in code and in comments counts for nothing.
func (u *tests) read(text string) {
	u.called = Word(Status(text)) == "resolved"
	_, body, ok := scan.Frontmatter(text)
	if !ok {
		body = text
	}
	section, within, word := "", false, "" // within a test, whose result is word so far
	fenced, comment := false, false
	end := func() {
		if within {
			u.add(word)
		}
		within, word = false, ""
	}
	top := true // the line before is blank, or ends what stands above
	for i := 0; i < len(body); {
		stop := scan.LineEnd(body, i)
		l := body[i:stop]
		i = stop + max(scan.TerminatorLen(body[stop:]), 1)
		if scan.HasPrefixAt(body, "\r\n", stop) {
			i = stop + len("\r\n")
		}
		text := l[scan.SkipBlanks(l, 0):]
		underlined := !fenced && !comment && i < len(body) && scan.Setext(top, l, body[i:]) > 0
		top = underlined || fenced || text == "" || text[0] == '#'
		switch {
		case underlined:
			end()
			section = lower(scan.TrimSpace(l))
		case scan.HasPrefixAt(text, "```", 0) || scan.HasPrefixAt(text, "~~~", 0):
			fenced = !fenced
		case fenced:
		case comment || scan.HasPrefixAt(text, "<!--", 0):
			comment = scan.Index(text, "-->") < 0
		case scan.HasPrefixAt(l, "#", 0):
			end()
			level := 0
			for level < len(l) && l[level] == '#' {
				level++
			}
			if level <= 2 {
				section = lower(scan.TrimSpace(l[level:]))
			} else {
				within = starts(section, "test")
			}
		case within:
			if value, is := value(text, "result"); is {
				word = Result(value)
			}
		case section == "current test":
			if value, is := value(text, "awaiting"); is {
				u.announced = line.ContainsFold(value, "user")
			}
		case section == "gaps":
			if scan.HasPrefixAt(text, "- ", 0) && len(text) == len(l) {
				u.gaps++
			}
			if value, is := value(text, "status"); is && GapClosed(trimOf(value[:Remark(value)], "\"' ")) {
				u.closed++
			}
		}
	}
	end()
}

// value returns the value of a line "key: value", also as a list item, in bold or in brackets.
func value(l, key string) (value string, ok bool) {
	i := 0
	for i < len(l) && (l[i] == '-' || l[i] == '*' || l[i] == ' ') {
		i++
	}
	if !starts(l[i:], key) {
		return "", false
	}
	for i += len(key); i < len(l) && l[i] == '*'; i++ {
	}
	if i == len(l) || l[i] != ':' {
		return "", false
	}
	for i++; i < len(l) && (l[i] == '*' || l[i] == ' '); i++ {
	}
	return scan.TrimSpace(l[i:]), true
}

// starts reports whether a text begins with a word, given in lower case, in any case.
func starts(text, word string) bool {
	return len(text) >= len(word) && line.ContainsFold(text[:len(word)], word)
}

// lower returns a text with its ASCII letters in lower case.
func lower(text string) string {
	b := []byte(text)
	for i, c := range b {
		if c >= 'A' && c <= 'Z' {
			b[i] = c + 'a' - 'A'
		}
	}
	return string(b)
}

// trimOf takes the characters of a set off both ends of a text.
func trimOf(text, set string) string {
	in := func(c rune) bool {
		for _, x := range set {
			if x == c {
				return true
			}
		}
		return false
	}
	start, end := len(text), 0
	for i, c := range text {
		if !in(c) {
			start = i
			break
		}
	}
	for i, c := range text {
		if !in(c) {
			end = i + len(string(c))
		}
	}
	if end <= start {
		return ""
	}
	return text[start:min(end, len(text))]
}
