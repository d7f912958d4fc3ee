// The table "By Phase" of a STATE.md.

package statemd

import (
	"fmt"
	"strings"

	"gatehouse/model"
	"gatehouse/parse/doc"
	"gatehouse/parse/ultraplan/facts"
	"gatehouse/parse/ultraplan/rules"
)

// phaseColumns is the head of the one table that is written; tables of other columns are left alone.
var phaseColumns = [...]string{"Phase", "Plans", "Total", "Avg/Plan"}

// phaseTable returns the rule below the head of the table, and the rows below that. ok is false where there is none.
func phaseTable(all facts.Lines) (rule doc.Line, rows []doc.Line, ok bool) {
	lines, _ := all.Section(metricsTitle)
	head := false
	for _, l := range lines {
		switch cells := doc.SplitCells(l.Text); {
		case !head:
			head = isPhaseHead(cells)
		case cells == nil:
			return rule, rows, ok
		case !ok:
			rule, ok = l, true
		case len(cells) == len(phaseColumns):
			rows = append(rows, l)
		}
	}
	return rule, rows, ok
}

// PhaseRow is a row of the table By Phase: the number of its phase, and its line.
type PhaseRow struct {
	Number string
	Line   int
}

// PhaseRows returns the rows of the table By Phase that are about a phase.
func PhaseRows(text string) (rows []PhaseRow) {
	_, lines, _ := phaseTable(facts.LinesOf(text))
	for _, l := range lines {
		if n := rowNumber(doc.SplitCells(l.Text)); n != "" {
			rows = append(rows, PhaseRow{n, l.Number})
		}
	}
	return rows
}

func isPhaseHead(cells []string) bool {
	if len(cells) != len(phaseColumns) {
		return false
	}
	for i, c := range cells {
		if !strings.EqualFold(c, phaseColumns[i]) {
			return false
		}
	}
	return true
}

// rowNumber returns the number of the phase that a row is about, "3" of "3", "03. Lamp" or "Phase 3"; "" for none.
func rowNumber(cells []string) string {
	name := strings.TrimPrefix(cells[0], "Phase ")
	return strings.TrimSuffix(name[:len(name)-len(strings.TrimLeft(name, "0123456789."))], ".")
}

// rowOf reports whether a row is about the phase of a number.
func rowOf(cells []string, number string) bool {
	n := rowNumber(cells)
	return n != "" && rules.CompareNumbers(n, number) == 0
}

// replaceCells returns the spans that give the cells of a row other texts.
func replaceCells(l doc.Line, cells, now []string) (spans []model.Span) {
	at := strings.IndexByte(l.Text, '|') + 1
	for i, c := range cells {
		end := at
		for end < len(l.Text) && l.Text[end] != '|' {
			if l.Text[end] == '\\' {
				end++
			}
			end++
		}
		end = min(end, len(l.Text))
		cell := l.Text[at:end]
		span := model.Span{At: l.At + at, Old: cell, New: " " + now[i] + " ", Label: "Phase " + now[0]}
		if old := strings.TrimSpace(cell); old != "" {
			span.At, span.Old, span.New = span.At+strings.Index(cell, old), old, now[i]
		}
		if c != now[i] {
			spans = append(spans, span)
		}
		at = end + 1
	}
	return spans
}

// minutes writes how long something took as the table does: "2h 10m", "57m", and "28s" below a minute.
func minutes(d model.Millis) string {
	switch s := int64(d) / 1000; {
	case s < 60:
		return fmt.Sprintf("%ds", s)
	case s < 3600:
		return fmt.Sprintf("%dm", s/60)
	default:
		return fmt.Sprintf("%dh %dm", s/3600, s/60%60)
	}
}

// hours writes how long something took in hours alone, "0.5 hours"; less than a tenth of one as the table does.
func hours(d model.Millis) string {
	tenths := (int64(d) + 180_000) / 360_000
	switch {
	case tenths == 0:
		return minutes(d)
	case tenths == 10:
		return "1 hour"
	case tenths%10 == 0:
		return fmt.Sprintf("%d hours", tenths/10)
	}
	return fmt.Sprintf("%d.%d hours", tenths/10, tenths%10)
}

// inWords writes how long something took as the velocity does: "28 minutes", "1 minute", "45 seconds", "1h 5m".
func inWords(d model.Millis) string {
	s := int64(d) / 1000
	switch {
	case s < 60:
		return counted(s, "second")
	case s < 3600:
		return counted(s/60, "minute")
	}
	return minutes(d)
}

func counted(n int64, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}
