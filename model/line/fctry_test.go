package line

import "testing"

// TestFctryRows checks the rows of an agent's status line, their colors, and what is left out on narrow lines.
func TestFctryRows(t *testing.T) {
	facts := &Fctry{
		Spec: "2.4", NextStep: "Run it",
		Run:    FctryRun{There: true, Stated: true, Done: 2, Total: 4, Failed: 1, Busy: 1, Running: true, Chunk: "Feed", Place: 3, Attempt: 2},
		Detail: fctryDetail{Version: "1.0", Section: "Core"},
	}
	for _, c := range []struct {
		row, cols int
		want      string
	}{
		{0, 0, "appD{ }1.0D{ · }D{spec }2.4D{ · }W{◐ 75%}"},
		{0, 20, "D{spec }2.4D{ · }W{◐ 75%}"},
		{1, 0, "D{[}A{█████}D{░░░░░]}D{ }50%D{ · }chunk 3/4 FeedW{ r2}D{ · }A{Core}D{ · }D{→ }Run it"},
		{1, 20, "chunk 3/4 FeedW{ r2}"},
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
