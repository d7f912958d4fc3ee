package line

import (
	"strings"
	"testing"
)

// spelled returns the pieces of a text, each one that is not plain preceded by the initial of its role.
func spelled(t *Text) string {
	var b strings.Builder
	for i := range t.Len() {
		text, role := t.Piece(i)
		if len(text) == 0 {
			continue
		}
		b.WriteString([...]string{"", "D{", "A{", "W{", "B{"}[role])
		b.Write(text)
		if role != Plain {
			b.WriteString("}")
		}
	}
	return b.String()
}

func TestRoles(t *testing.T) {
	for _, c := range []struct {
		facts GSD
		want  string
	}{
		{GSD{Milestone: "v1", MilestoneName: "N", Percent: "20", ActivePhase: "4", Status: "executing"},
			"v1D{ }ND{ }D{[}A{██}D{░░░░░░░░]}D{ }20%D{ · }Phase 4 executing"},
		{GSD{Milestone: "v1", Percent: "9", ActivePhase: "4", Status: "Blocked on X"}, "v1D{ }D{[░░░░░░░░░░]}D{ }9%D{ · }Phase 4 B{Blocked on X}"},
		{GSD{Status: "paused"}, "W{paused}"},
		{GSD{Percent: "100", MilestoneName: "milestone", Unfinished: true, Status: "x"}, "D{[}A{██████████}D{]}D{ }100%D{ · }x"},
		{GSD{NextAction: "go", NextPhases: []string{"1", "2"}}, "next go 1/2"},
		{GSD{}, ""},
		{GSD{NoActiveWorkstream: true}, "no active workstream"},
	} {
		var text Text
		Compose(&text, &c.facts, false)
		if got := spelled(&text); got != c.want {
			t.Errorf("got  %s\nwant %s", got, c.want)
		}
		if got, want := string(text.Bytes()), string(c.facts.AppendFull(nil)); got != want {
			t.Errorf("the pieces make %q, the line is %q", got, want)
		}
	}
}

// TestPosition: the position leaves out the state of the build, which the tree shows, but not the reason for a standstill.
func TestPosition(t *testing.T) {
	for _, c := range []struct {
		facts         Facts
		full, compact string
	}{
		{&GSD{Milestone: "v3.1", MilestoneName: "N", Percent: "20", Status: "executing", PhaseNumber: "2", PhaseTotal: "5"}, "v3.1 · ph 2/5", "v3.1 · P2/5"},
		{&GSD{Milestone: "v3.1", Percent: "100", CompletedPhases: "1", TotalPhases: "1"}, "v3.1", "v3.1"},
		{&GSD{Milestone: "v3.1", Status: "Paused for a key"}, "v3.1 · Paused for a key", "v3.1 · Paused"},
		{&GSD{Status: "planning"}, "", ""},
		{&GSD{}, "", ""},
		{&Loop{ID: "x", Step: LoopStuck, Phase: "A", PhaseWord: "done", Place: 1, Total: 5}, "x · Phase A done", "x · P1/5"},
		{&Loop{ID: "x", Step: LoopComplete}, "x", "x"},
		{&Ultraplan{Complete: true}, "", ""},
	} {
		for _, facts := range []Facts{c.facts, SplitFacts(c.facts)} {
			if full, compact := Position(facts, false), Position(facts, true); full != c.full || compact != c.compact {
				t.Errorf("%+v: %q, %q; want %q, %q", facts, full, compact, c.full, c.compact)
			}
		}
	}
}

