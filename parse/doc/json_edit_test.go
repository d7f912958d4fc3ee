package doc

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

var idea = []Field{{Key: "id", Text: "new"}, {Key: "text", Text: "say \"hi\"\n"}}

// TestListProperty checks that the bytes of the other elements never change, that encoding/json reads the expected list, and that
// undoing a change restores every byte.
func TestListProperty(t *testing.T) {
	for seed := range uint64(2000) {
		r := rand.New(rand.NewPCG(seed, 3))
		content, elements := anyList(r)
		span, err := InsertObject(content, idea)
		if err != nil {
			t.Fatalf("%q: %v", content, err)
		}
		changes(t, content, span, append([]string{`{"id":"new","text":"say \"hi\"\n"}`}, elements...), elements)
		if len(elements) == 0 {
			continue
		}
		i := r.IntN(len(elements))
		span, err = RemoveElement(content, places(content, elements)[i])
		if err != nil {
			t.Fatalf("%q: %v", content, err)
		}
		left := slices.Delete(slices.Clone(elements), i, i+1)
		changes(t, content, span, left, left)
	}
}

// changes applies a span and compares the result with the wanted elements, and with the elements whose bytes must stay the same.
func changes(t *testing.T, content string, span Span, want, same []string) {
	t.Helper()
	after, ok := Apply(content, []Span{span})
	if !ok {
		t.Fatalf("%q: %+v does not fit", content, span)
	}
	if back, ok := Apply(after, Invert([]Span{span})); !ok || back != content {
		t.Fatalf("%q is restored as %q", content, back)
	}
	var now, should []any
	bare := strings.TrimPrefix(after, "\ufeff")
	if err := json.Unmarshal([]byte(bare), &now); err != nil {
		t.Fatalf("%q becomes %q: %v", content, after, err)
	}
	if err := json.Unmarshal([]byte("["+strings.Join(want, ",")+"]"), &should); err != nil {
		t.Fatal(err)
	}
	if len(should) != len(now) || len(now) > 0 && !reflect.DeepEqual(now, should) {
		t.Fatalf("%q becomes %q", content, after)
	}
	for _, element := range same {
		if !strings.Contains(after, element) {
			t.Fatalf("%q: the bytes of %q changed: %q", content, element, after)
		}
	}
}

// anyList returns a list in one of many styles, with the bytes of its elements.
func anyList(r *rand.Rand) (content string, elements []string) {
	w := writer{Rand: r, style: r.IntN(4)}
	if r.IntN(4) == 0 {
		w.WriteString("\ufeff")
	}
	w.list('[', ']', 0, func() {
		from := w.Len()
		w.parseValue(1)
		elements = append(elements, w.String()[from:])
	})
	return w.String(), elements
}

// places returns the offsets of elements in a list, in order.
func places(content string, elements []string) (at []int) {
	from := strings.IndexByte(content, '[') + 1
	for _, element := range elements {
		from += strings.Index(content[from:], element)
		at = append(at, from)
		from += len(element)
	}
	return at
}

// FuzzSetJSON checks the promise of [SetJSON] for any document that encoding/json understands and any values that can be set in it:
// only the bytes of these values change, encoding/json then reads exactly these changes, and undoing the spans restores every byte.
func FuzzSetJSON(f *testing.F) {
	for _, doc := range []string{
		`{"a":{"b":1,"b":2},"a":{"c":[]}}`, "\ufeff{\n\t\"a\" :\r\n null\n}", `{"\u0061":1,"a":{}}`, `{}`, `{"":{"":""}}`, `{"a":"\ud800","b":1E400}`,
		`{"a":{},"b":{"c":{ },"d":{"e":1 , "f":2}}}`, `[{}]`, `{"a":1,}`, "{\"a\x00\":1}",
	} {
		f.Add(doc, uint64(1))
		f.Add(doc, uint64(2))
	}
	f.Fuzz(func(t *testing.T, doc string, seed uint64) { holds(t, doc, rand.New(rand.NewPCG(seed, 0))) })
}

func TestSetJSONProperty(t *testing.T) {
	for seed := range uint64(1000) {
		r := rand.New(rand.NewPCG(seed, 1))
		w := writer{Rand: r, style: r.IntN(4)}
		w.object(0)
		doc := w.String()
		if seed%5 == 0 {
			doc = "\ufeff" + doc
		}
		if !holds(t, doc, r) {
			t.Fatalf("seed %d makes a document without settable values: %s", seed, doc)
		}
	}
}

