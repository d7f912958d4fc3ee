package tui

// Drawing: putting header, panes, dialogs and footer together.

import (
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"gatehouse/model"
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

// windowTitle says where one is, and how many things wait: "(1!) shop".
func (d *dashboard) windowTitle() string {
	h := d.header()
	name, _ := d.look.measure(h.name())
	if n := d.index.sums.waits; n > 0 {
		return "(" + itoa(n) + "!) " + name
	}
	return name
}

func (d *dashboard) header() header {
	h := header{index: d.index, titlePath: d.opts.TitlePath, ended: d.ended, readOnly: d.opts.ReadOnly, changed: d.seen.count}
	if at, ok := d.tree.at(); ok {
		h.site = at.site
		if at.site.build != nil && len(at.site.build.Divergences) > 0 {
			h.sync = keyOf(d.offers(at.site.build.Can), model.VerbSync)
		}
	}
	h.offer = d.offerFirst()
	return h
}

// offerFirst returns how the first thing that waits is answered: by its key where it is selected, else by going there first.
func (d *dashboard) offerFirst() []hint {
	if len(d.index.waits) == 0 || len(d.dialogs) > 0 {
		return nil
	}
	w := d.index.waits[0]
	n := w.site.nodes[w.Node].node
	if n == nil || n.Gate == nil || w.Potential {
		return nil
	}
	offers := d.offers(n.Gate.Can)
	if len(offers) == 0 {
		return nil
	}
	switch t, _ := d.target(model.VerbApprove); t.node {
	case n:
		return offers[:1]
	case nil:
		return []hint{{"n", "go"}, offers[0]}
	}
	return nil // another gate is selected, and n would go on from there
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
	if d.index.empty() {
		page := emptyPage(d.look, d.index, d.opts, b.width-2)
		lines = centred(page.lines, page.width, b)
	} else {
		lines = make([]string, b.height)
		for _, sl := range d.screen.slots { // from left to right in every row of them
			for i, line := range d.box(sl) {
				lines[sl.area.y-b.y+i] += line
			}
		}
	}
	for _, top := range d.dialogs {
		if box, at := top.box(d); box != nil {
			overlay(lines, box, area{at.x - b.x, at.y - b.y, at.width, at.height})
		}
	}
	return lines
}

// box draws a slot: the pane in view with the edges around it.
func (d *dashboard) box(s slot) []string {
	p := d.front(s)
	lines := d.draw(p)
	if s.bare && p == paneTree {
		return lines
	}
	return d.look.box(d.tabs(s), d.note(p), lines, s.area.width, s.area.height, d.focus == p && !d.still)
}

// tabs returns the names of the panes of a slot. Where they don't all fit, the last of those not in view are only numbers.
func (d *dashboard) tabs(s slot) []tab {
	front := d.front(s)
	panes := s.panes
	if d.still || panes[0] == paneTree && d.wishes.zoom {
		panes = []pane{front}
	}
	tabs := make([]tab, 0, len(panes))
	room := s.area.width - 4
	for _, p := range panes {
		t := tab{pane: p, text: d.title(p), front: p == front}
		if p == paneDetail && !t.front { // what it would be about changes with every move
			t.text = paneNames[p]
		}
		if !d.still {
			t.text = itoa(int(p)+1) + " " + t.text
		}
		tabs = append(tabs, t)
		room -= d.look.width(t.text) + 3
	}
	for i := len(tabs) - 1; i >= 0 && room < 0; i-- {
		if t := &tabs[i]; !t.front {
			number := itoa(int(t.pane) + 1)
			room += d.look.width(t.text) - len(number)
			t.text = number
		}
	}
	return tabs
}

// title names a pane, with what there is in it.
func (d *dashboard) title(p pane) string {
	name, n := paneNames[p], 0
	switch p {
	case paneTree:
		if d.graphShown() {
			return "Graph"
		}
	case paneDetail:
		return d.detailTitle()
	case paneFile:
		if f := d.file.shown; f.file != "" && d.inView(paneFile) {
			name = f.file[strings.LastIndexByte(f.file, '/')+1:]
			if d.file.line > 0 {
				name += ":" + itoa(d.file.line)
			}
		}
	case paneWaits:
		n = d.index.sums.waits
	case paneBlockers:
		n = d.index.sums.blocked
	case paneInbox:
		n = d.index.sums.inbox
	}
	if n > 0 {
		name += " (" + itoa(n) + ")"
	}
	return name
}

// detailTitle says what kind of thing the details are about.
func (d *dashboard) detailTitle() string {
	s, _ := d.subject()
	if s.told != nil {
		return "Activity"
	}
	if s.node == nil {
		return "Overview"
	}
	kind := string(s.node.Kind)
	if kind == "" {
		return "Details"
	}
	return strings.ToUpper(kind[:1]) + kind[1:]
}

// note is what the lower edge of a pane's box says.
func (d *dashboard) note(p pane) string {
	switch p {
	case paneTree:
		if d.graphShown() {
			return d.graph.note(d.look)
		}
		return ""
	case paneFile:
		return d.file.note(d.look)
	case paneTimeline:
		return d.timeline.note(d.look)
	}
	return d.sheetOf(p).note(d.look)
}

// centred puts lines of one width into the middle of an area.
func centred(lines []string, width int, a area) []string {
	room := max(a.width-width, 0)
	left, right := strings.Repeat(" ", room/2), strings.Repeat(" ", room-room/2)
	out := make([]string, 0, a.height)
	for _, line := range lines[:min(len(lines), a.height)] {
		out = append(out, left+line+right)
	}
	return filled(out, a.width, a.height)
}

// overlay puts a box over lines, which stay as wide as they are.
func overlay(lines, box []string, at area) {
	for i, over := range box {
		y := at.y + i
		if y < 0 || y >= len(lines) {
			continue
		}
		left := ansi.Truncate(lines[y], at.x, "")
		right := ansi.TruncateLeft(lines[y], at.x+at.width, "")
		whole := ansi.StringWidth(lines[y])
		if ansi.StringWidth(right) > whole-at.x-at.width { // it begins with a wide character that begins under the box
			right = ansi.TruncateLeft(lines[y], at.x+at.width+1, "")
		}
		// A wide character that the box cuts in two leaves a blank.
		left += strings.Repeat(" ", max(at.x-ansi.StringWidth(left), 0))
		right = strings.Repeat(" ", max(whole-at.x-at.width-ansi.StringWidth(right), 0)) + right
		lines[y] = left + reset + over + right
	}
}
