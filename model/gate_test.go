package model

import (
	"slices"
	"testing"
	"time"
)

var noon = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

func names(ws []Wait) []string {
	var of []string
	for _, w := range ws {
		of = append(of, w.Text)
	}
	return of
}

func TestSortWaits(t *testing.T) {
	old, older := noon.Add(-time.Hour), noon.Add(-48*time.Hour)
	waits := []Wait{
		{Text: "potential, best evidence", Evidence: Signalled, Since: older, Standing: Standing{Status: Upcoming}},
		{Text: "test, no age, first", Evidence: Tested},
		{Text: "test, no age, second", Evidence: Tested},
		{Text: "test, old", Evidence: Tested, Since: old},
		{Text: "test, older, first", Evidence: Tested, Since: older},
		{Text: "test, older, second, elsewhere", Evidence: Tested, Since: older.In(time.FixedZone("", 3600))},
		{Text: "outstanding, older", Evidence: Outstanding, Since: older},
		{Text: "signal, new", Evidence: Signalled, Since: noon},
		{Text: "ask, old", Evidence: Asked, Since: old},
		{Text: "ask, hours left", Evidence: Asked, Since: noon, Deadline: noon.Add(9 * time.Hour)},
		{Text: "ask, minutes left", Evidence: Asked, Since: noon, Deadline: noon.Add(time.Minute)},
		{Text: "potential checkpoint", Evidence: Checkpoint, Standing: Standing{Status: Upcoming}},
	}
	SortWaits(waits)
	want := []string{
		"ask, minutes left", "ask, hours left", "ask, old",
		"signal, new",
		"test, older, first", "test, older, second, elsewhere", "test, old", "test, no age, first", "test, no age, second",
		"outstanding, older",
		"potential, best evidence", "potential checkpoint",
	}
	if got := names(waits); !slices.Equal(got, want) {
		t.Errorf("sorted\n%q\nwant\n%q", got, want)
	}
	b := &Build{Waits: waits}
	if got := names(b.Certain()); !slices.Equal(got, want[:10]) {
		t.Errorf("certain are %q", got)
	}
}

// TestOnlyOpenWaitsGrowOld: waits that are upcoming or with the agent do not grow old.
func TestOnlyOpenWaitsGrowOld(t *testing.T) {
	b := &Build{Waits: []Wait{{Text: "later", Since: noon, Standing: Standing{Status: Upcoming}}, {Text: "with the agent", Since: noon, Standing: Standing{Status: WithAgent}}, {Text: "asked", Since: noon}}}
	b.MarkOld(noon.Add(OldAfter))
	for _, w := range b.Waits {
		if w.IsOld() != (w.Text == "asked") {
			t.Errorf("%s: old %v", w.Text, w.IsOld())
		}
	}
}

func TestBlockingLeavesConcernsOut(t *testing.T) {
	b := &Build{Blockers: []Blocker{{Text: "a", Concern: true}, {Text: "b"}, {Text: "c", Concern: true}}}
	if got := b.Blocking(); len(got) != 1 || got[0].Text != "b" {
		t.Errorf("%+v", got)
	}
	if got := (&Build{}).Blocking(); got != nil {
		t.Errorf("%+v of none", got)
	}
}

func TestEvidenceWords(t *testing.T) {
	want := []string{"signal", "test", "verification", "hand-over", "checkpoint", "outstanding"}
	for i, e := range []Evidence{Signalled, Tested, Verified, HandedOff, Checkpoint, Outstanding} {
		if e.String() != want[i] {
			t.Errorf("evidence %d is %q, want %q", e, e, want[i])
		}
	}
	if Evidence(0).String() != "" || Evidence(99).String() != "" {
		t.Error("there is a word for no evidence")
	}
}
