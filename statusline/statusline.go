// Package statusline makes the one-liner of a place: it has the nearest build read, puts the facts into words, and escapes
// the words for where they will be shown (product.md §2, notes/statusline.md §5). It writes nothing and runs nothing.
package statusline

import (
	"gatehouse/model/line"
	"gatehouse/parse/brief"
)

// Format is which form of a line is wanted.
type Format uint8

const (
	// Configured leaves it to the project's own configuration.
	Configured Format = iota
	// Full is the long form.
	Full
	// Compact is the short form, without bar and names.
	Compact
)

// Options say how to show a place.
type Options struct {
	Sink   Sink   // where the line will be shown; the zero value is the default, safe anywhere
	Format Format // which form
}

// Page holds the memory for one line, so that making it allocates none. It is large: keep one and use it again. What a
// call returns is valid until the next one.
type Page struct {
	files [64 << 10]byte
	text  [2 << 10]byte
	out   [4 << 10]byte
}

// Line is a line and where it came from.
type Line struct {
	// Text is the line for the sink with a newline at its end, empty when there is nothing to show.
	Text []byte
	// Found is what was read, OK whether anything was; without it Found says at most what was refused.
	Found brief.Found
	OK    bool
	// Compact says which form was used.
	Compact bool
}

// Line returns the line of a place. It never fails: what can't be read shows nothing. The place's Buffer is not used.
func (pg *Page) Line(place brief.Place, opt Options) Line {
	place.Buffer = pg.files[:]
	found, ok := brief.Find(place)
	if !ok {
		return Line{Found: found}
	}
	compact := opt.Format == Compact || opt.Format == Configured && found.Compact
	return Line{Text: pg.Render(found.Facts, compact, opt.Sink), Found: found, OK: true, Compact: compact}
}

// Render returns the line that facts make in one of the two forms, for a sink, with a newline at its end; it is empty when
// they make none.
func (pg *Page) Render(facts line.Facts, compact bool, sink Sink) []byte {
	text := pg.text[:0]
	if compact {
		text = facts.AppendCompact(text)
	} else {
		text = facts.AppendFull(text)
	}
	out := sink.escape(pg.out[:0], text)
	if len(out) == 0 {
		return nil
	}
	return append(out, '\n')
}
