// Taking a decision back, the same way in all protocols: what it wrote is put back where it stands now. Whatever else others
// have written into the file meanwhile stays.

package reader

import (
	"slices"
	"strings"

	"gatehouse/model"
	"gatehouse/parse/disk/statefile"
	"gatehouse/parse/text/edit"
)

// Undoable returns why the last decision about a target can't be taken back, nil where it can: while nobody has been told of
// it. Whether its target still says what was decided, [Undone] finds out.
func Undoable(q edit.Request) *model.Refusal {
	switch last := q.Last; {
	case last == nil || last.Node != q.Node || last.Undone || last.Verb == model.VerbUndo:
		return &model.Refusal{Code: Forbidden, Text: "there is no decision about it to take back"}
	case last.Reported:
		return &model.Refusal{Code: Forbidden, Text: "the decision has been handed on already", Fix: "tell the agents what you want instead"}
	}
	return nil
}

// Undone returns the change that puts back the values that the last decision has replaced, which has to be [Undoable]; or a
// refusal that names the value that somebody has changed since. target is the part of the content that the decision was about;
// values labelled as one of others, such as the time of the last write, stay. Without a part the file has to be as it was left.
func Undone(q edit.Request, file string, target Part, others ...string) (*edit.Change, *model.Refusal) {
	c := &edit.Change{Was: q.Last.Is, Is: q.Last.Was}
	if statefile.Hash(q.Content) == q.Last.After {
		c.Spans = edit.Invert(q.Last.Spans)
		if _, err := edit.Apply(q.Content, c.Spans); err != nil {
			return nil, &model.Refusal{Code: Forbidden, Text: "the journal's note of the decision does not fit " + file, Fix: "edit the file by hand"}
		}
		return c, nil
	}
	whole := func(s model.Span) bool { return s.Label == "" } // no value of the target, but the file
	if target.To == 0 || slices.ContainsFunc(q.Last.Spans, whole) {
		return nil, &model.Refusal{Code: Forbidden, Text: file + " has been changed since", Fix: "look at it and decide anew"}
	}
	for _, s := range q.Last.Spans {
		if slices.Contains(others, s.Label) {
			continue
		}
		back, now := target.find(q.Content, s)
		if now == gone && slices.Contains(target.With, key(s)) {
			continue
		}
		if now != "" {
			return nil, &model.Refusal{Code: Forbidden, Text: file + " has moved on: " + s.Label + " " + now, Fix: "look at it and decide anew"}
		}
		c.Spans = append(c.Spans, back)
	}
	return c, nil
}

// Part is a part of a content, by its offsets.
type Part struct {
	From, To int
	// With are the keys of values that only go with what was decided, such as when that was: they are put back whatever they say
	// now, and where they are gone they stay so.
	With []string
}

// gone is what is said of a value that is not there any more.
const gone = "is gone"

// key returns the last of the keys that lead to what a span has replaced.
func key(s model.Span) string { return s.Label[strings.LastIndexByte(s.Label, '.')+1:] }

// find returns the span that puts back what another has replaced, where that stands now; or says what stands there instead.
func (p Part) find(content string, s model.Span) (back model.Span, now string) {
	part := content[min(p.From, len(content)):min(p.To, len(content))]
	back = model.Span{Old: s.New, New: s.Old, Label: s.Label}
	if s.Old == "" && strings.Count(part, s.New) == 1 { // what was added, with what parts it from its neighbours
		back.At = p.From + strings.Index(part, s.New)
		return back, ""
	}
	key, wrote := key(s), s.New
	if s.Old == "" {
		if at, value, ok := valueOf(s.New, key, 0); ok && at > 0 {
			wrote = value
		}
	}
	wrote = strings.TrimSpace(wrote)
	found, with := gone, slices.Contains(p.With, key)
	for from := 0; ; {
		at, value, ok := valueOf(part, key, from)
		if !ok {
			return back, found
		}
		if value == wrote || with && !strings.HasSuffix(value, "…") {
			back.At, back.Old, back.New = p.From+at, value, strings.TrimSpace(s.Old)
			if s.Old == "" { // added, and the file laid out in another way since: in JSON it can say nothing again
				if back.New = "null"; !strings.HasPrefix(strings.TrimLeft(content, "\ufeff \t\r\n"), "{") {
					return back, "is laid out in another way"
				}
			}
			return back, ""
		}
		found, from = "is "+value+" now, and not "+wrote, at
	}
}

// valueOf returns the first value behind a key, from an offset on, as JSON, YAML and Markdown write them on one line.
func valueOf(text, key string, from int) (at int, value string, ok bool) {
	for {
		i := indexFold(text[from:], key)
		if i < 0 {
			return 0, "", false
		}
		from += i + len(key)
		if from > len(key) && wordByte(text[from-len(key)-1]) || from < len(text) && wordByte(text[from]) {
			continue
		}
		rest := strings.TrimLeft(text[from:], "\"'*_ \t")
		if !strings.HasPrefix(rest, ":") {
			continue
		}
		rest = strings.TrimLeft(rest[1:], "*_ \t")
		at = len(text) - len(rest)
		return at, plainValue(rest), true
	}
}

// plainValue returns the value that a text begins with: what stands in quotes, else all up to a comma, a brace, a comment or the
// end of the line.
func plainValue(text string) string {
	if text != "" && (text[0] == '"' || text[0] == '\'') {
		for i := 1; i < len(text); i++ {
			switch text[i] {
			case '\\':
				i++
			case text[0]:
				return text[:i+1]
			}
		}
	}
	if text != "" && (text[0] == '{' || text[0] == '[') {
		return text[:1] + "…"
	}
	end := strings.IndexAny(text, ",}]\r\n")
	if end < 0 {
		end = len(text)
	}
	for _, comment := range []string{" #", "<!--"} {
		if i := strings.Index(text[:end], comment); i >= 0 {
			end = i
		}
	}
	return strings.TrimRight(text[:end], " \t")
}

// indexFold is [strings.Index] for a key of ASCII letters in any case.
func indexFold(text, key string) int {
	for i := 0; i+len(key) <= len(text); i++ {
		if strings.EqualFold(text[i:i+len(key)], key) {
			return i
		}
	}
	return -1
}

func wordByte(c byte) bool {
	return c == '_' || c == '-' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}
