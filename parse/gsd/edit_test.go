package gsd

import (
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"gatehouse/model"
	"gatehouse/model/modeltest"
	"gatehouse/parse/disk/mirror"
	"gatehouse/parse/disk/statefile"
	"gatehouse/parse/gsd/core"
	"gatehouse/parse/protocol"
)

// Edit judges an action by a content and returns the change that it makes there.
func (r *Reader) Edit(q protocol.Request) (*protocol.Change, error) {
	t, err := r.Target(q.Action, q.Now)
	if err != nil {
		return nil, err
	}
	answer, err := t.Judge(q.Content)
	if err != nil {
		return nil, err
	}
	return answer(q)
}

const uatFileName = "phases/03-crane/03-UAT.md"

// uatGate is the row of the UAT file whose tests are judged; the tests follow by number.
const uatGate = "gate/03/03-UAT.md"

var verbs = []model.Verb{model.VerbApprove, model.VerbChanges, model.VerbSkip}

// judging returns a reader of a project whose UAT file holds the text.
func judging(t *testing.T, text string) *Reader {
	t.Helper()
	dir := tree(t, map[string]string{"phases/03-crane/03-01-PLAN.md": "---\nwave: 1\n---\n", uatFileName: text})
	return Readers(mirror.New(dir, Planning))[0]
}

// request is an action on the test at a position, counted from 1.
func request(verb model.Verb, place, words, content string) protocol.Request {
	return protocol.Request{Action: model.Action{Verb: verb, Node: uatGate + "/" + place, Text: words}, Content: content}
}

// decide makes a decision on a test and returns the file afterwards.
func decide(t *testing.T, text, place string, verb model.Verb, words string) (string, *protocol.Change) {
	t.Helper()
	c, err := judging(t, text).Edit(request(verb, place, words, text))
	if err != nil {
		t.Fatalf("%s of %s: %v", verb, place, err)
	}
	after, err := protocol.Apply(text, c.Spans)
	must(t, err)
	return after, c
}

