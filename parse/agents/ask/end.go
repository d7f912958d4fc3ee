package ask

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"gatehouse/model"
	"gatehouse/parse/agents/waiting"
	"gatehouse/parse/disk/journal"
	"gatehouse/parse/disk/process"
)

// Verb is the journal's verb for answers. The node of such a decision is the ID of the ask and its name the text.
const Verb = model.VerbAnswer

// Reasons for which asks are withdrawn, where more than one package needs them.
const (
	ReasonWentOn   = "the agent went on"
	ReasonTerminal = "answered in the agent's own prompt"
)

var errNoJournal = errors.New("no directory for the journal of decisions; set HOME or XDG_STATE_HOME")

// Taken is the error of an answer to an ask that had already ended.
type Taken struct {
	End  End
	Said []string // the words of its answer, if it has one
}

// Error says how the ask ended, and who ended it.
func (t *Taken) Error() string {
	e := t.End
	at := e.At.Local().Format(time.TimeOnly)
	switch {
	case e.Answer != nil:
		words := append([]string{"yes"}, t.Said...)
		if !e.Answer.Allow {
			words[0] = "no"
		} else if len(t.Said) > 0 {
			words = t.Said
		}
		return fmt.Sprintf("%s has already answered it at %s (%s): %s", cmp.Or(e.Who, "someone"), at, e.By, strings.Join(words, ", "))
	case e.State == Expired:
		return "it expired at " + at + " without an answer"
	}
	return "it was withdrawn at " + at + ": " + e.Reason
}

// Answer ends an ask with the answer of a human and returns it. An ask that had already ended gives a [*Taken] beside the item, an
// answer that does not fit a [*Misfit]. The answer is in the journal before the asker can see it.
func (s *Store) Answer(id string, answer Answer, by string) (*Item, error) {
	item, err := s.Get(id)
	if err != nil {
		return nil, err
	}
	if item.State != Waiting {
		return item, item.taken()
	}
	if err := item.Fits(&answer); err != nil {
		return item, err
	}
	if s.journal == "" {
		return item, errNoJournal
	}
	end := End{ID: item.ID, State: Answered, At: s.now().UTC(), Who: s.user, By: by, Answer: &answer}
	log := journal.Open(nil, s.journal, item.Project)
	d, err := log.Begin(s.decision(&item.Ask, &end))
	if err != nil {
		return item, err
	}
	first, won, err := s.finish(item.name(), end)
	if failed := log.End(d.ID, won); failed != nil && err == nil {
		err = failed
	}
	if first != nil {
		item.State, item.End = first.State, first
	}
	if err == nil && !won {
		err = item.taken()
	}
	return item, err
}

// Record enters a decision in the journal of its project, runs do, and enters whether it succeeded. Time and user are the store's.
func (s *Store) Record(d model.Decision, do func() error) error {
	if s.journal == "" {
		return errNoJournal
	}
	d.At, d.Who, d.Request = s.now().UTC(), s.user, s.request
	log := journal.Open(nil, s.journal, d.Project)
	d, err := log.Begin(d)
	if err != nil {
		return err
	}
	err = do()
	return cmp.Or(err, log.End(d.ID, err == nil))
}

// taken returns the error for an ask that has ended.
func (i *Item) taken() *Taken {
	t := &Taken{End: *i.End}
	if i.End.Answer != nil {
		t.Said = i.Said(i.End.Answer)
	}
	return t
}

// decision returns the journal's entry for an answer.
func (s *Store) decision(a *Ask, e *End) model.Decision {
	is := "denied"
	switch {
	case e.Answer.Allow && a.Kind == Turn:
		is = "replied"
	case e.Answer.Allow && a.Kind == Question:
		is = "answered"
	case e.Answer.Allow:
		is = "allowed"
	}
	return model.Decision{
		At: e.At, Who: e.Who, By: e.By, Request: s.request, Project: a.Project, Node: a.ID, Name: a.Text, Verb: Verb,
		Was: string(Waiting), Is: is, Text: strings.Join(a.Said(e.Answer), "\n"),
	}
}

// AnsweredElsewhere records that an open ask was answered in the client's own prompt: it is withdrawn, and the journal has the answer.
func (s *Store) AnsweredElsewhere(a *Ask, answer Answer, by string) error {
	end := End{State: Withdrawn, At: s.now().UTC(), Reason: ReasonTerminal, Who: s.user, By: by, Answer: &answer}
	_, won, err := s.finish(a.name(), end)
	if err != nil || !won || s.journal == "" {
		return err
	}
	log := journal.Open(nil, s.journal, a.Project)
	d, err := log.Begin(s.decision(a, &end))
	if err == nil {
		err = log.End(d.ID, true)
	}
	return err
}

// finish ends an ask unless it has ended. It returns how it ended, and whether this call ended it.
func (s *Store) finish(n waiting.Name, end End) (first *End, won bool, err error) {
	end.ID = n.ID
	if end.At.IsZero() {
		end.At = s.now().UTC()
	}
	text, err := encode(end)
	if err != nil {
		return nil, false, err
	}
	dir, err := s.enter(waiting.Ended, true)
	if err != nil {
		return nil, false, err
	}
	defer dir.Close()
	f, err := s.write(dir, text, n.ID+waiting.End, false)
	switch {
	case err == nil:
		f.Close()
		first, won = &end, true
	case errors.Is(err, fs.ErrExist):
		if first = readEnd(dir, n.ID); first == nil {
			return nil, false, fmt.Errorf("%s: cannot be read; check its permissions", waiting.EndPath(s.dir, n.ID))
		}
	default:
		return nil, false, s.writeError(waiting.Ended, err)
	}
	s.moveAside(n)
	return first, won, nil
}

// moveAside moves the file of an ask that has ended, which wakes everyone who waits for it. The end is valid even if this fails.
func (s *Store) moveAside(n waiting.Name) {
	if root, err := s.enter("", false); err == nil {
		s.disk.Rename(root, filepath.Join(waiting.Dir, n.String()), filepath.Join(waiting.Ended, n.ID+askEnd))
		root.Close()
	}
}

// Refuses returns why a process may not answer an ask, nil if it may. Processes that run on behalf of the asker, or whose environment
// has a mark of its session, are refused: agents do not approve themselves.
func (s *Store) Refuses(a *Ask, pid int, env []string) error {
	const why = "%s asks it, and what %s runs may not answer; answer it yourself, in another terminal"
	for name, value := range a.Marks {
		if slices.Contains(env, name+"="+value) {
			return fmt.Errorf(why, a.Agent, "its session")
		}
	}
	if process.Below(s.table, pid, a.Owner) || process.Below(s.table, pid, a.Asker) && !(a.Kept && a.isOtherSession(env)) {
		return fmt.Errorf(why, a.Agent, "it")
	}
	return nil
}

// isOtherSession reports whether an environment names another session than that of the ask: several may run below one process.
func (a *Ask) isOtherSession(env []string) bool {
	for name, value := range a.Marks {
		for _, variable := range env {
			if other, ok := strings.CutPrefix(variable, name+"="); ok && other != "" && other != value {
				return true
			}
		}
	}
	return false
}

// Withdraw ends an open ask that needs no answer any more.
func (s *Store) Withdraw(a *Ask, reason string) error {
	_, _, err := s.finish(a.name(), End{State: Withdrawn, Reason: reason})
	return err
}

// WithdrawTurns ends the finished turns of a session.
func (s *Store) WithdrawTurns(agent, session, reason string) {
	for _, a := range s.WaitingOf(agent, session) {
		if a.Kind == Turn {
			s.Withdraw(&a, reason)
		}
	}
}
