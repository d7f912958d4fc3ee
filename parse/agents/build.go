package agents

// Sessions and asks as the nodes of a build.

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"gatehouse/model"
	"gatehouse/model/line"
	"gatehouse/parse/agents/ask"
)

// The prefixes of the IDs of nodes.
const (
	askPrefix     = "ask/"
	sessionPrefix = "session/"
)

// An agent prints an answer within deliverWithin, and for as long as toldFor it is told where one did not.
const (
	deliverWithin = 2 * time.Second
	toldFor       = time.Hour
)

// build returns the agents of some projects as a build, nil where there are none.
func (h *Heard) build(in func(project string) bool, now time.Time) *model.Build {
	b := &model.Build{ID: model.AgentsBuild, Protocol: model.AgentsBuild, Title: "Live agents", Waits: []model.Wait{}, Blockers: []model.Blocker{},
		Divergences: []model.Divergence{}, Problems: []model.Problem{}}
	running := slices.Clone(h.Sessions)
	running = slices.DeleteFunc(running, func(s ask.Session) bool { return !in(s.Project) })
	slices.SortFunc(running, func(a, b ask.Session) int { return cmp.Or(a.Began.Compare(b.Began), cmp.Compare(a.ID, b.ID)) })
	sessions := map[string]*model.Node{}
	for i := range running {
		n := nodeOfSession(&running[i])
		sessions[n.ID] = n
	}
	for i := range h.Asks {
		item := &h.Asks[i]
		switch {
		case !in(item.Project):
		case item.State == ask.Waiting:
			n := nodeOfAsk(item)
			b.Waits = append(b.Waits, model.Wait{Node: n.ID, Text: n.Title, Place: place(item), Evidence: model.Asked, Since: item.Since})
			if above := sessions[sessionPrefix+key(item.Agent, item.Session)]; above != nil {
				above.Children = append(above.Children, n)
			} else {
				b.Nodes = append(b.Nodes, n)
			}
		case item.State == ask.Answered && !item.Delivered && !item.Kept:
			tellLost(b, item, now)
		}
	}
	for i := range running {
		s := &running[i]
		n := sessions[sessionNode(s)]
		if blocked := s.Activity == ask.Blocked && len(n.Children) == 0; blocked {
			b.Waits = append(b.Waits, model.Wait{Node: n.ID, Text: inItsPrompt(s), Place: line.Tidy(s.Pane.String()), Evidence: model.Asked, Since: s.Since})
		}
		stand(n, s)
		b.Nodes = append(b.Nodes, n)
	}
	if len(b.Nodes)+len(b.Problems) == 0 && b.Turns.IsZero() {
		return nil
	}
	for _, n := range b.Nodes {
		if n.Updated.After(b.Freshness.Changed) {
			b.Freshness.Changed = n.Updated
		}
	}
	statusOf(b)
	b.MarkOld(now)
	return b
}

// statusOf sets the status of the build: what its agents do that want most.
func statusOf(b *model.Build) {
	count := map[model.Status]int{}
	for _, n := range b.Nodes {
		count[n.Status]++
		if b.Since.IsZero() || n.Since.After(b.Since) {
			b.Since = n.Since
		}
	}
	switch {
	case len(b.Waits) > 0:
		b.Status, b.Why = model.Waiting, "an agent waits for an answer"
	case count[model.Active] > 0:
		b.Status, b.Why = model.Active, "agents are at work"
	default:
		b.Status, b.Raw, b.Why = model.Pending, idle, "the agents wait for a prompt"
	}
}

// tellLost adds a problem about an answer that its agent has not printed, as soon as it had the time for it.
func tellLost(b *model.Build, item *ask.Item, now time.Time) {
	at := item.End.At
	switch since := now.Sub(at); {
	case since < deliverWithin:
		b.Turns = at.Add(deliverWithin)
	case since < toldFor:
		b.Problems = append(b.Problems, model.Problem{Severity: model.Warning,
			Text: fmt.Sprintf("%s has not been told the answer to %q (%s): it ended before it could hear it", item.Agent, item.Text, item.ID),
			Fix:  "tell it in its own prompt; gatehouse asks " + item.ID + " says what was answered"})
	}
}

// idle is the word for a session whose turn has ended.
const idle = "idle"

// nodeOfSession returns a session without what it asks.
func nodeOfSession(s *ask.Session) *model.Node {
	n := &model.Node{ID: sessionNode(s), Kind: model.KindSession, Number: line.Tidy(s.Agent), Title: line.Tidy(s.Doing), Since: s.Since, Updated: s.Since}
	if n.Title == "" {
		n.Title = "session " + short(s.ID)
	}
	for _, f := range []model.Fact{{Label: "in", Value: inDir(s.Project, s.Dir)}, {Label: "pane", Value: s.Pane.String()}, {Label: "session", Value: s.ID}} {
		if f.Value = line.Tidy(f.Value); f.Value != "" {
			n.Facts = append(n.Facts, f)
		}
	}
	return n
}