func TestVerdictsKeepTheFormOfTheFile(t *testing.T) {
	const reason = "no phone at hand today"
	for _, c := range []struct {
		name, test string // below the heading
		verb       model.Verb
		text, want string
	}{
		{"brackets go", "expected: It stops\nresult: [pending]\n", model.VerbApprove, "", "expected: It stops\nresult: pass\n"},
		{"without brackets", "result: pending\n", model.VerbApprove, "", "result: pass\n"},
		{"quotes go", "result: \"pending\"\n", model.VerbApprove, "", "result: pass\n"},
		{"upper case", "Result: PENDING\n", model.VerbApprove, "", "Result: pass\n"},
		{"a comment stays", "result: [pending]  # needs a phone\n", model.VerbApprove, "", "result: pass  # needs a phone\n"},
		{"an HTML comment stays", "result: [pending] <!-- phone -->\n", model.VerbApprove, "", "result: pass <!-- phone -->\n"},
		{"a remark in brackets is of the value", "result: pending (later)\n", model.VerbApprove, "", "result: pass\n"},
		{"blanks at the end stay", "result: [pending] \t\n", model.VerbApprove, "", "result: pass \t\n"},
		{"no value", "expected: x\nresult:\nnote: y\n", model.VerbApprove, "", "expected: x\nresult: pass\nnote: y\n"},
		{"only a comment", "result: # judge me\n", model.VerbApprove, "", "result: pass # judge me\n"},
		{"list", "- expected: x\n- result: [pending]\n", model.VerbSkip, reason, "- expected: x\n- result: skipped\n- reason: " + reason + "\n"},
		{"one list item", "- result: [pending]\n  expected: x\n", model.VerbSkip, reason, "- result: skipped\n- reason: " + reason + "\n  expected: x\n"},
		{"bold", "**Expected:** x\n**Result:** [pending]\n", model.VerbChanges, "it squeaks", "**Expected:** x\n**Result:** issue\n**Reported:** \"it squeaks\"\n"},
		{"bold, colon outside", "**Expected**: x\n", model.VerbApprove, "", "**Expected**: x\n**Result**: pass\n"},
		{"bold in a list", "- **Expected:** x\n- **Result:** pending\n", model.VerbChanges, "no", "- **Expected:** x\n- **Result:** issue\n- **Reported:** \"no\"\n"},
		{"CR LF", "expected: x\r\nresult: [pending]\r\n", model.VerbChanges, "no", "expected: x\r\nresult: issue\r\nreported: \"no\"\r\n"},
		{"no result", "expected: x\n\n", model.VerbApprove, "", "expected: x\nresult: pass\n\n"},
		{"no result, a block", "expected: |\n  One.\n\n  result: 5\n\n", model.VerbApprove, "", "expected: |\n  One.\n\n  result: 5\nresult: pass\n\n"},
		{"no result, text that goes on", "expected: One\n  two: three\nfour.\n", model.VerbSkip, reason, "expected: One\n  two: three\nfour.\nresult: skipped\nreason: " + reason + "\n"},
		{"no result, code", "expected: run\n```sh\nresult: pass\n```\n", model.VerbApprove, "", "expected: run\n```sh\nresult: pass\n```\nresult: pass\n"},
		{"nothing but a heading", "", model.VerbChanges, "no", "result: issue\nreported: \"no\"\n"},
		{"an old report goes", "result: [pending]\nreported: \"it was loud\"\nseverity: minor\n", model.VerbChanges, "now it is quiet", "result: issue\nreported: \"now it is quiet\"\nseverity: minor\n"},
		{"an empty report", "result: [pending]\nreported:\n", model.VerbChanges, "no", "result: issue\nreported: \"no\"\n"},
		{"a report above the result", "reported: \"\"\nresult: [pending]\n", model.VerbChanges, "no", "reported: \"no\"\nresult: issue\n"},
		{"the report of another kind stays", "result: [pending]\nreported: \"old\"\n", model.VerbSkip, reason, "result: skipped\nreason: " + reason + "\nreported: \"old\"\n"},
		{"a comment over lines", "result: [pending] <!-- a\nb -->\n", model.VerbChanges, "no", "result: issue <!-- a\nb -->\nreported: \"no\"\n"},
		{"several lines become one", "result: [pending]\n", model.VerbChanges, "a\r\n\n### 4. x\nresult: pass\n", "result: issue\nreported: \"a ### 4. x result: pass\"\n"},
		{"quotes and backslashes", "result: [pending]\n", model.VerbChanges, `say "x" in C:\new`, "result: issue\nreported: \"say \\\"x\\\" in C:\\\\new\"\n"},
		{"no comment begins or ends", "result: [pending]\n", model.VerbChanges, "a <!-- b --> <!-->", "result: issue\nreported: \"a \\x3c!-- b --\\x3e \\x3c!--\\x3e\"\n"},
		{"a reason that YAML would misread", "result: [pending]\n", model.VerbSkip, "no phone: #1 is broken", "result: skipped\nreason: \"no phone: #1 is broken\"\n"},
		{"nothing that does not show", "result: [pending]\n", model.VerbSkip, "no phone\x1b[2J at\u202e hand", "result: skipped\nreason: \"no phone\uFFFD[2J at hand\"\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			eol := "\n"
			if strings.Contains(c.want, "\r\n") {
				eol = "\r\n"
			}
			frame := func(test string) string {
				before := strings.ReplaceAll("\uFEFF---\nstatus: testing\n---\n\n## Tests\n\n### 1. Boom\nexpected: x\nresult: [pending]\n\n### 2. Brake\n", "\n", eol)
				after := strings.ReplaceAll("\n### 3. Hook\nresult: [pending]\n\n## Summary\n\npending: 3\n", "\n", eol)
				return before + test + after
			}
			text, want := frame(c.test), frame(c.want)
			got, change := decide(t, text, "2", c.verb, c.text)
			if got != want {
				t.Errorf("the file is\n%q\nwant\n%q", got, want)
			}
			if back, err := protocol.Apply(got, protocol.Invert(change.Spans)); err != nil || back != text {
				t.Errorf("taken back, the file is\n%q (%v)\nwant\n%q", back, err, text)
			}
		})
	}
}

