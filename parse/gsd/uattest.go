// One test of a UAT.md: a heading and the fields below it. What is told here of lines is what edit.go changes them by.

package gsd

import (
	"strconv"
	"strings"
	"unicode"

	"gatehouse/parse/doc"
	"gatehouse/parse/gsd/rules"
)

// uatTest is one "### N. Name" with its fields.
type uatTest struct {
	number    int // 0 for a heading without one
	name      string
	expected  string
	result    string // lower case, without brackets: "pending", "pass", "issue", "skipped", "blocked"; "" if none is written
	reason    string // what was reported of an issue, or why the test was not run
	blockedBy string
	line      int // of the heading
	resLine   int // of the result, 0 without one
	// announced is a test that "## Current Test" asks for and that is written down nowhere else.
	announced bool

	headLast int // the last line of the heading, with a comment that begins in it
	fieldScan
}

// pending reports whether a human still has to judge the test.
func (t *uatTest) pending() bool { return rules.Awaited(t.result) }

// judgeable reports whether a result can be written: the test waits for one, and has a place for it.
func (t *uatTest) judgeable() bool { return t.pending() && !t.announced && t.count("result") <= 1 }

// passed reports whether a human judged that it works.
func (t *uatTest) passed() bool { return rules.Passed(t.result) }

// failed reports whether a human found that it does not work.
func (t *uatTest) failed() bool { return rules.Failed(t.result) }

// testHeading reads "1. Name".
func testHeading(l doc.Line) uatTest {
	t := uatTest{name: l.Title, line: l.Number, headLast: l.Number}
	if number, name, ok := strings.Cut(l.Title, "."); ok && number != "" && allDigits(number) {
		t.number, t.name = atoi(number), strings.TrimSpace(name)
	}
	t.name = doc.StripMarks(t.name)
	return t
}

// add takes a line below the heading.
func (t *uatTest) add(l doc.Line) {
	if l.Comment && len(t.fields) == 0 && t.headLast == l.Number-1 {
		t.headLast = l.Number
	}
	t.fieldScan.add(l)
}

// settle reads the test out of its fields. Of a field that is there twice the last counts.
func (t *uatTest) settle() {
	said := map[string]string{}
	for _, f := range t.fields {
		said[f.key] = f.value
		if f.key == "result" {
			t.resLine = f.line
		}
	}
	t.expected, t.blockedBy, t.result = said["expected"], said["blocked_by"], rules.Result(said["result"])
	t.reason = unquote(said["reason"])
	if reported, is := said["reported"]; is && (t.reason == "" || t.failed()) {
		t.reason = unquote(reported)
	}
}

// currentTest reads the fields of "## Current Test", and whether it is before the user now.
func currentTest(fields []uatField, line int) (t uatTest, waits bool) {
	t.line, t.announced = line, true
	for _, f := range fields {
		switch f.key {
		case "number":
			t.number, _ = strconv.Atoi(f.value)
		case "name":
			t.name = doc.StripMarks(f.value)
		case "expected":
			t.expected = f.value
		case "awaiting":
			waits = strings.Contains(strings.ToLower(f.value), "user")
		}
	}
	return t, waits
}

// uatField is one "key: value" of a test.
type uatField struct {
	key   string // lower case
	value string // without blanks around; of a block ("|") its lines, joined
	line  int
	until int // the last line of the value: those indented deeper go on with it
	last  int // the last line of what belongs to the field besides: text below it, code, a comment
}

// fieldScan takes lines apart into fields.
type fieldScan struct {
	fields []uatField
	column int // where the key of the last field begins
	on     reach
}

// reach says which of the lines below a field belong to it.
type reach uint8

const (
	reachNone  reach = iota
	reachNext        // those that follow without a blank line
	reachBlock       // those indented deeper, blank lines or not, as in YAML's blocks
)

// own are the keys that begin a field wherever they stand, but in a block. Another word with a colon, indented below a
// field, is its text going on.
var own = map[string]bool{
	"expected": true, "result": true, "reported": true, "reason": true, "severity": true, "blocked_by": true, "note": true,
	"number": true, "name": true, "awaiting": true,
}

