package ask

// Ending: the first who ends an ask wins, and the journal knows who answered.

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

// Verb is what the journal calls the answer to an ask. The decision's node is the ask's ID, its name the text, and it has no file.
const Verb = model.VerbAnswer

var errNoJournal = errors.New("no directory for the journal of decisions; set HOME or XDG_STATE_HOME")

// Taken says that an ask had ended before.
type Taken struct {
	End  End
	Said []string // the words of its answer, if it has one
}

// Error says how, and by whom.
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
		return fmt.Sprintf("%s has answered it already, at %s (%s): %s", cmp.Or(e.Who, "somebody"), at, e.By, strings.Join(words, ", "))
	case e.State == Expired:
		return "its time was up at " + at + "; nothing was answered"
	}
	return "it was withdrawn at " + at + ": " + e.Reason
}

// Answer ends an ask with what a human has decided, and returns it as it is then. By is the way in which it was decided. An ask that
// has ended gives a [*Taken] beside the item; an answer that does not fit it gives a [*Misfit]. What was answered is in the journal before
// anybody can see it.
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
	if left := log.End(d.ID, won); left != nil && err == nil {
		err = left
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

// taken returns that an ask has ended.
func (i *Item) taken() *Taken {
	t := &Taken{End: *i.End}
	if i.End.Answer != nil {
		t.Said = i.Said(i.End.Answer)
	}
	return t
}

// decision returns an answer as the journal has it.
func (s *Store) decision(a *Ask, e *End) model.Decision {
	is := "denied"
	if e.Answer.Allow {
		is = "allowed"
		if a.Kind == Question {
			is = "answered"
		}
	}
	return model.Decision{
		At: e.At, Who: e.Who, By: e.By, Request: s.request, Project: a.Project, Node: a.ID, Name: a.Text, Verb: Verb, Was: string(Waiting), Is: is,
		Text: strings.Join(a.Said(e.Answer), "\n"),
	}
}

// Answered enters that an ask of the client's own prompt was answered there, where it still waits here: it ends as withdrawn, and
// the journal knows what was decided.
func (s *Store) AnsweredElsewhere(a *Ask, answer Answer, by string) error {
	end := End{State: Withdrawn, At: s.now().UTC(), Reason: "answered in the agent's own prompt", Who: s.user, By: by, Answer: &answer}
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

// finish ends an ask, unless somebody has. It returns how it has ended in either case, and whether that is by this call.
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
	f, err := s.put(dir, text, n.ID+waiting.End, false)
	switch {
	case err == nil:
		f.Close()
		first, won = &end, true
	case errors.Is(err, fs.ErrExist):
		if first = endIn(dir, n.ID); first == nil {
			return nil, false, fmt.Errorf("%s: cannot be read; check its permissions", waiting.EndPath(s.dir, n.ID))
		}
	default:
		return nil, false, s.fault(waiting.Ended, err)
	}
	s.moveAside(n)
	return first, won, nil
}

// moveAside moves the file of an ask that has ended, which wakes whoever waits for it. The end stands also where that fails.
func (s *Store) moveAside(n waiting.Name) {
	if root, err := s.enter("", false); err == nil {
		s.disk.Rename(root, filepath.Join(waiting.Dir, n.String()), filepath.Join(waiting.Ended, n.ID+askEnd))
		root.Close()
	}
}

// Refuses returns why a process may not answer an ask: nil where it may. It is refused what runs on behalf of the process that
// asked, and what says in its environment that it belongs to the same session: agents do not approve themselves.
func (s *Store) Refuses(a *Ask, pid int, env []string) error {
	const why = "%s asks it, and what %s runs may not answer; answer it yourself, in another terminal"
	for name, value := range a.Marks {
		if slices.Contains(env, name+"="+value) {
			return fmt.Errorf(why, a.Agent, "its session")
		}
	}
	if process.Below(s.table, pid, a.Owner) || process.Below(s.table, pid, a.Asker) && !(a.Kept && a.ofAnother(env)) {
		return fmt.Errorf(why, a.Agent, "it")
	}
	return nil
}

// ofAnother reports whether an environment says that it is of another session than that of the ask: several may run below one process.
func (a *Ask) ofAnother(env []string) bool {
	for name, value := range a.Marks {
		for _, variable := range env {
			if other, ok := strings.CutPrefix(variable, name+"="); ok && other != "" && other != value {
				return true
			}
		}
	}
	return false
}

// Withdraw ends an ask that nobody needs answered any more, where it waits still.
func (s *Store) Withdraw(a *Ask, reason string) error {
	_, _, err := s.finish(a.name(), End{State: Withdrawn, Reason: reason})
	return err
}
