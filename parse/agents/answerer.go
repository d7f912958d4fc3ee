package agents

import (
	"cmp"
	"context"
	"errors"
	"strings"

	"gatehouse/model"
	"gatehouse/parse/agents/ask"
	"gatehouse/parse/agents/pane"
)

// Answerer answers through the store, for the dashboard and for commands.
type Answerer struct {
	Store *ask.Store
	By    string // for the journal; default [ask.ByDashboard]
	// Snapshot returns the current state of agents.
	Snapshot func() *Snapshot
	// Go brings a pane into view.
	Go func(ctx context.Context, to pane.Pane) (said, command string)
	// Refuses returns why this process may not answer an ask, nil if it may: an agent does not answer itself in a dashboard that it opened.
	Refuses func(*ask.Ask) error
	// Door says whether words of a human can reach a session.
	Door func(*ask.Session) *model.Door
	// Send hands words of a human to a session.
	Send func(ctx context.Context, s *ask.Session, words, by string) error
	// Changes returns the diff of a directory against a commit.
	Changes func(ctx context.Context, dir, base string) (string, error)
}

// findSession returns the session of a node, or of the ask of a node.
func (a Answerer) findSession(node string) (*ask.Session, error) {
	if id, ok := strings.CutPrefix(node, askPrefix); ok {
		item, err := a.Store.Get(id)
		if err != nil {
			return nil, err
		}
		return a.sessionOf(item), nil
	}
	snapshot := a.Snapshot()
	for i := range snapshot.Sessions {
		if s := &snapshot.Sessions[i]; s.Node == node || strings.HasPrefix(node, s.Node+"/") { // a subagent is below its session
			return s, nil
		}
	}
	return nil, cmp.Or(snapshot.Err, errors.New("the session has ended"))
}

// sessionOf returns the session of an ask.
func (a Answerer) sessionOf(item *ask.Item) *ask.Session {
	s := a.Snapshot().SessionOf(item)
	if s.Door == nil && s.ID != "" {
		s.Door = a.Door(s)
	}
	return s
}

// Ask implements [model.Answerer].
func (a Answerer) Ask(_ context.Context, id string) (*model.Ask, error) {
	if !strings.HasPrefix(id, sessionPrefix) {
		item, err := a.Store.Get(id)
		if err != nil {
			return nil, err
		}
		shown := Ask(item)
		if item.Kind == ask.Turn {
			shown.Door = a.sessionOf(item).Door
		}
		return shown, nil
	}
	s, err := a.findSession(id)
	if err != nil {
		return nil, err
	}
	turn := &model.Ask{
		ID: s.Node, Kind: model.AskTurn, State: model.AskWaiting, Text: cmp.Or(s.Words, "no last words are known"),
		Message: cmp.Or(s.Message, s.Words), Agent: s.Agent, Session: s.ID,
		Project: s.Project, Dir: s.Dir, Pane: s.Pane, Since: s.Since, Door: s.Door,
	}
	return turn, nil
}

// Answer implements [model.Answerer].
func (a Answerer) Answer(ctx context.Context, id string, answer model.Answer) (*model.Ask, error) {
	by, isSeen := cmp.Or(a.By, ask.ByDashboard), strings.TrimSpace(answer.Text) == ""
	if strings.HasPrefix(id, sessionPrefix) {
		s, err := a.findSession(id)
		if err == nil && !isSeen {
			err = a.Send(ctx, s, answer.Text, by)
		}
		return nil, err
	}
	item, err := a.Store.Get(id)
	if err != nil {
		return nil, err
	}
	if item.State == ask.Waiting {
		if err := a.Refuses(&item.Ask); err != nil {
			return Ask(item), err
		}
	}
	switch {
	case item.Kind != ask.Turn || item.State != ask.Waiting:
		item, err = a.Store.Answer(id, answer, by)
	case isSeen:
		err = a.Store.Withdraw(&item.Ask, "seen by "+a.Store.User)
	default:
		err = a.Send(ctx, a.sessionOf(item), answer.Text, by)
	}
	if err == nil && item.Kind == ask.Turn {
		item, err = a.Store.Get(id)
	}
	if item == nil {
		return nil, err
	}
	return Ask(item), err
}

// Jump implements [model.Answerer].
func (a Answerer) Jump(ctx context.Context, node string) (said, command string) {
	s, err := a.findSession(node)
	if err != nil {
		return err.Error(), ""
	}
	return a.Go(ctx, s.Window)
}

// Diff implements [model.Answerer].
func (a Answerer) Diff(ctx context.Context, node string) (string, error) {
	s, err := a.findSession(node)
	if err != nil {
		return "", err
	}
	return a.Changes(ctx, s.Dir, s.Base)
}
