package hook

import (
	"runtime"
	"sync/atomic"
	"testing"
	"time"

	"gatehouse/parse/agents/ask"
	"gatehouse/parse/disk/process"
)

// counted is a table that counts how often it is asked whether the client runs: once a look.
type counted struct {
	process.Table
	looks atomic.Int64
}

func (c *counted) Look(pid int) (process.Info, bool) {
	c.looks.Add(1)
	return c.Table.Look(pid)
}

// TestWaitingTakesNoMore: a hook that has waited for a quarter of an hour holds no more memory than at first.
func TestWaitingTakesNoMore(t *testing.T) {
	w := newWorld(t, "claude")
	table := &counted{Table: w.table}
	w.hook.Table = table
	w.hook.Store = ask.Open(ask.Options{Dir: t.TempDir() + "/agents", Journal: w.journal, User: "ann", Table: table, Now: time.Now, Tick: time.Millisecond / 2})
	item, done := w.asks(t.Context(), "claude", `{"hook_event_name":"PermissionRequest","session_id":"s","cwd":"/shop","tool_name":"Bash","tool_input":{"command":"ls"}}`)
	held := func(looks int64) uint64 {
		for end := time.Now().Add(time.Minute); table.looks.Load() < looks; time.Sleep(time.Millisecond) {
			if time.Now().After(end) {
				t.Fatalf("only %d looks", table.looks.Load())
			}
		}
		var m runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&m)
		return m.HeapAlloc
	}
	before := held(50)
	after := held(50 + 15*60)
	if after > before+64<<10 {
		t.Errorf("%d bytes after a minute, %d after fifteen", before, after)
	}
	w.answered(item, done, ask.Answer{Allow: true})
}
