package tui

import (
	"slices"
	"strings"
	"testing"

	"gatehouse/model"
)

func TestTypedIsOneLineOfText(t *testing.T) {
	text := ""
	for _, k := range []stroke{{"a", "a"}, {"ctrl+w", ""}, {"b", "b"}, {"space", " "}, {"", "c\nd\x1b[2J\x07"}, {"left", ""}, {"backspace", ""}} {
		text, _ = typed(text, k)
	}
	if want := "b c d[2"; text != want {
		t.Errorf("%q, want %q", text, want)
	}
	if text, _ = typed("one two ", stroke{name: "ctrl+w"}); text != "one " {
		t.Errorf("a word back: %q", text)
	}
	if text, _ = typed("ä", stroke{name: "backspace"}); text != "" {
		t.Errorf("a character back: %q", text)
	}
	if text, _ = typed("", stroke{text: strings.Repeat("x", 5000)}); len(text) != inputLimit {
		t.Errorf("%d characters", len(text))
	}
}

// A text that is pasted must not press keys.
func TestPasteIsText(t *testing.T) {
	u := atKeyboard(t, shop(), 80, 24)
	if cmd := u.d.paste("q"); cmd != nil || u.d.top() != nil {
		t.Error("a paste did something")
	}
	u.press("/")
	u.d.paste("ledger\n")
	u.d.settle()
	u.sees("/ledger ▏", "04.5-01 Ledger")
}

func TestContainsFold(t *testing.T) {
	for _, c := range []struct {
		text, word string
		want       bool
	}{
		{"Plan A", "plan", true}, {"Plan A", "n a", true}, {"", "a", false}, {"a", "", true}, {"KÖRBE", "körbe", true}, {"abc", "abcd", false}, {"日本", "本", true},
	} {
		if got := containsFold(c.text, c.word); got != c.want {
			t.Errorf("containsFold(%q, %q) = %v", c.text, c.word, got)
		}
	}
}

func TestTheLogIsBounded(t *testing.T) {
	ix := newIndex(forest(400), nil)
	for i := range 8 {
		snap := forest(400)
		for j, n := range snap.Projects[0].Builds[0].OfKind(model.KindPlan) {
			n.Status = model.Statuses()[(i+j)%9]
			n.Children = []*model.Node{{ID: n.ID + "/task", Kind: model.KindTask, Title: "A task", Status: n.Status}}
		}
		snap.Version = uint64(i + 2)
		ix = newIndex(snap, ix)
	}
	if len(ix.log) != logLimit || ix.seq <= logLimit || ix.log[logLimit-1].seq != ix.seq {
		t.Errorf("%d events kept, the newest is %d of %d", len(ix.log), ix.log[len(ix.log)-1].seq, ix.seq)
	}
	if slices.ContainsFunc(ix.log, func(e event) bool { return e.Kind == model.KindTask }) {
		t.Error("the tasks of plans that changed are listed too")
	}
	var s seen
	s.update(ix)
	if s.count == 0 || s.count > logLimit {
		t.Errorf("%d marks", s.count)
	}
}

func TestBuildsThatComeAndGoAreEvents(t *testing.T) {
	before := newIndex(shop(), nil)
	ix := newIndex(shops(), before)
	var told []string
	for _, e := range ix.log {
		if e.seq > 0 {
			told = append(told, e.What+" "+e.Text)
		}
	}
	if want := []string{"api appeared: waiting", "blog appeared: done"}; !slices.Equal(told, want) {
		t.Errorf("%q, want %q", told, want)
	}
	ix = newIndex(shop(), ix)
	if last := ix.log[len(ix.log)-1]; last.Text != "gone" {
		t.Errorf("the last event is %+v", last.Event)
	}
	var s seen
	s.update(ix) // of what is gone there is no row to mark
	if s.count != 0 {
		t.Errorf("%d marks", s.count)
	}
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
