package doc

import "unicode/utf8"

// ParseYAML parses text[from:to], a frontmatter block or a file, into the tree that JSON gives. Offsets are those of the whole
// text. Scalars have the types of YAML 1.2, so "yes" and dates are strings.
//
// ParseYAML never fails. A value that it cannot read is of the kind [Unsupported], and everything that it passes over is a
// problem: anchors, aliases, tags, explicit keys, merge keys, directives, further documents, broken syntax. A map keeps its
// readable members beside unreadable ones. The root of an empty text is absent.
func ParseYAML(text string, from, to int) *Tree {
	p := yamlParser{text: text, at: from, line: from, end: to, tab: -1}
	p.tree = &Tree{Text: text, nodes: make([]node, 1, 16+(to-from)/24)}
	if HasPrefix(text[from:to], ByteOrderMark) {
		p.at += len(ByteOrderMark)
		p.line = p.at
	}
	p.checkCharacters()
	after := p.header()
	p.cutDocument()
	p.root(after)
	return p.tree
}

type yamlParser struct {
	tree *Tree
	text string
	at   int
	end  int  // of the document
	line int  // where the line of a token begins
	tab  int  // the first tab before a token on its line, -1 without one
	bad  bool // the value that is being read is not supported, and a problem says why
}

func (p *yamlParser) report(at int, text, fix string) {
	p.tree.report(Problem{At: at, Text: text, Fix: fix})
}

// fail gives up the value that is being read.
func (p *yamlParser) fail(at int, text, fix string) {
	if !p.bad {
		p.bad = true
		p.report(at, text, fix)
	}
}

// checkCharacters reports the first character that YAML does not allow.
func (p *yamlParser) checkCharacters() {
	for i, r := range p.text[p.at:p.end] {
		switch {
		case r == utf8.RuneError && !HasPrefix(p.text[p.at+i:p.end], "\uFFFD"):
			p.report(p.at+i, "bytes that are not UTF-8", "save the file as UTF-8")
			return
		case r == '\r' && !HasPrefix(p.text[p.at+i:p.end], "\r\n"), r < ' ' && !isBlank(byte(r)), r >= 0x7F && r < 0xA0 && r != 0x85, r == 0xFFFE, r == 0xFFFF:
			p.report(p.at+i, "a control character", "delete the character")
			return
		}
	}
}

// header steps over directives and the start of the document. It returns what precedes the root: ':' for a marker.
func (p *yamlParser) header() (after byte) {
	for p.skip(); p.at < p.end && p.at == p.line && p.text[p.at] == '%'; p.skip() {
		p.report(p.at, "directives are not supported", "delete the line")
		p.at = p.lineEnd(p.at)
	}
	if p.at != p.line || !p.isMarker(p.at, "---") {
		return 0
	}
	p.at += 3
	return ':'
}

// isMarker reports whether a marker of documents is at an offset that begins a line.
func (p *yamlParser) isMarker(at int, marker string) bool {
	return HasPrefix(p.text[at:p.end], marker) && (at+3 == p.end || isBlank(p.text[at+3]))
}

// cutDocument ends the text at the next marker.
func (p *yamlParser) cutDocument() {
	at := p.at
	if at != p.line {
		at = p.lineEnd(at)
	}
	for ; at < p.end; at = p.lineEnd(at) {
		for at < p.end && isBreak(p.text[at]) {
			at++
		}
		next := p.isMarker(at, "---")
		if !next && !p.isMarker(at, "...") {
			continue
		}
		rest := yamlParser{text: p.text, at: at + 3, end: p.end}
		if rest.skip(); next || rest.at < rest.end {
			p.report(at, "more than one document", "put each document into a file of its own")
		}
		p.end = at
	}
}

// root parses the document. If text remains below the root, such as keys below a line of text, the remaining text is the root.
func (p *yamlParser) root(after byte) {
	if p.skip() {
		after = 0
	}
	for p.at < p.end {
		p.tree.nodes, p.tree.index = p.tree.nodes[:1], nil
		start := p.at
		if after == 0 {
			p.at = p.line // for a tab before the root
		}
		i := p.value(0, -1, after)
		bad := p.settle(i, 0)
		if p.skip(); p.at < p.end && !bad {
			p.at, start = start, p.at
			p.failToken()
			p.at, p.bad = start, false
		}
		after = 0
	}
}

