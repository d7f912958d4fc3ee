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
	"errors"
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
	if e.kind == promptSubmitted && e.below.ID != "" {
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
		isSettled := !a.Kept && (a.Subagent == r.below.ID || r.kind == sessionEnded)
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
		if isCall && s.Project != "" && (s.State == state || r.below.ID != s.Asker) { // other agents continue while a prompt is open
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
			waits, asker = r.text, r.below.ID
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
		r.below.Began = now
		s.Agents = append(s.Agents, r.below)
	case subagentEnded:
		s.Agents = slices.DeleteFunc(s.Agents, func(a model.Subagent) bool { return a.ID == r.below.ID })
		if s.Asker != "" && s.Asker == r.below.ID {
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
	a.Agent, a.Session, a.Subagent, a.Dir, a.Project = r.name, r.session, r.below.ID, r.dir, r.Project(r.dir)
	if a.Window = r.clientPane(); r.sure {
		a.Owner = r.client
	}
	if mark := caller.Named(r.name).Session; mark != "" {
		a.Marks = map[string]string{mark: cmp.Or(r.Env(mark), r.session)}
	}
	return a
}

// finishTurn shows the last words of a turn until they are reviewed or replied to, or the agent continues. If a hook
// can hand over a reply, it waits for one.
func (r *run) finishTurn(ctx context.Context) error {
	if r.background {
		return r.updateSession(model.SessionRunning)
	}
	if s := r.Store.Session(r.name, r.session); s != nil && r.kind == turnFinished && s.State == model.SessionInterrupted {
		return nil // opencode reports the end of an interrupted turn, too
	}
	if r.message == "" && r.kind == turnFailed {
		r.message = "The turn failed: " + r.why
	}
	if strings.TrimSpace(r.message) == "" {
		return r.updateSession(r.kind.state)
	}
	turn, failed := r.Store.Ask(r.newAsk(ask.Ask{Ask: model.Ask{Kind: ask.Turn, Text: ask.LastLine(r.message), Message: r.message}}))
	err := r.updateSession(r.kind.state) // after the turn, so that the session is never seen idle before
	if failed != nil {
		return errors.Join(err, failed)
	}
	defer turn.Close()
	if r.kind != turnFinished || r.encodeReply == nil {
		return err
	}
	end, stays := turn.Await(ctx, r.goneReason(ctx))
	if stays != nil || end.State != ask.Answered {
		return err
	}
	if err := r.deliverAnswer(turn, r.encodeReply(end.Answer.Text)); err != nil {
		return err
	}
	return r.updateSession(model.SessionRunning)
}

// awaitAnswer opens the ask, waits for its end and prints the answer.
func (r *run) awaitAnswer(ctx context.Context) error {
	if r.holds && (!r.Store.Attended() || r.Daemon != nil && r.name == codex.name && r.Daemon(r.session)) {
		return r.updateSession(model.SessionWaiting) // its own prompt comes now
	}
	if !r.second {
		r.Store.WithdrawTurns(r.name, r.session, ask.ReasonWentOn)
	}
	asked, err := r.Store.Ask(r.newAsk(*r.ask))
	if err != nil {
		return errors.Join(err, r.updateSession(model.SessionWaiting))
	}
	defer asked.Close()
	updated := r.updateSession(model.SessionRunning)
	end, err := asked.Await(ctx, r.goneReason(ctx))
	if err != nil || end.State != ask.Answered {
		if end != nil && strings.HasPrefix(end.Reason, noDashboard) {
			updated = r.updateSession(model.SessionWaiting)
		}
		return errors.Join(err, updated)
	}
	return r.deliverAnswer(asked, r.print(end.Answer))
}

// deliverAnswer prints the output for an answer.
func (r *run) deliverAnswer(asked *ask.Asked, output []byte) error {
	if output == nil {
		return nil
	}
	if err := r.Print(output); err != nil {
		return fmt.Errorf("the answer did not reach %s: %w", r.name, err)
	}
	return r.Store.Delivered(asked.Ask.ID)
}

// noDashboard is why a hook ends that waits only for dashboards.
const noDashboard = "no dashboard is open any more"

// goneReason returns a function that returns why the client no longer waits for the hook, "" while it does.
func (r *run) goneReason(ctx context.Context) func() string {
	table, began := r.Store.Table, time.Now()
	self, _ := table.Look(table.Self().PID)
	// A sign has to be missing for some looks in a row, a second apart: for a moment between two prompts none is open.
	missing, wasOpen := 0, false
	isMissing := func(isThere bool, limit int) bool {
		if missing++; isThere {
			missing = 0
		}
		return missing >= limit
	}
	return func() string {
		now, _ := table.Look(self.PID)
		switch {
		case ctx.Err() != nil: // a signal: answered there, interrupted, or the deadline of the hook
			return fmt.Sprintf("%s stopped waiting after %s", r.name, time.Since(began).Round(time.Second))
		case r.client.PID > 0 && process.LifeOf(table, r.client) == process.Gone:
			return r.name + " has ended"
		case r.client.PID == 0 && now.Parent != self.Parent:
			return "the process that ran the hook has ended"
		case r.holds && isMissing(r.Store.Attended(), 2):
			return noDashboard + ": " + r.name + " asks in its own prompt"
		case r.holds || r.ask == nil || r.name != claude.name:
			return ""
		}
		session, state := record.ClaudeState(r.Home, r.Env, r.client.PID)
		known, open := session == r.session && state != "", state == model.SessionWaiting
		wasOpen = wasOpen || known && open
		if isMissing(open || !known || !wasOpen, 3) {
			return ask.ReasonTerminal
		}
		return ""
	}
}
