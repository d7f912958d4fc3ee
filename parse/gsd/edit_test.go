package gsd

import (
	"encoding/json"
	"errors"
	"fmt"
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

// editRows calls check with each row of a file of testdata/edits.
func editRows[Row any](t *testing.T, file string, check func(t *testing.T, row Row)) {
	data, err := os.ReadFile(filepath.Join("testdata", "edits", file))
	must(t, err)
	for line := range strings.Lines(string(data)) {
		var row Row
		must(t, json.Unmarshal([]byte(line), &row))
		t.Run(fmt.Sprint(row), func(t *testing.T) { check(t, row) })
	}
}

// TestVerdictsKeepTheFormOfTheFile writes verdicts on tests whose fields, below the heading, have many forms.
func TestVerdictsKeepTheFormOfTheFile(t *testing.T) {
	editRows(t, "verdicts.jsonl", func(t *testing.T, c struct {
		Name, Test string
		Verb       model.Verb
		Text, Want string
	}) {
		eol := "\n"
		if strings.Contains(c.Want, "\r\n") {
			eol = "\r\n"
		}
		frame := func(test string) string {
			before := strings.ReplaceAll("\uFEFF---\nstatus: testing\n---\n\n## Tests\n\n### 1. Boom\nexpected: x\nresult: [pending]\n\n### 2. Brake\n", "\n", eol)
			after := strings.ReplaceAll("\n### 3. Hook\nresult: [pending]\n\n## Summary\n\npending: 3\n", "\n", eol)
			return before + test + after
		}
		text, want := frame(c.Test), frame(c.Want)
		got, change := decide(t, text, "2", c.Verb, c.Text)
		if got != want {
			t.Errorf("the file is\n%q\nwant\n%q", got, want)
		}
		if back, err := protocol.Apply(got, protocol.Invert(change.Spans)); err != nil || back != text {
			t.Errorf("taken back, the file is\n%q (%v)\nwant\n%q", back, err, text)
		}
	})
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
	editRows(t, "refusals.jsonl", func(t *testing.T, c struct {
		Name, Text, Place string
		Verb              model.Verb
		Words, Code       string
		Already           bool
		Says              string
	}) {
		change, err := judging(t, c.Text).Edit(request(c.Verb, c.Place, c.Words, c.Text))
		if change != nil {
			t.Fatalf("change %+v", change)
		}
		r := refusal(t, err)
		if r.Code != c.Code || r.Already != c.Already || !strings.Contains(r.Error(), c.Says) {
			t.Errorf("refusal %+v, want %s %v with %q", r, c.Code, c.Already, c.Says)
		}
	})
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
