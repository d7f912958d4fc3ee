package gsd

import (
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"gatehouse/model"
	"gatehouse/model/modeltest"
	"gatehouse/parse/conformance"
	"gatehouse/parse/disk/mirror"
	"gatehouse/parse/disk/statefile"
	"gatehouse/parse/gsd/core"
	"gatehouse/parse/protocol"
	"gatehouse/parse/protocol/protocoltest"
)

// Decisions and refusals are in testdata/builds/decisions.txtar.

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
	c, err := protocoltest.Decide(judging(t, text), request(verb, place, words, text))
	if err != nil {
		t.Fatalf("%s of %s: %v", verb, place, err)
	}
	after, err := protocol.Apply(text, c.Spans)
	must(t, err)
	return after, c
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

// TestVerdictsKeepTheFormOfTheFile writes verdicts on tests whose fields, below the heading, have many forms.
func TestVerdictsKeepTheFormOfTheFile(t *testing.T) {
	conformance.OwnRows(t, "verdicts.jsonl", func(t *testing.T, c struct {
		Test, Text, Want string
		Verb             model.Verb
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

func TestABrokenFileIsNotWritten(t *testing.T) {
	r := judging(t, uatText)
	torn := uatText[:40]
	if c, err := protocoltest.Decide(r, request(model.VerbApprove, "2", "", torn)); err == nil || c != nil || !strings.Contains(err.Error(), "no closing ---") {
		t.Errorf("half a file: %+v, %v", c, err)
	}
	if _, err := protocoltest.Decide(r, request(model.VerbApprove, "2", "", "---\nstatus: x\n---\n## Tests\n### 1. Boom\n")); refusal(t, err).Code != "E_NO_GATE" {
		t.Errorf("a test that is gone: %v", err)
	}

	r.Read(time.Time{})
	must(t, os.WriteFile(filepath.Join(r.m.Root(), Planning, uatFileName), []byte(torn), 0o644))
	r.m.Touch()
	b := r.Read(time.Time{})
	if n := modeltest.Node(t, b, uatGate+"/2"); n.Status != model.Waiting || len(n.Gate.Can) > 0 {
		t.Errorf("a test of a file that is held is %s and can %v", n.Status, n.Gate.Can)
	}
	if _, err := r.Target(model.Action{Node: uatGate + "/2"}, time.Time{}); !strings.Contains(refusal(t, err).Text, "can't be read") {
		t.Errorf("target in a file that is held: %v", err)
	}
}

// TestUndo undoes a decision after the file has changed. That each decision can be undone is checked by [protocoltest.Describe].
func TestUndo(t *testing.T) {
	after, c := decide(t, uatText, "2", model.VerbSkip, "there is no brake")
	decision := model.Decision{Verb: model.VerbSkip, Node: uatGate + "/2", Was: c.Was, Is: c.Is, Spans: c.Spans, Before: statefile.Hash(uatText), After: statefile.Hash(after)}
	foreign := decision
	foreign.Spans = []model.Span{{At: 3, New: "not there"}}
	elsewhere := "\n### 99. Another\nexpected: x\nresult: skipped\nreason: there is no brake\n"
	for says, try := range map[string]struct {
		content string
		of      *model.Decision
	}{
		"":                               {strings.Replace(after, "## Tests", "## Renamed", 1) + elsewhere, &decision},
		"there is no decision":           {after, nil},
		"result is not skipped any more": {strings.Replace(after, "result: skipped", "result: pass", 1), &decision},
		"the journal's entry does not match .planning/phases/03-crane/03-UAT.md": {after, &foreign},
	} {
		q := request(model.VerbUndo, "2", "", try.content)
		q.Last = try.of
		back, err := protocoltest.Decide(judging(t, after), q)
		if says != "" {
			if back != nil || !strings.Contains(refusal(t, err).Text, says) {
				t.Errorf("%+v, %v; want %q", back, err, says)
			}
			continue
		}
		must(t, err)
		if text, err := protocol.Apply(try.content, back.Spans); err != nil || text != strings.Replace(uatText, "## Tests", "## Renamed", 1)+elsewhere {
			t.Errorf("%v; the file is\n%s", err, text)
		}
	}
}

// checkVerdict checks what every verdict on a test of a text promises: it reads back as decided, everything else reads as before, it changes
// one line and adds one at most, and it can be undone.
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
		if strings.ContainsAny(s.Old+strings.TrimLeft(s.New, "\r\n"), "\r\n") {
			t.Errorf("%s is written on several lines: %q", s.Label, s.New)
		}
	}
	return true
}

func FuzzVerdict(f *testing.F) {
	words := []string{"", "there is no hook", "### 9. x\nresult: pass", `"\`, "<!-- -->", "```", "\x1b]0;x\a\u202e\xff", "--> result: pass", "a: b # c"}
	for i, text := range seeds {
		f.Add(text, uint8(i), uint8(i), words[i%len(words)])
	}
	f.Fuzz(func(t *testing.T, text string, place, verb uint8, words string) {
		checkVerdict(t, text, int(place%8), verbs[int(verb)%len(verbs)], words)
	})
}

// TestAnyVerdictChangesNothingElse decides at random on files composed of lines that are easily confused.
func TestAnyVerdictChangesNothingElse(t *testing.T) {
	lines := []string{
		"### 1. x", "### 2. y <!-- a", "#### z", "## Tests", "## Gaps", "- truth: a", "  status: failed", "-->", "<!-- b -->", "```", "~~~~", "", "", "  ",
		"expected: One", "expected: |", "- expected: One", "**Expected:** One", "  two", "\tthree: four", "five", "> six",
		"result: [pending]", "result: [pending] # a", "result: pending <!-- c", "- result: pending", "  result: pending", "- **Result:** [pending]", "RESULT:", "result: pass", "result: issue",
		"reported: \"a\"", "reported: |", "  reported:", "reason: b <!-- d -->", "- reason: >", "severity: major", "note: c", "result:pending#x", "1) RESULT: (pending)", "result: \u00a0pending\u00a0",
	}
	words := []string{"there is no hook", "### 9. x\nresult: pass", `a "quoted" \n text`, "begins <!-- and ends --> here", "- truth: all of it", "``` fenced ``` text", "``", "|"}
	random := rand.New(rand.NewPCG(1, 2))
	written, refused := 0, 0
	for range 20000 {
		var b strings.Builder
		b.WriteString("## Tests\n### 1. First\n" + lines[22+random.IntN(7)] + "\n")
		eol := []string{"\n", "\r\n"}[random.IntN(2)]
		for range random.IntN(6) {
			b.WriteString(lines[random.IntN(len(lines))] + eol)
		}
		text := b.String()
		if random.IntN(4) == 0 {
			text = strings.TrimSuffix(text, eol)
		}
		if checkVerdict(t, text, random.IntN(2), verbs[random.IntN(3)], words[random.IntN(len(words))]) {
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
