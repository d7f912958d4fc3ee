package agents

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"gatehouse/model"
	"gatehouse/parse/agents/ask"
	"gatehouse/parse/agents/hook"
	"gatehouse/parse/agents/record"
	"gatehouse/parse/agents/waiting"
	"gatehouse/parse/disk/process"
)

// hoursVariable names the environment variable with the number of hours that the sessions work; the default is 1.
const hoursVariable = "GATEHOUSE_SESSION_HOURS"

// machine is a simulated machine on which sessions of Claude Code work, with a clock of its own.
type machine struct {
	testing.TB
	random *rand.Rand
	clock  atomic.Int64 // nanoseconds
	home   string
	store  *ask.Store
	reader *Reader

	mu        sync.Mutex
	processes map[int]bool
	caller    int // the client whose hook runs
	sessions  []*worker
	crashed   map[string]time.Time // sessions by ID
	last      int                  // the last PID
}

// worker is one session and the state that must be shown of it.
type worker struct {
	*machine
	pid     int
	id      string
	dir     string
	hooked  bool // its client has the hooks
	state   model.SessionState
	asked   string     // ID of its open ask
	hook    chan error // result of the waiting hook
	message string     // the last words of a turn that no hook has reported and that has not settled
	ended   time.Time  // when that turn ended
	began   time.Time
	lines   int // of its transcript
}

func (o *machine) now() time.Time { return time.Unix(0, o.clock.Load()).UTC() }

// Self and Look make the machine a table of processes: a hook runs below its client.
func (o *machine) Self() process.ID {
	return process.ID{PID: 2, Host: "host", Boot: "boot", Start: "2"}
}

func (o *machine) Look(pid int) (process.Info, bool) {
	o.mu.Lock()
	defer o.mu.Unlock()
	id := process.ID{PID: pid, Host: "host", Boot: "boot", Start: strconv.Itoa(pid)}
	if pid == 2 {
		return process.Info{ID: id, Parent: o.caller, Name: "gatehouse"}, true
	}
	return process.Info{ID: id, Name: "claude"}, o.processes[pid]
}

func newMachine(t testing.TB, sessions, dirs int) *machine {
	o := &machine{TB: t, random: rand.New(rand.NewPCG(7, 7)), home: t.TempDir(), processes: map[int]bool{}, crashed: map[string]time.Time{}, last: 1000}
	o.clock.Store(noon.UnixNano())
	o.store = ask.Open(ask.Options{Dir: filepath.Join(o.home, "agents"), Journal: filepath.Join(o.home, "journal"), User: "ann", Table: o, Now: o.now, Tick: time.Millisecond})
	o.reader = NewReader(Options{
		Store: o.store, Turns: true, Now: o.now, Project: func(dir string) string { return dir },
		Records: record.NewReader(record.Options{Home: o.home, Env: func(string) string { return "" }, Store: o.store.Dir(), Table: o, Now: o.now}),
	})
	for i := range sessions {
		w := &worker{machine: o, dir: filepath.Join(o.home, "src", fmt.Sprint("project", i%dirs)), hooked: i%10 != 9}
		o.sessions = append(o.sessions, w)
		w.start()
	}
	return o
}

// runHook runs a hook of the session.
func (w *worker) runHook(event string, fields map[string]any) (ask string) {
	w.Helper()
	if !w.hooked {
		return ""
	}
	input := map[string]any{"session_id": w.id, "cwd": w.dir, "hook_event_name": event, "transcript_path": w.transcript()}
	maps.Copy(input, fields)
	text, err := json.Marshal(input)
	if err != nil {
		w.Fatal(err)
	}
	w.mu.Lock()
	w.caller = w.pid
	w.mu.Unlock()
	h := &hook.Hook{
		Store: w.store, Table: w, Home: w.home, Project: func(dir string) string { return dir }, Print: func([]byte) error { return nil },
		Env: func(name string) string { return map[string]string{"CLAUDE_PID": strconv.Itoa(w.pid)}[name] },
	}
	if event != "PermissionRequest" {
		if err := h.Run(w.Context(), "claude", text); err != nil {
			w.Fatal(err)
		}
		return ""
	}
	w.hook = make(chan error, 1)
	ctx, stop := context.WithCancel(w.Context())
	go func() {
		defer stop()
		w.hook <- h.Run(ctx, "claude", text)
	}()
	for end := time.Now().Add(time.Minute); time.Now().Before(end); time.Sleep(time.Millisecond) {
		for _, a := range w.store.WaitingOf("claude", w.id) {
			return a.ID
		}
	}
	w.Fatal("the hook opens no ask")
	return ""
}

