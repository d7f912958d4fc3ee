package tui

import (
	"strings"
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

func TestLayTextKeepsNumbersAndIsBounded(t *testing.T) {
	l := newDashboard(plainOptions(), nil).look
	rows := layText(l, "\ufeffone\r\n\ttwo\n"+strings.Repeat("three ", 10)+"\n\n", 30)
	if rows[0] != (fileRow{1, "one"}) || rows[1] != (fileRow{2, "    two"}) || rows[2].number != 3 || rows[3].number != 0 {
		t.Errorf("%+v", rows)
	}
	if rows := layText(l, strings.Repeat("x\n", 3*fileRows), 30); len(rows) > fileRows+1 {
		t.Errorf("%d rows", len(rows))
	}
	if rows := layText(l, strings.Repeat("x", 1<<20), 30); len(rows) > fileCells {
		t.Errorf("one line became %d rows", len(rows))
	}
}
