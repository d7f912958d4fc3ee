package tui

// The effects of keys. Programs are started in external_programs.go; the mouse is handled in mouse.go.

import (
	"slices"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"gatehouse/model"
	"gatehouse/model/line"
	"gatehouse/tui/decide"
	"gatehouse/tui/draw"
	"gatehouse/tui/index"
	"gatehouse/tui/input"
	"gatehouse/tui/pane"
)

// pressKey does what a key is bound to, or says why it can't. Unknown keys do nothing, but a read-only dashboard says that a deciding
// key is missing.
func (d *dashboard) pressKey(k input.Stroke) tea.Cmd {
	means := func(b binding) bool { return !b.inDialog && slices.Contains(b.on.Keys(), k.Name) }
	if !d.touched {
		i := slices.IndexFunc(d.keys, means)
		shown := i >= 0 && d.showBanner(d.keys[i])
		if d.touched = true; shown {
			return nil
		}
	}
	if d.topDialog() == nil && d.decisions.Echoes(k.Name) {
		return nil
	}
	d.toast.clear()
	if top := d.topDialog(); top != nil && k.Name != "ctrl+c" && k.Name != "ctrl+z" {
		cmd := top.Press(k)
		d.layOut()
		return cmd
	}
	if i := slices.IndexFunc(d.keys, means); i >= 0 {
		return d.runRow(d.keys[i])
	}
	if d.opts.ReadOnly && slices.ContainsFunc(rebindRows(bindings(), d.opts.Keys), means) {
		return d.showRefusal("read only: nothing is decided or answered here")
	}
	return nil
}

// showBanner selects the banner's question before the first key: a deciding key then acts on it, and the next key goes there. It
// reports whether that is all the key does.
func (d *dashboard) showBanner(b binding) bool {
	goes := b.name == "next"
	decides := len(b.verbs) > 0 && b.verbs[0].Words().About == model.AboutGate && b.verbs[0] != model.VerbUndo
	_, w, _ := d.currentTarget()
	r, ok := d.tree.At()
	if !decides && !goes || w.Site == nil || ok && r.Place() == w.At() || d.topDialog() != nil {
		return false
	}
	d.Select(w.At())
	return goes
}

// runRow runs a row of the table.
func (d *dashboard) runRow(b binding) tea.Cmd {
	if b.off != nil {
		if why := b.off(d); why != "" {
			return d.showRefusal(why)
		}
	}
	cmd := b.do(d)
	d.noticeSelected()
	d.layOut()
	return cmd
}

// noticeSelected removes the change mark from the selected row.
func (d *dashboard) noticeSelected() {
	if r, ok := d.tree.At(); ok && d.focus <= pane.DetailID && d.seen.Visit(d.index, r.Place()) {
		d.updateMarks()
	}
}

// pageHeight returns the height of the focused pane.
func (d *dashboard) pageHeight() int { return max(d.screen.innerArea(d.focus).Height, 2) }

// openSelected opens the question of an agent. Otherwise it goes from a list to the row, from a row to its details, and from the
// details to the file.
func (d *dashboard) openSelected() tea.Cmd {
	if s, ok := d.selectedSubject(); ok && s.Node != nil && d.decisions.Answerer != nil && (s.Node.IsTurn() || s.Node.Gate != nil && s.Node.Gate.Ask != nil) {
		return d.askFor(model.VerbAnswer)
	}
	next := d.panes[d.focus].Enter()
	if next.Do != nil {
		next.Do()
		return nil
	}
	if !next.Row {
		d.focusOn(next.To)
		return nil
	}
	d.tree.Filter = index.Filter{} // the filter may hide the row
	d.tree.GoTo(next.At)
	d.focusOn(pane.TreeID)
	if !d.screen.split {
		d.focusOn(pane.DetailID)
	}
	return nil
}

// goBack takes one step back: out of the filter, the zoom or the pane.
func (d *dashboard) goBack() {
	switch in := d.panes[d.focus]; {
	case in.Base().HasFilter && in.Base().Filter.Active():
		d.clearFilter()
	case d.layout.zoom:
		d.toggleZoom()
	case d.focus != pane.TreeID:
		d.focusOn(pane.TreeID)
	default:
		d.clearFilter()
	}
}

// selectNext selects the next or previous hit of a search, else the next wait, then failure, then blocked row.
func (d *dashboard) selectNext(by int) {
	if d.tree.Filter.Active() {
		d.tree.NextHit(by)
		d.master = pane.TreeID
		return
	}
	stops := d.index.Stops
	next := 0
	if by < 0 {
		next = len(stops) - 1
	}
	if r, ok := d.tree.At(); ok {
		if i := slices.Index(stops, r.Place()); i >= 0 {
			next = (i + by + len(stops)) % len(stops)
		}
	}
	d.tree.GoTo(stops[next])
	d.master = pane.TreeID
}

