package hook

import (
	"cmp"
	"fmt"

	"gatehouse/parse/disk/process"
)

// Caller is the agent in whose session a process runs.
type Caller struct {
	Agent   string            // name of its client
	Session string            // "" if unknown
	Marks   map[string]string // environment variables of the session
	Process process.ID        // of the client; zero if unknown
}

// Any agent can name itself and its session with these variables.
const (
	ownSession = "GATEHOUSE_SESSION"
	ownAgent   = "GATEHOUSE_AGENT"
)

// Called returns the agent that runs this process, by the environment or by the names of the programs above it. ok is false if there is
// none.
func Called(table process.Table, env func(string) string) (by Caller, ok bool) {
	if session := env(ownSession); session != "" {
		return Caller{Agent: cmp.Or(env(ownAgent), "script"), Session: session, Marks: map[string]string{ownSession: session}}, true
	}
	for _, c := range contracts {
		if c.mark != "" && env(c.mark) != "" {
			by = Caller{Agent: c.name, Session: env(c.mark), Marks: map[string]string{c.mark: env(c.mark)}}
			by.Process, _ = c.processAbove(table, env)
			return by, true
		}
	}
	for _, c := range contracts {
		if by.Process, ok = c.processAbove(table, env); ok {
			by.Agent = c.name
			return by, true
		}
	}
	return by, false
}

// processAbove returns the client's process above this one: the one that the environment names, else the one with the client's name.
func (c *contract) processAbove(table process.Table, env func(string) string) (process.ID, bool) {
	pid := 0
	if c.pid != "" {
		fmt.Sscan(env(c.pid), &pid)
	}
	for p := range process.Ancestors(table, table.Self().PID) {
		if p.PID != table.Self().PID && (p.PID == pid || p.Name == c.name) {
			return p.ID, true
		}
	}
	return process.ID{}, false
}
