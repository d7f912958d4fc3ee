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

// errEnded is the error for a session that is gone.
var errEnded = errors.New("the session has ended")

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
	// Door says whether words of a human can reach a session; nil if none can.
	Door func(*ask.Session) *model.Door
	// Send hands words of a human to a session; nil if nothing can.
	Send func(ctx context.Context, s *ask.Session, words, by string) error
	// Changes returns the diff of a directory against a commit.
	Changes func(ctx context.Context, dir, base string) (string, error)
}

// findSession returns the session of a node, or of the ask of a node.
func (a Answerer) findSession(node string) (*ask.Session, error) {
	snapshot := a.Snapshot()
	if id, ok := strings.CutPrefix(node, askPrefix); ok {
		item, err := a.Store.Get(id)
		if err != nil {
			return nil, err
		}
		return a.sessionOf(snapshot, item), nil
	}
	if id, ok := strings.CutPrefix(node, sessionPrefix); ok { // a subagent is below its session
		id, _, _ = strings.Cut(id, "/")
		node = sessionPrefix + id
	}
	for i := range snapshot.Sessions {
		if snapshot.Sessions[i].Node == node {
			return &snapshot.Sessions[i], nil
		}
	}
	return nil, cmp.Or(snapshot.Err, errEnded)
}

// sessionOf returns the session of an ask. For a session that has ended, or that asked without hooks, it has only the
// information in the ask.
func (a Answerer) sessionOf(snapshot *Snapshot, item *ask.Item) *ask.Session {
	if s := snapshot.Find(item.Agent, item.Session); s != nil {
		return s
	}
	s := &ask.Session{}
	s.Project, s.Dir, s.Agent, s.ID, s.Window = item.Project, item.Dir, item.Agent, item.Session, item.Window
	if a.Door != nil && item.Session != "" {
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
		if item.Kind == ask.Turn && a.Snapshot != nil {
			shown.Door = a.sessionOf(a.Snapshot(), item).Door
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
	by := cmp.Or(a.By, ask.ByDashboard)
	if strings.HasPrefix(id, sessionPrefix) {
		s, err := a.findSession(id)
		if err == nil && strings.TrimSpace(answer.Text) != "" {
			err = a.sendWords(ctx, s, answer.Text, by)
		}
		return nil, err
	}
	item, err := a.Store.Get(id)
	if err != nil {
		return nil, err
	}
	if item.State == ask.Waiting && a.Refuses != nil {
		if why := a.Refuses(&item.Ask); why != nil {
			return Ask(item), why
		}
	}
	switch {
	case item.Kind != ask.Turn || item.State != ask.Waiting:
		item, err = a.Store.Answer(id, answer, by)
	case strings.TrimSpace(answer.Text) == "": // looked at
		err = a.Store.Withdraw(&item.Ask, "seen by "+a.Store.User)
	default:
		var s *ask.Session
		if s, err = a.findSession(askPrefix + id); err == nil {
			s.Open, s.Held = item.ID, item.Held
			err = a.sendWords(ctx, s, answer.Text, by)
		}
	}
	if err == nil && item.Kind == ask.Turn {
		item, err = a.Store.Get(id)
	}
	if item == nil {
		return nil, err
	}
	return Ask(item), err
}

// sendWords hands words to a session.
func (a Answerer) sendWords(ctx context.Context, s *ask.Session, words, by string) error {
	if a.Send == nil {
		return errors.New("no reply can be sent here")
	}
	return a.Send(ctx, s, words, by)
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
	if a.Changes == nil {
		return "", errors.New("the working tree can't be compared here")
	}
	return a.Changes(ctx, s.Dir, s.Base)
}
