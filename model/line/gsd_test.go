package line

import (
	"fmt"
	"strings"
	"testing"
)

func ExampleGSD_AppendFull() {
	g := GSD{Milestone: "v2.0", MilestoneName: "Name", Percent: "59", ActivePhase: "4.5", Status: "executing"}
	fmt.Printf("%s\n%s\n", g.AppendFull(nil), g.AppendCompact(nil))
	// Output:
	// v2.0 Name [█████░░░░░] 59% · Phase 4.5 executing
	// v2.0 · P4.5 · executing
}

func TestGSDScenes(t *testing.T) {
	for _, c := range []struct {
		g             GSD
		scene         int
		full, compact string
	}{
		{GSD{}, 0, "", ""},
		{GSD{NoActiveWorkstream: true, Milestone: "v1"}, 4, "no active workstream", "no active workstream"},
		{GSD{Milestone: "v1", ActivePhase: "4.5", NextAction: "plan-phase", NextPhases: []string{"5"}, Percent: "100"},
			1, "v1 [██████████] 100% · Phase 4.5", "v1 · P4.5"},
		{GSD{NextAction: "plan-phase", NextPhases: []string{"5", "6"}}, 2, "next plan-phase 5/6", "next plan-phase 5/6"},
		{GSD{NextAction: "plan-phase"}, 0, "", "next plan-phase"},
		{GSD{CompletedPhases: "5", TotalPhases: "5"}, 3, "milestone complete", "complete"},
		{GSD{CompletedPhases: "5", TotalPhases: "05", Status: "x"}, 3, "milestone complete", "complete"},
		{GSD{CompletedPhases: "5", TotalPhases: "50", Status: "x"}, 4, "x", "x"},
		{GSD{CompletedPhases: "0", TotalPhases: "0", Status: "planning"}, 4, "planning", "planning"},
		{GSD{CompletedPhases: "0", TotalPhases: "00"}, 0, "", ""},
		{GSD{Percent: "100", CompletedPhases: "0", TotalPhases: "0"}, 3, "milestone complete", "complete"},
		{GSD{TotalPhases: "0"}, 0, "", ""},
		{GSD{Milestone: "v1", Percent: "00100"}, 3, "v1 [██████████] 100% · milestone complete", "v1 · complete"},
		{GSD{Milestone: "v1", Percent: strings.Repeat("9", 400)}, 4, "v1 [██████████] 100%", "v1"},
		{GSD{MilestoneName: "milestone", Percent: "50"}, 4, "[█████░░░░░] 50%", ""},
		{GSD{MilestoneName: "milestone"}, 0, "", ""},
		{GSD{Percent: "50"}, 0, "", ""},
		{GSD{Status: "executing", PhaseNumber: "1", PhaseTotal: "5"}, 4, "executing · ph 1/5", "P1/5 · executing"},
		{GSD{PhaseNumber: "1", PhaseTotal: "5", PhaseName: "fix"}, 4, "fix (1/5)", "P1/5"},
		{GSD{Milestone: "\u200b", Status: "x"}, 4, " · x", " · x"}, // a part that is empty after cleaning is still a part
	} {
		if n, why := c.g.Scene(); n != c.scene || why == "" {
			t.Errorf("%+v: scene %d, %q, want %d", c.g, n, why, c.scene)
		}
		if got := string(c.g.AppendFull([]byte(">"))); got != ">"+c.full {
			t.Errorf("%+v: full %q, want %q", c.g, got, c.full)
		}
		if got := string(c.g.AppendCompact([]byte(">"))); got != ">"+c.compact {
			t.Errorf("%+v: compact %q, want %q", c.g, got, c.compact)
		}
	}
}

func TestGSDNextPhasesAreOneField(t *testing.T) {
	for _, item := range []string{"a", "bcd", "é", "\u200b", strings.Repeat("x", 300)} {
		g := GSD{NextAction: "go", NextPhases: strings.Split(strings.Repeat(item+",", 400), ",")[:400]}
		joined := strings.TrimPrefix(string(g.AppendFull(nil)), "next go ")
		whole := strings.Repeat(Clean(item)+"/", 400)
		if len(joined) > FieldLimit || len(joined) < FieldLimit-1 || !strings.HasPrefix(whole, joined) {
			t.Errorf("%q: %d bytes, %q", item, len(joined), joined)
		}
	}
}

func TestShortStatus(t *testing.T) {
	for status, want := range map[string]string{
		// Known statuses, as a whole.
		"Paused": "PAUSED", " stopped\n": "PAUSED", "EXECUTING": "executing", "In \t progress": "executing",
		"Ready to execute": "executing", "Executing Phase 4.5": "executing", "Ready to plan": "planning",
		"Planning complete": "planning", "Phase complete — ready for verification": "verifying", "Complete": "completed",
		"Complete ✓": "completed", "complete✅": "completed", "Phase — complete": "completed",
		"v1.0-β milestone complete": "completed", "Milestone complete": "completed", "UNKNOWN": "unknown",
		// Others, by their first word, whatever follows it.
		"": "", " ": "", "-foo": "", "—x": "", "stopped executing": "stopped", "paused until Monday": "paused",
		"unverified": "unverified", "phase_complete": "phase_complete", "phase-complete": "phase", "Done.": "Done.",
		"Executing Phase": "Executing", "Executing Phase 1 now": "Executing", "complete ✓ ✓": "complete", "Done ✓": "Done",
		"v1.0 beta milestone complete": "v1.0", "blocked-on-x": "blocked",
		"\ufeff\u00a0one two": "one", "a\u0085b c": "a b", "1234567890123456789": "1234567890123456",
		"123456789012345😀x": "123456789012345\ufffd", "12345678901234😀x": "12345678901234😀",
		"\xe2\x82\xe2\x82\xe2\x82": "\ufffd\ufffd\ufffd", strings.Repeat("\xe2\x82", 20): strings.Repeat("\ufffd", 16),
		"İn progress": "İn", "* milestone * complete": "*",
	} {
		g := GSD{Status: status}
		if got := string(g.AppendCompact(nil)); got != want {
			t.Errorf("%q: %q, want %q", status, got, want)
		}
	}
}
