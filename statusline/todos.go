// What the agent is doing by its own list of tasks.

package statusline

import (
	"gatehouse/parse/disk/peek"
	"gatehouse/parse/text/scan"
)

// presentTask returns what the agent of the session says that it is doing: the first task in progress of the list of the
// session that was changed last, in the directory "todos" of the agent's configuration; "" when there is none. What is
// read goes into buf.
func presentTask(config, session string, buf []byte) string {
	if config == "" || !validSession(session) {
		return ""
	}
	dir := peek.Join(config, "todos")
	name := peek.Newest(dir, func(name string) bool { return listOf(name, session) })
	if name == "" {
		return ""
	}
	text, _, err := peek.ReadFile(peek.Join(dir, name), "", buf, peek.Limit)
	if err != nil {
		return ""
	}
	return taskIn(text)
}

// validSession reports whether session names a session and cannot lead out of a directory.
func validSession(session string) bool {
	for i := range len(session) {
		if c := session[i]; c == '/' || c == '\\' || c == 0 || c == '.' && i > 0 && session[i-1] == '.' {
			return false
		}
	}
	return session != ""
}

// listOf reports whether a file of that name holds a list of tasks of the session: "<session>…-agent-….json".
func listOf(name, session string) bool {
	const middle, end = "-agent-", ".json"
	return hasPrefix(name, session) && lastIndex(name, middle) >= 0 && len(name) >= len(end) && name[len(name)-len(end):] == end
}

// taskIn returns what the first task in progress of the JSON array text calls itself, "" when there is none.
func taskIn(text string) string {
	list, _ := scan.JSONValue(text)
	fields := [...]scan.JSONField{{Path: taskStatus[:]}, {Path: taskForm[:]}}
	for tasks := (scan.JSONArray{Rest: list}); ; {
		task, ok := tasks.Next()
		if !ok || task == "null" { // GSD stumbles over it and shows no task
			return ""
		}
		scan.JSONFields(task, fields[:])
		if scan.JSONStringIs(fields[0].Value, "in_progress") {
			form, _ := scan.JSONText(fields[1].Value)
			return form
		}
	}
}

var (
	taskStatus = [...]string{"status"}
	taskForm   = [...]string{"activeForm"}
)
