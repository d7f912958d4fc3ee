package core

import (
	"slices"

	"gatehouse/parse/doc"
)

// UAT is a UAT.md: the tests that a human runs and judges.
type UAT struct {
	Status      string // normalized: "testing", "partial", "diagnosed", "complete"
	Updated     string // as written
	UpdatedLine int
	Awaiting    int // number of the test that is before the user now, 0 for none
	Tests       []UATTest
	Gaps        []UATGap
	// Unread is the line of an unreadable test, 0 for none: 1 if the file has no test and does not call itself
	// finished.
	Unread int
}

// UATTest is a block "### N. Name" with its fields.
type UATTest struct {
	Number    int // 0 without one
	Name      string
	Expected  string
	Result    string // a word of the results below, "" without one, or an unknown word as written
	Reason    string // the report of an issue, or why the test was not run
	BlockedBy string
	Line      int // of the heading
	// IsAnnounced is true for a test that "## Current Test" asks for and that is written nowhere else.
	IsAnnounced bool
	Fields      Fields

	At, End   int  // offsets of the block
	hasNumber bool // which makes a heading a test without any field
	resultAt  int
}

// The words of results, as GSD writes them.
const (
	ResultPending = "pending"
	ResultPass    = "pass"
	ResultIssue   = "issue"
	ResultSkipped = "skipped"
	ResultBlocked = "blocked"
)

// UATGap is an entry of "## Gaps".
type UATGap struct {
	Truth, Status string
	Line          int
}

// IsOpen reports whether a gap still needs work: its status is missing or does not mean fixed.
func (g *UATGap) IsOpen() bool {
	return !isOneOf(Normalize(g.Status), "resolved", "fixed", "closed", "done", "complete", "completed", "passed", "not_a_bug", "wont_fix", "wontfix", "by_design",
		"as_designed", "invalid", "duplicate", "accepted")
}

// IsPending reports whether a human still has to judge the test.
func (t *UATTest) IsPending() bool { return t.Result == "" || t.Result == ResultPending }

// HasPassed reports whether a human judged that it works.
func (t *UATTest) HasPassed() bool { return t.Result == ResultPass }

// HasFailed reports whether a human found that it does not work.
func (t *UATTest) HasFailed() bool { return t.Result == ResultIssue }

// CanJudge reports whether a result can be written: the test waits for one, and has one place for it.
func (t *UATTest) CanJudge() bool { return t.IsPending() && len(t.Fields.WithKey("result")) == 1 }

// ResultLine returns the line of the result, else of the heading.
func (t *UATTest) ResultLine() int {
	if t.resultAt > 0 {
		return t.resultAt
	}
	return t.Line
}

// CountOpen returns how many tests a human still has to judge, also in a file that calls itself complete.
func (u *UAT) CountOpen() (n int) {
	for i := range u.Tests {
		if u.Tests[i].IsPending() {
			n++
		}
	}
	return n
}

// AllPassed reports whether a human has run all tests, and all of them work.
func (u *UAT) AllPassed() bool {
	return len(u.Tests) > 0 && !slices.ContainsFunc(u.Tests, func(t UATTest) bool { return !t.HasPassed() })
}

// IsResolved reports whether the found issues are resolved: the file says so, or all its gaps are closed.
func (u *UAT) IsResolved() bool {
	hasOpen := slices.ContainsFunc(u.Gaps, func(g UATGap) bool { return g.IsOpen() })
	return u.Status == "resolved" || len(u.Gaps) > 0 && !hasOpen
}

// IsUAT reports whether a file of a phase directory is a UAT.
func IsUAT(name string) bool {
	return name == "UAT.md" || doc.HasSuffix(name, ".md") && doc.Contains(name, "-UAT")
}

// maxTests limits the tests of a file. Real ones have some ten.
const maxTests = 5000

