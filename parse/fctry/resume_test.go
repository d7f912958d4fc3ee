package fctry

import (
	"slices"
	"strings"
	"testing"
	"time"
)

func TestResume(t *testing.T) {
	const chunks = `{"id":1,"name":"Scale","status":"completed","specVersionAtBuild":"1.2"},{"id":2,"name":"Lid","status":"%","dependsOn":[1],"sections":["#lid"]},{"id":3,"name":"Log","dependsOn":[2]}`
	run := func(status, second string) string {
		return `{"specVersion":"1.3","buildRun":{"status":"` + status + `","chunks":[` + strings.Replace(chunks, "%", second, 1) + `]}}`
	}
	for _, c := range []struct{ name, state, action, chunk, why string }{
		{"next", run("running", "planned"), "offer_resume", "2 Lid", "1 of 3 chunks are done; the next that can begin is 2 Lid"},
		{"one that died", run("running", "active"), "offer_resume", "", "2 Lid says that it is worked on, and nothing else can begin before"},
		{"blocked", run("running", "failed"), "blocked", "", "nothing can begin: blocked on 2"},
		{"partial", run("partial", "failed"), "revise", "", "/fctry:evolve #lid"},
		{"paused", run("paused", "planned"), "wait_for_user", "2 Lid", "the run waits for you: the build is paused"},
		{"completed, in part", run("completed", "planned"), "error", "2 Lid", "the run is completed"},
		{"of no status", run("", "planned"), "error", "2 Lid", "the run has no status"},
		{"none", `{"buildRun":null}`, "no_run", "", "no run is under way"},
		{"emptied", `{}`, "no_run", "", "no run is under way"},
		{"broken", `{"buildRun":`, "error", "", "can't be read"},
		{"nothing done", `{"buildRun":{"status":"running","chunks":[{"id":1}]}}`, "begin_anew", "Chunk 1", "no chunk is done"},
		{"all done", `{"buildRun":{"status":"running","chunks":[{"id":1,"status":"completed"}]}}`, "offer_complete", "", "nobody has closed the run"},
		{"over", `{"buildRun":{"status":"completed","chunks":[{"id":1,"status":"completed"}]}}`, "complete", "", "the run is completed"},
		{"counted only", `{"buildRun":{"status":"running","chunkProgress":"2/4"}}`, "error", "", "lists no chunks"},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := newProject(t, map[string]string{stateFile: c.state})
			got := New(p.m).Resume(time.Now())
			if got.Action != c.action || got.Chunk != c.chunk || !strings.Contains(got.Why, c.why) {
				t.Errorf("%+v", got)
			}
			if offered := got.Action == "offer_resume" || got.Action == "blocked"; offered != (len(got.Offers) == 3) {
				t.Errorf("%s offers %q", got.Action, got.Offers)
			}
			if strings.Contains(c.state, "1.2") && !slices.Equal(got.Changed, []string{"1 Scale"}) {
				t.Errorf("built against another spec: %q", got.Changed)
			}
		})
	}
}
