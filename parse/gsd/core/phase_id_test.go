package core

import (
	"slices"
	"testing"
)

func TestSplitDir(t *testing.T) {
	for _, c := range []struct{ dir, text, key, name string }{
		{"03-auth", "03", "03", "auth"},
		{"3-auth-api", "3", "03", "auth api"},
		{"003", "003", "03", ""},
		{"04.5-hot-fix", "04.5", "04.5", "hot fix"},
		{"12A-late", "12A", "12A", "late"},
		{"12a-late", "12a", "12A", "late"},
		{"02-01-setup", "02-01", "02-1", "setup"},
		{"PROJ-42-thing", "PROJ-42", "42", "thing"},
		{"CK-03-thing", "CK-03", "03", "thing"},
		{"P-7-thing", "P-7", "07", "thing"},
		{"B7-x", "B7", "B7", "x"},
		{"P0.3-2-x", "P0.3-2", "P0.3-2", "x"},
		{"14-2026-photos", "14", "14", "2026 photos"},
		{"46-6-rs", "46", "46", "6 rs"},
		{"999.1-idea", "999.1", "999.1", "idea"},
	} {
		id, name, ok := ParsePhaseDir(c.dir)
		if !ok || id.Text != c.text || id.Key != c.key || name != c.name {
			t.Errorf("%s: number %q, key %q, name %q, %v; want %q, %q, %q", c.dir, id.Text, id.Key, name, ok, c.text, c.key, c.name)
		}
	}
	for _, dir := range []string{"", "notes", "03auth2", ".git", "3_x", "-3"} {
		if id, _, ok := ParsePhaseDir(dir); ok {
			t.Errorf("%q was taken for phase %q", dir, id.Text)
		}
	}
}

func TestPhaseOrder(t *testing.T) {
	want := []string{"4", "4.5", "4.9", "4.10", "5", "5B", "5B.1", "10", "12A"}
	got := slices.Clone(want)
	slices.Reverse(got)
	slices.SortFunc(got, func(a, b string) int { return mustID(t, a).Compare(mustID(t, b)) })
	if !slices.Equal(got, want) {
		t.Errorf("sorted %q, want %q", got, want)
	}
}

func mustID(t *testing.T, s string) PhaseID {
	t.Helper()
	id, _, ok := ParsePhaseID(s)
	if !ok {
		t.Fatalf("%q is no number", s)
	}
	return id
}

func TestSentinels(t *testing.T) {
	for s, want := range map[string]bool{"0": true, "00.1": true, "999": true, "999.12": true, "1": false, "99": false, "9990": false} {
		if got := mustID(t, s); (got.IsZero() || got.IsBacklog()) != want {
			t.Errorf("%s: sentinel %v, want %v", s, got, want)
		}
	}
}

func TestPairPlans(t *testing.T) {
	phase := mustID(t, "03")
	for _, c := range []struct {
		name          string
		files, nested []string
		want          []PlanFile
	}{
		{"canonical", []string{"03-01-PLAN.md", "03-01-SUMMARY.md", "03-02-PLAN.md"}, nil,
			[]PlanFile{{"03-01-PLAN.md", "03-01", "03-01-SUMMARY.md"}, {"03-02-PLAN.md", "03-02", ""}}},
		{"bare", []string{"PLAN.md", "SUMMARY.md"}, nil, []PlanFile{{"PLAN.md", "PLAN", "SUMMARY.md"}}},
		{"slug, summary by number", []string{"03-01-scaffolding-PLAN.md", "03-01-SUMMARY.md"}, nil,
			[]PlanFile{{"03-01-scaffolding-PLAN.md", "03-01", "03-01-SUMMARY.md"}}},
		{"two share a number and a summary", []string{"03-01-a-PLAN.md", "03-01-b-PLAN.md", "03-01-SUMMARY.md"}, nil,
			[]PlanFile{{"03-01-a-PLAN.md", "03-01", "03-01-SUMMARY.md"}, {"03-01-b-PLAN.md", "03-01", "03-01-SUMMARY.md"}}},
		{"plan in the middle", []string{"03-PLAN-01-base.md", "03-01-SUMMARY.md"}, nil, []PlanFile{{"03-PLAN-01-base.md", "03-01", "03-01-SUMMARY.md"}}},
		{"loose names count", []string{"plan.md", "explanation.md"}, nil, []PlanFile{{"plan.md", "plan", ""}, {"explanation.md", "explanation", ""}}},
		{"a summary of the stem", []string{"plan.md", "plan-SUMMARY.md"}, nil, []PlanFile{{"plan.md", "plan", "plan-SUMMARY.md"}}},
		{"not plans", []string{"03-01-OUTLINE.md", "03-PLAN-outline.md", "03-01-PLAN.pre-bounce.md", "03-01-PLAN-REVIEW.md", "PLAN.txt", "03-CONTEXT.md"}, nil, nil},
		{"a phase's summary closes no plan", []string{"03-01-PLAN.md", "03-SUMMARY.md", "03-FIX-SUMMARY.md"}, nil, []PlanFile{{"03-01-PLAN.md", "03-01", ""}}},
		{"nested", nil, []string{"PLAN-01-a.md", "SUMMARY-01-a.md", "PLAN-02.md", "03-PLAN-03-c.md", "03-01-PLAN.md"},
			[]PlanFile{{"plans/PLAN-01-a.md", "03-01", "plans/SUMMARY-01-a.md"}, {"plans/PLAN-02.md", "03-02", ""}, {"plans/03-PLAN-03-c.md", "03-03", ""}}},
	} {
		if got := PairPlans(phase, c.files, c.nested); !slices.Equal(got, c.want) {
			t.Errorf("%s:\n got %+v\nwant %+v", c.name, got, c.want)
		}
	}
}

func TestPlanKey(t *testing.T) {
	three := mustID(t, "03")
	for _, same := range [][]string{
		{"3-1", "03-01", "01", "1", "03-01-api", "PROJ-3-1"},
		{"04.5-02", "4.5-2"},
		{"02-01-03", "02-01-3"},
	} {
		for _, id := range same[1:] {
			if PlanKey(three, id) != PlanKey(three, same[0]) {
				t.Errorf("%s is %q and %s is %q: want the same plan", id, PlanKey(three, id), same[0], PlanKey(three, same[0]))
			}
		}
	}
	if PlanKey(three, "03-01") == PlanKey(three, "03-10") || PlanKey(three, "13-01") == PlanKey(three, "03-01") {
		t.Error("different plans have one key")
	}
}
