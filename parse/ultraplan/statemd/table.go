// The table By Phase.

package statemd

import (
	"slices"
	"strings"

	"gatehouse/model"
	"gatehouse/parse/protocol"
	"gatehouse/parse/ultraplan/core"
)

// isOf reports whether a row is about the phase with a number.
func isOf(r *core.PhaseRow, number string) bool {
	return r.Number != "" && core.CompareNumbers(r.Number, number) == 0
}

// claimsOf returns the claims of a row.
func claimsOf(r *core.PhaseRow) claims {
	took, hasTotal := protocol.ParseDuration(r.Cells[2])
	return claims{plans: r.Done, hasPlans: r.HasCount, total: r.Cells[2], took: took, hasTotal: hasTotal, average: r.Cells[3]}
}

// hasRow reports whether a phase has a row or gets one. The row then announces its plans.
func (c *comparison) hasRow(number string) bool {
	p := c.is.findPhase(number)
	return c.says.PhaseRule != nil && p != nil && (p.hasBegun || slices.ContainsFunc(c.rows, func(r core.PhaseRow) bool { return isOf(&r, number) }))
}

// phaseRows compares the table: each phase that has begun has a row.
func (c *comparison) phaseRows() {
	if c.says.PhaseRule == nil {
		return
	}
	free := -1 // the template's row of dashes
	for i := range c.rows {
		if strings.Trim(strings.Join(c.rows[i].Cells, ""), "- ") == "" {
			free = i
		}
	}
	for i := range c.is.phases {
		p, found := &c.is.phases[i], false
		for k := range c.rows {
			if r := &c.rows[k]; !found && isOf(r, p.Number) {
				found = true
				c.phaseRow(r, p)
			}
		}
		if found || !p.hasBegun {
			continue
		}
		d := Difference{Field: "Phase " + p.Number, Line: c.says.PhaseRule.Number, Claim: "STATE.md has no row of phase " + p.Number, Truth: (model.Count{Done: p.Done, Total: p.Total}).String() + " of its plans have a summary"}
		row := core.PhaseRow{Cells: []string{p.Number, "", "", ""}}
		now := c.rowCells(&row, p)
		if free >= 0 {
			d.Spans = replaceCells(&c.rows[free], now)
			c.rows[free].Number = p.Number // other rows go before and after it
			free = -1
		} else { // after the last row of an earlier phase
			after := *c.says.PhaseRule
			for k := range c.rows {
				if r := &c.rows[k]; r.Number != "" && core.CompareNumbers(r.Number, p.Number) < 0 {
					after = r.Line
				}
			}
			d.Spans = insertLine(c.text, after.At, "| "+strings.Join(now, " | ")+" |")
			d.Spans[0].Label = d.Field
		}
		c.found = append(c.found, d)
	}
}

// phaseRow compares the row of a phase.
func (c *comparison) phaseRow(r *core.PhaseRow, p *phaseFigures) {
	now := c.rowCells(r, p)
	if spans := replaceCells(r, now); len(spans) > 0 {
		c.found = append(c.found, Difference{Field: "Phase " + p.Number, Line: r.Line.Number,
			Claim: "STATE.md says of phase " + p.Number + " “" + strings.Join(r.Cells[1:], " | ") + "”", Truth: "tree and logs say “" + strings.Join(now[1:], " | ") + "”", Spans: spans})
	}
}

// rowCells returns the texts that the cells of a phase's row should have.
func (c *comparison) rowCells(r *core.PhaseRow, p *phaseFigures) []string {
	now := append([]string{}, r.Cells...)
	if len(p.Plans) == 0 && now[1] != "" {
		return now
	}
	if p.IsVague && isUnset(now[1]) {
		now[1] = "-"
	} else if isUnset(now[1]) || r.HasCount {
		now[1] = model.Count{Done: p.Done, Total: p.Total}.String()
	}
	said := claimsOf(r)
	is := said.settleWith(&p.velocity, false, c.is.IsEvent)
	for i, took := range map[int]model.Millis{2: is.total, 3: is.average} {
		_, isDuration := protocol.ParseDuration(now[i])
		switch {
		case is.clears && isDuration || now[i] == "":
			now[i] = "-"
			if took > 0 {
				now[i] = formatMinutes(took)
			}
		case took > 0 && (isDuration || isUnset(now[i])) && !isSameTime(now[i], took, is.isStrict):
			now[i] = formatMinutes(took)
		}
	}
	return now
}

// replaceCells returns the spans that replace the cells of a row.
func replaceCells(r *core.PhaseRow, now []string) (spans []model.Span) {
	at := strings.IndexByte(r.Line.Text, '|') + 1
	for i, c := range r.Cells {
		end := at
		for end < len(r.Line.Text) && r.Line.Text[end] != '|' {
			if r.Line.Text[end] == '\\' {
				end++
			}
			end++
		}
		end = min(end, len(r.Line.Text))
		cell := r.Line.Text[at:end]
		span := model.Span{At: r.Line.At + at, Old: cell, New: " " + now[i] + " ", Label: "Phase " + now[0]}
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
