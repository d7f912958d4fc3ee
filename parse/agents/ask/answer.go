package ask

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"gatehouse/model"
	"gatehouse/model/line"
	"gatehouse/parse/agents/waiting"
	"gatehouse/parse/disk/journal"
	"gatehouse/parse/disk/process"
	"gatehouse/parse/disk/statefile"
)

// ReplyMark is the environment variable of clients that were started to receive a reply. Their last words remain
// waiting after they have ended.
const ReplyMark = "GATEHOUSE_REPLY"

// Reasons for withdrawing asks, shared by several packages.
const (
	ReasonWentOn   = "the agent went on"
	ReasonTerminal = "answered in the agent's own prompt"
)

// Taken is the error of an answer to an ask that had already ended.
type Taken struct{ *Item }

// Error says how the ask ended, and who ended it.
func (t *Taken) Error() string { return t.describeEnd("has already answered") }

// Fate says how an ask ended, and who ended it; "" while it waits.
func (i *Item) Fate() string {
	if i.End == nil {
		return ""
	}
	return line.Tidy(i.describeEnd("answered"))
}

// describeEnd says how an ask ended.
func (i *Item) describeEnd(answered string) string {
	at := i.End.At.Local().Format(time.TimeOnly)
	switch a := i.End.Answer; {
	case a != nil:
		words := strings.Join(i.Said(a), ", ")
		if !a.Allow {
			words = strings.TrimSuffix("no, "+words, ", ")
		}
		return fmt.Sprintf("%s %s it at %s (%s): %s", cmp.Or(i.End.Who, "someone"), answered, at, i.End.By, cmp.Or(words, "yes"))
	case i.End.State == Expired:
		return "it expired at " + at + " without an answer"
	}
	return "it was withdrawn at " + at + ": " + i.End.Reason
}

// Answer ends an ask with the answer of a human and returns it. If the ask had already ended, it returns a [*Taken] and
// the item; if the answer does not fit, a [Misfit]. The answer is in the journal before the asker can see it. send may hand
// the words of a reply to a session; if it fails the turn waits again.
func (s *Store) Answer(id string, answer Answer, by string, send ...func() error) (*Item, error) {
	item, err := s.Get(id)
	if err != nil {
		return nil, err
	}
	if item.State != Waiting {
		return item, &Taken{item}
	}
	if err := item.Fits(&answer); err != nil {
		return item, err
	}
	err = s.Record(decisionOf(&item.Ask, &answer, by), item.Seen(), func() error {
		end, won, err := s.finishAsk(item.fileName(), End{State: Answered, Who: s.User, By: by, Answer: &answer})
		if err != nil {
			return err
		}
		if item.State, item.End = end.State, end; !won {
			return &Taken{item}
		}
		for _, f := range send {
			if err = f(); err != nil {
				item.State, item.End = Waiting, nil
				return errors.Join(err, s.reopenAsk(item.fileName()))
			}
		}
		return nil
	})
	return item, err
}

// reopenAsk makes an ask that has ended wait again. Only for asks without a holder.
func (s *Store) reopenAsk(n waiting.Name) error {
	root, err := s.openDir("", false)
	if err != nil {
		return err
	}
	defer root.Close()
	if err := root.Remove(filepath.Join(waiting.Ended, n.ID+waiting.End)); err != nil {
		return err
	}
	return root.Rename(filepath.Join(waiting.Ended, n.ID+askEnd), filepath.Join(waiting.Dir, n.String()))
}

// Record enters a decision in the journal of its project, runs do, and enters whether it succeeded. Time, user and caller are the
// store's. evidence is the hash of the question, "" without one.
func (s *Store) Record(d model.Decision, evidence string, do func() error) error {
	d.Who, d.Caller = s.User, s.caller
	d.How = cmp.Or(d.How, map[string]string{ByDashboard: model.HowKey}[d.By], model.HowCommand)
	if s.sign != nil {
		if err := s.sign(&d, evidence); err != nil {
			return err
		}
	}
	if s.Journal == "" {
		return errors.New("no directory for the journal of decisions; set HOME or XDG_STATE_HOME")
	}
	d.At = s.Now().UTC()
	log := journal.Open(nil, s.Journal, d.Project)
	d, err := log.Begin(d)
	if err != nil {
		return err
	}
	err = do()
	return cmp.Or(err, log.End(d.ID, err == nil))
}

