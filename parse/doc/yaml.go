package doc

import "unicode/utf8"

// ParseYAML parses text[from:to], a frontmatter block or a file, into the tree of its JSON equivalent. Offsets refer to
// the whole text. It supports the features of real state files: lists and maps in blocks and brackets, and plain,
// quoted and block scalars. Scalars have the types of YAML 1.2, except that a number is decimal: "yes", dates, "0x1F"
// and ".inf" are strings.
//
// ParseYAML never fails. Everything else is a problem, such as anchors, aliases, tags, explicit keys, directives, a
// second document and broken syntax, and a value with it is [Unsupported]. A map keeps its readable members. The root
// of an empty text is absent.
func ParseYAML(text string, from, to int) *Tree {
	p := yamlParser{tree: newTree(text, to-from), text: text[:to], at: from}
	if HasPrefix(text[from:to], ByteOrderMark) {
		p.at += len(ByteOrderMark)
	}
	p.line = p.at
	p.checkCharacters()
	p.findDocument()
	for p.skipBlanks(); p.at < len(p.text); p.skipBlanks() { // text below the root, such as keys below a stray line, is the root
		p.tree.nodes, p.tree.index = p.tree.nodes[:1], nil
		start := p.at
		p.at = p.line // for a tab before the root
		i := p.parseValue(0, -1, 0)
		unsupported := p.settleValue(i, 0)
		if p.skipBlanks(); p.at < len(p.text) && !unsupported {
			p.failToken(start)
			p.bad = false
		}
	}
	return p.tree
}

type yamlParser struct {
	tree *Tree
	text string // up to the end of the document
	at   int
	line int  // start of the line of a token
	tab  bool // a tab is before the token on its line
	bad  bool // the value that is being read is not supported, and a problem says why
}

func (p *yamlParser) reportProblem(at int, text, fix string) {
	p.tree.reportProblem(Problem{At: at, Text: text, Fix: fix})
}

// fail reports why the value that is being read is not supported. Later reasons are not reported.
func (p *yamlParser) fail(at int, text, fix string) {
	if !p.bad {
		p.bad = true
		p.reportProblem(at, text, fix)
	}
}

// checkCharacters reports the first character that YAML does not allow.
func (p *yamlParser) checkCharacters() {
	for i, r := range p.text[p.at:] {
		rest := p.text[p.at+i:]
		control := r < ' ' && !isBlank(rest[0]) || r == '\r' && !HasPrefix(rest, "\r\n") || r >= 0x7F && r < 0xA0 && r != 0x85
		if control || r == 0xFFFE || r == 0xFFFF || r == utf8.RuneError && !HasPrefix(rest, "\uFFFD") {
			p.reportProblem(p.at+i, "a control character, or bytes that are not UTF-8", "delete the character, or save the file as UTF-8")
			return
		}
	}
}

// findDocument steps over the marker above the first document, and ends the text at the next marker.
func (p *yamlParser) findDocument() {
	if p.skipBlanks(); p.at == p.line && HasPrefix(p.text[p.at:], "---") {
		if end := lineEnd(p.text, p.at); Trim(p.text[p.at+3:end]) == "" {
			p.at = end
			p.skipBlanks()
		}
	}
	for at := p.line; at < len(p.text); at = lineAfter(p.text, at) {
		if line := p.text[at:]; (HasPrefix(line, "---") || HasPrefix(line, "...")) && (len(line) == 3 || isBlank(line[3])) {
			p.reportProblem(at, "more than one document", "keep one, and begin its text below the “---”")
			p.text, p.at = p.text[:at], min(p.at, at)
		}
	}
}

// parseValue parses the value after ':' or '-', or the root, and returns its node. Column n is the column of the key or dash.
func (p *yamlParser) parseValue(depth, n int, after byte) int32 {
	i := p.openNode(depth)
	left := p.skipBlanks() || after == 0
	if p.bad || p.at >= len(p.text) {
		return i
	}
	dash, ownLine, column := p.isDash(), left || after == '-', p.at-p.line
	_, behind := p.scanKey(p.at, false)
	key := ownLine && behind >= 0
	switch {
	case left && column <= n && !(column == n && after == ':' && dash): // the value is empty
	case p.tab && (left || dash || key):
		p.failTab()
	case dash && !ownLine:
		p.fail(p.at, "a list on the line of its key", "begin the list on the next line")
	case dash:
		p.parseBlock(i, depth, n, List)
	case key:
		p.parseBlock(i, depth, n, Map)
	default:
		p.tree.nodes[i].at = int32(p.at)
		p.parseInline(i, depth, n, false)
	}
	return i
}

