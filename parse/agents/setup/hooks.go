package setup

// The entries of hooks in JSON: found, added, changed and taken out by their bytes.

import (
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"gatehouse/model"
	"gatehouse/parse/doc"
	"gatehouse/parse/protocol"
	"gatehouse/parse/text/scan"
)

// entry is a hook of ours in a file.
type entry struct {
	event   string
	command string
	timeout int
	at, end int  // offsets of the hook's object
	alone   bool // in its group
	// group and its neighbours in the event's list.
	group    element
	siblings elements
	within   elements // the hooks of its group
}

// element is a value in a list, by its offsets.
type element struct{ at, end int }

// elements are the values of a list, and where it ends: the offset of its "]".
type elements struct {
	all   []element
	open  int // behind the "["
	close int
}

// listOf returns the elements of a list that is part of a document.
func listOf(doc, list string) elements {
	start := scan.Offset(doc, list)
	l := elements{open: start + 1, close: start + len(list) - 1}
	for a := (scan.JSONArray{Rest: list}); ; {
		value, ok := a.Next()
		if !ok {
			return l
		}
		at := scan.Offset(doc, value)
		l.all = append(l.all, element{at, at + len(value)})
	}
}

// hooksOf returns the hooks of a client that are ours, in the order of the file.
func (c *client) hooksOf(doc string) (found []entry) {
	hooks, _ := scan.JSONValue(doc, "hooks")
	for m := (scan.JSONMembers{Rest: hooks}); ; {
		key, list, ok := m.Next()
		if !ok {
			return found
		}
		event, _ := scan.JSONText(key)
		if list == "" || list[0] != '[' {
			continue
		}
		siblings := listOf(doc, list)
		for _, group := range siblings.all {
			inner, _ := scan.JSONValue(doc[group.at:group.end], "hooks")
			if inner == "" || inner[0] != '[' {
				continue
			}
			within := listOf(doc, inner)
			for _, h := range within.all {
				if command, timeout, ours := c.ours(doc[h.at:h.end]); ours {
					found = append(found, entry{event: event, command: command, timeout: timeout, at: h.at, end: h.end, alone: len(within.all) == 1, group: group, siblings: siblings, within: within})
				}
			}
		}
	}
}

// ours reports whether a hook is one of ours, and what it says.
func (c *client) ours(object string) (command string, timeout int, ours bool) {
	var h struct {
		Command string  `json:"command"`
		Timeout float64 `json:"timeout"`
	}
	if json.Unmarshal([]byte(object), &h) != nil {
		return "", 0, false
	}
	program, ok := strings.CutSuffix(strings.TrimSpace(h.Command), " hook "+c.name)
	return h.Command, int(h.Timeout), ok && filepath.Base(unquote(program)) == "gatehouse"
}

// commandOf returns the command of the client's hooks.
func (c *client) commandOf(program string) string { return quote(program) + " hook " + c.name }

// quote returns a path as one word of a shell, unquote the path.
func quote(path string) string {
	if strings.IndexFunc(path, func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (r < '0' || r > '9') && !strings.ContainsRune("/._-+:@", r)
	}) < 0 {
		return path
	}
	return "'" + strings.ReplaceAll(path, "'", `'\''`) + "'"
}

func unquote(word string) string { return strings.Trim(word, `'"`) }

// install returns the spans that have each event run the hook, in a document to begin with.
func (c *client) install(was, program string) (begin string, spans []model.Span, err error) {
	if c.hooks == nil {
		return installPlugin(was, program)
	}
	if begin = was; strings.TrimSpace(was) == "" {
		begin = "{\n}\n"
	}
	if doc, marked := strings.CutPrefix(begin, bom); marked {
		begin, spans, err := c.install(doc, program)
		return bom + begin, moved(spans, len(bom)), err
	}
	style := styleOf(begin)
	have := map[string]bool{}
	for _, e := range c.hooksOf(begin) {
		want, known := c.timeoutOf(e.event)
		switch {
		case !known || have[e.event]: // of an older version, or there twice
			spans = append(spans, e.removal(begin))
		case e.command != c.commandOf(program) || e.timeout != want:
			at := element{e.at, e.end}
			spans = append(spans, span(begin, at, c.hook(program, want, style.nested(5)), label(e.event)))
		}
		have[e.event] = have[e.event] || known
	}
	// What is not there yet is added behind what is.
	hooks, there := scan.JSONValue(begin, "hooks")
	if there && hooks[0] != '{' {
		return "", nil, errors.New("its \"hooks\" are no object; mend that first")
	}
	var missing []doc.Assignment
	for _, h := range c.hooks {
		if have[h.event] {
			continue
		}
		group := c.group(program, h.timeout, style.nested(3))
		list, listed := scan.JSONValue(begin, "hooks", h.event)
		switch {
		case !listed:
			missing = append(missing, doc.Assignment{Path: []string{"hooks", h.event}, JSON: "[" + style.nested(3).line + group + style.nested(2).line + "]"})
		case list[0] != '[':
			return "", nil, fmt.Errorf("its hooks of %s are no list; mend that first", h.event)
		default:
			spans = append(spans, behind(begin, listOf(begin, list), group, style.nested(2).line, label(h.event)))
		}
	}
	if !there && len(missing) > 0 {
		missing = []doc.Assignment{{Path: []string{"hooks"}, JSON: c.all(missing, style)}}
	}
	more, err := protocol.SetJSON(begin, missing)
	if err != nil {
		return "", nil, err
	}
	return begin, append(spans, tidied(begin, more, style)...), nil
}

