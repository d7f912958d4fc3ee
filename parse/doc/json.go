package doc

import "unicode/utf8"

const (
	// maxDepth is how deeply values may be nested. No state file comes near it; a hostile one must not exhaust the stack.
	maxDepth = 512
	// MaxValues is how many values one document may hold. A loop of 2,000 phases has 40,000.
	MaxValues = 400_000
)

// ParseJSON parses a document by RFC 8259, which may begin with a byte order mark. Of a key that a map has twice the last value
// counts, at the place of the first, and the tree has a problem. Bytes inside a string that are no UTF-8 stay as they are. The
// error says where the text stops being JSON.
func ParseJSON(text string) (*Tree, *SyntaxError) { return parseJSON(text, false) }

func parseJSON(text string, keepDuplicates bool) (*Tree, *SyntaxError) {
	p := jsonParser{text: text, keepDuplicates: keepDuplicates}
	if HasPrefix(text, ByteOrderMark) {
		p.at = len(ByteOrderMark)
	}
	p.tree = &Tree{Text: text, nodes: make([]node, 1, 16+len(text)/24)}
	p.value(0)
	if p.skipBlanks(); p.err == nil && p.at < len(text) {
		p.fail("more text after the document")
	}
	if p.err != nil {
		return nil, p.explain()
	}
	return p.tree, nil
}

type jsonParser struct {
	tree           *Tree
	text           string
	at             int
	keepDuplicates bool
	err            *SyntaxError // the first
}

// fail stops the parser. An empty reason stands for a byte that no grammar allows here.
func (p *jsonParser) fail(reason string) {
	if p.err == nil {
		p.err = &SyntaxError{At: p.at, Reason: reason}
	}
}

// explain completes the error.
func (p *jsonParser) explain() *SyntaxError {
	e, text := p.err, p.text
	switch {
	case HasPrefix(text, "\xff\xfe"), HasPrefix(text, "\xfe\xff"):
		e.Reason = "the text is UTF-16, not UTF-8"
	case e.At >= len(text):
		*e = SyntaxError{At: max(0, len(text)-1), Reason: "the text ends too early", Truncated: true}
	case e.Reason != "":
	case text[e.At] == 0:
		e.Reason = "a NUL byte"
	case text[e.At] < 0x20:
		e.Reason = "an unexpected control character or end of line"
	default:
		e.Reason = "unexpected text"
	}
	if IsConflictMarker(text, e.At) {
		e.Reason = "an unresolved merge conflict"
	}
	return e
}

// IsConflictMarker reports whether the line that holds an offset is one of git's conflict markers.
func IsConflictMarker(text string, at int) bool {
	for at = min(at, len(text)); at > 0 && text[at-1] != '\n'; at-- {
	}
	line := text[at:]
	return HasPrefix(line, "<<<<<<<") || HasPrefix(line, "=======") || HasPrefix(line, ">>>>>>>")
}

func (p *jsonParser) skipBlanks() {
	for p.at < len(p.text) && isBlank(p.text[p.at]) {
		p.at++
	}
}

// peek returns the next byte behind blanks, 0 at the end.
func (p *jsonParser) peek() byte {
	p.skipBlanks()
	if p.at == len(p.text) {
		return 0
	}
	return p.text[p.at]
}

// value parses a value and returns its node.
func (p *jsonParser) value(depth int) int32 {
	c, t := p.peek(), p.tree
	i := int32(len(t.nodes))
	t.nodes = append(t.nodes, node{at: int32(p.at)})
	kind := Null
	switch {
	case i > MaxValues:
		p.fail("more values than a state file can have (400,000)")
	case (c == '{' || c == '[') && depth == maxDepth:
		p.fail("nested deeper than 512 objects and lists")
	case c == '{':
		kind = Map
		t.nodes[i].kind = Map
		p.items('}', depth, i)
	case c == '[':
		kind = List
		p.items(']', depth, i)
	case c == '"':
		kind = String
		p.string()
	case c == '-' || isDigit(c):
		kind = Number
		p.number()
	case p.word("true"), p.word("false"):
		kind = Bool
	case p.word("null"):
	default:
		p.fail("")
	}
	t.nodes[i].kind, t.nodes[i].end = kind, int32(p.at)
	return i
}

// items parses what stands in an object or a list, from its opening bracket on.
func (p *jsonParser) items(end byte, depth int, parent int32) {
	p.at++
	if p.peek() == end {
		p.at++
		return
	}
	for last := int32(0); p.err == nil; {
		key, keyEnd, name := 0, 0, ""
		if end == '}' {
			if p.peek() != '"' {
				p.fail("")
				return
			}
			key = p.at
			p.string()
			keyEnd = p.at
			if p.err != nil || p.peek() != ':' {
				p.fail("")
				return
			}
			name = unquoteJSON(p.text[key:keyEnd])
			p.at++
		}
		i := p.value(depth + 1)
		if p.err != nil {
			return
		}
		n := &p.tree.nodes[i]
		n.key, n.keyEnd = int32(key), int32(keyEnd)
		last = p.tree.add(parent, last, i, name, p.keepDuplicates)
		switch p.peek() {
		case end:
			p.at++
			return
		case ',':
			p.at++
		default:
			p.fail("")
		}
	}
}

