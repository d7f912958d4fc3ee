// The lists of STATE.md and PROJECT.md: blockers and decisions.

package statemd

import (
	"cmp"
	"slices"
	"strings"

	"gatehouse/model"
	"gatehouse/model/line"
	"gatehouse/parse/doc"
	"gatehouse/parse/ultraplan/core"
)

// BlockersTitle is the title of the section of blockers, and the label of changes in it.
const BlockersTitle = core.BlockersTitle

// maxSummary is the maximum width in columns of an error among the blockers.
const maxSummary = 160

// BlockerOf returns the line that a result adds to the blockers, "" for a success.
func BlockerOf(l *core.Log) string {
	if l.Status == core.Success {
		return ""
	}
	summary := PlainText(core.FirstLine(l.Error))
	if r := []rune(summary); len(r) > maxSummary {
		summary = string(r[:maxSummary-1]) + "…"
	}
	return PlainText(l.Name) + ": " + cmp.Or(summary, "no reason given")
}

// AddBlocker adds an item to the blockers of STATE.md, see [addItem].
func AddBlocker(text, blocker string) (spans []model.Span, outcome string) {
	return addItem(text, BlockersTitle, blocker)
}

// AddDecision adds an item to the decisions of STATE.md; ok is false without such a section.
func AddDecision(text, decision string) (spans []model.Span, ok bool) {
	spans, outcome := addItem(text, core.DecisionsTitle, decision)
	return spans, outcome != stateNoSection
}

// addItem adds an item at the end of a section. The first item replaces "None". An item that is already there is not added again, and
// one without text not at all.
func addItem(text, title, what string) (spans []model.Span, outcome string) {
	lines, ok := core.FindSection(core.ContentLines(text), title)
	if !ok {
		return nil, stateNoSection
	}
	what = strings.TrimSpace(line.Clean(what))
	if what == "" {
		return nil, statePresent
	}
	item := "- " + what
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
		case none == nil && last == nil && core.IsNone(t):
			none = l
		case isItem, last != nil && (l.Text[0] == ' ' || l.Text[0] == '\t'): // or the line continues an item
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

// opensComment reports whether text after a line would be in a comment.
func opensComment(l string) bool { return strings.LastIndex(l, "<!--") > strings.LastIndex(l, "-->") }

// emptySection returns the offset of the line after which the first item of a section goes: its last line with text, else the blank
// line after its heading, else the heading.
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

// insertLine adds a line after the one at an offset, with the same line end.
func insertLine(text string, at int, add string) []model.Span {
	end := strings.IndexByte(text[at:], '\n')
	if end < 0 { // the file does not end with a line end, and stays so
		return []model.Span{{At: len(text), New: lineEndOf(text) + add, Label: BlockersTitle}}
	}
	end += at
	eol := "\n"
	if end > 0 && text[end-1] == '\r' {
		eol = "\r\n"
	}
	return []model.Span{{At: end + 1, New: add + eol, Label: BlockersTitle}}
}

// lineEndOf returns the line end of a text.
func lineEndOf(text string) string {
	if strings.Contains(text, "\r\n") {
		return "\r\n"
	}
	return "\n"
}

// RemoveBlockers removes the items of the blockers that isGone selects by their texts.
func RemoveBlockers(text string, isGone func(item string) bool) (spans []model.Span) {
	lines, _ := core.FindSection(core.ContentLines(text), BlockersTitle)
	for _, l := range lines {
		if item, isItem := strings.CutPrefix(strings.TrimRight(l.Text, " \t\r"), "- "); isItem && isGone(item) {
			whole, _, _ := strings.Cut(text[l.At:], "\n")
			spans = append(spans, model.Span{At: l.At, Old: text[l.At:min(len(text), l.At+len(whole)+1)], Label: BlockersTitle})
		}
	}
	return spans
}

// AddDecisionRow adds a row to the table "Key Decisions" of a PROJECT.md, of the columns Decision, Rationale, Outcome. ok is false
// without such a table.
func AddDecisionRow(text, decision, why string) (spans []model.Span, ok bool) {
	cell := func(s string) string { return strings.ReplaceAll(s, "|", `\|`) }
	lines, _ := core.FindSection(core.ContentLines(text), "Key Decisions")
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
