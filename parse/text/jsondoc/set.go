// Setting values of a document by replacing their bytes.

package jsondoc

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"gatehouse/model"
	"gatehouse/model/line"
	"gatehouse/parse/text/scan"
)

// The reasons for which a document is not changed, besides [ErrParse].
var (
	// ErrNoParent means that an object on the way to a value is missing: what is not there is not invented.
	ErrNoParent = errors.New("no such parent")
	// ErrNotObject means that something else than an object stands on the way to a value.
	ErrNotObject = errors.New("not an object")
)

// Assignment is a value that is to stand at the keys of Path, of which there is one at least.
type Assignment struct {
	Path []string
	JSON string // the value, valid JSON
}

// Text is an assignment of a text.
func Text(text string, path ...string) Assignment { return Assignment{Path: path, JSON: Quote(text)} }

// Set returns the spans that make assignments in a document, in their order. Each has the keys of its value, joined by ".", as
// its label. A value that says already what it should gets none.
//
// A value of any type is replaced. A missing member is added behind the last one of its object, with the separators that one
// has. A byte order mark stays. The error is an [ErrParse], [ErrNoParent] or [ErrNotObject], or says that one value is asked for
// twice, or inside another.
//
// No library does this: of a repeated key tidwall/sjson and tailscale/hujson edit the first, which no reader believes, both
// add a member without regard to how its object is laid out, and sjson edits documents that do not parse.
func Set(content string, assignments []Assignment) ([]model.Span, error) {
	d, err := Parse(content)
	if err != nil {
		return nil, err
	}
	var spans []model.Span
	grown := map[*Value]bool{} // the objects that a member has been added to
	for i, a := range assignments {
		if slices.ContainsFunc(assignments[i+1:], func(b Assignment) bool { return leads(a.Path, b.Path) || leads(b.Path, a.Path) }) {
			return nil, fmt.Errorf("%s is to be set twice, or inside of what is to be set", label(a.Path))
		}
		parent, err := d.parent(a.Path)
		if err != nil {
			return nil, err
		}
		span := model.Span{Label: label(a.Path), New: a.JSON}
		if there := parent.Get(a.Path[len(a.Path)-1]); there == nil {
			span.At, span.New = d.add(a, parent, grown[parent])
			grown[parent] = true
		} else if span.At, span.Old = there.At, there.Raw; same(there.Raw, a.JSON) {
			continue
		}
		spans = append(spans, span)
	}
	return spans, nil
}

// same reports whether two JSON values are the same text, however it is written, or the same bytes.
func same(a, b string) bool {
	text, ok := scan.JSONText(b)
	return a == b || ok && scan.JSONStringIs(a, text)
}

// parent returns the object that a path leads into.
func (d *Document) parent(path []string) (*Value, error) {
	if len(path) == 0 {
		return nil, fmt.Errorf("the document itself: %w", ErrNoParent)
	}
	for n := range path {
		switch there := d.Root.Get(path[:n]...); {
		case there == nil:
			return nil, fmt.Errorf("%s: %w as %s", label(path), ErrNoParent, label(path[:n]))
		case there.Is(Object):
		case n == 0:
			return nil, fmt.Errorf("%s: the document is %w", label(path), ErrNotObject)
		default:
			return nil, fmt.Errorf("%s: %s is %w", label(path), label(path[:n]), ErrNotObject)
		}
	}
	return d.Root.Get(path[:len(path)-1]...), nil
}

// add returns where a value is inserted into an object, which has no such member, and the text that makes it one; grown says
// that another has been inserted there before it.
func (d *Document) add(a Assignment, object *Value, grown bool) (at int, text string) {
	last := len(a.Path) - 1
	style := d.layout(a.Path[:last])
	member := Quote(a.Path[last]) + style.colon + a.JSON
	if style.members || grown {
		member = style.comma + member
	}
	return object.At + style.end, member
}

// layout is how the last member of an object is written.
type layout struct {
	members      bool   // there is one
	end          int    // the offset in the object behind it, or behind the "{"
	comma, colon string // with the white space around them
}

// layout returns how the object at a path is laid out.
func (d *Document) layout(path []string) layout {
	value := d.Root.Get(path...).Raw
	l := layout{end: 1, comma: ", ", colon: ": "}
	object := scan.JSONMembers{Rest: value}
	for {
		before := object.Rest
		key, last, ok := object.Next()
		if !ok {
			break
		}
		// Between two members, and before the first one, stands nothing but white space and punctuation.
		start := strings.IndexByte(before, '"')
		gap := before[:start]
		l.colon = before[start+len(key) : len(before)-len(object.Rest)-len(last)]
		switch {
		case l.members:
			l.comma = gap
		case gap == "{" && l.colon != ":":
			l.comma = ", "
		default:
			l.comma = "," + gap[1:]
		}
		l.members, l.end = true, len(value)-len(object.Rest)
	}
	if !l.members && len(path) > 0 {
		if above := d.layout(path[:len(path)-1]); !strings.ContainsAny(above.colon, "\r\n") {
			l.colon = above.colon
		}
		if l.colon == ":" {
			l.comma = ","
		}
	}
	return l
}

// label returns a path as people write it, fit to be shown: keys may be hostile.
func label(path []string) string { return line.Clean(strings.Join(path, ".")) }

// leads reports whether path is other, or on the way to it.
func leads(path, other []string) bool {
	return len(path) <= len(other) && slices.Equal(path, other[:len(path)])
}

// Quote returns a text as a JSON string, with no more escapes than it needs. Bytes that are not UTF-8 become U+FFFD.
func Quote(text string) string {
	const hex = "0123456789abcdef"
	b := append(make([]byte, 0, len(text)+2), '"')
	for _, r := range text {
		switch {
		case r == '"', r == '\\':
			b = append(b, '\\', byte(r))
		case r == '\n':
			b = append(b, `\n`...)
		case r == '\r':
			b = append(b, `\r`...)
		case r == '\t':
			b = append(b, `\t`...)
		case r < 0x20 || r >= 0x7f && r < 0xa0:
			b = append(b, `\u00`...)
			b = append(b, hex[r>>4], hex[r&0xf])
		default:
			b = utf8.AppendRune(b, r)
		}
	}
	return string(append(b, '"'))
}
