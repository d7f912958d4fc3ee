package tui

// What is said where there is nothing to show: no build, nothing read yet, too little room.

import "gatehouse/model"

// emptyPage explains what was looked for and what to do now.
func emptyPage(l *look, ix *index, opts Options, width int) *page {
	p := l.page(min(width, 76))
	p.ours = true
	if ix.snap.Version == 0 && len(ix.snap.Projects) == 0 {
		p.text(l.theme.dim, "reading "+opts.TitlePath)
		return p
	}
	p.lines = append(p.lines, p.blank())
	p.text(l.theme.strong, "No build found in "+opts.TitlePath)
	if len(opts.Empty.LooksFor) > 0 {
		p.heading("Looked for")
		for _, s := range opts.Empty.LooksFor {
			p.item(l.theme.dim, l.glyphs.dot, "", s)
		}
	}
	p.gap()
	p.text("", opts.Empty.Where)
	p.text("", "It appears here as soon as an agent writes one of these files.")
	if opts.Empty.Try != "" {
		p.heading("Try")
		p.item(l.theme.accent, l.glyphs.folded, l.theme.strong, opts.Empty.Try)
		p.below(l.theme.dim, opts.Empty.TryWhat)
	}
	p.ours = false
	for _, project := range ix.snap.Projects {
		p.problems(project.Problems)
	}
	return p
}

// tooSmallFrame says how much room is needed, and still how many things wait.
func tooSmallFrame(l *look, ix *index, width, height int) []string {
	lines := make([]string, 0, height)
	for _, s := range [...]struct {
		style style
		text  string
	}{
		{"", "needs " + itoa(smallestWidth) + "x" + itoa(smallestHeight) + ", have " + itoa(width) + "x" + itoa(height)},
		{l.theme.wait, waitCount(l, ix.sums.waits)},
	} {
		for _, text := range l.wrapExactly(s.text, width) {
			r := l.ribbon(width)
			r.exactly(s.style, text)
			lines = append(lines, r.line())
		}
	}
	for len(lines) < height {
		r := l.ribbon(width)
		lines = append(lines, r.line())
	}
	return lines[:height]
}

func waitCount(l *look, n int) string {
	switch n {
	case 0:
		return ""
	case 1:
		return l.glyphs.of(model.Waiting) + " 1 waits for you"
	}
	return l.glyphs.of(model.Waiting) + " " + itoa(n) + " wait for you"
}
