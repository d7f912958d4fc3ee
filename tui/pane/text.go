package pane

// Panes that show a page of text, which is laid out anew only where what it shows has changed.

import (
	"strings"
	"time"

	"github.com/charmbracelet/x/ansi"

	"gatehouse/model"
	"gatehouse/tui/draw"
	"gatehouse/tui/index"
)

// page is a page with what is said about builds.
type page struct{ *draw.Page }

func newPage(l *draw.Look, width int) page { return page{l.Page(width)} }

// beginAbout starts an item about a place. A page may outlive its snapshot, out of view, and so has copies of the texts.
func (p page) beginAbout(at index.Place, source model.Pos, text string) {
	source.File = strings.Clone(source.File)
	p.Begin(selection{at: at.Clone(), source: source, text: strings.Clone(text)})
}

// noBuild is said of a project that has none.
const noBuild = "no build here"

// pageKey says what a page was laid out for. While it stays the same, so does the page. A page that is out of view is kept as
// long as that lasts: its key leads to nothing of the snapshot, which would stay in memory with it.
type pageKey struct {
	shown    uint64 // which snapshot
	look     *draw.Look
	at       index.Place
	activity activityKey
	filter   uint64 // how often the filter has changed
	width    int
	beside   panesInView
	chart    int // rows
}

// activityKey tells what agents have logged apart; the zero value is nothing.
type activityKey struct {
	at   time.Time
	text string
}

func keyOfActivity(a *model.Activity) activityKey {
	if a == nil {
		return activityKey{}
	}
	return activityKey{a.At, a.Kind + ": " + a.Text}
}

// keyFor is the key of a page about all there is.
func (s *Scene) keyFor(a draw.Area) pageKey {
	return pageKey{shown: s.Shown, look: s.Look, width: a.PageWidth()}
}

// textPane is a pane with a page. Its entries are nobody's business but its own.
type textPane struct {
	draw.Sheet
	finder
	key pageKey
}

// set shows the page for a key, unless it is there already.
func (p *textPane) set(key pageKey, fromTop bool, lay func() page) {
	if key == p.key {
		return
	}
	p.Set(lay().Page, fromTop)
	if p.text != "" {
		p.find(bareRows(p.Sheet.Lines), p.text)
	}
	key.at = key.at.Clone()
	p.key = key
}

// Lines returns how many there are.
func (p *textPane) Lines() int { return len(p.Sheet.Lines) }

// Seek implements [Finder].
func (p *textPane) Seek(text string) {
	p.find(bareRows(p.Sheet.Lines), text)
	if text != "" && p.count > 0 {
		p.NextHit(1)
	}
	p.Revision++
}

// SetMode implements [Finder].
func (p *textPane) SetMode(m Mode) {
	p.mode = m
	p.Revision++
}

// NextHit goes to the next hit, or the one before, and selects the entry that it is in.
func (p *textPane) NextHit(by int) {
	row := p.next(by, p.Top)
	if row < 0 {
		return
	}
	for i, it := range p.Items {
		if it.Holds(row) {
			p.Choose(i)
		}
	}
	if row < p.Top || row >= p.Top+p.Height {
		p.Scroll(row - p.Height/3 - p.Top)
	}
	p.Revision++
}

// Fit takes a new height in, of which the bar of what is looked for takes one row.
func (p *textPane) Fit(height int) { p.Sheet.Fit(height - p.barHeight()) }

// Render draws the bar of what is looked for, and the page.
func (p *textPane) Render(l *draw.Look, width, height int, focused bool) []string {
	bar := p.barHeight()
	if bar == 0 {
		return p.Sheet.Render(l, width, height, focused)
	}
	lines := append(make([]string, 0, height), p.bar(l, width))
	for i, s := range p.Sheet.Render(l, width, height-bar, focused) {
		if hits := p.in(p.Top + i); len(hits) > 0 { // one column is before the page
			margin := ansi.Truncate(s, 1, "")
			s = margin + highlighted(l, ansi.TruncateLeft(s, 1, ""), hits, p.at)
		}
		lines = append(lines, s)
	}
	return lines
}

// Click selects the entry at a point.
func (p *textPane) Click(_ *draw.Look, _, y, _ int) {
	if i, ok := p.Hit(y - p.barHeight()); ok {
		p.Choose(i)
	}
}

// listPane is a pane with a page whose entries other panes are about.
type listPane struct{ textPane }

// Position implements [List].
func (p *listPane) Position() (n, of int) { return p.Sheet.Selected + 1, len(p.Items) }

// Selected implements [List].
func (p *listPane) Selected() (x selection, ok bool) {
	it, ok := p.At()
	if ok {
		x = it.Key.(selection)
	}
	return x, ok
}

// Enter goes to the row that the selected entry is about.
func (p *listPane) Enter() step {
	if x, ok := p.Selected(); ok {
		return step{Row: true, At: x.at}
	}
	return step{Never: "nothing is selected"}
}
