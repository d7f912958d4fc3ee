package nearest

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"gatehouse/model/line"
	"gatehouse/parse/fctry/core"
)

const (
	fctryBuild = `{"specVersion": "2.4", "buildRun": {"status": "running", "plan": {"totalChunks": 7}, "chunks": [
		{"id": 1, "name": "Base", "status": "completed"}, {"id": 2, "name": "Schema", "status": "completed"},
		{"id": 3, "name": "Activity Feed", "status": "active", "dependsOn": [1, 2]}, {"id": 4, "name": "Search", "status": "planned", "dependsOn": [1]},
		{"id": 5, "name": "API", "dependsOn": [3]}, {"id": 6, "status": "planned", "dependsOn": [3]}, {"id": 7, "status": "planned", "dependsOn": [6]}]}}`
)

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
		if got := line.Full(found.Facts); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
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
		switch got := line.Full(found.Facts); got {
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
	const want, surely = "spec 2.4 [██░░░░░░░░] 28% · chunk 3/7 Activity Feed", settleReads * settlePause * 4 / 5
	tried := 0
	for range 100 {
		writeFile(t, file, fctryBuild[:len(fctryBuild)/2], false)
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
		if got := line.Full(found.Facts); got != want {
			t.Fatalf("%q, want %q", got, want)
		}
		if tried++; tried == 5 {
			break
		}
	}
	if tried == 0 {
		t.Skip("no writer got its time")
	}
	writeFile(t, file, fctryBuild[:len(fctryBuild)/2], false)
	broke := time.Now().Add(-time.Minute)
	must(t, os.Chtimes(file, broke, broke))
	looks := 0
	Find(Place{Dir: root, Home: root, Now: func() int64 { looks++; return time.Now().Unix() }})
	if looks > 3 {
		t.Errorf("a file that was broken before is looked at %d times by the clock", looks)
	}
}
