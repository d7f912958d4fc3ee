// Package statemd derives what STATE.md of an ultraplan project should say, and edits it: fields (fields.go), the progress line
// (progress.go), lists (lists.go), velocity (velocity.go), the table By Phase (table.go), the position (position.go) and the block of
// the current task (task.go). What was worked, it takes from the logs and the daily summaries (days.go). An edit changes only the value;
// all other bytes stay.
package statemd

import (
	"slices"
	"strings"

	"gatehouse/model"
	"gatehouse/model/line"
	"gatehouse/parse/doc"
	"gatehouse/parse/ultraplan/core"
)

// The outcomes of an edit.
const (
	stateSet          = "set"
	stateNoSection    = "no-section" // sections are optional; a missing one is not added
	stateNoField      = "no-field"
	stateAppended     = "appended"
	statePresent      = "present" // the item is in the list already
	stateReplacedNone = "replaced-none"
)

// fieldSections names the section of each field of the template. Other fields belong to the position.
var fieldSections = map[string]string{
	"Core value": "Project Reference", "Current focus": "Project Reference",
	"Total plans completed": core.MetricsTitle, "Average duration": core.MetricsTitle, "Total execution time": core.MetricsTitle, "Last 5 plans": core.MetricsTitle, "Trend": core.MetricsTitle,
	"Last session": core.ContinuityTitle, "Stopped at": core.ContinuityTitle, "Resume file": core.ContinuityTitle,
}

// page is a STATE.md with its lines, scanned once.
type page struct {
	text  string
	lines []doc.Line
}

func parsePage(text string) *page { return &page{text, core.ContentLines(text)} }

// findSection returns the lines of the section of a field. A file without any heading counts as a position, because a command of the
// protocol writes such files.
func (p *page) findSection(name string) (lines []doc.Line, ok bool) {
	title := fieldSections[name]
	if title == "" {
		title = core.PositionTitle
	}
	if lines, ok = core.FindSection(p.lines, title); !ok && title == core.PositionTitle && !slices.ContainsFunc(p.lines, func(l doc.Line) bool { return l.Level > 0 }) {
		return p.lines, true
	}
	return lines, ok
}

// value is the value of a field and its place.
type value struct {
	name, text string
	line, at   int
	glue       string // text to write before a new value
}

// findField returns the first field with a name in its section.
func (p *page) findField(name string) (v value, ok bool) {
	lines, _ := p.findSection(name)
	for _, l := range lines {
		if f, ok := core.ParseField(l.Text); ok && core.EqualFold(f.Name, name) {
			v = value{name: name, text: l.Text[f.From:f.To], line: l.Number, at: l.At + f.From}
			if f.From > 0 && l.Text[f.From-1] != ' ' && l.Text[f.From-1] != '\t' {
				v.glue = " "
			}
			return v, true
		}
	}
	return v, false
}

// setValue returns the span that sets the value of a field.
func (v value) setValue(now string) []model.Span {
	if now == v.text {
		return nil
	}
	return []model.Span{{At: v.at, Old: v.text, New: v.glue + now, Label: v.name}}
}

// SetField sets a field of STATE.md to a value on one line. The field may be plain, a list item or bold.
func SetField(text, name, now string) (spans []model.Span, outcome string) {
	p := parsePage(text)
	if _, ok := p.findSection(name); !ok {
		return nil, stateNoSection
	}
	v, ok := p.findField(name)
	if !ok {
		return nil, stateNoField
	}
	return v.setValue(strings.TrimSpace(line.Clean(now))), stateSet
}

// isUnset reports whether a value is a placeholder: "-", "None", "[X]", "TBD".
func isUnset(text string) bool {
	t := strings.Trim(strings.TrimSpace(text), "*_`")
	return strings.Trim(t, "-–— ") == "" || core.IsNone(t) || t[0] == '[' && t[len(t)-1] == ']' || strings.EqualFold(t, "TBD")
}

// PlainText makes a text safe for a line of Markdown: it stays on one line and opens no comment.
func PlainText(text string) string {
	text = strings.ReplaceAll(line.Tidy(text), "<!--", "<! --")
	return strings.ReplaceAll(text, "-->", "-- >")
}
