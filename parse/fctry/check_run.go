// The rules of the run and of the events.

package fctry

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"gatehouse/model"
	"gatehouse/model/line"
	"gatehouse/parse/doc"
	"gatehouse/parse/fctry/rules"
)

// run checks the run and its plan.
func (k *checker) run() {
	v := k.doc.top.get("buildRun")
	if !k.want(v, doc.Map, "buildRun") {
		return
	}
	const example = "run-1708012345678"
	k.want(v.get("runId"), doc.String, "buildRun.runId")
	k.needed(v, v, model.Warning, "buildRun", "write one as "+example, "runId")
	k.made(v.get("runId"), "buildRun.runId", example, runIDs)
	status := v.get("status")
	k.oneOf(status, "buildRun.status", rules.RunRunning, rules.RunCompleted, rules.RunPartial)
	k.needed(v, v, model.Error, "buildRun", runWords, "status")
	if status.text() == rules.RunCompleted {
		k.Report(k.at(status), model.Warning, "fctry-clear", "the build is completed, and buildRun is still there", "set it to null once the result has been seen")
	}
	k.needed(v, v, model.Warning, "buildRun", "the executor writes it when the plan is approved", "startedAt", "plan")
	if len(k.c.run.Chunks) == 0 {
		k.Report(k.at(v), model.Warning, "fctry-field", "buildRun has no chunks", "the executor writes them when the plan is approved")
	}
	k.when(v.get("startedAt"), "buildRun.startedAt")
	k.when(v.get("lastCheckpoint"), "buildRun.lastCheckpoint")
	k.want(v.get("convergencePhase"), doc.String, "buildRun.convergencePhase")
	k.question(v.get("pendingQuestion"), "buildRun.pendingQuestion")
	k.plan(v)
	k.chunkList(v)
	if k.c.last || len(k.c.run.Chunks) == 0 {
		return
	}
	if v.get("chunks").none() {
		k.Report(k.at(k.c.run.places[0]), model.Warning, "fctry-place", "the chunks stand in another place than buildRun.chunks", "the document has them there")
	}
	places := k.c.run.Places()
	for i := range k.c.run.Chunks {
		k.chunk(i, places)
	}
	k.standing(status)
}

// question reports a question that asks something, and stands in another form than a text, or an object with one.
func (k *checker) question(v value, name string) {
	if rules.Question(v.raw()) == "" || v.kind() == doc.String || v.get("text").kind() == doc.String && v.get("text").text() != "" {
		return
	}
	k.Report(k.at(v), model.Error, "fctry-question", name+" has no text of its own", "write it as {text, blockedChunks, timestamp}")
}

// runIDs is how the identifiers of runs are made.
var runIDs = regexp.MustCompile(`^run-\d+$`)

// chunkList reports what is no list of chunks, and what in one is none.
func (k *checker) chunkList(run value) {
	list := run.get("chunks")
	if !k.want(list, doc.List, "buildRun.chunks") {
		return
	}
	for i, v := range list.list() {
		k.element(v, doc.Map, fmt.Sprintf("buildRun.chunks[%d]", i))
	}
}

// standing holds what is said of the run as a whole against its chunks.
func (k *checker) standing(status value) {
	s := k.c.stood
	if status.text() == rules.RunPartial && s.Failed == 0 {
		k.Report(k.at(status), model.Warning, "fctry-partial", "buildRun.status is partial, and no chunk has failed", "a run is partial when it has ended with chunks that failed")
	}
	progress := k.doc.top.get("chunkProgress")
	if progress.none() {
		return
	}
	if status.text() == rules.RunCompleted {
		k.Report(k.at(progress), model.Warning, "fctry-clear", "the build is completed, and chunkProgress is still there", "set it to null with the run")
		return
	}
	told, ok := rules.ReadProgress(progress.raw())
	if !ok || progress.get("current").none() {
		return
	}
	if n := len(k.c.run.Chunks); told.Total != n {
		k.Report(k.at(progress.get("total")), model.Warning, "fctry-progress", fmt.Sprintf("chunkProgress.total is %d, and the run has %d chunks", told.Total, n), "it is derived from the chunks")
	} else if c := told.Current; c != s.Done && c != s.Done+1 && !(c > 0 && k.c.run.Chunks[c-1].State().Busy()) {
		k.Report(k.at(progress.get("current")), model.Warning, "fctry-progress", fmt.Sprintf("chunkProgress.current is %d, and %d chunks of the run are done", c, s.Done), "it is derived from the chunks")
	}
}

