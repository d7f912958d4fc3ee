// The success criteria of a PLAN.md: the section with its check boxes, which task each belongs to.

package facts

import (
	"regexp"
	"strings"

	"gatehouse/parse/doc"
)

// Why no box is found.
const (
	BoxNotFound  = "not-found" // no box names the task: the usual case, and no fault
	BoxAmbiguous = "ambiguous" // several do
)

// Box is a check box among the success criteria.
type Box struct {
	Name    string // what it names, without a date of completion and marks of bold text
	Date    string // when it was checked off, "" when it does not say
	Checked bool
	Line    int
	Mark    int // offset of the sign in the brackets
	End     int // offset behind its text
}

var completed = regexp.MustCompile(`^\(completed \d{4}-\d{2}-\d{2}\)$`)

const (
	criteriaOpen  = "<success_criteria>"
	criteriaClose = "</success_criteria>"
)

// Criteria returns the boxes of the success criteria: those of the last section after the last </tasks>, else of the last
// one before the first <tasks>. ok is false where no section begins, or it does not end: then the file is half written.
//
// Fences count from </tasks> on. Those of actions before it may never balance, and must not hide what follows.
func Criteria(text string) (boxes []Box, ok bool) {
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
	boxes, opens, ends := boxesIn(text, start, len(text))
	if !opens && last >= 0 {
		before := last
		if first >= 0 && first < last {
			before = first
		}
		boxes, opens, ends = boxesIn(text, 0, before)
	}
	return boxes, opens && ends
}

// boxesIn returns the boxes of the last section in text[from:to], whether a section begins in it, and whether that one ends.
func boxesIn(text string, from, to int) (boxes []Box, opens, ends bool) {
	for l := range doc.Lines(text, from, to) {
		if l.Code || l.Comment {
			continue
		}
		switch strings.TrimSpace(l.Text) {
		case criteriaOpen:
			boxes, opens, ends = nil, true, false
		case criteriaClose:
			ends = ends || opens
		default:
			if b, ok := newBox(l.Text); opens && !ends && ok {
				b.Line = l.Number
				b.Mark += l.At
				b.End += l.At
				boxes = append(boxes, b)
			}
		}
	}
	return boxes, opens, ends
}

// newBox reads a line as a box; its offsets are those in the line.
func newBox(line string) (b Box, ok bool) {
	if b.Mark, ok = boxMark(line); !ok {
		return Box{}, false
	}
	b.Checked = line[b.Mark] != ' '
	b.End = len(strings.TrimRight(line, " \t\r"))
	b.Name = strings.TrimSpace(line[b.Mark+2 : b.End])
	const stamp = "(completed 2006-01-02)"
	if at := len(b.Name) - len(stamp); at >= 0 && completed.MatchString(b.Name[at:]) {
		b.Date = b.Name[at+len("(completed ") : len(b.Name)-1]
		b.Name = strings.TrimRight(b.Name[:at], " \t")
	}
	if inner, bold := strings.CutPrefix(b.Name, "**"); bold {
		if inner, bold = strings.CutSuffix(inner, "**"); bold {
			b.Name = strings.TrimSpace(inner)
		}
	}
	return b, true
}

// boxMark returns where the sign of a box stands in a Line: "- [x] a text". Each line of a plan is asked, so it is no pattern.
func boxMark(line string) (at int, ok bool) {
	item := strings.TrimLeft(line, " \t")
	if item == "" || strings.IndexByte("-*+", item[0]) < 0 {
		return 0, false
	}
	box := strings.TrimLeft(item[1:], " \t")
	at = len(line) - len(box) + 1
	if len(box) == len(item)-1 || len(box) < 4 || box[0] != '[' || strings.IndexByte(" xX", box[1]) < 0 || box[2] != ']' || box[3] != ' ' && box[3] != '\t' {
		return 0, false
	}
	text := strings.TrimLeft(box[3:], " \t")
	return at, text != "" && strings.IndexByte("\r\n\f", text[0]) < 0
}

// FindBox returns the box of a task: of those that name it in the same words the first that is open, else the only one of the same
// number. Where there is none, outcome says why.
func FindBox(boxes []Box, task string) (i int, outcome string) {
	exact := -1
	for i := range boxes {
		if SameName(boxes[i].Name, task) && (exact < 0 || boxes[exact].Checked && !boxes[i].Checked) {
			exact = i
		}
	}
	if exact >= 0 {
		return exact, ""
	}
	names := make([]string, len(boxes))
	for i := range boxes {
		names[i] = strings.TrimLeft(boxes[i].Name, "*")
	}
	return FindByNumber(names, task)
}

// FindByNumber returns the only name with the number of a task, "Task 2: …"; where there is none or several, outcome says so.
func FindByNumber(names []string, task string) (i int, outcome string) {
	number, _, ok := doc.ParseTaskNumber(strings.TrimSpace(task))
	if !ok {
		return -1, BoxNotFound
	}
	found := -1
	for i, name := range names {
		if n, _, ok := doc.ParseTaskNumber(name); ok && n == number {
			if found >= 0 {
				return -1, BoxAmbiguous
			}
			found = i
		}
	}
	if found < 0 {
		return -1, BoxNotFound
	}
	return found, ""
}