func TestFit(t *testing.T) {
	facts := GSD{Milestone: "v1", MilestoneName: "日本語", Percent: "20", Status: "executing", PhaseNumber: "1", PhaseTotal: "5", PhaseName: "fix"}
	for _, c := range []struct {
		cols int
		want string
	}{
		{0, "v1 日本語 [██░░░░░░░░] 20% · executing · fix (1/5)"},
		{-1, "v1 日本語 [██░░░░░░░░] 20% · executing · fix (1/5)"},
		{50, "v1 日本語 [██░░░░░░░░] 20% · executing · fix (1/5)"},
		{49, "v1 日本語 20% · executing · fix (1/5)"},
		{37, "v1 日本語 20% · executing · fix (1/5)"},
		{36, "v1 20% · executing · fix (1/5)"},
		{29, "v1 · executing · fix (1/5)"},
		{25, "executing · fix (1/5)"},
		{20, "executing"},
		{9, "executing"},
		{8, "executi…"},
		{1, "…"},
	} {
		var text Text
		Compose(&text, &facts, false)
		text.Fit(c.cols)
		if got := string(text.Bytes()); got != c.want {
			t.Errorf("%d columns: %q, %d wide, want %q", c.cols, got, Width(got), c.want)
		}
		checkPieces(t, &text)
	}
}

// TestFitSeveral checks that of several builds' lines each keeps its last segment, and that the separators stay.
func TestFitSeveral(t *testing.T) {
	one := GSD{Milestone: "v1", MilestoneName: "One", Percent: "20", Status: "executing"}
	two := GSD{MilestoneName: "Two", Percent: "30"}
	for cols, want := range map[int]string{
		0:  "v1 One [██░░░░░░░░] 20% · executing · ◆ Iron? │ Two [███░░░░░░░] 30%",
		60: "v1 One [██░░░░░░░░] 20% · executing · ◆ Iron? │ Two 30%",
		41: "v1 One 20% · executing · ◆ Iron? │ 30%",
		37: "v1 20% · executing · ◆ Iron? │ 30%",
		28: "executing · ◆ Iron? │ 30%",
		20: "executing · ◆ Iron?…",
	} {
		var text Text
		Compose(&text, &one, false)
		text.Waits("Iron?")
		if Compose(&text, &GSD{}, false) {
			t.Error("an empty line counts")
		}
		Compose(&text, &two, false)
		text.Fit(cols)
		if got := string(text.Bytes()); got != want {
			t.Errorf("%d columns: %q, want %q", cols, got, want)
		}
		checkPieces(t, &text)
	}
}

// checkPieces fails the test unless the pieces make up the whole text, in order.
func checkPieces(t *testing.T, text *Text) {
	t.Helper()
	whole := ""
	for i := range text.Len() {
		piece, _ := text.Piece(i)
		whole += string(piece)
	}
	if whole != string(text.Bytes()) {
		t.Errorf("the pieces make %q of %q", whole, text.Bytes())
	}
}

func TestWaits(t *testing.T) {
	var text Text
	text.Waits("a\x1b[31m" + strings.Repeat("日", 60))
	if got := string(text.Bytes()); Width(got) > len("◆ ")+ShortCols || !strings.HasPrefix(got, "◆ a\ufffd[31m日") || !strings.HasSuffix(got, "日…") {
		t.Errorf("%q", got)
	}
}

func FuzzFit(f *testing.F) {
	f.Add("v1", "Name", "20", "executing", "fix", 20)
	f.Add("", "日本語", "", "e\u0301", "🇫🇷", 3)
	f.Fuzz(func(t *testing.T, milestone, name, percent, status, phase string, cols int) {
		facts := GSD{Milestone: milestone, MilestoneName: name, Status: status, PhaseName: phase, PhaseNumber: "1", PhaseTotal: "2"}
		if strings.Trim(percent, "0123456789") == "" {
			facts.Percent = percent
		}
		var text Text
		Compose(&text, &facts, false)
		text.Waits(name)
		Compose(&text, &facts, true)
		before := len(text.Bytes())
		text.Fit(cols)
		checkPieces(t, &text)
		switch {
		case cols <= 0 && len(text.Bytes()) != before:
			t.Fatal("cut without a width")
		case cols > 0 && Width(string(text.Bytes())) > cols:
			t.Fatalf("%q is wider than %d", text.Bytes(), cols)
		}
	})
}
