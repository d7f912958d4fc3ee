package doc

import "unicode/utf8"

// ParseJSON parses a document by RFC 8259, which may begin with a byte order mark. If a map has a key twice, the last value
// counts, at the place of the first, and the tree has a problem. Bytes inside a string that are no UTF-8 stay as they are. The
// error has the place of the first error.
func ParseJSON(text string) (*Tree, *SyntaxError) {
	p := jsonParser{text: text, tree: newTree(text, len(text))}
	if HasPrefix(text, ByteOrderMark) {
		p.at = len(ByteOrderMark)
	}
	p.parseValue(0)
	if p.peekByte(); p.err == nil && p.at < len(text) {
		p.fail("more text after the document")
	}
	if p.err != nil {
		return nil, p.explainError()
	}
	return p.tree, nil
}

type jsonParser struct {
	tree *Tree
	text string
	at   int
	err  *SyntaxError // the first
}

// fail stops the parser. An empty reason means a byte that no grammar allows here.
func (p *jsonParser) fail(reason string) {
	if p.err == nil {
		p.err = &SyntaxError{At: p.at, Reason: reason}
	}
}

// explainError completes the error.
func (p *jsonParser) explainError() *SyntaxError {
	e, text := p.err, p.text
	switch {
	case HasPrefix(text, "\xff\xfe"), HasPrefix(text, "\xfe\xff"):
		e.Reason = "the text is UTF-16, not UTF-8"
	case e.At >= len(text):
		e.At, e.Reason, e.Truncated = max(0, len(text)-1), "the text ends too early", true
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
	line := text[LastIndex(text[:min(at, len(text))], "\n")+1:]
	return HasPrefix(line, "<<<<<<<") || HasPrefix(line, "=======") || HasPrefix(line, ">>>>>>>")
}

// peekByte steps over blanks and returns the next byte, 0 at the end.
func (p *jsonParser) peekByte() byte {
	for ; p.at < len(p.text); p.at++ {
		if c := p.text[p.at]; c > ' ' || !isBlank(c) {
			return c
		}
	}
	return 0
}

// acceptWord steps over a word, and reports whether it did.
func (p *jsonParser) acceptWord(word string) bool {
	if !HasPrefix(p.text[p.at:], word) {
		return false
	}
	p.at += len(word)
	return true
}

// parseValue parses a value and returns its node.
func (p *jsonParser) parseValue(depth int) int32 {
	c := p.peekByte()
	i, excess := p.tree.openNode(p.at, depth)
	kind := Null
	switch {
	case excess != "":
		p.fail(excess)
	case c == '{':
		kind = Map
		p.parseItems(i, depth, kind, '}')
	case c == '[':
		kind = List
		p.parseItems(i, depth, kind, ']')
	case c == '"':
		kind = String
		p.skipString()
	case c == '-' || isDigit(c):
		kind = Number
		p.skipNumber()
	case p.acceptWord("true"), p.acceptWord("false"):
		kind = Bool
	case p.acceptWord("null"):
	default:
		p.fail("")
	}
	n := &p.tree.nodes[i]
	n.kind, n.end = kind, int32(p.at)
	return i
}

// parseItems parses the members of an object or the elements of a list, with the brackets around them.
func (p *jsonParser) parseItems(parent int32, depth int, kind Kind, end byte) {
	p.tree.nodes[parent].kind = kind
	p.at++
	if p.peekByte() == end {
		p.at++
		return
	}
	for last := int32(0); p.err == nil; {
		key, keyEnd := 0, 0
		if kind == Map {
			if p.peekByte() != '"' {
				p.fail("")
				return
			}
			key = p.at
			p.skipString()
			keyEnd = p.at
			if p.err != nil || p.peekByte() != ':' {
				p.fail("")
				return
			}
			p.at++
		}
		i := p.parseValue(depth + 1)
		if p.err != nil {
			return
		}
		last = p.tree.addChild(parent, last, i, key, keyEnd)
		switch p.peekByte() {
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

// skipString steps over a string, from its opening quotation mark on.
func (p *jsonParser) skipString() {
	text, at := p.text, p.at+1
	for at += plainLength(text[at:]); at < len(text) && text[at] >= ' '; at += plainLength(text[at:]) {
		if text[at] == '"' {
			p.at = at + 1
			return
		}
		at++
		if rest := text[at:]; rest != "" && Contains(jsonEscapes, rest[:1]) {
			at++
		} else if HasPrefix(rest, "u") && parseHex(rest[1:], 4) >= 0 {
			at += 5
		} else {
			break
		}
	}
	p.at = at
	p.fail("")
}

// plainLength returns the length of the part of a string before its next quotation mark, backslash or control character.
func plainLength(text string) (n int) {
	for n < len(text) && text[n] >= ' ' && text[n] != '"' && text[n] != '\\' {
		n++
	}
	return n
}

// skipNumber steps over a number.
func (p *jsonParser) skipNumber() {
	p.acceptWord("-")
	if from := p.at; p.skipDigits() > 1 && p.text[from] == '0' {
		p.fail("a number with a leading zero")
	}
	if p.acceptWord(".") {
		p.skipDigits()
	}
	if p.acceptWord("e") || p.acceptWord("E") {
		_ = p.acceptWord("+") || p.acceptWord("-")
		p.skipDigits()
	}
}

// skipDigits steps over at least one digit and returns how many there are.
func (p *jsonParser) skipDigits() int {
	n := CountDigits(p.text[p.at:])
	if p.at += n; n == 0 {
		p.fail("")
	}
	return n
}

// escapeNames are the letters after the backslash of an escape, and escapeValues the characters that they represent.
// JSON has the first eight; QuoteJSON writes all of them except the slash. YAML has all.
const (
	jsonEscapes = `btnfr"\/`
	escapeNames = jsonEscapes + "0ave \tN_LP"
)

var escapeValues = [...]rune{'\b', '\t', '\n', '\f', '\r', '"', '\\', '/', 0, 7, 11, 27, ' ', '\t', 0x85, 0xA0, 0x2028, 0x2029}

// decodeEscape returns the character of an escape without its backslash, and the length of the escape, 0 if it is
// unknown. An escape of a lone surrogate is U+FFFD.
func decodeEscape(s string) (r rune, length int) {
	if i := Index(escapeNames, s[:1]); i >= 0 {
		return escapeValues[i], 1
	}
	switch s[0] {
	case 'x':
		length = 2
	case 'u':
		length = 4
	case 'U':
		length = 8
	default:
		return 0, 0
	}
	r = parseHex(s[1:], length)
	if r < 0 || r > utf8.MaxRune {
		return 0, 0
	}
	if utf16 := s[1+length:]; r >= 0xD800 && r < 0xDC00 && HasPrefix(utf16, `\u`) {
		if low := parseHex(utf16[2:], 4); low >= 0xDC00 && low < 0xE000 {
			return (r-0xD800)<<10 + (low - 0xDC00) + 0x10000, length + 7
		}
	}
	if !utf8.ValidRune(r) {
		r = utf8.RuneError
	}
	return r, 1 + length
}

// parseHex returns the number that the first n digits of a text spell, a negative one if they do not.
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

// QuoteJSON returns text as a JSON string, with escapes only for control characters. Bytes that are not UTF-8 become U+FFFD.
func QuoteJSON(text string) string {
	const hex = "0123456789abcdef"
	out := append(make([]byte, 0, len(text)+2), '"')
	for _, r := range text {
		escape := 0
		for escape < 7 && escapeValues[escape] != r {
			escape++
		}
		switch {
		case escape < 7:
			out = append(out, '\\', escapeNames[escape])
		case r < 0x20 || r >= 0x7f && r < 0xa0:
			out = append(out, '\\', 'u', '0', '0', hex[r>>4], hex[r&0xf])
		default:
			out = utf8.AppendRune(out, r)
		}
	}
	return string(append(out, '"'))
}
