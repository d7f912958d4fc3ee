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
