// What the agents of a build have written down: lifecycle, verification and context events.

package fctry

import (
	"strconv"
	"strings"
	"time"

	"gatehouse/model"
	"gatehouse/model/line"
	"gatehouse/parse/doc"
)

// families are the kinds of events that are known; any other counts among the chunks'.
var families = map[string]model.Family{
	"chunk-started": model.FamilyChunks, "chunk-completed": model.FamilyChunks, "chunk-retrying": model.FamilyChunks, "chunk-failed": model.FamilyChunks,
	"section-started": model.FamilyChunks, "section-completed": model.FamilyChunks, "agent-started-section": model.FamilyChunks,
	"agent-completed-section": model.FamilyChunks, "interview-started": model.FamilyChunks, "interview-completed": model.FamilyChunks,
	"build-completed": model.FamilyChunks, "build-paused": model.FamilyChunks,
	"scenario-evaluated": model.FamilyScenarios,
	"tool-call":          model.FamilyTools, "external-tool": model.FamilyTools,
	kindVerified: model.FamilyVerification, kindFailed: model.FamilyVerification, kindEscalation: model.FamilyVerification,
	kindRegressed: model.FamilyVerification, "ratchet-passed": model.FamilyVerification,
	kindCompacted: model.FamilyContext, kindCheckpointed: model.FamilyContext, kindBoundary: model.FamilyContext, "context-new": model.FamilyContext,
	"checkpoint-saved": model.FamilyContext,
}

// The kinds of events that mean something beyond their family.
const (
	kindVerified     = "chunk-verified"
	kindFailed       = "verification-failed"
	kindEscalation   = "escalation-emitted"
	kindRegressed    = "ratchet-regressed"
	kindCompacted    = "context-compacted"
	kindCheckpointed = "context-checkpointed"
	kindBoundary     = "context-boundary"
	kindRetrying     = "chunk-retrying"
)

// alarming is from which attempt on a retry is an alert.
const alarming = 3

// events reads the events that the state holds now, and joins them with those it held before: it keeps the last 100, and a
// new session empties it.
func (c *collector) events() {
	var told []model.Activity
	for _, v := range c.state.top.get("buildEvents").list() {
		if v.kind() == doc.Map {
			told = append(told, activity(v))
		}
	}
	c.kept.events.Add(told)
	c.b.Activity = c.kept.events.All()
}

const (
	// eventLimit is how many characters of an event's text are kept, and of its kind and of the name of its chunk.
	eventLimit = 2000
	// checksLimit is how many checks of an event are kept.
	checksLimit = 100
)

// activity reads an event.
func activity(o value) model.Activity {
	kind := clipped(o.get("kind").text(), eventLimit)
	a := model.Activity{At: o.get("timestamp").time(), Kind: kind, Family: families[kind], Chunk: clipped(o.get("chunk").text(), eventLimit)}
	if a.Family == "" {
		a.Family = model.FamilyChunks
	}
	a.Text = clipped(o.first("summary", "reason", "detail", "cause", "scenario", "section", "result").text(), eventLimit)
	if a.Text == "" {
		a.Text = strings.ReplaceAll(kind, "-", " ")
	}
	checks := o.get("checks")
	for i, v := range checks.list() {
		if i == checksLimit {
			break
		}
		check := v
		result := check.get("result").text()
		if check.get("retried").text() == "true" {
			result += ", retried"
		}
		a.Details = append(a.Details, fact(check.get("name").text(), result)...)
	}
	a.Details = append(a.Details, rest(o, "kind", "timestamp", "chunk", "summary", "checks")...)
	attempt, _ := o.get("attempt").count()
	switch kind {
	case kindFailed, kindEscalation, kindRegressed, kindCompacted:
		a.Alert = true
	case kindRetrying:
		a.Alert = attempt >= alarming
	}
	return a
}

// relate gives the events the rows they are about: a chunk's name, which may carry its number before it, or its ID.
func (c *collector) relate() {
	byName := map[string]string{}
	for i, n := range c.nodes {
		if !c.last {
			for _, name := range []string{n.Title, "Chunk " + n.Number, n.Number, "Chunk " + strconv.Itoa(i+1)} {
				if _, taken := byName[name]; !taken && name != "" {
					byName[name] = n.ID
				}
			}
		}
	}
	for i := range c.b.Activity {
		event := &c.b.Activity[i] // of a list that is this build's own
		name := event.Chunk
		head, title, _ := strings.Cut(name, ": ")
		for _, key := range []string{name, title, head} {
			if id := byName[key]; id != "" && key != "" {
				event.Node = id
				break
			}
		}
	}
}

// contextFacts say how the context window is used: the events go before what the state says.
func (c *collector) contextFacts() (facts []model.Fact) {
	state := c.state.top.get("contextState")
	health := c.state.top.get("contextHealth")
	isolation, checkpoint := "", time.Time{}
	for i := range c.b.Activity {
		switch e := &c.b.Activity[i]; e.Kind {
		case kindBoundary:
			isolation = isolationOf(e)
		case kindCheckpointed:
			if e.At.After(checkpoint) {
				checkpoint = e.At
			}
		}
	}
	if isolation == "" {
		isolation = state.get("isolationMode").text()
	}
	for _, t := range []time.Time{c.run.object.get("lastCheckpoint").time(), state.get("lastCheckpoint").time()} {
		if t.After(checkpoint) {
			checkpoint = t
		}
	}
	if !c.run.there && len(state.members()) == 0 && len(c.b.Activity) == 0 && len(health.members()) == 0 {
		return nil
	}
	if isolation == "" {
		isolation = "standard"
	}
	facts = append(facts, fact("context isolation", isolation)...)
	if usage := state.first("usage").text(); usage != "" {
		facts = append(facts, fact("context used", usage+" %")...)
	} else if usage := c.state.top.get("contextUsage").text(); usage != "" {
		facts = append(facts, fact("context used", usage+" %")...)
	}
	facts = append(facts, timeFact("last checkpoint", checkpoint)...)
	if n, ok := health.get("compactionCount").count(); ok {
		facts = append(facts, fact("context compacted", strconv.Itoa(n)+" times")...)
	}
	for _, m := range state.get("attribution").members() {
		facts = append(facts, fact("context of "+line.Tidy(m.key), m.value.text())...)
	}
	return facts
}

// isolationOf returns the mode that a boundary says, "fresh session" where its text names none.
func isolationOf(e *model.Activity) string {
	for _, d := range e.Details {
		if d.Label == "isolationMode" || d.Label == "mode" {
			return d.Value
		}
	}
	for _, mode := range []string{"subagent", "fresh session", "fresh", "isolated"} {
		if strings.Contains(strings.ToLower(e.Text), mode) {
			return mode
		}
	}
	return "boundary"
}
