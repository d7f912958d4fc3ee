package doc

import "unicode/utf8"

// parsePlain parses a plain scalar. In a block it has further lines, which are indented more than column n.
func (p *yamlParser) parsePlain(v *node, n int, flow bool) {
	for at, lines := p.at, 1; ; lines++ {
		end, stop := p.plainLine(at, flow)
		if p.at = end; HasPrefix(p.text[stop:], ":") {
			p.fail(stop, "a colon within a text", "put the text into quotation marks")
			return
		}
		next, indent := p.nextLine(stop)
		if flow || indent <= max(n, 0) || p.text[next] == '#' {
			if v.kind = String; lines == 1 {
				v.kind = resolvePlain(p.text[v.at:end])
			}
			return
		}
		at = next
	}
}

// plainLine returns the end of a plain scalar on its line, and the offset of its terminator: a colon, a comment, a
// bracket or comma of a flow collection, or the end of the line.
func (p *yamlParser) plainLine(at int, flow bool) (end, stop int) {
	end = at
	for i := at; i < len(p.text); i++ {
		switch c := p.text[i]; {
		case c == '\n', flow && isFlowIndicator(c), c == '#' && i > at && isBlank(p.text[i-1]):
			return end, i
		case c == ':' && (i+1 == len(p.text) || isBlank(p.text[i+1]) || flow && isFlowIndicator(p.text[i+1])):
			return end, i
		case !isBlank(c):
			end = i + 1
		}
	}
	return end, len(p.text)
}

// canStartPlain reports whether a plain scalar can begin at an offset.
func (p *yamlParser) canStartPlain(at int, flow bool) bool {
	c, next := p.text[at], byte(' ')
	if at+1 < len(p.text) {
		next = p.text[at+1]
	}
	if c == '-' || c == '?' || c == ':' {
		return !isBlank(next) && !(flow && (c != '-' || isFlowIndicator(next)))
	}
	return !isFlowIndicator(c) && !Contains("#&*!|>'\"%@`", string(c))
}

func isFlowIndicator(c byte) bool { return c == ',' || c == '[' || c == ']' || c == '{' || c == '}' }

// resolvePlain returns the kind of a plain scalar by the core schema of YAML 1.2, without its hexadecimal, octal, infinite and
// undefined numbers.
func resolvePlain(s string) Kind {
	switch s {
	case "", "~", "null", "Null", "NULL":
		return Null
	case "true", "True", "TRUE", "false", "False", "FALSE":
		return Bool
	}
	if s[0] == '-' || s[0] == '+' {
		s = s[1:]
	}
	digits := CountDigits(s)
	if s = s[digits:]; HasPrefix(s, ".") {
		fraction := CountDigits(s[1:])
		digits, s = digits+fraction, s[1+fraction:]
	}
	if len(s) > 1 && s[0]|0x20 == 'e' {
		if s = s[1:]; len(s) > 1 && (s[0] == '-' || s[0] == '+') {
			s = s[1:]
		}
		s = s[CountDigits(s):]
	}
	if digits > 0 && s == "" {
		return Number
	}
	return String
}

// quotedEnd returns the offset after a quoted scalar, -1 and the problem if it is invalid. Its further lines are indented more
// than column n; if n is negative, it has one line.
func (p *yamlParser) quotedEnd(at, n int) (end int, problem string) {
	quote := p.text[at]
	for at++; at < len(p.text); at++ {
		switch c := p.text[at]; {
		case c == quote && quote == '\'' && HasPrefix(p.text[at+1:], "'"):
			at++
		case c == quote:
			return at + 1, ""
		case c == '\\' && quote == '"' && at+1 < len(p.text) && !isBreak(p.text[at+1:]):
			r, length := decodeEscape(p.text[at+1:])
			if length == 0 || length > 9 || r == utf8.RuneError { // YAML has no surrogates
				return -1, "an unknown escape after a backslash"
			}
			at += length
		case c == '\n':
			next, indent := p.nextLine(at)
			if n < 0 || indent <= n {
				return -1, "a quotation mark that is not closed"
			}
			at = next - 1
		}
	}
	return -1, "a quotation mark that is not closed"
}

// isBreak reports whether text begins with a line end.
func isBreak(text string) bool { return HasPrefix(text, "\n") || HasPrefix(text, "\r\n") }

