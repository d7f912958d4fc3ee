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

// ReadLine returns the line of a place. It never fails: unreadable files show nothing. It sets the place's Source and Alerts.
func ReadLine(place nearest.Place, opt Options) Line {
	place.Alerts = opt.Alerts
	var l Line
	if opt.Source == AllSources {
		l.Found, l.OK = nearest.FindAll(place)
	} else {
		place.Source = opt.Source
		found, ok := nearest.Find(place)
		l.Found, l.OK = []nearest.Found{found}, ok
	}
	for i := range l.Found {
		readAge(&place, &l.Found[i], opt.Environment)
	}
	repo := askRepository(place, opt.Git, opt.Environment)
	l.Compact = l.OK && isCompact(&l.Found[0], opt)
	l.Text = showLine(l.Found, &repo, opt)
	return l
}

// isCompact reports which form a build is shown in.
func isCompact(found *nearest.Found, opt Options) bool {
	return opt.Format == Compact || opt.Format == Configured && found.Compact
}

// Render returns the line of what was found, with a newline at its end; it is empty if there is nothing to show.
func Render(all []nearest.Found, opt Options) []byte { return showLine(all, &repository{}, opt) }

// showLine is [Render] with the segment of a repository.
func showLine(all []nearest.Found, repo *repository, opt Options) []byte {
	var text line.Text
	if opt.Alerts || opt.Git != NoGit || len(all) > 1 { // waits, and text after a build's line, must not be forgeable
		text.Signed()
	}
	agentsShown := false // builds in the same directory belong to one project
	for i := range all {
		found := &all[i]
		text.Next()
		some := found.Facts != nil && line.Compose(&text, found.Facts, isCompact(found, opt))
		if found.Denied != "" && some {
			text.Denied()
		}
		if found.Waits != "" && !found.WaitsSaid {
			text.Waits(found.Waits)
		}
		for _, w := range found.Beside {
			text.Waits(w.Name + ": " + w.What)
		}
		agentsShown = agentsShown || addAgents(&text, found)
	}
	if len(text.Bytes()) > 0 {
		text.Fit(opt.Cols)
	}
	repo.addTo(&text, opt.Cols)
	if len(text.Bytes()) == 0 {
		return nil
	}
	out := opt.Sink.writeText(nil, &text, opt.Colored)
	if len(out) == 0 {
		return nil
	}
	return append(out, '\n')
}

// addAgents adds the waits of live agents and reports whether there are any.
func addAgents(text *line.Text, found *nearest.Found) bool {
	n := found.Agents
	switch {
	case n.Asks == 1:
		text.Waits("1 ask")
	case n.Asks > 1:
		text.Waits(line.Decimal(n.Asks) + " asks")
	}
	if n.Turns > 0 {
		text.Turns(line.Decimal(n.Turns) + " your turn")
	}
	return n.Asks > 0 || n.Turns > 0
}
