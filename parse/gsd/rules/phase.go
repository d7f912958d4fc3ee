// What the files of a phase say by their names and by the status in their frontmatter.

package rules

import (
	"gatehouse/model/line"
	"gatehouse/parse/text/scan"
)

// Superseded reports whether the status of a plan, as [Status] returns it, says that another one takes its place. As GSD
// reads it, a comment behind the word is part of it, and the plan counts.
func Superseded(status string) bool {
	const word = "superseded"
	status = scan.Unquote(scan.TrimSpace(status))
	return len(status) == len(word) && line.ContainsFold(status, word)
}

// Status returns the status in the frontmatter of a text as GSD reads it: with a comment that stands behind it, and also where
// no blank stands before it; "" without one. Of several the last counts.
func Status(text string) string { return Value(text, "status") }

// Value returns a value in the frontmatter of a text as it is written, "" where it has none. Of several the last counts.
func Value(text, key string) (value string) {
	block, _, _ := scan.Frontmatter(text)
	s := scan.Scalars{Block: block}
	for {
		k, v, ok := s.Next()
		if !ok {
			return value
		}
		if k == key {
			value = v
		}
	}
}

// Verified reports whether the status of a verification, as [Status] returns it, says that it passed. As GSD reads it, a
// comment behind the word is part of it, and the phase is not verified.
func Verified(status string) bool {
	const word = "passed"
	return len(status) == len(word) && line.ContainsFold(status, word)
}

// ClosesGaps reports whether a plan was made to close the gaps that a UAT found, by its gap_closure.
func ClosesGaps(value string) bool { return Word(value) == "true" }

// What the status of a verification says, by its [Word], where it has not passed.
const (
	GapsFound   = "gaps_found"
	HumanNeeded = "human_needed" // it leaves things to a human
)

// AsksHuman reports whether a verification leaves things to a human: by the status in its frontmatter, or, where that has none,
// by the first line of its body that has one, "**Status:** human_needed". GSD reads the frontmatter alone, and takes a phase
// without a status there for one that was not verified; but the human is asked all the same.
func AsksHuman(text string) bool {
	text = scan.WithoutMark(text)
	if status := Status(text); status != "" {
		return Word(status) == HumanNeeded
	}
	_, body, ok := scan.Frontmatter(text)
	if !ok {
		body = text
	}
	fenced := false
	for i := 0; i < len(body); {
		end := scan.LineEnd(body, i)
		l := body[scan.SkipBlanks(body[:end], i):end]
		i = end + max(scan.TerminatorLen(body[end:]), 1)
		if scan.HasPrefixAt(l, "```", 0) || scan.HasPrefixAt(l, "~~~", 0) {
			fenced = !fenced
		}
		if said, is := value(l, "status"); is && !fenced {
			w := words(said)
			return w.has("human needed") && !w.has("no human needed") || AwaitsHuman(said)
		}
	}
	return false
}

// Verification returns which of the names of a phase's files is that of its verification, "" without one: of several the
// first by name, in whatever order they come.
func Verification(names []string) (first string) {
	const name, suffix = "VERIFICATION.md", "-VERIFICATION.md"
	for _, n := range names {
		if (n == name || scan.HasPrefixAt(n, suffix, max(len(n)-len(suffix), 0))) && (first == "" || n < first) {
			first = n
		}
	}
	return first
}

// IsVerification reports whether a file of a phase's directory is a verification by its name, whichever of several.
func IsVerification(name string) bool {
	const word, suffix = "VERIFICATION", ".md"
	if len(name) < len(word)+len(suffix) || name[len(name)-len(suffix):] != suffix {
		return false
	}
	for i := range name {
		if (i == 0 || name[i-1] == '-') && scan.HasPrefixAt(name, word, i) {
			end := name[i+len(word):]
			return end == suffix || end[0] == '-'
		}
	}
	return false
}

// Word returns the word that a status or another value is, quoted or not, with a comment behind it or none: in lower case, with _
// for hyphens and blanks.
func Word(value string) string {
	value = scan.TrimSpace(value)
	for i := 1; i < len(value); i++ {
		if value[i] == '#' && (value[i-1] == ' ' || value[i-1] == '\t') {
			value = scan.TrimSpace(value[:i])
			break
		}
	}
	b := []byte(lower(scan.Unquote(value)))
	for i, c := range b {
		if c == '-' || c == ' ' {
			b[i] = '_'
		}
	}
	return string(b)
}
