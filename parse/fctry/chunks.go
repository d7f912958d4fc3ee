// The chunks as rows of the tree, with what each of them waits for.

package fctry

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"gatehouse/model"
	"gatehouse/model/line"
	"gatehouse/parse/fctry/rules"
)

// names gives IDs that are used once each: how often each was wanted.
type names map[string]int

// take returns a name, with a number behind it where it is taken already.
func (t names) take(name string) string {
	free := name
	for t[free] > 0 {
		t[name]++
		free = name + "#" + strconv.Itoa(t[name])
	}
	t[free] = 1
	return free
}

// chunks makes the rows of the chunks and the graph that they form.
func (c *collector) chunks() {
	used := names{}
	byID := map[string]string{}
	for i := range c.run.Chunks {
		x := &c.run.Chunks[i]
		n := &model.Node{
			ID: used.take("chunk/" + line.Tidy(x.ID)), Kind: model.KindChunk, Number: line.Tidy(x.ID), Title: line.Tidy(x.Name), Raw: line.Tidy(x.Status),
			Source: c.run.doc.pos(stateFile, c.run.places[i]),
		}
		if c.last {
			n.Archive()
		}
		if n.Title == "" {
			n.Title = "Chunk " + n.Number
		}
		if _, taken := byID[x.ID]; !taken {
			byID[x.ID] = n.ID
		}
		c.nodes = append(c.nodes, n)
	}
	for i, n := range c.nodes {
		for _, need := range c.run.Chunks[i].Needs {
			id, ok := byID[need]
			if !ok {
				id = "chunk/" + line.Tidy(need) // which is no row
			}
			n.DependsOn = append(n.DependsOn, id)
		}
	}
	c.graph = model.NewGraph(c.nodes)
	c.statuses(byID)
	for i := range c.nodes {
		c.chunkFacts(i)
	}
	c.relate()
}

// statuses says how each chunk stands, in an order in which what it needs comes first.
func (c *collector) statuses(byID map[string]string) {
	layers, stuck := c.graph.Layers()
	for _, layer := range append(layers, stuck) {
		for _, i := range layer {
			c.nodes[i].Status, c.nodes[i].Why = chunkStatus(&c.run.Chunks[i])
			if c.run.Chunks[i].Asked && c.nodes[i].Status == model.Pending {
				c.nodes[i].Status, c.nodes[i].Why = model.Waiting, "waits for the answer to: "+line.Tidy(c.run.Question)
			}
		}
	}
	for _, layer := range layers {
		for _, i := range layer {
			c.hold(i, byID)
		}
	}
	inCircle := map[int]bool{}
	for _, circle := range c.stood.Circles {
		for _, i := range circle.Chunks {
			c.nodes[i].Status, inCircle[i] = model.Blocked, true
		}
	}
	c.holdAll(stuck, byID)
	for _, circle := range c.stood.Circles {
		c.circle(circle)
	}
	for _, circle := range c.graph.Circles() {
		if !slices.ContainsFunc(circle, func(i int) bool { return inCircle[i] }) {
			c.begunCircle(circle)
		}
	}
}

// holdAll holds chunks of which some need each other: first all are found that are kept for ever.
func (c *collector) holdAll(stuck []int, byID map[string]string) {
	needed := make(map[int][]int, len(stuck))
	var kept []int
	keep := func(i int) {
		c.nodes[i].Status = model.Blocked
		kept = append(kept, i)
	}
	for _, i := range stuck {
		for _, j := range c.graph.Needs[i] {
			needed[j] = append(needed[j], i)
		}
		switch n := c.nodes[i]; {
		case n.Status == model.Blocked:
			kept = append(kept, i)
		case n.Status == model.Pending && c.keptForEver(i, byID):
			keep(i)
		}
	}
	for ; len(kept) > 0; kept = kept[1:] {
		for _, i := range needed[kept[0]] {
			if c.nodes[i].Status == model.Pending {
				keep(i)
			}
		}
	}
	for _, i := range stuck {
		c.hold(i, byID)
	}
}

