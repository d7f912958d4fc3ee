package tuitest

// A live agent that asks, and an answerer in memory.

import (
	"context"
	"errors"
	"strings"
	"time"

	"gatehouse/model"
)

// Answerer answers in memory.
type Answerer struct {
	Asks  map[string]*model.Ask // complete asks, by ID
	Taken map[string]string     // asks that others answer first: the message, by ID
	Lost  map[string]error      // asks whose answer gets lost: the error, by ID
	Given []model.Answer
	Went  []string
	// Changes is the diff of every working tree.
	Changes string
}

// NewAnswerer returns an answerer for the asks of [Asking].
func NewAnswerer() *Answerer {
	agent := model.Ask{State: model.AskWaiting, Agent: "claude", Session: "5e55", Project: "/src/lamp", Dir: "/src/lamp/web", Pane: "tmux %3", Since: Ago(3 * time.Minute)}
	one, several, plan, call := agent, agent, agent, agent
	one.ID, one.Kind, one.Text = "one00000", model.AskQuestion, "Which shade?"
	one.Questions = []model.Question{{Text: "Which shade?", Header: "Shade", Own: true, Options: []model.Option{{Label: "Paper", Description: "light", Preview: "a sheet\n  folded"}, {Label: "Cloth", Description: "warm"}}}}
	several.ID, several.Kind, several.Text = "several0", model.AskQuestion, "Which parts?"
	several.Questions = []model.Question{
		{Text: "Which parts?", Multi: true, Own: true, Options: []model.Option{{Label: "Hook"}, {Label: "Cord, 2 m"}, {Label: "Switch"}}},
		{Text: "Which name?", Options: []model.Option{{Label: "Lantern"}, {Label: "Lamp"}}},
	}
	plan.ID, plan.Kind, plan.Text, plan.Plan = "plan0000", model.AskPlan, "approve the plan: A lantern", "# A lantern\n\n"+strings.Repeat("1. Fold a grid.\n", 60)+"\nthe end\n"
	call.ID, call.Kind, call.Text = "call0000", model.AskPermission, "Bash: rm -rf shades"
	call.Call = &model.Call{Tool: "Bash", Input: "cd /tmp\nrm -rf shades", Reason: "Begin anew", Dangers: []model.Danger{{Part: "rm -rf shades", Why: "deletes without asking"}}}
	yesno := agent
	yesno.ID, yesno.Kind, yesno.Text, yesno.Agent = "yesno000", model.AskPermission, "Deploy now?", "script"
	a := &Answerer{Asks: map[string]*model.Ask{}, Taken: map[string]string{}}
	open := agent
	open.ID, open.Kind, open.Text, open.Agent = "open0000", model.AskQuestion, "What is it called?", "script"
	open.Questions = []model.Question{{Text: "What is it called?", Own: true}}
	open.Until, open.Then = Noon.Add(2*time.Minute), "then the script goes on without it"
	turn := agent
	turn.ID, turn.Kind, turn.Text = "turn0000", model.AskTurn, "Two ways: paper or cloth?"
	turn.Message = "# Two ways\n\n- **Paper** is light.\n- **Cloth** is warm.\n\n" + strings.Repeat("One more word.\n\n", 40) + "Which one?"
	turn.Door = &model.Door{Hears: "as your own message"}
	for _, x := range []model.Ask{one, several, plan, call, yesno, open, turn} {
		a.Asks[x.ID] = &x
	}
	return a
}

// TurnOf is the node of the session whose last turn is an ask of [NewAnswerer].
const TurnOf = "session/5e55"

// Snapshot returns the current state of the agents, with the given asks in that order.
func (a *Answerer) Snapshot(version uint64, ids ...string) *model.Snapshot {
	session := &model.Node{ID: TurnOf, Kind: model.KindSession, Number: "claude", Title: "build a lamp", Status: model.Active, Since: Ago(time.Hour),
		Session: &model.Session{Node: TurnOf, Agent: "claude", ID: "5e55", State: model.SessionRunning, Title: "build a lamp",
			Project: "/src/lamp", Dir: "/src/lamp/web", Branch: "main", Pane: "tmux %3", Since: Ago(time.Hour)}}
	b := &model.Build{ID: model.AgentsBuild, Protocol: model.AgentsBuild, Title: "Live agents", Status: model.Waiting, Nodes: []*model.Node{session}}
	for _, id := range ids {
		x := *a.Asks[id]
		if x.State != model.AskWaiting {
			continue
		}
		x.Plan, x.Message = "", ""
		w := model.Wait{Node: "ask/" + id, Text: x.Text, Place: "claude, tmux %3", Evidence: model.Asked, Since: x.Since, Deadline: x.Until, Then: x.Then}
		session.Session.State = model.SessionWaiting
		if x.Kind == model.AskTurn {
			session.Session.State, session.Session.Words = model.SessionTurn, x.Text
			w.Evidence, w.Standing = model.Turn, model.Standing{Status: model.YourTurn}
		}
		n := &model.Node{ID: "ask/" + id, Kind: model.KindGate, Title: x.Text, Status: model.Waiting, Since: x.Since,
			Gate: &model.Gate{Approval: model.ApprovalHuman, Required: true, Asks: x.Text, Ask: &x, Can: []model.Verb{model.VerbAnswer}}}
		session.Status = model.Waiting
		session.Children = append(session.Children, n)
		b.Waits = append(b.Waits, w)
	}
	return &model.Snapshot{Version: version, At: Noon, Projects: []*model.Project{{Root: "/src/lamp", Name: "lamp", Builds: []*model.Build{b}}}}
}

// Ask implements [model.Answerer].
func (a *Answerer) Ask(_ context.Context, id string) (*model.Ask, error) {
	x := a.Asks[turnOf(id)]
	if x == nil {
		return nil, errors.New("no such ask")
	}
	asked := *x
	return &asked, nil
}

// Answer implements [model.Answerer].
func (a *Answerer) Answer(_ context.Context, id string, answer model.Answer) (*model.Ask, error) {
	x := a.Asks[turnOf(id)]
	if how := a.Taken[id]; how != "" {
		x.State, x.Fate = model.AskAnswered, how
		return x, errors.New(how)
	}
	if err := a.Lost[id]; err != nil {
		return nil, err
	}
	a.Given = append(a.Given, answer)
	x.State = model.AskAnswered
	return x, nil
}

// turnOf returns the ID of an ask; the node of a session means its last turn.
func turnOf(id string) string {
	if id == TurnOf {
		return "turn0000"
	}
	return id
}

// Jump implements [model.Answerer].
func (a *Answerer) Jump(_ context.Context, id string) (note, command string) {
	a.Went = append(a.Went, id)
	return "went to tmux %3", ""
}

// Diff implements [model.Answerer].
func (a *Answerer) Diff(_ context.Context, _ string) (string, error) { return a.Changes, nil }