func TestVerdictAtTheEndOfTheFile(t *testing.T) {
	for text, want := range map[string]string{
		"## Tests\n### 1. x\nresult: [pending]":     "## Tests\n### 1. x\nresult: skipped\nreason: there is no hook",
		"## Tests\r\n### 1. x\r\nexpected: y":       "## Tests\r\n### 1. x\r\nexpected: y\r\nresult: skipped\r\nreason: there is no hook",
		"## Tests\n### 1. x":                        "## Tests\n### 1. x\nresult: skipped\nreason: there is no hook",
		"## Tests\n### 1. x <!-- a\nb -->":          "## Tests\n### 1. x <!-- a\nb -->\nresult: skipped\nreason: there is no hook",
		"## Tests\n### 1. x\nresult: [pending]\n\n": "## Tests\n### 1. x\nresult: skipped\nreason: there is no hook\n\n",
	} {
		if got, _ := decide(t, text, "1", model.VerbSkip, "there is no hook"); got != want {
			t.Errorf("%q becomes\n%q, want\n%q", text, got, want)
		}
	}
}

func TestTestIsJudgedByPosition(t *testing.T) {
	const text = "## Tests\n\n### 2. Hook\nresult: [pending]\n\n### 2. Hook\nresult: [pending]\n\n### Rope\nresult: [pending]\n" +
		"```\n### 3. Fenced\nresult: [pending]\n```\n<!--\n### 4. Commented\nresult: [pending]\n-->\n### 5. Winch\nresult: [pending]\n"
	for place, line := range map[string]int{"1": 4, "2": 7, "3": 10, "4": 20} {
		got, c := decide(t, text, place, model.VerbApprove, "")
		before, after := strings.Split(text, "\n"), strings.Split(got, "\n")
		for i := range before {
			if want := i+1 == line; (before[i] != after[i]) != want {
				t.Errorf("test %s: line %d is %q", place, i+1, after[i])
			}
		}
		if want := "03-UAT/" + place; c.Name != want || c.Spans[0].Label != want+".result" {
			t.Errorf("test %s is called %q, its result %q", place, c.Name, c.Spans[0].Label)
		}
	}
	if _, err := judging(t, text).Edit(request(model.VerbApprove, "5", "", text)); refusal(t, err).Code != "E_NO_GATE" {
		t.Errorf("a fenced or commented test: %v", err)
	}
}

// refusal returns an error as a refusal, and fails the test for any other error.
func refusal(t *testing.T, err error) *model.Refusal {
	t.Helper()
	var r *model.Refusal
	if !errors.As(err, &r) {
		t.Fatalf("error %v, want a refusal", err)
	}
	return r
}

func TestProposal(t *testing.T) {
	r := judging(t, uatText)
	req := request(model.VerbSkip, "2", "", uatText)
	req.Asking = true
	c, err := r.Edit(req)
	must(t, err)
	if c.Name != "03-UAT/2" || c.Asks != "Brake" || c.Effect != "pending → skipped" || c.Wants != "reason" || c.File != ".planning/"+uatFileName ||
		!slices.Equal(c.Checks, []string{"It stops"}) || len(c.Warnings) != 1 || len(c.Releases) != 0 || !c.Since.Equal(time.Date(2026, 2, 2, 10, 0, 0, 0, time.UTC)) {
		t.Errorf("proposal %+v", c.Proposal)
	}
	if c.Was != "pending" || c.Is != "skipped" || len(c.Spans) != 2 {
		t.Errorf("change %+v", c)
	}
	if about, err := r.Target(req.Action, time.Time{}); err != nil || about.File != ".planning/"+uatFileName {
		t.Errorf("target %q, %v", about.File, err)
	}

	const open = "## Tests\n### 1. a\nresult: pass\n### 2. b\nresult: [pending]\n"
	if _, c := decide(t, open, "2", model.VerbApprove, ""); !slices.Equal(c.Releases, []string{"Phase 03 crane"}) {
		t.Errorf("the last test releases %q", c.Releases)
	}
	for _, verb := range verbs[1:] {
		if _, c := decide(t, open, "2", verb, "there is no hook"); len(c.Releases) > 0 {
			t.Errorf("%s releases %q", verb, c.Releases)
		}
	}
	if _, c := decide(t, uatText, "2", model.VerbApprove, ""); len(c.Releases) > 0 {
		t.Errorf("with others open, a test releases %q", c.Releases)
	}
}

