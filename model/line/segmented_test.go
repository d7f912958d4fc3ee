package line_test

import (
	"testing"

	"gatehouse/model/line"
)

// segmentedFacts are lines with bars, waits and blocks.
var segmentedFacts = map[string]line.Facts{
	"gsd":  &line.GSD{Milestone: "v2.0", MilestoneName: "Name", Percent: "59", ActivePhase: "4.5", Status: "executing"},
	"loop": &line.Loop{ID: "sample-loop", Step: line.LoopAtGate, Gate: "frame-gate", Done: 2, Total: 10, Counted: true, Older: "other-gate", OlderMore: 2},
	"none": &line.GSD{},
}

func TestSegmentsMakeTheSameLine(t *testing.T) {
	for name, facts := range segmentedFacts {
		t.Run(name, func(t *testing.T) {
			segmented := line.SplitFacts(facts)
			if got, want := string(segmented.AppendFull(nil)), string(facts.AppendFull(nil)); got != want {
				t.Errorf("full %q, want %q", got, want)
			}
			if got, want := string(segmented.AppendCompact(nil)), string(facts.AppendCompact(nil)); got != want {
				t.Errorf("compact %q, want %q", got, want)
			}
			gotN, gotWhy := segmented.Scene()
			if n, why := facts.Scene(); gotN != n || gotWhy != why {
				t.Errorf("scene %d %q, want %d %q", gotN, gotWhy, n, why)
			}
			for _, compact := range []bool{false, true} {
				for cols := 1; cols < 80; cols++ { // ranks and roles are the same, too
					var a, b line.Text
					line.Compose(&a, segmented, compact)
					line.Compose(&b, facts, compact)
					a.Fit(cols)
					b.Fit(cols)
					if string(a.Bytes()) != string(b.Bytes()) || a.Len() != b.Len() {
						t.Fatalf("at %d columns %q in %d pieces, want %q in %d", cols, a.Bytes(), a.Len(), b.Bytes(), b.Len())
					}
					for i := range a.Len() {
						_, role := a.Piece(i)
						if _, want := b.Piece(i); role != want {
							t.Fatalf("at %d columns piece %d has role %d, want %d", cols, i, role, want)
						}
					}
				}
			}
		})
	}
}

func TestReceivedSegmentsAreCleaned(t *testing.T) {
	segmented := &line.Segmented{Full: []line.Segment{{Text: []line.Stretch{{line.Plain, "a\x1b[2Jb\u202e"}}}}}
	if got := string(segmented.AppendFull(nil)); got != "a\uFFFD[2Jb" {
		t.Errorf("%q", got)
	}
}
