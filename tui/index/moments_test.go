package index

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"gatehouse/model"
	"gatehouse/tui/tuitest"
)

func TestNewestMoments(t *testing.T) {
	lists := func(all ...string) (lists [][]Moment) {
		for k, times := range all {
			var list []Moment
			for _, at := range times {
				list = append(list, Moment{At: int64(at), Activity: &model.Activity{Kind: fmt.Sprint(k)}})
			}
			lists = append(lists, list)
		}
		return lists
	}
	for _, c := range []struct {
		lists [][]Moment
		limit int
		want  string
	}{
		{lists(), 9, ""},
		{lists("", "ab", ""), 9, "a1 b1 "},
		{lists("ac", "", "bd"), 9, "a0 b2 c0 d2 "},
		{lists("ab", "abb", "b"), 9, "a0 a1 b0 b1 b1 b2 "},
		{lists("ab", "abb", "b"), 4, "b0 b1 b1 b2 "},
		{lists("abc"), 2, "b0 c0 "},
	} {
		got := ""
		for _, m := range newestMoments(c.lists, c.limit) {
			got += string(rune(m.At)) + m.Activity.Kind + " "
		}
		if got != c.want {
			t.Errorf("%s, want %s", got, c.want)
		}
	}
}

func TestMomentsAreOneList(t *testing.T) {
	snap := tuitest.Shops()
	told := func(minute int, text string) model.Activity {
		a := model.Activity{Family: model.FamilyTools, Text: text}
		if minute > 0 {
			a.At = tuitest.Noon.Add(time.Duration(minute) * time.Minute)
		}
		return a
	}
	snap.Projects[0].Builds[0].Activity = []model.Activity{told(1, "a"), told(0, "after a"), told(4, "d")}
	snap.Projects[2].Builds[0].Activity = []model.Activity{told(2, "b"), told(3, "c")}
	ix := New(snap, nil)
	var got []string
	for i := range ix.Moments {
		if m := &ix.Moments[i]; m.Activity != nil {
			got = append(got, m.Text())
		}
	}
	if want := []string{"a", "after a", "b", "c", "d"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	if !slices.IsSortedFunc(ix.Moments, func(a, b Moment) int { return int(a.At - b.At) }) {
		t.Error("not the oldest first")
	}
}