func TestJudgingIsRefused(t *testing.T) {
	const long = "a reason that is long"
	for _, c := range []struct {
		name, text, place string
		verb              model.Verb
		words             string
		code              string
		already           bool
		says              string
	}{
		{"passed", uatText, "1", model.VerbApprove, "", "E_SAME_STATUS", true, "03-UAT/1 has passed already"},
		{"passed", uatText, "1", model.VerbChanges, "no", "E_NOT_PENDING", false, "has passed already; undo the decision"},
		{"issue", uatText, "3", model.VerbApprove, "", "E_NOT_PENDING", false, "has an issue already: it does not; undo"},
		{"issue", uatText, "3", model.VerbChanges, "another", "E_NOT_PENDING", false, "has an issue already: it does not; undo"},
		{"skipped", uatText, "4", model.VerbSkip, "x", "E_SAME_STATUS", true, "was skipped already"},
		{"skipped", uatText, "4", model.VerbApprove, "", "E_NOT_PENDING", false, "was skipped already; undo"},
		{"blocked", uatText, "5", model.VerbApprove, "", "E_NOT_PENDING", false, "is blocked: 03-04; have the agent"},
		{"unknown", "## Tests\n### 1. x\nresult: ma\x1bybe\n", "1", model.VerbApprove, "", "E_UNKNOWN_STATUS", false, "has the result “ma\uFFFDybe”"},
		{"no reason", uatText, "2", model.VerbSkip, " \n", "E_REASON_REQUIRED", false, "a skip needs a reason"},
		{"short reason", uatText, "2", model.VerbSkip, " 123456789\u200b0 ", "E_REASON_TOO_SHORT", false, "too short"},
		{"no text", uatText, "2", model.VerbChanges, "\u200b", "E_FEEDBACK_REQUIRED", false, "needs a text"},
		{"retry", uatText, "3", model.VerbRetry, "", "E_FORBIDDEN", false, "GSD has no rule for “retry”"},
		{"gone", uatText, "6", model.VerbApprove, "", "E_NO_GATE", false, "has no such test"},
		{"no number", uatText, "x", model.VerbApprove, "", "E_NO_GATE", false, "has no such test"},
		{"two results", "## Tests\n### 1. x\nresult: pass\nresult: [pending]\n", "1", model.VerbApprove, "", "", false, "two lines for its result; leave one"},
		{"a reason of several lines", "## Tests\n### 1. x\nresult: [pending]\nreason: |\n  one\n\n  two\n", "1", model.VerbSkip, long, "", false, "has several lines"},
		{"two reasons", "## Tests\n### 1. x\nresult: [pending]\nreason: a\nreason: b\n", "1", model.VerbSkip, long, "", false, "two lines for its reason"},
		{"swallowed by a fence", "## Tests\n### 1. x\nexpected: y\n```\nz\n", "1", model.VerbApprove, "", "", false, "can't be written safely; write"},
		{"announced only", "## Current Test\nnumber: 1\nname: x\nawaiting: user response\n## Tests\n", "1", model.VerbApprove, "", "", false, "only under “Current Test”"},
		{"unclosed frontmatter", "---\nstatus: x\n## Tests\n### 1. x\nresult: [pending]\n", "1", model.VerbApprove, "", "", false, "can't be read as it is now"},
	} {
		t.Run(c.name+" "+string(c.verb), func(t *testing.T) {
			change, err := judging(t, c.text).Edit(request(c.verb, c.place, c.words, c.text))
			if change != nil {
				t.Fatalf("change %+v", change)
			}
			r := refusal(t, err)
			if r.Code != c.code || r.Already != c.already || !strings.Contains(r.Error(), c.says) {
				t.Errorf("refusal %+v, want %s %v with %q", r, c.code, c.already, c.says)
			}
		})
	}
}

func TestABrokenFileIsNotWritten(t *testing.T) {
	r := judging(t, uatText)
	torn := uatText[:40]
	if c, err := r.Edit(request(model.VerbApprove, "2", "", torn)); err == nil || c != nil || !strings.Contains(err.Error(), "no closing ---") {
		t.Errorf("half a file: %+v, %v", c, err)
	}
	if _, err := r.Edit(request(model.VerbApprove, "2", "", "---\nstatus: x\n---\n## Tests\n### 1. Boom\n")); refusal(t, err).Code != "E_NO_GATE" {
		t.Errorf("a test that is gone: %v", err)
	}

	file := filepath.Join(r.m.Root(), Planning, uatFileName)
	r.Read(time.Time{})
	must(t, os.WriteFile(file, []byte(torn), 0o644))
	r.m.Touch()
	b := r.Read(time.Time{})
	if n := modeltest.Node(t, b, uatGate+"/2"); n.Status != model.Waiting || len(n.Gate.Can) > 0 {
		t.Errorf("a test of a file that is held is %s and can %v", n.Status, n.Gate.Can)
	}
	if _, err := r.Target(model.Action{Node: uatGate + "/2"}, time.Time{}); !strings.Contains(refusal(t, err).Text, "can't be read") {
		t.Errorf("target in a file that is held: %v", err)
	}
}

