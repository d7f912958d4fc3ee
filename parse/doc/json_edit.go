package doc

// EditReason is why a document is not changed.
type EditReason string

// The reasons for refusing an edit, besides a [SyntaxError].
const (
	ErrNoParent  EditReason = "no such parent" // an object on the way to the value is missing; none is invented
	ErrNotObject EditReason = "not an object"  // something else is on the way to the value
	ErrNotList   EditReason = "not a list"
	ErrNoElement EditReason = "no such element"
	ErrOverlap   EditReason = "it is set twice, or inside a value that is set"
)

// Error returns the reason.
func (r EditReason) Error() string { return string(r) }

// EditError is the error of an edit at a path.
type EditError struct {
	Path   string // keys joined by ".", "" for the document
	Reason EditReason
}

// Error returns path and reason.
func (e *EditError) Error() string {
	if e.Path == "" {
		return "the document: " + string(e.Reason)
	}
	return e.Path + ": " + string(e.Reason)
}

// Unwrap returns the reason.
func (e *EditError) Unwrap() error { return e.Reason }

// Assignment is a value to be set at a path of keys.
type Assignment struct {
	Path []string
	JSON string // the value, valid JSON
}

// AssignText returns an assignment of a string.
func AssignText(text string, path ...string) Assignment {
	return Assignment{Path: path, JSON: QuoteJSON(text)}
}

// SetJSON returns the spans that make assignments in a JSON document, in their order, each labeled with its path. Values that are
// as they should be get no span. A missing member is added as the last one of its object, with the separators that the object
// has. No other byte changes. The error is a [*SyntaxError] or an [*EditError].
//
// Libraries for this (sjson, hujson) edit the first of two equal keys, which no reader believes, and ignore the layout.
func SetJSON(text string, assignments []Assignment) ([]Span, error) {
	t, syntax := ParseJSON(text)
	if syntax != nil {
		return nil, syntax
	}
	var spans []Span
	extended := map[int32]bool{} // objects that got a member
	for i, a := range assignments {
		for _, b := range assignments[i+1:] {
			if isPathPrefix(a.Path, b.Path) || isPathPrefix(b.Path, a.Path) {
				return nil, &EditError{joinPath(a.Path), ErrOverlap}
			}
		}
		parent, err := findParent(t, a.Path)
		if err != nil {
			return nil, err
		}
		last := len(a.Path) - 1
		span := Span{Label: joinPath(a.Path), New: a.JSON}
		if v := parent.Get(a.Path[last]); v.Exists() {
			span.At, span.Old = v.Offset(), v.Raw()
			if span.Old == a.JSON || v.Is(String) && a.JSON[0] == '"' && v.Text() == unquoteJSON(a.JSON) {
				continue
			}
		} else {
			style := objectLayout(t.Root(), a.Path[:last])
			span.At, span.New = parent.Offset()+style.end, QuoteJSON(a.Path[last])+style.colon+a.JSON
			if style.hasMembers || extended[parent.i] {
				span.New = style.comma + span.New
			}
			extended[parent.i] = true
		}
		spans = append(spans, span)
	}
	return spans, nil
}

// findParent returns the object that a path leads into.
func findParent(t *Tree, path []string) (Value, error) {
	if len(path) == 0 {
		return Value{}, &EditError{"", ErrNoParent}
	}
	v := t.Root()
	for n := 0; ; n++ {
		switch {
		case !v.Exists():
			return v, &EditError{joinPath(path), ErrNoParent}
		case !v.Is(Map):
			return v, &EditError{joinPath(path[:n]), ErrNotObject}
		case n == len(path)-1:
			return v, nil
		}
		v = v.Get(path[n])
	}
}

// layout is how the members of an object are separated.
type layout struct {
	hasMembers   bool
	end          int // offset in the object behind the last member, else behind the "{"
	open, close  string
	comma, colon string // with the blanks around them
}

// layoutOf returns the layout of an object by its last member.
func layoutOf(object string) layout {
	l := layout{end: 1, comma: ", ", colon: ": "}
	t, err := parseJSON(object, true)
	if err != nil {
		return l
	}
	for v := range t.Root().Children() {
		n := v.node()
		gap := object[l.end:n.key]
		if !l.hasMembers {
			l.open, gap = gap, ","+gap
			l.colon = object[n.keyEnd:n.at]
			if gap == "," && l.colon != ":" {
				gap = ", "
			}
		}
		l.hasMembers, l.comma, l.colon, l.end = true, gap, object[n.keyEnd:n.at], int(n.end)
	}
	l.close = object[l.end : len(object)-1]
	return l
}

