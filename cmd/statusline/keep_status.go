package main

import (
	"gatehouse/parse/agents/waiting"
	"gatehouse/parse/disk/peek"
	"gatehouse/statusline"
)

// keptFor is how many seconds an unchanged status stays as it is. Its modification time tells that the session lives.
const keptFor = 30

// keepStatus stores the JSON that an agent told its status line in the store of live agents, where the dashboard reads it: one
// file per session. It does nothing if the kept status differs only in running times. Failure is silent.
func keepStatus(store, session string, status []byte) {
	if store == "" || session == "" {
		return
	}
	dir := peek.Join(store, "statusline")
	path := peek.Join(dir, waiting.Key("claude "+session)+".json")
	if changed, _, ok := peek.Modified(path); ok && now()-changed < keptFor {
		old, _, err := peek.ReadFile(path, dir, nil, len(status)+16)
		if err == nil && statusline.IsSameStatus(old, string(status)) {
			return
		}
	}
	if makePrivate(store) && makePrivate(dir) {
		replaceFile(path, status)
	}
}