// add takes the next line.
func (s *fieldScan) add(l doc.Line) {
	last := len(s.fields) - 1
	if l.Comment || l.Code {
		// What is fenced is not the result's: it is looked at beside it.
		if s.on != reachNone && (l.Comment || s.fields[last].key != "result") {
			s.fields[last].last = l.Number
		}
		return
	}
	text := strings.TrimSpace(l.Text)
	if text == "" {
		if s.on == reachNext {
			s.on = reachNone
		}
		return
	}
	deeper := s.on != reachNone && indent(l.Text) > s.column
	if s.on == reachBlock && deeper {
		s.fields[last].until, s.fields[last].last = l.Number, l.Number
		s.fields[last].value = strings.TrimSpace(s.fields[last].value + " " + text)
		return
	}
	at, ok := splitField(l.Text)
	key := strings.ToLower(l.Text[at.key:at.keyEnd])
	if !ok || deeper && !own[key] {
		if s.on != reachNone {
			if deeper && s.fields[last].until == l.Number-1 {
				s.fields[last].until = l.Number
			}
			s.on, s.fields[last].last = reachNext, l.Number
		}
		return
	}
	f := uatField{key: key, value: l.Text[at.value:at.end], line: l.Number, until: l.Number, last: l.Number}
	s.column, s.on = at.key, reachNext
	if isBlock(f.value) {
		f.value, s.on = "", reachBlock
	}
	s.fields = append(s.fields, f)
}

// isBlock reports whether a value is YAML's sign for a block of lines below it: "|", ">-", "|2".
func isBlock(value string) bool {
	return value != "" && (value[0] == '|' || value[0] == '>') && strings.Trim(value[1:], "+-0123456789") == ""
}

func indent(line string) int { return len(line) - len(strings.TrimLeft(line, " \t")) }

// fieldAt says where the parts of a field are in its line, as offsets: the key, and the value without blanks around.
type fieldAt struct{ key, keyEnd, value, end int }

// splitField finds "key: value" in a line, also as a list item and with a bold key.
func splitField(text string) (at fieldAt, ok bool) {
	at.end = len(strings.TrimRightFunc(text, unicode.IsSpace))
	rest := strings.TrimSpace(text)
	if item, _, isItem := doc.ParseItem(rest); isItem {
		rest = item
	}
	start := at.end - len(rest)
	if name, value, bold := doc.ParseField(rest); bold {
		at.key = start + strings.Index(rest, name)
		at.keyEnd, at.value = at.key+len(name), at.end-len(value)
		return at, true
	}
	key, value, ok := strings.Cut(rest, ":")
	if !ok || key == "" || strings.ContainsAny(key, " \t") {
		return fieldAt{}, false
	}
	at.key, at.keyEnd, at.value = start, start+len(key), at.end-len(strings.TrimSpace(value))
	return at, true
}

// words returns how much of a value is its text, and no comment behind it. A # is one behind quotes alone: elsewhere people
// number things with it.
func words(value string) int {
	if strings.HasPrefix(value, `"`) {
		end := 1
		for end < len(value) && value[end] != '"' {
			if value[end] == '\\' {
				end++
			}
			end++
		}
		if end++; end < len(value) {
			if rest := strings.TrimSpace(value[end:]); strings.HasPrefix(rest, "#") || strings.HasPrefix(rest, "<!--") {
				return end
			}
		}
	}
	text, _, _ := strings.Cut(value, "<!--")
	return len(strings.TrimRightFunc(text, unicode.IsSpace))
}

// unquote takes the comment and the quotes off a text, and the escapes of quote out of one in double quotes. Others stay: people write paths
// with backslashes.
func unquote(value string) string {
	value = value[:words(value)]
	if len(value) >= 2 && value[0] == '"' && value[len(value)-1] == '"' {
		return unescape.Replace(value[1 : len(value)-1])
	}
	return strings.Trim(value, `"`)
}

var unescape = strings.NewReplacer(`\\`, `\`, `\"`, `"`, `\x3c`, "<", `\x3e`, ">")
