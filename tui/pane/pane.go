// Package pane has the panes of the dashboard: one type each, behind one interface. What a pane is called, what it shows, how
// it is drawn, which keys it answers, what is selected in it and what a click means stand with the pane, and nowhere else.
//
// Panes open no file and know neither keys nor each other. They are told of the snapshot, the selection and the look by a
// [Scene], and change by methods only. A further pane is a type, an [ID] and a row in [New]; [List], [Filtered], [Loader] and
// [Scroller] are what it may do besides. Where it stands is decided by the dashboard.
package pane

// What a pane is, and what panes are told.

import (
	"path"
	"slices"
	"strconv"
	"time"

	"gatehouse/model"
	"gatehouse/tui/draw"
	"gatehouse/tui/index"
)

// ID names a pane. Its number on the screen is one more.
type ID int

const (
	TreeID ID = iota
	DetailID
	FileID
	WaitsID
	BlockersID
	TimelineID
	DecisionsID
	MetricsID
	InboxID
	Count = int(iota)
)

// Pane is one pane. It changes by methods and draws itself.
type Pane interface {
	// Name is what the pane is called, and Words what it shows.
	Name() string
	Words() string
	// Title is the name with what there is in it; front says whether the pane is in view.
	Title(front bool) string
	// Note is what the lower edge of its box says.
	Note(l *draw.Look) string
	// Lay takes in what is new, and an area. What is out of view need not be laid out, and must keep nothing of a snapshot.
	Lay(s *Scene, a draw.Area, inView bool)
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

// List is a pane that others are about: they show what is selected in it.
type List interface {
	Pane
	// Position is which of its entries is selected, counted from 1, and how many there are.
	Position() (n, of int)
	// Selected is what the others are about; ok is false for the row of the tree.
	Selected() (s selection, ok bool)
}

// Filtered is a pane with a filter.
type Filtered interface {
	Pane
	Filter() *index.Filter
	SetMode(Mode)
	Refilter()        // after the filter has changed
	Topics() []string // what there is to filter by besides states, in the order of their keys
}

// Loader is a pane that takes a snapshot in as soon as there is one, in view or not.
type Loader interface{ Load(ix *index.Index) }

// Scroller is a pane whose window moves without its selection.
type Scroller interface{ Scroll(by int) }

// step is what follows when something is opened: a pane, or a row of the tree, or nothing.
type step struct {
	To    ID
	Row   bool // goes to the row at a place instead
	At    index.Place
	Never string // why nothing follows
	Do    func() // changes the pane itself instead
}

// selection is what an entry of a pane is about and where it is written.
type selection struct {
	at       index.Place
	source   model.Pos
	text     string          // itself in one line
	activity *model.Activity // what an agent has told, nil for all else
}

// Subject is what the panes beside the tree are about: the selected row, or the selected entry of the list that was
// looked at last.
type Subject struct {
	index.Row
	Source   model.Pos       // where it is written
	Text     string          // itself in one line, "" for what the row says
	activity *model.Activity // what the details are about instead of the row, nil for the row
}

// SubjectOf returns what a selection is about, or without one the row of the tree.
func SubjectOf(ix *index.Index, t *Tree, l List) (s Subject, ok bool) {
	x, _ := l.Selected()
	s.Source, s.Text, s.activity = x.source, x.text, x.activity
	if home := ix.Site(x.at); x.at != (index.Place{}) && home != nil {
		s.Row = index.Row{Site: home, Node: home.Nodes[x.at.Node].Node}
	} else if s.Row, ok = t.At(); !ok {
		return s, false
	}
	if s.Source.File == "" {
		s.Source = sourceOf(s.Row)
	}
	return s, true
}

// sourceOf returns where a row is written: what its status comes from, its own place, else the first of its files that is there. A place without a line
// may be a directory, which says less than any file in it.
func sourceOf(r index.Row) model.Pos {
	switch {
	case r.Node == nil && r.Site.Build == nil:
		return model.Pos{}
	case r.Node == nil:
		return model.Pos{File: r.Site.Build.File}
	case r.Node.Decides.File != "":
		return r.Node.Decides
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

// Scene is what the panes are told.
type Scene struct {
	Index   *index.Index
	Shown   uint64 // how many snapshots were shown so far
	Look    *draw.Look
	Now     func() time.Time
	Row     index.Row // the selected one; without a site where there is none
	InView  func(ID) bool
	Subject func() (Subject, bool)
	Offers  func(index.Row) []draw.Hint // what can be decided about a row, with the keys for it
}

// New returns all panes.
func New() [Count]Pane {
	return [Count]Pane{
		TreeID: newTree(), DetailID: newDetails(), FileID: newFile(), WaitsID: newQueue(), BlockersID: newBlockers(),
		TimelineID: newTimeline(), DecisionsID: newDecisions(), MetricsID: newMetrics(), InboxID: newInbox(),
	}
}

// counted returns a name with how many there are.
func counted(name string, n int) string {
	if n > 0 {
		name += " (" + strconv.Itoa(n) + ")"
	}
	return name
}

// Files returns the files of a row that are there: first the one that its status comes from, then where it is written.
func (s Subject) Files() []model.Artifact {
	var all []model.Artifact
	if s.Source.File != "" {
		all = append(all, model.Artifact{Name: path.Base(s.Source.File), File: s.Source.File, Exists: true})
	}
	if s.Node == nil {
		return all
	}
	add := func(a model.Artifact) {
		if a.Exists && !slices.ContainsFunc(all, func(b model.Artifact) bool { return a.File == b.File }) {
			all = append(all, a)
		}
	}
	if at := s.Node.Source; at.Line > 0 { // without a line it may be a directory
		add(model.Artifact{Name: path.Base(at.File), File: at.File, Exists: true})
	}
	for _, a := range s.Node.Artifacts {
		add(a)
	}
	return all
}

// KeyOf returns the key of a verb that is offered, "" where it is not.
func KeyOf(offers []draw.Hint, v model.Verb) string {
	for _, o := range offers {
		if o.Words == v.Words().Short {
			return o.Key
		}
	}
	return ""
}
