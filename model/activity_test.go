package model

import (
	"fmt"
	"runtime"
	"strings"
	"testing"
	"time"
)

func at(second int) time.Time { return time.Unix(int64(second), 0) }

func kindsOf(all []Activity) (s string) {
	for _, a := range all {
		s += a.Kind + " "
	}
	return s
}

func TestTimeline(t *testing.T) {
	type list = []Activity
	for _, c := range []struct {
		name        string
		known, told list
		want        string
	}{
		{"nothing", nil, nil, ""},
		{"written twice", nil, list{{Kind: "a", At: at(1)}, {Kind: "a", At: at(1)}, {Kind: "b", At: at(1)}}, "a b "},
		{"two chunks in one second", nil, list{{Kind: "a", At: at(1), Chunk: "1"}, {Kind: "a", At: at(1), Chunk: "2"}}, "a a "},
		{"out of order", nil, list{{Kind: "b", At: at(2)}, {Kind: "a", At: at(1)}}, "a b "},
		{"the file's cap", list{{Kind: "a", At: at(1)}, {Kind: "b", At: at(2)}}, list{{Kind: "b", At: at(2)}, {Kind: "c", At: at(3)}}, "a b c "},
		{"emptied", list{{Kind: "a", At: at(1)}}, nil, "a "},
		{"without a time", nil, list{{Kind: "b", At: at(2)}, {Kind: "x"}, {Kind: "a", At: at(1)}, {Kind: "y"}}, "a y b x "},
		{"details differ", nil, list{{Kind: "a", Details: []Fact{{"k", "1"}}}, {Kind: "a", Details: []Fact{{"k", "2"}}}}, "a a "},
		{"what one says in two parts another says in one", nil, list{{Kind: "a", Chunk: "bc"}, {Kind: "ab", Chunk: "c"}}, "a ab "},
	} {
		var line Timeline
		line.Add(c.known)
		before := line.All()
		line.Add(c.told)
		if got := kindsOf(line.All()); got != c.want || kindsOf(before) != kindsOf(c.known) {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
		if got := kindsOf(MergeActivities(append(c.known, c.told...))); got != c.want {
			t.Errorf("%s, told at once: %s, want %s", c.name, got, c.want)
		}
	}
}

// TestTimelineIsBounded checks that the newest activities are kept, and that dropped ones that arrive again are not there twice.
func TestTimelineIsBounded(t *testing.T) {
	var line Timeline
	const each = 1 << 10
	n := 3 * timelineBytes / each
	one := func(i int) Activity {
		return Activity{Kind: "k", At: at(i), Text: fmt.Sprint(i, strings.Repeat(" ", each))}
	}
	for i := range n {
		line.Add([]Activity{one(i), one(i / 2)})
	}
	all := line.All()
	if line.size > timelineBytes || len(all) < timelineBytes/each/2 || len(line.known) != len(all) || !all[len(all)-1].At.Equal(at(n-1)) {
		t.Errorf("%d bytes of %d activities with %d hashes are kept, up to %v", line.size, len(all), len(line.known), all[len(all)-1].At)
	}
	for i := range all {
		if !all[i].At.Equal(at(n - len(all) + i)) {
			t.Fatalf("number %d is of %v", i, all[i].At)
		}
	}
	line.Add([]Activity{{Text: strings.Repeat("x", 2*timelineBytes), At: at(n)}})
	if len(line.All()) != 1 {
		t.Error("one that is larger than all is not kept alone")
	}
}

// TestTimelinePinsNothing cuts one activity from each of many large texts: the timeline must not keep these texts in memory.
func TestTimelinePinsNothing(t *testing.T) {
	const large, files = 1 << 20, 64
	var line Timeline
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	for i := range files {
		text := fmt.Sprintf("%06d", i) + strings.Repeat("x", large)
		cut := func(n int) string { return text[:n] }
		line.Add([]Activity{{At: at(i), Family: Family(cut(1)), Kind: cut(2), Chunk: cut(3), Node: cut(4), Text: cut(6),
			Details: []Fact{{cut(1), cut(2)}}, Source: Pos{File: cut(5)}}})
	}
	runtime.GC()
	runtime.ReadMemStats(&after)
	if grown := int64(after.HeapAlloc) - int64(before.HeapAlloc); grown > large {
		t.Errorf("%d activities keep %d KiB", len(line.All()), grown>>10)
	}
	runtime.KeepAlive(&line)
}
