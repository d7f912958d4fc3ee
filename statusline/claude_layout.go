package statusline

import (
	"unicode/utf8"

	"gatehouse/model/line"
)

// The sequences of the layout, as GSD's hook writes them.
const (
	bold  = "\x1b[1m"
	dim   = "\x1b[2m"
	red   = "\x1b[31m"
	green = "\x1b[32m"
	amber = "\x1b[33m"
	reset = "\x1b[0m"
)

// agentParts are the parts of an agent's line, all texts cleaned.
type agentParts struct {
	model      string
	middle     string // the task or the build, "" without either
	isTask     bool   // middle is a task
	dir        string
	branch     string // "" without a git segment
	git        repository
	command    string   // "" without one
	session    []string // see describeSession
	context    contextWindow
	percent    int
	hasMeter   bool
	showTokens bool // after the meter
	isFront    bool // the meter is directly after the model

	isBare bool // neither model nor directory: there is no room for them
}

// fitParts returns the line. If the width is known, cols not 0, fit leaves out parts that do not fit: first the session's
// parts from the right, then the last command, the git segment, model and directory; at last it cuts the middle. The
// meter stays.
func (p *agentParts) fitParts(colored bool, cols int) string {
	if cols > 0 {
		cols = max(1, cols-agentMargin)
	}
	for try := 0; cols > 0 && try < 4; {
		over := line.Width(p.composeParts(false)) - cols
		switch {
		case over <= 0:
			return p.composeParts(colored)
		case len(p.session) > 0:
			p.session = p.session[:len(p.session)-1]
			continue
		case try == 0:
			p.command = ""
		case try == 1:
			p.branch = ""
		case try == 2:
			p.isBare = p.middle != "" || p.hasMeter
		default:
			p.middle = shortenText(p.middle, over)
		}
		try++
	}
	return p.composeParts(colored)
}

// composeParts puts the parts together.
func (p *agentParts) composeParts(colored bool) (text string) {
	const bar = line.LineSeparator
	meter := ""
	if p.hasMeter {
		meter = p.context.composeMeter(p.percent, p.showTokens, colored)
	}
	add := func(separator, part string) {
		switch {
		case part == "":
		case text == "":
			text = part
		default:
			text += separator + part
		}
	}
	style := dim
	if p.isTask {
		style = bold
	}
	if !p.isBare {
		add(bar, paintText(dim, p.model, colored))
	}
	if p.isFront {
		add(" ", meter)
	}
	if p.middle != "" {
		add(bar, paintText(style, p.middle, colored))
	}
	if !p.isBare {
		text += bar + paintText(dim, p.dir, colored)
	}
	if p.branch != "" {
		text += bar + paintText(dim, p.branch, colored) + p.git.composeMarks(colored)
	}
	if !p.isFront {
		add(" ", meter)
	}
	if p.command != "" {
		text += bar + paintText(dim, "last: /"+p.command, colored)
	}
	session := ""
	for i, part := range p.session {
		if i > 0 {
			session += " · "
		}
		session += part
	}
	if session != "" {
		text += bar + paintText(dim, session, colored)
	}
	return text
}

// paintText returns text in a style, with the reset of the style after it.
func paintText(style, text string, colored bool) string {
	if !colored {
		return text
	}
	return style + text + reset
}

// shortenText takes characters from the end of text until it is over columns narrower, an ellipsis at its end included.
func shortenText(text string, over int) string {
	for over += line.Width(line.Ellipsis); over > 0 && text != ""; {
		_, size := utf8.DecodeLastRuneInString(text)
		over -= line.Width(text[len(text)-size:])
		text = text[:len(text)-size]
	}
	if over > 0 {
		return "" // not even the ellipsis fits
	}
	return text + line.Ellipsis
}
