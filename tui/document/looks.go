package document

// The files that the user has looked at, and their changes since. They are remembered until the dashboard ends, and bounded.

import (
	"bytes"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/rogpeppe/go-internal/diff"
)

const (
	LookedBytes = 64 << 10 // of a file that are remembered
	lookedKept  = 16       // remembered files
	changedRows = 200      // rows of a difference
)

// Looked is a file in the version that the user has looked at.
type Looked struct {
	Project, File string
	Text          string // up to LookedBytes of it
	At            time.Time
	Before        string    // the last different text
	BeforeAt      time.Time // zero: there was none
}

// Looks are the files that the user has looked at, the last one last.
type Looks struct{ all []Looked }

func (s *Looks) findLook(project, file string) int {
	return slices.IndexFunc(s.all, func(l Looked) bool { return l.Project == project && l.File == file })
}

// Of returns the last look at a file, the zero value without one.
func (s *Looks) Of(project, file string) Looked {
	if i := s.findLook(project, file); i >= 0 {
		return s.all[i]
	}
	return Looked{}
}

// Remember remembers a look.
func (s *Looks) Remember(now Looked) {
	if i := s.findLook(now.Project, now.File); i >= 0 {
		s.all = slices.Delete(s.all, i, i+1)
	}
	s.all = append(s.all, now)
	s.all = slices.Delete(s.all, 0, max(len(s.all)-lookedKept, 0))
}

// Again returns a look at a text that was looked at before. Lines that were new at the last look stay new if the text is the same.
func (before Looked) Again(project, file, text string, at time.Time) Looked {
	now := Looked{Project: project, File: file, Text: Beginning(text), At: at, Before: before.Text, BeforeAt: before.At}
	if before.Text == now.Text && !before.BeforeAt.IsZero() {
		now.Before, now.BeforeAt = before.Before, before.BeforeAt
	}
	return now
}

// Changed reports whether the file was different when the user last looked.
func (l Looked) Changed() bool { return !l.BeforeAt.IsZero() && l.Before != l.Text }

// Beginning returns the part of a text that is remembered.
func Beginning(text string) string {
	if len(text) > LookedBytes {
		text = strings.ToValidUTF8(text[:LookedBytes], "")
	}
	return strings.Clone(text)
}

// IsText reports whether a file's content is readable text.
func IsText(text string) bool { return utf8.ValidString(text) && !strings.ContainsRune(text, 0) }

// Change is a line of a difference.
type Change struct {
	Sign byte // '+' for new lines, '-' for removed ones, ' ' for context, '@' between two places, '!' if more is left out
	Text string
	Line int // in the current text, 0 for removed lines
}

// Changes returns the changes of the text since the previous look, none without one.
func (l Looked) Changes() []Change {
	if !l.Changed() {
		return nil
	}
	all := diff.Diff("a", []byte(l.Before), "b", []byte(l.Text))
	for range 3 { // the names of the files
		_, all, _ = bytes.Cut(all, []byte("\n"))
	}
	var changes []Change
	line := 0
	for s := range strings.SplitSeq(strings.TrimSuffix(string(all), "\n"), "\n") {
		if len(changes) == changedRows {
			return append(changes, Change{Sign: '!', Text: "more has changed than is shown here"})
		}
		switch {
		case strings.HasPrefix(s, "@@"):
			line = startOf(s)
			changes = append(changes, Change{Sign: '@'})
		case s == "", s[0] == '\\':
		default:
			c := Change{Sign: s[0], Text: strings.TrimRight(s[1:], "\r")}
			if c.Sign != '-' {
				c.Line = line
				line++
			}
			changes = append(changes, c)
		}
	}
	return changes
}

// startOf returns the line of the new text at which a place begins: "@@ -1,4 +2,6 @@".
func startOf(place string) (line int) {
	_, after, _ := strings.Cut(place, "+")
	for _, c := range []byte(after) {
		if c < '0' || c > '9' {
			break
		}
		line = line*10 + int(c-'0')
	}
	return line
}