func TestOnlyWaitingTestsCanBeJudged(t *testing.T) {
	dir := tree(t, map[string]string{
		"STATE.md":                          "---\ngsd_state_version: '1.0'\nstatus: executing\ncurrent_phase: \"3\"\n---\n",
		"WAITING.json":                      `{"status":"waiting","question":"Iron?","phase":"3"}`,
		"HANDOFF.json":                      `{"status":"paused","human_actions_pending":["buy rope"]}`,
		"phases/03-crane/03-01-PLAN.md":     "---\nwave: 1\n---\n<task type=\"checkpoint:decision\" gate=\"blocking\">\n<decision>Iron?</decision>\n</task>\n",
		"phases/02-lock/02-01-PLAN.md":      "---\nwave: 1\n---\n",
		"phases/02-lock/02-01-SUMMARY.md":   "---\n---\n\n",
		"phases/02-lock/02-VERIFICATION.md": "---\nstatus: human_needed\nhuman_verification:\n  - test: look\n---\n",
		uatFileName:                         uatText,
	})
	r := Readers(mirror.New(dir, Planning))[0]
	b := r.Read(time.Time{})
	gates := 0
	for _, n := range model.Walk(b.Nodes) {
		if n.ID == uatGate+"/2" {
			if !slices.Equal(n.Gate.Can, verbs) {
				t.Errorf("a test that waits can %v", n.Gate.Can)
			}
			continue
		}
		if n.Gate != nil {
			gates++
			if len(n.Gate.Can) > 0 {
				t.Errorf("%s can %v", n.ID, n.Gate.Can)
			}
		}
		if strings.HasPrefix(n.ID, uatGate+"/") {
			continue
		}
		if _, err := r.Target(model.Action{Verb: model.VerbApprove, Node: n.ID}, time.Time{}); refusal(t, err).Fix == "" {
			t.Errorf("%s: %v, want what to do instead", n.ID, err)
		}
	}
	if gates < 8 {
		t.Errorf("only %d other gates", gates)
	}
	for node, says := range map[string]string{
		"gate/waiting": "answer in the agent's session", uatGate: "judge them one by one", "": "tell the agent",
		"phase/03": "is no gate", "nowhere": "no such gate", "gate/handoff/1": "answer in the agent's session",
	} {
		if _, err := r.Target(model.Action{Node: node}, time.Time{}); !strings.Contains(refusal(t, err).Error(), says) {
			t.Errorf("%s: %v, want %q", node, err, says)
		}
	}
}

func TestUndo(t *testing.T) {
	after, c := decide(t, uatText, "2", model.VerbSkip, "there is no brake")
	r := judging(t, after)
	decision := model.Decision{Verb: model.VerbSkip, Node: request(model.VerbUndo, "2", "", "").Node, Was: c.Was, Is: c.Is, Spans: c.Spans, Before: statefile.Hash(uatText), After: statefile.Hash(after)}
	undo := func(content string, d *model.Decision) (*protocol.Change, error) {
		req := request(model.VerbUndo, "2", "", content)
		req.Last = d
		return r.Edit(req)
	}
	back, err := undo(after, &decision)
	must(t, err)
	if text, err := protocol.Apply(after, back.Spans); err != nil || text != uatText || back.Was != "skipped" || back.Is != "pending" || back.Effect != "skipped → pending" {
		t.Errorf("undo: %+v, %v; the file is\n%s", back, err, text)
	}

	// Changes elsewhere in the file stay, and are no reason to refuse.
	elsewhere := strings.Replace(after, "## Tests", "## Renamed", 1) + "\n### 99. Another\nexpected: x\nresult: skipped\nreason: there is no brake\n"
	if back, err = undo(elsewhere, &decision); err != nil {
		t.Fatal(err)
	}
	if text, err := protocol.Apply(elsewhere, back.Spans); err != nil || text != strings.Replace(elsewhere, after[strings.Index(after, "result: skipped"):strings.Index(after, "no brake")+len("no brake")], "result: [pending]", 1) {
		t.Errorf("%v; the file is\n%s", err, text)
	}

	reported, foreign := decision, decision
	reported.Reported = true
	foreign.Spans = []model.Span{{At: 3, New: "not there"}}
	for says, ask := range map[string]func() (*protocol.Change, error){
		"there is no decision":                       func() (*protocol.Change, error) { return undo(after, nil) },
		"an agent has acted on the decision already": func() (*protocol.Change, error) { return undo(after, &reported) },
		"result is not skipped any more": func() (*protocol.Change, error) {
			return undo(strings.Replace(after, "result: skipped", "result: pass", 1), &decision)
		},
		"the journal's entry does not match .planning/phases/03-crane/03-UAT.md": func() (*protocol.Change, error) { return undo(after, &foreign) },
	} {
		if c, err := ask(); c != nil || !strings.Contains(refusal(t, err).Text, says) {
			t.Errorf("%+v, %v; want %q", c, err, says)
		}
	}
}

