// Package caller recognizes who runs this process: an agent or, without evidence of one, a human.
//
// Evidence of an agent is the environment (marks that its client sets for everything it runs), a process above this one
// (a known client, or the process of a registered session), or the client's own record of such a process. It is a guard
// against agents that decide in passing. A program that removes every sign counts as a human; only a signature proves
// the difference (package sign).
package caller

import (
	"cmp"
	"fmt"

	"gatehouse/model"
	"gatehouse/parse/agents/ask"
	"gatehouse/parse/disk/process"
)

// The variables with which any agent can name its session and itself.
const (
	ownSession = "GATEHOUSE_SESSION"
	ownClient  = "GATEHOUSE_AGENT"
)

// anyClient is the variable with which agents without a mark of their own can name themselves, by a convention of
// several tools.
const anyClient = "AI_AGENT"

// Client is an agent's client with its identifying signs.
type Client struct {
	Session string   // environment variable with the session's ID, which it passes to everything it runs; "" if it has none
	name    string   // also of its program, unless program is set
	marks   []string // other variables that it sets for everything it runs
	pid     string   // the variable with its own process ID
	program string
}

// clients are the known ones. The first four have hooks; their variables were observed. The others are known by their documentation.
var clients = []Client{
	{name: "claude", Session: "CLAUDE_CODE_SESSION_ID", marks: []string{"CLAUDECODE", "CLAUDE_CODE_ENTRYPOINT"}, pid: "CLAUDE_PID"},
	{name: "codex", Session: "CODEX_THREAD_ID", marks: []string{"CODEX_SANDBOX", "CODEX_CI"}},
	{name: "opencode", marks: []string{"OPENCODE"}},
	{name: "gemini", Session: "GEMINI_SESSION_ID", marks: []string{"GEMINI_CLI"}},
	{name: "cursor", marks: []string{"CURSOR_AGENT"}, program: "cursor-agent"},
	{name: "copilot", marks: []string{"COPILOT_CLI"}},
	{name: "amp", Session: "AMP_CURRENT_THREAD_ID"},
	{name: "aider"},
	{name: "crush"},
}

// Named returns a client by its name. An unknown one has no signs but this name.
func Named(name string) Client {
	for _, c := range clients {
		if c.name == name {
			return c
		}
	}
	return Client{name: name}
}

// ProcessAbove returns the process of the client above this one: the process that the environment names, else the nearest with the
// client's name.
func (c Client) ProcessAbove(table process.Table, env func(string) string) (process.ID, bool) {
	pid, self := 0, table.Self().PID
	if c.pid != "" {
		fmt.Sscan(env(c.pid), &pid)
	}
	for p := range process.Ancestors(table, self) {
		if p.PID != self && (p.PID == pid || p.Name == cmp.Or(c.program, c.name)) {
			return p.ID, true
		}
	}
	return process.ID{}, false
}

// Signs are the evidence about a caller.
type Signs struct {
	Env      func(name string) string
	Table    process.Table
	Sessions []ask.Session // registered by hooks
	// Recorded returns the session that a client's own records name for a process, "" if none. It may be nil.
	Recorded func(pid int) (clientName, session string)
}

// Caller is who runs this process.
type Caller struct {
	model.Caller
	Sign    string            // the sign that gave an agent away: "CLAUDECODE is set"
	Marks   map[string]string // environment variables of the agent's session that everything it runs has
	Process process.ID        // of the agent's client; zero if unknown
}

// IsAgent reports whether an agent runs this process.
func (c *Caller) IsAgent() bool { return c.Actor == model.Agent }

// Recognize returns who runs this process.
func Recognize(s Signs) Caller {
	c := Caller{Caller: model.Caller{Actor: model.Human}}
	c.Chain, c.TTY = processChain(s.Table)
	for _, recognize := range []func(*Signs, *Caller) bool{byOwnMarks, bySessionVariable, byRecords, byMarks, byProgram} {
		if recognize(&s, &c) {
			c.Actor = model.Agent
			break
		}
	}
	return c
}

// processChain returns the names of the programs from this process upward, and its terminal.
func processChain(table process.Table) (names []string, tty string) {
	for p := range process.Ancestors(table, table.Self().PID) {
		if p.Name != "" { // unknown on some systems
			names = append(names, p.Name)
		}
		if p.PID == table.Self().PID {
			tty = cmp.Or(p.Terminal, model.NoTTY)
		}
	}
	return names, tty
}

func byOwnMarks(s *Signs, c *Caller) bool {
	session, name := s.Env(ownSession), s.Env(ownClient)
	if session == "" && name == "" {
		return false
	}
	c.Client, c.Session, c.Sign = cmp.Or(name, "script"), session, ownSession+" is set"
	if session == "" {
		c.Sign = ownClient + " is set"
	} else {
		c.Marks = map[string]string{ownSession: session}
	}
	return true
}

// setClient records that a sign of a known client was found.
func (c *Caller) setClient(s *Signs, known Client, sign string) bool {
	c.Client, c.Sign = known.name, sign
	c.Process, _ = known.ProcessAbove(s.Table, s.Env)
	return true
}

func bySessionVariable(s *Signs, c *Caller) bool {
	for _, known := range clients {
		if known.Session != "" && s.Env(known.Session) != "" {
			c.Session = s.Env(known.Session)
			c.Marks = map[string]string{known.Session: c.Session}
			return c.setClient(s, known, known.Session+" is set")
		}
	}
	return false
}

// byRecords recognizes a process above this one that runs a session.
func byRecords(s *Signs, c *Caller) bool {
	self := s.Table.Self().PID
	for p := range process.Ancestors(s.Table, self) {
		if p.PID == self {
			continue
		}
		for _, session := range s.Sessions {
			if session.Process.PID == p.PID && process.IsSame(session.Process, p.ID) {
				c.Client, c.Session = session.Agent, session.ID
			}
		}
		if c.Client == "" && s.Recorded != nil {
			c.Client, c.Session = s.Recorded(p.PID)
		}
		if c.Client != "" {
			c.Process, c.Sign = p.ID, fmt.Sprintf("it runs below process %d, %s session %s", p.PID, c.Client, c.Session)
			return true
		}
	}
	return false
}

func byMarks(s *Signs, c *Caller) bool {
	for _, known := range clients {
		for _, mark := range known.marks {
			if s.Env(mark) != "" {
				return c.setClient(s, known, mark+" is set")
			}
		}
	}
	if name := s.Env(anyClient); name != "" {
		return c.setClient(s, Client{name: name}, anyClient+" is set")
	}
	return false
}

// byProgram recognizes a known client above this process by the name of its program.
func byProgram(s *Signs, c *Caller) bool {
	for _, known := range clients {
		if p, ok := known.ProcessAbove(s.Table, s.Env); ok {
			return c.setClient(s, known, fmt.Sprintf("it runs below %s, process %d", known.name, p.PID))
		}
	}
	return false
}
