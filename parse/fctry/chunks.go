package fctry

import (
	"slices"
	"strconv"
	"strings"

	"gatehouse/model"
	"gatehouse/model/line"
	"gatehouse/parse/doc"
	"gatehouse/parse/fctry/core"
	"gatehouse/parse/protocol"
)

// chunkStates are the status and the reason of a row by the state of its chunk.
var chunkStates = map[core.ChunkState]struct {
	status model.Status
	why    string
}{
	core.Planned:    {model.Pending, "everything it needs is done"},
	core.Active:     {model.Active, "the file says that an agent works on it"},
	core.Retrying:   {model.Retrying, "it failed and is tried again"},
	core.Waiting:    {model.Waiting, "it waits for you"},
	core.Blocked:    {model.Blocked, "its status says so"},
	core.Failed:     {model.Failed, "the executor gave it up"},
	core.Done:       {model.Done, "its status says so"},
	core.PartlyDone: {model.Done, "it is completed in part"},
}

// addChunks makes the rows of the chunks.
func (v *view) addChunks() {
	rows := protocol.Rows{}
	for i := range v.run.Chunks {
		c := &v.run.Chunks[i]
		n := &model.Node{
			ID: rows.ID("chunk/" + c.ID), Kind: model.KindChunk, Number: line.Tidy(c.ID), Title: line.Tidy(c.Name), Raw: line.Tidy(c.Status), Source: v.state.At(c.Value),
		}
		if n.Title == "" {
			n.Title = "Chunk " + n.Number
		}
		v.nodes = append(v.nodes, n)
	}
	for i, n := range v.nodes {
		v.setChunkStatus(i)
		v.addChunkFacts(i)
		for _, id := range v.run.Chunks[i].Needs {
			if at := v.run.PlaceOf(id); at >= 0 {
				n.DependsOn = append(n.DependsOn, v.nodes[at].ID)
			} else {
				n.DependsOn = append(n.DependsOn, "chunk/"+line.Tidy(id)) // no row has this ID
			}
		}
	}
	v.relateEvents()
}

// setChunkStatus sets the status of a chunk's row, and its waits.
func (v *view) setChunkStatus(i int) {
	n, c := v.nodes[i], &v.run.Chunks[i]
	state := chunkStates[c.State]
	n.Status, n.Why = state.status, state.why
	if reason := line.Tidy(c.Value.First("reason", "blockedReason", "statusReason").Text()); c.State == core.Blocked && reason != "" {
		n.Why = reason
	}
	switch _, isKnown := core.ParseChunkState(c.Status); {
	case c.IsAsked && c.State == core.Planned:
		n.Status, n.Why = model.Waiting, "waits for the answer to: "+line.Tidy(v.run.Question.Text)
	case !isKnown:
		n.Why = "its status is unknown, so it counts as planned"
	}
	if c.State != core.Planned && c.State != core.Blocked {
		return
	}
	var waits, unknown []string
	for _, need := range c.Unmet {
		if need.Place < 0 {
			unknown = append(unknown, line.Tidy(need.ID))
			waits = append(waits, line.Tidy(need.ID)+" (no such chunk)")
			continue
		}
		waits = append(waits, v.chunkName(need.Place))
		if other := &v.run.Chunks[need.Place]; c.IsHeld && (other.State == core.Failed || other.IsStuck) {
			n.BlockedBy = append(n.BlockedBy, v.nodes[need.Place].ID)
		}
	}
	if c.IsHeld && len(waits) > 0 {
		n.Why = "waits for " + protocol.ListNames(waits)
	}
	if c.IsStuck {
		n.Status = model.Blocked
	}
	if c.ClosesCircle {
		n.Why += ", and these need it in turn"
	}
	if len(unknown) > 0 && len(v.b.Problems) < maxProblems {
		v.b.Problems = append(v.b.Problems, v.unknownNeeds(c, unknown))
	}
}

// maxProblems limits the problems of a build that a hostile file can make.
const maxProblems = 100

// unknownNeeds returns the problem of a chunk that needs others that are not listed.
func (v *view) unknownNeeds(c *core.Chunk, needs []string) model.Problem {
	text := "chunk " + line.Tidy(c.ID) + " depends on " + protocol.ListNames(needs) + ", and there is no such chunk"
	if len(needs) > 1 {
		text = strings.Replace(text, "is no such chunk", "are no such chunks", 1)
	}
	return model.Problem{Pos: v.state.At(c.Value.First("dependsOn", "deps", "blockedBy")), Severity: model.Warning, Rule: "fctry-depends-on", Text: text, Fix: "name a chunk by its id"}
}

