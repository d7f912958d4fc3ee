// What a human can decide of a GSD build: the result of a test in a UAT.md that waits for them. Nothing else of GSD's files
// is ever written: what other gates ask is answered in the agent's session.

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
	"gatehouse/parse/gsd/rules"
	"gatehouse/parse/protocol"
)

// Target returns the UAT.md that holds the test an action is about, or a [*model.Refusal].
func (r *Reader) Target(a model.Action, now time.Time) (protocol.Target, error) {
	t, err := r.target(a.Node, now)
	if err != nil {
		return protocol.Target{}, err
	}
	return protocol.Target{File: t.file, Judge: t.read}, nil
}

// read finds the test in the content of its file.
func (t *target) read(content string) (protocol.Answer, error) {
	u, err := parseUAT(content)
	if serious(err) {
		return nil, fmt.Errorf("%s: %w; mend the file first", t.file, err)
	}
	if t.index >= len(u.tests) {
		return nil, t.missing()
	}
	return func(q protocol.Request) (*protocol.Change, error) { return t.edit(q, u) }, nil
}

// edit says what an action changes in a UAT.md: the result of one test, with what was reported of an issue or the reason of
// a skip. Undo puts back the bytes that such a decision replaced, while the file is byte for byte what was written.
func (t *target) edit(req protocol.Request, u *uat) (*protocol.Change, error) {
	test := &u.tests[t.index]
	if req.Verb == model.VerbUndo {
		return t.undo(req, u)
	}
	v, err := t.judge(req, test)
	if err != nil {
		return nil, err
	}
	c := t.change(req.Action, test, v.result)
	if c.Spans, err = v.write(req.Content, u, t.index, t.name); err != nil {
		return nil, err
	}
	switch req.Verb {
	case model.VerbApprove:
		switch {
		case last(u, t.index) && t.review != "":
			c.Warnings = []string{"verify-work " + t.review + " comes next: the phase stays in review until it has looked at the answers"}
		case last(u, t.index):
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

// target is a test of a UAT.md, as the tree has it.
type target struct {
	file  string // the UAT.md
	index int    // of the test in it
	name  string // as people call it: "03-UAT/2"
	phase string // likewise: "Phase 03 Crane"
	// review is the number of the phase while its verification asks for a human, which the tests answer; else "".
	review string
	since  time.Time
}

// target finds the test that a node is the row of. Its error is a [*model.Refusal].
func (r *Reader) target(node string, now time.Time) (*target, error) {
	c := r.read(now)
	for _, p := range c.phases {
		for i := range p.uats {
			f := &p.uats[i]
			place, below := strings.CutPrefix(node, f.gateID(p)+"/")
			if !below {
				continue
			}
			n, err := strconv.Atoi(place)
			t := &target{
				file: path.Join(p.dir, f.name), index: n - 1, since: f.sinceWhen().at,
				name:  line.Tidy(strings.TrimSuffix(f.name, ".md")) + "/" + strconv.Itoa(n),
				phase: strings.TrimSpace("Phase " + p.id.text + " " + line.Tidy(p.name)),
			}
			if p.verified != nil && p.verified.asks {
				t.review = p.id.text
			}
			switch {
			case f.broken:
				return nil, &model.Refusal{Text: t.file + " can't be read as it is now", Fix: "mend it, or wait until its writer is done"}
			case err != nil || n < 1 || n > len(f.uat.tests):
				return nil, t.missing()
			case f.uat.tests[n-1].announced:
				return nil, &model.Refusal{Text: "the test stands under “Current Test” alone, where no result is written", Fix: "answer in the agent's session"}
			}
			return t, nil
		}
	}
	return nil, elsewhere(c.b, node)
}

func (t *target) missing() error {
	return &model.Refusal{Code: protocol.NoGate, Text: t.file + " has no such test", Fix: "look at the file again; it may have changed"}
}

// elsewhere says why a node that is no test can't be decided here.
func elsewhere(b *model.Build, node string) error {
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

// change begins the answer to an action: what is known of it whatever it is.
func (t *target) change(a model.Action, test *uatTest, is string) *protocol.Change {
	c := &protocol.Change{Was: cmp.Or(test.result, rules.Pending), Is: is}
	c.Proposal = model.Proposal{Action: a, Name: t.name, Asks: line.Tidy(test.name), Effect: line.Tidy(c.Was) + " → " + is, File: t.file, Since: t.since}
	if test.expected != "" {
		c.Checks = []string{line.Tidy(test.expected)}
	}
	return c
}

// judge returns the verdict that an action is, where the test waits for one.
func (t *target) judge(req protocol.Request, test *uatTest) (verdict, error) {
	text := line.Tidy(req.Text)
	if text == "" && req.Asking {
		text = "…"
	}
	var v verdict
	switch req.Verb {
	case model.VerbApprove:
		v = verdict{result: rules.Pass}
	case model.VerbChanges:
		v = verdict{result: rules.Issue, key: "reported", text: text}
	case model.VerbSkip:
		v = verdict{result: rules.Skipped, key: "reason", text: text}
	default:
		return v, &model.Refusal{
			Code: protocol.Forbidden, Text: "GSD has no rule for “" + line.Tidy(string(req.Verb)) + "” of a test",
			Fix: "approve it, skip it or ask for changes while it waits; have the agent test again what was judged",
		}
	}
	if !test.pending() {
		return v, t.judged(test, v.result)
	}
	if req.Asking {
		return v, nil
	}
	if req.Verb == model.VerbSkip {
		if refused := protocol.CheckSkipReason(text); refused != nil {
			return v, refused
		}
	}
	if req.Verb == model.VerbChanges && text == "" {
		return v, &model.Refusal{Code: protocol.FeedbackRequired, Text: "a request for changes needs a text", Fix: "say what is wrong"}
	}
	return v, nil
}

// judged refuses to judge a test again: its result may be somebody else's.
func (t *target) judged(test *uatTest, want string) error {
	is, fix := "", "undo the decision, or have the agent test it again"
	switch {
	case test.passed():
		is = " has passed already"
	case test.result == rules.Skipped:
		is = " was skipped already"
	case test.failed():
		is = " has an issue already" + because(test.reason)
	case test.result == rules.Blocked:
		is, fix = " is blocked"+because(cmp.Or(test.blockedBy, test.reason)), "have the agent test it again"
	default:
		return &model.Refusal{Code: protocol.UnknownStatus, Text: t.name + " has the result " + protocol.Quote(line.Tidy(test.result)) + ", which GSD does not know", Fix: "write pending into the file to judge it"}
	}
	if test.passed() && want == rules.Pass || test.result == rules.Skipped && want == rules.Skipped {
		return &model.Refusal{Code: protocol.SameStatus, Text: t.name + is, Already: true}
	}
	return &model.Refusal{Code: protocol.NotPending, Text: t.name + is, Fix: fix}
}

func because(why string) string {
	if why = line.Tidy(why); why == "" {
		return ""
	}
	return ": " + why
}

// undo takes the last decision about a test back.
func (t *target) undo(req protocol.Request, u *uat) (*protocol.Change, error) {
	if refused := protocol.CheckUndo(req); refused != nil {
		return nil, refused
	}
	test := &u.tests[t.index]
	text := page{req.Content}
	part := protocol.Region{To: len(req.Content)}
	part.From, _ = text.line(test.line)
	if t.index+1 < len(u.tests) {
		part.To, _ = text.line(u.tests[t.index+1].line)
	}
	undone, refused := protocol.UndoChange(req, t.file, part)
	if refused != nil {
		return nil, refused
	}
	c := t.change(req.Action, test, undone.Is)
	c.Spans = undone.Spans
	return c, nil
}

// last reports whether a test is all that keeps a UAT.md from having every test passed.
func last(u *uat, index int) bool {
	for i := range u.tests {
		if i != index && !u.tests[i].passed() && !u.tests[i].announced {
			return false
		}
	}
	return true
}
