// Items put into the inbox and taken out of it.

package fctry

import (
	"cmp"
	"crypto/rand"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"gatehouse/model"
	"gatehouse/model/line"
	"gatehouse/parse/doc"
	"gatehouse/parse/protocol"
)

// ItemTypes are the types that an item of the inbox may have.
var ItemTypes = []string{typeEvolve, typeReference, typeFeature}

const (
	typeEvolve    = "evolve"    // a change of what is specified
	typeReference = "reference" // something to look at, mostly a URL
	typeFeature   = "feature"   // something new
)

// pending is the status of an item that nobody has looked at yet.
const pending = "pending"

// What stands for values of a new item that are not known before it is written.
const (
	idToCome   = "inbox-{ms}-{random}"
	timeToCome = "{now}"
	textToCome = "{what you type}"
)

// typesFor returns the types of an item, the one that fits a text best first.
func typesFor(text string) []string {
	lower := strings.ToLower(text)
	if strings.HasPrefix(lower, "http://") || strings.HasPrefix(lower, "https://") {
		return []string{typeReference, typeEvolve, typeFeature}
	}
	return ItemTypes
}

// add puts an item in front of the others, as fctry's own viewer does.
func (in *inbox) add(q protocol.Request) (*protocol.Change, error) {
	text := strings.TrimSpace(q.Text)
	kinds := typesFor(text)
	kind := cmp.Or(q.Kind, kinds[0])
	switch {
	case !utf8.ValidString(text):
		return nil, &model.Refusal{Text: "the text is no UTF-8", Fix: "convert it first"}
	case !slices.Contains(kinds, kind):
		return nil, &model.Refusal{Text: line.Tidy(fmt.Sprintf("an item can't be %q", kind)), Fix: "it is one of " + strings.Join(ItemTypes, ", ")}
	case text == "" && !q.Asking:
		return nil, &model.Refusal{Text: "there is nothing to add", Fix: "say an idea in words, or give a URL"}
	}
	id, at := idToCome, timeToCome
	if !q.Asking {
		id, at = in.newID(q.Now), stamp(q.Now)
	}
	span, err := doc.InsertObject(q.Content, []doc.Field{
		{Key: "id", Text: id}, {Key: "type", Text: kind}, {Key: "content", Text: cmp.Or(text, textToCome)},
		{Key: "timestamp", Text: at}, {Key: "status", Text: pending},
	})
	if err != nil {
		return nil, fmt.Errorf("%s: %w", inboxFile, err)
	}
	span.Label = id
	c := &protocol.Change{Was: absent, Is: pending, Node: inboxRow + id, Spans: []model.Span{model.Span(span)}}
	c.Name, c.Effect = id, kind+", "+pending
	c.Wants, c.Kinds = "item", kinds
	return c, nil
}

// newID returns an ID that no item has: "inbox-", the time in milliseconds, and six characters of base 36.
func (in *inbox) newID(now time.Time) string {
	for {
		id := "inbox-" + strconv.FormatInt(now.UnixMilli(), 10) + "-" + strings.ToLower(rand.Text()[:6])
		if !slices.ContainsFunc(in.items, func(x item) bool { return x.id == id }) {
			return id
		}
	}
}

// undoItem takes out an item that was added, or puts back one that was taken out, in an inbox that others have written since.
func undoItem(q protocol.Request) (*protocol.Change, error) {
	in, err := parseInbox(q.Content)
	if err != nil || len(q.Last.Spans) != 1 {
		return nil, &model.Refusal{Code: protocol.Forbidden, Text: "the journal's note of the decision does not fit " + inboxFile, Fix: "edit the file by hand"}
	}
	name, was := line.Tidy(q.Last.Name), q.Last.Spans[0]
	i := slices.Index(in.rows(), q.Last.Node)
	c := &protocol.Change{Was: q.Last.Is, Is: q.Last.Was}
	c.Name, c.Effect = name, line.Tidy(q.Last.Is+" → "+q.Last.Was)
	var span doc.Span
	switch {
	case q.Last.Is == absent && i >= 0:
		return nil, &model.Refusal{Code: protocol.Forbidden, Text: name + " is in the inbox again", Fix: "somebody has put it back"}
	case q.Last.Is == absent:
		span, err = doc.InsertElement(q.Content, strings.Trim(was.Old, ", \t\r\n"))
	case i < 0:
		return nil, &model.Refusal{Code: protocol.Forbidden, Text: name + " is gone from the inbox", Fix: "somebody has taken it out"}
	case !strings.Contains(was.New, in.items[i].raw.raw()):
		return nil, &model.Refusal{Code: protocol.Forbidden, Text: line.Tidy(name + " has moved on: it is " + cmp.Or(in.items[i].status, "another") + " now"), Fix: "dismiss it if it is to go"}
	default:
		span, err = doc.RemoveElement(q.Content, in.items[i].raw.Offset())
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", inboxFile, err)
	}
	span.Label = was.Label
	c.Spans = []model.Span{model.Span(span)}
	return c, nil
}

// dismiss takes an item out.
func (in *inbox) dismiss(q protocol.Request) (*protocol.Change, error) {
	i := slices.Index(in.rows(), q.Node)
	if i < 0 {
		return nil, &model.Refusal{Text: line.Tidy("the inbox has no item " + strings.TrimPrefix(q.Node, inboxRow)), Fix: "look at what is there: gatehouse inbox list"}
	}
	x := &in.items[i]
	span, err := doc.RemoveElement(q.Content, x.raw.Offset())
	if err != nil {
		return nil, fmt.Errorf("%s: %w", inboxFile, err)
	}
	c := &protocol.Change{Was: cmp.Or(x.status, "without a status"), Is: absent, Spans: []model.Span{model.Span(span)}}
	c.Name, c.Asks, c.Since = cmp.Or(x.id, "an item without ID"), x.content, x.at
	c.Effect = c.Was + " → dismissed"
	c.Spans[0].Label = c.Name
	if x.status == "processing" {
		c.Warnings = append(c.Warnings, "it is being worked on: whoever does may put it back")
	}
	if j := slices.IndexFunc(in.items, func(y item) bool { return y.id == x.id }); j != i || slices.ContainsFunc(in.items[i+1:], func(y item) bool { return y.id == x.id }) {
		c.Warnings = append(c.Warnings, "another item has the same ID, and stays")
	}
	return c, nil
}
