package fctry

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"gatehouse/model"
	"gatehouse/model/modeltest"
)

func TestResume(t *testing.T) {
	const chunks = `{"id":1,"name":"Scale","status":"completed","specVersionAtBuild":"1.2"},{"id":2,"name":"Lid","status":"%","dependsOn":[1],"sections":["#lid"]},{"id":3,"name":"Log","dependsOn":[2]}`
	run := func(status, second string) string {
		return `{"specVersion":"1.3","buildRun":{"status":"` + status + `","chunks":[` + strings.Replace(chunks, "%", second, 1) + `]}}`
	}
	for _, c := range []struct{ name, state, action, chunk, why string }{
		{"next", run("running", "planned"), "offer_resume", "2 Lid", "1 of 3 chunks are done; the next that can begin is 2 Lid"},
		{"one that died", run("running", "active"), "offer_resume", "2 Lid", "2 Lid is marked as being worked on: let its agent finish"},
		{"blocked", run("running", "failed"), "blocked", "", "chunk 2 Lid failed, and nothing else can begin"},
		{"partial", run("partial", "failed"), "revise", "", "/fctry:evolve #lid"},
		{"paused", run("paused", "planned"), "wait_for_user", "2 Lid", "the run waits for you: the build is paused"},
		{"completed, in part", run("completed", "planned"), "error", "2 Lid", "buildRun.status says completed, but 2 of 3 chunks are not"},
		{"of no status", run("", "planned"), "error", "2 Lid", "the run has no status"},
		{"none", `{"buildRun":null}`, "no_run", "", "no run is under way"},
		{"emptied", `{}`, "no_run", "", "no run is under way"},
		{"broken", `{"buildRun":`, "error", "", "can't be read"},
		{"nothing done", `{"buildRun":{"status":"running","chunks":[{"id":1}]}}`, "begin_anew", "Chunk 1", "no chunk is done"},
		{"all done", `{"buildRun":{"status":"running","chunks":[{"id":1,"status":"completed"}]}}`, "offer_complete", "", "the run is not closed"},
		{"all that are listed", `{"buildRun":{"status":"running","plan":{"totalChunks":3},"chunks":[{"id":1,"status":"completed"}]}}`, "offer_resume", "", "1 of 3 chunks are done; the plan has more chunks than are listed"},
		{"completed, not all listed", `{"buildRun":{"status":"completed","plan":{"totalChunks":3},"chunks":[{"id":1,"status":"completed"}]}}`, "error", "", "buildRun.status says completed, but 2 of 3 chunks are not"},
		{"by words that nobody knows", `{"buildRun":{"status":"running","chunks":[{"id":1,"status":"done"},{"id":2,"status":"skipped"}]}}`, "begin_anew", "Chunk 1", "no chunk is done"},
		{"over", `{"buildRun":{"status":"completed","chunks":[{"id":1,"status":"completed"}]}}`, "complete", "", "the run is completed"},
		{"counted only", `{"buildRun":{"status":"running","chunkProgress":"2/4"}}`, "offer_resume", "Chunk 3", "2 of 4 chunks are done"},
		{"a count beside no run", `{"chunkProgress":{"current":2,"total":4}}`, "offer_resume", "Chunk 2", "1 of 4 chunks are done according to chunkProgress, which lists none; go on with chunk 2"},
		{"a count of none", `{"chunkProgress":{"current":0,"total":4}}`, "begin_anew", "Chunk 1", "no chunk is done"},
		{"a count of all", `{"chunkProgress":{"completed":4,"total":4}}`, "offer_complete", "", "the run is not closed"},
		{"a count of a paused run", `{"buildRun":{"status":"paused"},"chunkProgress":{"current":2,"total":4}}`, "wait_for_user", "", "the run waits for you"},
		{"no chunks at all", `{"buildRun":{"status":"running"}}`, "error", "", "lists no chunks"},
		{"none, and a question", `{"buildRun":{"status":"running","pendingQuestion":"Red?"}}`, "wait_for_user", "", "the run waits for you: Red?"},
		{"a count of a partial run", `{"buildRun":{"status":"partial"},"chunkProgress":{"current":2,"total":4}}`, "revise", "", "/fctry:execute plans what is left"},
		{"a count of a completed run", `{"buildRun":{"status":"completed","chunkProgress":"4/4"}}`, "complete", "", "the run is completed"},
		{"a count of one that is not", `{"buildRun":{"status":"completed","chunkProgress":"3/4"}}`, "error", "", "1 of 4 chunks are not"},
		{"listed beside no run", `{"chunkProgress":{"total":3,"chunks":[{"id":1,"status":"completed"},{"id":2,"name":"Lid","status":"active"},{"id":3}]}}`, "offer_resume", "Chunk 3", "2 Lid is marked as being worked on"},
		{"none, and partial", `{"buildRun":{"status":"partial"}}`, "revise", "", "lists no chunks: /fctry:execute plans what is left"},
		{"none, and completed", `{"buildRun":{"status":"completed"}}`, "complete", "", "the run is completed"},
		{"of no status, one worked on", run("", "active"), "error", "2 Lid", "the run has no status"},
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

// TestResumeOfADeadRun checks that a run whose only active chunk belongs to a dead agent resumes with that chunk, in every display.
func TestResumeOfADeadRun(t *testing.T) {
	p := newProject(t, map[string]string{stateFile: `{"specVersion":"1","buildRun":{"status":"running","chunks":[
		{"id":1,"name":"Scale","status":"completed"},{"id":2,"name":"Lid","status":"active","attempt":1,"dependsOn":[1]},{"id":3,"name":"Log","status":"planned","dependsOn":[2]}]}}`})
	died := now.Add(-30 * time.Hour)
	must(t, os.Chtimes(filepath.Join(p.root, stateFile), died, died))
	got := New(p.m).Resume(now)
	if got.Action != "offer_resume" || got.Chunk != "2 Lid" || len(got.BlockedOn) > 0 || !strings.Contains(got.Why, "go on with 2 Lid, which was being worked on when the run stopped 1d ago") {
		t.Errorf("%+v", got)
	}
	b := p.readAt(now)
	if want := "spec 1 [███░░░░░░░] 33% · chunk 2/3 Lid · stale"; string(b.Header.AppendFull(nil)) != want || string(b.Claimed.AppendFull(nil)) != want {
		t.Errorf("%s", b.Header.AppendFull(nil))
	}
	if n := b.Next; n == nil || n.Command != "/fctry:execute" || n.Node != "chunk/2" || !strings.Contains(n.Why, "2 Lid") {
		t.Errorf("%+v", n)
	}
	if len(b.Waits) != 1 || b.Waits[0].Node != "chunk/2" || !b.Waits[0].Since.Equal(died) || !strings.HasPrefix(b.Waits[0].Text, "stale: ") {
		t.Errorf("%+v", b.Waits)
	}
	if r := b.Resume; r == nil || r.Chunk != "2 Lid" || len(r.Chunks) != 2 || len(r.Offers) != 3 {
		t.Errorf("%+v", r)
	}
	if got := modeltest.Metric(b, "resume"); got != "go on with 2 Lid (1 done, 2 left), start fresh, or cancel" {
		t.Error(got)
	}
	if b := p.readAt(died.Add(59*time.Minute + 59*time.Second)); len(b.Waits) > 0 || b.Resume != nil || !b.Turns.Equal(died.Add(time.Hour)) {
		t.Errorf("waits %v, turns at %v", b.Waits, b.Turns)
	}
	if b := p.readAt(died.Add(time.Hour)); len(b.Waits) != 1 || !b.Turns.IsZero() {
		t.Errorf("waits %v, turns at %v", b.Waits, b.Turns)
	}
}

// TestHaltedRun checks that line, next step, waits and resume agree about a run that does not continue by itself.
func TestHaltedRun(t *testing.T) {
	run := func(status, chunks string) string {
		return `{"specVersion":"1","buildRun":{"status":"` + status + `","chunks":[` + chunks + `]}}`
	}
	const done, failed = `{"id":1,"name":"Scale","status":"completed"}`, `{"id":2,"name":"Lid","status":"failed","sections":["#lid"]}`
	for _, c := range []struct{ name, state, line, next, why, wait, action string }{
		{"dead, and nothing done", run("running", `{"id":2,"name":"Lid","status":"active"}`), "chunk 1/1 Lid · stale", "/fctry:execute", "starts the run over", "starts the run over", "begin_anew"},
		{"dead, of no status", run("", done+`,{"id":2,"name":"Lid","status":"active"}`), "chunk 2/2 Lid · stale · run has no status", "/fctry:execute", "only running ones are resumed", "only running ones are resumed", "error"},
		{"completed with open chunks", run("completed", done+`,{"id":2}`), "says completed, 1 not", "make buildRun.status and the chunks agree", "1 of 2 chunks are not: correct the one that is wrong", "buildRun.status says completed, but 1 of 2 chunks are not", "error"},
		{"failed, the rest blocked on it", run("running", failed+`,{"id":3,"dependsOn":[2]}`), "blocked on 2 · stale", "/fctry:evolve #lid", "chunk 2 Lid failed, and nothing else can begin", "chunk 2 Lid failed", "begin_anew"},
		{"failed at the end", run("running", done+","+failed), "partial · 1 failed · stale", "/fctry:evolve #lid", "chunk 2 Lid failed, and nothing else can begin", "chunk 2 Lid failed", "blocked"},
		{"blocked on what is no chunk", run("running", done+`,{"id":3,"dependsOn":[9]}`), "blocked on 9 (no such chunk) · stale", "fix the plan's dependencies", "nothing can begin: blocked on 9 (no such chunk); name chunks by their ids", "nothing can begin: blocked on 9 (no such chunk)", "blocked"},
		{"blocked on a circle", run("running", done+`,{"id":3,"dependsOn":[4]},{"id":4,"dependsOn":[3]}`), "blocked on circle 3 → 4 → 3 · stale", "fix the plan's dependencies", "nothing can begin: blocked on circle 3 → 4 → 3; remove a dependency from each circle", "nothing can begin: blocked on circle 3 → 4 → 3", "blocked"},
		{"a failure beside a circle", run("running", done+","+failed+`,{"id":3,"dependsOn":[4]},{"id":4,"dependsOn":[3]}`), "blocked on circle 3 → 4 → 3 · stale", "/fctry:evolve #lid", "then /fctry:execute; others are blocked on circle 3 → 4 → 3", "others are blocked on circle 3 → 4 → 3", "blocked"},
		{"dead between two chunks", run("running", done+`,{"id":2,"name":"Lid","status":"planned"}`), "next chunk 2/2 Lid · stale", "/fctry:execute", "no agent has begun 2 Lid: /fctry:execute goes on with it", "stale: no agent has begun 2 Lid: /fctry:execute goes on with it", "offer_resume"},
		{"dead with all done", run("running", done), "all chunks done, run open · stale", "close the run", "the run is not closed", "stale: all chunks are done, but the run is not closed", "offer_complete"},
		{"of a word that nobody knows", run("aborted", done+`,{"id":2,"name":"Lid"}`), "run says aborted", "set buildRun.status", "buildRun.status is \"aborted\", so whether the run goes on is unknown", "buildRun.status is \"aborted\", so whether", "error"},
		{"of no status", run("", done+`,{"id":2,"name":"Lid"}`), "run has no status", "set buildRun.status", "buildRun has no status", "buildRun has no status, so whether the run goes on is unknown", "error"},
		{"a count of a run", `{"buildRun":{"status":"running"},"chunkProgress":{"completed":2,"total":4}}`, "next chunk 3/4 · stale", "/fctry:execute", "go on with chunk 3", "stale: 2 of 4 chunks are done according to chunkProgress, which lists none; go on with chunk 3", "offer_resume"},
		{"completed, and one worked on", run("completed", done+`,{"id":2,"name":"Lid","status":"active"}`), "says completed, 1 not", "make buildRun.status and the chunks agree", "1 of 2 chunks are not: correct the one that is wrong", "buildRun.status says completed, but 1 of 2 chunks are not", "error"},
		{"no object beside a count", `{"buildRun":7,"chunkProgress":{"completed":4,"total":4}}`, "buildRun can't be read", "fix buildRun", "should be an object", "buildRun is a number, so what waits in it is unknown", "error"},
		{"no object", `{"buildRun":["running"]}`, "buildRun can't be read", "fix buildRun", "should be an object", "buildRun is a list, so what waits in it is unknown", "error"},
		{"chunks that are a text", `{"buildRun":{"status":"running","chunks":"x"}}`, "buildRun.chunks can't be read", "fix buildRun.chunks", "should be a list", "buildRun.chunks is text, so what waits in it is unknown", "error"},
		{"chunks that are a number", `{"buildRun":{"status":"running","chunks":3},"chunkProgress":{"current":2,"total":4}}`, "buildRun.chunks can't be read", "fix buildRun.chunks", "should be a list", "buildRun.chunks is a number, so what waits in it is unknown", "error"},
		{"chunks that are an object", `{"buildRun":{"chunks":{"1":{}}}}`, "buildRun.chunks can't be read", "fix buildRun.chunks", "should be a list", "buildRun.chunks is an object, so what waits in it is unknown", "error"},
		{"chunks that are true", `{"buildRun":{"status":"completed","chunks":true}}`, "buildRun.chunks can't be read", "fix buildRun.chunks", "should be a list", "buildRun.chunks is true or false, so what waits in it is unknown", "error"},
		{"chunks that are none", `{"buildRun":{"status":"running","chunks":[1]}}`, "buildRun.chunks can't be read", "fix buildRun.chunks", "should be a list of objects", "buildRun.chunks lists no chunks, so what waits in it is unknown", "error"},
		{"a plan that is a text", `{"buildRun":{"status":"running","plan":"x"}}`, "buildRun.plan can't be read", "fix buildRun.plan", "should be an object", "buildRun.plan is text, so what waits in it is unknown", "error"},
		{"chunks of a plan that are a text", `{"buildRun":{"status":"running","plan":{"chunks":"x"}}}`, "buildRun.plan.chunks can't be read", "fix buildRun.plan.chunks", "should be a list", "buildRun.plan.chunks is text, so what waits in it is unknown", "error"},
		{"a question beside chunks that are a text", `{"buildRun":{"status":"running","pendingQuestion":"Red?","chunks":"x"}}`, "◆ Red?", "answer the run's question", "the run waits for you: Red?", "Red?", "wait_for_user"},
		{"a count that names none yet", `{"chunkProgress":{"current":0,"total":4}}`, "next chunk 1/4 · stale", "/fctry:execute", "go on with chunk 1", "stale: 0 of 4 chunks are done according to chunkProgress, which lists none; go on with chunk 1", "begin_anew"},
		{"partial, more behind", run("partial", done+","+failed+`,{"id":3,"dependsOn":[2]}`), "partial · 1 failed", "/fctry:evolve #lid", "1 failed chunk", "1 failed chunk", "revise"},
		{"partial, none failed", run("partial", done+`,{"id":3}`), "partial · 1 left", "/fctry:execute", "1 chunk left and none failed", "1 chunk left and none failed", "revise"},
		{"partial, one worked on", run("partial", done+`,{"id":3,"status":"active"}`), "partial · 1 left", "/fctry:execute", "1 chunk left and none failed", "1 chunk left and none failed", "revise"},
		{"partial, all done", run("partial", done), "100% · partial", "/fctry:review", "all its chunks are done", "all its chunks are done", "revise"},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := newProject(t, map[string]string{stateFile: c.state, specFile: "# Spec\n"})
			died := now.Add(-30 * time.Hour)
			must(t, os.Chtimes(filepath.Join(p.root, stateFile), died, died))
			b := p.readAt(now)
			if got := string(b.Header.AppendFull(nil)); !strings.HasSuffix(got, c.line) {
				t.Errorf("the line is %q", got)
			}
			if n := b.Next; n == nil || n.Command != c.next || !strings.Contains(n.Why, c.why) {
				t.Errorf("next %+v", n)
			}
			if c.wait == "" != (len(b.Waits) == 0) || c.wait != "" && !strings.Contains(b.Waits[0].Text, c.wait) {
				t.Errorf("waits %+v", b.Waits)
			}
			if got := New(p.m).Resume(now); got.Action != c.action || !slices.ContainsFunc([]string{c.why, "the run starts over", "only running ones are offered", "the next that can begin is 2 Lid", "should be an object"}, func(why string) bool { return strings.Contains(got.Why, why) }) {
				t.Errorf("resume %s: %s", got.Action, got.Why)
			}
			if b.Status == model.Active && c.action == "revise" {
				t.Errorf("%v, and it has ended", b.Status)
			}
		})
	}
}

