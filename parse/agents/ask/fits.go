package ask

// Which answers fit an ask.

import (
	"fmt"
	"slices"
	"strings"
)

// Misfit says why an answer is none to an ask.
type Misfit struct{ Text string }

// Error says so.
func (m *Misfit) Error() string { return m.Text }

func misfit(format string, args ...any) error { return &Misfit{fmt.Sprintf(format, args...)} }

// Fits returns a [*Misfit] where an answer is none to an ask, and puts it in order where it is one. Anything may be denied, with
// words or without; a question is answered by one reply to each of its questions.
func (a *Ask) Fits(answer *Answer) error {
	answer.Text = many(answer.Text, bodyLimit)
	switch {
	case len(answer.Text) >= bodyLimit:
		return misfit("the text is longer than 2 MiB")
	case !answer.Allow && len(answer.Replies) > 0:
		return misfit("it is either answered or denied, not both")
	case !answer.Allow:
		return nil
	case a.Kind != Question && len(answer.Replies) > 0:
		return misfit("a %s has nothing to pick; allow or deny it", a.Kind)
	case a.Kind != Question:
		answer.Text = ""
		return nil
	case len(answer.Replies) != len(a.Questions):
		return misfit("there are %d questions, and %d are answered", len(a.Questions), len(answer.Replies))
	}
	for i := range answer.Replies {
		if err := fits(&a.Questions[i], &answer.Replies[i], i, len(a.Questions)); err != nil {
			return err
		}
	}
	return nil
}

func fits(q *Queried, r *Reply, at, of int) error {
	which := ""
	if of > 1 {
		which = fmt.Sprintf("question %d: ", at+1)
	}
	slices.Sort(r.Picks)
	r.Picks = slices.Compact(r.Picks)
	r.Text = many(strings.TrimSpace(r.Text), bodyLimit)
	switch {
	case len(r.Picks) == 0 && r.Text == "":
		if q.Own {
			return misfit("%snothing is picked or written", which)
		}
		return misfit("%snothing is picked", which)
	case len(r.Picks) > 0 && (r.Picks[0] < 0 || r.Picks[len(r.Picks)-1] >= len(q.Options)):
		return misfit("%sthere is no such option; there is %s", which, listed(q))
	case r.Text != "" && !q.Own:
		return misfit("%sit takes no words of your own; there is %s", which, listed(q))
	case !q.Multi && len(r.Picks) > 1:
		return misfit("%sonly one may be picked", which)
	case !q.Multi && len(r.Picks) == 1 && r.Text != "":
		return misfit("%spick one or write your own, not both", which)
	}
	return nil
}

// listed returns the labels for people.
func listed(q *Queried) string {
	var labels []string
	for _, o := range q.Options {
		labels = append(labels, fmt.Sprintf("%q", o.Label))
	}
	if len(labels) == 0 {
		return "no option"
	}
	return strings.Join(labels, ", ")
}

// OptionOf returns the index of the option that a word means: its label, else its label in other case where that is the only one. The
// error is a [*Misfit].
func OptionOf(q *Queried, word string) (int, error) {
	same := func(o Option) bool { return o.Label == word }
	if i := slices.IndexFunc(q.Options, same); i >= 0 {
		return i, nil
	}
	found := -1
	for i, o := range q.Options {
		if strings.EqualFold(o.Label, word) {
			if found >= 0 {
				found = -1
				break
			}
			found = i
		}
	}
	if found < 0 {
		return 0, misfit("%q: there is no such option; there is %s", word, listed(q))
	}
	return found, nil
}
