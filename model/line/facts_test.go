package line

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"gatehouse/parse/conformance"
)

// TestFacts checks the lines of the facts in testdata/conformance/facts.jsonl.
func TestFacts(t *testing.T) {
	conformance.OwnRows(t, "facts.jsonl", func(t *testing.T, c struct {
		GSD       *GSD
		Loop      *Loop
		Ultraplan *Ultraplan
		Fctry     *Fctry

		Full, Compact   *string
		Scene           *int
		Waits           *string
		Position, Short *string        // the position leaves out the state of the build, which the tree shows, but not the reason for a standstill
		Roles           *string        // the pieces, as [spelled] writes them
		Fit             map[int]string // by columns
	}) {
		var facts Facts
		switch {
		case c.GSD != nil:
			facts = c.GSD
		case c.Loop != nil:
			facts = c.Loop
			checkText(t, "what it waits for", c.Loop.Waiting(), c.Waits)
		case c.Ultraplan != nil:
			facts = c.Ultraplan
		default:
			facts = c.Fctry
		}
		full, compact := Full(facts), Compact(facts)
		checkText(t, "the full line", full, c.Full)
		checkText(t, "the compact line", compact, c.Compact)
		if scene, why := facts.Scene(); why == "" || c.Scene != nil && scene != *c.Scene {
			t.Errorf("scene %d, %q", scene, why)
		}
		for _, facts := range []Facts{facts, SplitFacts(facts)} {
			checkText(t, "the position", Position(facts, false), c.Position)
			checkText(t, "the compact position", Position(facts, true), c.Short)
			whole := fitted(t, facts, false, 0)
			checkText(t, "the pieces", spelled(whole), c.Roles)
			checkText(t, "the text", string(whole.Bytes()), &full)
			checkText(t, "the compact text", string(fitted(t, facts, true, 0).Bytes()), &compact)
			for cols, want := range c.Fit {
				checkText(t, Decimal(cols)+" columns", string(fitted(t, facts, false, cols).Bytes()), &want)
			}
		}
		checkSplit(t, facts)
	})
}

// checkText checks a text that a row may leave open.
func checkText(t *testing.T, what, got string, want *string) {
	t.Helper()
	if want != nil && got != *want {
		t.Errorf("%s: %q, want %q", what, got, *want)
	}
}

// fitted returns the line of facts in so many columns.
func fitted(t *testing.T, facts Facts, compact bool, cols int) *Text {
	t.Helper()
	var text Text
	Compose(&text, facts, compact)
	text.Fit(cols)
	checkPieces(t, &text)
	return &text
}

// checkSplit checks that facts in segments make the same line at any width, in the same roles.
func checkSplit(t *testing.T, facts Facts) {
	t.Helper()
	segmented := SplitFacts(facts)
	number, reason := facts.Scene()
	if n, why := segmented.Scene(); n != number || why != reason {
		t.Errorf("in segments scene %d %q, want %d %q", n, why, number, reason)
	}
	for _, compact := range []bool{false, true} {
		for cols := range 80 {
			if got, want := spelled(fitted(t, segmented, compact, cols)), spelled(fitted(t, facts, compact, cols)); got != want {
				t.Fatalf("%d columns: in segments %s, want %s", cols, got, want)
			}
		}
	}
}

func TestReceivedSegmentsAreCleaned(t *testing.T) {
	segmented := &Segmented{Full: []Segment{{Text: []Stretch{{Plain, "a\x1b[2Jb\u202e"}}}}}
	if got := Full(segmented); got != "a\uFFFD[2Jb" {
		t.Errorf("%q", got)
	}
}