// Seen returns the hash of the ask: an answer with this hash applies to nothing else.
func (a *Ask) Seen() string {
	asked := *a
	asked.State, asked.Delivered = Waiting, false
	text, err := json.Marshal(&asked)
	if err != nil { // an ask was read from JSON
		return ""
	}
	return statefile.Hash(string(text))
}

// Is reports whether an end is this answer of a user.
func (e *End) Is(answer Answer, user string) bool {
	is, _ := json.Marshal(e.Answer) // unlike the values, texts do not tell nil from empty
	wanted, _ := json.Marshal(&answer)
	return e.State == Answered && e.Who == user && string(is) == string(wanted)
}

// IsUnrecorded reports whether an ask has ended with an answer that no journal has: no command and no dashboard gave it.
func (s *Store) IsUnrecorded(i *Item) bool {
	if i.End == nil || i.End.State != Answered || s.Journal == "" {
		return false
	}
	all, _ := journal.Open(nil, s.Journal, i.Project).Read() // unreadable entries count as missing
	return !slices.ContainsFunc(all, func(d model.Decision) bool { return d.Verb == model.VerbAnswer && d.Node == i.ID })
}

// decisionOf returns the journal's entry for an answer.
func decisionOf(a *Ask, answer *Answer, by string) model.Decision {
	is := "denied"
	switch {
	case answer.Allow && a.Kind == Turn:
		is = "replied"
	case answer.Allow && a.Kind == Question:
		is = "answered"
	case answer.Allow:
		is = "allowed"
	}
	return model.Decision{
		By: by, Project: a.Project, Node: a.ID, Name: a.Text, Verb: model.VerbAnswer, Was: string(Waiting), Is: is,
		Text: strings.Join(a.Said(answer), "\n"),
	}
}

// finishAsk ends an ask unless it has ended. It returns how it ended, and whether this call ended it.
func (s *Store) finishAsk(n waiting.Name, end End) (first *End, won bool, err error) {
	end.ID, end.At = n.ID, s.Now().UTC()
	first = &end
	err = s.createFile(waiting.Ended, n.ID+waiting.End, end)
	if won = err == nil; !won && !errors.Is(err, fs.ErrExist) {
		return nil, false, err
	}
	if !won {
		first = s.endOf(n.ID)
	}
	if first == nil {
		return nil, false, fmt.Errorf("%s: cannot be read; check its permissions", waiting.EndPath(s.Dir, n.ID))
	}
	s.moveAside(n)
	return first, won, nil
}

// endAsk ends an ask unless it has ended, and returns how it ended.
func (s *Store) endAsk(a *Ask, end End) (*End, error) {
	first, _, err := s.finishAsk(a.fileName(), end)
	return first, err
}

// moveAside moves the file of an ask that has ended, which wakes everyone who waits for it. The end is valid even if this fails.
func (s *Store) moveAside(n waiting.Name) {
	if root, err := s.openDir("", false); err == nil {
		root.Rename(filepath.Join(waiting.Dir, n.String()), filepath.Join(waiting.Ended, n.ID+askEnd))
		root.Close()
	}
}