// tidied gives members that are the first of their object lines of their own, where the document has lines.
func tidied(doc string, spans []model.Span, style style) []model.Span {
	for i := range spans {
		depth := 1 + strings.Count(spans[i].Label, ".")
		if before := strings.TrimRight(doc[:spans[i].At], " \t\r\n"); strings.HasSuffix(before, "{") && style.line != "" {
			spans[i].New = style.nested(depth).line + strings.TrimLeft(spans[i].New, " \t\r\n")
			if !strings.HasPrefix(doc[spans[i].At:], "\n") && !strings.HasPrefix(doc[spans[i].At:], "\r\n") {
				spans[i].New += style.nested(depth - 1).line
			}
		}
	}
	return spans
}

// all returns an object of events.
func (c *client) all(events []doc.Assignment, s style) string {
	var b strings.Builder
	for i, e := range events {
		if i > 0 {
			b.WriteString(s.between())
		}
		b.WriteString(s.nested(2).line + doc.QuoteJSON(e.Path[1]) + s.colon + e.JSON)
	}
	return "{" + b.String() + s.nested(1).line + "}"
}

// uninstall returns the spans that take our hooks out, and the lists and objects that are empty then.
func (c *client) uninstall(was string) (begin string, spans []model.Span, err error) {
	if c.hooks == nil {
		return uninstallPlugin(was)
	}
	if doc, marked := strings.CutPrefix(was, bom); marked {
		_, spans, err := c.uninstall(doc)
		return was, moved(spans, len(bom)), err
	}
	if _, err := protocol.SetJSON(orObject(was), nil); err != nil {
		return "", nil, err
	}
	// One at a time: what is empty then depends on those before it.
	now := was
	for {
		found := c.hooksOf(now)
		if len(found) == 0 {
			break
		}
		if now, err = protocol.Apply(now, []model.Span{found[0].removal(now)}); err != nil {
			return "", nil, err
		}
		now = withoutEmpty(now, "hooks", found[0].event)
		now = withoutEmpty(now, "hooks")
	}
	if now == was {
		return was, nil, nil
	}
	// The change as one span: from the first to the last byte that differs.
	from := 0
	for from < min(len(was), len(now)) && was[from] == now[from] {
		from++
	}
	end := 0
	for end < min(len(was), len(now))-from && was[len(was)-1-end] == now[len(now)-1-end] {
		end++
	}
	return was, []model.Span{{At: from, Old: was[from : len(was)-end], New: now[from : len(now)-end], Label: "hooks"}}, nil
}

// bom is the byte order mark of UTF-8.
const bom = "\ufeff"

// moved returns spans for a text in which something stands in front.
func moved(spans []model.Span, by int) []model.Span {
	for i := range spans {
		spans[i].At += by
	}
	return spans
}

func orObject(doc string) string {
	if strings.TrimSpace(doc) == "" {
		return "{}"
	}
	return doc
}

// removal returns the span that takes a hook out: with its group where it is alone there.
func (e *entry) removal(doc string) model.Span {
	if e.alone {
		return cut(doc, e.siblings, e.group, label(e.event))
	}
	return cut(doc, e.within, element{e.at, e.end}, label(e.event))
}

// cut returns the span that takes an element out of its list, with what parts it from a neighbour.
func cut(doc string, l elements, e element, label string) model.Span {
	from, to := l.open, l.close
	for i, other := range l.all {
		switch {
		case other != e:
		case i > 0:
			from, to = l.all[i-1].end, e.end
		case len(l.all) > 1:
			from, to = e.at, l.all[1].at
		}
	}
	return model.Span{At: from, Old: doc[from:to], Label: label}
}

