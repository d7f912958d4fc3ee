package core

import (
	"reflect"
	"strings"
	"testing"

	"gatehouse/model/line"
)

func TestParseLine(t *testing.T) {
	type g = line.GSD
	fm := func(block string) string { return "---\n" + block + "\n---\n" }
	for _, c := range []struct {
		name, text string
		want       g
	}{
		{"empty", "", g{}},
		{"all", fm("milestone: v2.0\nmilestone_name: \"Name\"\nstatus: executing\nactive_phase: '4.5'\nnext_action: plan-phase\nnext_phases: [\"4.5\", 5]\n"+
			"progress:\n  total_phases: 17\n  completed_phases: 10\n  percent: 59") + "Phase: 4 of 17 (API (v2))",
			g{Milestone: "v2.0", MilestoneName: "Name", Status: "executing", ActivePhase: "4.5", NextAction: "plan-phase",
				NextPhases: []string{"4.5", "5"}, TotalPhases: "17", CompletedPhases: "10", Percent: "59",
				PhaseNumber: "4", PhaseTotal: "17", PhaseName: "API (v2"}},
		{"flow over lines", fm("next_phases:\n [a,\n'b' ,, \"\" ] # c"), g{NextPhases: []string{"a", "b"}}},
		{"flow of nothing", fm("next_phases: [ , '' ]\nnext_phases:\n- x"), g{}},
		{"flow after block", fm("next_phases:\n- x\nnext_phases: [y]"), g{NextPhases: []string{"y"}}},
		{"flow not closed", fm("next_phases: [a\nnext_phases:\n- b"), g{NextPhases: []string{"b"}}},
		{"block", fm("next_phases:\n\n\t- 'a'\n-b\n  -  \n - c # d\n\n- e"), g{NextPhases: []string{"a", "b", "c # d"}}},
		{"block with CR LF", "---\r\nnext_phases: \r\n  - a\r\n  - b\r\nx: y\r\n---\r\n", g{NextPhases: []string{"a", "b"}}},
		{"block empty item", fm("next_phases:\n-\n- c"), g{}},
		{"scalar", fm("next_phases: 4.5"), g{}},
		{"progress", fm("progress: \n\n\tpercent:59%\n x:y\n total_phases: \"5\"\n completed_phases:  007 of 9"), g{Percent: "59", CompletedPhases: "007"}},
		{"progress first digits", fm("progress:\n  percent: x\n  percent: 7.9\n  percent: 8"), g{Percent: "7"}},
		{"progress ends at a comment", fm("progress:\n  percent: 5\n # c\n  total_phases: 7"), g{Percent: "5"}},
		{"progress begins with a comment", fm("progress:\n # c\n  percent: 5"), g{}},
		{"progress second block", fm("progress:\n # c\nprogress:\n  percent: 6"), g{Percent: "6"}},
		{"progress key without value", fm("progress:\n  percent: 5\n  total_phases:\n  completed_phases: 1"), g{Percent: "5"}},
		{"progress flow", fm("progress: {percent: 30}"), g{}},
		{"progress NBSP", fm("progress:\n\u00a0 percent: 30"), g{}},
		{"null", fm("status: null\nmilestone: \"null\"\nactive_phase: 'null'\nnext_action: ~"), g{NextAction: "~"}},
		{"last wins", fm("status: a\nstatus: b\nmilestone: v1\nmilestone: null"), g{Status: "b"}},
		{"no frontmatter", "\ufeff" + fm("status: a"), g{}},
		{"position first match", "Phase: x\nPhase: 1 of2\nPhase:PHASE\nPhase:\n3\u2028of\u00a09\t(\nName\n)\nPhase: 5 of 6", g{PhaseNumber: "3", PhaseTotal: "9", PhaseName: "\nName\n"}},
		{"position no name", "Phase: 1 of 2(x)", g{PhaseNumber: "1", PhaseTotal: "2"}},
		{"position empty name", "Phase: 1 of 2 ()", g{PhaseNumber: "1", PhaseTotal: "2"}},
		{"position open name", "Phase: 1 of 2 (x", g{PhaseNumber: "1", PhaseTotal: "2"}},
		{"position not", " Phase: 1 of 2\nphase: 1 of 2\nPhase: 4.5 of 7\nPhase: 3 (N)\n**Phase:** 1 of 2", g{}},
		{"body status", "Status: Ready to plan", g{Status: "planning"}},
		{"body status further down", "Status:  \n\nwork ARCHIVED", g{Status: "complete"}},
		{"body status unknown hides the next", "Status: Paused\nStatus: planning", g{}},
		{"body status order", "Status: executing, planning", g{Status: "planning"}},
		{"body status for null", fm("status: ''") + "Status: Executing", g{Status: "executing"}},
		{"body status in frontmatter", fm("Status: planning"), g{Status: "planning"}},
	} {
		got := ParseLine(c.text)
		if len(got.NextPhases) == 0 {
			got.NextPhases = nil
		}
		if !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s:\n got %+v\nwant %+v", c.name, got, c.want)
		}
	}
}

func TestParseStateIsBounded(t *testing.T) {
	g := ParseLine("---\nnext_phases: [" + strings.Repeat("1,", 100000) + "]\n---\n")
	if len(g.NextPhases) != line.MaxNextPhases {
		t.Errorf("%d phases", len(g.NextPhases))
	}
}
