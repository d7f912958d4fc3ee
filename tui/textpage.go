package tui

// A page about a build, and what can be selected on it.

import (
	"strings"

	"gatehouse/model"
	"gatehouse/tui/draw"
	"gatehouse/tui/index"
)

// page is a page with what is said about builds.
type page struct{ *draw.Page }

func newPage(l *draw.Look, width int) *page { return &page{l.Page(width)} }

// selection is what an item of a page is about and where it is written.
type selection struct {
	at     index.Place
	source model.Pos
	text   string // itself in one line
}

// beginAbout starts an item about a place. A page may outlive its snapshot, out of view, and so has copies of the texts.
func (p *page) beginAbout(at index.Place, source model.Pos, text string) {
	source.File = strings.Clone(source.File)
	p.Begin(selection{at.Clone(), source, strings.Clone(text)})
}

// selectedIn returns what is selected in a sheet; ok is false where nothing is.
func selectedIn(s *draw.Sheet) (x selection, ok bool) {
	it, ok := s.At()
	if ok {
		x = it.Key.(selection)
	}
	return x, ok
}

// noBuild is said of a project that has none.
const noBuild = "no build here"
