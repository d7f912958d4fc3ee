// Putting an element into a JSON list, and taking one out, without touching the others.

package jsondoc

import (
	"errors"
	"fmt"
	"strings"

	"gatehouse/model"
	"gatehouse/parse/text/scan"
)

var (
	// ErrNotList means that a document is something else than a list.
	ErrNotList = errors.New("not a list")
	// ErrNoElement means that no element of the list begins where one should.
	ErrNoElement = errors.New("no such element")
)

// Field is a member of an object that is to be written: a text.
type Field struct{ Key, Text string }

// Prepend returns the span that puts an object in front of all that the list holds which a JSON document is. It is laid out
// as the first object of the list, with the separators that the list has; in a list without objects with two spaces a level,
// each member on a line of its own. No other byte changes. The error is an [ErrParse] or [ErrNotList].
func Prepend(content string, object []Field) (model.Span, error) {
	l, err := parseList(content)
	if err != nil {
		return model.Span{}, err
	}
	style := l.style()
	var b strings.Builder
	for i, m := range object {
		if i == 0 {
			b.WriteString("{" + style.open)
		} else {
			b.WriteString(style.comma)
		}
		b.WriteString(Quote(m.Key) + style.colon + Quote(m.Text))
	}
	b.WriteString(style.close + "}")
	return l.prepend(content, b.String()), nil
}

// PutBack returns the span that puts an element that was taken out in front of all that the list holds, byte for byte.
func PutBack(content, element string) (model.Span, error) {
	l, err := parseList(content)
	if err != nil {
		return model.Span{}, err
	}
	return l.prepend(content, element), nil
}

func (l *jsonList) prepend(content, element string) model.Span {
	if len(l.elements) > 0 {
		return model.Span{At: l.elements[0].at, New: element + l.between()}
	}
	end := l.newline()
	if strings.Contains(content[l.open:l.close], "\n") {
		end = "" // the bracket stands on a line of its own already
	}
	return model.Span{At: l.open, New: l.newline() + "  " + element + end}
}

// Remove returns the span that takes the element that begins at an offset out of the list that a JSON document is, together
// with what parts it from one neighbour. No byte of another element changes. The error is an [ErrParse], [ErrNotList] or
// [ErrNoElement].
func Remove(content string, at int) (model.Span, error) {
	l, err := parseList(content)
	if err != nil {
		return model.Span{}, err
	}
	for i, e := range l.elements {
		if e.at != at {
			continue
		}
		from, to := e.at, e.end
		switch {
		case i > 0:
			from = l.elements[i-1].end
		case len(l.elements) > 1:
			to = l.elements[1].at
		default:
			from, to = l.open, l.close
		}
		return model.Span{At: from, Old: content[from:to]}, nil
	}
	return model.Span{}, ErrNoElement
}

// jsonList is a list in a document, by the offsets of what is in it.
type jsonList struct {
	content     string
	open, close int // behind the "[", and of the "]"
	elements    []struct{ at, end int }
}

// parseList finds the elements of the list that a document is.
func parseList(content string) (*jsonList, error) {
	d, err := Parse(content)
	if err != nil {
		return nil, err
	}
	root := d.Root
	if !root.Is(Array) {
		return nil, fmt.Errorf("the document is %w", ErrNotList)
	}
	l := &jsonList{content: content, open: root.At + 1, close: root.At + len(root.Raw) - 1}
	for _, e := range root.Elements() {
		l.elements = append(l.elements, struct{ at, end int }{e.At, e.At + len(e.Raw)})
	}
	return l, nil
}

// newline is how lines end in the document.
func (l *jsonList) newline() string {
	if strings.Contains(l.content, "\r\n") {
		return "\r\n"
	}
	return "\n"
}

// between returns what parts two elements of a list that has one at least.
func (l *jsonList) between() string {
	first := l.elements[0]
	if len(l.elements) > 1 {
		return l.content[first.end:l.elements[1].at]
	}
	switch gap := l.content[l.open:first.at]; {
	case gap == "" && l.style().colon != ":":
		return ", "
	default:
		return "," + gap
	}
}

// objectStyle is the white space in an object, with the punctuation between.
type objectStyle struct{ open, comma, colon, close string }

// style returns how the first object of the list is laid out, or how one is that is the first.
func (l *jsonList) style() objectStyle {
	for _, e := range l.elements {
		if s, ok := styleOf(l.content[e.at:e.end]); ok {
			return s
		}
	}
	indent := l.newline() + "  "
	if len(l.elements) > 0 {
		indent = l.content[l.open:l.elements[0].at]
		if !strings.Contains(indent, "\n") {
			return objectStyle{comma: ", ", colon: ": "}
		}
	}
	return objectStyle{open: indent + "  ", comma: "," + indent + "  ", colon: ": ", close: indent}
}

// styleOf returns how an object is laid out that has a member at least.
func styleOf(object string) (s objectStyle, ok bool) {
	if object[0] != '{' {
		return s, false
	}
	for m, n := (scan.JSONMembers{Rest: object}), 0; ; n++ {
		before := m.Rest
		key, value, more := m.Next()
		if !more {
			s.close = strings.TrimSuffix(before, "}")
			return s, n > 0
		}
		// Between members, and before the first one, stands nothing but white space and punctuation.
		start := strings.IndexByte(before, '"')
		switch n {
		case 0:
			s.open = before[1:start]
			s.colon = before[start+len(key) : len(before)-len(m.Rest)-len(value)]
			s.comma = "," + s.open
			if s.open == "" && s.colon != ":" {
				s.comma = ", "
			}
		case 1:
			s.comma = before[:start]
		}
	}
}
