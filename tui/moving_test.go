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

func TestFoldsAndUnfoldsAll(t *testing.T) {
	u := atKeyboard(t, tuitest.Shop(), 120, 40)
	u.press("z") // another pane may offer it
	u.press("n").isOn("Cart survives")
	u.press("-").isOn("v2.0 Checkout").seesNo("Foundation", "03-01 Add")
	u.press("+").sees("Foundation", "03-01 Add").isOn("v2.0 Checkout")
	u.press("space").seesNo("03-01 Add").press("n").isOn("Cart survives").press("/").press("esc").isOn("Cart survives")
	many := atKeyboard(t, tuitest.Shops(), 120, 40)
	many.press("z", "+").sees("03-01 Add", "Cart survives").press("-").seesNo("03-01 Add", "◆ 3 Cart survives")
}

func TestGoesFromProjectToProject(t *testing.T) {
	u := atKeyboard(t, tuitest.Shops(), 120, 40)
	u.press("n", "}")
	second, _ := u.d.tree.At()
	u.press("}")
	third, _ := u.d.tree.At()
	if second.Node != nil || third.Node != nil || second.Site == third.Site {
		t.Errorf("on %q and %q", second.Site.Name, third.Site.Name)
	}
	u.press("{").isOn(second.Site.Name)
	atKeyboard(t, tuitest.Shop(), 120, 40).press("}").sees("there is one build only")
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
