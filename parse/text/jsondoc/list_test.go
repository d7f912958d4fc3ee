package jsondoc_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"gatehouse/model"
	"gatehouse/parse/protocol"
	"gatehouse/parse/text/jsondoc"
)

var idea = []jsondoc.Field{{Key: "id", Text: "new"}, {Key: "text", Text: "say \"hi\"\n"}}

func TestPrependKeepsTheStyleOfTheList(t *testing.T) {
	for before, want := range map[string]string{
		"[]":                                   "[\n  {\n    \"id\": \"new\",\n    \"text\": \"say \\\"hi\\\"\\n\"\n  }\n]",
		"[]\n":                                 "[\n  {\n    \"id\": \"new\",\n    \"text\": \"say \\\"hi\\\"\\n\"\n  }\n]\n",
		"[\n]\n":                               "[\n  {\n    \"id\": \"new\",\n    \"text\": \"say \\\"hi\\\"\\n\"\n  }\n]\n",
		"\ufeff[\r\n]\r\n":                     "\ufeff[\r\n  {\r\n    \"id\": \"new\",\r\n    \"text\": \"say \\\"hi\\\"\\n\"\r\n  }\r\n]\r\n",
		`[{"id":"a","n":1}]`:                   `[{"id":"new","text":"say \"hi\"\n"},{"id":"a","n":1}]`,
		`[{"id": "a", "n": 1}]`:                `[{"id": "new", "text": "say \"hi\"\n"}, {"id": "a", "n": 1}]`,
		`[{"id":"a"} , {"id":"b"}]`:            `[{"id":"new","text":"say \"hi\"\n"} , {"id":"a"} , {"id":"b"}]`,
		"[\n\t{\n\t\t\"id\": \"a\"\n\t}\n]":    "[\n\t{\n\t\t\"id\": \"new\",\n\t\t\"text\": \"say \\\"hi\\\"\\n\"\n\t},\n\t{\n\t\t\"id\": \"a\"\n\t}\n]",
		"[{\n  \"id\": \"a\",\n  \"n\": 1\n}]": "[{\n  \"id\": \"new\",\n  \"text\": \"say \\\"hi\\\"\\n\"\n}, {\n  \"id\": \"a\",\n  \"n\": 1\n}]",
		"[\n  7,\n  {}\n]":                     "[\n  {\n    \"id\": \"new\",\n    \"text\": \"say \\\"hi\\\"\\n\"\n  },\n  7,\n  {}\n]",
		`[7, 8]`:                               `[{"id": "new", "text": "say \"hi\"\n"}, 7, 8]`,
		"[\n  {\"id\": \"a\"},\n  {\"id\": \"b\"}\n]": "[\n  {\"id\": \"new\", \"text\": \"say \\\"hi\\\"\\n\"},\n  {\"id\": \"a\"},\n  {\"id\": \"b\"}\n]",
	} {
		span, err := jsondoc.Prepend(before, idea)
		if err != nil {
			t.Errorf("%q: %v", before, err)
			continue
		}
		if got, err := protocol.Apply(before, []model.Span{span}); err != nil || got != want {
			t.Errorf("%q becomes\n%q, want\n%q (%v)", before, got, want, err)
		}
	}
}

func TestRemoveTakesOneComma(t *testing.T) {
	for _, c := range []struct {
		before  string
		element string
		want    string
	}{
		{"[\n  1,\n  2,\n  3\n]", "1", "[\n  2,\n  3\n]"},
		{"[\n  1,\n  2,\n  3\n]", "2", "[\n  1,\n  3\n]"},
		{"[\n  1,\n  2,\n  3\n]", "3", "[\n  1,\n  2\n]"},
		{"\ufeff[\n  1\n]\n", "1", "\ufeff[]\n"},
		{"[1 , 2]", "2", "[1]"},
	} {
		span, err := jsondoc.Remove(c.before, strings.Index(c.before, c.element))
		if err != nil {
			t.Errorf("%q: %v", c.before, err)
			continue
		}
		if got, err := protocol.Apply(c.before, []model.Span{span}); err != nil || got != c.want {
			t.Errorf("%q without %s is %q, want %q (%v)", c.before, c.element, got, c.want, err)
		}
	}
}

