package model

import (
	"encoding/json"
	"testing"
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
