// The rules of the run and of the events.

package fctry

import (
	"fmt"
	"strings"

	"gatehouse/model"
	"gatehouse/parse/fctry/rules"
	"gatehouse/parse/text/jsondoc"
)

// run checks the run and its plan.
func (k *checker) run() {
	v := k.doc.top.get("buildRun")
	if !k.want(v, jsondoc.Object, "buildRun") {
		return
	}
	k.duplicates(v, "buildRun: ")
	k.want(v.get("runId"), jsondoc.String, "buildRun.runId")
	if v.get("runId").none() {
		k.Report(k.at(v), model.Warning, "fctry-field", "buildRun has no runId", "write one as run-1708012345678")
	}
	status := v.get("status")
	k.oneOf(status, "buildRun.status", rules.RunRunning, rules.RunCompleted, rules.RunPartial)
	if status.none() {
		k.Report(k.at(v), model.Error, "fctry-field", "buildRun has no status", "write running, completed or partial")
	}
	if status.text() == rules.RunCompleted {
		k.Report(k.at(status), model.Warning, "fctry-clear", "the build is completed, and buildRun is still there", "set it to null once the result has been seen")
	}
	k.when(v.get("startedAt"), "buildRun.startedAt")
	k.when(v.get("lastCheckpoint"), "buildRun.lastCheckpoint")
	k.want(v.get("convergencePhase"), jsondoc.String, "buildRun.convergencePhase")
	k.plan(v)
	if k.c.last || len(k.c.run.Chunks) == 0 {
		return
	}
	k.want(v.get("chunks"), jsondoc.Array, "buildRun.chunks")
	if v.get("chunks").none() {
		k.Report(k.at(k.c.run.places[0]), model.Warning, "fctry-place", "the chunks stand in another place than buildRun.chunks", "the document has them there")
	}
	places := k.c.run.Places()
	for i := range k.c.run.Chunks {
		k.chunk(i, places)
	}
}

// plan checks what was approved.
func (k *checker) plan(run value) {
	v := run.get("plan")
	if !k.want(v, jsondoc.Object, "buildRun.plan") {
		return
	}
	k.number(v.get("totalChunks"), "buildRun.plan.totalChunks")
	k.texts(v.get("priorities"), "buildRun.plan.priorities")
	k.oneOf(v.get("prioritySource"), "buildRun.plan.prioritySource", "global", "project", "user-prompt")
	k.want(v.get("specVersion"), jsondoc.String, "buildRun.plan.specVersion")
}

// chunk checks a chunk.
func (k *checker) chunk(i int, places map[string]int) {
	o, x, at := k.c.run.chunks[i], &k.c.run.Chunks[i], k.c.run.places[i]
	name := "chunk " + clean(x.ID)
	k.duplicates(o, name+": ")
	k.identity(o, name, at)
	if places[x.ID] != i {
		k.Report(k.at(at), model.Error, "fctry-chunk-id", name+" is there twice", "every chunk has a number of its own; the first one counts")
	}
	k.oneOf(o.get("status"), name+": status", "planned", "active", "retrying", "completed", "failed")
	for _, key := range [...]string{"sections", "scenarios"} {
		k.texts(o.get(key), name+": "+key)
	}
	k.want(o.get("specVersionAtBuild"), jsondoc.String, name+": specVersionAtBuild")
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
	k.needs(i, o, name, at, places)
}

// identity checks the number and the name of a chunk.
func (k *checker) identity(o value, name string, at value) {
	switch id := o.get("id"); {
	case id.none():
		k.Report(k.at(at), model.Error, "fctry-field", name+" has no id", "number the chunks from 1")
	case k.want(id, jsondoc.Number, name+": id"):
		k.number(id, name+": id")
	}
	k.want(o.get("name"), jsondoc.String, name+": name")
	if o.get("name").text() == "" {
		k.Report(k.at(at), model.Error, "fctry-field", name+" has no name", "say in a few words what it builds")
	}
}

// needs checks what a chunk depends on: chunks that exist, and that are completed once it has begun.
func (k *checker) needs(i int, o value, name string, at value, places map[string]int) {
	k.want(o.get("dependsOn"), jsondoc.Array, name+": dependsOn")
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
			unknown = append(unknown, clean(need))
		} else if !k.c.run.Chunks[j].State().Over() {
			open = append(open, clean(need))
		}
	}
	if len(unknown) > 0 { // once, where it was read as well
		k.Problems = append(k.Problems, unknownNeeds(k.at(o.first("dependsOn", "deps", "blockedBy")), clean(x.ID), unknown))
	}
	if state := x.State(); len(open) > 0 && (state.Over() || state.Busy()) {
		k.Report(k.at(at), model.Warning, "fctry-order", name+" has begun before "+strings.Join(open, ", ")+", which it depends on", "take the dependency out, or see what was built too early")
	}
}

// events checks what the agents have written down.
func (k *checker) events() {
	v := k.doc.top.get("buildEvents")
	if !k.want(v, jsondoc.Array, "buildEvents") {
		return
	}
	for i, e := range v.list() {
		name := fmt.Sprintf("buildEvents[%d]", i)
		if k.want(e, jsondoc.Object, name) {
			k.event(e, name)
		}
	}
}

func (k *checker) event(v value, name string) {
	kind := v.get("kind")
	if kind.text() == "" {
		k.Report(k.at(v), model.Error, "fctry-event", name+" has no kind", "an event is {kind, chunk, timestamp, summary}")
	} else if families[kind.text()] == "" {
		k.Report(k.at(kind), model.Warning, "fctry-event", name+" is of the kind "+kind.text()+", which is not known", "it is shown among the events of chunks")
	}
	if v.get("timestamp").none() {
		k.Report(k.at(v), model.Warning, "fctry-event", name+" has no timestamp", "it is shown behind the event before it")
	}
	k.when(v.get("timestamp"), name+".timestamp")
	if families[kind.text()] != model.FamilyVerification {
		return
	}
	k.oneOf(v.get("mode"), name+".mode", "full", "reduced", "minimal")
	if checks := v.get("checks"); k.want(checks, jsondoc.Array, name+".checks") {
		for j, check := range checks.list() {
			k.oneOf(check.get("result"), fmt.Sprintf("%s.checks[%d].result", name, j), "pass", "fail")
		}
	}
}
