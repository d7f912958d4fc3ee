package index

// The changes while the dashboard ran: a bounded log, extended in the command that received a snapshot.

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"gatehouse/model"
)

// The bounds of the log. The oldest changes are dropped.
const (
	logLimit  = 500
	eventText = 512 // of one text of a change, in bytes; only the beginning of a longer text is kept
)

// Texts of changes: "pending → running", "in the file: Draft → Review", "1/3 → 2/3", and these.
const (
	removed  = "removed"
	appeared = "new: "
	asked    = "asked"
)

// appearedAs returns the text of the change when something appears.
func appearedAs(word string) string {
	if word == model.Waiting.Word() {
		return asked
	}
	return appeared + word
}

// changesBetween returns the changes from one snapshot of a build to the next, dated at: first of the nodes that exist, in tree order, then
// of those that are gone. For each node there is one change: its status, else its word, else its count.
func changesBetween(before, now *Site, at time.Time) []Moment {
	var all []Moment
	for _, n := range model.Walk(now.Build.Nodes) {
		old := before.Nodes[n.ID].Node
		if text := changeOf(old, n); text != "" && hasChanges(n) {
			m := Moment{Time: at, Where: Place{Node: n.ID}, Kind: n.Kind, What: n.Name(), To: n.Status, Text: text}
			if old != nil {
				m.From = old.Status
			}
			all = append(all, m)
		}
	}
	for _, n := range model.Walk(before.Build.Nodes) {
		if now.Nodes[n.ID].Node == nil && hasChanges(n) {
			all = append(all, Moment{Time: at, Where: Place{Node: n.ID}, Kind: n.Kind, What: n.Name(), From: n.Status, Text: removed})
		}
	}
	return dropImplied(before, now, all)
}

// hasChanges reports whether a node has changes of its own: a group has none, and a finished turn is a change of its session.
func hasChanges(n *model.Node) bool {
	return n.Kind != model.KindGroup && (n.Gate == nil || !n.IsTurn())
}

// changeOf returns the text of a node's change, "" if there is none. old is nil for a new node.
func changeOf(old, n *model.Node) string {
	switch {
	case old == nil:
		return appearedAs(n.Word())
	case n.Session != nil && old.Session != nil:
		if old.Session.State != n.Session.State {
			return old.Word() + " → " + n.Word()
		}
	case old.Status != n.Status:
		return old.Status.Word() + " → " + n.Status.Word()
	case old.Raw != n.Raw:
		return "in the file: " + fileWord(old.Raw) + " → " + fileWord(n.Raw)
	case old.Count != n.Count:
		return old.Count.String() + " → " + n.Count.String()
	}
	return ""
}

// fileWord returns a file's word for a status, without arrows: one stands between two words.
func fileWord(word string) string {
	if word == "" {
		return "no status"
	}
	return strings.ReplaceAll(word, "→", "->")
}

// logged completes a change for the log. Its texts are copied, because it outlives the files they are part of. A node with a
// very long ID is dropped from the place.
func (s *Site) logged(m Moment) Moment {
	node := m.Where.Node
	if len(node) > eventText {
		node = ""
	}
	m.Where, m.Project = s.Place(node).Clone(), s.Where
	for _, text := range []*string{&m.What, &m.Text, &m.Project} {
		*text = strings.Clone(strings.ToValidUTF8((*text)[:min(len(*text), eventText)], ""))
	}
	m.Kind = model.Kind(strings.Clone(string(m.Kind)))
	return m
}

// extendLog sets the log: that of the previous index with the changes since.
func (ix *Index) extendLog(before *Index) {
	ix.seq = before.seq
	ix.Log = slices.Clip(before.Log) // appending copies the log: the previous index is still in use
	add := func(s *Site, m Moment) {
		ix.seq++
		m.Seq = ix.seq
		ix.Log = append(ix.Log, s.logged(m))
	}
	changed := func(s *Site) bool { return before.projects[s.Project.Root] != ix.projects[s.Project.Root] }
	for _, s := range ix.Sites {
		if s.Build == nil || !changed(s) {
			continue
		}
		old := before.Site(s.Place(""))
		switch {
		case old == nil && s.Project.Host != nil && before.projects[s.Project.Root] == nil: // its host has come into reach
		case old == nil:
			add(s, Moment{Time: ix.Snap.At, What: s.Where, To: s.Build.Status, Text: appearedAs(s.Build.Word())})
		case s.Build != old.Build:
			for _, m := range changesBetween(old, s, ix.Snap.At) {
				add(s, m)
			}
		}
	}
	for _, s := range before.Sites {
		if s.Build != nil && changed(s) && ix.Site(s.Place("")) == nil {
			add(s, Moment{Time: ix.Snap.At, What: s.Where, From: s.Build.Status, Text: removed})
		}
	}
	ix.Log = ix.Log[max(0, len(ix.Log)-logLimit):]
}