// openNode appends a node. If the document has too many or too deep ones, it ends here.
func (p *yamlParser) openNode(depth int) int32 {
	i, excess := p.tree.openNode(p.at, depth)
	if excess != "" {
		p.fail(p.at, excess, "split the file")
		p.at = len(p.text)
	}
	return i
}

// settleValue marks an unreadable value, skips its lines and reports whether that was necessary. Lines belong to the value
// if they are indented more than column n.
func (p *yamlParser) settleValue(i int32, n int) (unsupported bool) {
	if !p.bad {
		return false
	}
	p.bad = false
	p.skipBlock(n)
	if i != 0 {
		v := &p.tree.nodes[i]
		v.kind, v.child, v.count, v.end = Unsupported, 0, 0, max(v.at, int32(p.at))
	}
	return true
}

// skipBlock steps over the rest of the line and the lines below that are indented more than column n.
func (p *yamlParser) skipBlock(n int) {
	for next, indent := p.at, n+1; indent > n; next, indent = p.nextLine(p.at) {
		p.at = lineEnd(p.text, next)
	}
}

// parseBlock parses a block list or map from its first entry on. Lines that are not indented more than column n end it, except the
// entries of a list below its key that are not indented at all.
func (p *yamlParser) parseBlock(i int32, depth, n int, kind Kind) {
	t, first := p.tree, p.at-p.line
	t.nodes[i].kind, t.nodes[i].at = kind, int32(p.at)
	for last, column := int32(0), first; p.at < len(p.text); p.skipBlanks() {
		c := p.at - p.line
		if c < n || c == n && !(first == n && p.isDash()) {
			return
		}
		if p.tab {
			p.failTab()
		} else if c != column {
			p.reportProblem(p.at, "a line that is indented unlike the lines above", "indent the line like its siblings")
		}
		if p.bad || c > column {
			p.bad = false
			p.skipBlock(column)
			continue
		}
		column = c
		v, key, keyEnd := p.parseEntry(depth, c, kind)
		if p.settleValue(v, c); v != 0 {
			last = t.addChild(i, last, v, key, keyEnd)
			t.nodes[i].end = t.nodes[v].end
		}
	}
}

// parseEntry parses an entry of a block list or map at column c. Without one it fails and returns no node.
func (p *yamlParser) parseEntry(depth, c int, kind Kind) (v int32, key, keyEnd int) {
	if p.isDash() && kind == List {
		p.at++
		return p.parseValue(depth+1, c, '-'), 0, 0
	}
	key = p.at
	keyEnd, behind := p.scanKey(key, false)
	switch {
	case kind == List || behind < 0:
		p.failToken(key)
		return 0, 0, 0
	case !p.canStartPlain(key, false) && p.text[key] != '"' && p.text[key] != '\'':
		// The key after an anchor, a tag or a question mark is not absent, but its value is unsupported.
		p.failToken(key)
		if _, name, ok := Cut(p.text[key:keyEnd], " "); ok {
			key = keyEnd - len(name)
		}
		return p.openNode(depth + 1), key, keyEnd
	case p.text[key:keyEnd] == "<<":
		p.reportProblem(key, "merge keys are not supported", "write the keys themselves")
	}
	p.at = behind
	return p.parseValue(depth+1, c, ':'), key, keyEnd
}

// isDash reports whether an entry of a list begins here.
func (p *yamlParser) isDash() bool {
	return p.text[p.at] == '-' && (p.at+1 == len(p.text) || isBlank(p.text[p.at+1]))
}

// failToken fails at a token that nothing can begin with.
func (p *yamlParser) failToken(at int) {
	switch c := p.text[at : at+1]; {
	case IsConflictMarker(p.text, at):
		p.fail(at, "an unresolved merge conflict", "resolve the conflict")
	case Contains("[]{},|>%@`&*!", c):
		p.fail(at, "unexpected “"+c+"”", "put the text into quotation marks; anchors, aliases, tags and directives are not supported")
	default:
		p.fail(at, "a line that is neither a key with a value nor a list item", "write “key: value” or “- item”")
	}
}

func (p *yamlParser) failTab() { p.fail(p.line, "a tab in the indentation", "indent with spaces") }

// maxKey is how long YAML allows a key to be.
const maxKey = 1024

