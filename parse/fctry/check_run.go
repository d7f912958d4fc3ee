package fctry

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"gatehouse/model"
	"gatehouse/model/line"
	"gatehouse/parse/doc"
	"gatehouse/parse/fctry/core"
)

// checkRun checks the rules of the run and its chunks.
func (k *checker) checkRun() {
	run, r := k.Run.Value, &k.Run
	if !run.Is(doc.Map) {
		return
	}
	status := run.Get("status")
	k.checkQuestion(run, "buildRun")
	if r.Status == core.Completed {
		k.addWarning(status, "fctry-clear", "the build is completed, but buildRun is still there", "set it to null once the result has been seen")
	}
	if len(r.Chunks) == 0 {
		k.addWarning(run, "fctry-field", "buildRun has no chunks", plannedAt)
		return
	}
	if run.Get("chunks").IsEmpty() {
		k.addWarning(r.Chunks[0].Value, "fctry-place", "the chunks are not in buildRun.chunks", "write them there")
	}
	for i := range r.Chunks {
		k.checkChunk(i)
	}
	if r.Status == core.Partial && r.Failed == 0 {
		k.addWarning(status, "fctry-partial", "buildRun.status is partial, but no chunk has failed", "a run is partial if it has ended with failed chunks")
	}
	k.checkProgress()
	var last time.Time
	for i := range r.Chunks {
		if at := timeOf(r.Chunks[i].Value.Get("completedAt")); at.After(last) {
			last = at
		}
	}
	if at := run.Get("lastCheckpoint"); timeOf(at).Before(last) && !timeOf(at).IsZero() {
		k.addWarning(at, "fctry-time", "buildRun.lastCheckpoint is before the last chunk was completed", "write it after each chunk")
	}
}

// checkProgress compares chunkProgress with the chunks.
func (k *checker) checkProgress() {
	progress, r := k.Root.Get("chunkProgress"), &k.Run
	counted, ok := core.ParseProgress(progress)
	const fix = "derive it from the chunks"
	switch current := counted.Current; {
	case progress.IsEmpty():
	case r.Status == core.Completed:
		k.addWarning(progress, "fctry-clear", "the build is completed, but chunkProgress is still there", "set it to null with the run")
	case !ok || progress.Get("current").IsEmpty():
	case counted.Total != len(r.Chunks):
		k.addWarning(progress.Get("total"), "fctry-progress", fmt.Sprintf("chunkProgress.total is %d, but the run has %d chunks", counted.Total, len(r.Chunks)), fix)
	case current != r.Done && current != r.Done+1 && !(current > 0 && r.Chunks[current-1].State.IsBusy()):
		k.addWarning(progress.Get("current"), "fctry-progress", fmt.Sprintf("chunkProgress.current is %d, but %d chunks of the run are done", current, r.Done), fix)
	}
}

// timesOf are the fields that go with some statuses of a chunk only, and required those that a status requires.
var (
	timesOf = []struct {
		key   string
		early []core.ChunkState // states in which the field is premature or outdated
	}{
		{"attempt", []core.ChunkState{core.Planned}}, {"startedAt", []core.ChunkState{core.Planned}}, {"specVersionAtBuild", []core.ChunkState{core.Planned}},
		{"completedAt", []core.ChunkState{core.Planned, core.Active, core.Retrying, core.Failed}},
		{"failedAt", []core.ChunkState{core.Planned, core.Active, core.Retrying, core.Done}},
	}
	required = []struct{ status, key string }{
		{"completed", "completedAt"}, {"completed", "specVersionAtBuild"}, {"failed", "failedAt"}, {"active", "attempt"}, {"retrying", "attempt"},
	}
)

// checkChunk checks a chunk.
func (k *checker) checkChunk(i int) {
	c := &k.Run.Chunks[i]
	o, name, status := c.Value, "chunk "+line.Tidy(c.ID), line.Tidy(c.Status)
	k.schema().CheckObject(o, name, chunkFields)
	for _, key := range [...]string{"id", "attempt"} {
		if v := o.Get(key); v.Is(doc.Number) && core.Text(v) == "" {
			k.addError(v, "fctry-number", name+": "+key+" is 0", "count from 1")
		}
	}
	if k.Run.PlaceOf(c.ID) != i {
		k.addError(o, "fctry-chunk-id", name+" is listed twice", "give each chunk a number of its own; the first one counts")
	}
	for _, need := range required {
		if c.Status == need.status && o.Get(need.key).IsEmpty() {
			k.addWarning(o, "fctry-field", name+" is "+status+" and has no "+need.key, "write it with the status")
		}
	}
	for _, f := range timesOf {
		if v := o.Get(f.key); !v.IsEmpty() && c.Status != "" && slices.Contains(f.early, c.State) {
			k.addWarning(v, "fctry-early", name+" is "+status+" but has "+f.key, "write it with the status that it belongs to")
		}
	}
	started := timeOf(o.Get("startedAt"))
	for _, key := range [...]string{"completedAt", "failedAt"} {
		if ended := timeOf(o.Get(key)); ended.Before(started) && !ended.IsZero() {
			k.addWarning(o.Get(key), "fctry-time", name+": "+key+" is before startedAt", "correct one of the times")
		}
	}
	n := 0
	for section := range o.Get("sections").Elements() {
		k.checkSection(section, name+": sections["+strconv.Itoa(n)+"]")
		n++
	}
	k.checkNeeds(c, name)
}

// checkNeeds checks the dependencies of a chunk: they must exist, and must be completed once the chunk has begun.
func (k *checker) checkNeeds(c *core.Chunk, name string) {
	named, n := map[string]bool{}, 0
	for need := range c.Value.Get("dependsOn").Elements() {
		k.schema().CheckElement(need, doc.Number, fmt.Sprintf("%s: dependsOn[%d]", name, n))
		if id := core.Number(need); named[id] && need.Is(doc.Number) {
			k.addWarning(need, "fctry-depends-on", name+" depends on "+line.Tidy(id)+" twice", "name it once")
		} else {
			named[id] = true
		}
		n++
	}
	for _, key := range [...]string{"deps", "blockedBy"} {
		if v := c.Value.Get(key); len(textsOf(v)) > 0 {
			k.addWarning(v, "fctry-depends-on", name+" names what it depends on in "+key, "use dependsOn")
		}
	}
	var open, unknown []string
	for _, need := range c.Unmet {
		if need.Place < 0 {
			unknown = append(unknown, line.Tidy(need.ID))
		} else {
			open = append(open, line.Tidy(need.ID))
		}
	}
	if len(unknown) > 0 { // once, if the build has reported it as well
		k.Problems = append(k.Problems, k.unknownNeeds(c, unknown))
	}
	if len(open) > 0 && (c.State.IsOver() || c.State.IsBusy()) {
		k.report(c.Value, model.Warning, "fctry-order", name+" has begun before "+strings.Join(open, ", ")+", which it depends on", "remove the dependency, or see what was built too early")
	}
}
