// The small files below .ultraplan: the session, retries, where to go on, the lists of events.

package facts

import (
	"strings"
	"time"

	"gatehouse/model/line"
	"gatehouse/parse/disk/mirror"
	"gatehouse/parse/doc"
	"gatehouse/parse/protocol"
)

// Session is logs/current-session.json, with its whole text.
type Session struct {
	ID      string        `json:"session_id"`
	Started string        `json:"started_at"`
	Plan    string        `json:"plan_id"`
	Updated string        `json:"last_updated"`
	Tasks   []SessionTask `json:"tasks"`
	Text    string        `json:"-"`
}

// SessionTask is a task of the session. Plan is ours: a session has one plan, and parallel ones have several.
type SessionTask struct {
	Name     string `json:"task_name"`
	Plan     string `json:"plan_id"`
	Status   string `json:"status"`
	Attempts int    `json:"attempts"`
}

func ParseSession(text string) (*Session, error) {
	s := &Session{Text: text}
	err := decode(text, s)
	return s, err
}

// Retries is state/retry-state.json.
type Retries struct {
	Tasks map[string]*Retry `json:"task_retries"`
}

// Retry is what is known of the retries of one task.
type Retry struct {
	Name     string         `json:"task_name"`
	Count    int            `json:"retry_count"`
	Max      int            `json:"max_retries"`
	Status   string         `json:"status"` // "executing", "retrying", "escalated", "done"
	Current  int            `json:"current_attempt"`
	Last     string         `json:"last_attempt_at"`
	Failures []RetryFailure `json:"failures"`
}

type RetryFailure struct {
	Attempt int    `json:"attempt"`
	At      string `json:"timestamp"`
	Type    string `json:"failure_type"`
	Error   string `json:"error_summary"`
	Fix     string `json:"suggested_fix"`
}

func parseRetries(text string) (*Retries, error) {
	r := &Retries{}
	err := decode(text, r)
	return r, err
}

// Resume is state/continue.md: its presence alone says that there is something to go on with. It has no form of its own.
type Resume struct {
	Last  string   // what was executed last
	Next  string   // the first of the next steps
	Steps []string // all of them, cleaned
	Text  string   // as it is
}

// maxSteps is how many next steps are kept.
const maxSteps = 20

func ParseResume(text string) (*Resume, error) {
	r := &Resume{Text: text}
	section, first := "", ""
	for l := range doc.Lines(text, 0, len(text)) {
		if l.Level > 0 {
			section = strings.ToLower(l.Title)
			continue
		}
		last := r.Last == "" && strings.Contains(section, "last")
		if next := strings.Contains(section, "next") && len(r.Steps) < maxSteps; l.Code || l.Comment || l.Underline || first != "" && !last && !next {
			continue
		}
		t := strings.TrimSpace(l.Text)
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
		case last:
			r.Last = t
		case strings.Contains(section, "next") && len(r.Steps) < maxSteps:
			r.Steps = append(r.Steps, line.Tidy(t))
			if r.Next == "" {
				r.Next = t
			}
		}
	}
	if r.Last == "" {
		r.Last = first
	}
	return r, nil
}

// Event is a line of state/events.jsonl or logs/retry.jsonl.
type Event struct {
	ID      string         `json:"id"`
	At      string         `json:"timestamp"`
	Type    string         `json:"type"`
	Event   string         `json:"event"`
	Source  string         `json:"source"`
	Task    string         `json:"task_id"`
	Status  string         `json:"status"`
	Error   string         `json:"error"`
	Reason  string         `json:"reason"`
	Payload map[string]any `json:"payload"`
	Line    int
}

func (e *Event) When() time.Time { return protocol.ParseTime(e.At) }

// events is a file of events. It has a type of its own so that the mirror keeps it beside others of the same file.
type events struct{ list []Event }

const (
	// maxEvents is how many events of a file are kept, the last ones.
	maxEvents = 500
	// maxEvent is how long the line of one may be, in bytes.
	maxEvent = 64 << 10
)

// parseEvents reads the last lines of a file of one JSON object a line. A line that is none costs that line: files are
// appended to while they are read.
func parseEvents(text string) (*events, error) {
	lines := strings.Split(strings.TrimRight(text, "\n"), "\n")
	start := max(0, len(lines)-maxEvents)
	e := &events{}
	var fault error
	for i, l := range lines[start:] {
		if strings.TrimSpace(l) == "" {
			continue
		}
		one := Event{Line: start + i + 1}
		if len(l) > maxEvent {
			fault = &mirror.Fault{Line: one.Line, Text: "this event is longer than 64 KiB, and left out", Minor: true}
			continue
		}
		if err := decode(l, &one); err != nil {
			if fault == nil {
				fault = &mirror.Fault{Line: one.Line, Text: "this is no event: " + err.Error(), Minor: true}
			}
			if one.At == "" && one.Type == "" && one.Event == "" {
				continue
			}
		}
		e.list = append(e.list, one)
	}
	return e, fault
}
