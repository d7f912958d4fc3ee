package gsd

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"gatehouse/model"
	"gatehouse/parse/gsd/core"
	"gatehouse/parse/protocol"
)

// verdict is what a human says of a test. It is written in the form that the file has, and changes no other line.
type verdict struct {
	result    string
	key, text string // the field with the words beside it: "reported", "reason"; "" without one
}

// write returns the spans that write the verdict on a test. It refuses, with a [*model.Refusal], what would read differently
// afterwards: a test with two results, one that an unclosed fence swallows.
func (v verdict) write(content string, u *core.UAT, index int, name string) ([]model.Span, error) {
	t := &u.Tests[index]
	for _, key := range []string{"result", v.key} {
		if t.CountFields(key) > 1 {
			return nil, &model.Refusal{Text: "the test has two lines for its " + key, Fix: "leave one of them in the file"}
		}
	}
	e := editor{content, t}
	var spans []model.Span
	add := func(key string, s model.Span) {
		s.Label = name + "." + key
		spans = append(spans, s)
	}
	result, after := t.FieldNamed("result"), t.FieldNamed("expected")
	if result != nil {
		add("result", e.replaceResult(result, v.result))
		after = result
	} else {
		add("result", e.insertField(after, "result", v.result))
	}
	if f := t.FieldNamed(v.key); v.key != "" && f != nil {
		s, ok := e.replaceText(f, v.quote())
		if !ok {
			return nil, refuseForm()
		}
		add(v.key, s)
	} else if v.key != "" {
		add(v.key, e.insertField(after, v.key, v.quote()))
	}
	slices.SortStableFunc(spans, func(a, b model.Span) int { return a.At - b.At })
	if !v.isReadBack(content, spans, u, index) {
		return nil, refuseForm()
	}
	return spans, nil
}

// refuseForm refuses what could only be written at the cost of something else.
func refuseForm() error {
	return &model.Refusal{Text: "the test has a form in which its result can't be written safely", Fix: "write the result into the file by hand"}
}

// isReadBack reports whether the file with the spans says the verdict, and otherwise what it said before.
func (v verdict) isReadBack(content string, spans []model.Span, before *core.UAT, index int) bool {
	text, err := protocol.Apply(content, spans)
	if err != nil {
		return false
	}
	after, err := core.ParseUAT(text)
	if isSerious(faultOf(err)) {
		return false
	}
	want := meaningOf(before)
	want.tests[index].result = v.result
	if v.key != "" {
		want.tests[index].reason = v.text
	}
	return want.equals(meaningOf(after))
}

// meaning is what a UAT.md says, wherever it says it.
type meaning struct {
	status, updated string
	awaiting        int
	tests           []testMeaning
	gaps            []core.UATGap
}

type testMeaning struct {
	number                                    int
	name, expected, result, reason, blockedBy string
}

// meaningOf returns what a UAT.md says. A test that is only announced is left out: it is one while no other test is open.
func meaningOf(u *core.UAT) meaning {
	m := meaning{status: u.Status, updated: u.Updated, awaiting: u.Awaiting, gaps: slices.Clone(u.Gaps)}
	for i := range u.Tests {
		if t := &u.Tests[i]; !t.IsAnnounced {
			m.tests = append(m.tests, testMeaning{t.Number, t.Name, t.Expected, t.Result, t.Reason, t.BlockedBy})
		}
	}
	for i := range m.gaps {
		m.gaps[i].Line = 0
	}
	return m
}

func (m meaning) equals(o meaning) bool {
	return m.status == o.status && m.updated == o.updated && m.awaiting == o.awaiting && slices.Equal(m.tests, o.tests) && slices.Equal(m.gaps, o.gaps)
}

// editor edits one test of a file.
type editor struct {
	content string
	test    *core.UATTest
}