// plan checks what was approved.
func (k *checker) plan(run value) {
	v := run.get("plan")
	if !k.want(v, doc.Map, "buildRun.plan") {
		return
	}
	k.needed(v, v, model.Warning, "buildRun.plan", "the executor writes it when the plan is approved", "totalChunks")
	k.number(v.get("totalChunks"), "buildRun.plan.totalChunks")
	k.texts(v.get("priorities"), "buildRun.plan.priorities")
	k.oneOf(v.get("prioritySource"), "buildRun.plan.prioritySource", "global", "project", "user-prompt")
	k.want(v.get("specVersion"), doc.String, "buildRun.plan.specVersion")
}

// chunk checks a chunk.
func (k *checker) chunk(i int, places map[string]int) {
	o, x, at := k.c.run.chunks[i], &k.c.run.Chunks[i], k.c.run.places[i]
	name := "chunk " + line.Tidy(x.ID)
	k.identity(o, name, at)
	if places[x.ID] != i {
		k.Report(k.at(at), model.Error, "fctry-chunk-id", name+" is there twice", "every chunk has a number of its own; the first one counts")
	}
	k.needed(o, at, model.Error, name, "write planned, active, retrying, completed or failed", "status")
	k.oneOf(o.get("status"), name+": status", "planned", "active", "retrying", "completed", "failed")
	for _, key := range [...]string{"sections", "scenarios"} {
		k.texts(o.get(key), name+": "+key)
	}
	k.want(o.get("specVersionAtBuild"), doc.String, name+": specVersionAtBuild")
	for _, key := range [...]string{"startedAt", "completedAt", "failedAt"} {
		k.when(o.get(key), name+": "+key)
	}
	k.number(o.get("attempt"), name+": attempt")
	for _, need := range [...]struct{ status, key string }{
		{"completed", "completedAt"}, {"completed", "specVersionAtBuild"}, {"failed", "failedAt"}, {"active", "attempt"}, {"retrying", "attempt"},
	} {
		if x.Status == need.status && o.get(need.key).none() {
			k.Report(k.at(at), model.Warning, "fctry-field", fmt.Sprintf("%s is %s and has no %s", name, need.status, need.key), "write it with the status")
		}
	}
	for _, pair := range [...][2]string{{"startedAt", "completedAt"}, {"startedAt", "failedAt"}} {
		if from, to := o.get(pair[0]).time(), o.get(pair[1]).time(); !from.IsZero() && to.Before(from) && !to.IsZero() {
			k.Report(k.at(o.get(pair[1])), model.Warning, "fctry-time", fmt.Sprintf("%s: %s is before %s", name, pair[1], pair[0]), "mend one of the two times")
		}
	}
	if v := o.get("attempt"); v.kind() == doc.Number && x.Attempt == 0 {
		k.Report(k.at(v), model.Error, "fctry-number", name+": attempt is 0", "attempts are counted from 1")
	}
	for _, early := range [...]struct {
		key  string
		with []rules.ChunkState
	}{
		{"attempt", notBegun}, {"startedAt", notBegun}, {"specVersionAtBuild", notBegun},
		{"completedAt", append([]rules.ChunkState{rules.ChunkRunning, rules.ChunkRetrying, rules.ChunkFailed}, notBegun...)},
		{"failedAt", append([]rules.ChunkState{rules.ChunkRunning, rules.ChunkRetrying, rules.ChunkDone}, notBegun...)},
	} {
		if v := o.get(early.key); !v.none() && x.Status != "" && slices.Contains(early.with, x.State()) {
			k.Report(k.at(v), model.Warning, "fctry-early", fmt.Sprintf("%s is %s and has %s", name, line.Tidy(x.Status), early.key), "write it when it is so")
		}
	}
	k.needs(i, o, name, at, places)
}

// notBegun are the states of a chunk that nobody has worked on.
var notBegun = []rules.ChunkState{rules.ChunkOpen}

// identity checks the number and the name of a chunk.
func (k *checker) identity(o value, name string, at value) {
	switch id := o.get("id"); {
	case id.none():
		k.Report(k.at(at), model.Error, "fctry-field", name+" has no id", "number the chunks from 1")
	case k.want(id, doc.Number, name+": id"):
		k.number(id, name+": id")
		if rules.Number(id.raw()) == "0" {
			k.Report(k.at(id), model.Error, "fctry-number", name+": id is 0", "number the chunks from 1")
		}
	}
	k.want(o.get("name"), doc.String, name+": name")
	if o.get("name").text() == "" {
		k.Report(k.at(at), model.Error, "fctry-field", name+" has no name", "say in a few words what it builds")
	}
}

