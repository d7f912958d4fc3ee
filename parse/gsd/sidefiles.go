// The small files beside the tree: WAITING.json, HANDOFF.json, .continue-here.md, todos, quick tasks, config.json.

package gsd

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"gatehouse/model/line"
	"gatehouse/parse/disk/mirror"
	"gatehouse/parse/doc"
	"gatehouse/parse/gsd/rules"
	"gatehouse/parse/protocol"
	"gatehouse/parse/text/scan"
)

// waiting is WAITING.json: the agent's live signal that it waits for an
// answer. It is deleted when the agent goes on.
type waiting struct {
	status   string // as written: "waiting", or a word that nobody knows
	kind     string
	question string
	options  []string
	since    time.Time
	modTime  time.Time // of the file
	phase    string
	asked    string // when, as written
	over     string // why nobody waits for the answer any more; "" while somebody does
}

func (w *waiting) sinceWhen() moment { return saidAt(w.since, w.modTime) }

func parseWaiting(text string) (*waiting, error) {
	o, err := parseObject(text)
	if err != nil {
		return nil, err
	}
	status := o.Get("status").Text()
	if rules.Over(status) {
		return nil, nil
	}
	w := &waiting{status: status, kind: o.text("type"), question: o.question(), asked: o.text("since"), phase: o.text("phase")}
	w.since = protocol.ParseTime(w.asked)
	for _, v := range o.list("options") {
		switch {
		case v.Is(doc.String):
			w.options = append(w.options, v.Text())
		case v.Is(doc.Map):
			w.options = append(w.options, object{v}.text("label"))
		}
	}
	return w, nil
}

// question returns what is asked, also where it is wrapped in an object.
func (o object) question() string {
	if q := o.Get("question"); q.Is(doc.Map) {
		return object{q}.first("text", "question", "label")
	}
	return o.text("question")
}

// handoff is HANDOFF.json: work laid down on purpose, with what is left.
type handoff struct {
	status   string
	phase    string
	reason   string
	since    time.Time
	modTime  time.Time // of the file
	blockers []handoffBlocker
	actions  []handoffAction
}

// over reports whether the work was taken up again.
func (h *handoff) over() bool {
	switch strings.ToLower(h.status) {
	case "completed", "complete", "done", "resumed", "resolved":
		return true
	}
	return false
}

func (h *handoff) sinceWhen() moment { return saidAt(h.since, h.modTime) }

type handoffBlocker struct{ text, kind string }

type handoffAction struct {
	text, context string
	blocking      bool
}

func parseHandoff(text string) (*handoff, error) {
	o, err := parseObject(text)
	if err != nil {
		return nil, err
	}
	h := &handoff{
		status: o.text("status"), phase: o.text("phase"),
		reason: o.text("context_notes"), since: protocol.ParseTime(o.text("timestamp")),
	}
	for _, v := range o.list("blockers") {
		switch b := (object{v}); {
		case v.Is(doc.String):
			h.blockers = append(h.blockers, handoffBlocker{text: v.Text()})
		case v.Is(doc.Map):
			if text := b.first("description", "text", "reason"); text != "" {
				h.blockers = append(h.blockers, handoffBlocker{text: text, kind: b.text("type")})
			}
		}
	}
	for _, v := range o.list("human_actions_pending") {
		switch a := (object{v}); {
		case v.Is(doc.String):
			if line.Tidy(v.Text()) != "" {
				h.actions = append(h.actions, handoffAction{text: v.Text()})
			}
		case v.Is(doc.Map):
			blocking, _ := v.Get("blocking").Bool()
			if text := a.first("action", "description", "context"); line.Tidy(text) != "" && !rules.Over(a.text("status")) {
				h.actions = append(h.actions, handoffAction{text: text, context: a.text("context"), blocking: blocking})
			}
		}
	}
	h.blockers, err = atMost(h.blockers, "blockers", err)
	h.actions, err = atMost(h.actions, forHuman, err)
	return h, err
}

// maxOfFile is how many things of a sort are listed of a file beside the state: real ones have some.
const maxOfFile = 1000