// behind returns the span that puts a value behind the elements of a list. end is the line on which an empty list closes.
func behind(doc string, l elements, value, end, label string) model.Span {
	if n := len(l.all); n > 0 {
		last := l.all[n-1]
		sep := "," + leading(doc[l.open:l.all[0].at])
		if n > 1 {
			sep = doc[l.all[n-2].end:last.at]
		}
		return model.Span{At: last.end, New: sep + value, Label: label}
	}
	at := element{l.open, l.close}
	line := end
	if line != "" {
		line += styleOf(doc).indent
	}
	return span(doc, at, line+value+end, label)
}

// leading returns the white space at the beginning of a text; a blank for none.
func leading(gap string) string {
	if gap == "" {
		return " "
	}
	return gap
}

// withoutEmpty takes a member out of a document whose value is an empty list or object.
func withoutEmpty(doc string, path ...string) string {
	value, ok := scan.JSONValue(doc, path...)
	if !ok || strings.Trim(value, "[]{} \t\r\n") != "" {
		return doc
	}
	parent, _ := scan.JSONValue(doc, path[:len(path)-1]...)
	from := scan.Offset(doc, parent) + 1
	first := true
	for m := (scan.JSONMembers{Rest: parent}); ; first = false {
		key, its, ok := m.Next()
		if !ok {
			return doc
		}
		end := scan.Offset(doc, its) + len(its)
		if scan.Offset(doc, its) != scan.Offset(doc, value) {
			from = end
			continue
		}
		if first { // up to the next one, or up to the end
			if next, _, more := m.Next(); more {
				return doc[:scan.Offset(doc, key)] + doc[scan.Offset(doc, next):]
			}
			return doc[:from] + doc[scan.Offset(doc, parent)+len(parent)-1:]
		}
		return doc[:from] + doc[end:]
	}
}

// timeoutOf returns the time-out of an event.
func (c *client) timeoutOf(event string) (timeout int, known bool) {
	for _, h := range c.hooks {
		if h.event == event {
			return h.timeout, true
		}
	}
	return 0, false
}

func label(event string) string { return "hooks." + event }

func span(doc string, at element, value, label string) model.Span {
	return model.Span{At: at.at, Old: doc[at.at:at.end], New: value, Label: label}
}

// group returns a group with the hook.
func (c *client) group(program string, timeout int, s style) string {
	inner := s.nested(1)
	return "{" + inner.line + `"hooks"` + s.colon + "[" + inner.nested(1).line + c.hook(program, timeout, inner.nested(1)) + inner.line + "]" + s.line + "}"
}

// hook returns the hook.
func (c *client) hook(program string, timeout int, s style) string {
	inner := s.nested(1).line
	comma := s.between()
	return "{" + inner + `"type"` + s.colon + `"command"` + comma + inner + `"command"` + s.colon + doc.QuoteJSON(c.commandOf(program)) + comma +
		inner + `"timeout"` + s.colon + fmt.Sprint(timeout) + s.line + "}"
}

// style is how a document is laid out.
type style struct {
	line   string // a line break with the indent of this level; "" where all stands on one line
	indent string // of one level
	colon  string
	comma  string // where all stands on one line
}

// styleOf returns how a document is laid out at its top.
func styleOf(doc string) style {
	s := style{indent: "  ", colon: ": ", comma: ", "}
	start := strings.IndexByte(doc, '{')
	if start < 0 {
		return s
	}
	rest := doc[start+1:]
	gap := rest[:len(rest)-len(strings.TrimLeft(rest, " \t\r\n"))]
	if i := strings.LastIndexByte(gap, '\n'); i >= 0 {
		s.line = "\n"
		if strings.Contains(gap, "\r\n") {
			s.line = "\r\n"
		}
		if gap[i+1:] != "" {
			s.indent = gap[i+1:]
		}
	}
	m := scan.JSONMembers{Rest: doc[start:]}
	if key, value, ok := m.Next(); ok {
		if between := doc[scan.Offset(doc, key)+len(key) : scan.Offset(doc, value)]; between == ":" {
			s.colon, s.comma = ":", ","
		}
	}
	return s
}

// between returns what stands between two members, before the line break.
func (s style) between() string {
	if s.line == "" {
		return s.comma
	}
	return ","
}

// nested returns the style some levels deeper.
func (s style) nested(levels int) style {
	if s.line != "" {
		s.line += strings.Repeat(s.indent, levels)
	}
	return s
}