// writeRegistry writes the registry file of the process.
func (w *worker) writeRegistry(status, waitsFor string) {
	ms := w.now().UnixMilli()
	w.write(filepath.Join("sessions", fmt.Sprint(w.pid, ".json")), map[string]any{
		"pid": w.pid, "procStart": strconv.Itoa(w.pid), "sessionId": w.id, "cwd": w.dir, "status": status, "waitingFor": waitsFor,
		"startedAt": w.began.UnixMilli(), "updatedAt": ms, "statusUpdatedAt": ms, "kind": "interactive", "entrypoint": "cli",
	})
}

// write writes a file below Claude Code's directory.
func (w *worker) write(name string, value any) {
	w.Helper()
	path := filepath.Join(w.home, ".claude", name)
	text, err := json.Marshal(value)
	if err == nil {
		err = os.MkdirAll(filepath.Dir(path), 0o755)
	}
	if err == nil {
		err = os.WriteFile(path, text, 0o644)
	}
	if err != nil {
		w.Fatal(err)
	}
}

func (w *worker) transcript() string {
	return filepath.Join(w.home, ".claude", "projects", strings.NewReplacer("/", "-", ".", "-", "_", "-").Replace(w.dir), w.id+".jsonl")
}

// appendLine appends a line to the transcript.
func (w *worker) appendLine(kind string, fields map[string]any) {
	w.Helper()
	w.lines++
	line := map[string]any{"type": kind, "uuid": fmt.Sprint(w.id, "-", w.lines), "timestamp": w.now().Format(time.RFC3339Nano), "sessionId": w.id, "cwd": w.dir}
	maps.Copy(line, fields)
	text, _ := json.Marshal(line)
	os.MkdirAll(filepath.Dir(w.transcript()), 0o755)
	f, err := os.OpenFile(w.transcript(), os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o644)
	if err != nil {
		w.Fatal(err)
	}
	defer f.Close()
	if _, err := f.Write(append(text, '\n')); err != nil {
		w.Fatal(err)
	}
}

// appendAnswer appends a part of an answer of the model to the transcript.
func (w *worker) appendAnswer(block map[string]any) {
	w.appendLine("assistant", map[string]any{"message": map[string]any{"role": "assistant", "model": "stand-in", "content": []any{block}}})
}

// The actions of sessions.

func (w *worker) start() {
	w.mu.Lock()
	w.last++
	w.pid, w.began = w.last, w.now()
	w.processes[w.pid] = true
	w.mu.Unlock()
	w.id, w.state, w.message = fmt.Sprintf("session-%d", w.pid), model.SessionIdle, ""
	w.writeRegistry("idle", "")
	w.runHook("SessionStart", map[string]any{"source": "startup"})
}

func (w *worker) prompt() {
	w.runHook("UserPromptSubmit", map[string]any{"prompt": "Build the next page"})
	w.writeRegistry("busy", "")
	w.appendLine("user", map[string]any{"origin": map[string]any{"kind": "human"}, "message": map[string]any{"role": "user", "content": "Build the next page"}})
	w.state, w.message = model.SessionRunning, ""
}

func (w *worker) call() {
	w.appendAnswer(map[string]any{"type": "tool_use", "id": "t", "name": "Bash", "input": map[string]any{"command": "go test ./..."}})
	w.appendLine("user", map[string]any{"message": map[string]any{"role": "user", "content": []any{map[string]any{"type": "tool_result", "tool_use_id": "t", "content": strings.Repeat("ok ", 300)}}}})
	w.runHook("PostToolUse", map[string]any{"tool_name": "Bash", "tool_input": map[string]any{"command": "go test ./..."}})
}

