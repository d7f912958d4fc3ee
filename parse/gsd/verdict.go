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

// writeSpans returns the spans that write the verdict on a test: in the line of its result, and its text in the line of its field or a new
// one below the result. It refuses, with a [*model.Refusal], a file that would read differently afterwards.
func (v verdict) writeSpans(content string, u *core.UAT, index int, name string) ([]model.Span, error) {
	fields := u.Tests[index].Fields
	results, texts := fields.WithKey("result"), fields.WithKey(v.key)
	switch {
	case len(results) == 0:
		return nil, protocol.Refuse("", "the test has no line for its result", "write result: [pending] below it")
	case len(results) > 1:
		return nil, protocol.Refuse("", "the test has two lines for its result", "leave one of them in the file")
	case len(texts) > 1:
		return nil, protocol.Refuse("", "the test has two lines for its "+v.key, "leave one of them in the file")
	case len(texts) == 1 && strings.TrimSpace(content[texts[0].ValueEnd:texts[0].Last]) != "":
		return nil, protocol.Refuse("", "the "+v.key+" of the test has several lines", "write the result into the file by hand")
	}
	value := content[results[0].ValueAt:results[0].ValueEnd]
	spans := []model.Span{replaceValue(content, results[0], len(strings.TrimRight(value[:core.CommentOffset(value)], " \t")), v.result)}
	spans[0].Label = name + ".result"
	if v.key != "" {
		var span model.Span
		if len(texts) == 1 {
			span = replaceValue(content, texts[0], core.TextLength(content[texts[0].ValueAt:texts[0].ValueEnd]), v.quoteText())
		} else {
			span = addField(content, results[0], v.key, v.quoteText())
		}
		span.Label = name + "." + v.key
		spans = append(spans, span)
		slices.SortFunc(spans, func(a, b model.Span) int { return a.At - b.At })
	}
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

// replaceValue replaces the beginning of a value; a comment after it stays. The new one touches neither its colon nor the rest of the value.
func replaceValue(content string, f core.Field, length int, text string) model.Span {
	if length == 0 && f.ValueAt < f.ValueEnd {
		text += " "
	}
	if before := content[f.ValueAt-1]; before != ' ' && before != '\t' {
		text = " " + text
	}
	return model.Span{At: f.ValueAt, Old: content[f.ValueAt : f.ValueAt+length], New: text}
}

// addField adds a field below another one, in its style.
func addField(content string, above core.Field, key, value string) model.Span {
	before, colon := content[above.At:above.KeyAt], strings.TrimRight(content[above.KeyEnd:above.ValueAt], " \t")
	if first, _ := utf8.DecodeRuneInString(content[above.KeyAt:]); unicode.IsUpper(first) {
		key = strings.ToUpper(key[:1]) + key[1:]
	}
	newline := "\n"
	if rest := content[above.Last:]; strings.HasPrefix(rest, "\r\n") || rest == "" && strings.Contains(content, "\r\n") {
		newline = "\r\n"
	}
	return model.Span{At: above.Last, New: newline + before + key + colon + " " + value}
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
