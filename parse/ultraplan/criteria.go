// The success criteria of a PLAN.md: the section with its check boxes, which task each belongs to, and checking one off.

package ultraplan

import (
	"regexp"
	"strings"

	"gatehouse/model"
	"gatehouse/parse/text/markdown"
	"gatehouse/parse/text/plantask"
)

// The outcomes of [syncPlan].
const (
	syncChecked    = "checked"         // the box was open
	syncAlready    = "already-checked" // its first date stays
	syncNotFound   = "not-found"       // no box names the task: the usual case, and no fault
	syncAmbiguous  = "ambiguous"       // several do
	syncNoSection  = "no-section"
	syncNotSuccess = "not-success" // only a success checks anything off
)

// syncPlan says what changes in the text of a PLAN.md when a task has ended with a status: the box of the task is checked
// off and dated, "2026-01-26". There is one span at most, in the line of the box.
func syncPlan(text, status, task, date string) (spans []model.Span, outcome string) {
	if status != model.OutcomeSuccess {
		return nil, syncNotSuccess
	}
	boxes, ok := criteria(text)
	if !ok {
		return nil, syncNoSection
	}
	i, outcome := findBox(boxes, task)
	switch {
	case outcome != "":
		return nil, outcome
	case boxes[i].checked:
		return nil, syncAlready
	}
	b := &boxes[i]
	old := text[b.mark:b.end]
	return []model.Span{{At: b.mark, Old: old, New: "x" + old[1:] + " (completed " + date + ")", Label: task}}, syncChecked
}

// box is a check box among the success criteria.
type box struct {
	name    string // what it names, without a date of completion and marks of bold text
	date    string // when it was checked off, "" when it does not say
	checked bool
	line    int
	mark    int // offset of the sign in the brackets
	end     int // offset behind its text
}

var (
	boxLine   = regexp.MustCompile(`^[ \t]*[-*+][ \t]+\[([ xX])\][ \t]+\S`)
	completed = regexp.MustCompile(`[ \t]*\(completed (\d{4}-\d{2}-\d{2})\)$`)
)

const (
	criteriaOpen  = "<success_criteria>"
	criteriaClose = "</success_criteria>"
)

// criteria returns the boxes of the success criteria: those of the last section after the last </tasks>, else of the last
// one before the first <tasks>. ok is false where no section begins, or it does not end: then the file is half written.
//
// Fences count from </tasks> on. Those of actions before it may never balance, and must not hide what follows.
func criteria(text string) (boxes []box, ok bool) {
	first, last := -1, -1
	at := 0
	for l := range strings.Lines(text) {
		switch strings.TrimSpace(l) {
		case "<tasks>":
			if first < 0 {
				first = at
			}
		case "</tasks>":
			last = at + len(l)
		}
		at += len(l)
	}
	start := max(0, last)
	boxes, opens, ends := boxesIn(text[start:], start, 1+strings.Count(text[:start], "\n"))
	if !opens && last >= 0 {
		before := last
		if first >= 0 && first < last {
			before = first
		}
		boxes, opens, ends = boxesIn(text[:before], 0, 1)
	}
	return boxes, opens && ends
}

// boxesIn returns the boxes of the last section in a part of a document that begins at an offset and a line, whether a
// section begins in it, and whether that one ends.
func boxesIn(part string, at, line int) (boxes []box, opens, ends bool) {
	for l := range markdown.Lines(part, line) {
		if l.Code || l.Comment {
			continue
		}
		switch strings.TrimSpace(strings.TrimPrefix(l.Text, "\uFEFF")) {
		case criteriaOpen:
			boxes, opens, ends = nil, true, false
		case criteriaClose:
			ends = ends || opens
		default:
			if b, ok := newBox(l.Text); opens && !ends && ok {
				b.line = l.No
				b.mark += at + l.At
				b.end += at + l.At
				boxes = append(boxes, b)
			}
		}
	}
	return boxes, opens, ends
}

// newBox reads a line as a box; its offsets are those in the line.
func newBox(line string) (b box, ok bool) {
	m := boxLine.FindStringSubmatchIndex(line)
	if m == nil {
		return box{}, false
	}
	b.mark, b.checked = m[2], line[m[2]] != ' '
	b.end = len(strings.TrimRight(line, " \t\r"))
	b.name = strings.TrimSpace(line[m[3]+1 : b.end])
	if c := completed.FindStringSubmatchIndex(b.name); c != nil {
		b.date = b.name[c[2]:c[3]]
		b.name = b.name[:c[0]]
	}
	if inner, bold := strings.CutPrefix(b.name, "**"); bold {
		if inner, bold = strings.CutSuffix(inner, "**"); bold {
			b.name = strings.TrimSpace(inner)
		}
	}
	return b, true
}

// findBox returns the box of a task: of those that name it exactly the first that is open, else the only one of the same
// number. Where there is none, outcome says why.
func findBox(boxes []box, task string) (i int, outcome string) {
	exact := -1
	for i := range boxes {
		if boxes[i].name == strings.TrimSpace(task) && (exact < 0 || boxes[exact].checked && !boxes[i].checked) {
			exact = i
		}
	}
	if exact >= 0 {
		return exact, ""
	}
	names := make([]string, len(boxes))
	for i := range boxes {
		names[i] = strings.TrimLeft(boxes[i].name, "*")
	}
	return sameNumber(names, task)
}

// sameNumber returns the only name with the number of a task, "Task 2: …"; where there is none or several, outcome says so.
func sameNumber(names []string, task string) (i int, outcome string) {
	number, _, ok := plantask.Number(strings.TrimSpace(task))
	if !ok {
		return -1, syncNotFound
	}
	found := -1
	for i, name := range names {
		if n, _, ok := plantask.Number(name); ok && n == number {
			if found >= 0 {
				return -1, syncAmbiguous
			}
			found = i
		}
	}
	if found < 0 {
		return -1, syncNotFound
	}
	return found, ""
}