func (w *worker) ask() {
	w.appendAnswer(map[string]any{"type": "tool_use", "id": "p", "name": "Bash", "input": map[string]any{"command": "make"}})
	w.asked = w.runHook("PermissionRequest", map[string]any{"tool_name": "Bash", "tool_input": map[string]any{"command": "make"}})
	w.writeRegistry("waiting", "permission prompt")
	w.state = model.SessionWaiting
}

func (w *worker) allow() {
	if w.hooked {
		if _, err := w.store.Answer(w.asked, ask.Answer{Allow: true}, ask.ByDashboard); err != nil {
			w.Fatal(err)
		}
		if err := <-w.hook; err != nil {
			w.Fatal(err)
		}
	}
	w.asked = ""
	w.writeRegistry("busy", "")
	w.state = model.SessionRunning
	w.call()
}

func (w *worker) finish() {
	words := fmt.Sprintf("Page %d is done.", w.lines)
	w.appendAnswer(map[string]any{"type": "text", "text": words})
	w.runHook("Stop", map[string]any{"last_assistant_message": words})
	w.appendLine("system", map[string]any{"subtype": "turn_duration"})
	w.writeRegistry("idle", "")
	w.state = model.SessionTurn
	if !w.hooked {
		w.state, w.message, w.ended = model.SessionIdle, words, w.now() // until it has settled
	}
}

// look makes the user review the finished turn.
func (w *worker) look() {
	for _, a := range w.store.WaitingOf("claude", w.id) {
		w.store.Withdraw(&a, "seen by ann")
	}
	w.state = model.SessionIdle
}

func (w *worker) interrupt() {
	w.appendLine("user", map[string]any{"interruptedMessageId": "m", "message": map[string]any{"role": "user", "content": "[Request interrupted by user]"}})
	w.writeRegistry("idle", "")
	w.state = model.SessionInterrupted
}

func (w *worker) fail() {
	w.appendLine("assistant", map[string]any{"isApiErrorMessage": true, "apiErrorStatus": 429, "message": map[string]any{"model": "<synthetic>", "content": []any{map[string]any{"type": "text", "text": "API Error: 429"}}}})
	w.runHook("StopFailure", map[string]any{"error": "rate_limit", "last_assistant_message": "API Error: 429"})
	w.writeRegistry("idle", "")
	w.state = model.SessionFailed
}

func (w *worker) exit() {
	w.runHook("SessionEnd", map[string]any{"reason": "prompt_input_exit"})
	os.Remove(filepath.Join(w.home, ".claude", "sessions", fmt.Sprint(w.pid, ".json")))
	w.die()
	w.start()
}

func (w *worker) crash() {
	w.crashed[w.id] = w.now()
	w.writeRegistry("busy", "")
	w.die()
	w.start()
}

func (w *worker) die() {
	w.mu.Lock()
	delete(w.processes, w.pid)
	w.mu.Unlock()
}

// clear begins a new session in the same process.
func (w *worker) clear() {
	w.runHook("SessionEnd", map[string]any{"reason": "clear"})
	w.lines++
	w.id, w.state, w.message = fmt.Sprintf("%s-%d", w.id, w.lines), model.SessionIdle, ""
	w.writeRegistry("idle", "")
	w.runHook("SessionStart", map[string]any{"source": "clear"})
}

// act makes a session do something that is possible in its state.
func (w *worker) act() {
	n := w.random.IntN(100)
	switch w.state {
	case model.SessionRunning:
		switch {
		case n < 55:
			w.call()
		case n < 60 && w.hooked:
			w.ask()
		case n < 92:
			w.finish()
		case n < 95:
			w.interrupt()
		case n < 98:
			w.fail()
		case n < 99:
			w.crash()
		}
	case model.SessionWaiting:
		w.allow()
	default:
		switch {
		case n < 60:
			w.prompt()
		case n < 85 && w.state == model.SessionTurn:
			w.look()
		case n < 90:
			w.exit()
		case n < 95:
			w.clear()
		}
	}
}

