// The comparison of a STATE.md with the figures of its project. Captures write the differences, "sync" proposes them, and the mark ≠ and
// "check" show them.

package statemd

import (
	"path"
	"regexp"
	"slices"
	"strings"

	"gatehouse/model"
	"gatehouse/model/line"
	"gatehouse/parse/ultraplan/core"
)

// Difference is a field of STATE.md that the tree and the logs deny.
type Difference struct {
	Field        string // its name in the file; "Phase 3" for a row of the table
	Line         int
	Claim, Truth string       // as text for users
	Spans        []model.Span // the edit that corrects it; none if only a human can
}

// comparison compares one text with figures.
type comparison struct {
	*page
	says  *core.State
	is    *Figures
	rows  []core.PhaseRow // of a table By Phase with the template's columns; tables with other columns are not changed
	found []Difference
}

func newComparison(text string, is *Figures) *comparison {
	c := &comparison{page: parsePage(text), says: core.ParseState(text), is: is}
	c.rows = slices.DeleteFunc(slices.Clone(c.says.Phases), func(r core.PhaseRow) bool { return !r.IsTemplate })
	return c
}

// FindDifferences returns the fields of a STATE.md that the figures deny, in the order of the template. A missing field is not added.
func FindDifferences(text string, is *Figures) []Difference {
	if is.Unlisted != "" {
		return nil
	}
	c := newComparison(text, is)
	if c.says.Conflict > 0 {
		return nil // the two sides of a merge conflict claim different things
	}
	c.comparePosition()
	c.compareActivity()
	c.compareProgress()
	c.compareVelocity()
	c.compareResume()
	return c.found
}

// Spans returns the edits that correct the differences.
func Spans(differences []Difference) (spans []model.Span) {
	for _, d := range differences {
		spans = append(spans, d.Spans...)
	}
	return spans
}

// addDifference records that a field should have another value.
func (c *comparison) addDifference(v value, now, truth string) {
	claim := "STATE.md says “" + v.name + ": " + line.Tidy(v.text) + "”"
	if isUnset(v.text) {
		claim = "STATE.md leaves “" + v.name + "” open"
	}
	c.found = append(c.found, Difference{Field: v.name, Line: v.line, Claim: claim, Truth: truth, Spans: v.setValue(now)})
}

// addReport records a claim that only a human can correct.
func (c *comparison) addReport(v value, truth string) {
	c.found = append(c.found, Difference{Field: v.name, Line: v.line, Claim: "STATE.md says “" + v.name + ": " + line.Tidy(v.text) + "”", Truth: truth})
}

// compareActivity compares the last activity with the newest result. A later day, and other words on the same day, describe later work.
func (c *comparison) compareActivity() {
	v, ok := c.findField("Last activity")
	if !ok || c.is.last == nil {
		return
	}
	if now := FormatActivity(c.is.last); v.text != now && (c.is.IsEvent || c.isOlder(v.text)) {
		c.addDifference(v, now, "the newest log is “"+now+"”")
	}
}

var resultWords = regexp.MustCompile(`^(?:\d{4}-\d{2}-\d{2} - )?(?:Completed Task|Failed:|Blocked:) `)

// isOlder reports whether a last activity was before the newest result.
func (c *comparison) isOlder(activity string) bool {
	if activity == FormatActivity(c.is.last) {
		return false
	}
	if on := core.ParseDate(activity); on != c.is.last.Day() && on != "" {
		return on < c.is.last.Day()
	}
	return isUnset(activity) || resultWords.MatchString(activity)
}

// FormatActivity returns the text of the last activity for a result.
func FormatActivity(l *core.Log) string {
	word := map[string]string{core.Success: "Completed ", core.Failure: "Failed: ", core.Blocked: "Blocked: "}[l.Status]
	return l.Day() + " - " + word + PlainText(l.Name)
}

// compareResume compares the resume file with the files that are there.
func (c *comparison) compareResume() {
	v, ok := c.findField("Resume file")
	if !ok {
		return
	}
	file := path.Clean(strings.TrimPrefix(strings.Trim(v.text, "`"), "./"))
	switch {
	case c.is.HasResume && isUnset(v.text):
		c.addDifference(v, core.ResumeFile, "work was broken off: "+core.ResumeFile+" is there")
	case isUnset(v.text) || strings.ContainsAny(file, " \t") || !strings.Contains(file, ".") || path.IsAbs(file) || strings.HasPrefix(file, ".."):
	case file == core.ResumeFile && !c.is.HasResume || file != core.ResumeFile && c.is.Exists != nil && !c.is.Exists(file):
		c.addDifference(v, "None", "there is no such file")
	}
}

// ResumeSpans returns the edit that corrects the resume file alone.
func ResumeSpans(text string, exists func(file string) bool) []model.Span {
	c := &comparison{page: parsePage(text), is: &Figures{Exists: exists, HasResume: exists(core.ResumeFile)}}
	c.compareResume()
	return Spans(c.found)
}