// ParseUAT parses a UAT. A heading is a test if it has a field "expected" or "result" below it, or, from the third
// level on, a number ("### 3. Name"); else it is the title of a group. GSD's sections for current work, summary and
// gaps have no tests.
func ParseUAT(text string) (*UAT, error) {
	d, err := ParseDocument(text, "status", "updated")
	u := &UAT{Status: Normalize(d.Field("status")), Updated: d.Field("updated"), UpdatedLine: d.Line("updated")}
	section, currentLine, gapsAt, gapsEnd, fence := "", 0, 0, len(text), 0
	var tests, current fieldScanner
	endTest := func(at int) {
		if n := len(u.Tests); tests.isOpen {
			t := &u.Tests[n-1]
			if t.End = at; !t.takeFields(tests.fields) {
				u.Tests, u.Unread = u.Tests[:n-1], max(u.Unread, tests.openRow)
			}
		}
		tests = fieldScanner{}
	}
	for l := range d.Lines() {
		fence = openFence(fence, l)
		if l.Level == 1 || l.Level == 2 {
			if endTest(l.At); section == "gaps" {
				gapsEnd = l.At
			}
			switch section = doc.Lower(l.Title); {
			case section == "current test":
				currentLine = l.Number
			case section == "gaps":
				gapsAt, gapsEnd = l.At+len(l.Text), len(text)
			}
		}
		switch {
		case section == "current test":
			current.addLine(l)
		case hasAnyPrefix(section, "current test", "gaps", "summary", "more than"):
		case l.Level > 0:
			endTest(l.At)
			if len(u.Tests) == maxTests {
				section = "more than " + formatNumber(maxTests) + " tests; the rest is ignored" // it may say anything
				err = &ParseError{Line: l.Number, Text: section}
				continue
			}
			u.Tests, tests = append(u.Tests, newUATTest(l)), fieldScanner{isOpen: true}
		case tests.isOpen:
			if tests.addLine(l); isOpenRow(l) {
				tests.openRow = l.Number
			}
		case isOpenRow(l):
			u.Unread = l.Number
		}
	}
	endTest(len(text))
	if fence > 0 {
		u.Unread = fence // the content below it is unknown
	}
	u.addAnnounced(newCurrentTest(current.fields, currentLine))
	if len(u.Tests) == 0 && !u.isFinished() {
		u.Unread = max(u.Unread, 1)
	}
	if gapsAt > 0 {
		if unread := u.parseGaps(text, gapsAt, gapsEnd); err == nil && unread != nil {
			err = unread
		}
	}
	return u, err
}

// openFence returns the line of the fence of code that is open below a line, 0 without one.
func openFence(open int, l doc.Line) int {
	switch {
	case !l.Code:
		return 0
	case open == 0:
		return l.Number
	case l.EndsCode:
		return 0
	}
	return open
}

// isOpenRow reports whether a line looks like a test that has not passed: an item with an empty box, or a row of a table with a number
// and a result.
func isOpenRow(l doc.Line) bool {
	if l.Code || l.Comment {
		return false
	}
	if item, _, ok := doc.ParseItem(doc.Trim(l.Text)); ok {
		return doc.HasPrefix(item, "[ ]")
	}
	cells := doc.SplitCells(l.Text)
	return len(cells) > 1 && isNumber(cells[0]) && slices.ContainsFunc(cells[1:], func(cell string) bool {
		return isOneOf(ParseResult(cell), ResultPending, ResultIssue, ResultBlocked)
	})
}

func isNumber(text string) bool { return text != "" && doc.CountDigits(text) == len(text) }

// isFinished reports whether the file calls all its tests over.
func (u *UAT) isFinished() bool {
	return isOneOf(u.Status, "complete", "completed", "resolved", "passed", "done")
}

// addAnnounced reads "## Current Test". It adds a test that is listed in no other place, but not one left behind after the
// verdict on the last test.
func (u *UAT) addAnnounced(current UATTest, waits bool) {
	if !waits {
		return
	}
	u.Awaiting = current.Number
	if u.CountOpen() > 0 {
		return
	}
	isWritten := slices.ContainsFunc(u.Tests, func(t UATTest) bool { return t.Number == current.Number })
	if len(u.Tests) == 0 || !isWritten && !u.isFinished() && (current.Number > 0 || isVisible(current.Name)) {
		u.Tests = append(u.Tests, current)
	}
}

// parseGaps parses the list of gaps, which is YAML. Nothing else in the section counts.
func (u *UAT) parseGaps(text string, from, to int) error {
	first := -1
	for l := range doc.Lines(text, from, to) {
		if _, indent, ok := doc.ParseItem(l.Text); ok && indent == 0 && !l.Code && !l.Comment {
			first = l.At
			break
		}
	}
	if first < 0 {
		return nil // such as "[none]"
	}
	d := Document{Text: text, Front: doc.ParseYAML(text, first, to)}
	isRead := d.Front.Root().Is(doc.List)
	for gap := range d.Front.Root().Elements() {
		g := UATGap{Truth: d.firstText(gap, "truth", "gap"), Status: doc.Lower(d.scalar(gap.Get("status"))), Line: d.lineAt(gap.Offset())}
		u.Gaps = append(u.Gaps, g)
		isRead = isRead && !gap.Is(doc.Unsupported)
	}
	if isRead {
		return nil
	}
	return &ParseError{Line: d.lineAt(first), Text: "a gap can't be read", Minor: true}
}

