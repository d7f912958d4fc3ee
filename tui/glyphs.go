package tui

// What is drawn besides text: one set of Unicode and one of ASCII glyphs, each one column wide.

import (
	"strings"

	"gatehouse/model"
)

// glyphs is a set of signs. A status's sign is never used for anything else.
type glyphs struct {
	ascii                   bool
	status                  [model.Skipped + 1]string
	mayWait                 string // a stop that has not been reached yet
	marker                  string // the selected row
	changed                 string // a row the user has not seen as it is
	cursor                  string // where one types
	folded, open            string
	full, part, none        string // cells of a bar
	ellipsis                string
	goesOn                  string // before each row of a text but its first, and before all of one that a file has
	differs, problem, held  string
	after, dot              string
	horizontal, vertical    string
	topLeft, topRight       string
	bottomLeft, bottomRight string
	moreAbove, moreBelow    string
	columns                 [9]string // of a small diagram, the lowest first
	edges                   edgeGlyphs
}

func newGlyphs(ascii bool) *glyphs {
	if ascii {
		return &glyphs{
			ascii:   true,
			status:  [...]string{"?", "-", "*", "!", "x", "X", "@", "+", "~"},
			mayWait: "^", marker: ">", changed: "|", cursor: "_", folded: ">", open: "v", full: "#", part: "=", none: ".", ellipsis: "...", goesOn: "|",
			differs: "!=", problem: "%", held: "=", after: "<", dot: "-",
			horizontal: "-", vertical: "|", topLeft: "+", topRight: "+", bottomLeft: "+", bottomRight: "+",
			moreAbove: "^", moreBelow: "v",
			columns: [...]string{"_", ".", ":", "-", "=", "+", "*", "%", "#"}, edges: asciiEdges,
		}
	}
	return &glyphs{
		status:  [...]string{"?", "○", "●", "◆", "✗", "╳", "↻", "✓", "–"},
		mayWait: "◇", marker: "▌", changed: "▎", cursor: "▏", folded: "▸", open: "▾", full: "█", part: "▓", none: "░", ellipsis: "…", goesOn: "│",
		differs: "≠", problem: "▲", held: "‖", after: "←", dot: "·",
		horizontal: "─", vertical: "│", topLeft: "╭", topRight: "╮", bottomLeft: "╰", bottomRight: "╯",
		moreAbove: "↑", moreBelow: "↓",
		columns: [...]string{" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"}, edges: boxEdges,
	}
}

// of returns the glyph of a status.
func (g *glyphs) of(s model.Status) string {
	if int(s) < len(g.status) {
		return g.status[s]
	}
	return g.status[model.Unknown]
}

// bar returns a bar of cells for a share: a cell that is reached but not filled is drawn half full.
func (g *glyphs) bar(done, total, cells int) (filled, rest string) {
	if total <= 0 || cells <= 0 {
		return "", ""
	}
	done = min(max(done, 0), total)
	full := done * cells / total
	filled = strings.Repeat(g.full, full)
	if done*cells%total > 0 {
		filled += g.part
		full++
	}
	return filled, strings.Repeat(g.none, cells-full)
}

// spark draws a column for each count; most is the largest. What is not nothing is never drawn as nothing.
func (g *glyphs) spark(counts []int, most int) string {
	var b strings.Builder
	for _, n := range counts {
		i := 0
		if n > 0 && most > 0 {
			i = max(1, n*(len(g.columns)-1)/most)
		}
		b.WriteString(g.columns[i])
	}
	return b.String()
}

// wantsASCII reports whether an environment names a terminal or a locale in which only ASCII is safe. Without any
// variable it does not.
func wantsASCII(env []string) bool {
	if len(env) == 0 {
		return false
	}
	if term := lookup(env, "TERM"); term == "linux" || term == "dumb" {
		return true
	}
	for _, name := range []string{"LC_ALL", "LC_CTYPE", "LANG"} { // the first that is set decides, as in POSIX
		if locale := strings.ToUpper(lookup(env, name)); locale != "" {
			return !strings.Contains(locale, "UTF-8") && !strings.Contains(locale, "UTF8")
		}
	}
	return true
}

// lookup returns a variable's value, the last where it is set twice, "" where it is not.
func lookup(env []string, name string) string {
	value := ""
	for _, e := range env {
		if n, v, ok := strings.Cut(e, "="); ok && n == name {
			value = v
		}
	}
	return value
}

// asciiFor stands for the signs that our own line and sentences use; other runes of a text become question marks.
var asciiFor = strings.NewReplacer(
	"█", "#", "▓", "=", "░", ".", "·", "-", "…", "~", "◆", "!", "◇", "^", "≠", "#", "│", "|", "→", ">", "←", "<",
	"↑", "^", "↓", "v", "–", "-", "—", "-", "‘", "'", "’", "'", "“", `"`, "”", `"`, "✓", "+", "✗", "x",
)

// signs adds what each sign means, for the help.
func (p *page) signs() {
	l := p.look
	for _, s := range model.Statuses() {
		p.item(l.theme.status(s), l.glyphs.of(s), "", s.String())
	}
	for _, s := range [...]struct {
		style       style
		glyph, word string
	}{
		{l.theme.dim, l.glyphs.mayWait, "will stop here for you, not there yet"},
		{l.theme.wait, l.glyphs.differs, "a state file claims what the tree denies"},
		{l.theme.wait, l.glyphs.held, "last good state: a file cannot be read now"},
		{l.theme.dim, l.glyphs.problem, "a problem in a file"},
		{l.theme.changed, l.glyphs.changed, "changed since you looked; dim: below a folded row"},
		{l.theme.dim, l.glyphs.goesOn, "what a file asks, or the rest of the row above"},
	} {
		p.item(s.style, s.glyph, "", s.word)
	}
}
