package index

import (
	"slices"
	"testing"
	"time"

	"gatehouse/model"
	"gatehouse/tui/tuitest"
)

func TestMomentsAreOneList(t *testing.T) {
	snap := tuitest.Shops()
	activity := func(minute int, text string) model.Activity {
		a := model.Activity{Family: model.FamilyTools, Text: text}
		if minute > 0 {
			a.At = tuitest.Noon.Add(time.Duration(minute) * time.Minute)
		}
		return a
	}
	snap.Projects[0].Builds[0].Activity = []model.Activity{activity(1, "a"), activity(0, "after a"), activity(4, "d")}
	snap.Projects[2].Builds[0].Activity = []model.Activity{activity(2, "b"), activity(3, "c")}
	ix := New(snap, nil)
	var got []string
	for i := range ix.Moments {
		if m := &ix.Moments[i]; m.Activity != nil {
			got = append(got, m.Text)
		}
	}
	if want := []string{"a", "after a", "b", "c", "d"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	if !slices.IsSortedFunc(ix.Moments, func(a, b Moment) int { return int(a.At - b.At) }) {
		t.Error("not the oldest first")
	}
}
