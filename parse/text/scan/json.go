// Finding values in a JSON document without building it.

package scan

import "unicode/utf8"

// jsonDepth is how deeply objects and arrays may be nested. Deeper documents count as invalid: no state or config file
// comes near it, and a hostile one must not exhaust the stack.
const jsonDepth = 512

// jsonFieldsLimit is how many fields one walk can look for.
const jsonFieldsLimit = 32

// JSONField is a value that is looked for in a JSON document.
type JSONField struct {
	// Path are the keys that lead to the value, from the outermost object. An empty path is the whole document.
	Path []string
	// Value is what was found: the bytes of the value as they stand in the document, without surrounding white space; ""
	// when there is no such value.
	Value string

	start, end int // where Value stands; only numbers are written while walking, so that no field has to be on the heap
}

// At returns the offset of Value in the document.
func (f *JSONField) At() int { return f.start }

// JSONFields looks for several values in the JSON document doc, at most 32, in one walk, and sets their Value. ok is false,
// and every Value "", when doc is not valid JSON by RFC 8259 (a byte order mark, a trailing comma, a comment or a second
// value make it invalid; what would make an invalid character inside a string does not) or is nested deeper than 512. A
// repeated key counts where it stands last, as in JavaScript. It allocates nothing.
func JSONFields(doc string, fields []JSONField) (ok bool) {
	j := jsonScan{doc: doc, fields: fields}
	var all uint32
	for i := range fields {
		fields[i].start, fields[i].end = 0, 0
		all |= 1 << i
	}
	j.value(all, 0)
	j.skip()
	ok = !j.bad && j.pos == len(doc) && len(fields) <= jsonFieldsLimit
	for i := range fields {
		fields[i].Value = ""
		if ok {
			fields[i].Value = doc[fields[i].start:fields[i].end]
		}
	}
	return ok
}

// JSONValue returns the value that the keys of path lead to in the JSON document doc, as JSONFields finds it. ok is false
// when doc is not valid or no such value is there.
func JSONValue(doc string, path ...string) (value string, ok bool) {
	field := [1]JSONField{{Path: path}}
	if !JSONFields(doc, field[:]) {
		return "", false
	}
	value = doc[field[0].start:field[0].end] // not through Value, with which path would have to be on the heap
	return value, value != ""
}

// JSONStringIs reports whether value, as JSONValue returned it, is a string that reads want once its escapes are
// resolved.
func JSONStringIs(value, want string) bool {
	if len(value) < 2 || value[0] != '"' {
		return false
	}
	value = value[1 : len(value)-1]
	for value != "" {
		var buf [utf8.UTFMax]byte
		char, size := jsonChar(value, &buf)
		if len(want) < len(char) || want[:len(char)] != string(char) {
			return false
		}
		want, value = want[len(char):], value[size:]
	}
	return want == ""
}

// jsonChar returns the first character of the inside of a valid JSON string, in buf, and how many bytes spell it.
// A lone surrogate is U+FFFD.
func jsonChar(s string, buf *[utf8.UTFMax]byte) (char []byte, size int) {
	if s[0] != '\\' {
		buf[0] = s[0]
		return buf[:1], 1
	}
	switch c := s[1]; c {
	case 'b':
		buf[0] = '\b'
	case 'f':
		buf[0] = '\f'
	case 'n':
		buf[0] = '\n'
	case 'r':
		buf[0] = '\r'
	case 't':
		buf[0] = '\t'
	case 'u':
		r, size := hex4(s[2:]), 6
		if r >= 0xD800 && r < 0xDC00 && len(s) >= 12 && s[6] == '\\' && s[7] == 'u' {
			if low := hex4(s[8:]); low >= 0xDC00 && low < 0xE000 {
				r, size = (r-0xD800)<<10+(low-0xDC00)+0x10000, 12
			}
		}
		return utf8.AppendRune(buf[:0], r), size
	default:
		buf[0] = c
	}
	return buf[:1], 2
}

// hex4 returns the number that the four hexadecimal digits at the start of s spell, -1 when they are none.
func hex4(s string) rune {
	if len(s) < 4 {
		return -1
	}
	var r rune
	for i := range 4 {
		c := s[i]
		switch {
		case c >= '0' && c <= '9':
			c -= '0'
		case c|0x20 >= 'a' && c|0x20 <= 'f':
			c = c | 0x20 - 'a' + 10
		default:
			return -1
		}
		r = r<<4 | rune(c)
	}
	return r
}

// jsonScan walks over a document once, checking all of it.
type jsonScan struct {
	doc    string
	pos    int
	bad    bool
	fields []JSONField
}

// fail makes the document an invalid one.
func (j *jsonScan) fail() { j.bad = true }