// string steps over a string, from its opening quotation mark on.
func (p *jsonParser) string() {
	for p.at++; p.at < len(p.text); p.at++ {
		switch c := p.text[p.at]; {
		case c == '"':
			p.at++
			return
		case c < 0x20:
			p.fail("")
			return
		case c == '\\':
			if p.at++; !p.escape() {
				p.fail("")
				return
			}
		}
	}
	p.fail("")
}

// escape reports whether a valid escape follows a backslash, and steps to its last byte.
func (p *jsonParser) escape() bool {
	if p.at == len(p.text) {
		return false
	}
	switch p.text[p.at] {
	case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
		return true
	case 'u':
		if parseHex(p.text[p.at+1:], 4) >= 0 {
			p.at += 4
			return true
		}
	}
	return false
}

func (p *jsonParser) number() {
	if p.text[p.at] == '-' {
		p.at++
	}
	if from := p.at; p.digits() > 1 && p.text[from] == '0' {
		p.fail("a number with a leading zero")
	}
	if p.at < len(p.text) && p.text[p.at] == '.' {
		p.at++
		p.digits()
	}
	if p.at < len(p.text) && p.text[p.at]|0x20 == 'e' {
		p.at++
		if p.at < len(p.text) && (p.text[p.at] == '+' || p.text[p.at] == '-') {
			p.at++
		}
		p.digits()
	}
}

// digits steps over digits, of which there has to be one.
func (p *jsonParser) digits() (n int) {
	for ; p.at < len(p.text) && isDigit(p.text[p.at]); p.at++ {
		n++
	}
	if n == 0 {
		p.fail("")
	}
	return n
}

func (p *jsonParser) word(word string) bool {
	if !HasPrefix(p.text[p.at:], word) {
		return false
	}
	p.at += len(word)
	return true
}

// unquoteJSON returns what a valid JSON string says. A lone surrogate becomes U+FFFD.
func unquoteJSON(raw string) string {
	raw = raw[1 : len(raw)-1]
	plain := Index(raw, `\`)
	if plain < 0 {
		return raw
	}
	out := append(make([]byte, 0, len(raw)), raw[:plain]...)
	for i := plain; i < len(raw); i++ {
		c := raw[i]
		if c != '\\' {
			out = append(out, c)
			continue
		}
		i++
		switch c = raw[i]; c {
		case 'b':
			out = append(out, '\b')
		case 'f':
			out = append(out, '\f')
		case 'n':
			out = append(out, '\n')
		case 'r':
			out = append(out, '\r')
		case 't':
			out = append(out, '\t')
		case 'u':
			r := parseHex(raw[i+1:], 4)
			i += 4
			if r >= 0xD800 && r < 0xE000 { // half of a pair
				low := rune(-1)
				if r < 0xDC00 && HasPrefix(raw[i+1:], `\u`) {
					low = parseHex(raw[i+3:], 4)
				}
				if low >= 0xDC00 && low < 0xE000 {
					r = (r-0xD800)<<10 + (low - 0xDC00) + 0x10000
					i += 6
				} else {
					r = utf8.RuneError
				}
			}
			out = utf8.AppendRune(out, r)
		default:
			out = append(out, c)
		}
	}
	return string(out)
}

// parseHex returns the number that the first n digits of a text spell, -1 where they do not.
func parseHex(text string, n int) (r rune) {
	if len(text) < n {
		return -1
	}
	for i := range n {
		switch c := text[i]; {
		case isDigit(c):
			r = r<<4 + rune(c-'0')
		case c|0x20 >= 'a' && c|0x20 <= 'f':
			r = r<<4 + rune(c|0x20-'a'+10)
		default:
			return -1
		}
	}
	return r
}

// QuoteJSON returns text as a JSON string, with no more escapes than a terminal needs. Bytes that are not UTF-8 become U+FFFD.
func QuoteJSON(text string) string {
	const hex = "0123456789abcdef"
	out := append(make([]byte, 0, len(text)+2), '"')
	for _, r := range text {
		switch r {
		case '"', '\\':
			out = append(out, '\\', byte(r))
		case '\n':
			out = append(out, `\n`...)
		case '\r':
			out = append(out, `\r`...)
		case '\t':
			out = append(out, `\t`...)
		case '\b':
			out = append(out, `\b`...)
		case '\f':
			out = append(out, `\f`...)
		default:
			if r < 0x20 || r >= 0x7f && r < 0xa0 {
				out = append(out, '\\', 'u', '0', '0', hex[r>>4], hex[r&0xf])
			} else {
				out = utf8.AppendRune(out, r)
			}
		}
	}
	return string(append(out, '"'))
}
