package core

import (
	"gatehouse/model/line"
	"gatehouse/parse/doc"
)

// Session is logs/current-session.json.
type Session struct {
	ID, Started, Plan, Updated string
	Tasks                      []SessionTask
	Problems                   []doc.Problem
}

// SessionTask is a task of the session.
type SessionTask struct {
	Name     string
	Plan     string // its own, else the session's
	Status   string
	Attempts int
}

// Key returns the plan of the task, see [PlanKey].
func (t *SessionTask) Key() string { return PlanKey(t.Plan) }

// ParseSession parses a session. A member of a wrong type is a problem and counts as missing.
func ParseSession(text string) (*Session, *doc.SyntaxError) {
	tree, err := doc.ParseJSON(text)
	root := tree.Root()
	s := &Session{}
	if err != nil {
		return nil, err
	}
	s.Problems = tree.Problems
	expect := func(v doc.Value, name string, kind doc.Kind) doc.Value {
		if v.Is(kind) || v.IsEmpty() && kind != doc.Map {
			return v
		}
		s.Problems = append(s.Problems, doc.Problem{At: v.Offset(), Text: name + " is " + v.Kind().String() + ", which it can't be", Fix: "write it like the protocol; until then it is ignored"})
		return doc.Value{}
	}
	root = expect(root, "the document", doc.Map)
	text1 := func(object doc.Value, key string) string { return expect(object.Get(key), key, doc.String).Text() }
	s.ID, s.Started, s.Plan, s.Updated = text1(root, "session_id"), text1(root, "started_at"), text1(root, "plan_id"), text1(root, "last_updated")
	for v := range expect(root.Get("tasks"), "tasks", doc.List).Elements() {
		if v = expect(v, "an entry of tasks", doc.Map); !v.Is(doc.Map) {
			continue
		}
		t := SessionTask{Name: text1(v, "task_name"), Plan: text1(v, "plan_id"), Status: text1(v, "status")}
		if n, ok := expect(v.Get("attempts"), "attempts", doc.Number).Number(); ok {
			t.Attempts = int(min(max(n, 0), MaxCount))
		}
		if t.Plan == "" {
			t.Plan = s.Plan
		}
		s.Tasks = append(s.Tasks, t)
	}
	return s, nil
}

// isRunning reports whether the session shows the task as running.
func (t *SessionTask) isRunning() bool { return EqualFold(t.Status, "in_progress") }

// RunningPlans returns the keys of the plans with tasks that the session shows as running.
func (s *Session) RunningPlans() (keys []string) {
	if s == nil {
		return nil
	}
	for i := range s.Tasks {
		if t := &s.Tasks[i]; t.isRunning() && t.Key() != "" {
			keys = append(keys, t.Key())
		}
	}
	return keys
}

// Retries is state/retry-state.json.
type Retries struct {
	Tasks    []RetryState
	Problems []doc.Problem
}

// RetryState holds the retries of one task.
type RetryState struct {
	ID       string // ID of the task, as it is written
	Name     string
	Count    int
	Max      int
	Current  int
	Status   string // "executing", "retrying", "escalated", "done"
	Last     string // time of the last attempt, as it is written
	Failures []RetryFailure
}

// RetryFailure is one failure of a task.
type RetryFailure struct {
	Attempt          int
	Type, Error, Fix string
}

// The words of [RetryState.Status] that have an effect.
const (
	Escalated = "escalated" // all attempts are spent: a human decides
	Retrying  = "retrying"
)

// ParseRetries parses a retry-state.json.
func ParseRetries(text string) (*Retries, *doc.SyntaxError) {
	tree, err := doc.ParseJSON(text)
	if err != nil {
		return nil, err
	}
	r := &Retries{Problems: tree.Problems}
	count := func(v doc.Value) int {
		n, ok := v.Number()
		if !ok && !v.IsEmpty() {
			r.Problems = append(r.Problems, doc.Problem{At: v.Offset(), Text: v.Key() + " is " + v.Kind().String() + ", which it can't be", Fix: "write a number; until then it is ignored"})
		}
		return int(min(max(n, 0), MaxCount))
	}
	for v := range tree.Root().Get("task_retries").Members() {
		if !v.Is(doc.Map) {
			continue
		}
		one := RetryState{
			ID: v.Key(), Name: v.Get("task_name").Text(), Count: count(v.Get("retry_count")), Max: count(v.Get("max_retries")), Current: count(v.Get("current_attempt")),
			Status: v.Get("status").Text(), Last: v.Get("last_attempt_at").Text(),
		}
		for f := range v.Get("failures").Elements() {
			if len(one.Failures) < MaxFailures {
				one.Failures = append(one.Failures, RetryFailure{count(f.Get("attempt")), f.Get("failure_type").Text(), f.Get("error_summary").Text(), f.Get("suggested_fix").Text()})
			}
		}
		r.Tasks = append(r.Tasks, one)
	}
	return r, nil
}

