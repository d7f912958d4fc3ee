package caller

import (
	"fmt"

	"gatehouse/parse/disk/process"
)

// client is an agent's client with its identifying signs.
type client struct {
	name     string
	session  string   // environment variable with the session's ID
	marks    []string // other variables that it sets for everything it runs
	pid      string   // the variable with its own process ID
	programs []string // names of its program, if the name of the client is not the only one
}

// clients are the known ones. The first four have hooks; their variables were observed. The others are known by their documentation.
var clients = []client{
	{name: "claude", session: "CLAUDE_CODE_SESSION_ID", marks: []string{"CLAUDECODE", "CLAUDE_CODE_ENTRYPOINT"}, pid: "CLAUDE_PID"},
	{name: "codex", session: "CODEX_THREAD_ID", marks: []string{"CODEX_SANDBOX", "CODEX_CI"}},
	{name: "opencode", marks: []string{"OPENCODE"}},
	{name: "gemini", session: "GEMINI_SESSION_ID", marks: []string{"GEMINI_CLI"}},
	{name: "cursor", marks: []string{"CURSOR_AGENT"}, programs: []string{"cursor-agent"}},
	{name: "copilot", marks: []string{"COPILOT_CLI"}},
	{name: "amp", session: "AMP_CURRENT_THREAD_ID"},
	{name: "aider"},
	{name: "crush"},
}

// SessionVariable returns the environment variable with the session's ID that a client passes to everything it runs, ""
// if it has none.
func SessionVariable(clientName string) string {
	return clientNamed(clientName).session
}

// ProcessAbove returns the process of a client above this one: the process that the environment names, else the nearest with the
// client's name.
func ProcessAbove(clientName string, table process.Table, env func(string) string) (process.ID, bool) {
	c := clientNamed(clientName)
	return c.processAbove(table, env)
}

func clientNamed(name string) client {
	for _, c := range clients {
		if c.name == name {
			return c
		}
	}
	return client{name: name}
}

func (c *client) processAbove(table process.Table, env func(string) string) (process.ID, bool) {
	pid, self := 0, table.Self().PID
	if c.pid != "" {
		fmt.Sscan(env(c.pid), &pid)
	}
	for p := range process.Ancestors(table, self) {
		if p.PID != self && (p.PID == pid || c.hasProgram(p.Name)) {
			return p.ID, true
		}
	}
	return process.ID{}, false
}

// hasProgram reports whether a program of this name is the client.
func (c *client) hasProgram(name string) bool {
	for _, program := range c.programs {
		if name == program {
			return true
		}
	}
	return name == c.name
}
