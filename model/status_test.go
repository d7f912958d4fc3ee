package model

import (
	"encoding/json"
	"testing"
	"time"
)

func TestStatusWordsRoundTrip(t *testing.T) {
	all := Statuses()
	if len(all) != 10 || all[0] != Unknown || all[9] != Executed {
		t.Fatalf("the statuses are %v", all)
	}
	seen := map[string]bool{}
	for _, s := range all {
		text, err := s.MarshalText()
		if err != nil || string(text) != s.String() || seen[s.String()] {
			t.Errorf("%d is %q, %v, said twice: %v", s, text, err, seen[s.String()])
		}
		seen[s.String()] = true
		if back, ok := ParseStatus(s.String()); !ok || back != s {
			t.Errorf("%v comes back as %v, %v", s, back, ok)
		}
	}
	for _, word := range []string{"", "Done", "complete", "active "} {
		if s, ok := ParseStatus(word); ok || s != Unknown {
			t.Errorf("%q is read as %v, %v", word, s, ok)
		}
	}
}

func TestStatusBeyondTheLastIsUnknown(t *testing.T) {
	if s := Status(200); s.String() != "unknown" || s.Closed() {
		t.Errorf("%v, closed %v", s, s.Closed())
	}
}

func TestZeroStatusIsUnknownInJSON(t *testing.T) {
	text, err := json.Marshal(map[string]any{"s": Node{}.Status, "e": Evidence(0), "t": Tested})
	if err != nil || string(text) != `{"e":"","s":"unknown","t":"test"}` {
		t.Errorf("%s, %v", text, err)
	}
}

func TestRollUpOfOneIsItselfAndOrderDoesNotMatter(t *testing.T) {
	for _, a := range Statuses() {
		if got := RollUp([]Status{a}); got != a {
			t.Errorf("%v alone is %v", a, got)
		}
		for _, b := range Statuses() {
			if x, y := RollUp([]Status{a, b}), RollUp([]Status{b, a}); x != y {
				t.Errorf("%v and %v are %v, or %v", a, b, x, y)
			}
			if RollUp([]Status{a, b}).Closed() && !(a.Closed() && b.Closed()) {
				t.Errorf("%v and %v are closed", a, b)
			}
		}
	}
}

var moved = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

// TestStandingOfNodeInJSON: a standing is printed as the flags that --json promises, and read back.
func TestStandingOfNodeInJSON(t *testing.T) {
	archived := Standing{Status: Expired}
	archived.Archive()
	for _, c := range []struct {
		is   Standing
		want string
	}{
		{Standing{}, ``},
		{Standing{Status: Answered}, `,"answered":true`},
		{Standing{Status: Archived}, `,"archived":true`},
		{Standing{Status: Expired}, `,"past":true`},
		{archived, `,"archived":true,"past":true`},
		{Standing{Status: Stale, Since: moved}, `,"stale_since":"2026-03-01T12:00:00Z"`},
	} {
		n := &Node{ID: "a", Title: "x < y", Standing: c.is, Children: []*Node{{ID: "b", Standing: c.is}}}
		want := `{"id":"a","kind":"","title":"x \u003c y","status":"unknown"` + c.want + `,"children":[{"id":"b","kind":"","title":"","status":"unknown"` + c.want + `}]}`
		got, err := json.Marshal(n)
		if string(got) != want || err != nil {
			t.Errorf("%+v: %s, %v", c.is, got, err)
		}
		var back Node
		if err := json.Unmarshal(got, &back); err != nil || back.Standing != c.is || back.Children[0].Standing != c.is || back.nodeFlags != nil {
			t.Errorf("%s: %+v, %v", got, back, err)
		}
	}
}

// TestStandingOfWaitInJSON is the same for waits.
func TestStandingOfWaitInJSON(t *testing.T) {
	for _, c := range []struct {
		is   Standing
		want string
	}{
		{Standing{}, ``},
		{Standing{Status: Old}, `,"old":true`},
		{Standing{Status: WithAgent}, `,"with_agent":true`},
		{Standing{Status: Upcoming}, `,"potential":true`},
		{Standing{Status: Expired, Reason: "it is of v1.0, which is shipped"}, `,"over":"it is of v1.0, which is shipped"`},
	} {
		want := `{"node":"a","text":"well?","place":"","evidence":"gate"` + c.want + `,"source":{}}`
		got, err := json.Marshal(Wait{Node: "a", Text: "well?", Evidence: Reached, Standing: c.is})
		if string(got) != want || err != nil {
			t.Errorf("%+v: %s, %v", c.is, got, err)
		}
		var back Wait
		if err := json.Unmarshal(got, &back); err != nil || back.Standing != c.is || back.waitFlags != nil {
			t.Errorf("%s: %+v, %v", got, back, err)
		}
	}
}