// Withdraw ends an open ask that needs no answer any more.
func (s *Store) Withdraw(a *Ask, reason string) error {
	_, err := s.endAsk(a, End{State: Withdrawn, Reason: reason})
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

// Refuses returns why a process may not answer an ask, nil if it may. Processes that run on behalf of the asker, or whose environment
// has a mark of its session, are refused: agents do not approve themselves.
func (s *Store) Refuses(a *Ask, pid int, env []string) error {
	who, otherSession := "", false // several sessions may run below one process
	for name, mark := range a.Marks {
		for _, variable := range env {
			if value, ok := strings.CutPrefix(variable, name+"="); ok && value == mark {
				who = "its session"
			} else if ok && value != "" {
				otherSession = true
			}
		}
	}
	if process.Below(s.Table, pid, a.Owner) || process.BelowHere(s.Table, pid, a.Runner) || process.Below(s.Table, pid, a.Asker) && !(a.Kept && otherSession) {
		who = "it"
	}
	if who == "" {
		return nil
	}
	return fmt.Errorf("%s asks it, and what %s runs may not answer; answer it yourself, in another terminal", a.Agent, who)
}

// Misfit is the error of an answer that does not fit its ask: it says why.
type Misfit string

func (m Misfit) Error() string { return string(m) }

func newMisfit(format string, args ...any) error { return Misfit(fmt.Sprintf(format, args...)) }

// Fits returns a [Misfit] if an answer does not fit the ask, and normalizes one that does. Everything but a turn may be denied, with
// words or without; a question needs a reply to each of its questions; a turn takes words.
func (a *Ask) Fits(answer *Answer) error {
	answer.Text = cleanWords(answer.Text)
	switch {
	case len(answer.Text) >= bodyLimit:
		return newMisfit("the text is longer than 2 MiB")
	case a.Kind == Turn && (!answer.Allow || len(answer.Replies) > 0 || strings.TrimSpace(answer.Text) == ""):
		return newMisfit("a finished turn takes a reply in words; use gatehouse reply")
	case a.Kind == Turn:
		return nil
	case !answer.Allow && len(answer.Replies) > 0:
		return newMisfit("either answer or deny it, not both")
	case !answer.Allow:
		return nil
	case a.Kind != Question && len(answer.Replies) > 0:
		return newMisfit("a %s has no options; allow or deny it", a.Kind)
	case a.Kind != Question:
		answer.Text = ""
		return nil
	case len(answer.Replies) != len(a.Questions):
		return newMisfit("%d of %d questions are answered", len(answer.Replies), len(a.Questions))
	}
	for i := range answer.Replies {
		why := fitReply(&a.Questions[i], &answer.Replies[i])
		if why != "" && len(a.Questions) > 1 {
			why = fmt.Sprintf("question %d: %s", i+1, why)
		}
		if why != "" {
			return Misfit(why)
		}
	}
	return nil
}

// fitReply returns why a reply does not fit its question, "" if it does, and normalizes it.
func fitReply(q *Queried, r *Reply) string {
	slices.Sort(r.Picks)
	r.Picks = slices.Compact(r.Picks)
	r.Text = cleanWords(strings.TrimSpace(r.Text))
	switch {
	case len(r.Picks) == 0 && r.Text == "" && q.Own:
		return "pick an option or write your own words"
	case len(r.Picks) == 0 && r.Text == "":
		return "pick an option"
	case len(r.Picks) > 0 && (r.Picks[0] < 0 || r.Picks[len(r.Picks)-1] >= len(q.Options)):
		return "no such option; choose " + optionList(q)
	case r.Text != "" && !q.Own:
		return "it takes no words of your own; choose " + optionList(q)
	case !q.Multi && len(r.Picks) > 1:
		return "pick only one"
	case !q.Multi && len(r.Picks) == 1 && r.Text != "":
		return "pick one or write your own, not both"
	}
	return ""
}

// optionList returns the labels of the options for a message.
func optionList(q *Queried) string {
	var labels []string
	for _, o := range q.Options {
		labels = append(labels, fmt.Sprintf("%q", o.Label))
	}
	if len(labels) == 0 {
		return "nothing: it has no options"
	}
	return strings.Join(labels, ", ")
}

// OptionOf returns the index of the option with a label, compared exactly and then without case if that is unambiguous. The error is a
// [Misfit].
func OptionOf(q *Queried, word string) (int, error) {
	found, similar := 0, 0
	for i, o := range q.Options {
		if o.Label == word {
			return i, nil
		}
		if strings.EqualFold(o.Label, word) {
			found, similar = i, similar+1
		}
	}
	if similar != 1 {
		return 0, newMisfit("%q: no such option; choose %s", word, optionList(q))
	}
	return found, nil
}