// newUATTest parses a heading such as "1. Name".
func newUATTest(l doc.Line) UATTest {
	t := UATTest{Name: l.Title, Line: l.Number, At: l.At}
	if id, name, ok := doc.Cut(l.Title, "."); ok && isNumber(id) && (name == "" || name[0] == ' ') {
		t.hasNumber, t.Number, t.Name = l.Level > 2, parseNumber(id), doc.Trim(name)
	}
	t.Name = doc.StripMarks(t.Name)
	return t
}

// takeFields takes the fields of a test and reports whether it is one.
func (t *UATTest) takeFields(fields Fields) bool {
	result, reported := fields.lastWithKey("result"), fields.lastWithKey("reported")
	for _, other := range fields.WithKey("result") { // of several, one that has not passed
		if ParseResult(result.Value) == ResultPass {
			result = other
		}
	}
	t.Fields, t.Expected, t.BlockedBy = fields, fields.lastWithKey("expected").Value, fields.lastWithKey("blocked_by").Value
	t.Result, t.resultAt, t.Reason = ParseResult(result.Value), result.Line, unquoteField(fields.lastWithKey("reason").Value)
	if reported.Line > 0 && (t.Reason == "" || t.HasFailed()) {
		t.Reason = unquoteField(reported.Value)
	}
	return t.hasNumber || len(fields.WithKey("expected"))+len(fields.WithKey("result")) > 0
}

// newCurrentTest returns the test of "## Current Test", and whether it is before the user now.
func newCurrentTest(fields Fields, line int) (t UATTest, waits bool) {
	t = UATTest{Name: doc.StripMarks(fields.lastWithKey("name").Value), Expected: fields.lastWithKey("expected").Value, Line: line, IsAnnounced: true}
	t.Number = parseNumber(leadingDigits(fields.lastWithKey("number").Value))
	return t, indexFold(fields.lastWithKey("awaiting").Value, "user") >= 0
}

// resultWords are the first words of results that Gatehouse knows.
var resultWords = [...]struct{ written, word string }{
	{"pending", ResultPending}, {"pass", ResultPass}, {"passed", ResultPass}, {"issue", ResultIssue}, {"fail", ResultIssue}, {"failed", ResultIssue}, {"skipped", ResultSkipped}, {"blocked", ResultBlocked},
}

// resultDoubts are words after "pass" that leave the human's meaning open, and remarkDoubts are such words in a remark.
var (
	resultDoubts = []string{"not|no|but|except|however|fail*|issue*|crash*|error*|broken|wrong|partial*|unless|until|if"}
	remarkDoubts = []string{"pending|but|except|needs|need|fails|failing|unless|until", "still open|broken"}
)

// ParseResult returns the word of a result: its first word decides, "PASSED 2026-08-21 (by hand)", unless a later word revokes
// it, "pass with a crash". A remark in brackets or after a sign does so only if it leaves something open, "passed on iOS, pending
// on Android". Anything else is returned in lower case.
func ParseResult(value string) string {
	value = trim(doc.Trim(value[:CommentOffset(value)]), "[]\"'` *")
	remark := value
	for _, sign := range [...]string{"(", "[", "]", "—", "–", " - ", " -- ", ";", ",", ":", ". "} {
		remark, _, _ = doc.Cut(remark, sign)
	}
	text := trim(remark, "[]\"'` *.")
	if plain := trim(text, "[]\"'` *✅✓✔☑\uFE0F"); plain != "" {
		text = plain // a sign without words is not a result
	}
	text = doc.Lower(text)
	all := splitWords(text)
	if len(all) > 0 && hasPrefixFold(text, all[0]) {
		for _, known := range resultWords {
			if all[0] == known.written && (known.word != ResultPass || !all[1:].hasAny(resultDoubts)) {
				if known.word == ResultPass && splitWords(value).hasAny(remarkDoubts) {
					return doc.Lower(value)
				}
				return known.word
			}
		}
	}
	return text
}

// CommentOffset returns the offset of a comment in a value, its length without one.
func CommentOffset(value string) int { return len(cutAny(value, "#", "<!--")) }

// Field is a "key: value" of a test. Its places are offsets in the file.
type Field struct {
	Key           string // in lower case
	Value         string // trimmed; the lines of a block ("|") are joined
	Line          int
	At            int // of the line
	KeyAt, KeyEnd int
	ValueAt       int
	ValueEnd      int // of the value in the line of its key
	Last          int // the end of the field: text below it, code, a comment
}

// Fields are the fields of a test in the order of the file.
type Fields []Field

// WithKey returns the fields with a key.
func (all Fields) WithKey(key string) (named Fields) {
	for i := range all {
		if all[i].Key == key {
			named = append(named, all[i])
		}
	}
	return named
}

// lastWithKey returns the last field with a key, an empty one without any.
func (all Fields) lastWithKey(key string) (f Field) {
	if named := all.WithKey(key); len(named) > 0 {
		return named[len(named)-1]
	}
	return f
}

