// What of a run was done when: its chunks, by the times that they keep.

package fctry

import (
	"gatehouse/model"
	"gatehouse/parse/protocol"
)

// history lists the chunks that are done or have begun. How many there are was known when the run began, unless the plan counts
// others than are listed.
func (c *collector) history() {
	if c.last {
		return
	}
	h := &model.History{}
	if n := c.run.Total; n == 0 || n == len(c.nodes) {
		h.TotalSince = c.run.object.get("startedAt").time()
	}
	for i, n := range c.nodes {
		o := c.run.chunks[i]
		p := protocol.ParseWorked(o.get("startedAt").text(), o.get("completedAt").text()).Phase(n.ID, c.run.Chunks[i].State().Over())
		if p.Done || !p.Began.IsZero() {
			h.Pieces = append(h.Pieces, p)
		}
	}
	if len(h.Pieces) > 0 {
		c.b.History = h
	}
}