// TestACountOfADeadRun checks that a run with only a count of chunks, whose agent is gone, waits and shows the next step, in each form.
func TestACountOfADeadRun(t *testing.T) {
	for text, at := range map[string]string{
		`{"chunkProgress":{"current":3,"total":7}}`: "3 of 7", `{"chunkProgress":{"current":2.5,"total":4}}`: "2.5 of 4",
		`{"buildRun":{"status":"running","chunkProgress":{"current":2,"total":2}}}`: "2 of 2", `{"chunkProgress":{"completed":2,"total":7}}`: "", `{"chunkProgress":"2/7"}`: "",
		`{"chunkProgress":{"chunks":[],"total":4}}`: "",
	} {
		p := newProject(t, map[string]string{stateFile: text, specFile: "# Spec\n"})
		died := now.Add(-30 * time.Hour)
		must(t, os.Chtimes(filepath.Join(p.root, stateFile), died, died))
		b := p.readAt(now)
		if at == "" { // no agent is shown as working
			if len(b.Waits) > 0 {
				t.Errorf("%s: waits %+v", text, b.Waits)
			}
			continue
		}
		if w := b.Waits; len(w) != 1 || w[0].Text != "stale: no agent seems to work on chunk "+at+" any longer: /fctry:execute goes on with the rest" || !w[0].Since.Equal(died) || w[0].Source.Line != 1 {
			t.Errorf("%s: waits %+v", text, w)
		}
		if n := b.Next; n == nil || n.Command != "/fctry:execute" || !strings.Contains(n.Why, "chunk "+at) {
			t.Errorf("%s: next %+v", text, n)
		}
		if b := p.readAt(died.Add(time.Minute)); len(b.Waits) > 0 || b.Resume != nil {
			t.Errorf("%s: a minute later it waits for %+v, %+v", text, b.Waits, b.Resume)
		}
	}
}
