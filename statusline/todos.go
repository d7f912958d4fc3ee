// The agent's current task from its own task list.

package statusline

import (
	"gatehouse/parse/disk/peek"
	"gatehouse/parse/doc"
)

// findTask returns the current task of the session's agent: the first task in progress of the session's most recently
// changed list, in the directory "todos" of the agent's configuration; "" if there is none.
func findTask(config, session string) string {
	if config == "" || !isSessionID(session) {
		return ""
	}
	dir := peek.Join(config, "todos")
	name := peek.Newest(dir, func(name string) bool { return isTaskList(name, session) })
	if name == "" {
		return ""
	}
	text, _, err := peek.ReadFile(peek.Join(dir, name), "", peek.Limit)
	if err != nil {
		return ""
	}
	return parseTask(text)
}

// isSessionID reports whether session names a session and cannot lead out of a directory.
func isSessionID(session string) bool {
	for i := range len(session) {
		if c := session[i]; c == '/' || c == '\\' || c == 0 || c == '.' && i > 0 && session[i-1] == '.' {
			return false
		}
	}
	return session != ""
}

// isTaskList reports whether a file of that name holds tasks of the session: "<session>…-agent-….json".
func isTaskList(name, session string) bool {
	return doc.HasPrefix(name, session) && doc.Contains(name, "-agent-") && doc.HasSuffix(name, ".json")
}

// parseTask returns the name of the first task in progress of a JSON array, "" without one.
func parseTask(text string) string {
	tree, _ := doc.ParseJSON(text)
	if !tree.Root().Is(doc.List) {
		return ""
	}
	for task := range tree.Root().Children() {
		if task.Is(doc.Null) { // GSD fails on it and shows no task
			return ""
		}
		if task.Get("status").Text() == "in_progress" {
			return task.Get("activeForm").Text()
		}
	}
	return ""
}