// check compares the read snapshot with the states that must be shown.
func (o *machine) check(step int) {
	o.Helper()
	want, turns, asks := map[string]string{}, 0, 0
	for id, at := range o.crashed {
		if o.now().Sub(at) <= 24*time.Hour {
			want[id] = "crashed"
		}
	}
	for _, w := range o.sessions {
		if w.message != "" && o.now().Sub(w.ended) >= settleAfter { // a turn that no hook has reported has settled
			w.state, w.message = model.SessionTurn, ""
		}
		want[w.id] = string(w.state) + " " + w.dir
		switch w.state {
		case model.SessionTurn, model.SessionFailed:
			if w.hooked || w.state == model.SessionTurn {
				turns++
			}
		case model.SessionWaiting:
			asks++
		}
	}
	o.store.Sweep() // as dashboards do
	snapshot, got := o.reader.Read(), map[string]string{}
	for _, x := range snapshot.Sessions {
		got[x.ID] = string(x.State) + " " + x.Project
		if x.State == model.SessionCrashed {
			got[x.ID] = "crashed"
		}
	}
	for _, id := range slices.Sorted(maps.Keys(want)) {
		if got[id] != want[id] {
			o.Fatalf("step %d: %s is %q, want %q", step, id, got[id], want[id])
		}
	}
	for id := range got {
		if want[id] == "" {
			o.Fatalf("step %d: %s is %q, want nothing", step, id, got[id])
		}
	}
	if c := waiting.Count(o.store.Dir(), "", nil); c.Turns != turns || c.Asks != asks {
		o.Fatalf("step %d: %d asks and %d turns wait, want %d and %d", step, c.Asks, c.Turns, asks, turns)
	}
}

// files counts the files of the store.
func (o *machine) files() (n int) {
	filepath.WalkDir(o.store.Dir(), func(_ string, d os.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() {
			n++
		}
		return nil
	})
	return n
}

// heap returns how much memory is in use.
func heap() int {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int(m.HeapAlloc)
}

// TestAnHourOfSessions: thirty sessions in twelve directories work for an hour. All rows are right after every step, and nothing grows.
func TestAnHourOfSessions(t *testing.T) {
	const (
		step      = 7 * time.Second      // on average
		mostFiles = 30 + 30 + 2*200 + 50 // sessions, waiting asks, ended asks, and files that the next sweep removes
		mostHeap  = 4 << 20
		mostRead  = 50 * time.Millisecond
	)
	if testing.Short() {
		t.Skip("it writes many thousand files")
	}
	hours, _ := strconv.Atoi(os.Getenv(hoursVariable))
	o := newMachine(t, 30, 12)
	steps, before := max(hours, 1)*int(time.Hour/step), 0
	for i := range steps {
		for range 3 {
			o.clock.Add(int64(time.Second))
			o.sessions[o.random.IntN(len(o.sessions))].act()
		}
		o.clock.Add(int64(o.random.IntN(2)) * int64(2*step-6*time.Second)) // right after the actions, or later
		o.check(i)
		if i == steps/2 {
			before = heap()
		}
	}
	for _, w := range o.sessions {
		if w.asked != "" {
			w.allow()
		}
	}
	if n := o.files(); n > mostFiles {
		t.Errorf("%d files in the store", n)
	}
	if grown := heap() - before; grown > mostHeap {
		t.Errorf("%d bytes more in memory than after half of the time", grown)
	}
	time.Sleep(200 * time.Millisecond) // older files are not read again
	o.reader.Read()
	var took []time.Duration
	for range 50 {
		at := time.Now()
		o.reader.Read()
		took = append(took, time.Since(at))
	}
	slices.Sort(took)
	t.Logf("%d steps, %d files in the store, a look takes %v", steps, o.files(), took[len(took)/2])
	if took[len(took)/2] > mostRead {
		t.Errorf("a look takes %v", took[len(took)/2])
	}
}
