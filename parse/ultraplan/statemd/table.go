// The table By Phase.

package statemd

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"gatehouse/model"
	"gatehouse/parse/doc"
	"gatehouse/parse/ultraplan/core"
)

var countCell = regexp.MustCompile(`^(\d{1,6})\s*/\s*(\d{1,6})$`)

// phaseColumns is the head of the table that is written; tables with other columns stay as they are.
var phaseColumns = [...]string{"Phase", "Plans", "Total", "Avg/Plan"}

// phaseRow is a row of the table.
type phaseRow struct {
	doc.Line
	cells  []string
	number string // of its phase, "3" of "3", "03. Lamp" or "Phase 3"; "" for none
}

// phaseTable returns the line below the head of the table, nil without a table, and its rows.
func (p *page) phaseTable() (rule *doc.Line, rows []phaseRow) {
	lines, _ := core.Section(p.lines, metricsTitle)
	hasHead := false
	for i, l := range lines {
		cells := doc.SplitCells(l.Text)
		switch {
		case !hasHead:
			hasHead = isPhaseHead(cells)
		case cells == nil:
			return rule, rows
		case rule == nil:
			rule = &lines[i]
		case len(cells) == len(phaseColumns):
			name := strings.TrimPrefix(cells[0], "Phase ")
			rows = append(rows, phaseRow{l, cells, strings.TrimSuffix(name[:len(name)-len(strings.TrimLeft(name, "0123456789."))], ".")})
		}
	}
	return rule, rows
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

// isOf reports whether a row is about the phase of a number.
func (r *phaseRow) isOf(number string) bool {
	return r.number != "" && core.CompareNumbers(r.number, number) == 0
}

// count returns the cell "2/3".
func (r *phaseRow) count() (done, total int, ok bool) {
	m := countCell.FindStringSubmatch(r.cells[1])
	if m == nil {
		return 0, 0, false
	}
	done, _ = strconv.Atoi(m[1])
	total, _ = strconv.Atoi(m[2])
	return done, total, true
}

// claims returns what a row says of plans and time.
func (r *phaseRow) claims() (said claims) {
	said.plans, _, said.hasPlans = r.count()
	said.total, said.average = r.cells[2], r.cells[3]
	said.took, said.hasTotal = parseDuration(r.cells[2])
	return said
}

// hasRow reports whether a phase has a row, or gets one: that goes on announcing its plans.
func (c *comparison) hasRow(number string) bool {
	p := c.is.find(number)
	return c.rule != nil && p != nil && (p.hasBegun || slices.ContainsFunc(c.rows, func(r phaseRow) bool { return r.isOf(number) }))
}

// phaseRows compares the table: each phase that has begun has a row.
func (c *comparison) phaseRows() {
	if c.rule == nil {
		return
	}
	free := -1 // the template's row of dashes
	for i := range c.rows {
		if strings.Trim(strings.Join(c.rows[i].cells, ""), "- ") == "" {
			free = i
		}
	}
	for i := range c.is.phases {
		p, found := &c.is.phases[i], false
		for k := range c.rows {
			if r := &c.rows[k]; !found && r.isOf(p.number) {
				found = true
				c.phaseRow(r, p)
			}
		}
		if found || !p.hasBegun {
			continue
		}
		d := Difference{Field: "Phase " + p.number, Line: c.rule.Number, Claim: "STATE.md has no row of phase " + p.number, Truth: (model.Count{Done: p.done, Total: p.total}).String() + " of its plans have a summary"}
		row := phaseRow{cells: []string{p.number, "", "", ""}}
		now := c.rowCells(&row, p)
		if free >= 0 {
			d.Spans = replaceCells(&c.rows[free], now)
			c.rows[free].number = p.number // other rows go before and behind it
			free = -1
		} else { // behind the last row of a phase before it
			after := *c.rule
			for k := range c.rows {
				if r := &c.rows[k]; r.number != "" && core.CompareNumbers(r.number, p.number) < 0 {
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
func (c *comparison) phaseRow(r *phaseRow, p *phaseFigures) {
	now := c.rowCells(r, p)
	if spans := replaceCells(r, now); len(spans) > 0 {
		c.found = append(c.found, Difference{Field: "Phase " + p.number, Line: r.Number,
			Claim: "STATE.md says of phase " + p.number + " “" + strings.Join(r.cells[1:], " | ") + "”", Truth: "tree and logs say “" + strings.Join(now[1:], " | ") + "”", Spans: spans})
	}
}

// rowCells returns what the cells of a phase's row have to say.
func (c *comparison) rowCells(r *phaseRow, p *phaseFigures) []string {
	now := append([]string{}, r.cells...)
	if len(p.plans) == 0 && now[1] != "" {
		return now
	}
	if p.isVague && isUnset(now[1]) {
		now[1] = "-"
	} else if isUnset(now[1]) || countCell.MatchString(now[1]) {
		now[1] = model.Count{Done: p.done, Total: p.total}.String()
	}
	said := r.claims()
	is := said.settle(&p.velocity, false, c.is.IsEvent)
	for i, took := range map[int]model.Millis{2: is.total, 3: is.average} {
		_, isDuration := parseDuration(now[i])
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

// replaceCells returns the spans that give the cells of a row other texts.
func replaceCells(r *phaseRow, now []string) (spans []model.Span) {
	at := strings.IndexByte(r.Text, '|') + 1
	for i, c := range r.cells {
		end := at
		for end < len(r.Text) && r.Text[end] != '|' {
			if r.Text[end] == '\\' {
				end++
			}
			end++
		}
		end = min(end, len(r.Text))
		cell := r.Text[at:end]
		span := model.Span{At: r.At + at, Old: cell, New: " " + now[i] + " ", Label: "Phase " + now[0]}
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
