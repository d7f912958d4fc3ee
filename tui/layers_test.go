package tui

import (
	"testing"

	"gatehouse/tui/tuitest"
)

// A text that is pasted must not press keys.
func TestPasteIsText(t *testing.T) {
	u := atKeyboard(t, tuitest.Shop(), 80, 24)
	if cmd := u.d.paste("q"); cmd != nil || u.d.top() != nil {
		t.Error("a paste did something")
	}
	u.press("/")
	u.d.paste("ledger\n")
	u.d.layOut()
	u.sees("/ledger ▏", "04.5-01 Ledger")
}
