// Package pane has the panes of the dashboard: one type each, behind one interface. Each pane knows its name, its content, its drawing,
// its selection and the meaning of clicks.
//
// Panes open no file and know neither keys nor each other. A [Scene] has the snapshot, the selection and the look, and panes change
// only by methods. A new pane is a type, an [ID] and a row in [New]; it may also be a [List].
// The dashboard decides the position of panes.
package pane

// The interface of panes, and the scene that they draw.

import (
	"path"
	"slices"
	"strconv"

	"gatehouse/model"
	"gatehouse/tui/draw"
	"gatehouse/tui/index"
)

// ID identifies a pane. Its number on the screen is one more.
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
	// Base has the name, the filter and the selection of the pane.
	Base() *list
	// Title is the name with the number of entries; front says whether the pane is visible.
	Title(s *Scene, front bool) string
	// Note is the text in the lower edge of the box.
	Note(l *draw.Look) string
	// Lay takes in the scene, and an area. A hidden pane need not be laid out, and must keep nothing of a snapshot.
	Lay(s *Scene, a draw.Area, inView bool)
	// Render draws exactly height lines of width columns.
	Render(l *draw.Look, width, height int, focused bool) []string
	// Move moves the selection or the text some lines down, or up.
	Move(by int)
	// Scroll does the same for the wheel of the mouse; a text in a window moves without its selection.
	Scroll(by int)
	// Enter opens the selection.
	Enter() step
	// Refilter applies the filter after a change.
	Refilter()
	// choose selects the entry that begins on a line, after a click in a column.
	choose(line, x int)
}

// List is a pane whose selection other panes show.
type List interface {
	Pane
	// Position returns the number of the selected entry, counted from 1, and the number of entries.
	Position() (n, of int)
	// Selected returns the subject for the other panes; ok is false if that is the row of the tree.
	Selected() (s selection, ok bool)
}

// step is the result of opening an entry: a pane, a row of the tree, or nothing.
type step struct {
	To    ID
	Row   bool // goes to the row at a place instead
	At    index.Place
	Never string // why nothing is opened
	Do    func() // changes the pane itself instead
}

// selection is the subject of an entry, and the place that defines it.
type selection struct {
	at     index.Place
	source model.Pos
	text   string // the entry in one line
}

// Subject is the row that the other panes show: the selected row of the tree, or the selected entry of another list.
type Subject struct {
	index.Row
	Source model.Pos // the place that defines it
	Text   string    // the entry in one line, "" for the text of the row
}

// SubjectOf returns the subject of the selected entry, or else the row of the tree.
func SubjectOf(ix *index.Index, t *Tree, l List) (s Subject, ok bool) {
	x, _ := l.Selected()
	s.Source, s.Text = x.source, x.text
	if home := ix.Site(x.at); x.at != (index.Place{}) && home != nil {
		s.Row = home.Row(x.at.Node)
	} else if s.Row, ok = t.At(); !ok {
		return s, false
	}
	if s.Source.File == "" {
		s.Source = sourceOf(s.Row)
	}
	return s, true
}

// SubjectAt returns the subject of a node, or of a build for "".
func SubjectAt(s *index.Site, node string) Subject {
	r := s.Row(node)
	return Subject{Row: r, Source: sourceOf(r)}
}

// sourceOf returns the place that defines a row: the source of its status, else its own place, else the first of its existing files. A
// place without a line may be a directory, which says less than a file in it.
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

// Scene is the state of the dashboard that panes draw.
type Scene struct {
	Index   *index.Index
	Look    *draw.Look
	Row     index.Row // the selected row; without a site if nothing is selected
	InView  func(ID) bool
	Subject func() (Subject, bool)
	Offers  func(index.Row) []draw.Hint // the possible decisions about a row, with their keys
}

// New returns all panes.
func New() [Count]Pane {
	return [Count]Pane{
		TreeID:      newTree(),
		DetailID:    &textPane{list: list{Name: "Details", Words: "the details of what is selected"}, page: detailsPage, title: kindOf, next: FileID},
		FileID:      &File{list: list{Name: "File", Words: "the file behind it, at its line", owner: func(int) int { return -1 }}}, // nothing can be selected
		WaitsID:     newEntries("For you", "all that waits for you, what comes next, and which agents run", waitsPage, queueTitle),
		BlockersID:  newEntries("Blockers", "what blocks, what worries, what cannot be read", blockersPage, blockersTitle),
		TimelineID:  &Timeline{list: list{Name: "Timeline", Words: "what happened, and what was decided", HasFilter: true}},
		DecisionsID: newEntries("Decisions", "what was decided, by whom, and what became of it", decisionsPage, nil),
		MetricsID:   &textPane{list: list{Name: "Metrics", Words: "the numbers: burn-up, what is left, how long it took"}, page: measuresPage, next: MetricsID},
		InboxID:     newInbox(),
	}
}

// nameWithCount returns a name with a number of entries.
func nameWithCount(name string, n int) string {
	if n > 0 {
		name += " (" + strconv.Itoa(n) + ")"
	}
	return name
}

// Files returns the existing files of a row: first the source of its status, then the place that defines it.
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

// KeyOf returns the key of an offered verb, "" if it is not offered.
func KeyOf(offers []draw.Hint, v model.Verb) string {
	for _, o := range offers {
		if o.Words == v.Words().Short {
			return o.Key
		}
	}
	return ""
}
