package tui

import (
	"testing"

	"gatehouse/tui/tuitest"
)

// TestPasteIsText: pasted text presses no keys.
func TestPasteIsText(t *testing.T) {
	u := atKeyboard(t, tuitest.Shop(), 80, 24)
	if cmd := u.d.pasteText("q"); cmd != nil || u.d.topDialog() != nil {
		t.Error("a paste did something")
	}
	u.press("/")
	u.d.pasteText("ledger\n")
	u.d.layOut()
	u.sees("/ledger ▏", "04.5-01 Ledger")
}
