package line

import "testing"

// TestFctryRows checks the rows of an agent's status line, their colors, and what is left out on narrow lines.
func TestFctryRows(t *testing.T) {
	facts := &Fctry{
		Spec: "2.4", Command: "review", NextStep: "Run it", Satisfied: 5, Scenarios: 8,
		Run:    FctryRun{There: true, Stated: true, Done: 2, Total: 4, Failed: 1, Busy: 1, Running: true, Chunk: "Feed", Place: 3, Attempt: 2, Retry: 2},
		Detail: fctryDetail{Version: "1.0", SpecStatus: "draft", Section: "Core", SectionNumber: "2.2", Built: 28, Evolved: 5, Specced: 7, Untracked: 1, Findings: 2, Upgraded: true, Scanned: 3, ToScan: 9},
	}
	for _, c := range []struct {
		row, cols int
		want      string
	}{
		{0, 0, "appD{ }1.0D{ · }D{spec }2.4D{ · }W{draft}D{ · }W{◐ 75%}"},
		{0, 25, "appD{ · }D{spec }2.4D{ · }W{◐ 75%}"},
		{1, 0, "A{review}D{ }D{scanning }3/9D{ · }2+1W{(r2)}/4B{ 1✗}D{ }D{[}A{█████}D{░░░░░]}D{ }50%D{ }FeedD{ · }A{Core (2.2)}D{ · }D{✓ }5/8D{ }scenariosD{ · }28 built 5 evolved 7 speccedD{ · }W{△ 1}D{ }W{untracked}D{ · }✉ 2D{ }to reviewD{ · }A{⇧ upgraded}D{ · }D{→ }Run it"},
		{1, 40, "A{review}D{ }D{scanning }3/9D{ · }2+1W{(r2)}/4B{ 1✗}D{ }Feed"},
		{2, 0, ""},
	} {
		var text Text
		facts.ComposeRow(&text, c.row, &Agent{Project: "app", Used: 75, Metered: true})
		text.Fit(c.cols)
		if got := spelled(&text); got != c.want {
			t.Errorf("row %d, %d columns:\n got %s\nwant %s", c.row, c.cols, got, c.want)
		}
		checkPieces(t, &text)
	}
}