// keptForEver reports whether a chunk needs what is no chunk, or one that is known not to come.
func (c *collector) keptForEver(i int, byID map[string]string) bool {
	return slices.ContainsFunc(c.run.Chunks[i].Needs, func(id string) bool { return byID[id] == "" }) ||
		slices.ContainsFunc(c.graph.Needs[i], func(j int) bool { s := c.nodes[j].Status; return s == model.Failed || s == model.Blocked })
}

// chunkStatus returns the status that a chunk's own word stands for.
func chunkStatus(x *rules.Chunk) (s model.Status, why string) {
	state, known := rules.ChunkWord(x.Status)
	if !known {
		return model.Pending, "its status is none that is known, and counts as planned"
	}
	switch state {
	case rules.ChunkRunning:
		return model.Active, "its status says that it is worked on"
	case rules.ChunkRetrying:
		return model.Retrying, "it failed and is tried again"
	case rules.ChunkWaiting:
		return model.Waiting, "it waits for you"
	case rules.ChunkBlocked:
		return model.Blocked, "its status says so"
	case rules.ChunkFailed:
		return model.Failed, "it was given up"
	case rules.ChunkDone:
		return model.Done, "its status says so"
	case rules.ChunkDoneInPart:
		return model.Done, "it is completed in part"
	}
	return model.Pending, "it has all that it needs"
}

// hold says what keeps a chunk that has not begun. It can never begin as things are when something that it needs has failed,
// is kept itself for ever, or is no chunk at all.
func (c *collector) hold(i int, byID map[string]string) {
	n := c.nodes[i]
	if n.Status != model.Pending && n.Status != model.Blocked {
		return
	}
	var waits, unknown []string
	for _, need := range c.run.Chunks[i].Needs {
		if _, ok := byID[need]; !ok {
			unknown = append(unknown, line.Tidy(need))
			waits = append(waits, line.Tidy(need)+" (no such chunk)")
		}
	}
	c.unknown(i, unknown)
	for _, j := range c.graph.WaitsFor(i) {
		m := c.nodes[j]
		waits = append(waits, chunkName(m))
		if m.Status == model.Failed || m.Status == model.Blocked {
			n.BlockedBy = append(n.BlockedBy, m.ID)
		}
	}
	if len(waits) > 0 {
		n.Why = "waits for " + listed(waits)
	}
	if len(n.BlockedBy) > 0 || len(unknown) > 0 {
		n.Status = model.Blocked
	}
}

// problemsLimit is how many problems a build has before the like of them are no longer listed one by one.
const problemsLimit = 100

// unknown notes that a chunk needs others that are not there.
func (c *collector) unknown(i int, needs []string) {
	if c.last || len(needs) == 0 || len(c.b.Problems) >= problemsLimit {
		return
	}
	at := c.run.doc.pos(stateFile, c.run.chunks[i].first("dependsOn", "deps", "blockedBy"))
	c.b.Problems = append(c.b.Problems, unknownNeeds(at, c.nodes[i].Number, needs))
}

// unknownNeeds is what is wrong with a chunk that needs others that are not there.
func unknownNeeds(at model.Pos, chunk string, needs []string) model.Problem {
	text := "chunk " + chunk + " depends on " + listed(needs) + ", and there is no such chunk"
	if len(needs) > 1 {
		text = "chunk " + chunk + " depends on " + listed(needs) + ", and there are no such chunks"
	}
	return model.Problem{Pos: at, Severity: model.Warning, Rule: "fctry-depends-on", Text: text, Fix: "name a chunk by its id"}
}

// circle says of chunks that need each other why none of them can begin, once for all.
func (c *collector) circle(circle rules.Circle) {
	round := c.round(circle.Way, len(circle.Chunks))
	for _, i := range circle.Chunks {
		c.nodes[i].Why = "needs itself, in a circle: " + round + "; none of them can begin"
	}
	if c.last {
		return
	}
	first := c.nodes[circle.Chunks[0]]
	c.inCircle(first, round, "take one of the dependencies out; none of them can begin")
	c.circled = append(c.circled, model.Blocker{Text: "chunks need each other in a circle: " + round, Node: first.ID, Source: first.Source})
}