// forHuman is a sort of things.
const forHuman = "things for a human to do"

// atMost returns the first of the things of a file, and what is wrong with it by now.
func atMost[T any](all []T, sort string, err error) ([]T, error) {
	if len(all) <= maxOfFile {
		return all, err
	}
	if err == nil {
		err = &mirror.Fault{Line: 1, Text: fmt.Sprintf("more than %d %s; the rest is left out", maxOfFile, sort), Minor: true}
	}
	return slices.Clone(all[:maxOfFile]), err
}

// object is a JSON object whose fields may be of any type.
type object struct{ doc.Value }

// parseObject reads a JSON object; the error names line and column.
func parseObject(text string) (object, error) {
	if len(text) > protocol.SideLimit {
		return object{}, &mirror.Fault{Line: 1, Text: "this is more than 1 MiB of JSON, which is not read"}
	}
	tree, syntax := doc.ParseJSON(text)
	switch {
	case syntax != nil:
		return object{}, protocol.SyntaxFault(text, syntax)
	case tree.Root().Is(doc.Map), tree.Root().Is(doc.Null):
		return object{tree.Root()}, nil
	}
	return object{}, &mirror.Fault{Line: 1, Text: "this is not a JSON object"}
}

// text returns a string, or a number as it is commonly written; else "".
func (o object) text(key string) string {
	v := o.Get(key)
	if v.Is(doc.Number) {
		n, _ := scan.JSONNumber(v.Raw())
		if n-n != 0 {
			return "" // it is infinite
		}
		return strings.TrimSuffix(strings.TrimRight(fmt.Sprintf("%.3f", n), "0"), ".")
	}
	return v.Text()
}

// first returns the first of the keys that holds text.
func (o object) first(keys ...string) string {
	for _, key := range keys {
		if s := o.text(key); s != "" {
			return s
		}
	}
	return ""
}

// list returns a list; a text alone is a list of one.
func (o object) list(key string) (all []doc.Value) {
	v := o.Get(key)
	if v.Is(doc.String) {
		return []doc.Value{v}
	}
	if v.Is(doc.List) {
		all = slices.Collect(v.Children())
	}
	return all
}

// continueHere is a .continue-here.md: where work stopped in a phase.
type continueHere struct {
	phase, task, status string
	updated             time.Time
	modTime             time.Time // of the file
}

func (s *continueHere) sinceWhen() moment { return saidAt(s.updated, s.modTime) }

func parseContinue(text string) (*continueHere, error) {
	_, front, err := protocol.ReadDocument(text, "phase", "task", "status", "last_updated")
	return &continueHere{
		phase: front.String("phase"), task: front.String("task"), status: front.String("status"),
		updated: protocol.ParseTime(front.String("last_updated")),
	}, err
}

// todo is a file of todos/pending, or a quick task's plan.
type todo struct {
	title, area, severity string
	created               time.Time
}

// todoHead is how many lines of a todo may hold its fields.
const todoHead = 40

func parseTodo(text string) (*todo, error) {
	t := &todo{}
	for l := range doc.Lines(text, 0, len(text)) {
		if l.Number > todoHead {
			break
		}
		if l.Level > 0 && t.title == "" {
			t.title = doc.StripMarks(l.Title)
			continue
		}
		key, value, ok := strings.Cut(l.Text, ":")
		if !ok {
			continue
		}
		value = strings.Trim(strings.TrimSpace(value), `"'`)
		switch strings.TrimSpace(key) {
		case "title":
			t.title = value
		case "area":
			t.area = value
		case "severity":
			t.severity = value
		case "created":
			t.created = protocol.ParseTime(value)
		}
	}
	return t, nil
}

// config is what config.json says about how the project is run.
type config struct {
	verifier bool // phases are verified after execution
}

func parseConfig(text string) (*config, error) {
	c := &config{verifier: true}
	o, err := parseObject(text)
	if err != nil {
		return c, err
	}
	if v, ok := o.Get("workflow", "verifier").Bool(); ok {
		c.verifier = v
	}
	return c, nil
}
