package gsd

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"gatehouse/model"
	"gatehouse/parse/gsd/core"
	"gatehouse/parse/protocol"
)

// verdict is a human's verdict on a test. It is written in the form that the file has, and changes no other line.
type verdict struct {
	result    string
	key, text string // the accompanying text field: "reported", "reason"; "" without one
}

// writeSpans returns the spans that write the verdict on a test. It refuses, with a [*model.Refusal], a file that would read
// differently afterwards: a test with two results, or one inside an unclosed fence.
func (v verdict) writeSpans(content string, u *core.UAT, index int, name string) ([]model.Span, error) {
	e := editor{content, &u.Tests[index]}
	fields, after := e.test.Fields, e.test.Fields.WithKey("expected")
	var spans []model.Span
	write := func(key, value string, replace func(f core.Field, value string) model.Span) {
		s := e.insertField(after, key, value)
		if old := fields.WithKey(key); len(old) > 0 {
			s = replace(old[0], value)
		}
		s.Label = name + "." + key
		spans = append(spans, s)
	}
	for _, key := range []string{"result", v.key} {
		if len(fields.WithKey(key)) > 1 {
			return nil, protocol.Refuse("", "the test has two lines for its "+key, "leave one of them in the file")
		}
		if old := fields.WithKey(key); key == v.key && len(old) > 0 && strings.TrimSpace(content[old[0].ValueEnd:old[0].Last]) != "" {
			return nil, protocol.Refuse("", "the "+key+" of the test has several lines", "write the result into the file by hand")
		}
	}
	write("result", v.result, e.replaceResult)
	if result := fields.WithKey("result"); len(result) > 0 {
		after = result
	}
	if v.key != "" {
		write(v.key, v.quoteText(), e.replaceText)
	}
	slices.SortStableFunc(spans, func(a, b model.Span) int { return a.At - b.At })
	if !v.isReadBack(content, spans, u, index) {
		return nil, protocol.Refuse("", "the test has a form in which its result can't be written safely", "write the result into the file by hand")
	}
	return spans, nil
}

// isReadBack reports whether the file with the spans has the verdict, and otherwise its earlier content, comments
// included.
func (v verdict) isReadBack(content string, spans []model.Span, before *core.UAT, index int) bool {
	text, err := protocol.Apply(content, spans)
	if err != nil || slices.ContainsFunc(spans, func(s model.Span) bool { return strings.Contains(s.Old, "<!--") || strings.Contains(s.Old, "-->") }) {
		return false
	}
	want := *before
	want.Tests = slices.Clone(before.Tests)
	want.Tests[index].Result = v.result
	if v.key != "" {
		want.Tests[index].Reason = v.text
	}
	after, err := core.ParseUAT(text)
	return !core.IsSerious(err) && meaningOf(after) == meaningOf(&want)
}

// meaningOf returns the meaning of a UAT.md, independent of its layout. It skips a test that is only announced: such a
// test counts while no other test is open.
func meaningOf(u *core.UAT) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%q %q %d\n", u.Status, u.Updated, u.Awaiting)
	for _, t := range u.Tests {
		if !t.IsAnnounced {
			fmt.Fprintf(&b, "%d %q\n", t.Number, []string{t.Name, t.Expected, t.Result, t.Reason, t.BlockedBy})
		}
	}
	for _, g := range u.Gaps {
		fmt.Fprintf(&b, "%q %q\n", g.Truth, g.Status)
	}
	return b.String()
}

// editor edits one test of a file.
type editor struct {
	content string
	test    *core.UATTest
}

// replaceResult replaces the word of a result. A comment after it stays.
func (e editor) replaceResult(f core.Field, word string) model.Span {
	value := e.content[f.ValueAt:f.ValueEnd]
	return e.replaceValue(f, len(strings.TrimRight(value[:core.CommentOffset(value)], " \t")), word)
}

// replaceText replaces the words of a field. A comment after them stays.
func (e editor) replaceText(f core.Field, text string) model.Span {
	return e.replaceValue(f, core.TextLength(e.content[f.ValueAt:f.ValueEnd]), text)
}

// replaceValue replaces the beginning of a value. The new one touches neither its colon nor the rest of the value.
func (e editor) replaceValue(f core.Field, length int, text string) model.Span {
	if length == 0 && f.ValueAt < f.ValueEnd {
		text += " "
	}
	if before := e.content[f.ValueAt-1]; before != ' ' && before != '\t' {
		text = " " + text
	}
	return model.Span{At: f.ValueAt, Old: e.content[f.ValueAt : f.ValueAt+length], New: text}
}

// insertField adds a field below the first of some others, in its style; below the heading without any.
func (e editor) insertField(above core.Fields, key, value string) model.Span {
	at, before, behind := e.test.HeadEnd, "", ": "
	if len(above) > 0 {
		at = above[0].Last
		key, before, behind = e.fieldStyle(above[0], key)
	}
	newline := "\n"
	if rest := e.content[at:]; strings.HasPrefix(rest, "\r\n") || rest == "" && strings.Contains(e.content, "\r\n") {
		newline = "\r\n"
	}
	return model.Span{At: at, New: newline + before + key + behind + value}
}

// fieldStyle returns how a field is written that looks like another one: its key, and the text before and after it.
func (e editor) fieldStyle(like core.Field, key string) (word, before, behind string) {
	before, behind = e.content[like.At:like.KeyAt], e.content[like.KeyEnd:like.ValueAt]
	if !strings.HasSuffix(behind, " ") && !strings.HasSuffix(behind, "\t") {
		behind += " "
	}
	if first, _ := utf8.DecodeRuneInString(e.content[like.KeyAt:]); unicode.IsUpper(first) {
		key = strings.ToUpper(key[:1]) + key[1:]
	}
	return key, before, behind
}

// quoteText returns the text of a verdict as a value on one line. A report is quoted, as GSD writes it; a reason only if
// YAML needs it.
func (v verdict) quoteText() string {
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
