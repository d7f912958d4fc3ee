package nearest

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"gatehouse/parse/fctry/core"
)

const (
	fctrySpecText = "# App\n\n```yaml\n---\nstatus: \"draft\"\n---\n```\n\n   - 2.2 [Core Flow](#22-core-flow) `#core-flow`\n- 2.10 [Search](#s) `#search`\n\n### 2.4 Feed {#feed}\n"
	fctryBuild    = `{"specVersion": "2.4", "buildRun": {"status": "running", "plan": {"totalChunks": 7}, "chunks": [
		{"id": 1, "name": "Base", "status": "completed"}, {"id": 2, "name": "Schema", "status": "completed"},
		{"id": 3, "name": "Activity Feed", "status": "active", "dependsOn": [1, 2]}, {"id": 4, "name": "Search", "status": "planned", "dependsOn": [1]},
		{"id": 5, "name": "API", "dependsOn": [3]}, {"id": 6, "status": "planned", "dependsOn": [3]}, {"id": 7, "status": "planned", "dependsOn": [6]}]}}`
)

// TestFctryFound checks where a state is found and which files it depends on.
func TestFctryFound(t *testing.T) {
	root := tree(t, map[string]string{
		"p/.fctry/state.json": fctryBuild, "p/.fctry/config.json": "\uFEFF" + `{"versions": {"spec": {"current": "9"}, "external": {"current": "1.2"}}}`, "p/a/b/": "",
		"new/.fctry/spec.md": fctrySpecText, "tool/.fctry/config.json": "{}", "tool/.fctry/projects.json": "[]",
		"old/.fctry/state.json": "{}", "old/app-spec.md": "x", "none/.fctry/state.json": "{}",
		"refused/.fctry/state.json/": "", "found/.fctry/state.json": `{}`, "found/.fctry/inbox.json": `[null, {"source": "foreman", "status": "processed"}]`,
	})
	for _, c := range []struct{ dir, want string }{
		{"p", "spec 9 [██░░░░░░░░] 28% · chunk 3/7 Activity Feed"}, {"p/a/b", "spec 9 [██░░░░░░░░] 28% · chunk 3/7 Activity Feed"},
		{"new", "idle"}, {"tool", ""}, {"old", "idle"}, {"none", "next /fctry:init to create a spec"}, {"refused", "state.json can't be read"},
		{"found", "next /fctry:init to create a spec"},
	} {
		dir := filepath.Join(root, filepath.FromSlash(c.dir))
		for _, detail := range []bool{false, true} {
			found, ok := Find(Place{Dir: dir, Home: dir, Detail: detail})
			if c.dir == "p/a/b" {
				found, ok = Find(Place{Dir: dir, Home: root, Detail: detail})
			}
			got := ""
			if ok {
				got = string(found.Facts.AppendFull(nil))
			}
			if got != c.want || ok && found.Protocol != "fctry" {
				t.Errorf("%s: %q by %s, want %q", c.dir, got, found.Protocol, c.want)
			}
		}
	}
}

