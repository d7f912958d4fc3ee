// What of a milestone was done when: its plans, by what their summaries say.

package gsd

import "gatehouse/model"

// history lists the plans of the phases that count.
func (c *collector) history() {
	h := &model.History{}
	for _, p := range c.counted {
		plans, _ := p.live()
		for _, s := range plans {
			if s.summary == nil {
				continue
			}
			took, _ := duration(s.summary.worked.Took)
			h.Pieces = append(h.Pieces, s.summary.worked.Plan(planNode(s), phaseNode(p), model.Millis(took.Milliseconds())))
		}
	}
	for _, p := range c.nowCounted() {
		if plans, _ := p.live(); len(plans) == 0 && !p.closed && (p.road == nil || !p.road.retired) {
			h.Unplanned++
		}
	}
	if len(h.Pieces) > 0 {
		c.b.History = h
	}
}
