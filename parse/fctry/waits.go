// What waits for a human, and what keeps the agents from going on.

package fctry

import (
	"slices"
	"strings"
	"time"

	"gatehouse/model"
	"gatehouse/model/line"
	"gatehouse/parse/fctry/rules"
)

// waits lists what waits and what blocks.
func (c *collector) waits() {
	if c.files.Unreadable {
		c.b.Waits = append(c.b.Waits, model.Wait{
			Text: "state.json can't be read: nobody knows what waits in it", Evidence: model.Outstanding, Since: c.stateIs.ModTime, SinceFile: true,
			Source: model.Pos{File: stateFile},
		})
		return
	}
	if c.run.there && !c.last {
		asked := c.question()
		c.pause(asked)
		c.waitingChunks(asked)
		c.staleRun()
		c.unreadRun()
		c.partial()
		c.failures()
	}
	c.prerequisites()
	model.SortWaits(c.b.Waits)
}

// gate adds a row that stands for something a human is asked, and lists it.
func (c *collector) gate(n *model.Node, place string, since time.Time) {
	n.Kind, n.Status = model.KindGate, model.Waiting
	c.gates = append(c.gates, n)
	c.b.Waits = append(c.b.Waits, model.Wait{Node: n.ID, Text: n.Title, Place: place, Evidence: model.Signalled, Since: since, Source: n.Source})
}

// question lists the question that the run has asked, and reports whether there is one.
func (c *collector) question() bool {
	text := line.Tidy(c.run.Question)
	if text == "" {
		return false
	}
	at := c.run.asked.at
	n := &model.Node{
		ID: "gate/question", Title: text, Raw: c.run.asked.name, Why: "the executor has stopped and waits for an answer",
		Gate: &model.Gate{Approval: model.ApprovalHuman, Required: true, Asks: text}, Source: c.run.doc.pos(stateFile, at), Updated: at.get("timestamp").time(),
	}
	n.Facts = slices.DeleteFunc(rest(at, "timestamp"), func(f model.Fact) bool { return f.Value == clipped(text, factLimit) })
	for i, chunk := range c.nodes {
		if c.run.Chunks[i].Asked {
			n.Gate.Opens = append(n.Gate.Opens, chunk.ID)
		}
	}
	c.gate(n, "", n.Updated)
	return true
}

// pause lists that the run has been laid down, or waits for its user. The chunk that waits is told with it.
func (c *collector) pause(asked bool) {
	status := c.run.Status
	if status != rules.RunAwaiting && status != rules.RunPaused {
		return
	}
	at := c.run.object.first("pausedReason", "statusReason")
	reason := line.Tidy(c.run.Reason)
	since := c.run.object.first("pausedAt", "awaitingUserAt").time()
	if status == rules.RunPaused {
		c.b.Pause = &model.Pause{Reason: reason, Since: since, Source: c.run.doc.pos(stateFile, c.run.object.get("status"))}
	}
	s := c.stood
	if asked || s.Waiting >= 0 {
		return // told there, with its reason
	}
	if reason == "" {
		reason = "the build is " + strings.ReplaceAll(status, "-", " ")
	}
	n := &model.Node{
		ID: "gate/run", Title: reason, Raw: status, Why: "buildRun.status says so", Updated: since,
		Gate: &model.Gate{Approval: model.ApprovalHuman, Required: true, Asks: reason}, Source: c.run.doc.pos(stateFile, at),
	}
	c.gate(n, "", since)
}

// waitingChunks lists the chunks that wait for a human: the first with the reason that the run gives.
func (c *collector) waitingChunks(asked bool) {
	reason := line.Tidy(c.run.Reason)
	for i, n := range c.nodes {
		if n.Status != model.Waiting || c.run.Chunks[i].Asked {
			continue
		}
		o := c.run.chunks[i]
		since := o.first("awaitingUserAt", "pausedAt", "startedAt").time()
		if since.IsZero() {
			since = c.run.object.get("lastCheckpoint").time()
		}
		text := n.Title
		if reason != "" && !asked {
			text, reason = reason, ""
		}
		n.Gate = &model.Gate{Approval: model.ApprovalHuman, Required: true, Asks: text, Opens: c.opens(n.ID)}
		n.Why = "it waits for you: " + text
		c.b.Waits = append(c.b.Waits, model.Wait{Node: n.ID, Text: text, Place: "chunk " + chunkName(n), Evidence: model.Signalled, Since: since, Source: n.Source})
	}
}