// value parses the value behind ':' or '-', or the root, and returns its node. Column n is that of the key or dash.
func (p *yamlParser) value(depth, n int, after byte) int32 {
	i := p.open(depth)
	if p.bad {
		return i
	}
	left := p.skip()
	if p.at >= p.end {
		return i
	}
	ownLine := left || after != ':' // block lists and maps may begin here
	dash, c := p.isIndicator('-'), p.at-p.line
	key := ownLine && p.isKey()
	switch {
	case p.tab >= 0 && (left || after == 0 || dash || key):
		p.fail(p.tab, tabProblem, tabFix)
	case left && c <= n && !(c == n && after == ':' && dash): // the value is empty
	case dash && !ownLine:
		p.fail(p.at, "a list on the line of its key", "begin the list on the next line")
	case dash:
		p.block(i, depth, n, List)
	case key:
		p.block(i, depth, n, Map)
	default:
		p.tree.nodes[i].at = int32(p.at)
		p.inline(i, depth, n, false)
	}
	return i
}

const (
	tabProblem = "a tab in the indentation"
	tabFix     = "indent with spaces"
)

// open appends a node, which is null until more is known.
func (p *yamlParser) open(depth int) int32 {
	i := int32(len(p.tree.nodes))
	p.tree.nodes = append(p.tree.nodes, node{at: int32(p.at), end: int32(p.at), kind: Null, form: formYAML})
	if i > MaxValues {
		p.fail(p.at, "more values than a state file can have (400,000)", "split the file")
		p.at = p.end
	} else if depth > maxDepth {
		p.fail(p.at, "nested deeper than 512 maps and lists", "nest the values less deeply")
	}
	return i
}

// settle marks a value that could not be read, steps over its lines and reports whether that was necessary. Lines belong to
// the value when they are indented more than column n.
func (p *yamlParser) settle(i int32, n int) (bad bool) {
	if bad = p.bad; bad {
		p.bad = false
		p.skipBlock(n)
		node := &p.tree.nodes[i]
		node.kind, node.child, node.count, node.end = Unsupported, 0, 0, max(node.at, int32(p.at))
	}
	return bad
}

// skipBlock steps over the rest of the line and the lines below that are indented more than column n.
func (p *yamlParser) skipBlock(n int) {
	for {
		p.at = p.lineEnd(p.at)
		next, indent, tab := p.nextLine(p.at)
		if next == p.end || indent <= n && !tab {
			return
		}
		p.at = next
	}
}

// block parses a block list or map from its first entry on. Lines that are not indented more than column n end it, except the
// entries of a list below its key that are not indented at all.
func (p *yamlParser) block(i int32, depth, n int, kind Kind) {
	t, col := p.tree, p.at-p.line
	t.nodes[i].kind, t.nodes[i].at = kind, int32(p.at)
	flush := col == n
	for last := int32(0); p.at < p.end; p.skip() {
		c := p.at - p.line
		if c < n || c == n && !(flush && p.isIndicator('-')) {
			return
		}
		if p.tab >= 0 {
			p.report(p.tab, tabProblem, tabFix)
		} else if c != col {
			p.report(p.at, "a line that is indented unlike the lines above", "indent the line like its siblings")
		}
		if p.tab >= 0 || c > col {
			p.skipBlock(col)
			continue
		}
		col = c
		v, key, keyEnd := p.entry(depth, c, kind)
		if p.settle(v, c); v > 0 {
			last = p.add(i, last, v, key, keyEnd)
			t.nodes[i].end = t.nodes[v].end
		}
	}
}

// add adds a value with its key to a list or map, in which the last value was added before.
func (p *yamlParser) add(parent, last, i int32, key, keyEnd int) int32 {
	p.tree.nodes[i].key, p.tree.nodes[i].keyEnd = int32(key), int32(keyEnd)
	return p.tree.add(parent, last, i, Value{p.tree, i}.Key(), false)
}

