package tuitest

// A build of chunks with a graph, a log, numbers and an inbox.

import (
	"strconv"
	"time"

	"gatehouse/model"
)

func chunk(id, title string, status model.Status, raw string, age time.Duration, needs ...string) *model.Node {
	n := &model.Node{ID: "chunk/" + id, Kind: model.KindChunk, Number: id, Title: title, Status: status, Raw: raw,
		Source: model.Pos{File: ".fctry/state.json", Line: 20, Col: 9}}
	if age > 0 {
		n.Updated, n.Since = Ago(age), Ago(age)
	}
	for _, need := range needs {
		n.DependsOn = append(n.DependsOn, "chunk/"+need)
	}
	return n
}

func InboxRow(id, kind, title string, status model.Status, raw string, age time.Duration) *model.Node {
	n := &model.Node{ID: "inbox/" + id, Kind: model.KindTask, Title: title, Status: status, Raw: raw, Updated: Ago(age),
		Facts: []model.Fact{{Label: "type", Value: kind}}, Source: model.Pos{File: ".fctry/inbox.json", Line: 3, Col: 3}}
	if !status.Closed() {
		n.Can = []model.Verb{model.VerbDismiss}
	}
	return n
}

// ReaderBuild is a build of chunks: a retry, a failed verification, a pair of chunks that need each other.
func ReaderBuild() *model.Build {
	nodes := []*model.Node{
		chunk("1", "Schema", model.Done, "completed", 5*time.Hour),
		chunk("2", "Feed fetcher", model.Done, "completed", 4*time.Hour, "1"),
		chunk("3", "Article store", model.Done, "completed", 3*time.Hour, "1"),
		chunk("4", "Parser", model.Done, "completed-partial", 2*time.Hour, "2"),
		chunk("5", "API", model.Retrying, "retrying", 4*time.Minute, "3", "4", "1"),
		chunk("6", "Full-text search", model.Active, "active", 9*time.Minute, "3"),
		chunk("7", "Import of other readers' lists", model.Failed, "failed", time.Hour, "4"),
		chunk("8", "Offline copy", model.Pending, "planned", 0, "5", "3"),
		chunk("9", "Reading list", model.Pending, "planned", 0, "5", "6"),
		chunk("10", "Sync between devices", model.Blocked, "", 0, "7", "5"),
		chunk("11", "Release", model.Pending, "planned", 0, "8", "9", "1"),
		chunk("12", "Icons", model.Pending, "planned", 0),
		chunk("13", "Theme editor", model.Blocked, "", 0, "14", "12"),
		chunk("14", "Theme store", model.Blocked, "", 0, "13"),
	}
	nodes[9].BlockedBy = []string{"chunk/7"}
	nodes[4].Facts = []model.Fact{{Label: "attempt", Value: "2 of 3"}}
	activity := func(age time.Duration, family model.Family, kind, node, text string, status model.Status, alert bool, details ...model.Fact) model.Activity {
		return model.Activity{At: Ago(age), Family: family, Kind: kind, Node: node, Text: text, Status: status, Alert: alert, Details: details,
			Source: model.Pos{File: ".fctry/state.json", Line: 90}}
	}
	group := &model.Node{ID: "group/inbox", Kind: model.KindGroup, Title: "Inbox", Status: model.Active, Count: model.Count{Done: 2, Total: 5}, Children: []*model.Node{
		InboxRow("e", "evolve", "Mark an article as read by scrolling past it", model.Pending, "pending", 10*time.Minute),
		InboxRow("d", "reference", "https://example.org/on-reading-long-texts-on-small-screens", model.Active, "processing", time.Hour),
		InboxRow("c", "feature", "Read aloud", model.Failed, "error", 2*Day),
		InboxRow("b", "reference", "How others do search", model.Done, "incorporated", 3*Day),
		InboxRow("a", "evolve", "A mascot", model.Skipped, "dismissed", 9*Day),
	}}
	b := &model.Build{
		ID: "fctry", Protocol: "fctry", Title: "spec 1.4", Dir: ".fctry", File: ".fctry/state.json", Status: model.Retrying, Raw: "running",
		Why: "4 of 14 chunks done, 2 running, 1 failed", Nodes: append(nodes, group), Now: "chunk/5",
		Progress: model.Progress{Known: true, Percent: 28, Chunks: model.Count{Done: 4, Total: 14}},
		Next:     &model.Next{Command: "/fctry:execute", Why: "chunk 12/14 Icons has all that it needs", Node: "chunk/12", Derived: true},
		Blockers: []model.Blocker{{Text: "chunk 7 Import failed", Node: "chunk/7", Source: model.Pos{File: ".fctry/state.json", Line: 40}}},
		Activity: []model.Activity{
			activity(5*time.Hour, model.FamilyChunks, "chunk-completed", "chunk/1", "chunk completed", model.Done, false),
			activity(3*time.Hour, model.FamilyScenarios, "scenario-evaluated", "", "A reader opens a feed that is gone: satisfied", model.Done, false),
			activity(90*time.Minute, model.FamilyVerification, "verification-failed", "chunk/4", "2/4 checks passed", model.Failed, true),
			activity(time.Hour, model.FamilyVerification, "chunk-verified", "chunk/4", "4/4 checks passed", model.Done, false),
			activity(31*time.Minute, model.FamilyContext, "context-checkpointed", "", "context checkpointed", model.Unknown, false),
			activity(20*time.Minute, model.FamilyVerification, "verification-failed", "chunk/5", "1/3 checks passed", model.Failed, true,
				model.Fact{Label: "lists feeds", Value: "pass"}, model.Fact{Label: "refuses a feed twice", Value: "fail"}, model.Fact{Label: "pages", Value: "fail, retried"},
				model.Fact{Label: "mode", Value: "full"}, model.Fact{Label: "screenshot", Value: ".fctry/verification/5.png"}),
			activity(9*time.Minute, model.FamilyChunks, "chunk-started", "chunk/6", "chunk started", model.Active, false),
			activity(4*time.Minute, model.FamilyChunks, "chunk-retrying", "chunk/5", "attempt 2: a feed was stored twice", model.Retrying, false,
				model.Fact{Label: "reason", Value: "the address was compared before it was made canonical"}),
		},
		Metrics: []model.Fact{{Label: "version", Value: "0.9.2"}, {Label: "spec", Value: "1.4"}, {Label: "spec status", Value: "active"}, {Label: "scenarios", Value: "6/11"},
			{Label: "scenarios partial", Value: "2"}, {Label: "sections", Value: "9/21 built"}, {Label: "context isolation", Value: "subagent"}, {Label: "context usage", Value: "61%"},
			{Label: "last checkpoint", Value: "2026-03-14 11:29:00"}, {Label: "resume", Value: "go on with 12 Icons (4 done, 10 left), start fresh, or cancel"},
			{Label: "told by state-owner", Value: "The store is ahead of the spec in two places."}, {Label: "told by interviewer", Value: "Five decisions, one of them open."}},
		Divergences: []model.Divergence{{Claim: "buildRun.chunkProgress counts 5 of 14 chunks as completed", Truth: "4 of the 14 listed are", Source: model.Pos{File: ".fctry/state.json", Line: 12}}},
		Can:         []model.Verb{model.VerbAdd, model.VerbSync},
		Freshness:   model.Freshness{Changed: Ago(4 * time.Minute)},
		Header:      FixedLine{"spec 1.4 [██░░░░░░░░] 28% · chunk 5/14 API r2 +1", "c5/14 · retrying"},
	}
	b.Claimed = b.Header
	return b
}

