package caller

import (
	"fmt"
	"slices"
	"testing"

	"gatehouse/model"
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

// inPlainShell is the process table of a command that a human typed.
var inPlainShell = started("init", "zsh!", "gatehouse")

func TestRecognize(t *testing.T) {
	env := func(pairs ...string) func(string) string {
		return func(name string) string {
			if i := slices.Index(pairs, name); i >= 0 && i%2 == 0 {
				return pairs[i+1]
			}
			return ""
		}
	}
	registered := []Session{{Client: "gemini", ID: "g1", Process: process.ID{PID: 3, Host: "host", Boot: "boot", Start: "s3"}}}
	before := []Session{{Client: "gemini", ID: "g1", Process: process.ID{PID: 3, Host: "host", Boot: "boot", Start: "before"}}}
	recorded := func(pid int) (string, string) {
		if pid == 3 {
			return "claude", "c1"
		}
		return "", ""
	}
	for _, c := range []struct {
		what            string
		signs           Signs
		client, session string // "" for a human
		process         int
		sign            string
	}{
		{"a human at a terminal", Signs{Env: env(), Table: inPlainShell}, "", "", 0, ""},
		{"a script of a human without a terminal", Signs{Env: env(), Table: started("init", "cron", "sh", "gatehouse")}, "", "", 0, ""},
		{"below a client", Signs{Env: env(), Table: started("init", "zsh!", "codex", "sh", "gatehouse")}, "codex", "", 3, "it runs below codex, process 3"},
		{"in a terminal of its own below a client", Signs{Env: env(), Table: started("init", "claude", "script", "zsh!", "gatehouse")}, "claude", "", 2, "it runs below claude, process 2"},
		{"below a program of a client", Signs{Env: env(), Table: started("init", "cursor-agent", "gatehouse")}, "cursor", "", 2, "it runs below cursor, process 2"},
		{"the session's variable", Signs{Env: env("CLAUDE_CODE_SESSION_ID", "s1", "CLAUDE_PID", "3"), Table: started("init", "zsh!", "x", "gatehouse")}, "claude", "s1", 3, "CLAUDE_CODE_SESSION_ID is set"},
		{"a PID that is not above this process", Signs{Env: env("CLAUDE_CODE_SESSION_ID", "s1", "CLAUDE_PID", "77"), Table: inPlainShell}, "claude", "s1", 0, "CLAUDE_CODE_SESSION_ID is set"},
		{"a mark", Signs{Env: env("CLAUDECODE", "1"), Table: inPlainShell}, "claude", "", 0, "CLAUDECODE is set"},
		{"a mark of a client without hooks", Signs{Env: env("CURSOR_AGENT", "1"), Table: inPlainShell}, "cursor", "", 0, "CURSOR_AGENT is set"},
		{"any agent's mark", Signs{Env: env("AI_AGENT", "robot@2"), Table: inPlainShell}, "robot@2", "", 0, "AI_AGENT is set"},
		{"an agent that names itself and its session", Signs{Env: env("GATEHOUSE_SESSION", "f1", "GATEHOUSE_AGENT", "foo"), Table: inPlainShell}, "foo", "f1", 0, "GATEHOUSE_SESSION is set"},
		{"a session without a name", Signs{Env: env("GATEHOUSE_SESSION", "f1"), Table: inPlainShell}, "script", "f1", 0, "GATEHOUSE_SESSION is set"},
		{"a name without a session", Signs{Env: env("GATEHOUSE_AGENT", "foo"), Table: inPlainShell}, "foo", "", 0, "GATEHOUSE_AGENT is set"},
		{"below a registered session", Signs{Env: env(), Table: started("init", "zsh!", "node", "gatehouse"), Sessions: registered}, "gemini", "g1", 3, "it runs below process 3, gemini session g1"},
		{"its PID was reused", Signs{Env: env(), Table: started("init", "zsh!", "node", "gatehouse"), Sessions: before}, "", "", 0, ""},
		{"the session is this process", Signs{Env: env(), Table: inPlainShell, Sessions: registered}, "", "", 0, ""},
		{"by the client's own record", Signs{Env: env(), Table: started("init", "zsh!", "claude", "gatehouse"), Recorded: recorded}, "claude", "c1", 3, "it runs below process 3, claude session c1"},
	} {
		got := Recognize(c.signs)
		if got.IsAgent() != (c.client != "") || got.Client != c.client || got.Session != c.session || got.Process.PID != c.process || got.Sign != c.sign {
			t.Errorf("%s: %+v", c.what, got)
		}
	}
}

func TestRecognizeWithoutProcessTable(t *testing.T) {
	for _, table := range []table{{{ID: process.ID{PID: 1}}}} { // some systems report nothing about processes
		got := Recognize(Signs{Env: func(string) string { return "" }, Table: table})
		if got.Actor != model.Human || got.TTY != model.NoTTY {
			t.Errorf("%+v", got)
		}
	}
}

func TestChain(t *testing.T) {
	got := Recognize(Signs{Env: func(string) string { return "" }, Table: started("init", "zsh!", "make", "gatehouse")})
	if !slices.Equal(got.Chain, []string{"gatehouse", "make", "zsh", "init"}) || got.TTY != "/dev/pts/1" {
		t.Errorf("%+v", got)
	}
}