// blockScalar parses a literal or folded scalar, whose lines are indented more than column n. Empty lines below belong to it.
// An indicator of the indentation is not supported.
func (p *yamlParser) blockScalar(v *node, n int) {
	if p.at++; HasPrefix(p.text[p.at:], "-") || HasPrefix(p.text[p.at:], "+") {
		p.at++
	}
	if p.endLine(); p.bad {
		return
	}
	indent := 0
	for p.at = lineAfter(p.text, p.at); p.at < len(p.text); p.at = lineAfter(p.text, p.at) {
		spaces := countLeading(p.text[p.at:], ' ')
		if text := p.text[p.at+spaces:]; text == "" || isBreak(text) {
			if indent == 0 && spaces > 0 {
				p.fail(p.at, "an empty line with spaces above the text", "delete the spaces")
				return
			}
			continue
		}
		if indent == 0 && spaces > max(n, 0) {
			indent = spaces
		}
		if spaces < indent || indent == 0 {
			break
		}
	}
	v.kind, v.count, p.line = String, int32(indent), p.at
}

// decodeScalar returns the text of a scalar of JSON or YAML. The first character determines its style; indent is the
// indentation of a block scalar.
func decodeScalar(raw string, indent int) string {
	if raw == "" {
		return ""
	}
	quote := raw[0]
	switch quote {
	case '|', '>':
		return unquoteBlock(raw, indent)
	case '"', '\'':
		if raw = raw[1:]; raw != "" && raw[len(raw)-1] == quote {
			raw = raw[:len(raw)-1]
		}
	default:
		quote = 0
	}
	for i := range len(raw) {
		if c := raw[i]; c == '\n' || c == '\'' && quote == c || c == '\\' && quote == '"' {
			return decodeFolded(raw, quote)
		}
	}
	return raw
}

// decodeFolded decodes a scalar without its quotation marks: line ends, doubled quotation marks and escapes.
func decodeFolded(raw string, quote byte) string {
	out := make([]byte, 0, len(raw))
	fixed := 0 // blanks before here do not belong to a line end
	for i := 0; i < len(raw); i++ {
		c := raw[i]
		escape := c == '\\' && quote == '"'
		switch {
		case escape && i+1 < len(raw) && !isBreak(raw[i+1:]):
			r, length := decodeEscape(raw[i+1:])
			out = utf8.AppendRune(out, r)
			i += length
			fixed = len(out)
		case escape || c == '\n':
			for !escape && len(out) > fixed && isBlank(out[len(out)-1]) {
				out = out[:len(out)-1]
			}
			end := i + 1 + countBlanks(raw[i+1:])
			lines := countParts(raw[i:end], "\n")
			i = end - 1
			if !escape || lines > 1 {
				out = appendFold(out, lines)
			}
			fixed = len(out)
		default:
			if out = append(out, c); c == quote { // a doubled one
				i++
			}
		}
	}
	return string(out)
}

// unquoteBlock decodes a literal or folded scalar.
func unquoteBlock(raw string, indent int) string {
	_, rest, _ := Cut(raw, "\n")
	out := make([]byte, 0, len(rest))
	breaks, foldable := 0, false // line ends since the last text; it may be folded with the next one
	for rest != "" {
		line, more, broken := Cut(rest, "\n")
		rest, line = more, TrimSuffix(line, "\r")
		line = line[min(countLeading(line, ' '), indent):]
		if line != "" && indent > 0 {
			folds := raw[0] == '>' && !isBlank(line[0])
			if folds && foldable {
				out = appendFold(out, breaks)
			} else {
				out = appendBreaks(out, breaks)
			}
			out = append(out, line...)
			breaks, foldable = 0, folds
		}
		if broken {
			breaks++
		}
	}
	switch {
	case HasPrefix(raw[1:], "-"):
		breaks = 0
	case !HasPrefix(raw[1:], "+"):
		breaks = min(breaks, 1, len(out))
	}
	return string(appendBreaks(out, breaks))
}

// appendFold appends the line ends between two texts of a folded scalar, a single one becomes a blank.
func appendFold(out []byte, breaks int) []byte {
	if breaks == 1 {
		return append(out, ' ')
	}
	return appendBreaks(out, breaks-1)
}

func appendBreaks(out []byte, breaks int) []byte {
	for ; breaks > 0; breaks-- {
		out = append(out, '\n')
	}
	return out
}
