package core

import (
	"testing"
)

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

// TestMovedPhase checks that a phase that is struck through in one milestone and planned in another belongs to the other, in either
// order.
func TestMovedPhase(t *testing.T) {
	const struck, planned = "## v1.0 A\n- [ ] ~~**Phase 3: Mail**~~ (moved to v1.1)\n\n", "## v1.1 B\n- [ ] **Phase 3: Mail**\n\n### Phase 3: Mail\n\n"
	for _, text := range []string{struck + planned, planned + struck} {
		r, _ := ParseRoadmap(text)
		if len(r.Phases) != 1 || r.Phases[0].Milestone != "v1.1" || r.Phases[0].IsRetired {
			t.Errorf("%q: %+v", text, r.Phases[0])
		}
	}
}

// TestRangesAreNoPhases checks rows of the progress table that stand for several phases.
func TestRangesAreNoPhases(t *testing.T) {
	r, _ := ParseRoadmap("| Phase | Plans Complete | Status |\n|---|---|---|\n| 1-2 | 4/4 | Done |\n| 3..4 | 0/0 | Open |\n| 5 to 6 | 0/0 | Open |\n| 7 through 8 | 0/0 | Open |\n| 9. To 10 users | 0/0 | Open |\n")
	if len(r.Phases) != 1 || r.Phases[0].Name != "To 10 users" {
		t.Errorf("%d phases", len(r.Phases))
	}
}
