package model

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

func at(second int) time.Time { return time.Unix(int64(second), 0) }

func TestTimeline(t *testing.T) {
	for _, c := range []struct {
		name string
		told []Activity
		want string
	}{
		{"nothing", nil, ""},
		{"written twice", []Activity{{Kind: "a", At: at(1)}, {Kind: "a", At: at(1)}, {Kind: "b", At: at(1)}}, "a b "},
		{"two chunks in one second", []Activity{{Kind: "a", At: at(1), Chunk: "1"}, {Kind: "a", At: at(1), Chunk: "2"}}, "a a "},
		{"out of order", []Activity{{Kind: "b", At: at(2)}, {Kind: "a", At: at(1)}}, "a b "},
		{"without a time", []Activity{{Kind: "b", At: at(2)}, {Kind: "x"}, {Kind: "a", At: at(1)}, {Kind: "y"}}, "a y b x "},
		{"details differ", []Activity{{Kind: "a", Details: []Fact{{"k", "1"}}}, {Kind: "a", Details: []Fact{{"k", "2"}}}}, "a a "},
		{"what one says in two parts another says in one", []Activity{{Kind: "a", Chunk: "bc"}, {Kind: "ab", Chunk: "c"}}, "a ab "},
	} {
		got := ""
		for _, a := range MergeActivities(c.told) {
			got += a.Kind + " "
		}
		if got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
}

// TestTimelineIsBounded checks that the newest activities are kept.
func TestTimelineIsBounded(t *testing.T) {
	const each = 1 << 10
	n := 3 * timelineBytes / each
	var told []Activity
	for i := range n {
		told = append(told, Activity{Kind: "k", At: at(i), Text: fmt.Sprint(i, strings.Repeat(" ", each))})
	}
	all := MergeActivities(told)
	if len(all) < timelineBytes/each/2 || len(all) > timelineBytes/each || !all[len(all)-1].At.Equal(at(n-1)) {
		t.Errorf("%d activities are kept, up to %v", len(all), all[len(all)-1].At)
	}
	told = append(told, Activity{Text: strings.Repeat("x", 2*timelineBytes), At: at(n)})
	if len(MergeActivities(told)) != 1 {
		t.Error("one that is larger than all is not kept alone")
	}
}
