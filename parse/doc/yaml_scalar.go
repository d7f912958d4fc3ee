package doc

import "unicode/utf8"

// plain parses a plain scalar. Its further lines are indented more than column n.
func (p *yamlParser) plain(i *node, n int, flow bool) {
	lines := false
	for at := p.at; ; lines = true {
		end, stop := p.plainLine(at, flow)
		p.at = end
		if stop < p.end && p.text[stop] == ':' {
			p.fail(stop, "a colon within a text", "put the text into quotation marks")
			return
		}
		if stop == p.end || !isBreak(p.text[stop]) {
			break
		}
		next, indent, _ := p.nextLine(stop)
		if next == p.end || indent <= n || p.text[next] == '#' || flow && isFlowIndicator(p.text[next]) {
			break
		}
		at = next
	}
	if i.kind = String; !lines {
		i.kind = resolvePlain(p.text[i.at:p.at])
	}
}

// plainLine returns where a plain scalar ends on its line, and the offset of what ends it: a colon, a comment, a bracket or
// comma of a flow collection, or the end of the line.
func (p *yamlParser) plainLine(at int, flow bool) (end, stop int) {
	end = at
	for i := at; i < p.end; i++ {
		c := p.text[i]
		switch {
		case c == ' ' || c == '\t':
			continue
		case isBreak(c), flow && isFlowIndicator(c), c == '#' && i > at && isBlank(p.text[i-1]):
			return end, i
		case c == ':':
			if i+1 == p.end || isBlank(p.text[i+1]) || flow && isFlowIndicator(p.text[i+1]) {
				return end, i
			}
		}
		end = i + 1
	}
	return end, p.end
}

// canStartPlain reports whether a plain scalar can begin at an offset.
func (p *yamlParser) canStartPlain(at int, flow bool) bool {
	switch c := p.text[at]; c {
	case '-', '?', ':':
		if flow && c != '-' || at+1 == p.end || isBlank(p.text[at+1]) {
			return false
		}
		return !flow || !isFlowIndicator(p.text[at+1])
	case '#', '&', '*', '!', '|', '>', '\'', '"', '%', '@', '`':
		return false
	default:
		return !isFlowIndicator(c)
	}
}

func isFlowIndicator(c byte) bool { return c == ',' || c == '[' || c == ']' || c == '{' || c == '}' }

func isBreak(c byte) bool { return c == '\n' || c == '\r' }

// resolvePlain returns the kind of a plain scalar by the core schema of YAML 1.2.
func resolvePlain(s string) Kind {
	switch s {
	case "", "~", "null", "Null", "NULL":
		return Null
	case "true", "True", "TRUE", "false", "False", "FALSE":
		return Bool
	case ".nan", ".NaN", ".NAN":
		return Number
	}
	if isYAMLNumber(s) {
		return Number
	}
	return String
}

func isYAMLNumber(s string) bool {
	if HasPrefix(s, "0x") || HasPrefix(s, "0o") {
		for i := 2; i < len(s); i++ {
			if digit := parseHex(s[i:], 1); digit < 0 || s[1] == 'o' && digit > 7 {
				return false
			}
		}
		return len(s) > 2
	}
	if s[0] == '-' || s[0] == '+' {
		s = s[1:]
	}
	if s == ".inf" || s == ".Inf" || s == ".INF" {
		return true
	}
	whole := countDigits(s)
	if s = s[whole:]; HasPrefix(s, ".") {
		fraction := countDigits(s[1:])
		whole, s = whole+fraction, s[1+fraction:]
	}
	if s == "" || whole == 0 || s[0]|0x20 != 'e' {
		return s == "" && whole > 0
	}
	if s = s[1:]; HasPrefix(s, "-") || HasPrefix(s, "+") {
		s = s[1:]
	}
	return s != "" && countDigits(s) == len(s)
}

// quotedEnd returns the offset behind a quoted scalar. Its further lines are indented more than column n; if n is negative, it
// has one line. problem says why the scalar is invalid.
func (p *yamlParser) quotedEnd(at, n int) (end int, problem string) {
	const unclosed = "a quotation mark that is not closed"
	quote := p.text[at]
	for at++; at < p.end; at++ {
		switch c := p.text[at]; {
		case c == quote && quote == '\'' && at+1 < p.end && p.text[at+1] == '\'':
			at++
		case c == quote:
			return at + 1, ""
		case c == '\\' && quote == '"' && at+1 < p.end && !isBreak(p.text[at+1]):
			_, length := yamlEscape(p.text[at+1 : p.end])
			if length == 0 {
				return 0, "an unknown escape after a backslash"
			}
			at += length
		case isBreak(c):
			next, indent, _ := p.nextLine(at)
			if n < 0 || next == p.end || indent <= n {
				return 0, unclosed
			}
			at = next - 1
		}
	}
	return 0, unclosed
}

// yamlEscape returns the character that an escape without its backslash stands for, and the length of the escape, 0 if unknown.
func yamlEscape(s string) (r rune, length int) {
	const names = "0abtnvfre \"/\\\tN_LP"
	values := [...]rune{0, 7, 8, 9, 10, 11, 12, 13, 27, ' ', '"', '/', '\\', 9, 0x85, 0xA0, 0x2028, 0x2029}
	for i := range names {
		if names[i] == s[0] {
			return values[i], 1
		}
	}
	switch s[0] {
	case 'x':
		length = 2
	case 'u':
		length = 4
	case 'U':
		length = 8
	}
	if r = parseHex(s[1:], length); length == 0 || r < 0 || r > utf8.MaxRune || r >= 0xD800 && r < 0xE000 {
		return 0, 0
	}
	return r, 1 + length
}