// Resume is state/continue.md, whose presence means that work was interrupted. It has no fixed format.
type Resume struct {
	Last  string   // the last executed task
	Next  string   // the first next step
	Steps []string // all next steps, cleaned
	Plan  string   // the first plan in the file, "" without one
	Text  string
}

// maxSteps limits the next steps that are kept.
const maxSteps = 20

// ParseResume parses a continue.md.
func ParseResume(text string) *Resume {
	r := &Resume{Text: text, Plan: FindPlan(text)}
	section, first := "", ""
	for l := range doc.Lines(text, 0, len(text)) {
		if l.Level > 0 {
			section = l.Title
			continue
		}
		isLast := r.Last == "" && line.ContainsFold(section, "last")
		isNext := line.ContainsFold(section, "next") && len(r.Steps) < maxSteps
		if l.Code || l.Comment || first != "" && !isLast && !isNext {
			continue
		}
		t := doc.Trim(l.Text)
		if item, _, ok := doc.ParseItem(l.Text); ok {
			t = item
		}
		if box, _, ok := doc.ParseCheckBox(l.Text); ok {
			t = box
		}
		if t = doc.StripMarks(t); t == "" {
			continue
		}
		if first == "" {
			first = t
		}
		switch {
		case isLast:
			r.Last = t
		case isNext:
			if r.Steps = append(r.Steps, line.Tidy(t)); r.Next == "" {
				r.Next = t
			}
		}
	}
	if r.Last == "" {
		r.Last = first
	}
	return r
}

// FindPlan returns the first plan that a text names, "03-02" for "Task 2: name (03-02)", "03-02:task-2" or "03-02-PLAN.md"; "" without
// one. A date is not taken for a plan.
func FindPlan(text string) string {
	for i := 0; i < len(text); i++ {
		if !isWordByte(text[i]) {
			continue
		}
		if plan := PlanAt(text[i:]); plan != "" && len(LeadingNumber(plan)) < 4 {
			if end := i + len(plan); end == len(text) || !isWordByte(text[end]) || text[end] == '-' || text[end] == '.' {
				return plan
			}
		}
		for i+1 < len(text) && isWordByte(text[i+1]) {
			i++
		}
	}
	return ""
}

// isWordByte reports whether a byte is part of a word or joins the parts of a name.
func isWordByte(c byte) bool {
	return c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'z' || c == '-' || c == '_' || c == '.' || c >= 0x80
}

// Event is a line of state/events.jsonl or logs/retry.jsonl.
type Event struct {
	At, Kind, Source, Task, Status, Error, Reason string
	Payload                                       []Fact
	Line                                          int
}

const (
	// maxEvents is how many events of a file are kept, the last ones.
	maxEvents = 500
	// maxEvent limits the length of an event's line in bytes.
	maxEvent = 64 << 10
	// maxDetails limits the details of an event.
	maxDetails = 12
)

// ParseEvents parses the last lines of a file with one JSON object per line. A broken line is a problem and is skipped.
func ParseEvents(text string) (events []Event, problem *Problem) {
	total := 0
	for range doc.Lines(text, 0, len(text)) {
		total++
	}
	number := 0
	for from := 0; from < len(text); {
		end := doc.Index(text[from:], "\n")
		if end < 0 {
			end = len(text) - from
		}
		l := doc.Trim(text[from : from+end])
		from += end + 1
		if number++; l == "" || number <= total-maxEvents {
			continue
		}
		if len(l) > maxEvent {
			problem = &Problem{number, "this event is longer than 64 KiB, and left out", ""}
			continue
		}
		tree, err := doc.ParseJSON(l)
		v := tree.Root()
		if err != nil || !v.Is(doc.Map) {
			if problem == nil {
				problem = &Problem{number, "this is no event", "write one JSON object on a line"}
			}
			continue
		}
		e := Event{
			At: v.Get("timestamp").Text(), Kind: doc.FirstText(v.Get("type"), v.Get("event")), Source: v.Get("source").Text(), Task: v.Get("task_id").Text(),
			Status: v.Get("status").Text(), Error: v.Get("error").Text(), Reason: v.Get("reason").Text(), Line: number,
		}
		for m := range v.Get("payload").Members() {
			if text := m.Scalar(); text != "" && len(e.Payload) < maxDetails {
				e.Payload = append(e.Payload, Fact{m.Key(), text})
			}
		}
		events = append(events, e)
	}
	return events, problem
}
