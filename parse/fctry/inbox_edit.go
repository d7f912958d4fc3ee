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
	"gatehouse/parse/doc"
	"gatehouse/parse/protocol"
)

// ItemTypes are the types of items: a change of the specification, something to investigate, and something new.
var ItemTypes = []string{"evolve", "reference", "feature"}

// pending is the status of a new item.
const pending = "pending"

// typesFor returns the types of an item, the one that fits a text best first.
func typesFor(text string) []string {
	lower := strings.ToLower(text)
	if strings.HasPrefix(lower, "http://") || strings.HasPrefix(lower, "https://") {
		return []string{"reference", "evolve", "feature"}
	}
	return ItemTypes
}

// addItem puts an item in front of the others, like fctry's own viewer. While the change is only shown, placeholders
// replace unknown values.
func (in *inbox) addItem(q protocol.Request) (*protocol.Change, error) {
	text := strings.TrimSpace(q.Text)
	kinds := typesFor(text)
	kind := cmp.Or(q.Kind, kinds[0])
	switch {
	case !utf8.ValidString(text):
		return nil, protocol.Refuse("", "the text is not UTF-8", "convert it first")
	case !slices.Contains(kinds, kind):
		return nil, protocol.Refuse("", fmt.Sprintf("an item can't be %q", kind), "use one of "+strings.Join(ItemTypes, ", "))
	case text == "" && !q.Asking:
		return nil, protocol.Refuse("", "there is nothing to add", "say an idea in words, or give a URL")
	}
	id, at := "inbox-{ms}-{random}", "{now}"
	if !q.Asking {
		id, at = in.newID(q.Now), formatTime(q.Now)
	}
	span, err := doc.InsertObject(q.Content, []doc.Field{
		{Key: "id", Text: id}, {Key: "type", Text: kind}, {Key: "content", Text: cmp.Or(text, "{what you type}")},
		{Key: "timestamp", Text: at}, {Key: "status", Text: pending},
	})
	if err != nil {
		return nil, fmt.Errorf("%s: %w", inboxFile, err)
	}
	span.Label = id
	c := &protocol.Change{Was: absent, Is: pending, Node: itemPrefix + id, Spans: []model.Span{model.Span(span)}}
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

// dismissItem takes an item out.
func (in *inbox) dismissItem(q protocol.Request) (*protocol.Change, error) {
	i := in.findRow(q.Node)
	if i < 0 {
		return nil, protocol.Refuse("", "the inbox has no item "+strings.TrimPrefix(q.Node, itemPrefix), "look at what is there: gatehouse inbox list")
	}
	x := &in.items[i]
	span, err := doc.RemoveElement(q.Content, x.value.Offset())
	if err != nil {
		return nil, fmt.Errorf("%s: %w", inboxFile, err)
	}
	c := &protocol.Change{Was: cmp.Or(x.status, "without a status"), Is: absent}
	c.Name, c.Asks, c.Since = cmp.Or(x.id, "an item without ID"), x.content, x.at
	c.Effect = c.Was + " → dismissed"
	span.Label = c.Name
	c.Spans = []model.Span{model.Span(span)}
	if x.status == "processing" {
		c.Warnings = append(c.Warnings, "an agent works on it and may put it back")
	}
	twins := 0
	for _, other := range in.items {
		if other.id == x.id {
			twins++
		}
	}
	if twins > 1 {
		c.Warnings = append(c.Warnings, "another item has the same ID, and stays")
	}
	return c, nil
}
