package ask

import (
	"testing"
	"time"

	"gatehouse/model"
	"gatehouse/parse/agents/waiting"
	"gatehouse/parse/conformance"
)

// finishedTurn is a finished turn with last words.
func finishedTurn(words string) Ask {
	return Ask{Ask: model.Ask{Kind: Turn, Text: words, Message: words + "\n\nDetails.", Project: "/shop", Dir: "/shop", Agent: "claude", Session: "s1"}}
}

func TestFinishedTurns(t *testing.T) {
	s, c := newStore(t)
	open := func() waiting.Counts { return waiting.Count(s.Dir, waiting.Key("/shop"), nil) }
	s.mustAsk(t, question())
	c.move(-time.Second)
	turn := s.mustAsk(t, finishedTurn("Postgres or SQLite?"))
	if n := open(); n != (waiting.Counts{Asks: 1, Turns: 1}) {
		t.Fatalf("%+v are open", n)
	}
	item, err := s.Get(turn.Ask.ID)
	must(t, err)
	if !item.Held || item.Message != "Postgres or SQLite?\n\nDetails." {
		t.Errorf("%+v", item)
	}
	// Without its holder the turn still waits, but no process hands over a reply.
	turn.Close()
	s.Sweep()
	items, err := s.List(false)
	must(t, err)
	if len(items) != 2 || items[1].Kind != Turn || items[1].Held || items[1].Message != "" {
		t.Errorf("%+v", items)
	}
	// The next turn of the session replaces it.
	c.move(time.Minute)
	s.mustAsk(t, finishedTurn("Done."))
	if end := s.lookupEnd(&turn.Ask); end == nil || end.Reason != ReasonWentOn || open().Turns != 1 {
		t.Errorf("%+v, %+v", end, open())
	}
}

// TestTurnOfEndedSession: a turn ends with its session, unless the session crashed: then its client did not report the end.
func TestTurnOfEndedSession(t *testing.T) {
	for _, reportsEnd := range []bool{false, true} {
		s, c := newStore(t)
		must(t, s.UpdateSession("claude", "s1", func(in *Session, now time.Time) bool {
			in.SetState(model.SessionIdle, "", now)
			in.ReportsEnd, in.Process = reportsEnd, s.Table.Self()
			in.Process.Start = "before"
			return true
		}))
		turn := s.mustAsk(t, finishedTurn("Done."))
		c.move(time.Second)
		s.Sweep()
		if end := s.lookupEnd(&turn.Ask); (end == nil) != reportsEnd {
			t.Errorf("reports its end %v: %+v", reportsEnd, end)
		}
	}
}

func TestLastLine(t *testing.T) {
	conformance.OwnRows(t, "lastline.jsonl", func(t *testing.T, c struct {
		Message, Want string
	}) {
		if got := LastLine(c.Message); got != c.Want {
			t.Errorf("%q: %q, want %q", c.Message, got, c.Want)
		}
	})
}