// holds tries a document with some values, and reports whether values can be set in it.
func holds(t *testing.T, doc string, r *rand.Rand) bool {
	before, ok := decode(doc)
	root, isObject := before.(map[string]any)
	if !ok || !isObject || !utf8.ValidString(doc) {
		return false
	}
	values := choose(root, r)
	spans, err := SetJSON(doc, values)
	if err != nil {
		if bytes.Count([]byte(doc), []byte("["))+bytes.Count([]byte(doc), []byte("{")) > 500 {
			return false
		}
		t.Fatalf("%q: %v", doc, err)
	}
	for _, s := range spans {
		if _, valid := decode(s.Old); s.Old != "" && (!valid || strings.TrimSpace(s.Old) != s.Old) {
			t.Errorf("%q: %q is more or less than a value", doc, s.Old)
		}
	}
	after, ok := Apply(doc, spans)
	if !ok {
		t.Fatalf("%q: %+v do not fit", doc, spans)
	}
	untouched(t, doc, after, spans)
	for _, v := range values {
		parent := root
		for _, key := range v.Path[:len(v.Path)-1] {
			parent = parent[key].(map[string]any)
		}
		parent[v.Path[len(v.Path)-1]], _ = decodeScalar(v.JSON, 0), true
	}
	if now, ok := decode(after); !ok || !reflect.DeepEqual(now, before) {
		t.Errorf("%q with %v is %q: %v, want %v", doc, values, after, now, before)
	}
	if back, ok := Apply(after, Invert(spans)); !ok || back != doc {
		t.Errorf("after the undo, %q is %q", doc, back)
	}
	return true
}

// untouched checks that the text between the spans is the same before and after.
func untouched(t *testing.T, before, after string, spans []Span) {
	spans = slices.SortedStableFunc(slices.Values(spans), func(a, b Span) int { return a.At - b.At })
	for _, s := range spans {
		rest, found := strings.CutPrefix(before[s.At:], s.Old)
		if !found || !strings.HasSuffix(before, rest) {
			t.Fatalf("%q does not stand in %q at %d", s.Old, before, s.At)
		}
	}
	for i, s := range spans {
		end := len(before)
		if i+1 < len(spans) {
			end = spans[i+1].At
		}
		if i == 0 {
			if before[:s.At] != after[:s.At] {
				t.Errorf("%q changes before %d", after, s.At)
			}
			after = after[s.At:]
		}
		between := before[s.At+len(s.Old) : end]
		if !strings.HasPrefix(after, s.New+between) {
			t.Fatalf("%q has something else behind %q than %q", after, s.New, between)
		}
		after = after[len(s.New)+len(between):]
	}
	if len(spans) > 0 && after != "" {
		t.Errorf("unexpected text %q", after)
	}
}

// decode returns the result of encoding/json for a document; of a repeated key it keeps the last value.
func decode(doc string) (value any, ok bool) {
	d := json.NewDecoder(strings.NewReader(strings.TrimPrefix(doc, "\ufeff")))
	d.UseNumber()
	if d.Decode(&value) != nil {
		return nil, false
	}
	return value, !d.More() && json.Valid([]byte(strings.TrimPrefix(doc, "\ufeff")))
}

// choose returns some values that can be set in an object, none of them inside another.
func choose(root map[string]any, r *rand.Rand) (values []Assignment) {
	texts := []string{"", "passed", "2026-02-01T11:00:00Z", "\"\\\n<é>\u2028\U0001F600"}
	for range r.IntN(6) {
		object, path := root, []string(nil)
		for {
			keys := []string{"new", "a.b", fmt.Sprint(r.IntN(3))}
			for key := range object {
				keys = append(keys, key)
			}
			slices.Sort(keys)
			key := keys[r.IntN(len(keys))]
			path = append(path, key)
			inside, isObject := object[key].(map[string]any)
			if !isObject || r.IntN(4) == 0 {
				break
			}
			object = inside
		}
		clash := func(v Assignment) bool {
			n := min(len(v.Path), len(path))
			return slices.Equal(v.Path[:n], path[:n])
		}
		if !slices.ContainsFunc(values, clash) {
			values = append(values, AssignText(texts[r.IntN(len(texts))], path...))
		}
	}
	return values
}

// writer writes random documents.
type writer struct {
	strings.Builder
	*rand.Rand
	style int // 0 minified, 1 on one line, 2 indented, 3 anything
}

func (w *writer) space(level int) {
	switch w.style {
	case 1:
		w.WriteByte(' ')
	case 2:
		w.WriteString("\n" + strings.Repeat("  ", level))
	case 3:
		w.WriteString([]string{"", " ", "\t", "\r\n", "\n  "}[w.IntN(5)])
	}
}

func (w *writer) text() {
	w.WriteString([]string{`"a"`, `"b"`, `"\u0061"`, `"gates"`, `""`, `"é\/\""`, `"x.y"`, `"\ud83d\ude00"`, `"0"`}[w.IntN(9)])
}

func (w *writer) parseValue(level int) {
	switch n := w.IntN(12); {
	case n < 5 && level < 5:
		w.object(level)
	case n < 7 && level < 5:
		w.list('[', ']', level, func() { w.parseValue(level + 1) })
	case n < 9:
		w.text()
	default:
		w.WriteString([]string{"null", "true", "-0.50e+3", "12345678901234567890", "1.0"}[w.IntN(5)])
	}
}

func (w *writer) object(level int) {
	w.list('{', '}', level, func() {
		w.text()
		if w.style == 3 {
			w.space(level)
		}
		w.WriteByte(':')
		if w.style != 0 {
			w.WriteByte(' ')
		}
		w.parseValue(level + 1)
	})
}

func (w *writer) list(open, end byte, level int, element func()) {
	w.WriteByte(open)
	for n := range w.IntN(5) {
		if n > 0 {
			w.WriteByte(',')
		}
		w.space(level + 1)
		element()
	}
	w.space(level)
	w.WriteByte(end)
}
