package gsd

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"

	"gatehouse/model"
	"gatehouse/model/line"
	"gatehouse/parse/gsd/core"
	"gatehouse/parse/protocol"
	"gatehouse/parse/protocol/transition"
)

// A human can decide one thing in a GSD build: the result of a test in a UAT.md that waits for one. No other file of
// GSD is ever written; other gates are answered in the agent's session.

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
	c := r.read(now)
	for _, p := range c.Phases {
		for _, u := range p.UATs {
			if number, ok := strings.CutPrefix(a.Node, uatGateID(p, u)+"/"); ok {
				return newTarget(p, u, number)
			}
		}
	}
	return protocol.Target{}, refuseNode(c.b, a.Node)
}

// newTarget returns a test of a UAT by its number.
func newTarget(p *core.Phase, u *core.UATFile, number string) (protocol.Target, error) {
	n, err := strconv.Atoi(number)
	t := &target{
		file: path.Join(p.Dir, u.File), index: n - 1, since: cmp.Or(protocol.ParseTime(u.Updated), timeOf(u.Modified)), name: line.Tidy(strings.TrimSuffix(u.File, ".md")) + "/" + strconv.Itoa(n),
		phase: strings.TrimSpace("Phase " + p.ID.Text + " " + line.Tidy(p.Name)),
	}
	if p.Main != nil && p.Main.AsksHuman {
		t.review = p.ID.Text
	}
	switch {
	case u.IsBroken:
		return protocol.Target{}, protocol.Refuse("", t.file+" can't be read as it is now", "fix it, or wait until it is written")
	case err != nil || n < 1 || n > len(u.Tests):
		return protocol.Target{}, t.refuseMissing()
	case u.Tests[n-1].IsAnnounced:
		return protocol.Target{}, protocol.Refuse("", "the test is only under “Current Test”, where no result is written", "answer in the agent's session")
	}
	return protocol.Target{File: t.file, Judge: t.judgeContent}, nil
}

func (t *target) refuseMissing() error {
	return protocol.Refuse(transition.NoGate, t.file+" has no such test", "look at the file again; it may have changed")
}

// refuseNode says why a node that is not a test can't be decided.
func refuseNode(b *model.Build, node string) error {
	n, _ := b.Find(node)
	switch {
	case node == "":
		return protocol.Refuse(transition.Forbidden, "nothing in GSD's files stops or starts a build", "tell the agent in its session")
	case n == nil:
		return protocol.Refuse(transition.NoGate, "there is no such gate", "look at the build again; it may have changed")
	case n.Gate == nil:
		return protocol.Refuse(transition.NoGate, string(n.Kind)+" "+cmp.Or(n.Number, n.Title)+" is no gate", "choose a test that waits for you")
	case len(n.Children) > 0 && n.Children[0].Kind == model.KindGate:
		return protocol.Refuse(transition.Forbidden, n.Title+" holds several tests", "judge them one by one")
	}
	return protocol.Refuse(transition.Forbidden, "nothing in GSD's files records the answer to this", "answer in the agent's session")
}

// judgeContent finds the test in the content of its file.
func (t *target) judgeContent(content string) (protocol.Answer, error) {
	u, err := core.ParseUAT(content)
	if core.IsSerious(err) {
		return nil, fmt.Errorf("%s: %w; fix the file first", t.file, err)
	}
	if t.index >= len(u.Tests) {
		return nil, t.refuseMissing()
	}
	return func(q protocol.Request) (*protocol.Change, error) { return t.edit(q, u) }, nil
}

