package fctry

import (
	"strings"
	"testing"

	"gatehouse/model/line"
	"gatehouse/model/modeltest"
	"gatehouse/parse/nearest"
)

// TestShapes checks how rare shapes of state appear in the model and in an agent's rows, compared with the original.
func TestShapes(t *testing.T) {
	for _, c := range []struct{ name, state, metric, is, inRow, not string }{
		{"a fraction of a chunk", `{"chunkProgress": {"current": 2.5, "total": 4}}`, "chunk progress", "2.5/4", "chunk 2.5/4 ", ""},
		{"a whole number in a text", `{"chunkProgress": {"current": "2", "total": "4"}}`, "chunk progress", "2/4", "chunk 2/4 ", ""},
		{"a fraction beyond all", `{"chunkProgress": {"current": 9.5, "total": 4}}`, "chunk progress", "4/4", "chunk 4/4 ", ""},
		{"a fraction of all chunks", `{"chunkProgress": {"current": 1, "total": 2.5}}`, "chunk progress", "1/2.5", "chunk 1/2.5 ", ""},
		{"a fraction of a fraction", `{"chunkProgress": {"current": 0.5, "total": 2.5}}`, "chunk progress", "0.5/2.5", "0/2.5 ", ""},
		{"all scenarios but half of one", `{"specVersion": "1", "scenarioScore": {"satisfied": 2, "total": 2.5}}`, "scenarios", "2/2.5", "✓ 2/2.5 ", "All scenarios"},
		{"half a scenario", `{"specVersion": "1", "scenarioScore": {"satisfied": 0.5, "total": 4}}`, "scenarios", "0.5/4", "✓ 0.5/4 ", ""},
		{"sections in fractions", `{"specVersion": "1", "readinessSummary": {"aligned": 1.5, "draft": 2}}`, "sections", "1.5/3.5 built", "1.5/3.5 built", ""},
		{"evolved in fractions", `{"specVersion": "1", "readinessSummary": {"aligned": 1, "spec-ahead": 0.5, "draft": 2.25}}`, "sections", "1 built 0.5 evolved 2.25 specced of 3.75", "1 built 0.5 evolved 2.25 specced", ""},
		{"a step in fractions", `{"specVersion": "1", "readinessSummary": {"aligned": 1, "spec-ahead": 0.5, "draft": 2.25}}`, "next step", "/fctry:execute to build 0.5 evolved + 2.25 specced sections", "→ ", ""},
		{"not described in fractions", `{"specVersion": "1", "readinessSummary": {"undocumented": 1.5}}`, "next step", "/fctry:evolve to flesh out 1.5 unspecced sections", "0/1.5 built", ""},
		{"scanned in fractions", `{"currentCommand": "review", "scanProgress": {"scanned": 0.5, "total": 2.5}}`, "scanned", "0.5/2.5 sections", "scanning 0.5/2.5 ", ""},
		{"an empty list beside a total", `{"chunkProgress": {"current": 2, "total": 4, "chunks": []}}`, "chunk progress", "0/4", "0/4 ", "next  "},
		{"a list of nothing", `{"chunkProgress": {"total": 4, "chunks": [null]}}`, "chunk progress", "0/4", "0/4 ", ""},
		{"none begun", `{"chunkProgress": {"current": 0, "total": 4}}`, "chunk progress", "0/4", "next chunk 1/4", ""},
		{"all", `{"chunkProgress": {"current": 4, "total": 4}}`, "chunk progress", "4/4", "chunk 4/4", ""},
		{"a fraction of zeros", `{"chunkProgress": {"current": 2.0, "total": 4.0}}`, "chunk progress", "2/4", "chunk 2/4 ", "2.0"},
		{"with an exponent", `{"chunkProgress": {"current": 2e0, "total": 4}}`, "chunk progress", "2/4", "chunk 2/4 ", "2e0"},
		{"a larger one", `{"chunkProgress": {"current": 1e1, "total": 20}}`, "chunk progress", "10/20", "chunk 10/20 ", "1e1"},
		{"a fraction that ends in a zero", `{"chunkProgress": {"current": 2.50, "total": 4}}`, "chunk progress", "2.5/4", "chunk 2.5/4 ", "2.50"},
		{"of all chunks", `{"chunkProgress": {"current": 2, "total": 4.50}}`, "chunk progress", "2/4.5", "chunk 2/4.5 ", "4.50"},
		{"a version that is a number", `{"specVersion": 2.0}`, "spec", "2", "", "2.0"},
		{"a section that is a number", `{"currentCommand": "evolve", "activeSection": "odd", "activeSectionNumber": 2.10}`, "section", "odd (2.1)", "odd (2.1)", "2.10"},
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
		if got := modeltest.Metric(p.read(), c.metric); got != c.is {
			t.Errorf("%s: %s is %q, want %q", c.name, c.metric, got, c.is)
		}
		found, _ := nearest.Find(nearest.Place{Dir: p.root, Home: p.root, Detail: true})
		var row line.Text
		found.Facts.(line.AgentRows).ComposeRow(&row, 1, &line.Agent{Project: "app"})
		if got := string(row.Bytes()); !strings.Contains(got+" ", c.inRow) || c.not != "" && strings.Contains(got, c.not) {
			t.Errorf("%s: the row is %q, which should hold %q and not %q", c.name, got, c.inRow, c.not)
		}
	}
}