// stand sets how a session stands, by what it asks and what it tells.
func stand(n *model.Node, s *ask.Session) {
	switch {
	case len(n.Children) > 0:
		n.Status, n.Why, n.Since = model.Waiting, "it waits for an answer", n.Children[0].Since
	case s.Activity == ask.Blocked:
		n.Status, n.Why = model.Waiting, "its own prompt is open: only there it can be answered"
	case s.Activity == ask.Working:
		n.Status, n.Raw, n.Why = model.Active, string(ask.Working), "it works on its prompt"
	default:
		n.Status, n.Raw, n.Why = model.Pending, idle, "its turn has ended: it waits for a prompt"
	}
}

// inItsPrompt says that an agent asks where only its own terminal answers.
func inItsPrompt(s *ask.Session) string {
	if s.Waits == "" {
		return line.Tidy(s.Agent) + " asks in its own prompt"
	}
	return line.Tidy(s.Agent + " asks in its own prompt: " + s.Waits)
}

// nodeOfAsk returns an ask as the gate that it is.
func nodeOfAsk(item *ask.Item) *model.Node {
	a := Ask(item)
	n := &model.Node{ID: askPrefix + item.ID, Kind: model.KindGate, Title: a.Text, Status: model.Waiting, Raw: string(ask.Waiting), Since: item.Since, Updated: item.Since,
		Why:  a.Agent + " waits for the answer",
		Gate: &model.Gate{Approval: model.ApprovalHuman, Required: true, Asks: a.Text, Ask: a, Can: []model.Verb{model.VerbAnswer}}}
	if len(a.Questions) > 0 {
		n.Gate.Asks = a.Questions[0].Text
		for _, o := range a.Questions[0].Options {
			n.Gate.Options = append(n.Gate.Options, o.Label)
		}
	}
	if a.Call != nil {
		for _, d := range a.Call.Dangers {
			n.Facts = append(n.Facts, model.Fact{Label: "danger", Value: d.Part + ": " + d.Why})
		}
	}
	for _, f := range []model.Fact{{Label: "agent", Value: a.Agent}, {Label: "in", Value: inDir(a.Project, a.Dir)}, {Label: "pane", Value: a.Pane}, {Label: "id", Value: a.ID}} {
		if f.Value != "" {
			n.Facts = append(n.Facts, f)
		}
	}
	return n
}

// place says who asks, and where it can be seen.
func place(item *ask.Item) string {
	who := line.Tidy(item.Agent)
	if p := item.Pane.String(); p != "" {
		who += ", " + line.Tidy(p)
	}
	return who
}

// Ask returns an ask for the dashboard.
func Ask(item *ask.Item) *model.Ask {
	a := &model.Ask{
		ID: item.ID, Kind: item.Kind, State: item.State, Text: line.Tidy(item.Text), Questions: item.Questions, Plan: item.Plan, File: item.File, Call: item.Call,
		Agent: line.Tidy(item.Agent), Session: item.Session, Subagent: item.Subagent, Project: item.Project, Dir: item.Dir, Pane: line.Tidy(item.Pane.String()),
		Since: item.Since, Until: item.Until, Fate: fate(item), Delivered: item.Delivered,
	}
	if a.Text == "" {
		a.Text = "the agent asks something"
	}
	return a
}

// fate says how an ask has ended, "" while it waits.
func fate(item *ask.Item) string {
	e := item.End
	if e == nil {
		return ""
	}
	words := strings.Join(item.Said(orNone(e.Answer)), ", ")
	switch {
	case e.Answer == nil:
		return line.Tidy((&ask.Taken{End: *e}).Error())
	case words == "" && e.Answer.Allow:
		words = "yes"
	case words == "":
		words = "no"
	}
	return line.Tidy(fmt.Sprintf("%s has answered it, at %s (%s): %s", cmp.Or(e.Who, "somebody"), e.At.Local().Format(time.TimeOnly), e.By, words))
}

func orNone(a *ask.Answer) *ask.Answer {
	if a == nil {
		return &ask.Answer{}
	}
	return a
}

// session returns a session for the snapshot.
func session(s *ask.Session) model.Session {
	return model.Session{Node: sessionNode(s), Agent: line.Tidy(s.Agent), ID: line.Tidy(s.ID), State: stateOf(s), Title: line.Tidy(s.Doing), Waits: line.Tidy(s.Waits), Project: s.Project, Dir: s.Dir,
		Pane: line.Tidy(s.Pane.String()), Began: s.Began, Since: s.Since}
}

// stateOf returns the state of a session as its hooks tell it.
func stateOf(s *ask.Session) model.SessionState {
	switch s.Activity {
	case ask.Working:
		return model.SessionRunning
	case ask.Blocked:
		return model.SessionWaiting
	}
	return model.SessionIdle
}

// sessionNode returns the ID of a session's node.
func sessionNode(s *ask.Session) string { return sessionPrefix + key(s.Agent, s.ID) }

// short returns the beginning of a long ID.
func short(id string) string { return id[:min(len(id), 8)] }