// edit returns the change of an action: the result of the test, with the report of an issue or the reason of a skip.
// Undo restores the bytes that such a decision replaced.
func (t *target) edit(q protocol.Request, u *core.UAT) (*protocol.Change, error) {
	test := &u.Tests[t.index]
	c := &protocol.Change{Was: cmp.Or(test.Result, core.ResultPending)}
	if q.Verb == model.VerbUndo {
		if refused := protocol.CheckUndo(q); refused != nil {
			return nil, refused
		}
		undone, refused := protocol.UndoChange(q, t.file, protocol.Region{From: test.At, To: test.End})
		if refused != nil {
			return nil, refused
		}
		c.Is, c.Spans = undone.Is, undone.Spans
	} else {
		v, refused := t.judge(q, test)
		if refused != nil {
			return nil, refused
		}
		var err error
		if c.Spans, err = v.writeSpans(q.Content, u, t.index, t.name); err != nil {
			return nil, err
		}
		c.Is = v.result
	}
	c.Proposal = model.Proposal{Action: q.Action, Name: t.name, Asks: line.Tidy(test.Name), Effect: line.Tidy(c.Was) + " → " + c.Is, File: t.file, Since: t.since}
	if test.Expected != "" {
		c.Checks = []string{line.Tidy(test.Expected)}
	}
	switch {
	case q.Verb == model.VerbChanges:
		c.Wants = "changes"
	case q.Verb == model.VerbSkip:
		c.Wants, c.Warnings = "reason", []string{"GSD's own check passes a phase only when every test of it has passed"}
	case q.Verb != model.VerbApprove || !isLastOpen(u, t.index):
	case t.review != "":
		c.Warnings = []string{"verify-work " + t.review + " comes next: the phase stays in review until it has looked at the answers"}
	default:
		c.Releases = []string{t.phase}
	}
	return c, nil
}

// judge returns the verdict of an action on a test that waits for one.
func (t *target) judge(q protocol.Request, test *core.UATTest) (v verdict, refused *model.Refusal) {
	text := line.Tidy(q.Text)
	if text == "" && q.Asking {
		text = "…"
	}
	switch q.Verb {
	case model.VerbApprove:
		v = verdict{result: core.ResultPass}
	case model.VerbChanges:
		v = verdict{core.ResultIssue, "reported", text}
	case model.VerbSkip:
		v = verdict{core.ResultSkipped, "reason", text}
	default:
		return v, protocol.Refuse(transition.Forbidden, "GSD has no rule for “"+string(q.Verb)+"” of a test",
			"approve it, skip it or ask for changes while it waits; have the agent test again what was judged")
	}
	switch {
	case !test.IsPending():
		return v, t.refuseJudged(test, v.result)
	case q.Verb == model.VerbSkip && !q.Asking:
		return v, protocol.CheckSkipReason(text)
	case q.Verb == model.VerbChanges && text == "":
		return v, protocol.Refuse(transition.FeedbackRequired, "a request for changes needs a text", "say what is wrong")
	}
	return v, nil
}

// refuseJudged refuses a second verdict on a test: its result may come from another person.
func (t *target) refuseJudged(test *core.UATTest, want string) *model.Refusal {
	is, why, fix := "", "", "undo the decision, or have the agent test it again"
	switch test.Result {
	case core.ResultPass:
		is = " has passed already"
	case core.ResultSkipped:
		is = " was skipped already"
	case core.ResultIssue:
		is, why = " has an issue already", line.Tidy(test.Reason)
	case core.ResultBlocked:
		is, why, fix = " is blocked", line.Tidy(cmp.Or(test.BlockedBy, test.Reason)), "have the agent test it again"
	default:
		return protocol.Refuse(transition.UnknownStatus, t.name+" has the result "+protocol.Quote(line.Tidy(test.Result))+", which GSD does not know", "write pending into the file to judge it")
	}
	if want == test.Result && want != core.ResultIssue {
		return protocol.RefuseAlready(t.name + is)
	}
	if why != "" {
		is += ": " + why
	}
	return protocol.Refuse(transition.NotPending, t.name+is, fix)
}

// isLastOpen reports whether all other tests of a UAT have passed.
func isLastOpen(u *core.UAT, index int) bool {
	others := slices.Delete(slices.Clone(u.Tests), index, index+1)
	return !slices.ContainsFunc(others, func(t core.UATTest) bool { return !t.HasPassed() && !t.IsAnnounced })
}
