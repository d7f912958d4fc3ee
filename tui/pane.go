package tui

// What a pane is, and what panes are told.

import (
	"strconv"

	"gatehouse/model"
	"gatehouse/tui/draw"
	"gatehouse/tui/index"
)

// pane names a pane. Its number on the screen is one more.
type pane int

const (
	paneTree pane = iota
	paneDetail
	paneFile
	paneWaits
	paneBlockers
	paneTimeline
	paneDecisions
	paneMetrics
	paneInbox
	paneCount = int(iota)
)

// content is one pane. It changes by methods and draws itself.
type content interface {
	// Name is what the pane is called, and Words what it shows.
	Name() string
	Words() string
	// Title is the name with what there is in it; front says whether the pane is in view.
	Title(front bool) string
	// Note is what the lower edge of its box says.
	Note(l *draw.Look) string
	// Lay takes in what is new, and an area. What is out of view need not be laid out, and must keep nothing of a snapshot.
	Lay(s *scene, a draw.Area, inView bool)
	// Render draws exactly height lines of width columns.
	Render(l *draw.Look, width, height int, focused bool) []string
	// Version grows with every change of what Render would draw for the same look, size and focus.
	Version() uint64
	// Move goes some lines down, or up.
	Move(by int)
	// Click selects, folds or switches what is at a point.
	Click(l *draw.Look, x, y, width int)
	// Enter is what follows when what is selected is opened.
	Enter() step
}

// list is a pane that others are about: they show what is selected in it.
type list interface {
	content
	// Position is which of its entries is selected, counted from 1, and how many there are.
	Position() (n, of int)
	// Selected is what the others are about; ok is false for the row of the tree.
	Selected() (s selection, ok bool)
}

// filtered is a pane with a filter.
type filtered interface {
	content
	Filter() *index.Filter
	SetMode(barMode)
	Refilter()        // after the filter has changed
	Topics() []string // what there is to filter by besides states, in the order of their keys
}

// loader is a pane that takes a snapshot in as soon as there is one, in view or not.
type loader interface{ Load(ix *index.Index) }

// scroller is a pane whose window moves without its selection.
type scroller interface{ Scroll(by int) }

// step is what follows when something is opened: a pane, or a row of the tree, or nothing.
type step struct {
	to    pane
	row   bool // goes to the row at a place instead
	at    index.Place
	never string // why nothing follows
}

// selection is what an entry of a pane is about and where it is written.
type selection struct {
	at       index.Place
	source   model.Pos
	text     string          // itself in one line
	activity *model.Activity // what an agent has told, nil for all else
}

// subject is what the panes beside the tree are about: the selected row, or the selected entry of the list that was
// looked at last.
type subject struct {
	index.Row
	source   model.Pos       // where it is written
	text     string          // itself in one line, "" for what the row says
	activity *model.Activity // what the details are about instead of the row, nil for the row
}

// subjectOf returns what a selection is about, or without one the row of the tree.
func subjectOf(ix *index.Index, t *tree, l list) (s subject, ok bool) {
	x, _ := l.Selected()
	s.source, s.text, s.activity = x.source, x.text, x.activity
	if home := ix.Site(x.at); x.at != (index.Place{}) && home != nil {
		s.Row = index.Row{Site: home, Node: home.Nodes[x.at.Node].Node}
	} else if s.Row, ok = t.at(); !ok {
		return s, false
	}
	if s.source.File == "" {
		s.source = sourceOf(s.Row)
	}
	return s, true
}

// sourceOf returns where a row is written: its own place, else the first of its files that is there. A place without a line
// may be a directory, which says less than any file in it.
func sourceOf(r index.Row) model.Pos {
	switch {
	case r.Node == nil && r.Site.Build == nil:
		return model.Pos{}
	case r.Node == nil:
		return model.Pos{File: r.Site.Build.File}
	case r.Node.Source.Line > 0:
		return r.Node.Source
	}
	first := r.Node.Source
	for _, a := range r.Node.Artifacts {
		switch {
		case !a.Exists:
		case a.File == r.Node.Source.File:
			return r.Node.Source
		case first == r.Node.Source:
			first = model.Pos{File: a.File}
		}
	}
	return first
}

// scene is what the panes are told.
type scene struct {
	index   *index.Index
	shown   uint64 // how many snapshots were shown so far
	look    *draw.Look
	row     index.Row // the selected one; without a site where there is none
	inView  func(pane) bool
	subject func() (subject, bool)
	offers  func(index.Row) []draw.Hint // what can be decided about a row, with the keys for it
}

// newPanes returns all panes.
func newPanes() [paneCount]content {
	return [paneCount]content{
		paneTree: &tree{}, paneDetail: &details{}, paneFile: &file{}, paneWaits: &waits{}, paneBlockers: &blockers{},
		paneTimeline: &timeline{}, paneDecisions: &decisions{}, paneMetrics: &metrics{}, paneInbox: &inbox{},
	}
}

// counted returns a name with how many there are.
func counted(name string, n int) string {
	if n > 0 {
		name += " (" + strconv.Itoa(n) + ")"
	}
	return name
}