// entry parses an entry of a block list or map at column c. Without one it fails and returns no node.
func (p *yamlParser) entry(depth, c int, kind Kind) (v int32, key, keyEnd int) {
	switch dash := p.isIndicator('-'); {
	case kind == List && dash:
		p.at++
		return p.value(depth+1, c, '-'), 0, 0
	case kind == Map && !dash:
		key = p.at
		if end, behind := p.scanKey(key, false); behind >= 0 {
			if p.at = behind; p.text[key:end] == "<<" {
				p.report(key, "merge keys are not supported", "write the keys themselves")
			}
			return p.value(depth+1, c, ':'), key, end
		}
	}
	p.failToken()
	if key = p.unsupportedKey(); key >= 0 && kind == Map {
		keyEnd, _ = p.plainLine(key, false)
		return p.open(depth + 1), key, keyEnd
	}
	return 0, 0, 0
}

// isKey reports whether an entry of a map begins here.
func (p *yamlParser) isKey() bool {
	_, behind := p.scanKey(p.at, false)
	return behind >= 0 || p.unsupportedKey() >= 0
}

// unsupportedKey returns the offset of the key behind a question mark, an anchor or a tag, -1 without one. Its member of the map
// is there, but not supported.
func (p *yamlParser) unsupportedKey() int {
	c := p.text[p.at]
	if c != '&' && c != '!' && !p.isIndicator('?') {
		return -1
	}
	key := p.at + 1
	for key < p.end && !isBlank(p.text[key]) {
		key++
	}
	key = p.skipBlanks(key)
	if _, behind := p.scanKey(key, false); behind < 0 && c != '?' || key == p.lineEnd(key) {
		return -1
	}
	return key
}

// failToken fails at the token here, which nothing can begin with.
func (p *yamlParser) failToken() {
	switch c := p.text[p.at]; {
	case IsConflictMarker(p.text, p.at):
		p.fail(p.at, "an unresolved merge conflict", "resolve the conflict")
	case c == '&':
		p.fail(p.at, "anchors are not supported", "write the value itself in each place")
	case c == '*':
		p.fail(p.at, "aliases are not supported", "write the value itself")
	case c == '!':
		p.fail(p.at, "tags are not supported", "write the value without a tag")
	case p.isIndicator('?'):
		p.fail(p.at, "explicit keys are not supported", "write “key: value”")
	case Contains("[]{},|>%@`", string(c)):
		p.fail(p.at, "unexpected “"+string(c)+"”", "put text that begins with a special character into quotation marks")
	default:
		p.fail(p.at, "a line that is neither a key with a value nor a list item", "write “key: value” or “- item”")
	}
}

// isIndicator reports whether an entry of a list ('-') or an explicit key ('?') begins here.
func (p *yamlParser) isIndicator(c byte) bool {
	return p.at < p.end && p.text[p.at] == c && (p.at+1 == p.end || isBlank(p.text[p.at+1]))
}

// maxKey is how long YAML allows a key to be.
const maxKey = 1024

// scanKey returns the end of the key at an offset, and the offset behind its colon, which is -1 without a key.
func (p *yamlParser) scanKey(at int, flow bool) (end, behind int) {
	if at >= p.end {
		return at, -1
	}
	colon, quoted := at, p.text[at] == '"' || p.text[at] == '\''
	if quoted {
		problem := ""
		if end, problem = p.quotedEnd(at, -1); problem != "" {
			return at, -1
		}
		colon = p.skipBlanks(end)
	} else if p.canStartPlain(at, flow) {
		end, colon = p.plainLine(at, flow)
	}
	if colon >= p.end || colon == at || p.text[colon] != ':' || colon-at > maxKey {
		return at, -1
	}
	if colon+1 < p.end && !isBlank(p.text[colon+1]) && !(flow && quoted) {
		return at, -1
	}
	return end, colon + 1
}

// inline parses a value that is neither a block list nor a block map, and in a block the rest of its line.
func (p *yamlParser) inline(i int32, depth, n int, flow bool) {
	node := &p.tree.nodes[i]
	switch c := p.text[p.at]; {
	case c == '"' || c == '\'':
		end, problem := p.quotedEnd(p.at, max(n, 0))
		if problem != "" {
			p.fail(p.at, problem, "close the quotation and check its backslashes")
			return
		}
		node.kind, p.at = String, end
	case c == '[' || c == '{':
		p.flow(i, depth, n)
	case (c == '|' || c == '>') && !flow:
		p.blockScalar(node, max(n, 0))
	case p.canStartPlain(p.at, flow):
		p.plain(node, max(n, 0), flow)
	default:
		p.failToken()
	}
	if p.tree.nodes[i].end = int32(p.at); !flow && p.at != p.line {
		p.endLine()
	}
}

