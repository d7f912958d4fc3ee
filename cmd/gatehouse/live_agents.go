package main

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"gatehouse/parse"
	"gatehouse/parse/agents"
	"gatehouse/parse/agents/ask"
	"gatehouse/parse/agents/codex"
	"gatehouse/parse/agents/pane"
	"gatehouse/parse/agents/record"
	"gatehouse/parse/agents/worktree"
	"gatehouse/parse/disk/process"
)

// scopeOf returns where live agents are shown for named directories and files, without any for the current directory: below them,
// and in their projects.
func (s *env) scopeOf(dirs []string) (scope parse.AgentScope) {
	if len(dirs) == 0 {
		dirs = []string{"."}
	}
	for _, dir := range dirs {
		if abs, err := filepath.Abs(dir); err == nil {
			scope.Below, scope.Projects = append(scope.Below, realPath(abs)), append(scope.Projects, s.projectOf(abs))
		}
	}
	return scope
}

// agentOptions returns how live agents are read.
func (s *env) agentOptions() agents.Options {
	return agents.Options{
		Store:   s.user.Asks,
		Records: record.NewReader(s.user.Asks, s.user.Home, s.getenv),
		Project: s.projectOf, Branch: worktree.Branch,
		Door: s.openDoors().Of,
	}
}

// countWithin bounds how long a command counts changed lines.
const countWithin = 500 * time.Millisecond

// readAgentsOnce prepares reading live agents for a command that reads them once.
func (s *env) readAgentsOnce() {
	s.user.Agents = func() *agents.Reader {
		o, end := s.agentOptions(), time.Now().Add(countWithin)
		o.Lines = func(dir, base string, _ time.Time) (added, removed int) {
			ctx, stop := context.WithDeadline(context.Background(), end)
			defer stop()
			added, removed, _ = worktree.Count(ctx, dir, base)
			return added, removed
		}
		return agents.NewReader(o)
	}
}

// followAgents prepares reading live agents for a dashboard, until ctx ends. Questions of Codex come from its app server; if asks is true,
// they can be answered here.
func (s *env) followAgents(ctx context.Context, asks bool) {
	changed := make(chan struct{}, 1)
	notify := func() {
		select {
		case changed <- struct{}{}:
		default:
		}
	}
	counter := worktree.NewCounter(ctx, notify)
	bridge := &codex.Bridge{Socket: codex.Socket(s.user.Home, s.getenv), Project: s.projectOf, Changed: notify}
	if asks {
		bridge.Store = s.user.Asks
	}
	go bridge.Run(ctx)
	s.user.AgentsChanged = changed
	s.user.Agents = func() *agents.Reader {
		o := s.agentOptions()
		o.Lines = counter.Lines
		o.More = bridge.Sessions
		return agents.NewReader(o)
	}
}

// currentAgents returns the asks and sessions of live agents. It is safe for concurrent use.
func (s *env) currentAgents() *agents.Snapshot {
	if s.user.Asks == nil {
		return &agents.Snapshot{}
	}
	s.agentLock.Lock()
	defer s.agentLock.Unlock()
	if s.agentReader == nil {
		if s.user.Agents == nil {
			s.readAgentsOnce()
		}
		s.agentReader = s.user.Agents()
		s.agentReader.Lines = nil // neither asks nor dialogs show changed lines
	}
	return s.agentReader.Read()
}

// newAnswerer returns the dashboard's answerer. The store records who answers.
func (s *env) newAnswerer(store *ask.Store) agents.Answerer {
	return agents.Answerer{
		Store: store, Snapshot: s.currentAgents, Changes: worktree.Diff,
		Go: func(ctx context.Context, to pane.Pane) (message, command string) {
			way := s.goTo(ctx, to)
			return way.Said, way.Type
		},
		Refuses: func(a *ask.Ask) error {
			if a.Asker == s.processes.Self() { // this dashboard asks for Codex, or as the demo's agent
				own := *a
				own.Asker, own.Runner, a = process.ID{}, process.ID{}, &own
			}
			return s.checkAnswerer(&ask.Item{Ask: *a})
		},
		Door: s.openDoors().Of,
		Send: func(ctx context.Context, x *ask.Session, words, by string) error {
			if err := s.refusesReply(x); err != nil {
				return err
			}
			doors := s.openDoors()
			doors.Store = store
			return doors.Send(ctx, x, x.Open, words, by)
		},
	}
}

// agentSession returns the session that a word selects: the ID of a session, of its finished turn or of another ask of it, or a prefix of
// one.
func (s *env) agentSession(word string) (*ask.Session, error) {
	item, err := s.askOf(word)
	if err != nil && !errors.Is(err, ask.ErrNone) {
		return nil, err
	}
	snapshot := s.currentAgents()
	for i := range snapshot.Asks { // an ended session is found by its asks
		if a := &snapshot.Asks[i]; item == nil && word != "" && a.Session == word {
			item = a
		}
	}
	if item != nil {
		return snapshot.SessionOf(item), nil
	}
	var found []*ask.Session
	for i := range snapshot.Sessions {
		if x := &snapshot.Sessions[i]; word != "" && strings.HasPrefix(x.ID, word) {
			found = append(found, x)
		}
	}
	if len(found) == 1 {
		return found[0], nil
	}
	return nil, usageError{fmt.Errorf("%q: not the ID of one session, turn or ask, or its beginning; gatehouse status lists sessions", word)}
}
