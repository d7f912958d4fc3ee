package protocol

import (
	"regexp"
	"slices"
	"strings"
	"time"

	"gatehouse/model"
	"gatehouse/model/line"
	"gatehouse/parse/disk/statefile"
	"gatehouse/parse/doc"
	"gatehouse/parse/protocol/transition"
)

const reviewFix = "review it and decide again"

// CheckUndo returns why the last decision about a target can't be undone, nil if it can, by the journal.
// [UndoChange] compares the file with the decision.
func CheckUndo(q Request) *model.Refusal {
	switch last := q.Last; {
	case last == nil || last.Node != q.Node || last.Undone || last.Verb == model.VerbUndo:
		return Refuse(transition.Forbidden, "there is no decision to undo", "")
	case last.Reported:
		return Refuse(transition.Forbidden, "an agent has acted on the decision already", "tell the agents what you want instead")
	}
	return nil
}

// CheckSameWork refuses to undo a decision about other work than that in the file: its name or its start is another one.
func CheckSameWork(last *model.Decision, file, name string, began time.Time) *model.Refusal {
	switch {
	case last == nil:
	case last.Of != "" && name != "" && last.Of != name:
		return Refuse(transition.Forbidden, file+" is the state of "+name+" now; the decision was about "+last.Of, reviewFix)
	case !last.Began.IsZero() && !began.IsZero() && !last.Began.Equal(began):
		return Refuse(transition.Forbidden, "the work of the decision is gone: that in "+file+" was started at "+FormatTime(began), reviewFix)
	}
	return nil
}

// CheckSameTime refuses to undo a decision that wrote a time at a key if the file has another time there now: the thing was decided again.
func CheckSameTime(last *model.Decision, name, key, text string) *model.Refusal {
	now := ParseTime(text)
	for _, s := range last.Spans {
		if lastKey(s) != key || now.IsZero() {
			continue
		}
		for word := range strings.SplitSeq(s.New, `"`) {
			if wrote := ParseTime(word); !wrote.IsZero() && now.Sub(wrote).Abs() >= time.Second {
				return Refuse(transition.Forbidden, name+" was decided again since, at "+text, reviewFix)
			}
		}
	}
	return nil
}

// Region is the part of a Markdown file that a decision was about, by its offsets. A JSON file needs none: labels lead
// to its values.
type Region struct {
	From, To int
	// Dependent are keys of values that belong to a decision, such as its time: undo restores them regardless of their
	// current value.
	Dependent []string
}

// UndoChange returns the change that restores the values that the last decision replaced; other writers' changes in
// other places stay. It refuses if a value was changed since. Values labeled as one of others, such as the time of the
// last write, stay. A Markdown file without a region must be unchanged since the decision.
func UndoChange(q Request, file string, region Region, others ...string) (*Change, *model.Refusal) {
	c := &Change{Was: q.Last.Is, Is: q.Last.Was}
	if statefile.Hash(q.Content) == q.Last.After {
		c.Spans = Invert(q.Last.Spans)
		if _, err := Apply(q.Content, c.Spans); err != nil {
			return nil, Refuse(transition.Forbidden, "the journal's entry does not match "+file, "edit the file by hand")
		}
		return c, nil
	}
	invertSpan := region.invertSpan
	if tree, err := doc.ParseJSON(q.Content); err == nil && tree.Root().Is(doc.Map) {
		invertSpan = region.invertMember(tree)
	} else if region.To == 0 {
		return nil, Refuse(transition.Forbidden, file+" has changed since", reviewFix)
	}
	for _, s := range q.Last.Spans {
		if s.Label == "" {
			return nil, Refuse(transition.Forbidden, file+" has changed since", reviewFix)
		}
		if slices.Contains(others, s.Label) {
			continue
		}
		back, obstacle := invertSpan(q.Content, s)
		if obstacle == isGone && region.isDependent(s) {
			continue
		}
		if obstacle != "" {
			return nil, Refuse(transition.Forbidden, file+" has changed since: "+s.Label+" "+obstacle, reviewFix)
		}
		c.Spans = append(c.Spans, back)
	}
	return c, nil
}

