package main

import (
	"gatehouse/parse/agents/waiting"
	"gatehouse/parse/disk/peek"
)

// abandonedAfter is how many seconds old a temporary file of a process that died is.
const abandonedAfter = 30

// keepStatus stores the JSON that an agent sent to its status line. It goes to the store of live agents, one file per
// session, which the dashboard reads: its modification time shows that the session is alive. Failures are silent.
func keepStatus(store, session string, status []byte) {
	if store == "" || session == "" {
		return
	}
	dir := peek.Join(store, "statusline")
	if makePrivate(store) && makePrivate(dir) {
		replaceFile(peek.Join(dir, waiting.Key("claude "+session)+".json"), status)
	}
}
