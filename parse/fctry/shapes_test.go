package fctry

import (
	"strings"
	"testing"

	"gatehouse/model/line"
	"gatehouse/parse/nearest"
)

// TestShapes holds what is told of shapes that are seldom, in the model and in an agent's rows, as the original tells them.
func TestShapes(t *testing.T) {
	for _, c := range []struct{ name, state, metric, is, told, not string }{
		{"a fraction of a chunk", `{"chunkProgress": {"current": 2.5, "total": 4}}`, "chunk progress", "2.5/4", "chunk 2.5/4 ", ""},
		{"a whole number in a text", `{"chunkProgress": {"current": "2", "total": "4"}}`, "chunk progress", "2/4", "chunk 2/4 ", ""},
		{"a fraction beyond all", `{"chunkProgress": {"current": 9.5, "total": 4}}`, "chunk progress", "4/4", "chunk 4/4 ", ""},
		{"an empty list beside a total", `{"chunkProgress": {"current": 2, "total": 4, "chunks": []}}`, "chunk progress", "0/4", "0/4 ", "next  "},
		{"a list of nothing", `{"chunkProgress": {"total": 4, "chunks": [null]}}`, "chunk progress", "0/4", "0/4 ", ""},
		{"none begun", `{"chunkProgress": {"current": 0, "total": 4}}`, "chunk progress", "0/4", "next chunk 1/4", ""},
		{"all", `{"chunkProgress": {"current": 4, "total": 4}}`, "chunk progress", "4/4", "chunk 4/4", ""},
		{"upgraded, and no more said", `{"upgradeApplied": true}`, "upgraded", "yes", "⇧ upgraded", ""},
		{"upgraded, in words", `{"upgradeApplied": "0.66"}`, "upgraded", "yes", "⇧ upgraded", ""},
		{"upgraded from somewhere", `{"upgradeApplied": {"to": "0.66"}}`, "upgraded", "to 0.66", "⇧ upgraded", ""},
		{"upgraded", `{"upgradeApplied": {"from": "0.65", "to": "0.66"}}`, "upgraded", "0.65 → 0.66", "⇧ upgraded", ""},
		{"not upgraded", `{"upgradeApplied": false}`, "upgraded", "", "→ ", "upgraded"},
		{"a score without what is satisfied", `{"specVersion": "1", "scenarioScore": {"total": 5}}`, "next step", "/fctry:evolve to refine, or /fctry:execute to build", "0/5", ""},
		{"none satisfied", `{"specVersion": "1", "scenarioScore": {"satisfied": null, "total": 5}}`, "next step", "/fctry:execute to satisfy remaining scenarios", "0/5", ""},
		{"a word for what is satisfied", `{"specVersion": "1", "scenarioScore": {"satisfied": "few", "total": 5}}`, "next step", "/fctry:evolve to refine, or /fctry:execute to build", "0/5", ""},
	} {
		p := newProject(t, map[string]string{stateFile: c.state})
		if got := metric(p.read(), c.metric); got != c.is {
			t.Errorf("%s: %s is %q, want %q", c.name, c.metric, got, c.is)
		}
		found, _ := nearest.Find(nearest.Place{Dir: p.root, Home: p.root, Detail: true})
		var row line.Text
		found.Facts.(line.AgentRows).ComposeRow(&row, 1, &line.Agent{Project: "app"})
		if got := string(row.Bytes()); !strings.Contains(got+" ", c.told) || c.not != "" && strings.Contains(got, c.not) {
			t.Errorf("%s: the row is %q, which should hold %q and not %q", c.name, got, c.told, c.not)
		}
	}
}
