// The table "By Phase" of a STATE.md.

package statemd

import (
	"fmt"
	"strings"

	"gatehouse/model"
	"gatehouse/parse/text/markdown"
	"gatehouse/parse/ultraplan/facts"
	"gatehouse/parse/ultraplan/rules"
)

// phaseColumns is the head of the one table that is written; tables of other columns are left alone.
var phaseColumns = [...]string{"Phase", "Plans", "Total", "Avg/Plan"}

// SetPhaseRow brings the row of a phase in line: its plans, and where timed plans say how long they took, the total and the
// average. A total that says more than is known stays, and so does one in other words than a duration. A phase without a row
// gets one, in the place of the template's row of dashes.
func SetPhaseRow(text, number string, plans model.Count, took model.Millis, timed int) []model.Span {
	lines, _ := facts.SectionLines(text, "Performance Metrics")
	var table []markdown.Line // the rows below the head
	open := false
	for _, l := range lines {
		switch cells := markdown.Cells(l.Text); {
		case !open && isPhaseHead(cells):
			open = true
		case open && cells == nil:
			return setRow(text, table, number, plans, took, timed)
		case open:
			table = append(table, l)
		}
	}
	return setRow(text, table, number, plans, took, timed)
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

func setRow(text string, table []markdown.Line, number string, plans model.Count, took model.Millis, timed int) []model.Span {
	if len(table) == 0 {
		return nil // not even the rule below the head
	}
	row := [...]string{rules.TrimZeros(number), plans.String(), "-", "-"}
	if timed > 0 {
		row[2], row[3] = minutes(took), minutes(took/model.Millis(timed))
	}
	for _, l := range table[1:] {
		cells := markdown.Cells(l.Text)
		if len(cells) != len(row) {
			continue
		}
		if strings.Trim(strings.Join(cells, ""), "- ") == "" { // the template's
			return replaceCells(l, cells, row[:])
		}
		name := strings.TrimPrefix(cells[0], "Phase ")
		if n := name[:len(name)-len(strings.TrimLeft(name, "0123456789."))]; n == "" || rules.CompareNumbers(strings.TrimSuffix(n, "."), number) != 0 {
			continue
		}
		row[0] = cells[0]
		if is, ok := facts.ParseDuration(cells[2]); timed == 0 || cells[2] != "-" && cells[2] != "" && (!ok || is > took) {
			row[2], row[3] = cells[2], cells[3]
		}
		return replaceCells(l, cells, row[:])
	}
	spans := insertLine(text, table[len(table)-1].At, "| "+strings.Join(row[:], " | ")+" |")
	spans[0].Label = "Phase " + row[0]
	return spans
}

// replaceCells returns the spans that give the cells of a row other texts.
func replaceCells(l markdown.Line, cells, now []string) (spans []model.Span) {
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
