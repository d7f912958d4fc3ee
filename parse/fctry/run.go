// The run: what is built, in which chunks.

package fctry

import (
	"gatehouse/parse/doc"
	"gatehouse/parse/fctry/rules"
)

// run is a build. The zero value is none.
type run struct {
	rules.Run
	there    bool
	unreadAt value     // where Unread stands
	doc      *document // it stands in
	raw      value
	object   value
	chunks   []value // beside Run.Chunks, one for one
	places   []value // where they stand
	// progress is a count of chunks that nobody lists, and countedAt where it stands.
	progress  rules.Progress
	counted   bool
	countedAt value
	asked     question // what it has asked, "" as its name for nothing
}

// question is where the question of a run stands.
type question struct {
	name string
	at   value
}

// readRun reads the run of a state, in the order of preference that the line has, too.
func readRun(d *document) run {
	r := run{doc: d, raw: d.top.get("buildRun")}
	r.object = r.raw
	pending, experience := d.top.get("pendingQuestion"), d.top.get("experienceQuestion")
	list, array := rules.ReadRun(r.raw.raw(), rules.Questions{Pending: pending.raw(), Experience: experience.raw()})
	r.Run = list
	for _, at := range [...]question{{"pendingQuestion", r.object.get("pendingQuestion")}, {"pendingQuestion", pending}, {"experienceQuestion", experience}} {
		if r.Question != "" && r.asked.name == "" && rules.Asking(at.at.raw()) == 0 {
			r.asked = at
		}
	}
	progress := d.top.get("chunkProgress")
	if len(r.Chunks) == 0 {
		array = progress.get("chunks").raw()
		r.ReadBeside(progress.raw(), array)
	}
	var chunks value
	for _, v := range [...]value{progress.get("chunks"), r.object.get("plan").get("chunks"), r.object.get("chunks")} {
		if array != "" && v.raw() == array {
			chunks = v
		}
	}
	for _, v := range chunks.list() {
		if v.kind() == doc.Map && len(r.chunks) < len(r.Chunks) {
			r.chunks, r.places = append(r.chunks, v), append(r.places, v)
		}
	}
	if len(r.Chunks) == 0 {
		for _, at := range [...]value{progress, r.object.get("chunkProgress")} {
			if !r.counted {
				r.progress, r.counted = rules.ReadProgress(at.raw())
				r.countedAt = at
			}
		}
	}
	plan := r.object.get("plan")
	r.unreadAt = map[string]value{"buildRun": r.raw, "buildRun.chunks": r.object.get("chunks"), "buildRun.plan": plan, "buildRun.plan.chunks": plan.get("chunks")}[r.Unread]
	r.there = r.Unread != "" || r.Status != "" || len(r.Chunks) > 0 || r.Question != "" || r.counted
	return r
}

// maxRetries returns how often a chunk is tried, 0 when nobody says.
func (r *run) maxRetries(i int) int {
	if n, ok := r.chunks[i].get("maxRetries").count(); ok {
		return n
	}
	n, _ := r.doc.top.get("execution").get("maxRetriesPerChunk").count()
	return n
}