// checkVerdict checks what every verdict on a test of a text promises: it reads back as decided, everything else reads as before, no
// line of the file changes except the named ones, and it can be undone.
func checkVerdict(t *testing.T, text string, place int, verb model.Verb, words string) (written bool) {
	t.Helper()
	u, err := core.ParseUAT(text)
	if core.IsSerious(err) || place >= len(u.Tests) || u.Tests[place].IsAnnounced {
		return false
	}
	tg := &target{file: "UAT.md", index: place, name: "UAT/" + strconv.Itoa(place+1)}
	v, refused := tg.judge(protocol.Request{Action: model.Action{Verb: verb, Text: words}}, &u.Tests[place])
	if refused != nil {
		return false
	}
	spans, err := v.writeSpans(text, u, place, tg.name)
	if err != nil {
		refusal(t, err)
		return false
	}
	checkWritten(t, text, u, place, v, spans)
	return true
}

func checkWritten(t *testing.T, text string, u *core.UAT, place int, v verdict, spans []model.Span) {
	t.Helper()
	after, err := protocol.Apply(text, spans)
	must(t, err)
	if back, err := protocol.Apply(after, protocol.Invert(spans)); err != nil || back != text {
		t.Errorf("after the undo, the file is %q (%v), and was %q", back, err, text)
	}
	now, _ := core.ParseUAT(after)
	test := &now.Tests[place]
	if test.Result != v.result || v.key != "" && test.Reason != v.text {
		t.Errorf("the test says %q %q, want %q %q", test.Result, test.Reason, v.result, v.text)
	}
	test.Result, test.Reason = u.Tests[place].Result, u.Tests[place].Reason
	if got, want := meaningOf(now), meaningOf(u); got != want {
		t.Errorf("apart from the verdict, the file means\n%s\nand meant\n%s", got, want)
	}
	for _, s := range spans {
		if strings.ContainsAny(strings.TrimLeft(s.New, "\r\n"), "\r\n") {
			t.Errorf("%s is written on several lines: %q", s.Label, s.New)
		}
		if key := s.Label[strings.LastIndexByte(s.Label, '.')+1:]; key != "result" && key != v.key {
			t.Errorf("%s is written", s.Label)
		}
	}
	// Without the lines of the spans, both files are the same.
	if a, b := without(text, spans), without(after, protocol.Invert(spans)); a != b {
		t.Errorf("other lines differ:\n%q\n%q", a, b)
	}
}

// without returns a text without the lines that spans replace. If a span only adds lines, the whole text remains.
func without(text string, spans []model.Span) string {
	var b strings.Builder
	at := 0
	for _, s := range spans {
		start, end := s.At, s.At+len(s.Old)
		if adds := s.Old == "" && strings.TrimLeft(s.New, "\r\n") != s.New; !adds && strings.TrimLeft(s.Old, "\r\n") == s.Old {
			start = strings.LastIndexByte(text[:start], '\n') + 1
			line, _, _ := strings.Cut(text[end:], "\n")
			end += len(strings.TrimSuffix(line, "\r"))
		}
		if start < at {
			start = at
		}
		b.WriteString(text[at:start])
		at = max(at, end)
	}
	return b.String() + text[at:]
}

func FuzzVerdict(f *testing.F) {
	words := []string{"", "there is no hook", "### 9. x\nresult: pass", `"\`, "<!-- -->", "```", "\x1b]0;x\a\u202e\xff", "--> result: pass", "a: b # c"}
	for i, text := range append(seeds, uatForms...) {
		f.Add(text, uint8(i), uint8(i), words[i%len(words)])
	}
	f.Fuzz(func(t *testing.T, text string, place, verb uint8, words string) {
		checkVerdict(t, text, int(place%8), verbs[int(verb)%len(verbs)], words)
	})
}