// blockScalar parses a literal or folded scalar, whose lines are indented more than column n.
func (p *yamlParser) blockScalar(i *node, n int) {
	start := p.at
	indent, keep := p.blockHeader(n)
	if p.endLine(); p.bad {
		return
	}
	deepest := 0 // indentation of the empty lines before the first line of text
	for begin := lineAfter(p.text[:p.end], p.at); begin < p.end; {
		text := begin
		for text < p.end && p.text[text] == ' ' {
			text++
		}
		spaces, behind := text-begin, lineAfter(p.text[:p.end], text)
		if (text == p.end || isBreak(p.text[text])) && (indent == 0 || spaces <= indent) { // an empty line
			deepest = max(deepest, spaces)
			if keep {
				p.at = behind
			}
			begin = behind
			continue
		}
		if spaces <= n || spaces < indent {
			if text < p.end && p.text[text] == '\t' {
				p.fail(text, "a tab in the indentation", "indent with spaces")
			}
			break
		}
		if indent == 0 && deepest > spaces {
			p.fail(start, "an empty line that is indented more than the text below", "delete the spaces of the empty line")
			break
		}
		if indent == 0 {
			indent = spaces
		}
		p.at, begin = behind, behind
	}
	i.kind, i.count = String, int32(indent)
	if isBreak(p.text[p.at-1]) {
		p.line = p.at
	}
}

// blockHeader steps over the indicators of a block scalar. Without an indicator of its indentation, indent is 0.
func (p *yamlParser) blockHeader(n int) (indent int, keep bool) {
	chomping := false
	for p.at++; p.at < p.end; p.at++ {
		switch c := p.text[p.at]; {
		case c >= '1' && c <= '9' && indent == 0:
			indent = n + int(c-'0')
		case (c == '+' || c == '-') && !chomping:
			chomping, keep = true, c == '+'
		default:
			return indent, keep
		}
	}
	return indent, keep
}

// unquoteYAML returns what a scalar says. The first character tells its style; indent is the indentation of a block scalar.
func unquoteYAML(raw string, indent int) string {
	if raw == "" {
		return ""
	}
	quote := raw[0]
	switch quote {
	case '|', '>':
		return unquoteBlock(raw, indent)
	case '"', '\'':
		if raw = raw[1:]; HasSuffix(raw, string(quote)) {
			raw = raw[:len(raw)-1]
		}
	default:
		quote = 0
	}
	for i := range len(raw) {
		if c := raw[i]; isBreak(c) || quote != 0 && c == quote || c == '\\' && quote == '"' {
			return unfold(raw, quote)
		}
	}
	return raw
}

// unfold decodes a scalar without its quotation marks: line ends, doubled quotation marks and escapes.
func unfold(raw string, quote byte) string {
	out := make([]byte, 0, len(raw))
	fixed := 0 // blanks before here do not belong to a line end
	for i := 0; i < len(raw); i++ {
		c := raw[i]
		switch {
		case quote == '\'' && c == quote:
			i++
			out = append(out, c)
		case quote == '"' && c == '\\' && i+1 < len(raw) && !isBreak(raw[i+1]):
			r, length := yamlEscape(raw[i+1:])
			i += length
			out = utf8.AppendRune(out, r)
			fixed = len(out)
		case isBreak(c), quote == '"' && c == '\\':
			for c != '\\' && len(out) > fixed && isBlank(out[len(out)-1]) {
				out = out[:len(out)-1]
			}
			lines := 0
			if c == '\\' {
				i++
			}
			for ; i < len(raw) && isBlank(raw[i]); i++ {
				if raw[i] == '\n' {
					lines++
				}
			}
			i--
			if lines == 1 && c != '\\' {
				out = append(out, ' ')
			}
			out = appendBreaks(out, false, lines-1)
			fixed = len(out)
		default:
			out = append(out, c)
		}
	}
	return string(out)
}

// unquoteBlock decodes a literal or folded scalar.
func unquoteBlock(raw string, indent int) string {
	header, rest, _ := Cut(raw, "\n")
	header = header[:min(3, len(header))]
	out := make([]byte, 0, len(rest))
	// empty counts the lines since the last text; ended and indented say that the text had a line end and began with a blank.
	empty, ended, indented := 0, false, false
	for rest != "" {
		line, more, broken := Cut(rest, "\n")
		if rest = more; HasSuffix(line, "\r") {
			line = line[:len(line)-1]
		}
		for k := 0; line != "" && line[0] == ' ' && (k < indent || indent == 0); k++ {
			line = line[1:]
		}
		if line == "" {
			if broken {
				empty++
			}
			continue
		}
		blank := line[0] == ' ' || line[0] == '\t'
		if raw[0] == '|' || indented || blank {
			out = appendBreaks(out, ended, empty)
		} else if ended && empty == 0 {
			out = append(out, ' ')
		} else {
			out = appendBreaks(out, false, empty)
		}
		out = append(out, line...)
		empty, ended, indented = 0, broken, blank
	}
	switch {
	case Contains(header, "+"):
		out = appendBreaks(out, ended, empty)
	case !Contains(header, "-"):
		out = appendBreaks(out, ended, 0)
	}
	return string(out)
}

func appendBreaks(out []byte, ended bool, empty int) []byte {
	if ended {
		empty++
	}
	for ; empty > 0; empty-- {
		out = append(out, '\n')
	}
	return out
}
