package fctry

import (
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"gatehouse/model"
	"gatehouse/model/modeltest"
	"gatehouse/parse/conformance"
	"gatehouse/parse/disk/mirror"
)

// project is a directory that is read repeatedly, as a dashboard does.
type project struct {
	t    testing.TB
	root string
	m    *mirror.Mirror
}

func newProject(t testing.TB, files map[string]string) *project {
	t.Helper()
	p := &project{t: t, root: t.TempDir()}
	for name, text := range files {
		p.put(name, text)
	}
	p.m = mirror.New(p.root, Home)
	return p
}

func (p *project) put(name, text string) {
	p.t.Helper()
	file := filepath.Join(p.root, filepath.FromSlash(name))
	must(p.t, os.MkdirAll(filepath.Dir(file), 0o755))
	must(p.t, os.WriteFile(file, []byte(text), 0o644))
}

func (p *project) read() *model.Build { return p.readAt(time.Now()) }

func (p *project) readAt(now time.Time) *model.Build {
	p.t.Helper()
	p.m.Touch()
	readers := Readers(p.m)
	if len(readers) != 1 {
		p.t.Fatalf("%d builds", len(readers))
	}
	return readers[0].Read(now)
}

// state reads a project with one state.json.
func state(t testing.TB, text string) *model.Build {
	t.Helper()
	return newProject(t, map[string]string{stateFile: text}).read()
}

const runText = `{
  "specVersion": "2.4",
  "execution": {"maxRetriesPerChunk": 3},
  "buildRun": {
    "runId": "run-1", "status": "running", "startedAt": "2026-03-01T10:00:00Z",
    "plan": {"totalChunks": 7, "priorities": ["speed"], "specVersion": "2.4"},
    "chunks": [
      {"id": 1, "name": "Base", "status": "completed", "sections": ["#core-flow"], "specVersionAtBuild": "2.3", "completedAt": "2026-03-01T10:10:00Z"},
      {"id": 2, "name": "Schema", "status": "completed-partial", "dependsOn": [1], "specVersionAtBuild": "2.4"},
      {"id": "3", "name": "API", "status": "retrying", "attempt": 2, "dependsOn": [2], "scenarios": ["A", "B"]},
      {"id": 4, "name": "Search", "status": "planned", "deps": ["3", 2]},
      {"id": 5, "name": "Import", "status": "failed", "failedAt": "2026-03-01T10:20:00Z"},
      {"id": 6, "name": "Sync", "blockedBy": [5]},
      {"id": 7, "name": "Odd", "status": "shelved", "dependsOn": ["chunks 1-3"], "size": "L", "files": {"creates": ["a.go"], "modifies": ["b.go"]}}
    ]
  }
}`

// TestUnreadableState checks that an unreadable state is reported neither as free of waits nor with a next step, but that the last
// readable state is shown while it is available.
func TestUnreadableState(t *testing.T) {
	for _, text := range []string{`{"buildRun":{"runId":"run-1","status":"runn`, "", "null", "[]"} {
		p := newProject(t, map[string]string{stateFile: text, specFile: "# Spec\n"})
		b := p.read()
		if len(b.Waits) != 1 || b.Waits[0].Text != "state.json can't be read, so what waits in it is unknown" || b.Waits[0].Since.IsZero() {
			t.Errorf("%q: waits %+v", text, b.Waits)
		}
		if b.Status != model.Unknown || b.Next != nil || modeltest.Metric(b, "next step") != "" {
			t.Errorf("%q: %v, next %+v, %q", text, b.Status, b.Next, modeltest.Metric(b, "next step"))
		}
		p.put(stateFile, `{"nextStep":"Run /fctry:execute"}`)
		p.read()
		p.put(stateFile, text)
		if b := p.read(); len(b.Waits) > 0 || b.Next == nil || b.Next.Command != "Run /fctry:execute" {
			t.Errorf("%q, after a good one: waits %+v, next %+v", text, b.Waits, b.Next)
		}
	}
}

// TestHalfWritten checks that a truncated file shows its last good state.
func TestHalfWritten(t *testing.T) {
	p := newProject(t, map[string]string{stateFile: runText})
	before := p.read().Why
	for _, text := range []string{"", "{", runText[:200], "null", "[]", runText + "x"} {
		p.put(stateFile, text)
		b := p.read()
		if b.Why != before || b.Freshness.Held != 1 || len(b.Problems) != 2 || b.Problems[0].Severity != model.Warning || !modeltest.Node(t, b, "chunk/1").Held {
			t.Errorf("%q: %s, %v", text, b.Why, b.Problems)
		}
	}
	b := state(t, "{\n  \"a\": 1,\n  oops\n}")
	if b.Status != model.Unknown || len(b.Problems) != 1 || b.Problems[0].Line != 3 || b.Problems[0].Col != 3 || b.Problems[0].Severity != model.Error {
		t.Errorf("%v, %+v", b.Status, b.Problems)
	}
}

// TestWriterThatEmptiesFirst runs a writer that empties the file and rewrites it all the time: the build is never missing or idle.
func TestWriterThatEmptiesFirst(t *testing.T) {
	p := newProject(t, map[string]string{stateFile: runText})
	want := p.read().Why
	done := make(chan struct{})
	var reads atomic.Int32
	go func() {
		defer close(done)
		for i := 0; i < 100 || reads.Load() < 10; i++ {
			file, err := os.OpenFile(filepath.Join(p.root, stateFile), os.O_WRONLY|os.O_TRUNC, 0o644)
			if err != nil {
				return
			}
			time.Sleep(time.Millisecond)
			file.WriteString(runText[:len(runText)/2])
			time.Sleep(time.Millisecond)
			file.WriteString(runText[len(runText)/2:])
			file.Close()
			time.Sleep(3 * time.Millisecond)
		}
	}()
	for ; ; reads.Add(1) {
		if b := p.read(); b.Why != want || b.Progress.Chunks.Total != 7 {
			t.Fatalf("read %d: %v, %s", reads.Load(), b.Status, b.Why)
		}
		select {
		case <-done:
			return
		default:
		}
	}
}

// TestRealProjects reads the real projects next to the conformance rows.
func TestRealProjects(t *testing.T) {
	b := Readers(mirror.New(conformance.Outside(t, "..", "real", "ensemble"), Home))[0].Read(time.Now())
	if len(b.Waits) != 1 || !strings.HasPrefix(b.Waits[0].Text, "Manual gate: ") || b.Status != model.Waiting || b.Progress.Chunks.String() != "4/7" || len(b.Problems) > 0 {
		t.Errorf("%v, %v, %v, %v", b.Status, b.Waits, b.Progress, b.Problems)
	}
	b = Readers(mirror.New(conformance.Outside(t, "..", "real", "setlist"), Home))[0].Read(time.Now())
	if b.Status != model.Pending || modeltest.Metric(b, "spec") != "0.29" || modeltest.Metric(b, "version") != "0.6.0" || len(b.Problems) > 0 {
		t.Errorf("%v, %v, %v", b.Status, b.Metrics, b.Problems)
	}
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