// fieldScanner splits lines into fields.
type fieldScanner struct {
	isOpen  bool
	fields  Fields
	column  int // of the key of the last field
	reach   fieldReach
	openRow int // the line that looks like a test of its own
}

// fieldReach says which lines below a field belong to it.
type fieldReach uint8

const (
	reachNone  fieldReach = iota
	reachNext             // those that follow without a blank line
	reachBlock            // those indented deeper, with or without blank lines
)

// addLine takes the next line. Code and comments belong to the field above, but not to a result.
func (s *fieldScanner) addLine(l doc.Line) {
	last := &Field{}
	if len(s.fields) > 0 {
		last = &s.fields[len(s.fields)-1]
	}
	end := l.At + len(l.Text)
	text := doc.Trim(l.Text)
	isDeeper := s.reach != reachNone && indentOf(l.Text) > s.column
	switch {
	case l.Comment || l.Code:
		if s.reach != reachNone && (l.Comment || last.Key != "result") {
			last.Last = end
		}
		return
	case text == "":
		if s.reach == reachNext {
			s.reach = reachNone
		}
		return
	case s.reach == reachBlock && isDeeper:
		last.Last = end
		last.Value = doc.Trim(last.Value + " " + text)
		return
	}
	f, ok := splitField(l)
	if !ok || isDeeper && !isUATKey(f.Key) {
		if s.reach != reachNone {
			s.reach, last.Last = reachNext, end
		}
		return
	}
	s.column, s.reach = f.KeyAt-f.At, reachNext
	if isBlockMark(f.Value) {
		f.Value, s.reach = "", reachBlock
	}
	s.fields = append(s.fields, f)
}

// isUATKey reports whether a key begins a field in any position. Another word with a colon, indented below a field,
// continues its text.
func isUATKey(key string) bool {
	return isOneOf(key, "expected", "result", "reported", "reason", "severity", "blocked_by", "note", "number", "name", "awaiting")
}

// isBlockMark reports whether a value is YAML's sign for a block of lines below it: "|", ">-", "|2".
func isBlockMark(value string) bool {
	return value != "" && (value[0] == '|' || value[0] == '>') && trim(value[1:], "+-0123456789") == ""
}

func indentOf(line string) int { return len(line) - len(trimLeft(line, " \t")) }

// splitField finds "key: value" in a line, also as a list item and with a bold key.
func splitField(l doc.Line) (f Field, ok bool) {
	rest := trimSpace(l.Text)
	end := l.At + skipSpace(l.Text, 0) + len(rest)
	if item, _, isItem := doc.ParseItem(rest); isItem {
		rest = item
	}
	key, value, isBold := doc.ParseField(rest)
	if !isBold {
		if key, value, ok = doc.Cut(rest, ":"); !ok || key == "" || containsAny(key, " ", "\t") {
			return Field{}, false
		}
		value = trimSpace(value)
	}
	keyAt, lineEnd := end-len(rest)+doc.Index(rest, key), l.At+len(l.Text)
	return Field{
		Key: doc.Lower(key), Value: value, Line: l.Number, At: l.At, KeyAt: keyAt, KeyEnd: keyAt + len(key), ValueAt: end - len(value), ValueEnd: end,
		Last: lineEnd,
	}, true
}

// TextLength returns the length of a value's text, without a comment after it. A "#" begins one after quotation marks
// only: otherwise people number things with it.
func TextLength(value string) int {
	if doc.HasPrefix(value, `"`) {
		end := 1
		for end < len(value) && value[end] != '"' {
			if value[end] == '\\' {
				end++
			}
			end++
		}
		if end++; end < len(value) {
			if rest := trimSpace(value[end:]); hasAnyPrefix(rest, "#", "<!--") {
				return end
			}
		}
	}
	text, _, _ := doc.Cut(value, "<!--")
	return skipSpace(text, 0) + len(trimSpace(text))
}

// unquoteField removes the comment and the quotation marks of a text, and the escapes that Gatehouse writes into one. Others stay:
// people write paths with backslashes.
func unquoteField(value string) string {
	value = value[:TextLength(value)]
	if len(value) < 2 || value[0] != '"' || value[len(value)-1] != '"' {
		return trim(value, `"`)
	}
	value = value[1 : len(value)-1]
	out := make([]byte, 0, len(value))
	for value != "" {
		c, length := value[0], 1
		for _, escaped := range [...]string{`\\\`, `"\"`, `<\x3c`, `>\x3e`} { // each after the text it represents
			if doc.HasPrefix(value, escaped[1:]) {
				c, length = escaped[0], len(escaped)-1
			}
		}
		out, value = append(out, c), value[length:]
	}
	return string(out)
}
