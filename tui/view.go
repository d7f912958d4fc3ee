package tui

// Drawing: putting header, panes, dialogs and footer together.

import (
	"slices"
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"

	"gatehouse/model"
	"gatehouse/tui/draw"
	"gatehouse/tui/index"
	"gatehouse/tui/pane"
)

// View draws the screen.
func (d *dashboard) View() tea.View {
	v := tea.NewView(d.renderFrame())
	v.AltScreen = true
	v.ReportFocus = true
	if !d.noMouse {
		v.MouseMode = tea.MouseModeCellMotion
	}
	v.WindowTitle = d.windowTitle()
	return v
}

// windowTitle names the project after the counts of waits: "◆ 2 · ◇ 3 · shop". It shows how long the first ask still waits.
func (d *dashboard) windowTitle() string {
	g, sums := d.look.Glyphs, &d.index.Sums
	name, _ := d.look.Measure(d.projectName())
	var parts []string
	if sums.Waits > 0 {
		parts = append(parts, g.Of(model.Waiting)+" "+strconv.Itoa(sums.Waits))
	}
	if sums.Turns > 0 {
		parts = append(parts, g.Turn+" "+strconv.Itoa(sums.Turns))
	}
	if sums.Waits > 0 {
		if left := d.look.Deadline(d.index.Waits[0].Deadline, ""); left != "" {
			parts = append(parts, left)
		}
	}
	title := strings.Join(append(parts, name), draw.PartJoint)
	return draw.Plain(title)
}

// renderFrame returns the screen: as many lines as its height, each as wide as its width.
func (d *dashboard) renderFrame() string {
	s := &d.screen
	if s.kind == tooSmall {
		return strings.Join(tooSmallFrame(d.look, d.index, s.width, s.height), "\n")
	}
	lines := append(d.drawHeader(s.kind, s.width), d.drawBody()...)
	footer := strings.Repeat(" ", s.width)
	if !d.still {
		footer, _ = d.newFooter().Render(d.look, s.width)
	}
	lines = append(lines, footer)
	return strings.Join(lines, "\n")
}

// drawBody draws the part between header and footer.
func (d *dashboard) drawBody() []string {
	b := d.screen.body
	var lines []string
	if d.index.Empty() {
		page := emptyPage(d.look, d.index, d.opts, b.Width-2)
		lines = draw.Centered(page.Lines, page.Width, b)
	} else {
		lines = d.drawSlots()
	}
	for _, top := range d.dialogs {
		if box, at := top.Box(d.look, d.screen.body); box != nil {
			draw.Overlay(lines, box, draw.Area{X: at.X - b.X, Y: at.Y - b.Y, Width: at.Width, Height: at.Height})
		}
	}
	return lines
}

// piece is a part of a row of the body other than edges.
type piece struct {
	x, width int
	text     string
}

// drawSlots draws the slots: the panes in view, and the edges that they share, with titles in their upper ones.
func (d *dashboard) drawSlots() []string {
	b := d.screen.body
	rows := make([][]piece, b.Height)
	put := func(y int, p piece) {
		if y -= b.Y; y >= 0 && y < b.Height && p.width > 0 {
			rows[y] = append(rows[y], p)
		}
	}
	for _, sl := range d.screen.slots {
		p := d.frontPane(sl)
		in := sl.innerArea(p)
		for i, line := range d.panes[p].Render(d.look, in.Width, in.Height, d.focus == p && !d.still) {
			if i < in.Height {
				put(in.Y+i, piece{in.X, in.Width, line})
			}
		}
		if sl.bare && p == pane.TreeID {
			continue
		}
		tabs, _ := d.tabsOf(sl)
		text, width := d.look.Titles(tabs, sl.area.Width, d.focus == p && !d.still)
		put(sl.area.Y, piece{sl.area.X + 2, width, text})
	}
	for _, sl := range d.screen.slots { // unless a title of the pane below is in this place
		at, width, text := d.slotNote(sl)
		y := sl.area.Y + sl.area.Height - 1
		if width > 0 && !slices.ContainsFunc(rows[y-b.Y], func(p piece) bool { return p.x < at+width && at < p.x+p.width }) {
			put(y, piece{at, width, text})
		}
	}
	lines := make([]string, b.Height)
	for y, row := range rows {
		slices.SortFunc(row, func(a, b piece) int { return a.x - b.x })
		var out strings.Builder
		x := b.X
		for _, p := range row {
			d.drawEdges(&out, y, x, p.x)
			out.WriteString(p.text)
			x = p.x + p.width
		}
		d.drawEdges(&out, y, x, b.X+b.Width)
		lines[y] = out.String()
	}
	return lines
}

// slotNote returns the text in the lower edge of a slot with its first column and width; the width is 0 for none.
func (d *dashboard) slotNote(sl slot) (x, width int, text string) {
	p := d.frontPane(sl)
	if sl.bare && p == pane.TreeID {
		return 0, 0, ""
	}
	r := d.look.Ribbon(max(sl.area.Width-5, 0))
	r.Exactly(d.look.Theme.Dim, d.panes[p].Note(d.look))
	if r.Width == 0 {
		return 0, 0, ""
	}
	return sl.area.X + sl.area.Width - 4 - r.Width, r.Width + 2, " " + r.Cut() + " "
}

// noteAbove returns how much of the upper edge of a slot the notes of the panes above it take, from its right end.
func (d *dashboard) noteAbove(sl slot) (taken int) {
	left, right := sl.area.X, sl.area.X+sl.area.Width
	for _, above := range d.screen.slots {
		if above.area.Y+above.area.Height-1 != sl.area.Y || above.area.X >= right || above.area.X+above.area.Width <= left+2 {
			continue
		}
		if x, width, _ := d.slotNote(above); width > 0 && x > left && x < right {
			taken = max(taken, right-x)
		}
	}
	return taken
}

// drawEdges draws the cells of a row of the body from one column to another, exclusive, that are edges or blank.
func (d *dashboard) drawEdges(out *strings.Builder, y, from, to int) {
	if from >= to {
		return
	}
	b, g := d.screen.body, d.look.Glyphs
	r := d.look.Ribbon(to - from)
	for x := from; x < to; x++ {
		if way := d.screen.edges[y*b.Width+x-b.X]; way != 0 {
			r.Sign(d.look.Theme.Border, g.Edges[way])
		} else {
			r.Gap(1)
		}
	}
	out.WriteString(r.Line())
}

// tabsOf returns the names of the panes of a slot, and their IDs. If not all fit, the last hidden ones
// are shown as numbers only.
func (d *dashboard) tabsOf(s slot) ([]draw.Tab, []pane.ID) {
	front := d.frontPane(s)
	panes := s.panes
	if d.still || panes[0] == pane.TreeID && d.layout.zoom {
		panes = []pane.ID{front}
	}
	tabs := make([]draw.Tab, 0, len(panes))
	room := s.area.Width - 4 - d.noteAbove(s)
	for _, p := range panes {
		t := draw.Tab{Text: d.panes[p].Title(&d.scene, p == front), Front: p == front}
		if !d.still {
			t.Text = strconv.Itoa(int(p)+1) + " " + t.Text
		}
		tabs = append(tabs, t)
		room -= d.look.Width(t.Text) + 3
	}
	for i := len(tabs) - 1; i >= 0 && room < 0; i-- {
		if t := &tabs[i]; !t.Front {
			number := strconv.Itoa(int(panes[i]) + 1)
			room += d.look.Width(t.Text) - len(number)
			t.Text = number
		}
	}
	return tabs, panes
}

// The screens without a build: nothing found, nothing read yet, or too little space.

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
