package fctry

import (
	"strconv"
	"strings"

	"gatehouse/model"
	"gatehouse/parse/doc"
	"gatehouse/parse/fctry/core"
	"gatehouse/parse/protocol"
)

// The kinds of events that mean something beyond their family.
const (
	chunkRetrying       = "chunk-retrying"
	chunkVerified       = "chunk-verified"
	verificationFailed  = "verification-failed"
	contextBoundary     = "context-boundary"
	contextCheckpointed = "context-checkpointed"
	contextCompacted    = "context-compacted"
)

// families are the families of the known kinds of events. Others count as events of chunks.
var families = map[string]model.Family{
	"chunk-started": model.FamilyChunks, "chunk-completed": model.FamilyChunks, chunkRetrying: model.FamilyChunks, "chunk-failed": model.FamilyChunks,
	"section-started": model.FamilyChunks, "section-completed": model.FamilyChunks, "agent-started-section": model.FamilyChunks,
	"agent-completed-section": model.FamilyChunks, "interview-started": model.FamilyChunks, "interview-completed": model.FamilyChunks,
	"build-completed": model.FamilyChunks, "build-paused": model.FamilyChunks, "scenario-evaluated": model.FamilyScenarios,
	"tool-call": model.FamilyTools, "external-tool": model.FamilyTools,
	chunkVerified: model.FamilyVerification, verificationFailed: model.FamilyVerification, "escalation-emitted": model.FamilyVerification,
	"ratchet-regressed": model.FamilyVerification, "ratchet-passed": model.FamilyVerification,
	contextCompacted: model.FamilyContext, contextCheckpointed: model.FamilyContext, contextBoundary: model.FamilyContext, "context-new": model.FamilyContext,
	"checkpoint-saved": model.FamilyContext,
}

const (
	maxEventText = 2000 // characters
	maxChecks    = 100  // of an event
)

// addEvents adds the events in the state.
func (v *view) addEvents() {
	for element := range elementsOf(v.Root.Get("buildEvents")) {
		if element.Is(doc.Map) {
			v.b.Activity = append(v.b.Activity, parseEvent(element))
		}
	}
	v.b.Activity = model.MergeActivities(v.b.Activity)
}

func parseEvent(event doc.Value) model.Activity {
	text := func(keys ...string) string { return protocol.Clip(firstText(event, keys...), maxEventText) }
	a := model.Activity{At: timeOf(event.Get("timestamp")), Kind: text("kind"), Chunk: text("chunk")}
	if a.Family = families[a.Kind]; a.Family == "" {
		a.Family = model.FamilyChunks
	}
	if a.Text = text("summary", "reason", "detail", "cause", "scenario", "section", "result"); a.Text == "" {
		a.Text = strings.ReplaceAll(a.Kind, "-", " ")
	}
	var f protocol.Facts
	n := 0
	for check := range event.Get("checks").Elements() {
		if n++; n > maxChecks {
			break
		}
		result := textOf(check.Get("result"))
		if isRetried, _ := check.Get("retried").Bool(); isRetried {
			result += ", retried"
		}
		f.Add(textOf(check.Get("name")), result)
	}
	addRest(&f, "", event, "kind", "timestamp", "chunk", "summary", "checks")
	a.Details = f
	switch a.Kind {
	case verificationFailed, "escalation-emitted", "ratchet-regressed", contextCompacted:
		a.Alert = true
	case chunkRetrying:
		attempt, _ := core.Count(event.Get("attempt"))
		a.Alert = attempt >= 3
	}
	return a
}

// relateEvents gives the events the rows of their chunks: by name, by ID, or by both as in "Chunk 3: Schema".
func (v *view) relateEvents() {
	rows := map[string]string{}
	for i, n := range v.nodes {
		for _, name := range [...]string{n.Title, "Chunk " + n.Number, n.Number, "Chunk " + strconv.Itoa(i+1)} {
			if rows[name] == "" && name != "" {
				rows[name] = n.ID
			}
		}
	}
	for i := range v.b.Activity {
		event := &v.b.Activity[i]
		number, title, _ := strings.Cut(event.Chunk, ": ")
		for _, name := range [...]string{event.Chunk, title, number} {
			if event.Node == "" {
				event.Node = rows[name]
			}
		}
	}
}

// addContextFacts adds how the context window is used: by events, and the last checkpoint of the run.
func (v *view) addContextFacts(f *protocol.Facts) {
	if !v.run.Exists && len(v.b.Activity) == 0 {
		return
	}
	isolation, checkpoint := "standard", timeOf(v.run.Value.Get("lastCheckpoint"))
	for i := range v.b.Activity {
		switch e := &v.b.Activity[i]; {
		case e.Kind == contextBoundary:
			isolation = isolationOf(e)
		case e.Kind == contextCheckpointed && e.At.After(checkpoint):
			checkpoint = e.At
		}
	}
	f.Add("context isolation", isolation)
	f.AddTime("last checkpoint", checkpoint)
}

// isolationOf returns the mode that an event of a boundary names.
func isolationOf(e *model.Activity) string {
	for _, mode := range [...]string{"subagent", "fresh session", "isolated"} {
		if strings.Contains(strings.ToLower(e.Text), mode) {
			return mode
		}
	}
	return "boundary"
}
