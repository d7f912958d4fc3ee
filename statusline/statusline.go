// Package statusline makes the one-line status of a place: it reads the nearest build, puts the facts into words, and
// escapes the words for their destination. It writes nothing, and runs only git, and only on request.
package statusline

import (
	"gatehouse/model/line"
	"gatehouse/parse/nearest"
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
	Sink    Sink   // destination of the line; the zero value is the default, safe anywhere
	Format  Format // which form
	Source  string // which protocol: the name of one, AllSources, or "" for the nearest
	Alerts  bool   // append what waits for a human
	Colored bool   // with colors, if the sink has them
	Cols    int    // maximum width of the line in columns, 0 if unknown

	Git         GitMode  // the parts of the repository to show, after the line
	Environment []string // the program's environment as "NAME=value", for git
}

// AllSources as the source of Options asks for the lines of all protocols that are found.
const AllSources = "all"

// Page holds the memory for one line, so that making it allocates none. It is large: keep one and reuse it. The result
// of a call is valid until the next one.
type Page struct {
	files [64 << 10]byte
	bytes [4 << 10]byte
	text  line.Text
	out   [16 << 10]byte
	repo  repository
}

// Line is a line and its source.
type Line struct {
	// Text is the line for the sink with a newline at its end, empty when there is nothing to show.
	Text []byte
	// Found holds the results of reading, and OK reports whether they are builds; otherwise the only element has no
	// facts and holds the refused files and the waits of live agents. There are several only with AllSources.
	Found []nearest.Found
	OK    bool
	// Session is the ID of the session whose agent asked for the line, "" for none.
	Session string
	// Compact says which form was used for the first of Found.
	Compact bool
}

// Line returns the line of a place. It never fails: unreadable files show nothing. It sets the place's Buffer, Source
// and Alerts.
func (pg *Page) Line(place nearest.Place, opt Options) Line {
	place.Buffer, place.Alerts = pg.files[:], opt.Alerts
	var l Line
	if opt.Source == AllSources {
		l.Found, l.OK = nearest.FindAll(place)
	} else {
		place.Source = opt.Source
		found, ok := nearest.Find(place)
		l.Found, l.OK = []nearest.Found{found}, ok
	}
	place.Buffer = nil // the facts point into it
	for i := range l.Found {
		readAge(&place, &l.Found[i], opt.Environment)
	}
	pg.repo = askRepository(place, opt.Git, opt.Environment)
	l.Compact = l.OK && isCompact(&l.Found[0], opt)
	l.Text = pg.showAll(l.Found, opt)
	return l
}

// isCompact reports which form a build is shown in.
func isCompact(found *nearest.Found, opt Options) bool {
	return opt.Format == Compact || opt.Format == Configured && found.Compact
}

// showAll returns the line of all that was found.
func (pg *Page) showAll(all []nearest.Found, opt Options) []byte {
	pg.text.Reset(pg.bytes[:])
	if opt.Alerts || opt.Git != NoGit || len(all) > 1 { // waits, and text after a build's line, must not be forgeable
		pg.text.Signed()
	}
	agentsShown := false // builds in the same directory belong to one project
	for i := range all {
		found := &all[i]
		pg.text.Next()
		some := found.Facts != nil && line.Compose(&pg.text, found.Facts, isCompact(found, opt))
		if found.Denied != "" && some {
			pg.text.Denied()
		}
		if found.Waits != "" && !found.WaitsSaid {
			pg.text.Waits(found.Waits)
		}
		for _, w := range found.Beside {
			pg.text.Waits(w.Name + ": " + w.What)
		}
		agentsShown = agentsShown || pg.showAgents(found)
	}
	return pg.finishLine(opt)
}

// showAgents adds the waits of live agents and reports whether there are any.
func (pg *Page) showAgents(found *nearest.Found) bool {
	asks, turns := found.Agents.Asks, found.Agents.Turns
	switch {
	case asks == 1:
		pg.text.Waits("1 ask")
	case asks > 1:
		pg.text.Waits(line.Decimal(asks) + " asks")
	}
	if turns > 0 {
		pg.text.Turns(line.Decimal(turns) + " your turn")
	}
	return asks > 0 || turns > 0
}

// Render returns the line that facts make in one of the two forms, as opt asks for it, with a newline at its end; it is
// empty if they make none.
func (pg *Page) Render(facts line.Facts, compact bool, opt Options) []byte {
	pg.repo = repository{}
	pg.text.Reset(pg.bytes[:])
	line.Compose(&pg.text, facts, compact)
	return pg.finishLine(opt)
}

// finishLine fits the text to the width and escapes it.
func (pg *Page) finishLine(opt Options) []byte {
	if len(pg.text.Bytes()) > 0 {
		pg.text.Fit(opt.Cols)
	}
	pg.repo.addTo(&pg.text, opt.Cols)
	if len(pg.text.Bytes()) == 0 {
		return nil
	}
	out := opt.Sink.writeText(pg.out[:0], &pg.text, opt.Colored)
	if len(out) == 0 {
		return nil
	}
	return append(out, '\n')
}
