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
	if err != nil {
		return nil, err
	}
	s := &Session{Problems: tree.Problems}
	expect := func(v doc.Value, name string, kind doc.Kind) doc.Value {
		if v.Is(kind) || v.IsEmpty() && kind != doc.Map {
			return v
		}
		text := name + " is " + v.Kind().String() + ", which it can't be"
		s.Problems = append(s.Problems, doc.Problem{At: v.Offset(), Text: text, Fix: "write it like the protocol; until then it is ignored"})
		return doc.Value{}
	}
	textOf := func(object doc.Value, key string) string { return expect(object.Get(key), key, doc.String).Text() }
	root := expect(tree.Root(), "the document", doc.Map)
	s.ID, s.Started, s.Plan = textOf(root, "session_id"), textOf(root, "started_at"), textOf(root, "plan_id")
	s.Updated = textOf(root, "last_updated")
	for v := range expect(root.Get("tasks"), "tasks", doc.List).Elements() {
		if v = expect(v, "an entry of tasks", doc.Map); !v.Is(doc.Map) {
			continue
		}
		t := SessionTask{Name: textOf(v, "task_name"), Plan: textOf(v, "plan_id"), Status: textOf(v, "status")}
		t.Attempts = countIn(expect(v.Get("attempts"), "attempts", doc.Number))
		if t.Plan == "" {
			t.Plan = s.Plan
		}
		s.Tasks = append(s.Tasks, t)
	}
	return s, nil
}

// countIn returns a count, 0 for anything else.
func countIn(v doc.Value) int {
	n, _ := v.Number()
	return int(min(max(n, 0), MaxCount))
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

// RetryState is how often one task was tried again.
type RetryState struct {
	ID     string // ID of the task, as it is written
	Count  int
	Status string // "executing", "retrying", "escalated", "done"
}

// ParseRetries parses a retry-state.json.
func ParseRetries(text string) (*Retries, *doc.SyntaxError) {
	tree, err := doc.ParseJSON(text)
	if err != nil {
		return nil, err
	}
	r := &Retries{Problems: tree.Problems}
	for v := range tree.Root().Get("task_retries").Members() {
		r.Tasks = append(r.Tasks, RetryState{ID: v.Key(), Count: countIn(v.Get("retry_count")), Status: v.Get("status").Text()})
	}
	return r, nil
}

// The words of [RetryState.Status] that have an effect.
const (
	Escalated = "escalated" // all attempts are spent: a human decides
	Retrying  = "retrying"
)

// Resume is state/continue.md, whose presence means that work was interrupted. It has no fixed format.
type Resume struct {
	Last  string   // the last executed task
	Next  string   // the first next step
	Steps []string // all next steps, cleaned
	Plan  string   // the first plan in the file, "" without one
}

// maxSteps limits the next steps that are kept.
const maxSteps = 20

// ParseResume parses a continue.md.
func ParseResume(text string) *Resume {
	r := &Resume{Plan: FindPlan(text)}
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