// begunCircle notes that chunks need each other though one of them has begun all the same, so that the circle holds up none.
func (c *collector) begunCircle(circle []int) {
	if !c.last {
		c.inCircle(c.nodes[circle[0]], c.round(c.graph.Around(circle), len(circle)), "take one of the dependencies out; it holds up nothing, for one of them has begun all the same")
	}
}

func (c *collector) inCircle(first *model.Node, round, fix string) {
	c.b.Problems = append(c.b.Problems, model.Problem{
		Pos: first.Source, Severity: model.Warning, Rule: "fctry-cycle", Text: "chunks need each other in a circle: " + round, Fix: fix,
	})
}

// round names the way around a circle of some chunks by their numbers, each before the one that it needs: "5 → 6 → 5".
func (c *collector) round(way []int, chunks int) string {
	var all []string
	for _, i := range way {
		all = append(all, c.nodes[i].Number)
	}
	text := strings.Join(append(all, all[0]), " → ")
	if len(all) > listedLimit {
		text = strings.Join(all[:listedLimit], " → ") + fmt.Sprintf(" → %d more → %s", len(all)-listedLimit, all[0])
	}
	if n := chunks - len(way); n > 0 {
		text += fmt.Sprintf(", and %d more on ways back to it", n)
	}
	return text
}

// chunkName returns a chunk as people call it: "3 Schema".
func chunkName(n *model.Node) string {
	if n.Number == "" || n.Title == "Chunk "+n.Number {
		return n.Title
	}
	return n.Number + " " + n.Title
}

// listedLimit is how many of a list are named.
const listedLimit = 8

// listed joins names, and says how many more there are.
func listed(all []string) string {
	if n := len(all); n > listedLimit {
		return strings.Join(all[:listedLimit], ", ") + fmt.Sprintf(" and %d more", n-listedLimit)
	}
	return strings.Join(all, ", ")
}

// shownKeys are the members of a chunk that the row itself tells, or a fact of its own.
var shownKeys = []string{"id", "step", "name", "featureName", "status", "dependsOn", "deps", "blockedBy", "attempt", "retryCount", "maxRetries",
	"sections", "scenarios", "specVersionAtBuild", "startedAt", "completedAt", "failedAt"}

// chunkFacts adds what else is known of a chunk.
func (c *collector) chunkFacts(i int) {
	n, x, o := c.nodes[i], &c.run.Chunks[i], c.run.chunks[i]
	if x.Attempt > 0 {
		attempt := strconv.Itoa(x.Attempt)
		if most := c.run.maxRetries(i); most > 0 {
			attempt += " of " + strconv.Itoa(most)
		}
		n.Facts = append(n.Facts, fact("attempt", attempt)...)
	}
	n.Facts = append(n.Facts, fact("sections", strings.Join(c.spec.names(o.get("sections").texts()), ", "))...)
	n.Facts = append(n.Facts, fact("scenarios", strings.Join(o.get("scenarios").texts(), ", "))...)
	if built := line.Tidy(x.SpecVersion); built != "" {
		if now := c.specVersion(); now != "" && now != built {
			built += ", the spec is " + now + " now: build it anew or keep it"
		}
		n.Facts = append(n.Facts, fact("built against spec", built)...)
	}
	for _, key := range []string{"startedAt", "completedAt", "failedAt"} {
		t := o.get(key).time()
		n.Facts = append(n.Facts, timeFact(strings.TrimSuffix(key, "At"), t)...)
		if t.After(n.Updated) {
			n.Updated = t
		}
	}
	n.Facts = append(n.Facts, rest(o, shownKeys...)...)
}

// specVersion returns the version of the spec now: config.json is the source of truth, the state keeps a copy.
func (c *collector) specVersion() string {
	if v := c.config.version("spec"); v != "" {
		return v
	}
	return c.state.top.get("specVersion").text()
}