func (j *jsonScan) skip() {
	for j.pos < len(j.doc) {
		switch j.doc[j.pos] {
		case ' ', '\t', '\n', '\r':
			j.pos++
		default:
			return
		}
	}
}

// peek returns the next byte after white space, 0 at the end.
func (j *jsonScan) peek() byte {
	j.skip()
	if j.pos == len(j.doc) {
		return 0
	}
	return j.doc[j.pos]
}

// value walks over one value. Each bit of seek is a field whose path has led here, by as many keys as depth says: it ends
// here or goes on inside.
func (j *jsonScan) value(seek uint32, depth int) {
	c := j.peek()
	start := j.pos
	switch {
	case c == '{' && depth < jsonDepth:
		j.object(seek, depth+1)
	case c == '[' && depth < jsonDepth:
		j.array(depth + 1)
	case c == '{', c == '[':
		j.fail()
	case c == '"':
		j.string()
	case c == '-' || c >= '0' && c <= '9':
		j.number()
	default:
		j.word()
	}
	for i := 0; seek != 0; i, seek = i+1, seek>>1 {
		if seek&1 != 0 && len(j.fields[i].Path) == depth {
			j.fields[i].start, j.fields[i].end = start, j.pos
		}
	}
}

// object walks over an object, whose keys are the ones at depth of each path, counted from 1.
func (j *jsonScan) object(seek uint32, depth int) {
	j.pos++
	if j.peek() == '}' {
		j.pos++
		return
	}
	for !j.bad {
		if j.peek() != '"' {
			j.fail()
			return
		}
		from := j.pos
		j.string()
		key := j.doc[from:j.pos]
		if j.bad || j.peek() != ':' {
			j.fail()
			return
		}
		j.pos++
		j.value(j.leading(seek, key, depth), depth)
		if j.more('}') {
			return
		}
	}
}

// leading returns those fields of seek whose path goes on with key, and forgets what an equal key before led them to.
func (j *jsonScan) leading(seek uint32, key string, depth int) (on uint32) {
	for i := 0; seek>>i != 0; i++ {
		if seek>>i&1 == 0 {
			continue
		}
		if f := &j.fields[i]; len(f.Path) >= depth && JSONStringIs(key, f.Path[depth-1]) {
			on |= 1 << i
			f.start, f.end = 0, 0
		}
	}
	return on
}

func (j *jsonScan) array(depth int) {
	j.pos++
	if j.peek() == ']' {
		j.pos++
		return
	}
	for !j.bad {
		j.value(0, depth)
		if j.more(']') {
			return
		}
	}
}

// more steps over what stands behind an element: a comma, or the end, which it reports.
func (j *jsonScan) more(end byte) (ended bool) {
	c := j.peek()
	switch {
	case j.bad:
	case c == end:
		ended = true
		j.pos++
	case c == ',':
		j.pos++
	default:
		j.fail()
	}
	return ended
}

// string walks over a string; j.pos is at its opening quotation mark.
func (j *jsonScan) string() {
	for j.pos++; j.pos < len(j.doc); j.pos++ {
		switch c := j.doc[j.pos]; {
		case c == '"':
			j.pos++
			return
		case c < 0x20:
			j.fail()
			return
		case c == '\\':
			j.pos++
			if !j.escape() {
				j.fail()
				return
			}
		}
	}
	j.fail()
}

// escape reports whether a valid escape follows the backslash, and steps to its last byte.
func (j *jsonScan) escape() bool {
	if j.pos == len(j.doc) {
		return false
	}
	switch j.doc[j.pos] {
	case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
		return true
	case 'u':
		if hex4(j.doc[j.pos+1:]) >= 0 {
			j.pos += 4
			return true
		}
	}
	return false
}

func (j *jsonScan) number() {
	if j.doc[j.pos] == '-' {
		j.pos++
	}
	if whole := j.digits(); len(whole) > 1 && whole[0] == '0' {
		j.fail()
	}
	if j.pos < len(j.doc) && j.doc[j.pos] == '.' {
		j.pos++
		j.digits()
	}
	if j.pos < len(j.doc) && j.doc[j.pos]|0x20 == 'e' {
		j.pos++
		if j.pos < len(j.doc) && (j.doc[j.pos] == '+' || j.doc[j.pos] == '-') {
			j.pos++
		}
		j.digits()
	}
}

// digits walks over digits, of which there has to be one at least.
func (j *jsonScan) digits() (digits string) {
	digits, j.pos = Digits(j.doc, j.pos)
	if digits == "" {
		j.fail()
	}
	return digits
}

// word walks over true, false or null.
func (j *jsonScan) word() {
	for _, word := range [...]string{"true", "false", "null"} {
		if len(j.doc)-j.pos >= len(word) && j.doc[j.pos:j.pos+len(word)] == word {
			j.pos += len(word)
			return
		}
	}
	j.fail()
}
