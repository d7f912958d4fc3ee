package gsd

import (
	"cmp"
	"fmt"
	"path"
	"strconv"
	"strings"
	"time"

	"gatehouse/model"
	"gatehouse/model/line"
	"gatehouse/parse/gsd/core"
	"gatehouse/parse/protocol"
)

// A human can decide one thing in a GSD build: the result of a test in a UAT.md that waits for one. No other file of GSD is ever
// written; what other gates ask is answered in the agent's session.

// target is a test of a UAT.md.
type target struct {
	file   string // the UAT.md
	index  int    // of the test in it
	name   string // "03-UAT/2"
	phase  string // "Phase 03 Crane"
	review string // number of the phase while its verification asks for a human, which the tests answer; else ""
	since  time.Time
}

// Target returns the UAT.md with the test that an action is about, or a [*model.Refusal].
func (r *Reader) Target(a model.Action, now time.Time) (protocol.Target, error) {
	t, err := r.target(a.Node, now)
	if err != nil {
		return protocol.Target{}, err
	}
	return protocol.Target{File: t.file, Judge: t.read}, nil
}

// target finds the test of a node. Its error is a [*model.Refusal].
func (r *Reader) target(node string, now time.Time) (*target, error) {
	c := r.read(now)
	for _, p := range c.Phases {
		for _, u := range p.UATs {
			number, ok := strings.CutPrefix(node, uatGateID(p, u)+"/")
			if !ok {
				continue
			}
			n, err := strconv.Atoi(number)
			t := &target{
				file: path.Join(p.Dir, u.File), index: n - 1, since: uatSince(u).at,
				name:  line.Tidy(strings.TrimSuffix(u.File, ".md")) + "/" + strconv.Itoa(n),
				phase: strings.TrimSpace("Phase " + p.ID.Text + " " + line.Tidy(p.Name)),
			}
			if p.Main != nil && p.Main.AsksHuman {
				t.review = p.ID.Text
			}
			switch {
			case u.IsBroken:
				return nil, &model.Refusal{Text: t.file + " can't be read as it is now", Fix: "fix it, or wait until it is written"}
			case err != nil || n < 1 || n > len(u.Tests):
				return nil, t.refuseMissing()
			case u.Tests[n-1].IsAnnounced:
				return nil, &model.Refusal{Text: "the test is only under “Current Test”, where no result is written", Fix: "answer in the agent's session"}
			}
			return t, nil
		}
	}
	return nil, refuseNode(c.b, node)
}

func (t *target) refuseMissing() error {
	return &model.Refusal{Code: protocol.NoGate, Text: t.file + " has no such test", Fix: "look at the file again; it may have changed"}
}

// refuseNode says why a node that is not a test can't be decided.
func refuseNode(b *model.Build, node string) error {
	n, _ := b.Find(node)
	switch {
	case node == "":
		return &model.Refusal{Code: protocol.Forbidden, Text: "nothing in GSD's files stops or starts a build", Fix: "tell the agent in its session"}
	case n == nil:
		return &model.Refusal{Code: protocol.NoGate, Text: "there is no such gate", Fix: "look at the build again; it may have changed"}
	case n.Gate == nil:
		return &model.Refusal{Code: protocol.NoGate, Text: string(n.Kind) + " " + cmp.Or(n.Number, n.Title) + " is no gate", Fix: "choose a test that waits for you"}
	case len(n.Children) > 0 && n.Children[0].Kind == model.KindGate:
		return &model.Refusal{Code: protocol.Forbidden, Text: n.Title + " holds several tests", Fix: "judge them one by one"}
	}
	return &model.Refusal{Code: protocol.Forbidden, Text: "nothing in GSD's files records the answer to this", Fix: "answer in the agent's session"}
}

// read finds the test in the content of its file.
func (t *target) read(content string) (protocol.Answer, error) {
	u, err := core.ParseUAT(content)
	if isSerious(faultOf(err)) {
		return nil, fmt.Errorf("%s: %w; fix the file first", t.file, err)
	}
	if t.index >= len(u.Tests) {
		return nil, t.refuseMissing()
	}
	return func(q protocol.Request) (*protocol.Change, error) { return t.edit(q, u) }, nil
}

