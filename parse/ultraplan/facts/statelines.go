// The lines of a STATE.md: its sections, their fields, a percentage.

package facts

import (
	"regexp"
	"strings"

	"gatehouse/parse/text/markdown"
)

// PositionTitle is the title of the section about where the work is.
const PositionTitle = "Current Position"

// SectionLines returns the lines below the first heading of a title, up to the next heading of its level or above, code and
// comments left out. ok is false without such a heading. A title that goes on behind the one asked for counts, so that
// "Blockers" finds "Blockers/Concerns".
func SectionLines(text, title string) (lines []markdown.Line, ok bool) {
	level := 0
	for l := range markdown.Lines(text, 1) {
		switch {
		case l.Code || l.Comment:
		case level == 0:
			if l.Level > 0 && len(l.Title) >= len(title) && strings.EqualFold(l.Title[:len(title)], title) {
				level = l.Level
			}
		case l.Level > 0 && l.Level <= level:
			return lines, true
		default:
			lines = append(lines, l)
		}
	}
	return lines, level > 0
}

// fieldForm is a line with a field: what may stand before the name, the name, the colon and what may stand around it.
var fieldForm = regexp.MustCompile(`^[ \t]*(?:[-*+][ \t]+)?(?:\*\*|__)?([^:*]+?)(?:\*\*|__)?:(?:\*\*|__)?[ \t]*`)

// FieldValue returns where the value of a field stands in a line, blanks around it left out; ok is false for other lines.
func FieldValue(l, name string) (from, to int, ok bool) {
	m := fieldForm.FindStringSubmatchIndex(l)
	if m == nil || !strings.EqualFold(l[m[2]:m[3]], name) {
		return 0, 0, false
	}
	return m[1], max(m[1], len(strings.TrimRight(l, " \t\r"))), true
}

// SaysNone reports whether a line stands for there being nothing: "None", "- None yet.".
func SaysNone(t string) bool {
	if item, _, ok := markdown.Item(t); ok {
		t = item
	}
	switch strings.ToLower(strings.Trim(t, "._*() ")) {
	case "none", "none yet", "n/a":
		return true
	}
	return false
}

var percentForm = regexp.MustCompile(`\d+(?:\.\d+)?%`)

// PercentIn returns the first percentage in a text, "37.5%", "" without one.
func PercentIn(text string) string { return percentForm.FindString(text) }

// Field splits a line of the form "Key: value", plain, as an item or bold.
func Field(l string) (name, value string, ok bool) {
	m := fieldForm.FindStringSubmatchIndex(l)
	if m == nil {
		return "", "", false
	}
	return strings.ToLower(l[m[2]:m[3]]), strings.TrimSpace(l[m[1]:]), true
}