// TestFctryCommandExpires checks that a command counts as running only while its file is new.
func TestFctryCommandExpires(t *testing.T) {
	root := tree(t, map[string]string{".fctry/state.json": `{"currentCommand": "evolve", "workflowStep": "interviewer", "specVersion": "1"}`})
	now := time.Now().Unix()
	for _, c := range []struct {
		now  func() int64
		want string
	}{
		{func() int64 { return now }, "spec 1 · evolve interviewer"},
		{func() int64 { return now + core.StaleAfter + 2 }, "spec 1 · idle"},
		{nil, "spec 1 · idle"},
	} {
		found, _ := Find(Place{Dir: root, Home: root, Now: c.now})
		if got := string(found.Facts.AppendFull(nil)); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}

// TestFctryWaits checks that a wait appears once, in the line.
func TestFctryWaits(t *testing.T) {
	root := tree(t, map[string]string{".fctry/state.json": `{"buildRun": {"status": "paused", "statusReason": "Look at it"}}`})
	found, _ := Find(Place{Dir: root, Home: root, Alerts: true})
	if found.Waits != "Look at it" || !found.WaitsSaid || !strings.HasSuffix(found.WaitsPath, "state.json") {
		t.Errorf("%+v", found)
	}
	root = tree(t, map[string]string{".fctry/state.json": "<<<<<<< HEAD\n{}\n"})
	found, _ = Find(Place{Dir: root, Home: root, Alerts: true})
	if found.Waits != "state.json can't be read" || !found.WaitsSaid || !strings.HasSuffix(found.WaitsPath, "state.json") {
		t.Errorf("%+v", found)
	}
}

// TestFctryIsNeverIdleWhileWritten runs a writer that empties the file and rewrites it, as all of fctry's writers do.
func TestFctryIsNeverIdleWhileWritten(t *testing.T) {
	root := tree(t, map[string]string{".fctry/state.json": fctryBuild})
	done := make(chan struct{})
	go func() {
		defer close(done)
		for range 300 {
			os.WriteFile(filepath.Join(root, ".fctry", "state.json"), []byte(fctryBuild), 0o644)
			time.Sleep(time.Millisecond)
		}
	}()
	const want = "spec 2.4 [██░░░░░░░░] 28% · chunk 3/7 Activity Feed"
	for {
		found, _ := Find(Place{Dir: root, Home: root})
		switch got := string(found.Facts.AppendFull(nil)); got {
		case want, "state.json can't be read": // if the writer was suspended half-way
		default:
			t.Fatalf("%q", got)
		}
		select {
		case <-done:
			return
		default:
		}
	}
}

// TestFctryHalfWritten checks that a line and an agent's rows wait for a state.json whose writer takes milliseconds, but not for one
// that has been broken for longer.
func TestFctryHalfWritten(t *testing.T) {
	root := tree(t, map[string]string{".fctry/state.json": fctryBuild})
	file := filepath.Join(root, ".fctry", "state.json")
	const want, surely = "spec 2.4 [██░░░░░░░░] 28% · chunk 3/7 Activity Feed", (settleReads - settleAtOnce) * settlePause * 4 / 5
	tried := 0
	for range 100 {
		writeFile(t, file, fctryBuild[:len(fctryBuild)/2])
		began, took := time.Now(), make(chan time.Duration)
		go func() {
			time.Sleep(2 * time.Millisecond)
			os.WriteFile(file+".whole", []byte(fctryBuild), 0o644)
			os.Rename(file+".whole", file)
			took <- time.Since(began)
		}()
		found, _ := Find(Place{Dir: root, Home: root, Now: func() int64 { return time.Now().Unix() }, Detail: true})
		if <-took > surely { // the machine did not schedule the writer in time
			continue
		}
		if got := string(found.Facts.AppendFull(nil)); got != want {
			t.Fatalf("%q, want %q", got, want)
		}
		if tried++; tried == 5 {
			break
		}
	}
	if tried == 0 {
		t.Skip("no writer got its time")
	}
	writeFile(t, file, fctryBuild[:len(fctryBuild)/2])
	broke := time.Now().Add(-time.Minute)
	must(t, os.Chtimes(file, broke, broke))
	looks := 0
	Find(Place{Dir: root, Home: root, Now: func() int64 { looks++; return time.Now().Unix() }})
	if looks > 3 {
		t.Errorf("a file that was broken before is looked at %d times by the clock", looks)
	}
}

// TestFctryStateMustBeAnObject checks that a state.json with JSON other than an object counts as unreadable, as in the dashboard.
func TestFctryStateMustBeAnObject(t *testing.T) {
	for _, state := range []string{"null", " null\n", "true", "[1]", "7", `"x"`} {
		root := tree(t, map[string]string{".fctry/state.json": state})
		found, _ := Find(Place{Dir: root, Home: root})
		if got := string(found.Facts.AppendFull(nil)); got != "state.json can't be read" {
			t.Errorf("%s: %q", state, got)
		}
	}
}