func TestListIsRefused(t *testing.T) {
	for content, want := range map[string]error{
		"": jsondoc.ErrParse, "  \n": jsondoc.ErrParse, "[1,]": jsondoc.ErrParse, `[{"id":`: jsondoc.ErrParse, "[] []": jsondoc.ErrParse,
		"null": jsondoc.ErrNotList, "{}": jsondoc.ErrNotList, `"[]"`: jsondoc.ErrNotList,
	} {
		if _, err := jsondoc.Prepend(content, idea); !errors.Is(err, want) {
			t.Errorf("into %q: %v, want %v", content, err, want)
		}
		if _, err := jsondoc.Remove(content, 1); !errors.Is(err, want) {
			t.Errorf("out of %q: %v, want %v", content, err, want)
		}
	}
	if _, err := jsondoc.Remove("[1, 2]", 2); !errors.Is(err, jsondoc.ErrNoElement) {
		t.Errorf("between two elements: %v", err)
	}
}

// TestListProperty holds that the bytes of the other elements never change, that encoding/json reads the list as it should
// be, and that taking a change back restores every byte.
func TestListProperty(t *testing.T) {
	for seed := range uint64(2000) {
		r := rand.New(rand.NewPCG(seed, 3))
		content, elements := anyList(r)
		span, err := jsondoc.Prepend(content, idea)
		if err != nil {
			t.Fatalf("%q: %v", content, err)
		}
		changes(t, content, span, append([]string{`{"id":"new","text":"say \"hi\"\n"}`}, elements...), elements)
		if len(elements) == 0 {
			continue
		}
		i := r.IntN(len(elements))
		span, err = jsondoc.Remove(content, places(content, elements)[i])
		if err != nil {
			t.Fatalf("%q: %v", content, err)
		}
		left := slices.Delete(slices.Clone(elements), i, i+1)
		changes(t, content, span, left, left)
	}
}

// changes applies a span and holds what it comes to against the elements that should be there, and those of them whose bytes
// are the same as before.
func changes(t *testing.T, content string, span model.Span, want, same []string) {
	t.Helper()
	after, err := protocol.Apply(content, []model.Span{span})
	if err != nil {
		t.Fatalf("%q: %v", content, err)
	}
	if back, err := protocol.Apply(after, protocol.Invert([]model.Span{span})); err != nil || back != content {
		t.Fatalf("%q comes back as %q: %v", content, back, err)
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
	gap := func() string { return []string{"", " ", "\n", "\n  ", "\r\n\t"}[r.IntN(5)] }
	for i := range r.IntN(5) {
		switch r.IntN(4) {
		case 0:
			elements = append(elements, fmt.Sprintf("%d%d.50e3", r.IntN(9)+1, i))
		case 1:
			elements = append(elements, fmt.Sprintf(`"%d, [{]} \"%d"`, i, r.IntN(100)))
		default:
			var b strings.Builder
			b.WriteString("{" + gap())
			for k := range r.IntN(4) {
				if k > 0 {
					b.WriteString("," + gap())
				}
				fmt.Fprintf(&b, `"k%d"%s:%s"%d,%d"`, k, gap(), gap(), i, k)
			}
			b.WriteString(gap() + "}")
			elements = append(elements, b.String())
		}
	}
	var b strings.Builder
	if r.IntN(4) == 0 {
		b.WriteString("\ufeff")
	}
	b.WriteString(gap() + "[" + gap())
	for i, element := range elements {
		if i > 0 {
			b.WriteString(gap() + "," + gap())
		}
		b.WriteString(element)
	}
	b.WriteString(gap() + "]" + gap())
	return b.String(), elements
}

// places returns where elements stand in a list, one behind the other.
func places(content string, elements []string) (at []int) {
	from := strings.IndexByte(content, '[') + 1
	for _, element := range elements {
		from += strings.Index(content[from:], element)
		at = append(at, from)
		from += len(element)
	}
	return at
}
