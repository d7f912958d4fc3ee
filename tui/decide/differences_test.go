package decide

import (
	"testing"
	"time"

	"gatehouse/model"
	"gatehouse/tui/tuitest"
)

func TestDifferences(t *testing.T) {
	file := func(size int64) []model.Artifact {
		return []model.Artifact{{Name: "GOALS.md", File: "GOALS.md", Exists: size > 0, Size: size, Changed: tuitest.Noon}}
	}
	again := file(3)
	again[0].Changed = tuitest.Noon.Add(time.Second)
	edit := func(old, new string) []model.Edit { return []model.Edit{{Label: "status", Old: old, New: new}} }
	for _, x := range []struct {
		before, now model.Proposal
		want        difference
	}{
		{model.Proposal{Name: "a"}, model.Proposal{Name: "b"}, difference{"name", "a", "b"}},
		{model.Proposal{File: "a"}, model.Proposal{File: "b"}, difference{"file", "a", "b"}},
		{model.Proposal{Effect: "a"}, model.Proposal{Effect: "b"}, difference{"effect", "a", "b"}},
		{model.Proposal{Terms: "human, required"}, model.Proposal{Terms: "auto, required"}, difference{"terms", "human, required", "auto, required"}},
		{model.Proposal{Asks: "a"}, model.Proposal{Asks: "b"}, difference{"asks", "a", "b"}},
		{model.Proposal{Edits: edit("a", "c")}, model.Proposal{Edits: edit("b", "c")}, difference{"status", "a", "b"}},
		{model.Proposal{Edits: edit("a", "c")}, model.Proposal{}, difference{"status", "a", "not written any more"}},
		{model.Proposal{}, model.Proposal{Edits: edit("a", "c")}, difference{"status", "not written", "c"}},
		{model.Proposal{Missing: []string{"a"}}, model.Proposal{}, difference{"missing", "a", ""}},
		{model.Proposal{Evidence: file(3)}, model.Proposal{}, difference{"GOALS.md", "3 B", "gone"}},
		{model.Proposal{}, model.Proposal{Evidence: file(3)}, difference{"GOALS.md", "", "3 B"}},
		{model.Proposal{Evidence: file(3)}, model.Proposal{Evidence: file(0)}, difference{"GOALS.md", "3 B", "missing"}},
		{model.Proposal{Evidence: file(3)}, model.Proposal{Evidence: file(4)}, difference{"GOALS.md", "3 B", "4 B"}},
		{model.Proposal{Evidence: file(3421)}, model.Proposal{Evidence: file(3422)}, difference{"GOALS.md", "3421 B", "3422 B"}},
		{model.Proposal{Evidence: file(3)}, model.Proposal{Evidence: again}, difference{"GOALS.md", "3 B", "3 B, written again"}},
		{model.Proposal{Warnings: []string{"a"}}, model.Proposal{Warnings: []string{"a", "b"}}, difference{"warnings", "a", "a, b"}},
		{model.Proposal{Checks: []string{"a"}}, model.Proposal{Checks: []string{"b"}}, difference{"checks", "a", "b"}},
		{model.Proposal{Releases: []string{"a"}}, model.Proposal{}, difference{"releases", "a", ""}},
		{model.Proposal{Since: tuitest.Noon}, model.Proposal{}, difference{"waits since", "2026-03-14 12:00:00", "not known"}},
	} {
		if got := differences(&x.before, &x.now); len(got) != 1 || got[0] != x.want {
			t.Errorf("%+v, want %+v", got, x.want)
		}
		if got := differences(&x.now, &x.now); len(got) > 0 {
			t.Errorf("%+v between a proposal and itself", got)
		}
	}
}