const isGone = "is gone"

// lastKey returns the last of the keys that lead to a span's target.
func lastKey(s model.Span) string { return s.Label[strings.LastIndexByte(s.Label, '.')+1:] }

func (r Region) isDependent(s model.Span) bool { return slices.Contains(r.Dependent, lastKey(s)) }

// invertMember returns the counterpart of [Region.invertSpan] for a JSON document.
func (r Region) invertMember(tree *doc.Tree) func(content string, s model.Span) (back model.Span, obstacle string) {
	return func(content string, s model.Span) (back model.Span, obstacle string) {
		found := membersAt(tree.Root(), s.Label)
		if len(found) == 0 {
			return back, isGone
		}
		value := found[0]
		back = model.Span{At: value.Offset(), Old: value.Raw(), New: s.Old, Label: s.Label}
		wrote := s.New
		if s.Old == "" { // an added member
			if at := value.End() - len(s.New); at >= 0 && content[at:value.End()] == s.New {
				back.At, back.Old = at, s.New
				return back, ""
			}
			back.New = "null"
			if member, err := doc.ParseJSON("{" + strings.TrimLeft(s.New, ", \t\r\n") + "}"); err == nil {
				for v := range member.Root().Children() {
					wrote = v.Raw()
				}
			}
		}
		isText := value.Is(doc.Null) || value.Is(doc.String)
		switch {
		case len(found) > 1:
			return back, "is written twice"
		case isSame(value, wrote), isText && r.isDependent(s):
			return back, ""
		case value.Is(doc.Map), value.Is(doc.List):
			return back, "is " + value.Raw()[:1] + "… now, not " + wrote
		}
		return back, "is " + value.Raw() + " now, not " + wrote
	}
}

// isSame reports whether a value means the same as some JSON. Objects and lists have to be written in the same way.
func isSame(value doc.Value, json string) bool {
	tree, err := doc.ParseJSON(json)
	return err == nil && value.Kind() == tree.Root().Kind() && value.Scalar() == tree.Root().Scalar() && (value.Len() == 0 || value.Raw() == json)
}

// membersAt returns the members of an object that a label leads to: their keys, cleaned for the screen and joined by dots.
func membersAt(object doc.Value, label string) (all []doc.Value) {
	for v := range object.Children() {
		if !object.Is(doc.Map) {
			break
		}
		key := line.Clean(v.Key())
		if key == label {
			all = append(all, v)
		} else if rest, ok := strings.CutPrefix(label, key+"."); ok {
			all = append(all, membersAt(v, rest)...)
		}
	}
	return all
}

// invertSpan returns the span that reverses another one, at the current position of its value, or the obstacle.
func (r Region) invertSpan(content string, s model.Span) (back model.Span, obstacle string) {
	part := content[min(r.From, len(content)):min(r.To, len(content))]
	back = model.Span{Old: s.New, New: s.Old, Label: s.Label}
	if s.Old == "" { // added
		if strings.Count(part, s.New) != 1 {
			return back, "has another layout now"
		}
		back.At = r.From + strings.Index(part, s.New)
		return back, ""
	}
	wrote := strings.TrimSpace(s.New)
	value := regexp.MustCompile(`(?i)(?:^|[^\w-])` + regexp.QuoteMeta(lastKey(s)) + `["'*_ \t]*:[*_ \t]*(` + regexp.QuoteMeta(wrote) + `)[ \t]*(?:(?:#|<!--).*)?(?:\r?\n|$)`)
	at := value.FindStringSubmatchIndex(part)
	if at == nil {
		return back, "is not " + wrote + " any more"
	}
	back.At, back.Old, back.New = r.From+at[2], wrote, strings.TrimSpace(s.Old)
	return back, ""
}