// nextFile shows the next file of the row.
func (d *dashboard) nextFile(by int) {
	if d.inView(pane.FileID) { // otherwise the first file is shown
		d.file.Next(by)
	}
	d.bringFile()
}

// bringFile shows the file pane.
func (d *dashboard) bringFile() {
	if !d.inView(pane.FileID) {
		d.focusOn(pane.FileID)
	}
}

func (d *dashboard) toggleZoom() {
	d.layout.zoom = !d.layout.zoom
	d.updateScreen()
}

// nextPreview moves the preview to the next position that makes a difference.
func (d *dashboard) nextPreview() tea.Cmd {
	before := len(d.screen.slots)
	for range 2 {
		d.layout.preview = (d.layout.preview + 1) % (previewOff + 1)
		d.updateScreen()
		if d.screen.kind > single || len(d.screen.slots) != before {
			break
		}
	}
	if !d.inView(d.focus) {
		d.focusOn(pane.TreeID)
	}
	where := d.layout.preview.String()
	if d.screen.kind <= single && d.screen.split {
		where = previewBottom.String()
	} else if d.screen.kind <= single {
		where = previewOff.String()
	}
	return d.showDone("preview: " + where)
}

// seeAll removes all change marks.
func (d *dashboard) seeAll() tea.Cmd {
	text := draw.Counted(d.seen.Count, "change")
	d.seen.VisitAll(d.index)
	d.updateMarks()
	return d.showDone(text + " marked as seen")
}

func (d *dashboard) toggleMouse() tea.Cmd {
	d.noMouse = !d.noMouse
	if d.noMouse {
		return d.showDone("mouse off: the terminal selects text as usual")
	}
	return d.showDone("mouse on")
}

// Live agents: jumping to the agent's pane with the terminal's own command, and the diff of its working tree.

// selectedAgent returns the place of the selected session or question; ok is false for other rows.
func (d *dashboard) selectedAgent() (at index.Place, ok bool) {
	s, ok := d.selectedSubject()
	if !ok || s.Node == nil || s.Site.Build == nil || s.Site.Build.ID != model.AgentsBuild {
		return at, false
	}
	return s.Site.Place(s.Node.ID), true
}

// jumpToAgent returns the command that goes to the pane of the selected agent.
func (d *dashboard) jumpToAgent() tea.Cmd {
	at, _ := d.selectedAgent()
	return d.Jump(at.Node)
}

// Jump implements [decide.Host]. A command that leads to the agent is copied.
func (d *dashboard) Jump(node string) tea.Cmd {
	answerer, ctx, command := d.opts.Answerer, d.ctx, ""
	jump := func() (said string, _ error) {
		said, command = answerer.Jump(ctx, node)
		return said, nil
	}
	return decide.Request(jump, func(said string, _ error) tea.Cmd {
		if command != "" {
			return d.toClipboard(command)
		}
		return d.showDone(said)
	})
}

// showDiff shows the changes in the working tree of the selected agent.
func (d *dashboard) showDiff() tea.Cmd {
	at, _ := d.selectedAgent()
	return d.decisions.ShowDiff(d.opts.Answerer, at)
}

// whyNoAgent says why the pane and the working tree of an agent are out of reach.
func (d *dashboard) whyNoAgent() string {
	if _, ok := d.selectedAgent(); !ok {
		return "no live agent is selected"
	}
	if d.opts.Answerer == nil {
		return "live agents cannot be reached from here"
	}
	return ""
}

// Copying by OSC 52: only texts that are composed here, cleaned and bounded in length.

// copyLimit is the longest copied text, in bytes: some terminals drop more than a few thousand.
const copyLimit = 2000

// copySelected copies the selection in one line, with its position in the file: ready to be handed to an agent.
func (d *dashboard) copySelected() tea.Cmd {
	s, ok := d.selectedSubject()
	if !ok {
		return nil
	}
	text := s.Text
	switch {
	case d.focus == pane.FileID:
		return d.copyPlace()
	case text != "":
	case s.Node != nil:
		text = s.Node.Name()
	case len(s.Run) > 0:
		text = s.Run[0].Name() + " – " + s.Run[len(s.Run)-1].Name()
	default:
		text = draw.Join(draw.PartJoint, s.Site.Where, s.Site.Title())
	}
	if at := s.Source.String(); at != "" {
		text += " (" + at + ")"
	}
	return d.toClipboard(text)
}

// copyPlace copies the file and line of the selection.
func (d *dashboard) copyPlace() tea.Cmd {
	s, _ := d.selectedSubject()
	return d.toClipboard(d.selectedPos(s).String())
}

func (d *dashboard) toClipboard(text string) tea.Cmd {
	text = line.Clean(draw.Plain(text))
	if len(text) > copyLimit {
		text = line.Clean(text[:copyLimit]) // a character cut in two is replaced
	}
	return tea.Batch(tea.Raw(ansi.SetSystemClipboard(text)), d.showDone("copied: "+text))
}