// staleRun lists that a run is said to go on, and nobody has given a sign of life for long: somebody has to look.
func (c *collector) staleRun() {
	r := &c.line.Facts.Run
	if !r.Stale || r.Disputed() {
		return // said whether stale or not
	}
	x := model.Wait{Evidence: model.Outstanding, Since: c.lastSign(), Source: c.state.pos(stateFile, c.run.raw)}
	at := c.stood.Running
	if at < 0 {
		at = c.stood.Next
	}
	switch {
	case c.stuck():
		_, why := c.unstick()
		x.Node, x.Text = c.failedID(), why
	case r.Running && c.onlyCounted():
		x.Text, x.Source = "is anybody at work on chunk "+c.run.progress.At()+"? "+takenUpAsCounted, c.state.pos(stateFile, c.run.countedAt)
	case c.allDone():
		x.Text = unclosed
	case c.onlyCounted():
		x.Text, x.Source = "nobody is said to be at work: "+takenUpAsCounted, c.state.pos(stateFile, c.run.countedAt)
	case at < 0:
		x.Text = "nobody is said to be at work: /fctry:execute plans what is left"
	default:
		n := c.nodes[at]
		x.Node, x.Source, x.Place = n.ID, n.Source, "chunk "+chunkName(n)
		if c.stood.Running < 0 {
			x.Text = "nobody has begun " + chunkName(n) + ": /fctry:execute " + c.takenUp()
			break
		}
		n.Why = "its status says that it is worked on, and nothing has changed for long"
		x.Text = "is anybody at work on " + chunkName(n) + "? /fctry:execute " + c.takenUp()
	}
	x.Text = "stale: " + x.Text
	c.b.Waits = append(c.b.Waits, x)
}

// unreadRun lists that nobody can tell what the run is, whether it goes on, or whether it is over.
func (c *collector) unreadRun() {
	at, text := c.run.raw, ""
	switch {
	case c.run.Unread != "":
		at, text = c.run.unreadAt, c.unread()+": nobody knows what waits in it"
	case c.run.Waits():
		return
	case c.line.Facts.Run.Disputed():
		at, text = c.run.object.get("status"), c.dispute()
	case c.odd() == "" || c.line.Facts.Run.Stale:
		return
	case c.run.Status == "":
		text = c.oddWhy()
	default:
		at, text = c.run.object.get("status"), c.oddWhy()
	}
	c.b.Waits = append(c.b.Waits, model.Wait{
		Text: text, Evidence: model.Outstanding, Since: c.stateIs.ModTime, SinceFile: true, Source: c.state.pos(stateFile, at),
	})
}

// partial lists that a run has ended in part: somebody has to say how it goes on.
func (c *collector) partial() {
	if c.run.Status != rules.RunPartial || c.run.Waits() {
		return
	}
	_, why := c.ended()
	x := model.Wait{Text: why, Evidence: model.Outstanding, Source: c.state.pos(stateFile, c.run.object.get("status"))}
	if n := c.firstFailed(); n != nil {
		x.Node, x.Place, x.Source = n.ID, "chunk "+chunkName(n), n.Source
		x.Since = c.run.chunks[slices.Index(c.nodes, n)].get("failedAt").time()
	}
	if x.Since.IsZero() {
		x.Since = c.run.object.get("lastCheckpoint").time()
	}
	if x.SinceFile = x.Since.IsZero(); x.SinceFile {
		x.Since = c.stateIs.ModTime
	}
	c.b.Waits = append(c.b.Waits, x)
}

// opens returns the chunks that need a chunk.
func (c *collector) opens(id string) (ids []string) {
	for _, n := range c.nodes {
		for _, need := range n.DependsOn {
			if need == id {
				ids = append(ids, n.ID)
			}
		}
	}
	return ids
}

// failures lists the chunks that failed and hold up others, and what no chunk is.
func (c *collector) failures() {
	c.b.Blockers = append(c.b.Blockers, c.circled...)
	held := map[string]bool{}
	for _, n := range c.nodes {
		for _, id := range n.BlockedBy {
			held[id] = true
		}
	}
	for i, n := range c.nodes {
		switch {
		case n.Status == model.Failed:
			c.b.Blockers = append(c.b.Blockers, model.Blocker{
				Text: "chunk " + chunkName(n) + " failed", Node: n.ID, Since: c.run.chunks[i].get("failedAt").time(), Source: n.Source, Concern: !held[n.ID],
			})
		case n.Status == model.Blocked && len(n.BlockedBy) == 0:
			c.b.Blockers = append(c.b.Blockers, model.Blocker{Text: "chunk " + chunkName(n) + " " + n.Why, Node: n.ID, Source: n.Source})
		}
	}
	if e := c.state.top.get("escalation"); len(e.members()) > 0 {
		c.b.Blockers = append(c.b.Blockers, model.Blocker{Text: e.first("cause", "evidence", "action").text(), Owner: e.get("severity").text(), Source: c.state.pos(stateFile, c.state.top.get("escalation"))})
	}
}