// replaceResult replaces the word of a result. A comment behind it stays.
func (e editor) replaceResult(f *core.Field, word string) model.Span {
	value := f.Text[f.ValueAt:f.ValueEnd]
	old := strings.TrimRight(value[:core.CommentOffset(value)], " \t")
	s := model.Span{At: f.LineAt + f.ValueAt, Old: old, New: word}
	if old == "" && value != "" {
		s.New += " "
	}
	return e.separate(s)
}

// replaceText replaces the words of a field, all lines of them. A comment behind them stays; ok is false if one is among them.
func (e editor) replaceText(f *core.Field, text string) (s model.Span, ok bool) {
	from := f.LineAt + f.ValueAt
	to := from + core.TextLength(f.Text[f.ValueAt:f.ValueEnd])
	if f.Until > f.LineAt+len(f.Text) {
		to = f.Until
	}
	s = model.Span{At: from, Old: e.content[from:to], New: text}
	if s.Old == "" && f.ValueAt < f.ValueEnd {
		s.New += " "
	}
	return e.separate(s), !strings.Contains(s.Old, "<!--") && !strings.Contains(s.Old, "-->")
}

// separate puts a blank before a value that would touch its colon.
func (e editor) separate(s model.Span) model.Span {
	if before := e.content[s.At-1]; before != ' ' && before != '\t' {
		s.New = " " + s.New
	}
	return s
}

// insertField adds a field below another one, in its style; below the heading without one.
func (e editor) insertField(above *core.Field, key, value string) model.Span {
	at, indent, behind := e.test.HeadEnd, "", ": "
	if above != nil {
		at = above.Last
		key, indent, behind = e.style(above, key)
	}
	newline := "\n"
	if rest := e.content[at:]; strings.HasPrefix(rest, "\r\n") || rest == "" && strings.Contains(e.content, "\r\n") {
		newline = "\r\n"
	}
	return model.Span{At: at, New: newline + indent + key + behind + value}
}

// style returns how a field is written that looks like another one: its key, and the text before and behind it.
func (e editor) style(like *core.Field, key string) (word, before, behind string) {
	before, behind = like.Text[:like.KeyAt], like.Text[like.KeyEnd:like.ValueAt]
	if !strings.HasSuffix(behind, " ") && !strings.HasSuffix(behind, "\t") {
		behind += " "
	}
	word = key
	written := like.Text[like.KeyAt:like.KeyEnd]
	if first, size := utf8.DecodeRuneInString(written); unicode.IsUpper(first) {
		word = strings.ToUpper(key[:1]) + key[1:]
		if len(written) > size && written == strings.ToUpper(written) {
			word = strings.ToUpper(key)
		}
	}
	// Of the fields of one list item only the first has its mark.
	for i := range e.test.Fields {
		if f := &e.test.Fields[i]; f != like && f.KeyAt == like.KeyAt && strings.TrimLeft(f.Text[:f.KeyAt], " ") == "" {
			return word, strings.Repeat(" ", len(before)), behind
		}
	}
	return word, before, behind
}

// quote returns the text of a verdict as a value on one line. What was reported is quoted, as GSD writes it; a reason if YAML needs it.
func (v verdict) quote() string {
	if v.key == "reason" && isPlain(v.text) {
		return v.text
	}
	return `"` + escape.Replace(v.text) + `"`
}

// escape keeps the quotes closed, and a comment of the file from beginning or ending in the text. core.ParseUAT reverts it.
var escape = strings.NewReplacer(`\`, `\\`, `"`, `\"`, "<!", `\x3c!`, "->", `-\x3e`)

// isPlain reports whether a text means the same with and without quotes.
func isPlain(text string) bool {
	first, _ := utf8.DecodeRuneInString(text)
	return unicode.IsLetter(first) && !strings.ContainsFunc(text, func(r rune) bool {
		return !unicode.In(r, unicode.L, unicode.M, unicode.N) && !strings.ContainsRune(" .,;!?()/+-–—…%'’", r)
	})
}