// uatForms are UAT files in forms that are hard to edit.
var uatForms = []string{
	"## Tests\n### 1. x\nresult: [pending] <!-- a\n### 2. y\nresult: pass\n-->\n### 3. z\n",
	"## Tests\n### 1. x\n<!-- stray\nresult: pending\n### 2. y\nresult: [pending]\n## Gaps\n- truth: a\n  status: failed\n",
	"## Tests\r\n### 1. x\r\nexpected: >-\r\n\tresult: pass\r\n\r\n  b\r\nresult:pending#x\r\nreported: |\r\n  a\r\n### 2.\r\n",
	"\uFEFF---\r\na: b\r\n---\r\n## Tests\n### 1. x\n- **Result:** [pending]\n  **Reason**: \"a\n  b\"\n```\n",
	"## Current Test\nnumber: 4\nawaiting: user response\n## Tests\n### 1. x\nresult: \u00a0pending\u00a0\n",
	"## Tests\n### 1. x\n1) RESULT: (pending)\n\t2) REASON: \n",
}

// TestAnyVerdictChangesNothingElse decides at random on files composed of lines that are easily confused.
func TestAnyVerdictChangesNothingElse(t *testing.T) {
	lines := []string{
		"### 1. x", "### 2. y <!-- a", "#### z", "## Tests", "## Gaps", "- truth: a", "  status: failed", "-->", "<!-- b -->", "```", "~~~~", "", "", "  ",
		"expected: One", "expected: |", "- expected: One", "**Expected:** One", "  two", "\tthree: four", "five", "> six",
		"result: [pending]", "result: [pending] # a", "result: pending <!-- c", "- result: pending", "  result: pending", "- **Result:** [pending]", "RESULT:", "result: pass", "result: issue",
		"reported: \"a\"", "reported: |", "  reported:", "reason: b <!-- d -->", "- reason: >", "severity: major", "note: c",
	}
	words := []string{"there is no hook", "### 9. x\nresult: pass", `a "quoted" \n text`, "begins <!-- and ends --> here", "- truth: all of it", "``` fenced ``` text", "``", "|"}
	random := rand.New(rand.NewPCG(1, 2))
	written, refused := 0, 0
	for range 20000 {
		var b strings.Builder
		b.WriteString("## Tests\n### 1. First\n")
		eol := []string{"\n", "\r\n"}[random.IntN(2)]
		for range random.IntN(12) {
			b.WriteString(lines[random.IntN(len(lines))] + eol)
		}
		text := b.String()
		if random.IntN(4) == 0 {
			text = strings.TrimSuffix(text, eol)
		}
		if checkVerdict(t, text, random.IntN(3), verbs[random.IntN(3)], words[random.IntN(len(words))]) {
			written++
		} else {
			refused++
		}
		if t.Failed() {
			t.Fatalf("the file was %q", text)
		}
	}
	if written < 4000 {
		t.Errorf("%d verdicts were written, %d refused: too few to prove anything", written, refused)
	}
}

// TestCommonFormsAreNotRefused checks that the final check of a written file refuses no common form.
func TestCommonFormsAreNotRefused(t *testing.T) {
	for _, before := range []string{"", "expected: x\n", "- expected: x\n", "**Expected:** x\n", "expected: |\n  a\n\n  b\n", "expected: x\n```\ny\n```\n"} {
		for _, result := range []string{"", "result:\n", "result: [pending]\n", "result: pending # x\n", "- result: [pending]\n", "**Result:** pending\n"} {
			for _, behind := range []string{"", "severity: minor\n", "reported: a\n", "reason: a\n", "note: a\n", "\n", "\nfree text\n", "<!-- a\nb -->\n"} {
				text := "## Tests\n\n### 1. a\nresult: pass\n\n### 2. b\n" + before + result + behind + "\n### 3. c\nresult: [pending]\n\n## Gaps\n\n[none]\n"
				for _, verb := range verbs {
					if !checkVerdict(t, text, 1, verb, "a reason: “long” enough") {
						t.Errorf("%s is refused in %q", verb, text)
					}
				}
			}
		}
	}
}
