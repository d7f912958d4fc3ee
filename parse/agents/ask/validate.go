package ask

import (
	"fmt"
	"slices"
	"strings"
)

// Misfit is the error of an answer that does not fit its ask.
type Misfit struct{ Text string }

// Error says why.
func (m *Misfit) Error() string { return m.Text }

func misfit(format string, args ...any) error { return &Misfit{fmt.Sprintf(format, args...)} }

// Fits returns a [*Misfit] if an answer does not fit the ask, and normalizes one that does. Everything but a turn may be denied, with
// words or without; a question needs a reply to each of its questions; a turn takes words.
func (a *Ask) Fits(answer *Answer) error {
	answer.Text = cleanLines(answer.Text)
	switch {
	case len(answer.Text) >= bodyLimit:
		return misfit("the text is longer than 2 MiB")
	case a.Kind == Turn && (!answer.Allow || len(answer.Replies) > 0 || strings.TrimSpace(answer.Text) == ""):
		return misfit("a finished turn takes a reply in words; use gatehouse reply")
	case a.Kind == Turn:
		return nil
	case !answer.Allow && len(answer.Replies) > 0:
		return misfit("either answer or deny it, not both")
	case !answer.Allow:
		return nil
	case a.Kind != Question && len(answer.Replies) > 0:
		return misfit("a %s has no options; allow or deny it", a.Kind)
	case a.Kind != Question:
		answer.Text = ""
		return nil
	case len(answer.Replies) != len(a.Questions):
		return misfit("%d of %d questions are answered", len(answer.Replies), len(a.Questions))
	}
	for i := range answer.Replies {
		if err := fitReply(&a.Questions[i], &answer.Replies[i], i, len(a.Questions)); err != nil {
			return err
		}
	}
	return nil
}

// fitReply is [Ask.Fits] for one question.
func fitReply(q *Queried, r *Reply, at, of int) error {
	which := ""
	if of > 1 {
		which = fmt.Sprintf("question %d: ", at+1)
	}
	slices.Sort(r.Picks)
	r.Picks = slices.Compact(r.Picks)
	r.Text = cleanLines(strings.TrimSpace(r.Text))
	switch {
	case len(r.Picks) == 0 && r.Text == "":
		if q.Own {
			return misfit("%spick an option or write your own words", which)
		}
		return misfit("%spick an option", which)
	case len(r.Picks) > 0 && (r.Picks[0] < 0 || r.Picks[len(r.Picks)-1] >= len(q.Options)):
		return misfit("%sno such option; choose %s", which, optionList(q))
	case r.Text != "" && !q.Own:
		return misfit("%sit takes no words of your own; choose %s", which, optionList(q))
	case !q.Multi && len(r.Picks) > 1:
		return misfit("%spick only one", which)
	case !q.Multi && len(r.Picks) == 1 && r.Text != "":
		return misfit("%spick one or write your own, not both", which)
	}
	return nil
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
// [*Misfit].
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
		return 0, misfit("%q: no such option; choose %s", word, optionList(q))
	}
	return found, nil
}
