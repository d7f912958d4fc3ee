package pane

// Finding a text in a pane that has no filter.

import (
	"slices"
	"strconv"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"gatehouse/tui/document"
	"gatehouse/tui/draw"
)

// Finder is a pane that can search its own text.
type Finder interface {
	Pane
	Sought() string // the searched text, "" for none
	Seek(text string)
	SetMode(Mode)
	NextHit(by int)
	Hits() int
}

// finder is a list whose lines can be searched.
type finder struct {
	list
	text  string         // the last searched text
	hits  []document.Hit // in the order of the lines
	count int            // number of hits; one may be in several lines
	at    int            // the current hit, -1 before the first
}

// Hits implements [Finder].
func (f *finder) Hits() int { return f.count }

// Scroll implements [Scroller].
func (f *finder) Scroll(by int) { f.scrollBy(by) }

// findIn searches for the text in the bar again. A new text has no current hit yet.
func (f *finder) findIn(rows []document.Row) {
	if f.filter.Text != f.text {
		f.text, f.at = f.filter.Text, -1
	}
	f.hits, f.count = document.Find(rows, f.text), 0
	if n := len(f.hits); n > 0 {
		f.count = f.hits[n-1].Number + 1
	}
	f.sayHit(min(f.at, f.count-1))
}

// sayHit selects a hit and shows its number in the bar.
func (f *finder) sayHit(at int) {
	f.revision++
	switch f.at = at; {
	case f.text == "":
		f.found = ""
	case at >= 0:
		f.found = strconv.Itoa(at+1) + "/" + strconv.Itoa(f.count)
	default:
		f.found = draw.Counted(f.count, "hit")
	}
}

// nextHit goes to another hit, at first to the first one at or below the top of the window, and returns its line; -1 without one.
func (f *finder) nextHit(by int) int {
	switch {
	case f.count == 0:
		return -1
	case f.at >= 0:
		f.sayHit(((f.at+by)%f.count + f.count) % f.count)
	default:
		at := 0
		if i := slices.IndexFunc(f.hits, func(h document.Hit) bool { return h.Row >= f.top }); i >= 0 {
			at = f.hits[i].Number
		}
		if by < 0 {
			at = (at - 1 + f.count) % f.count
		}
		f.sayHit(at)
	}
	return f.hits[slices.IndexFunc(f.hits, func(h document.Hit) bool { return h.Number == f.at })].Row
}

// hitsIn returns the hits of a line.
func (f *finder) hitsIn(line int) []document.Hit {
	from, _ := slices.BinarySearchFunc(f.hits, line, func(h document.Hit, line int) int { return h.Row - line })
	to := from
	for to < len(f.hits) && f.hits[to].Row == line {
		to++
	}
	return f.hits[from:to]
}

// highlightHits returns a drawn line with its hits highlighted; they count the bytes of its plain text after a margin of some
// columns.
func highlightHits(l *draw.Look, drawn string, margin int, hits []document.Hit, current int) string {
	if len(hits) == 0 {
		return drawn
	}
	bare := ansi.Strip(ansi.TruncateLeft(drawn, margin, ""))
	for i := len(hits) - 1; i >= 0; i-- {
		h := hits[i]
		if h.To > len(bare) {
			continue
		}
		from, to := margin+ansi.StringWidth(bare[:h.From]), margin+ansi.StringWidth(bare[:h.To])
		found := l.Theme.Chosen
		if h.Number == current {
			found = l.Theme.Chip
		}
		r := l.Ribbon(to - from)
		r.Exactly(found, bare[h.From:h.To])
		drawn = ansi.Truncate(drawn, from, "") + "\x1b[m" + r.Line() + ansi.TruncateLeft(drawn, to, "")
	}
	return drawn
}

// bareRows returns the lines of a page as rows that can be searched.
func bareRows(lines []string) []document.Row {
	rows := make([]document.Row, len(lines))
	for i, s := range lines {
		rows[i] = document.Row{Line: i + 1, Spans: []document.Span{{Text: strings.TrimRight(ansi.Strip(s), " ")}}}
	}
	return rows
}