func Reader() *model.Snapshot {
	return &model.Snapshot{Version: 1, At: Noon, Projects: []*model.Project{{Root: "/src/reader", Name: "reader", Builds: []*model.Build{ReaderBuild()}}}}
}

// Measured returns the shop with logged attempts.
func Measured() *model.Snapshot {
	snap := Shop()
	b := snap.Projects[0].Builds[0]
	var attempts []model.Attempt
	var finished []model.Finish
	h := &model.History{}
	for i, n := range b.OfKind(model.KindPlan) {
		if n.Status != model.Done {
			continue
		}
		at := Noon.AddDate(0, 0, i-13)
		phase := "phase/" + n.Number[:2]
		attempts = append(attempts, model.Attempt{At: at, Phase: phase, Plan: n.ID, Outcome: model.OutcomeSuccess, Number: 1, Took: model.Millis(240_000 + 97_000*i), Timed: true, Files: 3})
		if i%3 == 0 {
			attempts = append(attempts, model.Attempt{At: at, Phase: phase, Plan: n.ID, Outcome: model.OutcomeFailure, Number: 2, Took: 31_000, Timed: true})
		}
		took := model.Millis(1_500_000 + 120_000*(i%4))
		h.Pieces = append(h.Pieces, model.Piece{Node: n.ID, Phase: phase, Done: true, Began: at.Add(-took.Duration()), Ended: at, Took: took})
		finished = append(finished, model.Finish{Plan: n.ID, On: at.Format(time.DateOnly), Took: took, Timed: true})
	}
	b.Measured, b.History = model.NewMetrics(attempts, finished, time.UTC), h
	b.Reckon(Noon)
	b.Metrics = []model.Fact{{Label: "Total plans completed", Value: "9"}, {Label: "Last 3 plans", Value: "03-01, 03-02, 04.5-01"}}
	return snap
}

// Web returns a build of n chunks, most of which need some earlier ones.
func Web(n int) *model.Snapshot {
	b := &model.Build{ID: "fctry", Title: "spec 1", Status: model.Active, File: ".fctry/state.json", Freshness: model.Freshness{Changed: Noon}}
	for i := range n {
		x := chunk(strconv.Itoa(i), "A chunk of some kind", model.Statuses()[i%9], "", 0)
		for _, back := range []int{7, 13, 40} {
			if i >= back+2 {
				x.DependsOn = append(x.DependsOn, "chunk/"+strconv.Itoa(i-back-i%3))
			}
		}
		b.Nodes = append(b.Nodes, x)
	}
	return &model.Snapshot{Version: 1, At: Noon, Projects: []*model.Project{{Root: "/src/web", Name: "web", Builds: []*model.Build{b}}}}
}