// endLine fails if more than a comment follows a value on its line.
func (p *yamlParser) endLine() {
	at := p.skipBlanks(p.at)
	if at < p.end && !isBreak(p.text[at]) && (p.text[at] != '#' || !isBlank(p.text[at-1])) {
		p.fail(at, "more text after the value", "put the whole text into quotation marks")
	}
}

// flow parses a flow list or map from its opening bracket on.
func (p *yamlParser) flow(i int32, depth, n int) {
	kind, closing := List, byte(']')
	if p.text[p.at] == '{' {
		kind, closing = Map, '}'
	}
	p.tree.nodes[i].kind = kind
	p.at++
	for last := int32(0); p.flowToken(n, closing); {
		key, keyEnd, behind := 0, 0, 0
		switch c := p.text[p.at]; {
		case c == closing:
			p.at++
			return
		case kind == Map:
			key = p.at
			if keyEnd, behind = p.scanKey(key, true); behind < 0 {
				p.fail(key, "a key without a colon and a blank", "write “{key: value}”")
				return
			}
			p.at = behind
		}
		v := p.flowValue(depth+1, n, closing)
		if !p.flowToken(n, closing) {
			return
		}
		last = p.add(i, last, v, key, keyEnd)
		if p.text[p.at] == ',' {
			p.at++
		} else if p.text[p.at] != closing {
			p.fail(p.at, "a comma is missing", "separate the values by commas; put text with special characters into quotation marks")
		}
	}
}

// flowValue parses a value within a flow list or map; nothing in a map is null.
func (p *yamlParser) flowValue(depth, n int, closing byte) int32 {
	i := p.open(depth)
	if !p.flowToken(n, closing) {
		return i
	}
	if c := p.text[p.at]; closing == ']' || c != ',' && c != closing {
		p.tree.nodes[i].at = int32(p.at)
		p.inline(i, depth, n, true)
	}
	return i
}

// flowToken steps to the next token of a flow list or map. Without one it fails.
func (p *yamlParser) flowToken(n int, closing byte) bool {
	before := p.at
	left := p.skip()
	indent := p.at - p.line
	if p.tab >= 0 {
		indent = p.tab - p.line
	}
	if p.at >= p.end || left && (indent < n || indent == n && p.text[p.at] != closing) {
		p.fail(p.at, "a list or map that is not closed, or a line that is not indented", "close it, or indent the line with spaces")
		p.at = before // the line may be the next entry of the block
	}
	return !p.bad
}

// skip steps over blanks, comments and line ends to the next token, and reports whether it left the line.
func (p *yamlParser) skip() (left bool) {
	p.tab = -1
	for ; p.at < p.end; p.at++ {
		switch c := p.text[p.at]; {
		case isBreak(c):
			p.line, p.tab, left = p.at+1, -1, true
		case c == '\t' && p.tab < 0:
			p.tab = p.at
		case c == '#' && (p.at == p.line || isBlank(p.text[p.at-1])):
			p.at = p.lineEnd(p.at) - 1
		case c != ' ' && c != '\t':
			return left
		}
	}
	return left
}

// lineEnd returns the offset of the next line end.
func (p *yamlParser) lineEnd(at int) int {
	for at < p.end && !isBreak(p.text[at]) {
		at++
	}
	return at
}

// nextLine returns the offset of the first character on the next line with text, the number of spaces that the line begins with,
// and whether a tab follows them. It starts at a line end.
func (p *yamlParser) nextLine(at int) (next, indent int, tab bool) {
	for start := at; at < p.end; at++ {
		switch c := p.text[at]; {
		case isBreak(c):
			start, tab = at+1, false
		case c == '\t' && !tab:
			indent, tab = at-start, true
		case c != ' ' && c != '\t':
			if !tab {
				indent = at - start
			}
			return at, indent, tab
		}
	}
	return p.end, 0, false
}

// skipBlanks returns the offset of the first character that is neither space nor tab.
func (p *yamlParser) skipBlanks(at int) int { return min(p.end, at+indentOf(p.text[at:])) }
