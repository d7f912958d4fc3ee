// Package hook carries events of agents' clients into the store, and answers of humans back to the clients.
//
//	client ──event, JSON──► contract: kind of event, question ──► store ◄── answer, given anywhere
//	client ◄──decision, JSON── contract ◄── how the ask ended ──────────┘
//
// One file per client holds its contract, as observed with the real client; the file names the version. Silence decides
// nothing: for an unknown event, an error, a deadline or a withdrawn ask nothing is printed, and the client's own
// prompt decides. Nothing is ever allowed permanently.
package hook

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"gatehouse/model"
	"gatehouse/model/line"
	"gatehouse/parse/agents/ask"
	"gatehouse/parse/agents/caller"
	"gatehouse/parse/agents/pane"
	"gatehouse/parse/agents/record"
	"gatehouse/parse/disk/process"
)

// Hook is one run of a hook.
type Hook struct {
	Store *ask.Store
	Env   func(name string) string
	Home  string
	// Project returns the root of the project of a directory, its real path.
	Project func(dir string) string
	// Head returns the commit that is checked out in a directory, "" if unknown.
	Head func(dir string) string
	// Daemon reports whether a dashboard answers a session of Codex through its app server, so that the hook must not hold it up.
	Daemon func(session string) bool
	// Print writes to the client. An error means that the client did not get it.
	Print func([]byte) error
}

// Run handles one event of a client, and waits for the answer if something is asked. When ctx ends the ask is withdrawn.
func (h *Hook) Run(ctx context.Context, client string, input []byte) error {
	i := slices.IndexFunc(contracts, func(c contract) bool { return c.name == client })
	if i < 0 {
		return fmt.Errorf("%s: unknown client; use %s", client, strings.Join(Clients(), ", "))
	}
	c := contracts[i]
	e, err := c.parseEvent(input, h.Env)
	if err != nil {
		return fmt.Errorf("%s: cannot read this event: %w; its own prompt decides", client, err)
	}
	if e.session = firstLine(line.Clean(e.session)); e.kind == nil || e.session == "" {
		return nil
	}
	if e.kind == promptSubmitted && e.subagent != "" {
		e.kind = subagentPrompted
	}
	r := run{Hook: h, contract: c, event: e}
	r.client, r.sure = caller.Named(c.name).ProcessAbove(h.Store.Table, h.Env)
	if owner := process.Owner(h.Store.Table, h.Store.Table.Self().PID); !r.sure && owner.PID != h.Store.Table.Self().PID {
		r.client = owner
	}
	if s := h.Store.Session(c.name, e.session); s != nil && r.sure && s.Process.PID > 0 && s.Process != r.client {
		r.second = process.LifeOf(h.Store.Table, s.Process) == process.Runs
	}
	if r.second && r.kind != askOpened {
		return nil // it neither ends nor renames the session of the window
	}
	return r.handleEvent(ctx)
}

// run is one event being handled.
type run struct {
	*Hook
	contract
	*event
	client process.ID // the process that runs the hook; zero if unknown
	sure   bool       // it is the client itself, not something that runs its hooks
	second bool       // the event comes from a process other than the session's: "claude --resume ID -p" while its window is open
}

// handleEvent processes an event.
func (r *run) handleEvent(ctx context.Context) error {
	if r.kind == promptSubmitted { // first the state, so that the session is never seen idle between
		err := r.updateSession(r.kind.state)
		r.withdrawAsks()
		return err
	}
	if r.kind.ends != "" {
		r.withdrawAsks()
	}
	switch r.kind {
	case sessionStarted:
		r.Store.Sweep()
	case turnFinished, turnFailed:
		r.Store.Sweep()
		return r.finishTurn(ctx)
	case promptShown:
		if slices.ContainsFunc(r.Store.WaitingOf(r.name, r.session), func(a ask.Ask) bool { return a.Kind != ask.Turn }) {
			return nil // the ask says more
		}
		if s := r.Store.Session(r.name, r.session); s != nil && s.State == model.SessionWaiting && s.Waits != "" {
			return nil // the hook of the call says more
		}
	case sessionEnded:
		r.Store.EndSession(r.name, r.session)
		r.Store.Sweep()
		return nil
	case askOpened:
		return r.awaitAnswer(ctx)
	}
	return r.updateSession(r.kind.state)
}

