package demo

import (
	"gatehouse/model"
	"strings"
	"testing"
	"time"

	"gatehouse/parse/agents/ask"
	"gatehouse/parse/disk/process"
)

// askerPlay is the agent that asks, alone.
type askerPlay struct {
	*testing.T
	a *asker
}

func playAsker(t *testing.T) askerPlay {
	dir := t.TempDir()
	store := ask.Open(ask.Options{Dir: dir + "/agents", Journal: dir + "/journal", User: "ann", Table: process.System{}, Now: time.Now})
	return askerPlay{t, newAsker(store, process.System{}.Self(), dir)}
}

// asks lets the agent work until it asks, and returns what.
func (p askerPlay) asks() *ask.Item {
	p.Helper()
	for range p.a.story.Takes/tick + 2 {
		p.a.tick(tick)
	}
	items, err := p.a.store.List(false)
	if err != nil || len(items) != 1 {
		p.Fatalf("%v asks wait, %v", items, err)
	}
	item, err := p.a.store.Get(items[0].ID)
	if err != nil {
		p.Fatal(err)
	}
	return item
}

// answer answers, and returns what the agent does then.
func (p askerPlay) answer(item *ask.Item, a ask.Answer) string {
	p.Helper()
	if _, err := p.a.store.Answer(item.ID, a, ask.ByDashboard); err != nil {
		p.Fatal(err)
	}
	p.a.tick(tick)
	if again, err := p.a.store.Get(item.ID); err != nil || !again.Delivered {
		p.Errorf("%+v, %v: the agent has not heard it", again, err)
	}
	sessions, err := p.a.store.Sessions()
	if err != nil || len(sessions) != 1 || sessions[0].Agent != "demo" {
		p.Fatalf("%+v, %v", sessions, err)
	}
	return sessions[0].Title
}

func TestTheDemoAsksAndGoesOnAsAnswered(t *testing.T) {
	p := playAsker(t)
	item := p.asks()
	if item.Kind != ask.Question || len(item.Questions) != 2 || !item.Questions[1].Multi || item.Questions[0].Options[0].Preview == "" {
		t.Errorf("%+v", item.Ask)
	}
	if does := p.answer(item, ask.Answer{Allow: true, Replies: []ask.Reply{{Picks: []int{0}}, {Picks: []int{0, 1}}}}); does != "plan the second camera: At the entrance, Whoever is new, Magpies" {
		t.Error(does)
	}

	item = p.asks()
	if item.Kind != ask.Plan || !strings.HasPrefix(item.Plan, "# Stills") {
		t.Errorf("%+v", item.Ask)
	}
	p.answer(item, ask.Answer{Text: "Ask the owls\nfirst"})
	if item = p.asks(); item.Kind != ask.Plan || !strings.Contains(item.Plan, "> Ask the owls\n> first\n") {
		t.Errorf("%+v", item.Ask)
	}
	p.answer(item, ask.Answer{Allow: true})

	item = p.asks()
	if item.Kind != ask.Permission || len(item.Call.Dangers) == 0 || !strings.Contains(item.Call.Input, item.Call.Dangers[0].Part) {
		t.Errorf("%+v", item.Ask)
	}
	if does := p.answer(item, ask.Answer{}); does != "leave the stills where they are" {
		t.Error(does)
	}
	item = p.asks()
	if sessions, _ := p.a.store.Sessions(); item.Kind != ask.Turn || item.Text != "Shall I write the shopping list next?" || sessions[0].State != model.SessionIdle {
		t.Errorf("%+v, %+v", item.Ask, sessions)
	}
	if does := p.answer(item, ask.Answer{Allow: true, Text: "yes"}); does != "go on: yes" {
		t.Error(does)
	}
	for range p.a.story.Takes/tick + 2 {
		p.a.tick(tick)
	}
	if items, err := p.a.store.List(false); len(items) > 0 || err != nil {
		t.Errorf("it asks more than the story: %+v, %v", items, err)
	}

	p.a.leave()
	items, err := p.a.store.List(true)
	sessions, _ := p.a.store.Sessions()
	if len(items)+len(sessions) > 0 || err != nil {
		t.Errorf("it left %+v, %+v, %v", items, sessions, err)
	}
}

func TestWhatIsWithdrawnTheDemoAsksAgain(t *testing.T) {
	p := playAsker(t)
	first := p.asks()
	if err := p.a.store.Withdraw(&first.Ask, "swept"); err != nil {
		t.Fatal(err)
	}
	if again := p.asks(); again.ID == first.ID || again.Text != first.Text {
		t.Errorf("%+v", again.Ask)
	}
}