// TestFctryRows checks the rows of an agent's status line, their colors, and what is left out on narrow lines.
func TestFctryRows(t *testing.T) {
	facts := &Fctry{
		Spec: "2.4", NextStep: "Run it",
		Run:    FctryRun{There: true, Stated: true, Done: 2, Total: 4, Failed: 1, Busy: 1, Running: true, Chunk: "Feed", Place: 3, Attempt: 2},
		Detail: fctryDetail{Version: "1.0", Section: "Core"},
	}
	for _, c := range []struct {
		row, cols int
		want      string
	}{
		{0, 0, "appD{ }1.0D{ · }D{spec }2.4D{ · }W{◐ 75%}"},
		{0, 20, "D{spec }2.4D{ · }W{◐ 75%}"},
		{1, 0, "D{[}A{█████}D{░░░░░]}D{ }50%D{ · }chunk 3/4 FeedW{ r2}D{ · }A{Core}D{ · }D{→ }Run it"},
		{1, 20, "chunk 3/4 FeedW{ r2}"},
		{2, 0, ""},
	} {
		var text Text
		facts.ComposeRow(&text, c.row, &Agent{Project: "app", Used: 75, Metered: true})
		text.Fit(c.cols)
		if got := spelled(&text); got != c.want {
			t.Errorf("row %d, %d columns:\n got %s\nwant %s", c.row, c.cols, got, c.want)
		}
		checkPieces(t, &text)
	}
}

func TestGSDNextPhasesAreOneField(t *testing.T) {
	for _, item := range []string{"a", "bcd", "é", "\u200b", strings.Repeat("x", 300)} {
		g := GSD{NextAction: "go", NextPhases: strings.Split(strings.Repeat(item+",", 400), ",")[:400]}
		joined := strings.TrimPrefix(Full(&g), "next go ")
		whole := strings.Repeat(Clean(item)+"/", 400)
		if len(joined) > FieldLimit || len(joined) < FieldLimit-1 || !strings.HasPrefix(whole, joined) {
			t.Errorf("%q: %d bytes, %q", item, len(joined), joined)
		}
	}
}

func FuzzLoop(f *testing.F) {
	f.Add("sample-loop", "active", "BUILD", "failed", "frame-gate", uint8(1), 2, 10)
	f.Add("\x1b]0;x\x07", "\u202e", "a\nb", "\xff", strings.Repeat("日", 300), uint8(5), 0, 0)
	f.Fuzz(func(t *testing.T, id, status, phase, word, gate string, step uint8, done, total int) {
		done, total = max(0, done%1000), max(0, total%1000)
		l := Loop{
			ID: id, Status: status, Step: LoopStep(step) % (LoopComplete + 1), Phase: phase, PhaseWord: word, Place: min(1, total), Done: min(done, total), Total: total,
			Counted: true, Gate: gate, Older: gate, OlderMore: done, GatesPending: done,
		}
		scene, why := l.Scene()
		for _, text := range []string{Full(&l), Compact(&l)} {
			if scene < 0 || scene > 4 || why == "" || !utf8.ValidString(text) || Width(text) > 5*ShortCols {
				t.Fatalf("scene %d, %q, %q", scene, why, text)
			}
			for _, r := range text {
				if unicode.IsControl(r) || unicode.In(r, unicode.Cf, unicode.Zl, unicode.Zp) {
					t.Fatalf("%q holds U+%04X", text, r)
				}
			}
		}
	})
}

func FuzzAppendJSON(f *testing.F) {
	for _, seed := range []string{"", "v2 · x", "\x1b]52;c;eA==\x07", "a\u202eb\\\"", "\U000e0041\u2028", "\xf0\x9f\x98", "\r\n\t"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, s string) {
		text := string(AppendJSONString(nil, s))
		document, err := json.MarshalIndent(map[string]string{s: s}, "", " ")
		if err != nil {
			t.Fatal(err)
		}
		for _, got := range []string{text, string(AppendJSON(nil, string(document)))} {
			for _, r := range got {
				if r != '\n' && (unicode.IsControl(r) || unicode.In(r, unicode.Cf, unicode.Zl, unicode.Zp, unicode.Variation_Selector, unicode.Other_Default_Ignorable_Code_Point)) {
					t.Fatalf("%q holds U+%04X", got, r)
				}
			}
			if !utf8.ValidString(got) || !json.Valid([]byte(got)) {
				t.Fatalf("%q is no JSON", got)
			}
		}
		var back string
		if err := json.Unmarshal([]byte(text), &back); err != nil || back != strings.ToValidUTF8(s, "\ufffd") && utf8.ValidString(s) {
			t.Fatalf("%q became %q, %v", s, back, err)
		}
		var both map[string]string
		if err := json.Unmarshal(AppendJSON(nil, string(document)), &both); err != nil || utf8.ValidString(s) && both[s] != s {
			t.Fatalf("%q became %q, %v", s, both, err)
		}
	})
}
