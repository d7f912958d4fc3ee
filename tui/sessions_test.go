package tui

// Sessions of live agents, and their finished turns.

import (
	"strings"
	"testing"

	"gatehouse/tui/index"
	"gatehouse/tui/tuitest"
)

func TestNotifiesOfATurnOnce(t *testing.T) {
	answerer := tuitest.NewAnswerer()
	before := index.New(answerer.Snapshot(1), nil)
	now := index.New(answerer.Snapshot(2, "turn0000"), before)
	all := newNotices(now)
	if len(all) != 1 || all[0].Kind != "turn" || !strings.HasPrefix(noticeSentence(&all[0]), "your turn: lamp · ") || all[0].Text != "Two ways: paper or cloth?" {
		t.Errorf("%+v", all)
	}
	if again := newNotices(index.New(answerer.Snapshot(3, "turn0000"), now)); len(again) != 0 {
		t.Errorf("again: %+v", again)
	}
}
