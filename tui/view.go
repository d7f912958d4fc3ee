package tui

// Drawing: putting header, panes, dialogs and footer together.

import (
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"

	"gatehouse/model"
	"gatehouse/tui/draw"
	"gatehouse/tui/pane"
)

// View draws the screen.
func (d *dashboard) View() tea.View {
	v := tea.NewView(d.frame())
	v.AltScreen = true
	v.ReportFocus = true
	if !d.noMouse {
		v.MouseMode = tea.MouseModeCellMotion
	}
	v.WindowTitle = d.windowTitle()
	return v
}

// windowTitle names the project behind the counts of what waits: "◆ 2 · ◇ 3 · shop". It says how long the first ask still waits.
func (d *dashboard) windowTitle() string {
	h, g, sums := d.header(), d.look.Glyphs, &d.index.Sums
	name, _ := d.look.Measure(h.name())
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

func (d *dashboard) header() header {
	h := header{index: d.index, titlePath: d.opts.TitlePath, ended: d.ended, readOnly: d.opts.ReadOnly, changed: d.seen.Count}
	if at, ok := d.tree.At(); ok {
		h.site = at.Site
		if at.Site.Build != nil && len(at.Site.Build.Divergences) > 0 {
			h.sync = pane.KeyOf(d.offers(at.Site, at.Site.Build.Can), model.VerbSync)
		}
	}
	h.banner = d.banner()
	return h
}

// frame returns the screen: as many lines as it is high, each as wide as it is.
func (d *dashboard) frame() string {
	s := &d.screen
	if s.kind == tooSmall {
		return strings.Join(tooSmallFrame(d.look, d.index, s.width, s.height), "\n")
	}
	h := d.header()
	lines := make([]string, 0, s.height)
	lines = append(lines, h.Render(d.look, s.kind, s.width)...)
	lines = append(lines, d.body()...)
	switch {
	case d.still:
		lines = append(lines, strings.Repeat(" ", s.width))
	default:
		f := d.footer()
		lines = append(lines, f.Render(d.look, s.width))
	}
	return strings.Join(lines, "\n")
}

// body draws what is between header and footer.
func (d *dashboard) body() []string {
	b := d.screen.body
	var lines []string
	if d.index.Empty() {
		page := emptyPage(d.look, d.index, d.opts, b.Width-2)
		lines = draw.Centred(page.Lines, page.Width, b)
	} else {
		lines = make([]string, b.Height)
		for _, sl := range d.screen.slots { // from left to right in every row of them
			for i, line := range d.box(sl) {
				lines[sl.area.Y-b.Y+i] += line
			}
		}
	}
	for _, top := range d.dialogs {
		if box, at := top.Box(d.look, d.screen.body); box != nil {
			draw.Overlay(lines, box, draw.Area{X: at.X - b.X, Y: at.Y - b.Y, Width: at.Width, Height: at.Height})
		}
	}
	return lines
}

// box draws a slot: the pane in view with the edges around it.
func (d *dashboard) box(s slot) []string {
	p := d.front(s)
	lines := d.draw(p)
	if s.bare && p == pane.TreeID {
		return lines
	}
	tabs, _ := d.tabs(s)
	if s.area.Height == lineHeight {
		return []string{d.look.Edge(tabs, s.area.Width, d.look.Theme.Border, false)}
	}
	return d.look.Box(tabs, d.panes[p].Note(d.look), lines, s.area.Width, s.area.Height, d.focus == p && !d.still)
}

// tabs returns the names of the panes of a slot, and which they are. Where they don't all fit, the last of those not in view
// are only numbers.
func (d *dashboard) tabs(s slot) ([]draw.Tab, []pane.ID) {
	front := d.front(s)
	panes := s.panes
	if d.still || panes[0] == pane.TreeID && d.layout.zoom {
		panes = []pane.ID{front}
	}
	tabs := make([]draw.Tab, 0, len(panes))
	room := s.area.Width - 4
	for _, p := range panes {
		t := draw.Tab{Text: d.panes[p].Title(p == front), Front: p == front}
		if !d.still {
			t.Text = strconv.Itoa(int(p)+1) + " " + t.Text
		}
		if p == front && s.area.Height == lineHeight {
			t.Text += ": nothing"
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
