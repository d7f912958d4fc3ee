// Putting the parts of an agent's line together.

package statusline

import (
	"unicode/utf8"
	"unsafe"

	"gatehouse/model/line"
)

// agentParts are the parts of an agent's line, all texts cleaned.
type agentParts struct {
	model   []byte
	middle  []byte // the task or the build, empty without either
	task    bool   // middle is a task
	dir     []byte
	branch  []byte // empty without a git segment
	git     repository
	command []byte // empty without one
	session sessionParts
	context Context
	percent int
	meter   bool // there is a meter
	tokens  bool // with a number of tokens
	front   bool // directly behind the model

	bare bool // neither model nor directory: there is no room for them
}

// fit appends the line to dst. If the width is known, cols not 0, fit leaves out what does not fit: first the session's parts
// from the right, then the last command, the git segment, model and directory; at last it cuts the middle. The meter stays.
func (p *agentParts) fit(dst []byte, colored bool, cols int) []byte {
	start := len(dst)
	if cols > 0 {
		cols = max(1, cols-agentMargin)
	}
	for try := 0; ; try++ {
		over := 0
		if cols > 0 {
			plain := p.append(dst, false)[start:]
			over = line.Width(unsafe.String(unsafe.SliceData(plain), len(plain))) - cols
		}
		if over <= 0 {
			return p.append(dst, colored)
		}
		if p.session.n > 0 {
			p.session.n--
			try--
			continue
		}
		switch try {
		case 0:
			p.command = nil
		case 1:
			p.branch = nil
		case 2:
			p.bare = len(p.middle) > 0 || p.meter
		case 3:
			p.middle = shorten(p.middle, over)
		default:
			return p.append(dst, colored)
		}
	}
}

// append appends the line to dst.
func (p *agentParts) append(dst []byte, colored bool) []byte {
	const bar = line.LineSeparator
	start := len(dst)
	if !p.bare {
		dst = appendStyled(dst, dim, p.model, colored)
	}
	if p.front {
		dst = p.appendContext(dst, start, colored)
	}
	if len(p.middle) > 0 {
		style := dim
		if p.task {
			style = bold
		}
		if len(dst) > start {
			dst = append(dst, bar...)
		}
		dst = appendStyled(dst, style, p.middle, colored)
	}
	if !p.bare {
		dst = append(dst, bar...)
		dst = appendStyled(dst, dim, p.dir, colored)
	}
	if len(p.branch) > 0 {
		dst = append(dst, bar...)
		dst = appendStyled(dst, dim, p.branch, colored)
		dst = p.git.appendMarks(dst, colored)
	}
	if !p.front {
		dst = p.appendContext(dst, start, colored)
	}
	if len(p.command) > 0 {
		dst = append(dst, bar...)
		dst = appendCode(dst, dim, colored)
		dst = append(dst, "last: /"...)
		dst = append(dst, p.command...)
		dst = appendCode(dst, reset, colored)
	}
	if n := p.session.n; n > 0 {
		dst = appendStyled(append(dst, bar...), dim, p.session.text[:p.session.ends[n-1]], colored)
	}
	return dst
}

// appendContext appends the meter, where there is one, behind a space.
func (p *agentParts) appendContext(dst []byte, start int, colored bool) []byte {
	if !p.meter {
		return dst
	}
	if len(dst) > start {
		dst = append(dst, ' ')
	}
	return p.context.appendMeter(dst, p.percent, p.tokens, colored)
}

// appendStyled appends text in a style that ends behind it.
func appendStyled(dst []byte, style string, text []byte, colored bool) []byte {
	dst = appendCode(dst, style, colored)
	dst = append(dst, text...)
	return appendCode(dst, reset, colored)
}

// shorten takes characters from the end of text until it is over columns narrower, an ellipsis at its end included.
func shorten(text []byte, over int) []byte {
	ellipsis := line.Width(line.Ellipsis)
	end := len(text)
	for over += ellipsis; over > 0 && end > 0; {
		_, size := utf8.DecodeLastRune(text[:end])
		last := text[end-size : end]
		over -= line.Width(unsafe.String(unsafe.SliceData(last), len(last)))
		end -= size
	}
	if over > 0 {
		return nil // not even the ellipsis fits
	}
	return append(text[:end], line.Ellipsis...)
}
