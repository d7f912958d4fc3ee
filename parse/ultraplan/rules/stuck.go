// Tasks that have failed as often as they may, by other files than STATE.md: retries, session, logs.

package rules

import (
	"cmp"
	"slices"

	"gatehouse/model/line"
	"gatehouse/parse/text/scan"
)

// maxHeads is how many logs are read for one line.
const maxHeads = 256

// stuck looks for what waits for a human in a project.
type stuck struct {
	*Files
	session, retries string // current-session.json and retry-state.json
	text             string // of STATE.md
	phases           []Phase
	state            *State
	logs             []LogFile
	listed           bool
	heads            int
}

// find says what waits for a human, "" for nothing, and by which file. If STATE.md has a gate of a task, the gate decides, unless
// the logs have gone on since; else a task of an open plan waits that has failed as often as it may. A task that is listed as left
// out, or that somebody is at, waits for nobody. The dashboard finds the same in all files.
//
// Thousands of names of logs cost as much as everything else. So they are listed if asked, or if STATE.md says that somebody
// waits, who may no longer be needed; and only those of an open task that has failed are read.
func (x *stuck) find(asked bool) (what, file string) {
	if what = x.state.AskedFor(x.phases); what != "" && !x.state.Task.Overtaken(&x.sinceGate(true).Results) {
		return what, StateFile
	}
	open := false
	for i := range x.phases {
		for _, plan := range x.phases[i].Plans {
			open = open || !plan.Done
		}
	}
	if !open {
		return "", ""
	}
	if asked {
		x.list()
	}
	if what, file = x.byGate(); what != "" {
		return what, file
	}
	if what = x.byRetries(); what != "" {
		return what, retriesFile
	}
	if what = x.bySession(); what != "" {
		return what, sessionFile
	}
	return x.byLogs()
}

// read reads the head of a log.
func (x *stuck) read(i int) LogHead {
	text, _ := x.Read(x.logs[i].path)
	return ParseLogHead(text)
}

// isInPlan reports whether the text of a plan names a task.
func (x *stuck) isInPlan(plan, name string) bool {
	for i := range x.phases {
		for _, p := range x.phases[i].Plans {
			if SamePlan(p.ID, plan, "") {
				return scan.Index(x.readPlan(x.phases[i].Dir, p.ID), name) >= 0
			}
		}
	}
	return name == ""
}

// gate returns the task that STATE.md has a gate of.
func (x *stuck) gate() task {
	s := &x.state.Task
	gate := task{plan: s.Plan, number: numberOf(s.Name), name: s.Name}
	if phase, _ := SplitPlan(gate.plan); phase == "" && s.Phase != "" {
		gate.plan = s.Phase + "-" + gate.plan
	}
	return gate
}

// sinceGate returns what the logs of the gate's task say of it.
func (x *stuck) sinceGate(list bool) *results {
	t := x.gate()
	if t.number == "" {
		return &results{}
	}
	if list {
		x.list()
	}
	return x.results(t)
}

// byGate finds the gate's task where it has failed as often as it may since its gate moved.
func (x *stuck) byGate() (what, file string) {
	t := x.gate()
	if x.state.Task.Gate == "" || t.number == "" || !openPlan(x.phases, t.plan) || !x.free(t) {
		return "", ""
	}
	r := x.sinceGate(false)
	times, spent := x.state.Task.FailedSince(&r.Results)
	if !spent {
		return "", ""
	}
	name := x.read(r.at).Name
	if !x.isInPlan(t.plan, name) {
		return "", ""
	}
	return name + " " + Failed(line.Decimal(times)), x.logs[r.at].path
}

// list lists the logs, once.
func (x *stuck) list() {
	if !x.listed {
		x.logs, x.listed = x.listLogs(), true
	}
}

