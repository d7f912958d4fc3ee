package tui

import (
	"strings"
	"testing"

	"gatehouse/model"
	"gatehouse/tui/input"
	"gatehouse/tui/tuitest"
)

func TestNextGoesToWaitsThenFailuresThenBlocked(t *testing.T) {
	u := atKeyboard(t, tuitest.Shop(), 120, 40)
	var order []model.Status
	for range u.d.index.Stops {
		u.press("n")
		r, _ := u.d.tree.At()
		order = append(order, r.Node.Status)
	}
	words := ""
	for _, s := range order {
		if word := s.String(); !strings.HasSuffix(words, word+" ") {
			words += word + " "
		}
	}
	if !strings.Contains(words, "waiting") || !strings.HasSuffix(words, "failed blocked ") {
		t.Errorf("%s", words)
	}
	first, _ := u.d.tree.At()
	u.press("n", "N")
	if r, _ := u.d.tree.At(); r.Place() != first.Place() {
		t.Errorf("n and N lead to %s, not to %s", r.ID(), first.ID())
	}
}

func TestCopiesTheID(t *testing.T) {
	u := atKeyboard(t, tuitest.Shop(), 120, 40)
	u.press("G")
	cmd := u.d.pressKey(input.StrokeOf("Y"))
	if cmd == nil {
		t.Fatal("nothing is copied")
	}
	r, _ := u.d.tree.At()
	u.sees("copied: " + r.Node.ID)
}
