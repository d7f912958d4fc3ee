package main

// What the commands about live agents share: the store of asks, which of them is meant, how one is said.

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"gatehouse/model"
	"gatehouse/parse"
	"gatehouse/parse/agents/ask"
	"gatehouse/parse/agents/pane"
)

// store returns the store of asks.
func (s *surroundings) store() *ask.Store {
	return ask.Open(ask.Options{Dir: s.agents, Journal: s.user.Journal, User: s.user.Name, Table: s.processes, Now: s.now})
}

// variable returns a variable of the environment, "" where it is not set.
func (s *surroundings) variable(name string) string {
	for i := len(s.env) - 1; i >= 0; i-- {
		if value, ok := strings.CutPrefix(s.env[i], name+"="); ok {
			return value
		}
	}
	return ""
}

// projectOf returns the root of the project that a directory belongs to, its real path: that of the nearest build, else the directory
// itself.
func (s *surroundings) projectOf(dir string) string {
	if real, err := filepath.EvalSymlinks(dir); err == nil {
		dir = real
	}
	p, err := parse.Open(dir, s.user)
	if err != nil {
		return dir
	}
	if real, err := filepath.EvalSymlinks(p.Root()); err == nil {
		return real
	}
	return p.Root()
}

// pane returns the pane that this process is seen in.
func (s *surroundings) pane() pane.Pane {
	info, _ := s.processes.Look(s.processes.Self().PID)
	return pane.Of(s.variable, info.Terminal)
}

// askOf returns the ask that a word means: an ID, or the beginning of one.
func (s *surroundings) askOf(word string) (*ask.Item, error) {
	item, err := s.store().Get(word)
	if errors.Is(err, ask.ErrNone) || errors.Is(err, ask.ErrSeveral) {
		return nil, usageError{fmt.Errorf("%q: %w; gatehouse asks lists them", word, err)}
	}
	return item, err
}

// asksJSON is what "gatehouse asks --json" prints.
type asksJSON struct {
	Schema int       `json:"schema"`
	Asks   []askJSON `json:"asks"` // the newest first
}

// askJSON is an ask as commands print it.
type askJSON struct {
	ID        string         `json:"id"` // by which answer and ask --id know it
	Kind      ask.Kind       `json:"kind"`
	State     ask.State      `json:"state"`
	Text      string         `json:"text"`                // what is asked, in short
	Options   []optionJSON   `json:"options,omitempty"`   // of the first question
	Questions []questionJSON `json:"questions,omitempty"` // of a question, each with its options
	Plan      string         `json:"plan,omitempty"`      // of a plan: Markdown, of many lines
	Call      *ask.Call      `json:"call,omitempty"`
	Project   string         `json:"project"`            // root of the project that it belongs to
	Dir       string         `json:"dir"`                // where the agent works
	Session   string         `json:"session"`            // of the agent's client, "" without one
	Agent     string         `json:"agent"`              // name of its client: "claude"; "script" where none is known
	Subagent  string         `json:"subagent,omitempty"` // the session's own name for an agent below it
	Pane      string         `json:"pane,omitempty"`     // of the terminal that the agent is seen in
	Since     time.Time      `json:"since"`              // when it was asked
	Until     time.Time      `json:"until,omitzero"`     // it expires then
	Delivered bool           `json:"delivered"`          // whoever asked was told the answer
	End       *endJSON       `json:"end,omitempty"`
	Host      *model.Host    `json:"host,omitempty"` // the machine that the agent is on, with --fleet; none for this one
}

type optionJSON struct {
	Label       string `json:"label"`             // what is picked
	Description string `json:"description"`       // a sentence about it
	Preview     string `json:"preview,omitempty"` // what it would look like, of many lines
}

type questionJSON struct {
	Text    string       `json:"text"`             // what is asked
	Header  string       `json:"header,omitempty"` // a word or two about it
	Options []optionJSON `json:"options"`          // to choose from
	Multi   bool         `json:"multi"`            // several options may be picked
	Own     bool         `json:"own"`              // words of one's own are an answer
}

// endJSON is how an ask has ended.
type endJSON struct {
	At     time.Time `json:"at"`               // when
	Who    string    `json:"who,omitempty"`    // login name of the human who answered
	By     string    `json:"by,omitempty"`     // through what: dashboard, command, or the prompt of the client
	Answer string    `json:"answer,omitempty"` // answered, allowed or denied
	Said   []string  `json:"said,omitempty"`   // labels and words
	Reason string    `json:"reason,omitempty"` // of one that was withdrawn
}

