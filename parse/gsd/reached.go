// A checkpoint that has been reached: STATE.md says that a human is awaited. A checkpoint in a plan is none by itself.

package gsd

import (
	"regexp"
	"strings"

	"gatehouse/model"
	"gatehouse/model/line"
	"gatehouse/parse/gsd/rules"
	"gatehouse/parse/reader"
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
		if id := planNumber.FindString(said.text); id != "" {
			if q := c.named(id[:strings.LastIndexByte(id, '-')]); q != nil {
				if s := c.plans[planKey(q, id)]; s != nil && c.wentPast(s) {
					continue
				}
				p = q
			}
		}
		if p == nil || p.past != "" || p.closed || c.waitsIn(p) {
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

// wentPast reports whether a plan was finished after STATE.md said that a human is awaited in it. That it has a summary does
// not say so: agents write one and leave the last task to the human. The newer of the two counts, by the times that both
// name, or those of the files where the summary names none; where STATE.md names none, that is the summary.
func (c *collector) wentPast(s *planState) bool {
	if s.summary == nil || rules.AwaitsHuman(s.summary.status) {
		return false
	}
	switch done := reader.Time(s.summary.completed); {
	case c.state.updated.IsZero():
		return true
	case !done.IsZero():
		return done.After(c.state.updated)
	}
	return s.sumEntry.ModTime.Sub(c.stateIs.ModTime) > staleMargin
}

// planNumber finds a plan in a sentence: "215-02-PLAN.md Tasks 1-3", "89-03 CHECKPOINT".
var planNumber = regexp.MustCompile(`\b\d+[A-Za-z]?(\.\d+)*-\d{2}\b`)
