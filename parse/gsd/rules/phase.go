// What the files of a phase say by their names and by the status in their frontmatter.

package rules

import (
	"gatehouse/model/line"
	"gatehouse/parse/text/scan"
)

// Superseded reports whether the status of a plan says that another one takes its place.
func Superseded(status string) bool { return isWord(status, "superseded") }

// FoundGaps reports whether the status of a verification says that it found gaps.
func FoundGaps(status string) bool {
	return isWord(status, "gaps_found") || isWord(status, "gaps-found")
}

// HumanNeeded reports whether the status of a verification leaves things to a human.
func HumanNeeded(status string) bool {
	return isWord(status, "human_needed") || isWord(status, "human-needed")
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

// isWord reports whether a status is a word, given in lower case: in any case, quoted or not, with a comment behind it or
// none.
func isWord(status, word string) bool {
	status = scan.TrimSpace(status)
	for i := 1; i < len(status); i++ {
		if status[i] == '#' && (status[i-1] == ' ' || status[i-1] == '\t') {
			status = scan.TrimSpace(status[:i])
			break
		}
	}
	status = scan.Unquote(status)
	return len(status) == len(word) && line.ContainsFold(status, word)
}
