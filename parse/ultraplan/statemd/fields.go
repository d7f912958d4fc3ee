// Package statemd changes single lines of an ultraplan STATE.md: a field, the progress, a blocker, a row of its table
// (phaserow.go), the gate of the task at work (task.go). Everything else stays as it is, byte for byte.
package statemd

import (
	"cmp"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"gatehouse/model"
	"gatehouse/model/line"
	"gatehouse/parse/doc"
	"gatehouse/parse/ultraplan/facts"
)

// The outcomes of the functions below.
const (
	stateSet          = "set"
	stateNoSection    = "no-section" // sections are optional: what has none is left alone
	stateNoField      = "no-field"
	stateAppended     = "appended"
	statePresent      = "present" // the blocker stands there already
	stateReplacedNone = "replaced-none"
)

// sections are those in which the fields of the template stand; all others are of the position.
var sections = map[string]string{
	"Core value": "Project Reference", "Current focus": "Project Reference",
	"Total plans completed": metricsTitle, "Average duration": metricsTitle, "Total execution time": metricsTitle,
	"Last 5 plans": metricsTitle, "Trend": metricsTitle,
	"Last session": "Session Continuity", "Stopped at": "Session Continuity", "Resume file": "Session Continuity",
}

const metricsTitle = "Performance Metrics"

func sectionOf(name string) string {
	if s := sections[name]; s != "" {
		return s
	}
	return facts.PositionTitle
}

// Plain makes a text one that stands in a line of Markdown without beginning a comment there, which would hide the lines below.
func Plain(text string) string {
	text = strings.ReplaceAll(line.Tidy(text), "<!--", "<! --")
	return strings.ReplaceAll(text, "-->", "-- >")
}

// SetField gives a field of STATE.md a value, in the section where the template has it: the first line of that name, be it
// plain, an item of a list or bold. The value is put on one line.
func SetField(text, name, value string) (spans []model.Span, outcome string) {
	lines, ok := facts.SectionLines(text, sectionOf(name))
	if !ok {
		return nil, stateNoSection
	}
	for _, l := range lines {
		from, to, ok := facts.FieldValue(l.Text, name)
		if !ok {
			continue
		}
		old, now := l.Text[from:to], strings.TrimSpace(line.Clean(value))
		if from > 0 && l.Text[from-1] != ' ' && l.Text[from-1] != '\t' {
			now = " " + now
		}
		if old == now {
			return nil, stateSet
		}
		return []model.Span{{At: l.At + from, Old: old, New: now, Label: name}}, stateSet
	}
	return nil, stateNoField
}

// SetProgress brings the line "Progress:" in line with done of total plans: its bar in the width and the characters that
// are there, its percent, and "n/m plans complete" where that stands behind. What else is on the line stays.
func SetProgress(text string, done, total int) (spans []model.Span, outcome string) {
	lines, ok := facts.SectionLines(text, facts.PositionTitle)
	if !ok {
		return nil, stateNoSection
	}
	return setProgress(lines, done, total)
}

// setProgress does that in the lines of a position.
func setProgress(lines []doc.Line, done, total int) (spans []model.Span, outcome string) {
	for _, l := range lines {
		from, to, ok := facts.FieldValue(l.Text, "Progress")
		if !ok {
			continue
		}
		old := l.Text[from:to]
		now := progress(old, model.Count{Done: max(0, min(done, total)), Total: max(0, total)})
		if facts.PercentIn(old) == "" && !barForm.MatchString(old) {
			return nil, stateNoField
		}
		if now == old {
			return nil, stateSet
		}
		return []model.Span{{At: l.At + from, Old: old, New: now, Label: "Progress"}}, stateSet
	}
	return nil, stateNoField
}

var (
	barForm   = regexp.MustCompile(`\[[` + barCells + `]+\]`)
	plansForm = regexp.MustCompile(`\d+/\d+( plans complete)`)
)

// barCells are the characters that bars are drawn with, the full ones first.
const barCells = `█■●#=*▓▒` + `░□○·. \-`

// BarIn returns where the cells of the bar stand in a progress line; ok is false without one.
func BarIn(value string) (from, to int, ok bool) {
	m := barForm.FindStringIndex(value)
	if m == nil {
		return 0, 0, false
	}
	return m[0] + 1, m[1] - 1, true
}

