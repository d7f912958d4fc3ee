package tui

// A page of text under headings: what the panes of text and the help are made of. How it is shown is in sheet.go.

import (
	"strings"
	"unicode/utf8"

	"gatehouse/model/line"
)

// longestLabel bounds the column of labels, so that one long label does not push every value aside.
const longestLabel = 16

// page is text being laid out for a width. It grows line by line and is then only read.
type page struct {
	look    *look
	width   int
	labels  int  // the least width of the column of labels
	longest int  // and the most, where it is not longestLabel
	ours    bool // nothing of it comes from a file
	lines   []string
	items   []item // the parts that can be selected
}

func (l *look) page(width int) *page { return &page{look: l, width: max(width, 1)} }

// add ends a ribbon and makes it the next line.
func (p *page) add(r *ribbon) { p.lines = append(p.lines, r.line()) }

// gap leaves a line blank, unless the page is empty or the last line is blank already.
func (p *page) gap() {
	if n := len(p.lines); n > 0 && p.lines[n-1] != p.blank() {
		p.lines = append(p.lines, p.blank())
	}
}

func (p *page) blank() string { return strings.Repeat(" ", p.width) }

// heading starts a part of the page.
func (p *page) heading(text string) {
	p.gap()
	r := p.look.ribbon(p.width)
	r.add(p.look.theme.accent, text)
	p.add(&r)
}

// text adds a paragraph.
func (p *page) text(st style, text string) { p.hanging("", "", 0, st, text) }

// item adds a paragraph after a glyph, indented behind it.
func (p *page) item(glyphStyle style, glyph string, st style, text string) {
	p.hanging(glyphStyle, glyph, utf8.RuneCountInString(glyph)+1, st, text)
}

// below adds a paragraph that belongs to the item above it.
func (p *page) below(st style, text string) { p.hanging("", "", 2, st, text) }

// quote adds a paragraph of what somebody else has written: none of its rows is without the sign of that.
func (p *page) quote(st style, text string) {
	p.hanging(p.look.theme.dim, p.look.glyphs.goesOn, 2, st, line.Foreign(text))
}

// hanging adds a paragraph that is indented, with a sign before its first line. Before each further line stands the sign that
// it goes on: nobody can make a text so long that some of it looks like a row of its own.
func (p *page) hanging(signStyle style, sign string, indent int, st style, text string) {
	if text == "" {
		return
	}
	lines, more := p.look.wrap(text, p.width-indent), indent
	if len(lines) > 1 && more < 2 && !p.ours {
		more = 2
		lines = p.look.wrap(text, p.width-more)
	}
	for i, s := range lines {
		r := p.look.ribbon(p.width)
		if i == 0 {
			r.sign(signStyle, sign)
			r.to(indent)
		} else {
			p.goesOn(&r, more)
		}
		r.exactly(st, s)
		p.add(&r)
	}
}

// goesOn begins a line that goes on the one above it, up to a column.
func (p *page) goesOn(r *ribbon, column int) {
	if !p.ours {
		r.to(column - 2)
		r.sign(p.look.theme.dim, p.look.glyphs.goesOn)
	}
	r.to(column)
}

// measure returns a text as this page shows it, and its width.
func (p *page) measure(text string) (string, int) {
	if p.ours {
		return p.look.measureExactly(text)
	}
	return p.look.measure(text)
}

// fact is a line with a label, and a style for its value.
type fact struct {
	label, value string
	style        style
}

// facts adds lines whose values stand in one column. Those without a value are left out.
func (p *page) facts(facts ...fact) {
	column, longest, most := p.labels, longestLabel, p.width/3
	if p.longest > 0 {
		longest, most = p.longest, p.width/2
	}
	for _, f := range facts {
		if f.value != "" {
			_, w := p.measure(f.label)
			column = max(column, min(w, longest, most))
		}
	}
	for _, f := range facts {
		if f.value == "" {
			continue
		}
		for i, s := range p.look.wrap(f.value, p.width-column-2) {
			r := p.look.ribbon(p.width)
			if i == 0 {
				label, w := p.measure(f.label)
				r.write(p.look.theme.dim, label, w, column)
				r.to(column + 2)
			} else {
				p.goesOn(&r, column+2)
			}
			r.exactly(f.style, s)
			p.add(&r)
		}
	}
}
