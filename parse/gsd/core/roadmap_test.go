package core

import (
	"strings"
	"testing"
)

const roadmapText = "# Roadmap: Harbour\n" + `
## Milestones

- ✅ **v1.0 Pier** — Phases 1-2 (shipped 2026-01-10)
- 🚧 **v1.1 Cranes & Locks** — Phases 3-5 (in progress)
- 📋 **v2.0** — Phases 6+ (planned)

## Phases

<details>
<summary>✅ v1.0 Pier (Phases 1-2) — SHIPPED 2026-01-10</summary>

- [x] Phase 1: Piles (2/2 plans) — completed 2026-01-03
- [x] Phase 2: Planks (1/1 plan) — completed 2026-01-10

</details>

### 🚧 v1.1 Cranes & Locks

- [x] **Phase 3: Crane arms** - lift things
- [X] **Phase 3.1: Crane brakes (INSERTED)** - hold them
- [ ] ~~**Phase 4: Paint**~~ - not any more
- [ ] **Phase 5: Lock gates** — keep water out
- [ ] **Phase 999.1: A tram** - some day

` + "```\n### Phase 77: in a fence\n```\n" + `
## Phase Details

### Phase 3: Crane arms
**Goal**: Things are lifted
**Depends on:** Phase 2

Plans:
- [x] 03-01: The boom
- [ ] 03-02-PLAN.md — The hook

### Phase 5: Lock gates
**Goal:** Water stays out

## Progress

| Phase | Milestone | Plans Complete | Status | Completed |
|-------|-----------|----------------|--------|-----------|
| 3. Crane arms | v1.1 | 1/2 | In progress | - |
| 5. Lock gates | v1.1 | 0/? | Not started | - |
| 6. Ferry | v2.0 | 0/? | Deferred | - |

Phase 5 was hard, says nobody.
`

func TestParseRoadmap(t *testing.T) {
	r, err := ParseRoadmap(roadmapText)
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Milestones) != 3 {
		t.Fatalf("%d milestones, want 3: %+v", len(r.Milestones), r.Milestones)
	}
	for i, want := range []struct {
		version, name string
		state         MilestoneState
	}{{"v1.0", "Pier", Shipped}, {"v1.1", "Cranes & Locks", InProgress}, {"v2.0", "", Planned}} {
		if m := r.Milestones[i]; m.Version != want.version || m.Name != want.name || m.State != want.state {
			t.Errorf("milestone %d is %q %q %d, want %+v", i, m.Version, m.Name, m.State, want)
		}
	}
	for _, want := range []struct {
		key, name, milestone     string
		checked, retired, folded bool
	}{
		{"01", "Piles", "v1.0", true, false, true},
		{"02", "Planks", "v1.0", true, false, true},
		{"03", "Crane arms", "v1.1", true, false, false},
		{"03.1", "Crane brakes", "v1.1", true, false, false},
		{"04", "Paint", "v1.1", false, true, false},
		{"05", "Lock gates", "v1.1", false, false, false},
		{"06", "Ferry", "v2.0", false, false, false},
	} {
		p := r.ByKey[want.key]
		if p == nil {
			t.Errorf("phase %s is missing", want.key)
			continue
		}
		if p.Name != want.name || p.IsChecked != want.checked || p.IsRetired != want.retired || p.IsFolded != want.folded || r.ownerOf(p.ID, "") != want.milestone {
			t.Errorf("phase %s is %+v of %q, want %+v", want.key, p, r.ownerOf(p.ID, ""), want)
		}
	}
	if len(r.Phases) != 7 {
		t.Errorf("%d phases, want 7", len(r.Phases))
	}
	if len(r.Backlog) != 1 || r.Backlog[0].Name != "A tram" {
		t.Errorf("backlog %+v, want the tram", r.Backlog)
	}
	three := r.ByKey["03"]
	if three.Goal != "Things are lifted" || three.DependsOn != "Phase 2" || three.Status != "In progress" {
		t.Errorf("phase 3: goal %q, depends %q, status %q", three.Goal, three.DependsOn, three.Status)
	}
	if len(three.Plans) != 2 || three.Plans[0] != (RoadPlan{"03-01", "The boom", true, lineOf(roadmapText, "- [x] 03-01")}) || three.Plans[1].ID != "03-02" || three.Plans[1].Name != "The hook" {
		t.Errorf("plans of phase 3: %+v", three.Plans)
	}
	if r.ByKey["77"] != nil {
		t.Error("a heading in fenced code became a phase")
	}
}

