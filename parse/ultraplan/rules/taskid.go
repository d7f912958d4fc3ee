// How files name a task: by its plan and number, in several forms, or by its name.

package rules

import "gatehouse/parse/text/scan"

// task names a task: by the number of its plan and its own, or by its name.
type task struct{ plan, number, name string }

// same reports whether two tasks are of one number and plan.
func (t task) same(other task) bool {
	return t.number != "" && other.number != "" && CompareNumbers(t.number, other.number) == 0 && SamePlan(t.plan, other.plan, "")
}

// is reports whether two tasks are the same, by number or by name.
func (t task) is(other task) bool {
	if t.same(other) {
		return true
	}
	return t.name != "" && t.name == other.name && SamePlan(t.plan, other.plan, "")
}

// numberOf returns the number that the name of a task begins with, "2" of "Task 2: Trim the wick"; "" without one.
func numberOf(name string) string {
	if !scan.HasPrefixAt(name, "Task ", 0) {
		return ""
	}
	at := scan.SkipSpace(name, len("Task "))
	number, end := dotted(name, at)
	if end < len(name) && name[end] == ':' {
		return TrimZeros(number)
	}
	return ""
}

// parseTaskID reads "03-01:task-3", "03-01-task-3" and "06-01-01"; it is the zero task for other texts.
func parseTaskID(id string) task {
	id = scan.TrimSpace(id)
	phase, at := dotted(id, 0)
	if phase == "" || at >= len(id) || id[at] != '-' {
		return task{}
	}
	plan, end := dotted(id, at+1)
	if plan == "" || end >= len(id) {
		return task{}
	}
	t := task{plan: id[:end]}
	rest := id[end+1:]
	switch {
	case id[end] != ':' && id[end] != '-':
		return task{}
	case scan.HasPrefixAt(rest, "task-", 0):
		t.number, _ = dotted(rest, len("task-"))
	default:
		if number, end := dotted(rest, 0); end == len(rest) {
			t.number = number
		}
	}
	if t.number = TrimZeros(t.number); t.number == "" {
		return task{}
	}
	return t
}
