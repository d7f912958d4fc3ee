package gsd

import (
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"gatehouse/model"
	"gatehouse/parse/gsd/core"
	"gatehouse/parse/protocol"
)

// checkVerdict holds one verdict on one test of a text to what is promised of all: written, it reads back as what was
// decided; all else reads as before; no line of the file but the named ones differs; and it can be taken back.
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
	spans, err := v.write(text, u, place, tg.name)
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
	if err != nil {
		t.Fatal(err)
	}
	if back, err := protocol.Apply(after, protocol.Invert(spans)); err != nil || back != text {
		t.Errorf("taken back, it is %q (%v), and was %q", back, err, text)
	}
	now, _ := core.ParseUAT(after)
	test := &now.Tests[place]
	if test.Result != v.result || v.key != "" && test.Reason != v.text {
		t.Errorf("the test says %q %q, want %q %q", test.Result, test.Reason, v.result, v.text)
	}
	test.Result, test.Reason = u.Tests[place].Result, u.Tests[place].Reason
	if got, want := meaningOf(now), meaningOf(u); got != want {
		t.Errorf("besides the verdict, the file says\n%s\nwhere it said\n%s", got, want)
	}
	for _, s := range spans {
		if strings.ContainsAny(strings.TrimLeft(s.New, "\r\n"), "\r\n") {
			t.Errorf("%s is written on several lines: %q", s.Label, s.New)
		}
		if key := s.Label[strings.LastIndexByte(s.Label, '.')+1:]; key != "result" && key != v.key {
			t.Errorf("%s is written", s.Label)
		}
	}
	// Without the lines that the spans stand in, both files are the same.
	if a, b := without(text, spans), without(after, protocol.Invert(spans)); a != b {
		t.Errorf("other lines differ:\n%q\n%q", a, b)
	}
}

// without returns a text without the lines that spans replace; where one only adds lines, nothing of it is left out.
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

// uatForms are UAT files in forms that are hard to write into.
var uatForms = []string{
	"## Tests\n### 1. x\nresult: [pending] <!-- a\n### 2. y\nresult: pass\n-->\n### 3. z\n",
	"## Tests\n### 1. x\n<!-- stray\nresult: pending\n### 2. y\nresult: [pending]\n## Gaps\n- truth: a\n  status: failed\n",
	"## Tests\r\n### 1. x\r\nexpected: >-\r\n\tresult: pass\r\n\r\n  b\r\nresult:pending#x\r\nreported: |\r\n  a\r\n### 2.\r\n",
	"\uFEFF---\r\na: b\r\n---\r\n## Tests\n### 1. x\n- **Result:** [pending]\n  **Reason**: \"a\n  b\"\n```\n",
	"## Current Test\nnumber: 4\nawaiting: user response\n## Tests\n### 1. x\nresult: \u00a0pending\u00a0\n",
	"## Tests\n### 1. x\n1) RESULT: (pending)\n\t2) REASON: \n",
}

// TestAnyVerdictChangesNothingElse decides at random on files put together from lines that are hard to tell apart.
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

// TestCommonFormsAreNotRefused holds that the last look at what was written stops nothing that people write.
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