// byRetries finds a task that retry-state.json calls escalated.
func (x *stuck) byRetries() string {
	all, ok := scan.JSONValue(x.retries, "task_retries")
	if !ok {
		return ""
	}
	members := scan.JSONMembers{Rest: all}
	for key, value, ok := members.Next(); ok; key, value, ok = members.Next() {
		if scan.JSONTextAt(value, "status") != "escalated" {
			continue
		}
		id, _ := scan.JSONText(key)
		t := parseTaskID(id)
		if t.name = scan.JSONTextAt(value, "task_name"); t.number == "" || !x.waits(t) {
			continue
		}
		switch r := x.results(t); {
		case r.any && (r.Last == "" || r.Last == "success"): // it has succeeded since, or nobody knows
			continue
		case !r.any && x.ended(t): // so the session says
			continue
		}
		if t.name == "" {
			t.name = "Task " + t.number
		}
		count := 0
		if raw, there := scan.JSONValue(value, "retry_count"); there {
			number, _ := scan.JSONNumber(raw)
			count = int(min(max(number, 0), 1<<20))
		}
		return t.name + " " + Failed(line.Decimal(count))
	}
	return ""
}

// bySession finds a task that has failed as often as it may by the session, where a capture notes it.
func (x *stuck) bySession() (what string) {
	x.eachInSession(func(t task, status, entry string) bool {
		raw, _ := scan.JSONValue(entry, "attempts")
		number, ok := scan.JSONNumber(raw)
		if status != "failure" || !ok || number < MaxAttempts || !x.waits(t) {
			return true
		}
		if r := x.results(t); r.any && r.Last != "failure" {
			return true // its log knows better
		}
		what = t.name + " " + Failed(line.Decimal(int(min(number, 1<<20))))
		return false
	})
	return what
}

// ended reports whether the session says that a task has ended otherwise than by a failure.
func (x *stuck) ended(t task) (ended bool) {
	x.eachInSession(func(other task, status, _ string) bool {
		ended = ended || (status == "success" || status == "blocked") && t.is(other)
		return true
	})
	return ended
}

// eachInSession shows the tasks of the session, each of the session's plan unless it names one itself, until see returns false.
func (x *stuck) eachInSession(see func(t task, status, entry string) bool) {
	fields := [...]scan.JSONField{{Path: []string{"plan_id"}}, {Path: []string{"tasks"}}}
	if x.session == "" || !scan.JSONFields(x.session, fields[:]) {
		return
	}
	plan, _ := scan.JSONText(fields[0].Value)
	tasks := scan.JSONArray{Rest: fields[1].Value}
	for entry, ok := tasks.Next(); ok; entry, ok = tasks.Next() {
		t := task{plan: plan, name: scan.JSONTextAt(entry, "task_name")}
		if own := scan.JSONTextAt(entry, "plan_id"); own != "" {
			t.plan = own
		}
		t.number = numberOf(t.name)
		if t.name != "" && !see(t, scan.JSONTextAt(entry, "status"), entry) {
			return
		}
	}
}

// byLogs finds a task that has failed as often as it may by its logs.
func (x *stuck) byLogs() (what, file string) {
	var looked []task
	for _, l := range x.logs {
		t := task{plan: l.Plan, number: l.Task}
		if l.Status != "failure" || slices.Contains(looked, t) {
			continue
		}
		looked = append(looked, t)
		if !openPlan(x.phases, t.plan) {
			continue
		}
		r := x.results(t)
		if r.Last != "failure" || r.Failures() < MaxAttempts {
			continue
		}
		t.name = x.read(r.at).Name
		if x.waits(t) && x.isInPlan(t.plan, t.name) {
			return t.name + " " + Failed(line.Decimal(r.Failures())), x.logs[r.at].path
		}
	}
	return "", ""
}

// results is what the logs of a task say.
type results struct {
	Results
	any bool // there is one, by its name
	at  int  // the index of the last one that is whole
}

// results reads the logs of a task, from the newest day on, until one has succeeded.
func (x *stuck) results(t task) *results {
	r := &results{}
	var days []string
	for i := range x.logs {
		if l := &x.logs[i]; t.same(task{plan: l.Plan, number: l.Task}) && !slices.Contains(days, l.Day) {
			days = append(days, l.Day)
		}
	}
	slices.Sort(days)
	r.any = len(days) > 0
	var all []readLog // the newest first
	for _, day := range slices.Backward(days) {
		all = append(all, x.logsOf(t, day)...)
		if slices.ContainsFunc(all, func(one readLog) bool { return one.Status == "success" }) {
			break
		}
	}
	for i, one := range slices.Backward(all) {
		seconds, _ := scan.Seconds(one.At)
		r.Add(one.Status, one.Attempt, x.state.Task.After(seconds))
		r.at = all[i].index
	}
	return r
}

