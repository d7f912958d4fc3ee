package caller

import (
	"fmt"
	"slices"
	"testing"

	"gatehouse/model"
	"gatehouse/parse/agents/ask"
	"gatehouse/parse/conformance"
	"gatehouse/parse/disk/process"
)

// table is a system in which each process was started by the one before it; the last one is the current process.
type table []process.Info

func (t table) Self() process.ID { return t[len(t)-1].ID }
func (t table) Look(pid int) (process.Info, bool) {
	if pid < 1 || pid > len(t) {
		return process.Info{}, false
	}
	return t[pid-1], true
}

// started returns a system of programs. "zsh!" is the shell of a terminal.
func started(names ...string) table {
	var t table
	for i, name := range names {
		info := process.Info{ID: process.ID{PID: i + 1, Host: "host", Boot: "boot", Start: fmt.Sprint("s", i+1)}, Parent: i, Name: name, Terminal: "/dev/pts/1"}
		if name == "zsh!" {
			info.Name, info.Leader = "zsh", true
		}
		t = append(t, info)
	}
	return t
}

// TestRecognize: who runs a command below some programs, "init zsh! gatehouse" if none are named. A session of gemini that a hook
// registered is process 3, which began at a time.
func TestRecognize(t *testing.T) {
	conformance.OwnRows(t, "signs.jsonl", func(t *testing.T, c struct {
		Env                          map[string]string
		Programs                     []string
		Start, Client, Session, Sign string
		Process                      int
		Recorded                     bool // the client's own record names process 3
	}) {
		signs := Signs{Env: func(name string) string { return c.Env[name] }, Table: started("init", "zsh!", "gatehouse")}
		if c.Programs != nil {
			signs.Table = started(c.Programs...)
		}
		if c.Start != "" {
			signs.Sessions = []ask.Session{{Session: model.Session{Agent: "gemini", ID: "g1"}, Process: process.ID{PID: 3, Host: "host", Boot: "boot", Start: c.Start}}}
		}
		if c.Recorded {
			signs.Recorded = func(pid int) (string, string) {
				return map[int]string{3: "claude"}[pid], map[int]string{3: "c1"}[pid]
			}
		}
		got := Recognize(signs)
		if got.IsAgent() != (c.Client != "") || got.Client != c.Client || got.Session != c.Session || got.Process.PID != c.Process || got.Sign != c.Sign {
			t.Errorf("%+v", got)
		}
	})
}

func TestChain(t *testing.T) {
	for _, c := range []struct {
		table table
		tty   string
		chain []string
	}{
		{started("init", "zsh!", "make", "gatehouse"), "/dev/pts/1", []string{"gatehouse", "make", "zsh", "init"}},
		{table{{ID: process.ID{PID: 1}}}, model.NoTTY, nil}, // some systems report nothing about processes
	} {
		got := Recognize(Signs{Env: func(string) string { return "" }, Table: c.table})
		if got.Actor != model.Human || !slices.Equal(got.Chain, c.chain) || got.TTY != c.tty {
			t.Errorf("%+v", got)
		}
	}
}