// needs checks what a chunk depends on: chunks that exist, and that are completed once it has begun.
func (k *checker) needs(i int, o value, name string, at value, places map[string]int) {
	if list := o.get("dependsOn"); k.want(list, doc.List, name+": dependsOn") {
		named := map[string]bool{}
		for j, need := range list.list() {
			k.element(need, doc.Number, fmt.Sprintf("%s: dependsOn[%d]", name, j))
			if raw := rules.Number(need.raw()); !named[raw] {
				named[raw] = true
			} else if need.kind() == doc.Number {
				k.Report(k.at(need), model.Warning, "fctry-depends-on", fmt.Sprintf("%s depends on %s twice", name, line.Tidy(raw)), "name it once")
			}
		}
	}
	for _, key := range [...]string{"deps", "blockedBy"} {
		if v := o.get(key); len(v.texts()) > 0 {
			k.Report(k.at(v), model.Warning, "fctry-depends-on", name+" calls what it depends on "+key, "the document calls it dependsOn")
		}
	}
	x := &k.c.run.Chunks[i]
	var open, unknown []string
	for _, need := range x.Needs {
		j, ok := places[need]
		if !ok {
			unknown = append(unknown, line.Tidy(need))
		} else if !k.c.run.Chunks[j].State().Over() {
			open = append(open, line.Tidy(need))
		}
	}
	if len(unknown) > 0 { // once, where it was read as well
		k.Problems = append(k.Problems, unknownNeeds(k.at(o.first("dependsOn", "deps", "blockedBy")), line.Tidy(x.ID), unknown))
	}
	if state := x.State(); len(open) > 0 && (state.Over() || state.Busy()) {
		k.Report(k.at(at), model.Warning, "fctry-order", name+" has begun before "+strings.Join(open, ", ")+", which it depends on", "take the dependency out, or see what was built too early")
	}
}

// events checks what the agents have written down.
func (k *checker) events() {
	v := k.doc.top.get("buildEvents")
	if !k.want(v, doc.List, "buildEvents") {
		return
	}
	for i, e := range v.list() {
		name := fmt.Sprintf("buildEvents[%d]", i)
		if k.element(e, doc.Map, name) {
			k.event(e, name)
		}
	}
}

func (k *checker) event(v value, name string) {
	kind := v.get("kind")
	k.want(kind, doc.String, name+".kind")
	if kind.text() == "" {
		k.Report(k.at(v), model.Error, "fctry-event", name+" has no kind", "an event is {kind, chunk, timestamp, summary}")
	} else if families[kind.text()] == "" {
		k.Report(k.at(kind), model.Warning, "fctry-event", name+" is of the kind "+kind.text()+", which is not known", "it is shown among the events of chunks")
	}
	if v.get("timestamp").none() {
		k.Report(k.at(v), model.Warning, "fctry-event", name+" has no timestamp", "it is shown behind the event before it")
	}
	k.when(v.get("timestamp"), name+".timestamp")
	for _, key := range [...]string{"chunk", "summary"} {
		k.want(v.get(key), doc.String, name+"."+key)
	}
	switch kind.text() {
	case kindVerified, kindFailed:
		k.needed(v, v, model.Warning, name, "an event of the observer is {kind, chunk, timestamp, summary, checks, mode}", "chunk", "summary", "mode")
	case kindCheckpointed, kindBoundary, kindCompacted:
		k.needed(v, v, model.Warning, name, "an event of the context is {kind, chunk, timestamp, summary}", "summary")
	}
	if families[kind.text()] != model.FamilyVerification {
		return
	}
	k.want(v.get("screenshot"), doc.String, name+".screenshot")
	k.oneOf(v.get("mode"), name+".mode", "full", "reduced", "minimal")
	if checks := v.get("checks"); k.want(checks, doc.List, name+".checks") {
		for j, check := range checks.list() {
			of := fmt.Sprintf("%s.checks[%d]", name, j)
			if !k.element(check, doc.Map, of) {
				continue
			}
			k.needed(check, check, model.Warning, of, "a check is {name, result}", "name", "result")
			k.want(check.get("name"), doc.String, of+".name")
			k.want(check.get("retried"), doc.Bool, of+".retried")
			k.oneOf(check.get("result"), of+".result", "pass", "fail")
		}
	}
}
