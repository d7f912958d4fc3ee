package line

import (
	"testing"

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