// objectLayout returns the layout of the object at a path. An empty object borrows from the one around it.
func objectLayout(root Value, path []string) layout {
	l := layoutOf(root.Get(path...).Raw())
	if l.hasMembers || len(path) == 0 {
		return l
	}
	if outer := objectLayout(root, path[:len(path)-1]); !Contains(outer.colon, "\n") {
		l.colon = outer.colon
	}
	if l.colon == ":" {
		l.comma = ","
	}
	return l
}

// Field is a string member of an object to be written.
type Field struct{ Key, Text string }

// InsertObject returns the span that puts an object in front of the list that a JSON document is, laid out as the first object of
// the list; in a list without one, with two spaces a level. No other byte changes.
func InsertObject(text string, fields []Field) (Span, error) {
	list, err := parseList(text)
	if err != nil {
		return Span{}, err
	}
	style := list.objectLayout()
	object := "{" + style.open
	for i, f := range fields {
		if i > 0 {
			object += style.comma
		}
		object += QuoteJSON(f.Key) + style.colon + QuoteJSON(f.Text)
	}
	return list.insertFirst(object + style.close + "}"), nil
}

// InsertElement returns the span that puts an element, valid JSON, in front of the list that a JSON document is.
func InsertElement(text, element string) (Span, error) {
	list, err := parseList(text)
	if err != nil {
		return Span{}, err
	}
	return list.insertFirst(element), nil
}

// RemoveElement returns the span that takes the element at an offset out of the list that a JSON document is, with the separator
// to one neighbor.
func RemoveElement(text string, at int) (Span, error) {
	list, err := parseList(text)
	if err != nil {
		return Span{}, err
	}
	for i, e := range list.elements {
		if e.Offset() != at {
			continue
		}
		from, to := list.open, list.close
		switch {
		case i > 0:
			from, to = list.elements[i-1].End(), e.End()
		case len(list.elements) > 1:
			from, to = e.Offset(), list.elements[1].Offset()
		}
		return Span{At: from, Old: text[from:to]}, nil
	}
	return Span{}, &EditError{"", ErrNoElement}
}

// jsonList is the list that a document is.
type jsonList struct {
	text        string
	open, close int // behind the "[", and of the "]"
	elements    []Value
}

func parseList(text string) (*jsonList, error) {
	t, syntax := ParseJSON(text)
	if syntax != nil {
		return nil, syntax
	}
	root := t.Root()
	if !root.Is(List) {
		return nil, &EditError{"", ErrNotList}
	}
	list := &jsonList{text: text, open: root.Offset() + 1, close: root.End() - 1}
	for e := range root.Children() {
		list.elements = append(list.elements, e)
	}
	return list, nil
}

// newline returns how lines end in the document.
func (l *jsonList) newline() string {
	if Contains(l.text, "\r\n") {
		return "\r\n"
	}
	return "\n"
}

func (l *jsonList) insertFirst(element string) Span {
	if len(l.elements) == 0 {
		end := l.newline()
		if Contains(l.text[l.open:l.close], "\n") {
			end = "" // the bracket is on a line of its own
		}
		return Span{At: l.open, New: l.newline() + "  " + element + end}
	}
	first := l.elements[0]
	separator := "," + l.text[l.open:first.Offset()]
	switch {
	case len(l.elements) > 1:
		separator = l.text[first.End():l.elements[1].Offset()]
	case separator == "," && l.objectLayout().colon != ":":
		separator = ", "
	}
	return Span{At: first.Offset(), New: element + separator}
}

// objectLayout returns the layout of the first object of the list, or that of a first one.
func (l *jsonList) objectLayout() layout {
	for _, e := range l.elements {
		if e.Is(Map) && e.Len() > 0 {
			style := layoutOf(e.Raw())
			if e.Len() == 1 && style.open == "" && style.colon != ":" {
				style.comma = ", "
			}
			return style
		}
	}
	indent := l.newline() + "  "
	if len(l.elements) > 0 {
		indent = l.text[l.open:l.elements[0].Offset()]
		if !Contains(indent, "\n") {
			return layout{comma: ", ", colon: ": "}
		}
	}
	return layout{open: indent + "  ", comma: "," + indent + "  ", colon: ": ", close: indent}
}

func joinPath(path []string) string {
	joined := ""
	for i, key := range path {
		if i > 0 {
			joined += "."
		}
		joined += key
	}
	return joined
}

// isPathPrefix reports whether a path is another one, or leads to it.
func isPathPrefix(path, other []string) bool {
	if len(path) > len(other) {
		return false
	}
	for i := range path {
		if path[i] != other[i] {
			return false
		}
	}
	return true
}
