package tui

// Drawing: laying out the pages when what they show has changed, and putting header, panes and footer together.

import (
	"strings"

	tea "charm.land/bubbletea/v2"
)

// pageKey says what a page was laid out for. While it stays the same, so does the page.
type pageKey struct {
	index *index
	look  *look
	at    place
	width int
	aside bool // whether the side pane is there, which shows some of it
}

// pageKeys are those of the pages that are laid out.
type pageKeys struct{ detail, aside, help pageKey }

// drawKey says what a pane was drawn for.
type drawKey struct {
	look          *look
	revision      uint64
	top           int
	width, height int
	focused       bool
}

// drawing is a pane as it was drawn last.
type drawing struct {
	key   drawKey
	lines []string
}

type drawings [paneAside + 1]drawing

// settle makes everything fit together after something changed: pages are laid out anew where they show something else,
// and the tree's window follows its selection.
func (d *dashboard) settle() {
	if d.screen.kind == tooSmall || d.index == nil {
		return
	}
	d.tree.scrollTo(d.screen.panes[paneTree].height)
	at, _ := d.tree.at()
	beside := d.screen.shows(paneAside)
	if at.site != nil {
		key := pageKey{d.index, d.look, at.place(), d.screen.panes[paneDetail].width, beside}
		if key != d.pages.detail {
			d.detail.set(d.layDetail(at, key.width, beside), key.at != d.pages.detail.at)
			d.pages.detail = key
		}
	}
	if beside {
		key := pageKey{d.index, d.look, place{}, d.screen.panes[paneAside].width, beside}
		if at.site != nil {
			key.at = at.site.place("")
		}
		if key != d.pages.aside {
			d.aside.set(asidePage(d.look, d.index, at.site, key.width), false)
			d.pages.aside = key
		}
	}
	if d.helping {
		if key := (pageKey{look: d.look, width: d.helpArea().width}); key != d.pages.help {
			d.help.set(helpPage(d.look, d.keys, key.width), true)
			d.pages.help = key
		}
	}
	d.detail.scroll(0, d.screen.panes[paneDetail].height)
	d.aside.scroll(0, d.screen.panes[paneAside].height)
}

func (d *dashboard) layDetail(at row, width int, beside bool) []string {
	if at.node == nil {
		return overviewPage(d.look, d.index, at.site, width, beside)
	}
	return detailPage(d.look, at.site, at.node, width)
}

// helpArea returns where the help stands: in the middle, not wider than it needs.
func (d *dashboard) helpArea() area {
	a := d.screen.body
	w := min(helpWidth, a.width)
	return inBox(area{a.x + (a.width-w)/2, a.y, w, a.height})
}

// View draws the screen.
func (d *dashboard) View() tea.View {
	v := tea.NewView(d.frame())
	v.AltScreen = true
	v.MouseMode = tea.MouseModeCellMotion
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
	h := header{index: d.index, titlePath: d.opts.TitlePath, ended: d.ended}
	if at, ok := d.tree.at(); ok {
		h.site = at.site
	}
	return h
}

// frame returns the screen: as many lines as it is high, each as wide as it is.
func (d *dashboard) frame() string {
	s := d.screen
	if s.kind == tooSmall {
		return strings.Join(tooSmallFrame(d.look, d.index, s.width, s.height), "\n")
	}
	h := d.header()
	lines := h.Render(d.look, s.kind, s.width)
	switch {
	case d.helping:
		lines = append(lines, d.helpBox()...)
	case d.index.empty():
		page := emptyPage(d.look, d.index, d.opts, s.width-2)
		lines = append(lines, d.centred(page.lines, page.width)...)
	case s.boxed:
		lines = append(lines, d.boxes()...)
	case d.focus == paneTree:
		lines = append(lines, d.draw(paneTree)...)
	default:
		lines = append(lines, d.box(d.focus)...)
	}
	if d.still {
		lines = append(lines, strings.Repeat(" ", s.width))
	} else {
		lines = append(lines, footer(d, s.width))
	}
	return strings.Join(lines, "\n")
}

// draw returns a pane's lines, drawn anew only when something in them changed.
func (d *dashboard) draw(p pane) []string {
	a := d.screen.panes[p]
	key := drawKey{look: d.look, width: a.width, height: a.height, focused: d.focus == p && !d.helping}
	text := d.scrollerOf(p)
	if text == nil {
		key.revision, key.top = d.tree.revision, d.tree.top
	} else {
		key.revision, key.top = text.revision, text.top
	}
	if d.drawings[p].key == key {
		return d.drawings[p].lines
	}
	var lines []string
	if text == nil {
		lines = d.tree.Render(d.look, a.width, a.height, key.focused, d.still)
	} else {
		lines = text.Render(a.width, a.height)
	}
	d.drawings[p] = drawing{key, lines}
	return lines
}

// scrollerOf returns the text that a pane shows, nil for the tree.
func (d *dashboard) scrollerOf(p pane) *scroller {
	switch p {
	case paneDetail:
		return &d.detail
	case paneAside:
		return &d.aside
	}
	return nil
}

// boxes draws the panes side by side.
func (d *dashboard) boxes() []string {
	out := make([]string, d.screen.body.height)
	for p := range d.screen.panes {
		if d.screen.shows(pane(p)) {
			for i, line := range d.box(pane(p)) {
				out[i] += line
			}
		}
	}
	return out
}

// box draws a pane with the edges around it.
func (d *dashboard) box(p pane) []string {
	a, lines := d.screen.panes[p], d.draw(p)
	title, note, width := "Build", "", a.width+2
	if text := d.scrollerOf(p); text != nil {
		note, lines, width = text.note(d.look, a.height), padded(lines), a.width+4
		title = "For you"
		if p == paneDetail {
			title = d.detailTitle()
		}
	}
	return d.look.box(title, note, lines, width, d.screen.body.height, d.focus == p && !d.still)
}

// detailTitle says what kind of thing the details are about.
func (d *dashboard) detailTitle() string {
	at, _ := d.tree.at()
	if at.node == nil {
		return "Overview"
	}
	kind := string(at.node.Kind)
	if kind == "" {
		return "Details"
	}
	return strings.ToUpper(kind[:1]) + kind[1:]
}

func (d *dashboard) helpBox() []string {
	a := d.helpArea()
	box := d.look.box("Keys and signs", d.help.note(d.look, a.height), padded(d.help.Render(a.width, a.height)), a.width+4, d.screen.body.height, true)
	return d.centred(box, a.width+4)
}

// padded puts a blank on both sides of each line.
func padded(lines []string) []string {
	out := make([]string, len(lines))
	for i, line := range lines {
		out[i] = " " + line + " "
	}
	return out
}

// centred puts lines of one width into the middle of the body.
func (d *dashboard) centred(lines []string, width int) []string {
	room := max(d.screen.width-width, 0)
	left, right := strings.Repeat(" ", room/2), strings.Repeat(" ", room-room/2)
	out := make([]string, 0, d.screen.body.height)
	for _, line := range lines[:min(len(lines), d.screen.body.height)] {
		out = append(out, left+line+right)
	}
	for len(out) < d.screen.body.height {
		out = append(out, strings.Repeat(" ", d.screen.width))
	}
	return out
}