// readLog is a log that was read, with its index.
type readLog struct {
	LogHead
	index, ordinal int
}

// logsOf reads the logs of a task of one day that are whole, the newest first. Copies count once.
func (x *stuck) logsOf(t task, day string) (all []readLog) {
	for i := range x.logs {
		l := &x.logs[i]
		if l.Day != day || !t.same(task{plan: l.Plan, number: l.Task}) || x.heads == maxHeads {
			continue
		}
		x.heads++
		h := x.read(i)
		if h.Whole && h.Status == l.Status && SamePlan(h.Plan, l.Plan, "") && CompareNumbers(h.Task, l.Task) == 0 &&
			!slices.ContainsFunc(all, func(other readLog) bool { return other.text == h.text }) {
			all = append(all, readLog{h, i, l.Ordinal})
		}
	}
	slices.SortFunc(all, func(a, b readLog) int {
		return -cmp.Or(cmp.Compare(a.At, b.At), cmp.Compare(a.Sequence, b.Sequence), cmp.Compare(a.Attempt, b.Attempt), cmp.Compare(a.Status, b.Status), cmp.Compare(a.ordinal, b.ordinal))
	})
	return all
}

// waits reports whether a task may wait for a human: its plan is open, STATE.md has no gate of it and does not list it as left out,
// and nobody is at it.
func (x *stuck) waits(t task) bool {
	return openPlan(x.phases, t.plan) && !(x.state.Task.Gate != "" && t.is(x.gate())) && x.free(t)
}

// free reports whether nobody is at a task, nor has left it out.
func (x *stuck) free(t task) bool {
	free := true
	x.eachInSession(func(other task, status, _ string) bool {
		free = free && !(foldEqual(status, "in_progress") && t.is(other))
		return free
	})
	if all, ok := scan.JSONValue(x.retries, "task_retries"); ok && free {
		members := scan.JSONMembers{Rest: all}
		for key, value, ok := members.Next(); ok; key, value, ok = members.Next() {
			id, _ := scan.JSONText(key)
			free = free && !(scan.JSONTextAt(value, "status") == "retrying" && t.is(parseTaskID(id)))
		}
	}
	return free && !x.leftOut(t)
}

// leftOut reports whether STATE.md lists a task as left out by a user, under skipped_tasks, or as unverified, under tasks.
func (x *stuck) leftOut(t task) bool {
	for _, list := range [...]string{"skipped_tasks:", "tasks:"} {
		at := scan.FindAtLineStart(x.text, list, 0)
		if at < 0 {
			continue
		}
		_, at = nextText(x.text, at)
		item, unverified := task{}, false
		out := func() bool {
			if item.plan == "" {
				item.plan = t.plan
			}
			return (list == "skipped_tasks:" || unverified) && t.is(item)
		}
		for at < len(x.text) {
			var l string
			if l, at = nextText(x.text, at); scan.TrimSpace(l) == "" {
				continue
			}
			begins := scan.HasPrefixAt(scan.TrimSpace(l), "- ", 0)
			if l[0] != ' ' && l[0] != '\t' && !begins {
				break
			}
			if begins {
				if out() {
					return true
				}
				item, unverified = task{}, false
			}
			switch key, value := field(l); key {
			case "task", "name":
				if value = scalar(value); item.name == "" {
					item = parseTaskID(value)
					if item.name = value; item.number == "" {
						item.number = numberOf(value)
					}
				}
			case "status":
				unverified = line.ContainsFold(value, "unverified")
			}
		}
		if out() {
			return true
		}
	}
	return false
}

// openPlan reports whether the tree has a plan, and no summary of it.
func openPlan(phases []Phase, id string) bool {
	for i := range phases {
		for _, plan := range phases[i].Plans {
			if SamePlan(plan.ID, id, "") {
				return !plan.Done
			}
		}
	}
	return false
}
