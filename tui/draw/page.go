package draw

// A page of text under headings, the basis of text panes and the help, and the window that scrolls over it.

import (
	"iter"
	"strconv"
	"strings"
	"unicode/utf8"

	"gatehouse/model/line"
)

// LongestLabel bounds the column of labels, so that one long label does not push every value aside.
const LongestLabel = 16

// Page is a text laid out for a width. It grows line by line and is then only read.
type Page struct {
	Look    *Look
	Width   int
	Labels  int  // the minimum width of the column of labels
	Longest int  // the maximum width, if it is not longestLabel
	Ours    bool // nothing in it comes from a file
	Bright  bool // labels are highlighted, not the values
	Lines   []string
	Items   []Item // the parts that can be selected
}

func (l *Look) Page(width int) *Page { return &Page{Look: l, Width: max(width, 1)} }

// Add ends a ribbon and makes it the next line.
func (p *Page) Add(r *Ribbon) { p.Lines = append(p.Lines, r.Line()) }

// Gap leaves a line blank, unless the page is empty or the last line is blank already.
func (p *Page) Gap() {
	if n := len(p.Lines); n > 0 && p.Lines[n-1] != p.blankText() {
		p.BlankLine()
	}
}

// BlankLine leaves a line blank.
func (p *Page) BlankLine() { p.Lines = append(p.Lines, p.blankText()) }

func (p *Page) blankText() string { return strings.Repeat(" ", p.Width) }

// Heading starts a part of the page.
func (p *Page) Heading(text string) {
	p.Gap()
	r := p.Look.Ribbon(p.Width)
	r.Add(p.Look.Theme.Section, text)
	p.Add(&r)
}

// Text adds a paragraph.
func (p *Page) Text(st Style, text string) { p.Hanging("", "", 0, st, text) }

// Item adds a paragraph after a glyph, indented by its width.
func (p *Page) Item(glyphStyle Style, glyph string, st Style, text string) {
	p.Hanging(glyphStyle, glyph, utf8.RuneCountInString(glyph)+1, st, text)
}

// Below adds a paragraph that belongs to the item above it.
func (p *Page) Below(st Style, text string) { p.Hanging("", "", 2, st, text) }

// Quote adds a paragraph of foreign text, marked in each of its rows.
func (p *Page) Quote(st Style, text string) {
	p.Hanging(p.Look.Theme.Dim, p.Look.Glyphs.GoesOn, 2, st, line.Foreign(text))
}

// Hanging adds a paragraph that is indented, with a sign before its first line. Each further line has the sign of continuation, so that no
// part of a long text passes for a row of its own.
func (p *Page) Hanging(signStyle Style, sign string, indent int, st Style, text string) {
	if text == "" {
		return
	}
	lines, more := p.Look.wrapText(text, p.Width-indent), indent
	if len(lines) > 1 && more < 2 && !p.Ours {
		more = 2
		lines = p.Look.wrapText(text, p.Width-more)
	}
	for i, s := range lines {
		r := p.Look.Ribbon(p.Width)
		if i == 0 {
			r.Sign(signStyle, sign)
			r.To(indent)
		} else {
			p.goesOn(&r, more)
		}
		r.Exactly(st, s)
		p.Add(&r)
	}
}

// goesOn begins a continuation line, up to a column.
func (p *Page) goesOn(r *Ribbon, column int) {
	if !p.Ours {
		r.To(column - 2)
		r.Sign(p.Look.Theme.Dim, p.Look.Glyphs.GoesOn)
	}
	r.To(column)
}

// measureText returns a text as shown on this page, and its width.
func (p *Page) measureText(text string) (string, int) {
	if p.Ours {
		return p.Look.MeasureExactly(text)
	}
	return p.Look.Measure(text)
}

// Fact is a line with a label, and a style for its value.
type Fact struct {
	Label, Value string
	Style        Style
}

