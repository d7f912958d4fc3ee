package fctry

import (
	"cmp"
	"slices"
	"strconv"
	"time"

	"gatehouse/model"
	"gatehouse/parse/doc"
	"gatehouse/parse/fctry/core"
	"gatehouse/parse/protocol"
)

// inbox is a parsed inbox.json.
type inbox struct {
	*document
	items  []item // the newest first
	isHeld bool   // it can't be read now, and its last good state is shown
}

// item is an entry of the inbox.
type item struct {
	id, content, status string
	at                  time.Time
	value               doc.Value
}

// parseInbox parses an inbox: a list. Elements that are no objects are skipped.
func parseInbox(text string) (*inbox, error) {
	d, err := protocol.ParseDocument(inboxFile, text, doc.List)
	if err != nil {
		return nil, err
	}
	in := &inbox{document: d}
	for v := range elementsOf(d.Root) {
		if v.Is(doc.Map) {
			in.items = append(in.items, item{textOf(v.Get("id")), textOf(v.Get("content")), textOf(v.Get("status")), timeOf(v.Get("timestamp")), v})
		}
	}
	// Some writers insert at the front and some append: only the times show the order.
	slices.SortStableFunc(in.items, func(a, b item) int { return b.at.Compare(a.at) })
	return in, nil
}

// itemStatuses are the meanings of an item's status. Other words are unknown.
var itemStatuses = map[string]model.Status{
	"": model.Pending, pending: model.Pending, "approved": model.Pending, "processing": model.Active,
	"processed": model.Executed, // looked at, but not built yet
	"error":     model.Failed, "incorporated": model.Done, "migrated": model.Done, "dismissed": model.Skipped,
}

// itemPrefix begins the ID of an item's row.
const itemPrefix = "inbox/"

// rowIDs returns the ID of each item's row.
func (in *inbox) rowIDs() []string {
	ids, rows := make([]string, len(in.items)), protocol.Rows{}
	for i := range in.items {
		ids[i] = rows.ID(itemPrefix + cmp.Or(in.items[i].id, "item"))
	}
	return ids
}

// findRow returns the index of the item of a row, -1 without one.
func (in *inbox) findRow(row string) int { return slices.Index(in.rowIDs(), row) }

// countText says how many items there are, "" for none.
func (in *inbox) countText() string {
	waiting, findings := 0, 0
	for i := range in.items {
		if status := in.items[i].status; status == pending || status == "" {
			waiting++
		}
		if core.IsFinding(in.items[i].value) {
			findings++
		}
	}
	if len(in.items) == 0 {
		return ""
	}
	text := protocol.Count(len(in.items), "item") + ", " + strconv.Itoa(waiting) + " pending"
	if findings > 0 {
		text += ", " + strconv.Itoa(findings) + " found overnight"
	}
	return text
}

// inboxGroup returns the row of the inbox with a row for each item, nil without any.
func (v *view) inboxGroup() *model.Node {
	if len(v.inbox.items) == 0 {
		return nil
	}
	group := &model.Node{ID: "group/inbox", Kind: model.KindGroup, Title: "Inbox", Source: model.Pos{File: inboxFile, Line: 1}, Status: model.Pending}
	for i, id := range v.inbox.rowIDs() {
		x := &v.inbox.items[i]
		n := &model.Node{
			ID: id, Kind: model.KindTask, Title: cmp.Or(textOf(x.value.Get("title")), x.content), Raw: x.status, Source: v.inbox.At(x.value), Updated: x.at, Held: v.inbox.isHeld,
		}
		var isKnown bool
		if n.Status, isKnown = itemStatuses[x.status]; !isKnown {
			n.Status = model.Unknown
		}
		if !n.Held {
			n.Can = []model.Verb{model.VerbDismiss}
		}
		var f protocol.Facts
		f.Add("type", textOf(x.value.Get("type")))
		if x.content != n.Title {
			f.Add("content", x.content)
		}
		addRest(&f, "", x.value, "id", "type", "content", "status", "timestamp", "title")
		n.Facts = f
		group.Children = append(group.Children, n)
		group.Count.Total++
		if n.Status.Closed() {
			group.Count.Done++
		}
		if n.Status == model.Active {
			group.Status = model.Active
		}
	}
	if group.Status == model.Pending && group.Count.Open() == 0 { // one item that failed says nothing about the others
		group.Status = model.Done
	}
	return group
}
