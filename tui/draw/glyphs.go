package draw

// The signs: one set of Unicode and one of ASCII glyphs, each one column wide.

import (
	"strings"

	"gatehouse/model"
)

// glyphs is a set of signs. A status's sign is never used for anything else.
type glyphs struct {
	ascii                  bool
	status                 [model.Executed + 1]string
	MayWait                string // a gate that has not been reached yet
	Turn                   string // an agent has finished its turn
	Stale                  string // in progress by its files, but nothing moves
	Past                   string // calls itself waiting, but its time is over
	Marker                 string // the selected row
	Changed                string // a row that has changed since the user saw it
	Cursor                 string // of a text that is being typed
	Folded, Open           string
	full, part, none       string // cells of a bar
	Ellipsis               string
	Bullet                 string // of a list
	GoesOn                 string // before all rows of a foreign text except the first, and before all rows of quoted text
	Differs, Problem, Held string
	After, Dot             string
	Horizontal             string
	moreAbove, moreBelow   string
	columns                [9]string  // of a small diagram, the lowest first
	Edges                  edgeGlyphs // of boxes, by the directions of their lines
}

func NewGlyphs(ascii bool) *glyphs {
	if ascii {
		return &glyphs{
			ascii:   true,
			status:  [...]string{"?", "-", "*", "!", "x", "X", "@", "+", "~", "o"},
			MayWait: "^", Turn: "&",
			Stale: "z", Past: "'", Marker: ">", Changed: "|", Cursor: "_", Folded: ">", Open: "v", full: "=", part: "-", none: ".", Ellipsis: "...", Bullet: "-", GoesOn: "|",
			Differs: "!=", Problem: "%", Held: "=", After: "<", Dot: "-",
			Horizontal: "-", moreAbove: "^", moreBelow: "v",
			columns: [...]string{"_", ".", ":", "-", "=", "+", "*", "%", "#"}, Edges: asciiEdges,
		}
	}
	return &glyphs{
		status:  [...]string{"?", "○", "●", "◆", "✗", "╳", "↻", "✓", "–", "◐"},
		MayWait: "▷", Turn: "◇",
		Stale: "◌", Past: "◦", Marker: "▌", Changed: "▎", Cursor: "▏", Folded: "▸", Open: "▾", full: "━", part: "╸", none: "─", Ellipsis: "…", Bullet: "•", GoesOn: "│",
		Differs: "≠", Problem: "▲", Held: "‖", After: "←", Dot: "·",
		Horizontal: "─", moreAbove: "↑", moreBelow: "↓",
		columns: [...]string{" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"}, Edges: boxEdges,
	}
}

// Of returns the glyph of a status.
func (g *glyphs) Of(s model.Status) string {
	if int(s) < len(g.status) {
		return g.status[s]
	}
	return g.status[model.Unknown]
}

// Bar draws a share as a line of cells; a partly filled cell is half filled. Only a complete bar is green.
func (r *Ribbon) Bar(done, total, cells int) {
	if total <= 0 || cells <= 0 {
		return
	}
	g, st := r.Look.Glyphs, r.Look.Theme.Run
	done = min(max(done, 0), total)
	if done == total {
		st = r.Look.Theme.OK
	}
	full := done * cells / total
	line := strings.Repeat(g.full, full)
	if done*cells%total > 0 {
		line += g.part
		full++
	}
	r.Sign(st, line)
	r.Sign(r.Look.Theme.Border, strings.Repeat(g.none, cells-full))
}

// asciiFor replaces the signs in our own line and sentences; other runes of a text become question marks.
var asciiFor = strings.NewReplacer(
	"█", "#", "▓", "=", "░", ".", "·", "-", "…", "~", "◆", "!", "◇", "&", "▷", "^", "≠", "#", "│", "|", "→", ">", "←", "<",
	"↑", "^", "↓", "v", "–", "-", "—", "-", "‘", "'", "’", "'", "“", `"`, "”", `"`, "✓", "+", "✗", "x", "⏸", "=",
)

// meanings explains each status.
var meanings = [...]string{
	model.Unknown: "missing in the files, or an unknown word", model.Pending: "not begun", model.Active: "begun, and moving",
	model.Waiting: "waits for your answer or decision", model.Blocked: "stopped until something else changes", model.Failed: "tried, and did not work",
	model.Retrying: "failed, and is tried again", model.Done: "finished, and verified if the protocol does that",
	model.Skipped: "left out on purpose", model.Executed: "finished, not verified",
}

// Signs adds the meaning of each sign, for the help.
func (p *Page) Signs() {
	l := p.Look
	for _, s := range model.Statuses() {
		p.Item(l.Theme.Status(s), l.Glyphs.Of(s), "", s.Word()+": "+meanings[s])
	}
	for _, s := range [...]struct {
		style       Style
		glyph, word string
	}{
		{l.Theme.Wait, l.Glyphs.Turn, string(model.SessionTurn) + ": an agent has finished, and you have not read its last words"},
		{l.Theme.Dim, l.Glyphs.MayWait, model.LaterWord + ": a stop that the work has not reached"},
		{l.Theme.Dim, l.Glyphs.Stale, model.StaleWord + ": begun, and nothing has moved for an hour"},
		{l.Theme.Dim, l.Glyphs.Past, model.PastWord + ": calls itself waiting, but is over"},
		{l.Theme.Dim, fileTime + "2d", "since two days ago, only by the time of a file"},
		{l.Theme.Wait, l.Glyphs.Differs, "a state file claims what the tree denies"},
		{l.Theme.Wait, l.Glyphs.Held, "last good state: a file cannot be read now"},
		{l.Theme.Dim, l.Glyphs.Problem, "a problem in a file"},
		{l.Theme.Changed, l.Glyphs.Changed, "changed since you looked; dim: below a folded row"},
		{l.Theme.Dim, l.Glyphs.GoesOn, "what a file asks, or the rest of the row above"},
	} {
		p.Item(s.style, s.glyph, "", s.word)
	}
}

// Chart draws a column for each value; most has the full height. It returns rows of signs, the upper ones first. A positive value
// is never drawn as nothing.
func (g *glyphs) Chart(values []int, most, rows int) []string {
	steps := len(g.columns) - 1 // per cell
	lines := make([]string, rows)
	for row := range lines {
		var b strings.Builder
		below := (rows - 1 - row) * steps
		for _, v := range values {
			height := 0
			if v > 0 && most > 0 {
				height = max(1, min(v, most)*rows*steps/most)
			}
			if height <= below {
				b.WriteByte(' ')
				continue
			}
			b.WriteString(g.columns[min(height-below, steps)])
		}
		lines[row] = b.String()
	}
	return lines
}