// Facts adds lines whose values are in one column. Those without a value are left out.
func (p *Page) Facts(facts ...Fact) {
	column := p.labelWidth(facts)
	for _, f := range facts {
		if f.Value == "" {
			continue
		}
		for i, s := range p.Look.wrapText(f.Value, p.Width-column-2) {
			r := p.Look.Ribbon(p.Width)
			if i == 0 {
				label, w := p.measureText(f.Label)
				st := p.Look.Theme.Dim
				if p.Bright {
					st = p.Look.Theme.Strong
				}
				r.write(st, label, w, column)
				r.To(column + 2)
			} else {
				p.goesOn(&r, column+2)
			}
			r.Exactly(f.Style, s)
			p.Add(&r)
		}
	}
}

// labelWidth returns the width of the column of labels for some facts.
func (p *Page) labelWidth(facts []Fact) int {
	column, longest, most := p.Labels, LongestLabel, p.Width/3
	if p.Longest > 0 {
		longest, most = p.Longest, p.Width/2
	}
	for _, f := range facts {
		if f.Value != "" {
			_, w := p.measureText(f.Label)
			column = max(column, min(w, longest, most))
		}
	}
	return column
}

// ListLimit bounds the lists of a page: what is laid out at once must not grow with the build.
const ListLimit = 100

// More says how many entries of a list are left out.
func (p *Page) More(n int) { p.Below(p.Look.Theme.Dim, strconv.Itoa(n)+" more") }

// Limited yields the first [ListLimit] entries of a list, and then adds to the page how many more there are.
func Limited[T any](p *Page, all []T) iter.Seq2[int, T] {
	return func(yield func(int, T) bool) {
		for i, x := range all {
			if i == ListLimit {
				p.More(len(all) - i)
				return
			}
			if !yield(i, x) {
				return
			}
		}
	}
}

// QuoteLines quotes a text line by line; lines may be blank.
func (p *Page) QuoteLines(text string) {
	for s := range strings.SplitSeq(text, "\n") {
		p.Quote("", OrElse(strings.TrimRight(s, "\r"), " "))
	}
}

// Item is a part of a page that can be selected.
type Item struct {
	Key      any // what it is about; items with the same key on two pages are the same. It must be comparable
	From, To int // its lines, To not included
}

// Begin starts an item of the page; it contains everything added until End. A hidden page may outlive its snapshot, and
// so must the key.
func (p *Page) Begin(key any) { p.Items = append(p.Items, Item{Key: key, From: len(p.Lines)}) }

// End ends the current item.
func (p *Page) End() { p.Items[len(p.Items)-1].To = len(p.Lines) }

// Rest has lines that are made as they come into view: a page may continue with a megabyte of text.
type Rest interface {
	Len() int
	Line(l *Look, i int) string
}

// Sheet shows a page.
type Sheet struct {
	Lines  []string
	Rest   Rest // the lines below the page, nil for none
	Top    int
	Height int // of the window, as it was drawn last
}

// Len returns how many lines there are.
func (s *Sheet) Len() int {
	if s.Rest == nil {
		return len(s.Lines)
	}
	return len(s.Lines) + s.Rest.Len()
}

// Scroll moves the window by some lines as far as there are any.
func (s *Sheet) Scroll(by int) { s.Top = max(0, min(s.Top+by, s.Len()-s.Height)) }

// Press scrolls by a key.
func (s *Sheet) Press(key string) {
	page := max(s.Height-1, 1)
	s.Scroll(map[string]int{"j": 1, "down": 1, "k": -1, "up": -1, "ctrl+d": max(page/2, 1), "ctrl+u": -max(page/2, 1), "pgdown": page, "space": page,
		"pgup": -page, "g": -FarAway, "home": -FarAway, "G": FarAway, "end": FarAway}[key])
}

// Render draws the window in some height. The page was laid out for two columns less, one on each side.
func (s *Sheet) Render(l *Look, width, height int) []string {
	s.Height = height
	s.Scroll(0)
	lines := make([]string, 0, height)
	for i := s.Top; i < len(s.Lines) && len(lines) < height; i++ {
		lines = append(lines, " "+s.Lines[i]+" ")
	}
	for i := max(s.Top, len(s.Lines)); i < s.Len() && len(lines) < height; i++ {
		lines = append(lines, " "+s.Rest.Line(l, i-len(s.Lines))+" ")
	}
	return Filled(lines, width, height)
}

// Note says that there is more above or below, for the edge of a box.
func (s *Sheet) Note(l *Look) string { return MoreNote(l, s.Top, s.Height, s.Len()) }
