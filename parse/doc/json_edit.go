package doc

// EditError says why a document is not changed: "gates.build: not an object".
type EditError string

// Error returns the reason.
func (e EditError) Error() string { return string(e) }

// Assignment is a value to be set at a path of keys.
type Assignment struct {
	Path []string
	JSON string // the value, valid JSON
}

// AssignText returns an assignment of a string.
func AssignText(text string, path ...string) Assignment {
	return Assignment{Path: path, JSON: QuoteJSON(text)}
}

// SetJSON returns the spans that make assignments in a JSON document, in their order, each labeled with its path. Equal values
// get no span. A missing member becomes the last one of its object, with the separators of the object. No other byte changes.
// The error is a [*SyntaxError] or an [EditError].
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
			if arePathsNested(a.Path, b.Path) {
				return nil, EditError(joinPath(a.Path) + ": it is set twice, or inside a value that is set")
			}
		}
		parent, style, err := findParent(t, a.Path)
		if err != nil {
			return nil, err
		}
		key := a.Path[len(a.Path)-1]
		span := Span{Label: joinPath(a.Path), New: a.JSON}
		if v := parent.Get(key); v.Exists() {
			span.At, span.Old = v.Offset(), v.Raw()
			if span.Old == a.JSON || v.Is(String) && a.JSON[0] == '"' && v.Text() == decodeScalar(a.JSON, 0) {
				continue
			}
		} else {
			span.At, span.New = style.end, QuoteJSON(key)+style.colon+a.JSON
			if parent.Len() > 0 || extended[parent.i] {
				span.New = style.comma + span.New
			}
			extended[parent.i] = true
		}
		spans = append(spans, span)
	}
	return spans, nil
}

// findParent returns the object that a path leads into, and its layout.
func findParent(t *Tree, path []string) (Value, layout, error) {
	v, style := t.Root(), layout{comma: ", ", colon: ": "}
	for n := range path {
		switch {
		case !v.Exists():
			return v, style, EditError(joinPath(path) + ": no such parent")
		case !v.Is(Map):
			return v, style, EditError(joinPath(path[:n]) + ": not an object")
		}
		if style = layoutOf(v, style); n == len(path)-1 {
			return v, style, nil
		}
		v = v.Get(path[n])
	}
	return v, style, EditError("a value without a path")
}

// layout is how the members of an object are separated.
type layout struct {
	end          int    // offset after the last member, else after the "{"
	comma, colon string // with the blanks around them
}

// layoutOf returns the layout of an object by its last member. An empty object borrows from the object around it.
func layoutOf(object Value, outer layout) layout {
	last := Value{}
	for v := range object.Children() { // in the order of the text, but for keys that appear twice
		if v.End() > last.End() {
			last = v
		}
	}
	l := layout{end: object.Offset() + 1, comma: ", ", colon: outer.colon}
	if !last.Exists() {
		if Contains(l.colon, "\n") {
			l.colon = ": "
		}
		if l.colon == ":" {
			l.comma = ","
		}
		return l
	}
	l.end, l.comma, l.colon = last.End(), last.separatorBefore(), last.tree.Text[last.node().keyEnd:last.Offset()]
	if !Contains(l.comma, ",") { // the only member
		if l.comma = "," + l.comma; l.comma == "," && l.colon != ":" {
			l.comma = ", "
		}
	}
	return l
}

// separatorBefore returns the blanks and the comma before a member.
func (v Value) separatorBefore() string {
	text, from := v.tree.Text, v.KeyOffset()
	for isBlank(text[from-1]) || text[from-1] == ',' {
		from--
	}
	return text[from:v.KeyOffset()]
}

// Field is a string member of an object to be written.
type Field struct{ Key, Text string }

// InsertObject returns the span that puts an object in front of a JSON list, laid out as the first object of the list. In an
// empty list it has a line for each member. No other byte changes.
func InsertObject(text string, fields []Field) (Span, error) {
	list, first, err := parseList(text)
	if err != nil {
		return Span{}, err
	}
	open, comma, end := "{", ", ", "}"
	switch {
	case first.Is(Map) && first.Len() > 0:
		inside := text[first.Offset()+1:]
		blanks := inside[:countBlanks(inside)]
		open, end = open+blanks, text[layoutOf(first, layout{}).end:first.End()]
		if Contains(blanks, "\n") {
			comma = "," + blanks
		}
	case !first.Exists():
		newline := newlineOf(text)
		open, comma, end = "{"+newline+"    ", ","+newline+"    ", newline+"  }"
	}
	for i, f := range fields {
		if i > 0 {
			open += comma
		}
		open += QuoteJSON(f.Key) + ": " + QuoteJSON(f.Text)
	}
	if first.Exists() {
		return Span{At: first.Offset(), New: open + end + elementSeparator(list, open)}, nil
	}
	if !Contains(list.Raw(), "\n") {
		end += newlineOf(text)
	}
	return Span{At: list.Offset() + 1, New: newlineOf(text) + "  " + open + end}, nil
}

