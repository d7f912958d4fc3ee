package model

import (
	"encoding/json"
	"testing"
	"time"
)

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