// progress returns the value of a progress line for a count.
func progress(value string, c model.Count) string {
	percent := c.Floor()
	if from, to, ok := BarIn(value); ok {
		value = value[:from] + Redraw(value[from:to], percent) + value[to:]
	}
	if p := facts.PercentIn(value); p != "" {
		value = strings.Replace(value, p, strconv.Itoa(percent)+"%", 1)
	}
	if m := plansForm.FindStringSubmatchIndex(value); m != nil {
		value = value[:m[0]] + c.String() + value[m[2]:]
	}
	return value
}

// Redraw draws a bar as wide as one that is there, with its characters. What a bar does not show, because it is full or
// empty, is as the template has it, or as bars of its kind are drawn.
func Redraw(bar string, percent int) string {
	cells := []rune(bar)
	full, empty := rune(0), rune(0)
	for _, c := range cells {
		switch {
		case strings.ContainsRune("█■●#=*", c):
			full = c
		case strings.ContainsRune("░□○·. -", c):
			empty = c
		}
	}
	if full == 0 {
		full = '#'
		if empty == '░' && len(cells) != TemplateCells || strings.ContainsRune(bar, '▒') || strings.ContainsRune(bar, '▓') {
			full = '█'
		}
	}
	if empty == 0 {
		empty = '░'
	}
	return Bar(percent, len(cells), full, empty)
}

// TemplateCells is how many cells the bar of the template has.
const TemplateCells = 20

// Bar draws a progress bar of that many cells. A cell is full once its share is done, never earlier.
func Bar(percent, cells int, full, empty rune) string {
	filled := cells * max(0, min(100, percent)) / 100
	return strings.Repeat(string(full), filled) + strings.Repeat(string(empty), cells-filled)
}

// BlockersTitle is the section of what keeps agents from going on, and the label of changes in it.
const BlockersTitle = "Blockers"

// maxSummary is how many columns of an error stand among the blockers.
const maxSummary = 160

// BlockerOf returns the line that a result leaves among the blockers, "" for a success.
func BlockerOf(l *facts.LogDoc) string {
	if l.Status == model.OutcomeSuccess {
		return ""
	}
	summary := Plain(facts.FirstLine(l.Error))
	if r := []rune(summary); len(r) > maxSummary {
		summary = string(r[:maxSummary-1]) + "…"
	}
	return Plain(l.Name) + ": " + cmp.Or(summary, "no reason given")
}

// AddBlocker adds an item to the blockers of STATE.md, see [addItem].
func AddBlocker(text, blocker string) (spans []model.Span, outcome string) {
	return addItem(text, BlockersTitle, blocker)
}

// AddDecision adds an item to the decisions of STATE.md; ok is false where it has no such section.
func AddDecision(text, decision string) (spans []model.Span, ok bool) {
	spans, outcome := addItem(text, "Decisions", decision)
	return spans, outcome != stateNoSection
}

// addItem adds an item to a section, behind those that are there. The first one takes the place of "None"; one that stands
// there already is not written twice.
func addItem(text, title, what string) (spans []model.Span, outcome string) {
	lines, ok := facts.SectionLines(text, title)
	if !ok {
		return nil, stateNoSection
	}
	item := "- " + strings.TrimSpace(line.Clean(what))
	var last, none, heading *doc.Line
	for i := range lines {
		l := &lines[i]
		t := strings.TrimSpace(l.Text)
		_, _, isItem := doc.ParseItem(l.Text)
		switch {
		case l.Level > 0 && heading == nil:
			heading = l
		case heading != nil || t == "" || opensComment(t):
		case t == item:
			return nil, statePresent
		case none == nil && last == nil && facts.SaysNone(t):
			none = l
		case isItem, last != nil && (l.Text[0] == ' ' || l.Text[0] == '\t'): // or goes on with one
			last = l
		}
	}
	switch {
	case last == nil && none != nil:
		return []model.Span{{At: none.At, Old: strings.TrimRight(none.Text, "\r"), New: item, Label: title}}, stateReplacedNone
	case last != nil:
		spans = insertLine(text, last.At, item)
	default:
		spans = insertLine(text, emptySection(text, title, lines), item)
	}
	spans[0].Label = title
	return spans, stateAppended
}

