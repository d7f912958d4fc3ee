// The lines of a STATE.md: its sections, their fields, a percentage.

package facts

import (
	"regexp"
	"slices"
	"strings"

	"gatehouse/parse/doc"
)

// PositionTitle is the title of the section about where the work is.
const PositionTitle = "Current Position"

// SectionLines returns the lines below the first heading of a title, see [Lines.Section].
func SectionLines(text, title string) (lines []doc.Line, ok bool) {
	return LinesOf(text).Section(title)
}

// Lines are the lines of a document, code and comments left out: scanned once, for who asks for several
// sections.
type Lines []doc.Line

// LinesOf returns the lines of a document.
func LinesOf(text string) (lines Lines) {
	for l := range doc.Lines(text, 0, len(text)) {
		if !l.Code && !l.Comment {
			lines = append(lines, l)
		}
	}
	return lines
}

// Section returns the lines below the first heading of a title, up to the next heading of its level or above. ok is false
// without such a heading. A title that goes on behind the one asked for counts, so that "Blockers" finds "Blockers/Concerns".
func (lines Lines) Section(title string) (section []doc.Line, ok bool) {
	from := slices.IndexFunc(lines, func(l doc.Line) bool {
		return l.Level > 0 && len(l.Title) >= len(title) && strings.EqualFold(l.Title[:len(title)], title)
	})
	if from < 0 {
		return nil, false
	}
	level, section := lines[from].Level, lines[from+1:]
	if to := slices.IndexFunc(section, func(l doc.Line) bool { return l.Level > 0 && l.Level <= level }); to >= 0 {
		section = section[:to]
	}
	return section, true
}

// noBreak is a blank that editors and agents put where they mean one.
const noBreak = "\u00A0"

// fieldIn takes a line with a field apart: blanks and the mark of an item, the name, the colon, a value; name and colon may be bold.
// It returns where the name stands and where the value begins. Each line of a file is asked, so it is no pattern.
func fieldIn(l string) (from, to, value int, ok bool) {
	to = strings.IndexByte(l, ':')
	if to < 0 {
		return 0, 0, 0, false
	}
	blanks := func(at int) int {
		for at < len(l) {
			switch {
			case l[at] == ' ' || l[at] == '\t':
				at++
			case strings.HasPrefix(l[at:], noBreak): // as the prompt reads it
				at += len(noBreak)
			default:
				return at
			}
		}
		return at
	}
	bold := func(at, end int) bool { return at >= 0 && at+2 <= end && (l[at:at+2] == "**" || l[at:at+2] == "__") }
	value = to + 1
	if bold(value, len(l)) {
		value += 2
	}
	value = blanks(value)
	if from = blanks(0); from < to && strings.IndexByte("-*+", l[from]) >= 0 && blanks(from+1) > from+1 {
		from = blanks(from + 1)
	}
	if bold(from, to) {
		from += 2
	}
	if bold(to-2, to) && to-2 > from {
		to -= 2
	}
	return from, to, value, from < to && strings.IndexByte(l[from:to], '*') < 0
}

// FieldValue returns where the value of a field stands in a line, blanks around it left out; ok is false for other lines.
func FieldValue(l, name string) (from, to int, ok bool) {
	start, end, value, ok := fieldIn(l)
	if !ok || !strings.EqualFold(l[start:end], name) {
		return 0, 0, false
	}
	return value, max(value, len(strings.TrimRight(l, " \t\r"+noBreak))), true
}

// Field splits a line of the form "Key: value", plain, as an item or bold.
func Field(l string) (name, value string, ok bool) {
	from, to, at, ok := fieldIn(l)
	if !ok {
		return "", "", false
	}
	return strings.ToLower(l[from:to]), strings.TrimSpace(l[at:]), true
}

// SaysNone reports whether a line stands for there being nothing: "None", "- None yet.".
func SaysNone(t string) bool {
	if item, _, ok := doc.ParseItem(t); ok {
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