// lineOf returns the number of the first line with a text in it.
func lineOf(text, part string) int {
	before, _, _ := strings.Cut(text, part)
	return 1 + strings.Count(before, "\n")
}

func TestOwnerTakesInsertedPhasesByRange(t *testing.T) {
	r, _ := ParseRoadmap("- 🚧 **v1.0 A** - Phases 1-3\n- 📋 **v1.1 B** - Phases 4-6\n")
	for number, want := range map[string]string{"1": "v1.0", "3": "v1.0", "3.7": "v1.0", "4": "v1.1", "6.2": "v1.1", "7": ""} {
		if got := r.ownerOf(mustID(t, number), ""); got != want {
			t.Errorf("phase %s belongs to %q, want %q", number, got, want)
		}
	}
}

func TestPhaseTitle(t *testing.T) {
	for text, want := range map[string]string{
		"Phase 4.5: Name":                                          "4.5|Name",
		"**Phase 4: Name** - more":                                 "4|Name",
		"**Phase 4: Name (INSERTED)** - more":                      "4|Name",
		"Phase 4 (INSERTED): Name":                                 "4|Name",
		"[infra] Phase 4: Name":                                    "4|Name",
		"Phase 8.1–8.9: Gaps (16/16 plans) — completed 2026-03-01": "8.1–8.9|Gaps",
		"Phase 4 — Name":                                           "4|Name",
		"Phase 4":                                                  "4|",
		"Phase 4 was hard":                                         "",
		"Phase Details":                                            "",
		"Phases 1-3":                                               "",
	} {
		got := ""
		if phase := parsePhaseTitle(text); phase != nil {
			got = phase.ID.Text + "|" + phase.Name
		}
		if got != want {
			t.Errorf("%q is %q, want %q", text, got, want)
		}
	}
}

func TestVersionIn(t *testing.T) {
	for text, want := range map[string]string{
		"✅ v1.0 MVP (Phases 1-6)": "v1.0|MVP", "v2.0": "v2.0|", "v1.1.1 Bug fixes": "v1.1.1|Bug fixes", "see v1.0-ROADMAP.md": "v1.0|",
		"overv1.0": "|", "v1": "|", "no version": "|",
	} {
		v, n := parseVersion(text)
		if v+"|"+n != want {
			t.Errorf("%q is %q %q, want %q", text, v, n, want)
		}
	}
}

// TestMovedPhase: a phase that is struck through in one milestone and planned in another belongs to the other, in either order.
func TestMovedPhase(t *testing.T) {
	const struck, planned = "## v1.0 A\n- [ ] ~~**Phase 3: Mail**~~ (moved to v1.1)\n\n", "## v1.1 B\n- [ ] **Phase 3: Mail**\n\n### Phase 3: Mail\n\n"
	for _, text := range []string{struck + planned, planned + struck} {
		r, _ := ParseRoadmap(text)
		if len(r.Phases) != 1 || r.Phases[0].Milestone != "v1.1" || r.Phases[0].IsRetired {
			t.Errorf("%q: %+v", text, r.Phases[0])
		}
	}
}

// TestRangesAreNoPhases: rows of the progress table that stand for several phases.
func TestRangesAreNoPhases(t *testing.T) {
	r, _ := ParseRoadmap("| Phase | Plans Complete | Status |\n|---|---|---|\n| 1-2 | 4/4 | Done |\n| 3..4 | 0/0 | Open |\n| 5 to 6 | 0/0 | Open |\n| 7 through 8 | 0/0 | Open |\n| 9. To 10 users | 0/0 | Open |\n")
	if len(r.Phases) != 1 || r.Phases[0].Name != "To 10 users" {
		t.Errorf("%d phases", len(r.Phases))
	}
}