// withdrawAsks ends the open asks that an event settles. A completed call settles its asks, because the client's own prompt
// decided them; the end of a session settles all its asks; other events settle only asks of the session itself or of
// the subagent.
func (r *run) withdrawAsks() {
	for _, a := range r.Store.WaitingOf(r.name, r.session) {
		isSettled := !a.Kept && (a.Subagent == r.subagent || r.kind == sessionEnded)
		if a.Kind == ask.Turn && r.kind == sessionEnded && r.Env(ask.ReplyMark) != "" {
			continue // it received a reply, and its last words still wait
		}
		switch {
		case !isSettled || r.kind == toolFinished && (a.Use != r.use || a.Kind == ask.Turn):
		case a.Kind == ask.Turn && r.kind != sessionEnded:
			r.Store.Withdraw(&a, ask.ReasonWentOn)
		default:
			r.Store.Withdraw(&a, r.kind.ends)
		}
	}
}

// updateSession records the activity of the session. Calls are made every second, so they are written only if they change the
// state.
func (r *run) updateSession(state model.SessionState) error {
	if r.second {
		return nil
	}
	return r.Store.UpdateSession(r.name, r.session, func(s *ask.Session, now time.Time) bool {
		isCall := r.kind == toolFinished || r.kind == askOpened && state == model.SessionRunning
		if isCall && s.Project != "" && (s.State == state || r.subagent != s.Asker) { // other agents continue while a prompt is open
			return false
		}
		r.applyEvent(s, state, now)
		return true
	})
}

// applyEvent enters an event into a session.
func (r *run) applyEvent(s *ask.Session, state model.SessionState, now time.Time) {
	if state != "" && !r.resumed {
		waits, asker := "", ""
		if state == model.SessionWaiting {
			waits, asker = r.text, r.subagent
		}
		s.SetState(state, waits, now)
		s.Why, s.Asker = r.why, asker
	}
	addStep := func(field *string, kind, text string) {
		if text != "" {
			*field = text
			s.AddStep(kind, text, now)
		}
	}
	switch r.kind {
	case promptSubmitted:
		s.Turn = now
		if !record.IsMachinePrompt(r.text) {
			addStep(&s.Title, "prompt", firstLine(r.text))
		}
	case toolStarted:
		addStep(&s.Tool, "tool", r.tool)
	case turnFinished, turnFailed:
		addStep(&s.Words, "words", ask.LastLine(r.message))
	case subagentStarted:
		s.Agents = append(s.Agents, model.Subagent{ID: r.subagent, Type: r.agentType, Task: r.task, Began: now})
	case subagentEnded:
		s.Agents = slices.DeleteFunc(s.Agents, func(a model.Subagent) bool { return a.ID == r.subagent })
		if s.Asker != "" && s.Asker == r.subagent {
			s.SetState(model.SessionRunning, "", now)
			s.Asker = ""
		}
	}
	if s.Project == "" || s.Dir != r.dir && r.dir != "" || r.kind == sessionStarted {
		s.Dir, s.Project = r.dir, r.Project(r.dir)
	}
	if s.Base == "" && r.Head != nil {
		s.Base = r.Head(r.dir)
	}
	s.Model, s.Transcript = cmp.Or(r.model, s.Model), cmp.Or(r.transcript, s.Transcript)
	s.Kind, s.Finished, s.ReportsEnd = "", "", r.events["SessionEnd"] != nil
	if r.Env(claudeAttended) == "0" {
		s.Kind = "headless"
	}
	s.Process, s.Window = r.client, r.clientPane()
}

// clientPane returns the pane of the client.
func (r *run) clientPane() pane.Pane {
	info, _ := r.Store.Table.Look(r.client.PID)
	return pane.Of(r.Env, info.Terminal)
}

// newAsk returns an ask of this session.
func (r *run) newAsk(a ask.Ask) ask.Ask {
	a.Agent, a.Session, a.Subagent, a.Dir, a.Project = r.name, r.session, r.subagent, r.dir, r.Project(r.dir)
	if a.Window = r.clientPane(); r.sure {
		a.Owner = r.client
	}
	if mark := caller.Named(r.name).Session; mark != "" {
		a.Marks = map[string]string{mark: cmp.Or(r.Env(mark), r.session)}
	}
	return a
}
