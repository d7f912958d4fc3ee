// How a human's verdict is written into a UAT.md: the bytes of its result and of the words beside it, in the form that the
// file has, and none besides.

package gsd

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"gatehouse/model"
	"gatehouse/parse/gsd/rules"
	"gatehouse/parse/protocol"
)

// verdict is what a human says of a test.
type verdict struct {
	result    string
	key, text string // the field with the words beside it: "reported", "reason"; "" without one
}

// write returns the spans that write the verdict on a test. It refuses, with a [*model.Refusal], what would read
// differently afterwards: a test with two results, one that an unclosed fence swallows.
func (v verdict) write(content string, u *uat, index int, name string) ([]model.Span, error) {
	t := &u.tests[index]
	for _, key := range []string{"result", v.key} {
		if t.count(key) > 1 {
			return nil, &model.Refusal{Text: "the test has two lines for its " + key, Fix: "leave one of them in the file"}
		}
	}
	p := page{content}
	var spans []model.Span
	add := func(key string, s model.Span) {
		s.Label = name + "." + key
		spans = append(spans, s)
	}
	result := t.field("result")
	if result != nil {
		add("result", p.result(result, v.result))
	} else {
		add("result", p.insert(t, t.field("expected"), "result", v.result))
	}
	if v.key != "" {
		text := v.quoted()
		if f := t.field(v.key); f != nil {
			s, ok := p.text(f, text)
			if !ok {
				return nil, badForm()
			}
			add(v.key, s)
		} else {
			after := result
			if after == nil {
				after = t.field("expected")
			}
			add(v.key, p.insert(t, after, v.key, text))
		}
	}
	slices.SortStableFunc(spans, func(a, b model.Span) int { return a.At - b.At })
	if !v.reads(content, spans, u, index) {
		return nil, badForm()
	}
	return spans, nil
}

// badForm refuses what could only be written at the cost of something else.
func badForm() error {
	return &model.Refusal{Text: "the test has a form in which its result can't be written safely", Fix: "write the result into the file by hand"}
}

// reads reports whether the file with the spans says the verdict, and otherwise what it said before.
func (v verdict) reads(content string, spans []model.Span, before *uat, index int) bool {
	text, err := protocol.Apply(content, spans)
	if err != nil {
		return false
	}
	after, err := parseUAT(text)
	if serious(err) {
		return false
	}
	want := before.says()
	want.tests[index].result = v.result
	if v.key != "" {
		want.tests[index].reason = v.text
	}
	return want.equal(after.says())
}

// field returns the field with a key, nil where there is none.
func (t *uatTest) field(key string) *uatField {
	for i := range t.fields {
		if t.fields[i].key == key {
			return &t.fields[i]
		}
	}
	return nil
}

// count returns how many fields have a key.
func (t *uatTest) count(key string) int {
	n := 0
	for i := range t.fields {
		if t.fields[i].key == key {
			n++
		}
	}
	return n
}

// page is a file by its lines.
type page struct{ content string }

// line returns where a line begins and ends, its line end left out. Lines count from 1.
func (p page) line(no int) (start, end int) {
	for ; no > 1; no-- {
		start += strings.IndexByte(p.content[start:], '\n') + 1
	}
	end = len(p.content)
	if i := strings.IndexByte(p.content[start:], '\n'); i >= 0 {
		end = start + i
	}
	return start, start + len(strings.TrimSuffix(p.content[start:end], "\r"))
}

// eol returns the line end that comes after an offset or, at the end of the file, the one it uses.
func (p page) eol(at int) string {
	rest := p.content[at:]
	if strings.HasPrefix(rest, "\r\n") || rest == "" && strings.Contains(p.content, "\r\n") {
		return "\r\n"
	}
	return "\n"
}

// result replaces the word of a result; a comment behind it stays.
func (p page) result(f *uatField, word string) model.Span {
	start, end := p.line(f.line)
	at, _ := splitField(p.content[start:end])
	value := p.content[start+at.value : start+at.end]
	old := strings.TrimRight(value[:rules.Remark(value)], " \t")
	s := model.Span{At: start + at.value, Old: old, New: word}
	if old == "" && value != "" {
		s.New += " "
	}
	return p.apart(s)
}

// text replaces the words of a field, all lines of them; a comment behind them stays. ok is false where one is among them.
func (p page) text(f *uatField, text string) (s model.Span, ok bool) {
	start, end := p.line(f.line)
	at, _ := splitField(p.content[start:end])
	from := start + at.value
	to := from + words(p.content[from:start+at.end])
	if f.until > f.line {
		_, to = p.line(f.until)
	}
	old := p.content[from:to]
	s = model.Span{At: from, Old: old, New: text}
	if old == "" && at.value < at.end {
		s.New += " "
	}
	return p.apart(s), !strings.Contains(old, "<!--") && !strings.Contains(old, "-->")
}

// apart puts a blank before a value that would touch its colon.
func (p page) apart(s model.Span) model.Span {
	if before := p.content[s.At-1]; before != ' ' && before != '\t' {
		s.New = " " + s.New
	}
	return s
}

// insert adds a field below another one, in its style; below the heading where there is no other.
func (p page) insert(t *uatTest, after *uatField, key, value string) model.Span {
	last, lead, behind := t.headLast, "", ": "
	if after != nil {
		last = after.last
		key, lead, behind = p.style(t, after, key)
	}
	_, end := p.line(last)
	return model.Span{At: end, New: p.eol(end) + lead + key + behind + value}
}

// style returns how a field is written that looks like another one: the key, and what stands before and behind it.
func (p page) style(t *uatTest, like *uatField, key string) (word, lead, behind string) {
	start, end := p.line(like.line)
	text := p.content[start:end]
	at, _ := splitField(text)
	lead, behind = text[:at.key], text[at.keyEnd:at.value]
	if !strings.HasSuffix(behind, " ") && !strings.HasSuffix(behind, "\t") {
		behind += " "
	}
	word = key
	if first, size := utf8.DecodeRuneInString(text[at.key:]); unicode.IsUpper(first) {
		word = strings.ToUpper(key[:1]) + key[1:]
		if all := text[at.key:at.keyEnd]; len(all) > size && all == strings.ToUpper(all) {
			word = strings.ToUpper(key)
		}
	}
	// The fields of one list item: only the first has its sign.
	for i := range t.fields {
		if f := &t.fields[i]; f != like {
			s, e := p.line(f.line)
			if other, _ := splitField(p.content[s:e]); other.key == at.key && strings.TrimLeft(p.content[s:s+other.key], " ") == "" {
				return word, strings.Repeat(" ", len(lead)), behind
			}
		}
	}
	return word, lead, behind
}

// quoted returns the text of a verdict as a value on one line. What was reported stands in quotes, as GSD writes it, a
// reason where YAML needs them.
func (v verdict) quoted() string {
	if v.key == "reason" && plain(v.text) {
		return v.text
	}
	return `"` + escape.Replace(v.text) + `"`
}

// escape keeps the quotes closed, and a comment of the file from beginning or ending in the text. unescape takes it back.
var escape = strings.NewReplacer(`\`, `\\`, `"`, `\"`, "<!", `\x3c!`, "->", `-\x3e`)

// plain reports whether a text means the same with and without quotes.
func plain(text string) bool {
	first, _ := utf8.DecodeRuneInString(text)
	return unicode.IsLetter(first) && !strings.ContainsFunc(text, func(r rune) bool {
		return !unicode.In(r, unicode.L, unicode.M, unicode.N) && !strings.ContainsRune(" .,;!?()/+-–—…%'’", r)
	})
}
