package fctry

import (
	"strconv"
	"strings"
	"time"

	"gatehouse/model"
	"gatehouse/model/line"
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

// addEvents joins the events in the state with those it held before: it keeps the last 100, and a new session empties it.
func (v *view) addEvents() {
	var events []model.Activity
	for element := range elementsOf(v.Root.Get("buildEvents")) {
		if element.Is(doc.Map) {
			events = append(events, parseEvent(element))
		}
	}
	v.kept.events.Add(events)
	v.b.Activity = v.kept.events.All()
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
	if v.isLast {
		return
	}
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

// addContextFacts adds how the context window is used. Events count before the state.
func (v *view) addContextFacts(f *protocol.Facts) {
	state, health := v.Root.Get("contextState"), v.Root.Get("contextHealth")
	if !v.run.Exists && state.Len() == 0 && len(v.b.Activity) == 0 && health.Len() == 0 {
		return
	}
	isolation, checkpoint := "", time.Time{}
	see := func(at time.Time) {
		if at.After(checkpoint) {
			checkpoint = at
		}
	}
	for i := range v.b.Activity {
		switch e := &v.b.Activity[i]; e.Kind {
		case contextBoundary:
			isolation = isolationOf(e)
		case contextCheckpointed:
			see(e.At)
		}
	}
	see(timeOf(v.run.Value.Get("lastCheckpoint")))
	see(timeOf(state.Get("lastCheckpoint")))
	if isolation == "" {
		isolation = textOf(state.Get("isolationMode"))
	}
	if isolation == "" {
		isolation = "standard"
	}
	f.Add("context isolation", isolation)
	usage := textOf(state.Get("usage"))
	if usage == "" {
		usage = textOf(v.Root.Get("contextUsage"))
	}
	if usage != "" {
		f.Add("context used", usage+" %")
	}
	f.AddTime("last checkpoint", checkpoint)
	if n, ok := core.Count(health.Get("compactionCount")); ok {
		f.Add("context compacted", strconv.Itoa(n)+" times")
	}
	for member := range state.Get("attribution").Members() {
		f.Add("context of "+line.Tidy(member.Key()), textOf(member))
	}
}

// isolationOf returns the mode that an event of a boundary names.
func isolationOf(e *model.Activity) string {
	for _, d := range e.Details {
		if d.Label == "isolationMode" || d.Label == "mode" {
			return d.Value
		}
	}
	for _, mode := range [...]string{"subagent", "fresh session", "fresh", "isolated"} {
		if strings.Contains(strings.ToLower(e.Text), mode) {
			return mode
		}
	}
	return "boundary"
}
