package pane

// Finding a text in a pane that has no filter: the bar in which it is typed, and the hits.

import (
	"strconv"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"gatehouse/tui/document"
	"gatehouse/tui/draw"
)

// Finder is a pane in which a text can be found.
type Finder interface {
	Pane
	Sought() string // what is looked for, "" for nothing
	Seek(text string)
	SetMode(Mode)
	NextHit(by int)
	Hits() int
}

// finder is what is looked for in some rows, and where it was found.
type finder struct {
	text  string
	mode  Mode
	hits  []document.Hit // in the order of the rows
	count int            // of hits; one may be in several rows
	at    int            // the hit that was gone to, -1 before the first
}

// Sought implements [Finder].
func (f *finder) Sought() string { return f.text }

// Hits implements [Finder].
func (f *finder) Hits() int { return f.count }

// find looks for the text anew. The hit that was gone to is forgotten where a text is new.
func (f *finder) find(rows []document.Row, text string) {
	if text != f.text {
		f.text, f.at = text, -1
	}
	f.hits, f.count = document.Find(rows, f.text), 0
	if n := len(f.hits); n > 0 {
		f.count = f.hits[n-1].Number + 1
	}
	f.at = min(f.at, f.count-1)
}

// next goes on to another hit, from the first at or below a row where none was gone to yet, and returns its row; -1 without one.
func (f *finder) next(by, row int) int {
	if f.count == 0 {
		return -1
	}
	if f.at >= 0 {
		f.at = ((f.at+by)%f.count + f.count) % f.count
		return f.row(f.at)
	}
	f.at = 0
	for _, h := range f.hits {
		if h.Row >= row {
			f.at = h.Number
			break
		}
	}
	if by < 0 {
		f.at = (f.at - 1 + f.count) % f.count
	}
	return f.row(f.at)
}

// row returns the row in which a hit begins.
func (f *finder) row(number int) int {
	for _, h := range f.hits {
		if h.Number == number {
			return h.Row
		}
	}
	return -1
}

// in returns the hits of a row.
func (f *finder) in(row int) []document.Hit {
	from := 0
	for from < len(f.hits) && f.hits[from].Row < row {
		from++
	}
	to := from
	for to < len(f.hits) && f.hits[to].Row == row {
		to++
	}
	return f.hits[from:to]
}

// barHeight returns how many rows the bar takes.
func (f *finder) barHeight() int {
	if f.text != "" || f.mode == Typing {
		return 1
	}
	return 0
}

// bar draws what is looked for, and which of how many hits was gone to.
func (f *finder) bar(l *draw.Look, width int) string {
	found := ""
	switch {
	case f.text == "":
	case f.at >= 0:
		found = strconv.Itoa(f.at+1) + "/" + strconv.Itoa(f.count)
	default:
		found = draw.Counted(f.count, "hit")
	}
	bar := filterBar{mode: f.mode}
	bar.filter.Text = f.text
	line, _ := bar.bar(l, width, found)
	return line
}

// highlighted returns a line that was drawn, with hits in it standing out; they count the bytes of its bare text.
func highlighted(l *draw.Look, drawn string, hits []document.Hit, current int) string {
	bare := ansi.Strip(drawn)
	for i := len(hits) - 1; i >= 0; i-- {
		h := hits[i]
		if h.To > len(bare) {
			continue
		}
		from, to := ansi.StringWidth(bare[:h.From]), ansi.StringWidth(bare[:h.To])
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