// The words for an answer.
const (
	wordAnswered = "answered"
	wordAllowed  = "allowed"
	wordDenied   = "denied"
)

// wordOf returns the word for an answer to an ask.
func wordOf(a *ask.Ask, answer *ask.Answer) string {
	switch {
	case !answer.Allow:
		return wordDenied
	case a.Kind == ask.Question:
		return wordAnswered
	}
	return wordAllowed
}

func toJSON(item *ask.Item) askJSON {
	j := askJSON{
		ID: item.ID, Kind: item.Kind, State: item.State, Text: item.Text, Plan: item.Plan, Project: item.Project, Dir: item.Dir, Session: item.Session,
		Agent: item.Agent, Subagent: item.Subagent, Pane: item.Pane.String(), Since: item.Since, Until: item.Until, Delivered: item.Delivered, Call: item.Call,
	}
	for _, q := range item.Questions {
		out := questionJSON{Text: q.Text, Header: q.Header, Multi: q.Multi, Own: q.Own, Options: []optionJSON{}}
		for _, o := range q.Options {
			out.Options = append(out.Options, optionJSON(o))
		}
		j.Questions = append(j.Questions, out)
	}
	if len(j.Questions) > 0 {
		j.Options = j.Questions[0].Options
	}
	if e := item.End; e != nil {
		j.End = &endJSON{At: e.At, Who: e.Who, By: e.By, Reason: e.Reason}
		if e.Answer != nil {
			j.End.Answer, j.End.Said = wordOf(&item.Ask, e.Answer), item.Said(e.Answer)
		}
	}
	return j
}

// printAsk prints an ask for people, in a few lines.
func (s *surroundings) printAsk(item *ask.Item) {
	who := item.Agent
	if item.Subagent != "" {
		who += ", an agent below it"
	}
	if p := item.Pane.String(); p != "" {
		who += ", " + p
	}
	s.out.printf("%s  %s  %s (%s, %s, %s)\n", item.ID, item.Kind, item.Text, who, shortPath(item.Project, s.user.Home), model.Age(s.now().Sub(item.Since)))
	for i, q := range item.Questions {
		if i > 0 {
			s.out.printf("    %s\n", q.Text)
		}
		for n, o := range q.Options {
			if o.Description == "" {
				s.out.printf("    %d  %s\n", n+1, o.Label)
			} else {
				s.out.printf("    %d  %s: %s\n", n+1, o.Label, o.Description)
			}
		}
		if q.Multi {
			s.out.printf("       several may be picked\n")
		}
		if q.Own {
			s.out.printf("       or words of your own: --text\n")
		}
	}
	if item.Call != nil {
		for _, d := range item.Call.Dangers {
			s.out.printf("    ! %s: %s\n", d.Part, d.Why)
		}
	}
	if item.End != nil {
		s.out.printf("    %s\n", s.fateOf(item))
	}
}

// fateOf says how an ask has ended.
func (s *surroundings) fateOf(item *ask.Item) string {
	e := item.End
	said := fmt.Sprintf("%s at %s", item.State, e.At.In(s.now().Location()).Format(time.DateTime))
	if e.Answer != nil {
		said += fmt.Sprintf(" by %s (%s): %s", e.Who, e.By, wordOf(&item.Ask, e.Answer))
		if words := strings.Join(item.Said(e.Answer), ", "); words != "" {
			said += ", " + words
		}
	}
	if e.Reason != "" {
		said += ": " + e.Reason
	}
	if item.State == ask.Answered && !item.Delivered {
		said += "; not delivered: whoever asked has not printed it"
	}
	return said
}

// refuses returns why this process may not answer an ask.
func (s *surroundings) refuses(item *ask.Item) error {
	return s.store().Refuses(&item.Ask, s.processes.Self().PID, s.env)
}

// workingDir returns where this process runs.
func workingDir(dir string) (string, error) {
	abs, err := filepath.Abs(dir)
	if err != nil {
		return "", err
	}
	if info, err := os.Stat(abs); err != nil || !info.IsDir() {
		return "", usageError{fmt.Errorf("%s: there is no such directory", dir)}
	}
	return abs, nil
}
