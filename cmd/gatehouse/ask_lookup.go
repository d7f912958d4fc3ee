package main

// What all commands about live agents share: the store of asks, finding an ask, printing it.

import (
	"cmp"
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
	"gatehouse/parse/text/shell"
)

// openAsks returns the store of asks.
func (s *env) openAsks() *ask.Store {
	return ask.Open(ask.Options{Dir: s.agents, Journal: s.user.Journal, User: s.user.Name, Table: s.processes, Now: s.now})
}

// getenv returns a variable of the environment, "" if it is not set.
func (s *env) getenv(name string) string {
	for i := len(s.environ) - 1; i >= 0; i-- {
		if value, ok := strings.CutPrefix(s.environ[i], name+"="); ok {
			return value
		}
	}
	return ""
}

// projectOf returns the root of the project that a directory belongs to; see [parse.ProjectRoot].
func (s *env) projectOf(dir string) string { return parse.ProjectRoot(dir, s.user) }

// realPath returns a path without symbolic links, or the path itself if nothing is there.
func realPath(path string) string {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		return real
	}
	return path
}

// ownPane returns the terminal pane of this process.
func (s *env) ownPane() pane.Pane {
	info, _ := s.processes.Look(s.processes.Self().PID)
	return pane.Of(s.getenv, info.Terminal)
}

// askOf returns the ask with an ID, or with the only ID that begins with word.
func (s *env) askOf(word string) (*ask.Item, error) {
	item, err := s.askIfAny(word)
	if item == nil && err == nil {
		err = usageError{fmt.Errorf("%q: %w; gatehouse asks lists them", word, ask.ErrNone)}
	}
	return item, err
}

// askIfAny is [env.askOf] that returns nil if no ask begins with word.
func (s *env) askIfAny(word string) (*ask.Item, error) {
	item, err := s.openAsks().Get(word)
	switch {
	case errors.Is(err, ask.ErrNone):
		return nil, nil
	case errors.Is(err, ask.ErrSeveral):
		return nil, usageError{fmt.Errorf("%q: %w; gatehouse asks lists them", word, err)}
	}
	return item, err
}

// asksJSON is the document of "gatehouse asks --json".
type asksJSON struct {
	Schema int       `json:"schema"`
	Asks   []askJSON `json:"asks"` // in the order of the list
}

// askJSON is an ask as commands print it.
type askJSON struct {
	*model.Ask
	IfSeen  string         `json:"if_seen,omitempty"` // what answer --if-seen takes, on this machine
	Options []model.Option `json:"options,omitempty"` // of the first question
	End     *endJSON       `json:"end,omitempty"`     // how it ended, on this machine
	Host    *model.Host    `json:"host,omitempty"`    // the machine of the agent, with --remote; absent for this one
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

// wordOf returns the word for an answer to an ask.
func wordOf(kind ask.Kind, answer *ask.Answer) string {
	switch {
	case !answer.Allow:
		return "denied"
	case kind == ask.Plan || kind == ask.Permission:
		return "allowed"
	}
	return "answered"
}

// saidIn returns the labels and texts of an answer, one per line.
func saidIn(questions []model.Question, answer *ask.Answer) []string {
	return (&ask.Ask{Questions: questions}).Said(answer)
}

// askToJSON returns an ask of host, nil for this machine. The end is nil if the ask waits or is on another machine.
func askToJSON(a *model.Ask, end *ask.End, host *model.Host) askJSON {
	j := askJSON{Ask: a, End: endToJSON(a.Kind, a.Questions, end), Host: host}
	if len(a.Questions) > 0 {
		j.Options = a.Questions[0].Options
	}
	return j
}

// endToJSON returns how an ask has ended, nil while it waits.
func endToJSON(kind ask.Kind, questions []model.Question, end *ask.End) *endJSON {
	if end == nil {
		return nil
	}
	j := &endJSON{At: end.At, Who: end.Who, By: end.By, Reason: end.Reason}
	if end.Answer != nil {
		j.Answer, j.Said = wordOf(kind, end.Answer), saidIn(questions, end.Answer)
	}
	return j
}

// printAsk prints an ask in a few lines.
func (s *env) printAsk(a askJSON) {
	who := a.Agent
	if a.Subagent != "" {
		who += ", a subagent"
	}
	if a.Pane != "" {
		who += ", " + a.Pane
	}
	s.out.printf("%s  %s  %s (%s, %s, %s)\n", a.ID, a.Kind, a.Text, who, shortPath(a.Project, s.user.Home), model.Age(s.now().Sub(a.Since)))
	if left := a.Deadline(s.now()); left != "" {
		s.out.printf("    %s\n", left)
	}
	for i, q := range a.Questions {
		if i > 0 {
			s.out.printf("    %s\n", q.Text)
		}
		for n, o := range q.Options {
			s.out.printf("    %d  %s\n", n+1, strings.TrimSuffix(o.Label+": "+o.Description, ": "))
		}
		if q.Multi {
			s.out.printf("       pick one or several\n")
		}
		if q.Own {
			s.out.printf("       or your own words: --text\n")
		}
	}
	if a.Call != nil {
		for _, d := range a.Call.Dangers {
			s.out.printf("    ! %s: %s\n", d.Part, d.Why)
		}
	}
	if err := unanswerableReason(a.Ask); err != nil && (a.State == model.AskWaiting || a.State == model.AskElsewhere) {
		s.out.printf("    %s\n", err)
	}
	if a.Fate != "" {
		s.out.printf("    %s\n", a.Fate)
		if a.State == model.AskAnswered && !a.Delivered {
			s.out.printf("    not delivered: the asker has not printed it\n")
		}
	}
	if a.Host != nil && !a.Host.Live() {
		s.out.printf("    (%s)\n", a.Host.Why)
	}
}

// unanswerableReason returns why gatehouse answer can't answer an ask, and the command that can; nil if it can.
func unanswerableReason(a *model.Ask) error {
	session := shell.Word(cmp.Or(a.Session, a.ID))
	switch {
	case a.State == model.AskElsewhere:
		return errors.New("waits in its own prompt; gatehouse jump " + session)
	case a.Kind == model.AskTurn && a.Door != nil && a.Door.Shut != "":
		return fmt.Errorf("a finished turn that takes no reply: %s; gatehouse jump %s", a.Door.Shut, session)
	case a.Kind == model.AskTurn:
		return errors.New("a finished turn; use gatehouse reply " + session + " TEXT")
	}
	return nil
}

// checkAnswerer returns why this process may not answer an ask.
func (s *env) checkAnswerer(item *ask.Item) error {
	return s.openAsks().Refuses(&item.Ask, s.processes.Self().PID, s.environ)
}

// workingDir returns the absolute path of a directory, which must exist.
func workingDir(dir string) (string, error) {
	abs, err := filepath.Abs(dir)
	if err != nil {
		return "", err
	}
	if info, err := os.Stat(abs); err != nil || !info.IsDir() {
		return "", usageError{fmt.Errorf("%s: no such directory", dir)}
	}
	return abs, nil
}
