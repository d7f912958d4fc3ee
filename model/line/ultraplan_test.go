package line

import (
	"strings"
	"testing"
)

func TestUltraplan(t *testing.T) {
	for _, c := range []struct {
		facts         Ultraplan
		full, compact string
		scene         int
	}{
		{Ultraplan{Plans: 8, Done: 5, Running: "03-02", RunningPhase: "3", RunningStatus: "In progress", PhaseNumber: "2", PhaseTotal: "12", Status: "x"}, "[██████░░░░] 62% · Phase 3 In progress · 03-02", "P3/12 · In progress", 1},
		{Ultraplan{Plans: 8, Done: 5, Running: "03-02", RunningPhase: "3", RunningStatus: "In progress", PhaseTotal: "12", Paused: true, PausedPlan: "03-02", PausedPhase: "3"}, "[██████░░░░] 62% · ⏸ 03-02 · next resume", "P3/12 · ⏸ 03-02 · next resume", 2},
		{Ultraplan{Plans: 8, Done: 5, Next: "03-03", NextPhase: "3", Paused: true}, "[██████░░░░] 62% · ⏸ next resume", "P3 · ⏸ next resume", 2},
		{Ultraplan{Plans: 8, Done: 8, Complete: true, Paused: true}, "[██████████] 100% · complete", "complete", 3},
		{Ultraplan{Plans: 8, Done: 5, Next: "03-03", NextPhase: "3", PhaseTotal: "12"}, "[██████░░░░] 62% · next 03-03", "P3/12 · next 03-03", 2},
		{Ultraplan{Plans: 8, Done: 8, ToPlan: "4", PhaseTotal: "12"}, "next plan-phase 4", "P4/12 · next plan-phase 4", 2},
		{Ultraplan{Plans: 8, Done: 8, Complete: true, PhaseNumber: "12", PhaseTotal: "12"}, "[██████████] 100% · complete", "P12/12 · complete", 3},
		{Ultraplan{Status: "Ready to plan", PhaseNumber: "1", PhaseTotal: "5", PhaseName: "Foundation"}, "Ready to plan · Foundation (1/5)", "P1/5 · Ready to plan", 4},
		{Ultraplan{PhaseNumber: "1"}, "ph 1", "P1", 4},
		{Ultraplan{Status: "a\x1b[2J\nb", PhaseNumber: "1", PhaseName: strings.Repeat("n", 50)}, "a\uFFFD[2J b · " + strings.Repeat("n", 39) + "… (1)", "P1 · a\uFFFD[2J b", 4},
		{Ultraplan{Plans: 1}, "[░░░░░░░░░░] 0%", "", 4},
		{Ultraplan{}, "", "", 0},
	} {
		scene, why := c.facts.Scene()
		if full, compact := string(c.facts.AppendFull(nil)), string(c.facts.AppendCompact(nil)); full != c.full || compact != c.compact || scene != c.scene || why == "" {
			t.Errorf("%+v: %d %q %q, want %d %q %q", c.facts, scene, full, compact, c.scene, c.full, c.compact)
		}
		for _, compact := range []bool{false, true} {
			var text Text
			Compose(&text, &c.facts, compact)
			want := c.full
			if compact {
				want = c.compact
			}
			if string(text.Bytes()) != want {
				t.Errorf("in pieces %q, want %q", text.Bytes(), want)
			}
		}
	}
}

func TestUltraplanFits(t *testing.T) {
	facts := Ultraplan{Plans: 8, Done: 5, Running: "03-02", RunningPhase: "3", RunningStatus: "In progress"}
	for cols, want := range map[int]string{46: "[██████░░░░] 62% · Phase 3 In progress · 03-02", 45: "62% · Phase 3 In progress · 03-02", 25: "Phase 3 In progress", 10: "Phase 3 I…"} {
		var text Text
		facts.Compose(&text, false)
		text.Fit(cols)
		if got := string(text.Bytes()); got != want {
			t.Errorf("%d columns: %q, want %q", cols, got, want)
		}
	}
}
