package main

import (
	"gatehouse/parse/agents/waiting"
	"gatehouse/parse/disk/peek"
	"gatehouse/statusline"
)

// keptFor is how many seconds an unchanged status file is left alone. Its modification time shows that the session is
// alive.
const keptFor = 30

// keepStatus stores the JSON that an agent sent to its status line. It goes to the store of live agents, one file per
// session, which the dashboard reads. It does nothing if only running times changed. Failures are silent.
func keepStatus(store, session string, status []byte) {
	if store == "" || session == "" {
		return
	}
	dir := peek.Join(store, "statusline")
	path := peek.Join(dir, waiting.Key("claude "+session)+".json")
	if changed, _, ok := peek.Modified(path); ok && unixNow()-changed < keptFor {
		old, _, err := peek.ReadFile(path, dir, nil, len(status)+16)
		if err == nil && statusline.IsSameStatus(old, string(status)) {
			return
		}
	}
	if makePrivate(store) && makePrivate(dir) {
		replaceFile(path, status)
	}
}
