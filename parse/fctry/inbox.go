// The inbox: ideas, links and wishes that wait for their turn.

package fctry

import (
	"cmp"
	"slices"
	"time"

	"gatehouse/model"
	"gatehouse/parse/doc"
)

// inbox is inbox.json.
type inbox struct {
	*document
	items []item
}

// item is an entry of the inbox.
type item struct {
	id, kind, content, status, source string
	at                                time.Time
	object                            value
	raw                               value
}

// parseInbox reads inbox.json: a list, in which what is no object is passed over.
func parseInbox(text string) (*inbox, error) {
	d, err := parseDocument(text, doc.List, "list")
	if err != nil {
		return nil, err
	}
	in := &inbox{document: d}
	for _, v := range d.top.list() {
		if v.kind() != doc.Map {
			continue
		}
		in.items = append(in.items, item{
			id: v.get("id").text(), kind: v.get("type").text(), content: v.get("content").text(), status: v.get("status").text(),
			source: v.get("source").text(), at: v.get("timestamp").time(), object: v, raw: v,
		})
	}
	// Some writers insert at the front and some append: only the times tell the order.
	slices.SortStableFunc(in.items, func(a, b item) int { return b.at.Compare(a.at) })
	return in, nil
}

// itemStatus returns what an item's status means. Any word may be there.
func itemStatus(word string) model.Status {
	switch word {
	case "pending", "approved", "":
		return model.Pending
	case "processed": // it has been looked at, and is still to be worked in
		return model.Executed
	case "processing":
		return model.Active
	case "error":
		return model.Failed
	case "incorporated", "migrated":
		return model.Done
	case "dismissed":
		return model.Skipped
	}
	return model.Unknown
}

// inboxRow begins the ID of an item's row.
const inboxRow = "inbox/"

// rows returns the ID of each item's row.
func (in *inbox) rows() []string {
	ids, used := make([]string, len(in.items)), names{}
	for i := range in.items {
		ids[i] = used.take(inboxRow + cmp.Or(in.items[i].id, "item"))
	}
	return ids
}

// inboxGroup returns the row of the inbox with one row an item, the newest first; nil without any.
func (c *collector) inboxGroup() *model.Node {
	if len(c.inbox.items) == 0 {
		return nil
	}
	group := &model.Node{ID: "group/inbox", Kind: model.KindGroup, Title: "Inbox", Source: model.Pos{File: inboxFile, Line: 1}}
	ids := c.inbox.rows()
	for i, x := range c.inbox.items {
		n := &model.Node{
			ID: ids[i], Kind: model.KindTask, Title: cmp.Or(x.object.get("title").text(), x.content), Status: itemStatus(x.status), Raw: x.status,
			Source: c.inbox.pos(inboxFile, x.raw), Updated: x.at, Held: c.inboxHeld,
		}
		if !n.Held {
			n.Can = []model.Verb{model.VerbDismiss}
		}
		n.Facts = append(n.Facts, fact("type", x.kind)...)
		if x.content != n.Title {
			n.Facts = append(n.Facts, fact("content", x.content)...)
		}
		n.Facts = append(n.Facts, rest(x.object, "id", "type", "content", "status", "timestamp", "title")...)
		group.Children = append(group.Children, n)
		group.Count.Total++
		if n.Status.Closed() {
			group.Count.Done++
		}
	}
	// What an item comes to says nothing of the others: one that failed leaves the rest to be worked in.
	group.Status = model.Pending
	if slices.ContainsFunc(group.Children, func(n *model.Node) bool { return n.Status == model.Active }) {
		group.Status = model.Active
	} else if group.Count.Open() == 0 {
		group.Status = model.Done
	}
	return group
}
