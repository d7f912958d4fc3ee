package ultraplan

import (
	"strings"
	"testing"

	"gatehouse/parse/ultraplan/fixture"
)

// What comes next waits for no plan, by its wave or by depends_on; where each waits for another nothing else is claimed, and the
// check names the circle.
func TestWhichPlanComesNext(t *testing.T) {
	for _, c := range []struct {
		name, first, second, third string // the frontmatter of 01-01, 01-02 and 01-03
		next, why, broken          string
	}{
		{"waves", "wave: 3", "wave: 2", "wave: 1", "01-03", "waits for no other", ""},
		{"a circle", "depends_on: [01-02]", "depends_on: [01-01]", "depends_on: [01-02]", "01-01", "each of them waits for another", "01-01: plan 01-01 waits for itself through 01-02|01-02: plan 01-02 waits for itself through 01-01"},
		{"a longer one", "depends_on: [3]", "depends_on: [1]", "depends_on: [2]", "01-01", "each of them waits", "01-01: plan 01-01 waits for itself|01-02: plan 01-02 waits for itself|01-03: plan 01-03 waits for itself"},
		{"itself", "depends_on: [01-01]", "wave: 1", "wave: 1", "01-02", "waits for no other", "01-01: plan 01-01 waits for itself"},
		{"a later wave", "wave: 2", "depends_on: [01-01]\nwave: 1", "wave: 2", "01-01", "each of them waits", "01-01: plan 01-01 waits for itself through 01-02|01-02: plan 01-02 waits for itself through 01-01"},
	} {
		files := map[string]string{".planning/STATE.md": "# Project State\n"}
		for i, front := range []string{c.first, c.second, c.third} {
			files[".planning/phases/01-quay/01-0"+string(rune('1'+i))+"-PLAN.md"] = "---\n" + front + "\n---\n"
		}
		r := readerOf(t, fixture.Project(t, files))
		if n := r.Read(fixture.Now).Next; n == nil || n.Command != c.next || !strings.Contains(n.Why, c.why) {
			t.Errorf("%s: %+v", c.name, n)
		}
		if plan := r.Resume(fixture.Now); plan.Phase != c.next || !strings.Contains(plan.Why, c.why) {
			t.Errorf("%s: %+v", c.name, plan)
		}
		var broken []string
		for _, p := range r.Check(fixture.Now) {
			if p.Rule == "ultraplan-cycle" {
				broken = append(broken, strings.TrimSuffix(strings.TrimPrefix(p.File, ".planning/phases/01-quay/"), "-PLAN.md")+": "+p.Text)
			}
		}
		want := strings.Split(c.broken, "|")
		if c.broken == "" {
			want = nil
		}
		if len(broken) != len(want) {
			t.Errorf("%s: %q", c.name, broken)
			continue
		}
		for i := range want {
			if !strings.HasPrefix(broken[i], want[i]) {
				t.Errorf("%s: %q, want %q", c.name, broken[i], want[i])
			}
		}
	}
}
