// A checkpoint that has been reached: STATE.md says that a human is awaited. A checkpoint in a plan is none by itself.

package gsd

import (
	"time"

	"gatehouse/model"
	"gatehouse/model/line"
	"gatehouse/parse/gsd/rules"
	"gatehouse/parse/protocol"
)

// reached lists what STATE.md says is awaited from a human in the phase that it is at, unless that waits already.
func (c *collector) reached() {
	s := c.state
	for _, said := range []struct {
		text string
		line int
	}{{s.bodyStatus, s.bodyStatusLine}, {s.line.Status, s.statusLine}, {s.plan, s.planLine}, {s.stoppedAt, s.stoppedLine}} {
		if !rules.AwaitsHuman(said.text) {
			continue
		}
		p := c.current
		if number, plan := rules.PlanIn(said.text); plan != "" {
			if q := c.named(number); q != nil {
				if s := c.plans[planKey(q, plan)]; s != nil && c.wentPast(s) {
					continue
				}
				p = q
			}
		}
		if p == nil || p.past != "" || p.closed {
			continue // the next may be truer
		}
		if c.waitsIn(p) {
			return
		}
		n := &model.Node{
			ID: "gate/" + p.part() + "/STATE.md", Kind: model.KindGate, Title: line.Tidy(said.text), Status: model.Waiting, Raw: "awaited",
			Why:    "STATE.md says that a human is awaited",
			Gate:   &model.Gate{Approval: model.ApprovalHuman, Required: true, Asks: line.Tidy(said.text), Opens: []string{phaseNode(p)}},
			Source: model.Pos{File: c.b.File, Line: said.line}, Updated: s.updated,
		}
		c.add(p, n)
		c.wait(p, n, model.Checkpoint, saidAt(s.updated, c.stateIs.ModTime))
		return
	}
}

// wentPast reports whether a plan was finished after STATE.md said that a human is awaited in it, or another took its place.
func (c *collector) wentPast(s *planState) bool {
	return s.plan.superseded || s.summary != nil && rules.WentPast(s.summary.status, momentOf(protocol.ParseTime(s.summary.completed), s.sumEntry.ModTime), momentOf(c.state.updated, c.stateIs.ModTime))
}

func momentOf(said, file time.Time) rules.Moment {
	m := rules.Moment{File: file.Unix()}
	if !said.IsZero() {
		m.Said = said.Unix()
	}
	return m
}