// edit returns what an action changes: the result of the test, with what was reported of an issue or the reason of a skip. Undo puts
// back the bytes that such a decision replaced.
func (t *target) edit(q protocol.Request, u *core.UAT) (*protocol.Change, error) {
	test := &u.Tests[t.index]
	if q.Verb == model.VerbUndo {
		return t.undo(q, u)
	}
	v, err := t.judge(q, test)
	if err != nil {
		return nil, err
	}
	c := t.newChange(q.Action, test, v.result)
	if c.Spans, err = v.write(q.Content, u, t.index, t.name); err != nil {
		return nil, err
	}
	switch q.Verb {
	case model.VerbApprove:
		switch isLast := isLastOpen(u, t.index); {
		case isLast && t.review != "":
			c.Warnings = []string{"verify-work " + t.review + " comes next: the phase stays in review until it has looked at the answers"}
		case isLast:
			c.Releases = []string{t.phase}
		}
	case model.VerbChanges:
		c.Wants = "changes"
	case model.VerbSkip:
		c.Wants = "reason"
		c.Warnings = []string{"GSD's own check passes a phase only when every test of it has passed"}
	}
	return c, nil
}

func (t *target) newChange(a model.Action, test *core.UATTest, is string) *protocol.Change {
	c := &protocol.Change{Was: cmp.Or(test.Result, core.ResultPending), Is: is}
	c.Proposal = model.Proposal{Action: a, Name: t.name, Asks: line.Tidy(test.Name), Effect: line.Tidy(c.Was) + " → " + is, File: t.file, Since: t.since}
	if test.Expected != "" {
		c.Checks = []string{line.Tidy(test.Expected)}
	}
	return c
}

// judge returns the verdict of an action on a test that waits for one.
func (t *target) judge(q protocol.Request, test *core.UATTest) (v verdict, err error) {
	text := line.Tidy(q.Text)
	if text == "" && q.Asking {
		text = "…"
	}
	switch q.Verb {
	case model.VerbApprove:
		v = verdict{result: core.ResultPass}
	case model.VerbChanges:
		v = verdict{result: core.ResultIssue, key: "reported", text: text}
	case model.VerbSkip:
		v = verdict{result: core.ResultSkipped, key: "reason", text: text}
	default:
		return v, &model.Refusal{
			Code: protocol.Forbidden, Text: "GSD has no rule for “" + line.Tidy(string(q.Verb)) + "” of a test",
			Fix: "approve it, skip it or ask for changes while it waits; have the agent test again what was judged",
		}
	}
	if !test.IsPending() {
		return v, t.refuseJudged(test, v.result)
	}
	if q.Verb == model.VerbSkip && !q.Asking {
		if refused := protocol.CheckSkipReason(text); refused != nil {
			return v, refused
		}
	}
	if q.Verb == model.VerbChanges && text == "" {
		return v, &model.Refusal{Code: protocol.FeedbackRequired, Text: "a request for changes needs a text", Fix: "say what is wrong"}
	}
	return v, nil
}

// refuseJudged refuses to judge a test again: its result may be somebody else's.
func (t *target) refuseJudged(test *core.UATTest, want string) error {
	is, fix := "", "undo the decision, or have the agent test it again"
	because := func(why string) string {
		if why = line.Tidy(why); why != "" {
			why = ": " + why
		}
		return why
	}
	switch {
	case test.HasPassed():
		is = " has passed already"
	case test.Result == core.ResultSkipped:
		is = " was skipped already"
	case test.HasFailed():
		is = " has an issue already" + because(test.Reason)
	case test.Result == core.ResultBlocked:
		is, fix = " is blocked"+because(cmp.Or(test.BlockedBy, test.Reason)), "have the agent test it again"
	default:
		return &model.Refusal{Code: protocol.UnknownStatus, Text: t.name + " has the result " + protocol.Quote(line.Tidy(test.Result)) + ", which GSD does not know", Fix: "write pending into the file to judge it"}
	}
	if want == test.Result && want != core.ResultIssue {
		return &model.Refusal{Code: protocol.SameStatus, Text: t.name + is, Already: true}
	}
	return &model.Refusal{Code: protocol.NotPending, Text: t.name + is, Fix: fix}
}

// undo reverts the last decision on a test.
func (t *target) undo(q protocol.Request, u *core.UAT) (*protocol.Change, error) {
	if refused := protocol.CheckUndo(q); refused != nil {
		return nil, refused
	}
	test := &u.Tests[t.index]
	undone, refused := protocol.UndoChange(q, t.file, protocol.Region{From: test.At, To: test.End})
	if refused != nil {
		return nil, refused
	}
	c := t.newChange(q.Action, test, undone.Is)
	c.Spans = undone.Spans
	return c, nil
}

// isLastOpen reports whether all other tests of a UAT have passed.
func isLastOpen(u *core.UAT, index int) bool {
	for i := range u.Tests {
		if i != index && !u.Tests[i].HasPassed() && !u.Tests[i].IsAnnounced {
			return false
		}
	}
	return true
}