// AppendElement returns the span that adds an element, valid JSON, to the end of a list that is not empty.
func AppendElement(list Value, element string) Span {
	last := Value{}
	for v := range list.Children() {
		last = v
	}
	return Span{At: last.End(), New: elementSeparator(list, element) + element}
}

// elementSeparator returns the text that separates an element from its neighbor in a list that is not empty.
func elementSeparator(list Value, element string) string {
	text, first := list.tree.Text, Value{list.tree, list.node().child}
	if second := first.next(); second.Exists() {
		return text[first.End():second.Offset()]
	}
	separator := "," + text[list.Offset()+1:first.Offset()]
	if separator == "," && Contains(element, ": ") {
		separator = ", "
	}
	return separator
}

// newlineOf returns the line end of a text.
func newlineOf(text string) string {
	if Contains(text, "\r\n") {
		return "\r\n"
	}
	return "\n"
}

// RemoveElement returns the span that removes the element at an offset from a JSON list, with the separator to one neighbor.
func RemoveElement(text string, at int) (Span, error) {
	list, _, err := parseList(text)
	if err != nil {
		return Span{}, err
	}
	spans := Remove(list, func(v Value) bool { return v.Offset() == at && v != list })
	if len(spans) != 1 {
		return Span{}, EditError("no element at this place")
	}
	spans[0].Label = ""
	return spans[0], nil
}

// Remove returns the spans that remove the values inside root that isRemoved selects, with their separators, in the order of the
// text. Each has the path of the map or list around it as its label. Maps and lists that lose all their values are removed too,
// except root, which becomes empty. No other byte changes. Maps that lose a value must not have a key twice.
func Remove(root Value, isRemoved func(Value) bool) []Span {
	spans, _ := removeInside(root, nil, isRemoved)
	return spans
}

// removeInside returns the spans of [Remove] for the values inside v, and whether v loses all of them.
func removeInside(v Value, path []string, isRemoved func(Value) bool) (spans []Span, isEmptied bool) {
	cut := func(from, to int) Span {
		return Span{At: from, Old: v.tree.Text[from:to], Label: joinPath(path)}
	}
	var first, previous, kept Value // of the values inside; kept is the last one that stays
	for c := range v.Children() {
		below := path
		if key := c.Key(); key != "" {
			below = append(path[:len(path):len(path)], key)
		}
		inner, isGone := removeInside(c, below, isRemoved)
		isGone = isGone || isRemoved(c)
		switch {
		case !isGone && previous.Exists() && !kept.Exists():
			spans = append(append(spans, cut(first.startOf(), c.startOf())), inner...)
		case !isGone:
			spans = append(spans, inner...)
		case kept.Exists():
			spans = append(spans, cut(previous.End(), c.End()))
		}
		if !isGone {
			kept = c
		}
		if previous = c; !first.Exists() {
			first = c
		}
	}
	if first.Exists() && !kept.Exists() {
		return []Span{cut(v.Offset()+1, v.End()-1)}, true
	}
	return spans, false
}

// startOf returns the offset of a value with its key.
func (v Value) startOf() int {
	if key := v.KeyOffset(); key > 0 {
		return key
	}
	return v.Offset()
}

// parseList returns the list that a document is, and the first element of the list.
func parseList(text string) (list, first Value, err error) {
	t, syntax := ParseJSON(text)
	if syntax != nil {
		return list, first, syntax
	}
	if list = t.Root(); !list.Is(List) {
		return list, first, EditError("the document: not a list")
	}
	return list, Value{t, list.node().child}, nil
}

// joinPath returns a path as a message or a label shows it.
func joinPath(path []string) string {
	if len(path) == 0 {
		return "the document"
	}
	joined := path[0]
	for _, key := range path[1:] {
		joined += "." + key
	}
	return joined
}

// arePathsNested reports whether two paths are equal, or one leads to the other.
func arePathsNested(a, b []string) bool {
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] {
			return false
		}
	}
	return true
}
