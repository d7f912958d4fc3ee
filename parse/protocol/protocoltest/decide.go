// Package protocoltest makes decisions about builds, for the tests of all protocols.
package protocoltest

import (
	"cmp"
	"errors"
	"fmt"
	"strings"
	"time"

	"gatehouse/model"
	"gatehouse/parse/disk/mirror"
	"gatehouse/parse/disk/statefile"
	"gatehouse/parse/protocol"
)

// Reader reads a build that can be decided about.
type Reader interface {
	Target(a model.Action, now time.Time) (protocol.Target, error)
}

// Decide judges a request by its content and returns the change that it makes there.
func Decide(r Reader, q protocol.Request) (*protocol.Change, error) {
	target, err := r.Target(q.Action, q.Now)
	if err != nil {
		return nil, err
	}
	answer, err := target.Judge(q.Content)
	if err != nil {
		return nil, err
	}
	return answer(q)
}

// Describe makes a decision about the files of a project and describes it: its refusal, or what is shown of it and the lines that it
// changes. It also undoes the decision, and describes what is different afterwards. The words are a verb, which ends with "?" if the
// decision is only asked about, the ID of a row, and a text: "skip gate/1 no hook is here".
func Describe(m *mirror.Mirror, r Reader, now time.Time, words string) string {
	verb, rest, _ := strings.Cut(words, " ")
	node, text, _ := strings.Cut(rest, " ")
	verb, isAsking := strings.CutSuffix(verb, "?")
	q := protocol.Request{Action: model.Action{Verb: model.Verb(verb), Node: node, Text: text}, Asking: isAsking, Now: now, Who: "ada"}
	target, err := r.Target(q.Action, now)
	if err == nil {
		q.Content, err = m.Text(target.File)
	}
	var c *protocol.Change
	if err == nil {
		c, err = Decide(r, q)
	}
	if refused := (*model.Refusal)(nil); errors.As(err, &refused) {
		return fmt.Sprintf("refused %s: %v (already %t)\n", refused.Code, refused, refused.Already)
	} else if err != nil {
		return "error: " + err.Error() + "\n"
	}
	out := fmt.Sprintf("%s: %s, asks %q, since %s\nwants %q, confirm %q, checks %q, warns %q, releases %q\n",
		c.Name, c.Effect, c.Asks, c.Since.Format(time.RFC3339), c.Wants, c.Confirm, c.Checks, c.Warnings, c.Releases)
	after, err := protocol.Apply(q.Content, c.Spans)
	if err != nil {
		return out + "error: " + err.Error() + "\n"
	}
	out += changedLines(q.Content, after)
	q.Verb, q.Content = model.VerbUndo, after
	q.Last = &model.Decision{Verb: model.Verb(verb), Node: cmp.Or(c.Node, node), Was: c.Was, Is: c.Is, Spans: c.Spans, After: statefile.Hash(after), Of: c.Of, Began: c.Began}
	back, err := Decide(r, q)
	if err != nil {
		return out + "undo: " + err.Error() + "\n"
	}
	undone, err := protocol.Apply(after, back.Spans)
	if before, _ := m.Text(target.File); err != nil || undone != before || back.Was != c.Is || back.Is != c.Was {
		out += fmt.Sprintf("undo: %s → %s, %v\n%s", back.Was, back.Is, err, changedLines(before, undone))
	}
	return out
}

// changedLines lists the lines between the first and the last difference of two texts, with their numbers.
func changedLines(before, after string) (out string) {
	was, is := strings.SplitAfter(before, "\n"), strings.SplitAfter(after, "\n")
	first := 0
	for first < min(len(was), len(is)) && was[first] == is[first] {
		first++
	}
	was, is = was[first:], is[first:]
	for len(was) > 0 && len(is) > 0 && was[len(was)-1] == is[len(is)-1] {
		was, is = was[:len(was)-1], is[:len(is)-1]
	}
	for i, l := range was {
		out += fmt.Sprintf("-%d %q\n", first+i+1, l)
	}
	for i, l := range is {
		out += fmt.Sprintf("+%d %q\n", first+i+1, l)
	}
	return out
}