// dropImplied leaves out changes that another change implies: tasks of a plan that changed, nodes that came or went with their parent,
// the count of a parent with a changed child, and what waits behind another wait.
func dropImplied(before, now *Site, all []Moment) []Moment {
	changed, within := make(map[string]string, len(all)), make(map[string]bool)
	for _, m := range all {
		changed[m.Where.Node] = m.Text
		within[now.Nodes[m.Where.Node].Above] = true
	}
	isCount := func(m Moment) bool {
		was, is := before.Nodes[m.Where.Node].Node, now.Nodes[m.Where.Node].Node
		return was != nil && is != nil && m.From == m.To && was.Raw == is.Raw
	}
	isWhole := func(text string) bool { return text == removed || text == asked || strings.HasPrefix(text, appeared) }
	return slices.DeleteFunc(all, func(m Moment) bool {
		in, known := now.Nodes[m.Where.Node]
		if !known {
			in = before.Nodes[m.Where.Node]
		}
		above, too := changed[in.Above]
		isPart := too && in.Above != "" && (m.Kind == model.KindTask || m.Kind == model.KindSkill || isWhole(m.Text) && isWhole(above))
		return m.To == model.Waiting && known && now.isBehind(in.Node) || within[m.Where.Node] && isCount(m) || isPart
	})
}

// seedLimit is the number of changes from before the dashboard ran.
const seedLimit = 50

// seedLog sets the log to the changes before the dashboard ran, according to the files: the newest statuses and their times. The modification
// time of a file does not count, because a checkout sets it. These changes have no number and are never marked as unseen.
func (ix *Index) seedLog() {
	type change struct {
		site *Site
		node *model.Node
	}
	var newest []change // the oldest first, and never more than the limit: the first frame waits for this
	for _, s := range ix.Sites {
		if s.Build == nil || len(s.Build.Activity) > 0 { // the log of its agents says more than the times of its files
			continue
		}
		for _, n := range model.Walk(s.Build.Nodes) {
			if n.Since.IsZero() || n.SinceFile || n.IsArchived() || len(n.Children) > 0 && n.Kind != model.KindPlan || n.Status == model.Pending || s.isBehind(n) || s.Nodes[n.ID].Above == inboxGroup {
				continue
			}
			if len(newest) == seedLimit && !n.Since.After(newest[0].node.Since) {
				continue
			}
			i, _ := slices.BinarySearchFunc(newest, n.Since, func(o change, at time.Time) int {
				return cmp.Or(o.node.Since.Compare(at), -1) // after changes with the same time
			})
			newest = slices.Insert(newest, i, change{s, n})
			newest = newest[max(len(newest)-seedLimit, 0):]
		}
	}
	for _, c := range newest {
		n := c.node
		ix.Log = append(ix.Log, c.site.logged(Moment{Time: n.Since, Where: Place{Node: n.ID}, Kind: n.Kind, What: n.Name(), From: n.Status, To: n.Status, Text: fileWord(n.Word())}))
	}
}

// Loss is a decision that another writer has overwritten.
type Loss struct {
	model.Decision
	Site *Site
}

// newLosses returns the decisions that are overwritten now and were not before. Only projects that were read again can have some. A
// later decision about the same gate replaces a loss.
func newLosses(before, now *Index) (losses []Loss) {
	for root, px := range now.projects {
		old := before.projects[root]
		if old == nil || old == px {
			continue
		}
		known := map[string]bool{}
		for _, d := range old.project.Decisions {
			known[d.ID] = d.Overwritten
		}
		later := map[Place]bool{}
		for _, d := range px.project.Decisions { // the newest first
			at := Place{Project: root, Build: d.Build, Node: d.Node}
			if s := now.Site(at); d.Overwritten && !known[d.ID] && !later[at] && s != nil {
				losses = append(losses, Loss{d, s})
			}
			later[at] = true
		}
	}
	return losses
}

// newWaits returns the certain waits that did not exist before. A wait on a host out of reach begins when the host is back.
func newWaits(before, now []Waiting) []Waiting {
	type wait struct {
		at   Place
		text string
	}
	known := make(map[wait]bool, len(before))
	for _, w := range before {
		if (w.IsAsked() || w.IsTurn()) && !w.OutOfReach() {
			known[wait{w.At(), w.Text}] = true
		}
	}
	var began []Waiting
	for _, w := range now {
		if (w.IsAsked() || w.IsTurn()) && !w.OutOfReach() && !known[wait{w.At(), w.Text}] {
			began = append(began, w)
		}
	}
	return began
}