// scanKey returns the end of the key at an offset, and the offset after its colon, which is -1 without a key.
func (p *yamlParser) scanKey(at int, flow bool) (end, behind int) {
	if at == len(p.text) {
		return at, -1
	}
	end, colon, c := at, at, p.text[at]
	quoted := c == '"' || c == '\''
	if quoted {
		if end, _ = p.quotedEnd(at, -1); end >= 0 {
			colon = end + indentOf(p.text[end:])
		}
	} else if p.canStartPlain(at, flow) || !flow && Contains("&*!?@`", string(c)) {
		end, colon = p.plainLine(at, flow)
		if c == '?' && end > at+1 && isBlank(p.text[at+1]) {
			return end, end // an explicit key
		}
	}
	if colon == at || colon-at > maxKey || !HasPrefix(p.text[colon:], ":") {
		return at, -1
	}
	if colon++; colon < len(p.text) && !isBlank(p.text[colon]) && !(flow && quoted) {
		return at, -1
	}
	return end, colon
}

// parseInline parses a value that is neither a block list nor a block map, and in a block the rest of its line.
func (p *yamlParser) parseInline(i int32, depth, n int, flow bool) {
	v := &p.tree.nodes[i]
	switch c := p.text[p.at]; {
	case c == '"' || c == '\'':
		end, problem := p.quotedEnd(p.at, n)
		if problem != "" {
			p.fail(p.at, problem, "close the quotation and check its backslashes")
			return
		}
		v.kind, p.at = String, end
	case c == '[':
		p.parseFlow(i, depth, List, ']')
	case c == '{':
		p.parseFlow(i, depth, Map, '}')
	case (c == '|' || c == '>') && !flow:
		p.blockScalar(v, n)
	case p.canStartPlain(p.at, flow):
		p.parsePlain(v, n, flow)
	default:
		p.failToken(p.at)
	}
	if p.tree.nodes[i].end = int32(p.at); !flow && p.at != p.line {
		p.endLine()
	}
}

// endLine fails if more than a comment follows a value on its line.
func (p *yamlParser) endLine() {
	at := p.at + indentOf(p.text[p.at:])
	if rest := p.text[at:]; rest != "" && !isBreak(rest) && (rest[0] != '#' || at == p.at) {
		p.fail(at, "more text after the value", "put the whole text into quotation marks")
	}
}

// parseFlow parses a flow list or map on one line, with the brackets around it.
func (p *yamlParser) parseFlow(i int32, depth int, kind Kind, closing byte) {
	p.tree.nodes[i].kind = kind
	p.at++
	for last := int32(0); p.nextInFlow() != closing; {
		key, keyEnd, behind := 0, 0, p.at
		if kind == Map && !p.bad {
			key = p.at
			if keyEnd, behind = p.scanKey(key, true); behind < 0 {
				p.fail(key, "a key without a colon and a blank", "write “{key: value}”")
			}
		}
		if p.bad {
			return
		}
		p.at = behind
		v := p.openNode(depth + 1)
		if c := p.nextInFlow(); !p.bad && (kind == List || c != ',' && c != closing) {
			p.tree.nodes[v].at = int32(p.at)
			p.parseInline(v, depth+1, -1, true)
		}
		last = p.tree.addChild(i, last, v, key, keyEnd)
		if c := p.nextInFlow(); c == ',' {
			p.at++
		} else if c != closing {
			p.fail(p.at, "a comma is missing", "separate the values by commas; put text with special characters into quotation marks")
		}
	}
	p.at++
}

// nextInFlow steps over blanks in a flow list or map, and returns the next byte. At the end of the line it fails.
func (p *yamlParser) nextInFlow() byte {
	p.at += indentOf(p.text[p.at:])
	if rest := p.text[p.at:]; rest == "" || isBreak(rest) {
		p.fail(p.at, "a list or map that does not end on its line", "write “- item” or “key: value” on a line for each")
		return 0
	}
	return p.text[p.at]
}

// skipBlanks steps over blanks, comments and line ends to the next token, and reports whether it left the line.
func (p *yamlParser) skipBlanks() (left bool) {
	p.tab = false
	for ; p.at < len(p.text); p.at++ {
		switch c := p.text[p.at]; {
		case c == '\n':
			p.line, p.tab, left = p.at+1, false, true
		case c == '\t':
			p.tab = true
		case c == '#' && (p.at == p.line || isBlank(p.text[p.at-1])):
			p.at = lineEnd(p.text, p.at) - 1
		case !isBlank(c):
			return left
		}
	}
	return left
}

// nextLine returns the offset of the next text below and its indentation, -1 at the end of the document or with a tab. If there
// is text on the line, that is the next text, without indentation.
func (p *yamlParser) nextLine(at int) (next, indent int) {
	next = at + countBlanks(p.text[at:])
	start := at + LastIndex(p.text[at:next], "\n") + 1
	if next == len(p.text) || Contains(p.text[start:next], "\t") {
		return next, -1
	}
	return next, next - start
}
