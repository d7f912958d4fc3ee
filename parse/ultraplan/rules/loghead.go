// The logs of results as the prompt reads them: their names, and what stands at the head of one.

package rules

import "gatehouse/parse/text/scan"

// LogFile is a log of a result by its day and its name, "03-01-task-02-failure-2.yaml".
type LogFile struct {
	Day                string
	Plan, Task, Status string
	Ordinal            int // of those of its task and status: 1, or the number that its name ends with

	path string // below the project's directory
}

// ParseLogName takes the name of a log apart; ok is false for other names.
func ParseLogName(name string) (f LogFile, ok bool) {
	const ends = ".yaml"
	switch n := len(name); {
	case n > len(ends) && name[n-len(ends):] == ends:
		name = name[:n-len(ends)]
	case n > 4 && name[n-4:] == ".yml":
		name = name[:n-4]
	default:
		return f, false
	}
	at := scan.Index(name, "-task-")
	if at < 0 {
		return f, false
	}
	f.Plan = name[:at]
	task, end := dotted(name, at+len("-task-"))
	if phase, plan := SplitPlan(f.Plan); task == "" || end >= len(name) || name[end] != '-' || phase == "" || plan == "" || phase[0] < '0' || phase[0] > '9' {
		return f, false
	}
	f.Task, f.Status, f.Ordinal = TrimZeros(task), name[end+1:], 1
	for i := range len(f.Status) {
		if f.Status[i] == '-' {
			f.Status, f.Ordinal = f.Status[:i], count(f.Status[i+1:])
			break
		}
	}
	return f, true
}

// LogHead is what a log says of whose result it is, and of how it ended.
type LogHead struct {
	Plan, Task, Name, Status string
	At                       string // as it is written: those of a day are written by one clock
	Sequence, Attempt        int
	Whole                    bool // it has all that a result has

	text string
}

// ParseLogHead returns what the text of a log says. It is read line by line, by the indentation of keys alone.
func ParseLogHead(text string) (h LogHead) {
	const none = -1
	h.text = text
	indent, section, fields, exit, done := none, "", 0, "", ""
	for at := 0; at < len(text); {
		var l string
		l, at = nextText(text, at)
		t := scan.TrimSpace(l)
		if t == "" || t[0] == '#' || t[0] == '-' {
			continue
		}
		in := scan.SkipSpace(l, 0)
		key, value := field(t)
		value = scalar(value)
		switch {
		case in == 0:
			if section = key; key == "result" {
				indent = none
			}
			switch key {
			case "logged_at":
				h.At = value
			case "plan_id":
				h.Plan = value
			case "task_index":
				h.Task = TrimZeros(value)
			case "sequence":
				h.Sequence = count(value)
			}
		case indent == none && section == "result":
			indent = in
			fallthrough
		case in == indent:
			section = key
			switch key {
			case "status":
				h.Status = value
			case "task_name":
				h.Name = value
			case "done_criteria_met":
				done = value
			}
			switch key {
			case "status", "task_name", "files_modified", "verification", "done_criteria_met", "evidence", "error":
				fields++
			}
		case section == "metadata" && key == "attempt":
			h.Attempt = count(value)
		case section == "verification" && key == "exit_code":
			exit = value
		}
	}
	h.Whole = h.At != "" && h.Plan != "" && h.Task != "" && h.Name != "" && fields == 7 && (h.Status != "success" || isZero(exit) && isTrue(done))
	return h
}

// isZero reports whether a value is the whole number 0 to YAML, which has more spellings of it: -0, 00, 0x0, 0_0.
func isZero(value string) bool {
	if value != "" && (value[0] == '-' || value[0] == '+') {
		value = value[1:]
	}
	if value == "" || value[0] != '0' {
		return false
	}
	if len(value) > 2 {
		switch value[1] {
		case 'x', 'X', 'o', 'O', 'b', 'B':
			value = value[2:]
		}
	}
	for i := range len(value) {
		if value[i] != '0' && value[i] != '_' {
			return false
		}
	}
	return true
}

// isTrue reports whether a value is true to YAML.
func isTrue(value string) bool { return value == "true" || value == "True" || value == "TRUE" }

// count returns a number of digits, 0 for anything else and for one that nobody believes.
func count(digits string) (n int) {
	if d, end := scan.Digits(digits, 0); d == "" || end < len(digits) || len(d) > 7 {
		return 0
	}
	for i := range len(digits) {
		n = n*10 + int(digits[i]-'0')
	}
	if n > 1<<20 {
		return 0
	}
	return n
}
