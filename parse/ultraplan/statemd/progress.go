// The line "Progress:": its bar, its percentage and its count of plans.

package statemd

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"gatehouse/model"
	"gatehouse/parse/protocol"
)

// A bar is drawn with these cells. Other characters may stand for half a cell.
const fullCells, emptyCells, halfCells = `█■●▰🟩🟦⬛#=*`, `░□○▱⬜·. -`, `▓▒>`

var (
	barForm   = regexp.MustCompile(`\[([█■●▰🟩🟦⬛#=*▓▒>░□○▱⬜·. \-]+)\]`)
	bareForm  = regexp.MustCompile(`[█■●▰🟩🟦⬛#▓▒░□○▱⬜]{3,}`)
	shareForm = regexp.MustCompile(`(\d+(?:\.\d+)?)[ \t]*%`)
	countForm = regexp.MustCompile(`(\d{1,6})(\s*/\s*|\s+of\s+)(\d{1,6})(\s+plans?\b|\s*(?:[(,)]|$))`)
)

// TemplateCells is the width of the template's bar.
const TemplateCells = 20

// BarIn returns the place of a bar's cells in a progress line, with or without brackets around them.
func BarIn(value string) (from, to int, ok bool) {
	if m := barForm.FindStringSubmatchIndex(value); m != nil {
		return m[2], m[3], true
	}
	if m := bareForm.FindStringIndex(value); m != nil {
		return m[0], m[1], true
	}
	return 0, 0, false
}

// BarAgrees reports whether the bar of a progress line shows a percentage to within one cell, because people round.
func BarAgrees(value string, percent int) bool {
	from, to, ok := BarIn(value)
	if !ok {
		return true
	}
	cells, filled := 0, 0
	for _, c := range value[from:to] {
		cells++
		if strings.ContainsRune(fullCells+halfCells, c) {
			filled++
		}
	}
	share := filled*100 - cells*max(0, min(100, percent))
	return share > -100 && share <= 100 && (filled < cells || percent >= 100)
}

// drawProgress returns a progress line's value, updated for a count.
func drawProgress(value string, n model.Count) string {
	if m := countForm.FindStringSubmatchIndex(value); m != nil {
		value = value[:m[2]] + strconv.Itoa(n.Done) + value[m[4]:m[5]] + strconv.Itoa(n.Total) + value[m[8]:]
	}
	if from, to, ok := BarIn(value); ok {
		value = value[:from] + RedrawBar(value[from:to], n.Floor()) + value[to:]
	}
	if m := shareForm.FindStringSubmatchIndex(value); m != nil {
		value = value[:m[2]] + strconv.Itoa(n.Floor()) + value[m[3]:]
	}
	return value
}

// RedrawBar draws a bar with the width and the characters of an old one. A character that the old one lacks comes from the template.
func RedrawBar(bar string, percent int) string {
	cells := []rune(bar)
	full, empty := '#', '░'
	switch {
	case strings.ContainsAny(bar, "🟩🟦⬛⬜"): // cells of double width
		full, empty = '🟩', '⬜'
	case len(cells) != TemplateCells && strings.Contains(bar, "░"), strings.ContainsAny(bar, halfCells):
		full = '█'
	}
	for _, c := range cells {
		if strings.ContainsRune(fullCells, c) {
			full = c
		} else if strings.ContainsRune(emptyCells, c) {
			empty = c
		}
	}
	return DrawBar(percent, len(cells), full, empty)
}

// DrawBar draws a progress bar. A cell is full once its whole share is done.
func DrawBar(percent, cells int, full, empty rune) string {
	filled := cells * max(0, min(100, percent)) / 100
	return strings.Repeat(string(full), filled) + strings.Repeat(string(empty), cells-filled)
}

// compareProgress compares the line "Progress:" with the plans that have a summary. If all known plans are done and a phase is not planned
// yet, the share is unknown: then only an impossible claim is corrected, to the largest possible value.
func (c *comparison) compareProgress() {
	v, ok := c.findField("Progress")
	said := model.Count{}
	if m := countForm.FindStringSubmatch(v.text); m != nil {
		said.Done, _ = strconv.Atoi(m[1])
		said.Total, _ = strconv.Atoi(m[3])
	}
	n, unknown := model.Count{Done: c.is.totals.Done, Total: c.is.totals.Total}, c.is.totals.Unknown
	percent, hasPercent := percentOf(v.text)
	from, to, hasBar := BarIn(v.text)
	if !ok || !hasPercent && said.Total == 0 && !hasBar || n.Total == 0 && percent == 0 && said.Done == 0 {
		return
	}
	wrong := hasPercent && percent != n.Floor() || said.Total > 0 && said != n
	isUnknown := n.Open() == 0 && unknown > 0
	if isUnknown {
		n.Total += unknown // each has at least one plan
		wrong = percent > n.Floor() || said.Floor() > n.Floor()
	}
	if !hasPercent {
		percent = n.Floor()
	}
	if !wrong && hasBar && !BarAgrees(v.text, percent) {
		c.addDifference(v, v.text[:from]+RedrawBar(v.text[from:to], percent)+v.text[to:], fmt.Sprintf("its bar does not show %d %%", percent))
	}
	if !wrong {
		return
	}
	d := Difference{Field: v.name, Line: v.line, Claim: "STATE.md says “" + strings.TrimSpace(v.text) + "”", Truth: "the tree has no plan"}
	switch {
	case hasPercent && said.Total > 0:
		d.Claim = fmt.Sprintf("STATE.md says %d %% (%s plans)", percent, said)
	case hasPercent:
		d.Claim = fmt.Sprintf("STATE.md says %d %%", percent)
	}
	switch {
	case isUnknown:
		d.Truth = fmt.Sprintf("%d of %s have a summary, and %s not planned yet", c.is.totals.Done, protocol.Count(c.is.totals.Total, "plan"), protocol.Count(unknown, "phase"))
	case n.Total > 0:
		d.Truth = fmt.Sprintf("the tree says %d %%: %d of %s with a summary", n.Floor(), n.Done, protocol.Count(n.Total, "plan"))
	}
	if d.Spans = v.setValue(drawProgress(v.text, n)); len(d.Spans) > 0 {
		c.found = append(c.found, d)
	}
}

// PercentIn returns the first percentage in a text, "37.5%" for "37.5 %", "" without one.
func PercentIn(text string) string {
	if m := shareForm.FindStringSubmatch(text); m != nil {
		return m[1] + "%"
	}
	return ""
}

// percentOf returns the first percentage of a text, rounded down.
func percentOf(text string) (percent int, ok bool) {
	whole, _, _ := strings.Cut(strings.TrimSuffix(PercentIn(text), "%"), ".")
	percent, err := strconv.Atoi(whole)
	return percent, err == nil
}
