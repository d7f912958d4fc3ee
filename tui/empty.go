package tui

// The screens without a build: nothing found, nothing read yet, or too little space.

import (
	"strconv"

	"gatehouse/model"
	"gatehouse/tui/draw"
	"gatehouse/tui/index"
)

// emptyPage says what to do on an empty screen, and where Gatehouse searched.
func emptyPage(l *draw.Look, ix *index.Index, opts Options, width int) *draw.Page {
	p := l.Page(min(width, 76))
	p.Ours = true
	if ix.Snap.Version == 0 && len(ix.Snap.Projects) == 0 {
		p.Text(l.Theme.Dim, "reading "+opts.TitlePath)
		return p
	}
	p.BlankLine()
	if opts.Fleet != "" {
		emptyFleet(p, ix.Snap)
		return p
	}
	p.Text(l.Theme.Strong, "No agent works in "+opts.TitlePath)
	p.Gap()
	for _, try := range opts.Empty.Try {
		p.Item(l.Theme.Accent, l.Glyphs.Folded, l.Theme.Strong, try.Do)
		p.Below(l.Theme.Dim, try.Result)
	}
	if opts.Empty.LooksFor != "" {
		p.Gap()
		p.Text(l.Theme.Dim, opts.Empty.LooksFor)
	}
	p.Ours = false
	for _, project := range ix.Snap.Projects {
		p.Problems(project.Problems)
	}
	return p
}

// emptyFleet lists the machines of a fleet without builds.
func emptyFleet(p *draw.Page, snap *model.Snapshot) {
	p.Text(p.Look.Theme.Strong, "No build here, nor on another machine")
	p.Gap()
	p.Text(p.Look.Theme.Wait, snap.Watch)
	for _, h := range snap.Hosts[:min(len(snap.Hosts), draw.ListLimit)] {
		p.Item(p.Look.Theme.Dim, p.Look.Glyphs.Dot, "", h.Name+": "+draw.OrElse(h.Why, "there, nothing is built in what it has joined"))
	}
	p.Gap()
	p.Text(p.Look.Theme.Dim, "gatehouse remote doctor checks each step on the way to them.")
}

// tooSmallFrame says how much space is needed, and how many things wait.
func tooSmallFrame(l *draw.Look, ix *index.Index, width, height int) []string {
	if width == 0 {
		return draw.Filled(nil, 0, height)
	}
	p := l.Page(width)
	p.Ours = true
	p.Text("", "needs "+strconv.Itoa(smallestWidth)+"x"+strconv.Itoa(smallestHeight)+", have "+strconv.Itoa(width)+"x"+strconv.Itoa(height))
	if n := ix.Sums.Waits + ix.Sums.Old; n > 0 {
		p.Item(l.Theme.Wait, l.Glyphs.Of(model.Waiting), l.Theme.Wait, strconv.Itoa(n)+" "+model.Waiting.Word())
	}
	if ix.Sums.Turns > 0 {
		p.Item(l.Theme.Wait, l.Glyphs.Turn, l.Theme.Wait, turnCount(ix.Sums.Turns))
	}
	return draw.Filled(p.Lines, width, height)[:height]
}