// opensComment reports whether what comes behind a line would stand in a comment, where nobody reads it.
func opensComment(l string) bool { return strings.LastIndex(l, "<!--") > strings.LastIndex(l, "-->") }

// emptySection returns the offset of the line behind which the first item of a section goes: its last line with text, else
// the blank one behind its heading, else the heading.
func emptySection(text, title string, lines []doc.Line) int {
	at := -1
	for i := range lines {
		l := &lines[i]
		if l.Level > 0 {
			break
		}
		if opensComment(l.Text) {
			continue
		}
		if at < 0 || strings.TrimSpace(l.Text) != "" {
			at = l.At
		}
	}
	if at >= 0 {
		return at
	}
	for l := range doc.Lines(text, 0, len(text)) {
		if l.Level > 0 && len(l.Title) >= len(title) && strings.EqualFold(l.Title[:len(title)], title) && !l.Code && !l.Comment {
			return l.At
		}
	}
	return 0
}

// insertLine adds a line behind the one at an offset, with that one's end.
func insertLine(text string, at int, add string) []model.Span {
	end := strings.IndexByte(text[at:], '\n')
	if end < 0 { // the file has no end of line at its end, and gets none
		eol := "\n"
		if strings.Contains(text, "\r\n") {
			eol = "\r\n"
		}
		return []model.Span{{At: len(text), New: eol + add, Label: BlockersTitle}}
	}
	end += at
	eol := "\n"
	if end > 0 && text[end-1] == '\r' {
		eol = "\r\n"
	}
	return []model.Span{{At: end + 1, New: add + eol, Label: BlockersTitle}}
}

// RemoveBlocker takes out the item that addBlocker has added, by its exact text; others stay. There are no spans where no
// such item stands.
func RemoveBlocker(text, blocker string) []model.Span {
	lines, _ := facts.SectionLines(text, BlockersTitle)
	item := "- " + strings.TrimSpace(line.Clean(blocker))
	for _, l := range lines {
		if strings.TrimRight(l.Text, " \t") != item {
			continue
		}
		return []model.Span{takeLine(text, l)}
	}
	return nil
}

// takeLine takes a whole line out of the blockers.
func takeLine(text string, l doc.Line) model.Span {
	end := len(text)
	if i := strings.IndexByte(text[l.At:], '\n'); i >= 0 {
		end = l.At + i + 1
	}
	return model.Span{At: l.At, Old: text[l.At:end], Label: BlockersTitle}
}

// RemoveBlockersOf takes out the items that results of a task have added, by the names it goes by.
func RemoveBlockersOf(text string, names []string) (spans []model.Span) {
	lines, _ := facts.SectionLines(text, BlockersTitle)
	for _, l := range lines {
		if slices.ContainsFunc(names, func(name string) bool {
			return Plain(name) != "" && strings.HasPrefix(l.Text, "- "+Plain(name)+":")
		}) {
			spans = append(spans, takeLine(text, l))
		}
	}
	return spans
}

// AddDecisionRow adds a row to the table "Key Decisions" of a PROJECT.md, of the columns Decision, Rationale, Outcome. ok is false
// where it has no such table.
func AddDecisionRow(text, decision, why string) (spans []model.Span, ok bool) {
	cell := func(s string) string { return strings.ReplaceAll(s, "|", `\|`) }
	lines, _ := facts.SectionLines(text, "Key Decisions")
	at := slices.IndexFunc(lines, func(l doc.Line) bool {
		cells := doc.SplitCells(l.Text)
		return len(cells) == 3 && strings.EqualFold(cells[0], "Decision")
	})
	if at < 0 {
		return nil, false
	}
	last := &lines[at]
	for i := range lines[at+1:] {
		l := &lines[at+1+i]
		cells := doc.SplitCells(l.Text)
		if cells == nil {
			break
		}
		if strings.ReplaceAll(cells[0], `\|`, "|") == decision {
			return nil, true
		}
		last = l
	}
	spans = insertLine(text, last.At, "| "+cell(decision)+" | "+cell(why)+" | — Pending |")
	spans[0].Label = "Key Decisions"
	return spans, true
}
