package demo

// This file is the agent that asks as live agents do: through the store of asks, and not in a file of the project. It asks a
// question, shows a plan and wants to run a command (stories/asks.yaml), and waits for each answer however long that takes.

import (
	"gatehouse/model"
	"strings"
	"time"

	"gatehouse/parse/agents/ask"
	"gatehouse/parse/agents/danger"
	"gatehouse/parse/disk/process"
)

// askStory is what it asks, in this order.
type askStory struct {
	Agent string
	Takes time.Duration // until it asks the next
	Asks  []askAct
}

// askAct is one thing that it asks: questions, a plan or a call; or the end of its turn.
type askAct struct {
	Doing           string
	Questions       []ask.Queried
	Plan            string
	Call            *ask.Call
	Says            string // its last words at the end of a turn
	Allowed, Denied string // what it does then
}

// asker asks. The zero value, without a store, asks nothing.
type asker struct {
	store   *ask.Store
	self    process.ID
	dir     string // of the project, its real path
	story   askStory
	session string

	at      int  // the act that is played; behind the last it is done, and works on in silence
	doing   bool // the session says what it does
	working work
	asked   *ask.Asked // nil while nothing is asked
	changes string     // what was to be changed in the plan that was shown
}

func newAsker(store *ask.Store, self process.ID, dir string) *asker {
	a := &asker{store: store, self: self, dir: dir, session: "demo-" + strings.ToLower(self.Start)}
	load("asks.yaml", &a.story)
	return a
}

// tick lets time go by for the agent. Where the store can't be used it asks no more: the rest of the demo needs none.
func (a *asker) tick(d time.Duration) {
	if a.store != nil && a.goOn(d) != nil {
		a.leave()
		a.store = nil
	}
}

func (a *asker) goOn(d time.Duration) error {
	if a.at == len(a.story.Asks) {
		return nil
	}
	act := &a.story.Asks[a.at]
	if a.asked != nil {
		end := a.asked.Ended()
		if end == nil {
			return nil
		}
		a.asked.Close()
		a.asked = nil
		return a.hears(act, end)
	}
	if !a.doing {
		a.doing = true
		if err := a.does(act.Doing); err != nil {
			return err
		}
	}
	if !a.working.done(act.Doing, a.story.Takes, d) {
		return nil
	}
	asked, err := a.store.Ask(a.ask(act))
	a.asked = asked
	if err == nil && act.Says != "" {
		return a.rest()
	}
	return err
}

// ask returns what an act asks.
func (a *asker) ask(act *askAct) ask.Ask {
	x := ask.Ask{Kind: ask.Question, Questions: act.Questions, Agent: a.story.Agent, Session: a.session, Project: a.dir, Dir: a.dir}
	switch {
	case act.Says != "":
		x.Kind, x.Text, x.Message = ask.Turn, ask.LastLine(act.Says), act.Says
	case act.Plan != "":
		title, _, _ := strings.Cut(strings.TrimLeft(act.Plan, "# "), "\n")
		x.Kind, x.Text, x.Plan = ask.Plan, "approve the plan: "+title, act.Plan
		if a.changes != "" {
			x.Plan += "\n## Changed as you said\n\n> " + strings.ReplaceAll(a.changes, "\n", "\n> ") + "\n"
		}
	case act.Call != nil:
		call := *act.Call
		for _, p := range danger.InCommand(call.Input, a.dir) {
			call.Dangers = append(call.Dangers, ask.Danger{Part: p.Text, Why: p.Why})
		}
		x.Kind, x.Call = ask.Permission, &call
		x.Text = call.Tool + ": " + strings.ReplaceAll(call.Input, "\n", "; ")
	}
	return x
}

// hears goes on as it was answered. A plan is shown again with what is to be changed; what was withdrawn is asked again.
func (a *asker) hears(act *askAct, end *ask.End) error {
	a.doing = false
	if end.State != ask.Answered {
		if act.Says != "" { // it was looked at
			a.at++
		}
		return nil
	}
	if err := a.store.Delivered(end.ID); err != nil {
		return err
	}
	asked := a.ask(act)
	said := strings.Join(asked.Said(end.Answer), ", ")
	does := act.Allowed
	if !end.Answer.Allow {
		does = act.Denied
	}
	if a.changes = ""; act.Plan != "" && end.Answer.Text != "" {
		a.changes = end.Answer.Text
	} else {
		a.at++
	}
	a.doing = true
	return a.does(strings.ReplaceAll(does, "$said", said))
}

// does has the session say what the agent does.
func (a *asker) does(what string) error {
	return a.store.UpdateSession(a.story.Agent, a.session, func(s *ask.Session, now time.Time) bool {
		s.SetState(model.SessionRunning, "", now)
		s.Title, s.Project, s.Dir, s.Process, s.Since = what, a.dir, a.dir, a.self, now
		return true
	})
}

// rest ends the turn of the session.
func (a *asker) rest() error {
	return a.store.UpdateSession(a.story.Agent, a.session, func(s *ask.Session, now time.Time) bool {
		s.SetState(model.SessionIdle, "", now)
		return true
	})
}

// leave takes back what is asked, and the session.
func (a *asker) leave() {
	if a.store == nil {
		return
	}
	if a.asked != nil {
		a.asked.Withdraw("the demo has ended")
		a.asked.Close()
	}
	a.store.EndSession(a.story.Agent, a.session)
	a.store.Forget(a.dir)
}