// chunkName returns a chunk as displayed: "3 Schema".
func (v *view) chunkName(i int) string {
	n := v.nodes[i]
	if n.Number == "" || n.Title == "Chunk "+n.Number {
		return n.Title
	}
	return n.Number + " " + n.Title
}

// placeOf returns a chunk's name with the word before it: "chunk 3 Schema".
func placeOf(name string) string {
	if strings.HasPrefix(name, "Chunk ") {
		return "chunk " + name[len("Chunk "):]
	}
	return "chunk " + name
}

// knownKeys are the members of a chunk that its row shows in a place of their own.
var knownKeys = []string{"id", "step", "name", "featureName", "status", "dependsOn", "deps", "blockedBy", "attempt", "retryCount", "maxRetries",
	"sections", "scenarios", "specVersionAtBuild", "startedAt", "completedAt", "failedAt"}

// addChunkFacts adds further facts about a chunk.
func (v *view) addChunkFacts(i int) {
	n, c := v.nodes[i], &v.run.Chunks[i]
	var f protocol.Facts
	if c.Attempt > 0 {
		text := strconv.Itoa(c.Attempt)
		most, ok := core.Count(c.Value.Get("maxRetries"))
		if !ok {
			most, _ = core.Count(v.state.Root.Get("execution", "maxRetriesPerChunk"))
		}
		if most > 0 {
			text += " of " + strconv.Itoa(most)
		}
		f.Add("attempt", text)
	}
	f.Add("sections", strings.Join(v.sectionNames(c.Value.Get("sections")), ", "))
	f.Add("scenarios", strings.Join(textsOf(c.Value.Get("scenarios")), ", "))
	if built := line.Tidy(c.SpecVersion); built != "" {
		if now := line.Tidy(v.Facts.Spec); now != "" && now != built {
			built += ", the spec is " + now + " now: rebuild it or keep it"
		}
		f.Add("built against spec", built)
	}
	for _, key := range [...]string{"startedAt", "completedAt", "failedAt"} {
		at := timeOf(c.Value.Get(key))
		f.AddTime(strings.TrimSuffix(key, "At"), at)
		if at.After(n.Updated) {
			n.Updated = at
		}
	}
	addRest(&f, "", c.Value, knownKeys...)
	n.Facts = f
}

// sectionNames returns the display names of the sections in a list.
func (v *view) sectionNames(list doc.Value) (all []string) {
	for _, name := range textsOf(list) {
		all = append(all, v.sectionName(name))
	}
	return all
}

// sectionName returns the display name of a section: its title and number, else as the file has it. A name is an alias or a number, with a
// remark after it or not.
func (v *view) sectionName(name string) string {
	word, remark, _ := strings.Cut(name, " ")
	found, ok := v.spec.Find(word)
	if !ok {
		return name
	}
	name = line.Tidy(found.Title)
	if found.Number != "" {
		name += " (" + line.Tidy(found.Number) + ")"
	}
	return strings.TrimSpace(name + " " + remark)
}

// addHistory adds the chunks that are done or have begun. Their number is known since the run began, unless the plan
// has others.
func (v *view) addHistory() {
	h := &model.History{}
	if n := v.run.Planned; n == 0 || n == len(v.nodes) {
		h.TotalSince = timeOf(v.run.Value.Get("startedAt"))
	}
	for i, n := range v.nodes {
		c := &v.run.Chunks[i]
		piece := protocol.ParseWorked(textOf(c.Value.Get("startedAt")), textOf(c.Value.Get("completedAt"))).Phase(n.ID, c.State.IsOver())
		if piece.Done || !piece.Began.IsZero() {
			h.Pieces = append(h.Pieces, piece)
		}
	}
	if len(h.Pieces) > 0 {
		v.b.History = h
	}
}

// firstFailed returns the place of the first chunk that failed, -1 without one.
func (v *view) firstFailed() int {
	return slices.IndexFunc(v.run.Chunks, func(c core.Chunk) bool { return c.State == core.Failed })
}

// nodeID returns the row of the chunk at a place, "" for none.
func (v *view) nodeID(place int) string {
	if place < 0 {
		return ""
	}
	return v.nodes[place].ID
}
