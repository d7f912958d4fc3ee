package model

import (
	"testing"
	"time"
)

func TestDifferences(t *testing.T) {
	noon := time.Date(2026, 3, 14, 12, 0, 0, 0, time.UTC)
	file := func(size int64) []Artifact {
		return []Artifact{{Name: "GOALS.md", File: "GOALS.md", Exists: size > 0, Size: size, Changed: noon}}
	}
	again := file(3)
	again[0].Changed = noon.Add(time.Second)
	edit := func(old, new string) []Edit { return []Edit{{Label: "status", Old: old, New: new}} }
	for _, x := range []struct {
		before, now Proposal
		want        Difference
	}{
		{Proposal{Name: "a"}, Proposal{Name: "b"}, Difference{"name", "a", "b"}},
		{Proposal{File: "a"}, Proposal{File: "b"}, Difference{"file", "a", "b"}},
		{Proposal{Effect: "a"}, Proposal{Effect: "b"}, Difference{"effect", "a", "b"}},
		{Proposal{Terms: "human, required"}, Proposal{Terms: "auto, required"}, Difference{"terms", "human, required", "auto, required"}},
		{Proposal{Asks: "a"}, Proposal{Asks: "b"}, Difference{"asks", "a", "b"}},
		{Proposal{Edits: edit("a", "c")}, Proposal{Edits: edit("b", "c")}, Difference{"status", "instead of a", "instead of b"}},
		{Proposal{Edits: edit("a", "c")}, Proposal{}, Difference{"status", "instead of a", ""}},
		{Proposal{}, Proposal{Edits: edit("a", "c")}, Difference{"status", "", "instead of a"}},
		{Proposal{Missing: []string{"a"}}, Proposal{}, Difference{"missing", "a", ""}},
		{Proposal{Evidence: file(3)}, Proposal{}, Difference{"GOALS.md", "3 B of 12:00:00", ""}},
		{Proposal{}, Proposal{Evidence: file(3)}, Difference{"GOALS.md", "", "3 B of 12:00:00"}},
		{Proposal{Evidence: file(3)}, Proposal{Evidence: file(0)}, Difference{"GOALS.md", "3 B of 12:00:00", "missing"}},
		{Proposal{Evidence: file(3)}, Proposal{Evidence: file(4)}, Difference{"GOALS.md", "3 B of 12:00:00", "4 B of 12:00:00"}},
		{Proposal{Evidence: file(3)}, Proposal{Evidence: again}, Difference{"GOALS.md", "3 B of 12:00:00", "3 B of 12:00:01"}},
		{Proposal{Warnings: []string{"a"}}, Proposal{Warnings: []string{"a", "b"}}, Difference{"warnings", "a", "a, b"}},
		{Proposal{Checks: []string{"a"}}, Proposal{Checks: []string{"b"}}, Difference{"checks", "a", "b"}},
		{Proposal{Releases: []string{"a"}}, Proposal{}, Difference{"releases", "a", ""}},
		{Proposal{Since: noon}, Proposal{}, Difference{"waits since", "2026-03-14 12:00:00", "not known"}},
	} {
		if got := Differences(&x.before, &x.now); len(got) != 1 || got[0] != x.want {
			t.Errorf("%+v, want %+v", got, x.want)
		}
		if got := Differences(&x.now, &x.now); len(got) > 0 {
			t.Errorf("%+v between a proposal and itself", got)
		}
	}
}
