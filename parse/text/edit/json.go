// Setting values of a JSON document by replacing their bytes.

package edit

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"gatehouse/model"
	"gatehouse/model/line"
	"gatehouse/parse/text/scan"
)

// The reasons for which a JSON document is not edited.
var (
	// ErrParse means that the document is not valid JSON; the error is a [*ParseError].
	ErrParse = errors.New("parse error")
	// ErrNoParent means that an object on the way to a value is missing: what is not there is not invented.
	ErrNoParent = errors.New("no such parent")
	// ErrNotObject means that something else than an object stands on the way to a value.
	ErrNotObject = errors.New("not an object")
)

// ParseError says where a document stops being valid JSON. It is an [ErrParse].
type ParseError struct {
	Line, Col int    // from 1; Col counts bytes, a byte order mark not included
	Why       string // what is wrong there, without the bytes that stand there
}

// Error returns place and reason, and what to do.
func (e *ParseError) Error() string {
	return fmt.Sprintf("%v in line %d, column %d: %s; mend the file, or wait until it is written", ErrParse, e.Line, e.Col, e.Why)
}

// Unwrap returns ErrParse.
func (e *ParseError) Unwrap() error { return ErrParse }

// Value is a JSON string that is to stand at the keys of Path, of which there is one at least.
type Value struct {
	Path  []string
	Value string
}

// JSON returns the spans that set values in a JSON document, in the order of the values; [Apply] sorts them. Each has the keys
// of its value, joined by ".", as its label. A value that says already what it should gets none.
//
// Of a repeated key the last one counts, at every level (J-I1). A value of any type is replaced. A missing member is added
// behind the last one of its object, with the separators that one has. A byte order mark stays. The error is an [ErrParse],
// [ErrNoParent] or [ErrNotObject], or says that one value is asked for twice, or inside another.
//
// No library does this: of a repeated key tidwall/sjson and tailscale/hujson edit the first, which no reader believes, both
// add a member without regard to how its object is laid out, and sjson edits documents that do not parse. The scanner that
// the readers use knows the spans already.
func JSON(content string, values []Value) ([]model.Span, error) {
	raw := make([]Value, len(values))
	for i, v := range values {
		raw[i] = Value{Path: v.Path, Value: Quote(v.Value)}
	}
	return JSONRaw(content, raw)
}

// JSONRaw is [JSON] for values of any kind: the Value of each is JSON itself, and valid.
func JSONRaw(content string, values []Value) ([]model.Span, error) {
	doc := strings.TrimPrefix(content, bom)
	shift := len(content) - len(doc)
	if err := parses(doc); err != nil {
		return nil, err
	}
	d := document{doc: doc, found: map[string]scan.JSONField{}}
	d.find(values)
	var spans []model.Span
	grown := map[string]bool{} // the objects that a member has been added to
	for i, v := range values {
		if slices.ContainsFunc(values[i+1:], func(w Value) bool { return leads(v.Path, w.Path) || leads(w.Path, v.Path) }) {
			return nil, fmt.Errorf("%s is to be set twice, or inside of what is to be set", label(v.Path))
		}
		if err := d.reach(v.Path); err != nil {
			return nil, err
		}
		span := model.Span{Label: label(v.Path)}
		if there := d.at(v.Path); there.Value != "" {
			if same(there.Value, v.Value) {
				continue
			}
			span.At, span.Old, span.New = there.At(), there.Value, v.Value
		} else {
			parent := v.Path[:len(v.Path)-1]
			span.At, span.New = d.add(parent, v, grown[pathKey(parent)])
			grown[pathKey(parent)] = true
		}
		span.At += shift
		spans = append(spans, span)
	}
	return spans, nil
}

// same reports whether two JSON values are the same text, however it is written, or the same bytes.
func same(a, b string) bool {
	text, ok := scan.JSONText(b)
	return a == b || ok && scan.JSONStringIs(a, text)
}

// bom is the byte order mark of UTF-8.
const bom = "\ufeff"

// parses returns a [*ParseError] where doc is not valid JSON.
func parses(doc string) error {
	at, why := scan.JSONFault(doc)
	if why == "" {
		return nil
	}
	start := strings.LastIndexByte(doc[:at], '\n') + 1
	broken := doc[start:] // the line, and what follows
	switch {
	case strings.HasPrefix(doc, "\xff\xfe"), strings.HasPrefix(doc, "\xfe\xff"):
		why = "the text is UTF-16 and not UTF-8"
	case strings.HasPrefix(broken, "<<<<<<<"), strings.HasPrefix(broken, "======="), strings.HasPrefix(broken, ">>>>>>>"):
		why = "a merge conflict that nobody has resolved"
	}
	return &ParseError{Line: strings.Count(doc[:start], "\n") + 1, Col: at - start + 1, Why: why}
}

// document is a valid JSON document in which values have been looked for.
type document struct {
	doc   string
	found map[string]scan.JSONField // by pathKey: each value asked for, and all that contain it
}

// find looks for values and for what contains them.
func (d *document) find(values []Value) {
	var fields []scan.JSONField
	for _, v := range values {
		for n := range len(v.Path) + 1 {
			key := pathKey(v.Path[:n])
			if _, asked := d.found[key]; !asked {
				d.found[key] = scan.JSONField{}
				fields = append(fields, scan.JSONField{Path: v.Path[:n]})
			}
		}
	}
	for some := range slices.Chunk(fields, scan.JSONFieldsLimit) {
		scan.JSONFields(d.doc, some)
		for _, f := range some {
			d.found[pathKey(f.Path)] = f
		}
	}
}

// at returns what stands at a path; its Value is "" where nothing does.
func (d *document) at(path []string) scan.JSONField { return d.found[pathKey(path)] }

// reach returns an error where a path does not lead to a place in an object.
func (d *document) reach(path []string) error {
	if len(path) == 0 {
		return fmt.Errorf("the document itself: %w", ErrNoParent)
	}
	for n := range path {
		switch there := d.at(path[:n]); {
		case there.Value == "":
			return fmt.Errorf("%s: %w as %s", label(path), ErrNoParent, label(path[:n]))
		case there.Value[0] != '{' && n == 0:
			return fmt.Errorf("%s: the document is %w", label(path), ErrNotObject)
		case there.Value[0] != '{':
			return fmt.Errorf("%s: %s is %w", label(path), label(path[:n]), ErrNotObject)
		}
	}
	return nil
}

// add returns where a value is inserted into the object at parent, which has no such member, and the text that makes it one;
// grown says that another has been inserted there before it.
func (d *document) add(parent []string, v Value, grown bool) (at int, text string) {
	object := d.at(parent)
	style := d.layout(parent)
	member := Quote(v.Path[len(v.Path)-1]) + style.colon + v.Value
	if style.members || grown {
		member = style.comma + member
	}
	return object.At() + style.end, member
}

// layout is how the last member of an object is written.
type layout struct {
	members      bool   // there is one
	end          int    // the offset in the object behind it, or behind the "{"
	comma, colon string // with the white space around them
}

// layout returns how the object at a path is laid out.
func (d *document) layout(path []string) layout {
	value := d.at(path).Value
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

// pathKey returns a text that differs for different paths, whatever the keys hold.
func pathKey(path []string) string {
	var b strings.Builder
	for _, key := range path {
		b.WriteString(strconv.Itoa(len(key)))
		b.WriteByte(':')
		b.WriteString(key)
	}
	return b.String()
}

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
