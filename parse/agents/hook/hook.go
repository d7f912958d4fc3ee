// Package hook carries events of agents' clients into the store, and answers of humans back to the clients.
//
//	client ──event, JSON──► contract: which event, what is asked ──► store ◄── answer, given anywhere
//	client ◄──decision, JSON── contract ◄── how the ask ended ──────────┘
//
// One file per client holds its contract, as observed with the real client; the file names the version. Silence decides nothing: for an
// unknown event, an error, a deadline or a withdrawn ask nothing is printed, and the client's own prompt decides. Nothing is ever allowed
// for good.
package hook

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"gatehouse/model"
	"gatehouse/model/line"
	"gatehouse/parse/agents/ask"
	"gatehouse/parse/agents/pane"
	"gatehouse/parse/disk/process"
)

// contract is how one client speaks.
type contract struct {
	name string
	// parse returns what an input says, an event of kind ignored for inputs without meaning here.
	parse func(input []byte, env func(string) string) (*event, error)
	// mark is the environment variable with the session's ID that everything run in a session has; "" if there is none.
	mark string
	// pid is the variable with the client's process ID, "" if there is none.
	pid string
	// promptOpen reports whether the client's own prompt is still open, by the client's records; nil if it has none.
	promptOpen func(h *Hook, client process.ID, session string) (open, known bool)
	// encodeReply returns the output that hands words to a session whose turn has finished; nil if hooks of the client can't.
	encodeReply func(words string) []byte
}

var contracts = []contract{claude, codex, opencode, gemini}

// Clients returns the names of the clients that have hooks.
func Clients() []string {
	var names []string
	for _, c := range contracts {
		names = append(names, c.name)
	}
	return names
}

// Hook is one run of a hook.
type Hook struct {
	Store *ask.Store
	Table process.Table
	Env   func(name string) string
	Home  string
	// Project returns the root of the project of a directory, its real path.
	Project func(dir string) string
	// Head returns the commit that is checked out in a directory, "" if unknown.
	Head func(dir string) string
	// Turns reports whether the user wants finished turns listed. Called only at the end of turns; nil means yes.
	Turns func() bool
	// WaitsForReply reports whether the user wants a finished turn of Claude Code to wait for a reply. Called only at the end of turns.
	WaitsForReply func() bool
	// Deadline returns how long the client lets a permission hook run, 0 for no limit that matters.
	Deadline func(client, dir string) time.Duration
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
	e, err := c.parse(input, h.Env)
	if err != nil {
		return fmt.Errorf("%s: cannot read this event: %w; its own prompt decides", client, err)
	}
	if e.session = firstLine(line.Clean(e.session)); e.kind == ignored || e.session == "" {
		return nil
	}
	r := run{Hook: h, contract: c, event: e}
	r.client, r.sure = c.processAbove(h.Table, h.Env)
	if owner := process.Owner(h.Table, h.Table.Self().PID); !r.sure && owner.PID != h.Table.Self().PID {
		r.client = owner
	}
	return r.handle(ctx)
}

// run is one event being handled.
type run struct {
	*Hook
	contract
	*event
	client process.ID // the process that runs the hook; zero if unknown
	sure   bool       // it is the client itself, not something that runs its hooks
	second bool       // it is a second process of the session: "claude --resume ID -p" beside its open window
}

// handle does what an event asks for. Of a second process only asks count: the window of the session goes on as it was.
func (r *run) handle(ctx context.Context) error {
	if s := r.Store.Session(r.name, r.session); s != nil {
		r.second = r.isSecondProcess(s)
	}
	if r.second && r.kind != askOpened {
		return nil
	}
	switch r.kind {
	case sessionStarted:
		r.Store.Sweep()
	case promptSubmitted:
		if r.subagent == "" {
			r.withdraw("the agent was given a new prompt", r.isMain)
		}
	case toolFinished:
		r.settle()
	case interrupted:
		r.withdraw("the turn was interrupted", r.isMain)
	case turnFinished, turnFailed:
		return r.finishTurn(ctx)
	case subagentEnded:
		r.withdraw("the agent below it has ended", func(a *ask.Ask) bool { return a.Subagent == r.subagent })
	case promptShown:
		if slices.ContainsFunc(r.Store.WaitingOf(r.name, r.session), func(a ask.Ask) bool { return a.Kind != ask.Turn }) {
			return nil // the ask says more
		}
		if s := r.Store.Session(r.name, r.session); s != nil && s.State == model.SessionWaiting && s.Waits != "" {
			return nil // the hook of the call says more
		}
	case sessionEnded:
		r.withdraw("the agent's session has ended", func(*ask.Ask) bool { return true })
		r.Store.EndSession(r.name, r.session)
		r.Store.Sweep()
		return nil
	case askOpened:
		return r.await(ctx)
	}
	return r.update(stateAfter(r.kind), r.text)
}

// isMain reports whether an ask is of the session itself. Agents below it go on when its turn ends.
func (r *run) isMain(a *ask.Ask) bool { return a.Subagent == "" }

// withdraw ends open asks of the session, finished turns included.
func (r *run) withdraw(why string, which func(*ask.Ask) bool) {
	for _, a := range r.Store.WaitingOf(r.name, r.session) {
		switch {
		case a.Kept || !which(&a):
		case a.Kind == ask.Turn:
			r.Store.Withdraw(&a, ask.ReasonWentOn)
		default:
			r.Store.Withdraw(&a, why)
		}
	}
}

// settle ends the asks about a call that was made: the client's own prompt decided it.
func (r *run) settle() {
	for _, a := range r.Store.WaitingOf(r.name, r.session) {
		switch {
		case a.Use != r.use || a.Subagent != r.subagent || a.Kind == ask.Turn:
		case r.elsewhere == nil:
			r.Store.Withdraw(&a, ask.ReasonTerminal)
		default:
			r.Store.AnsweredElsewhere(&a, *r.elsewhere, ask.ByTerminal)
		}
	}
}

// isSecondProcess reports whether the event comes from another process than the one that runs the session.
func (r *run) isSecondProcess(s *ask.Session) bool {
	return r.sure && s.Process.PID > 0 && s.Process != r.client && process.LifeOf(r.Table, s.Process) == process.Runs
}

// update records what the session does. Calls are made every second, so they are written only if they change the state.
func (r *run) update(state model.SessionState, waits string) error {
	if r.second {
		return nil
	}
	return r.Store.UpdateSession(r.name, r.session, func(s *ask.Session, now time.Time) bool {
		if r.kind == toolFinished || r.kind == askOpened && state == model.SessionRunning {
			below := r.subagent != "" // goes on beside an open prompt
			if s.Project != "" && (s.State == state || below) {
				return false
			}
		}
		r.apply(s, state, waits, now)
		return true
	})
}

// apply enters an event into a session.
func (r *run) apply(s *ask.Session, state model.SessionState, waits string, now time.Time) {
	if state != model.SessionWaiting {
		waits = ""
	}
	keepsState := state == "" || r.kind == sessionStarted && r.resumed || r.kind == promptSubmitted && r.subagent != ""
	if !keepsState {
		s.SetState(state, waits, now)
		s.Why = r.why
	}
	switch r.kind {
	case promptSubmitted:
		if r.subagent != "" {
			break
		}
		s.TurnBegan = now
		if title := titleOf(r.text); title != "" {
			s.Title = title
			s.AddStep("prompt", title, now)
		}
	case toolStarted:
		s.Tool = r.tool
		s.AddStep("tool", r.tool, now)
	case turnFinished, turnFailed:
		if r.message != "" {
			s.Words = ask.LastLine(r.message)
			s.AddStep("words", s.Words, now)
		}
	case subagentStarted:
		s.Agents = append(s.Agents, model.Subagent{ID: r.subagent, Type: r.agentType, Task: r.task, Began: now})
	case subagentEnded:
		s.Agents = slices.DeleteFunc(s.Agents, func(a model.Subagent) bool { return a.ID == r.subagent })
	}
	if s.Project == "" || s.Dir != r.dir && r.dir != "" || r.kind == sessionStarted {
		s.Dir, s.Project = r.dir, r.Project(r.dir)
	}
	if s.Base == "" && r.Head != nil {
		s.Base = r.Head(r.dir)
	}
	if r.model != "" {
		s.Model = r.model
	}
	if r.transcript != "" {
		s.Transcript = r.transcript
	}
	s.Headless = r.Env(claudeAttended) == "0"
	s.Process, s.Pane = r.client, r.pane()
}

// pane returns where the client is seen.
func (r *run) pane() pane.Pane {
	info, _ := r.Table.Look(r.client.PID)
	return pane.Of(r.Env, info.Terminal)
}

// newAsk returns an ask of this session.
func (r *run) newAsk(a ask.Ask) ask.Ask {
	a.Agent, a.Session, a.Subagent, a.Dir, a.Project = r.name, r.session, r.subagent, r.dir, r.Project(r.dir)
	if a.Pane = r.pane(); r.sure {
		a.Owner = r.client
	}
	if r.contract.mark != "" {
		a.Marks = map[string]string{r.contract.mark: r.session}
		if marked := r.Env(r.contract.mark); marked != "" {
			a.Marks[r.contract.mark] = marked
		}
	}
	return a
}

// finishTurn shows the last words of a turn until they are looked at, replied to, or the agent goes on. If a hook can hand over a reply,
// it waits for one.
func (r *run) finishTurn(ctx context.Context) error {
	r.withdraw("the agent's turn has ended", r.isMain)
	r.Store.Sweep()
	if r.background {
		return r.update(model.SessionRunning, "")
	}
	state := stateAfter(r.kind)
	if s := r.Store.Session(r.name, r.session); s != nil && state == model.SessionIdle && s.State == model.SessionInterrupted {
		return nil // opencode reports the end of an interrupted turn, too
	}
	if strings.TrimSpace(r.message) == "" && r.kind != turnFailed || r.Turns != nil && !r.Turns() {
		return r.update(state, "")
	}
	if r.message == "" {
		r.message = "The turn failed: " + r.why
	}
	turn, failed := r.Store.Ask(r.newAsk(ask.Ask{Kind: ask.Turn, Text: ask.LastLine(r.message), Message: r.message}))
	err := r.update(state, "") // after the turn, so that the session is never seen idle before
	if failed != nil {
		return errors.Join(err, failed)
	}
	defer turn.Close()
	if r.kind != turnFinished || r.encodeReply == nil || !r.canReply() {
		return err
	}
	end := turn.AwaitTurn(ctx, r.stopsWaiting())
	if end == nil || end.State != ask.Answered {
		return err
	}
	if err := r.Print(r.encodeReply(end.Answer.Text)); err != nil {
		return fmt.Errorf("the reply did not reach %s: %w", r.name, err)
	}
	return errors.Join(r.Store.Delivered(turn.Ask.ID), r.update(model.SessionRunning, ""))
}

// canReply reports whether this hook may wait for a reply. Claude Code shows a running hook meanwhile and queues what its user types, so
// it waits only if the user wants that, and only without a window or with an open dashboard.
func (r *run) canReply() bool {
	if r.name != claude.name {
		return true
	}
	return r.WaitsForReply != nil && r.WaitsForReply() && (r.Env(claudeAttended) == "0" || r.Store.Attended())
}

// stopsWaiting returns a function that reports whether a hook no longer waits for a reply.
func (r *run) stopsWaiting() func() bool {
	missing := 0
	return func() bool {
		if r.client.PID > 0 && process.LifeOf(r.Table, r.client) == process.Gone {
			return true
		}
		if missing++; r.name != claude.name || r.Env(claudeAttended) == "0" || r.Store.Attended() {
			missing = 0
		}
		return missing >= confirmLooks
	}
}

// await opens the ask, waits for its end and prints the answer.
func (r *run) await(ctx context.Context) error {
	if r.holds && (!r.Store.Attended() || r.Daemon != nil && r.name == codex.name && r.Daemon(r.session)) {
		return r.update(model.SessionWaiting, r.ask.Text) // its own prompt comes now
	}
	a := r.newAsk(*r.ask)
	if r.Deadline != nil {
		if limit := r.Deadline(r.name, r.dir); limit > 0 {
			a.Until, a.Then = time.Now().Add(limit), "then its own prompt decides"
		}
	}
	if !r.second {
		r.Store.WithdrawTurns(r.name, r.session, ask.ReasonWentOn)
	}
	asked, err := r.Store.Ask(a)
	if err != nil {
		return errors.Join(err, r.update(model.SessionWaiting, r.ask.Text))
	}
	defer asked.Close()
	updated := r.update(model.SessionRunning, "")
	end, err := asked.Await(ctx, r.gone(ctx))
	if err != nil || end.State != ask.Answered {
		return errors.Join(err, updated)
	}
	text := r.print(end.Answer)
	if text == nil {
		return nil
	}
	if err := r.Print(text); err != nil {
		return fmt.Errorf("the answer did not reach %s: %w", r.name, err)
	}
	return r.Store.Delivered(asked.Ask.ID)
}

// confirmLooks is how many looks in a row, a second apart, have to miss a sign before it counts as gone: between two prompts a client
// reports for a moment that none is open.
const confirmLooks = 2

// gone returns a function that returns why the client no longer waits for the answer, "" while it does.
func (r *run) gone(ctx context.Context) func() string {
	parent, _ := r.Table.Look(r.Table.Self().PID)
	began := time.Now()
	var opened bool
	var closed, unattended int
	return func() string {
		if ctx.Err() != nil { // a signal: answered there, interrupted, or the deadline of the hook
			return fmt.Sprintf("%s stopped waiting after %s", r.name, time.Since(began).Round(time.Second))
		}
		if r.client.PID > 0 {
			if process.LifeOf(r.Table, r.client) == process.Gone {
				return r.name + " has ended"
			}
		} else if now, _ := r.Table.Look(r.Table.Self().PID); now.Parent != parent.Parent {
			return "the process that ran the hook has ended"
		}
		switch {
		case r.holds:
			if unattended++; r.Store.Attended() {
				unattended = 0
			}
			if unattended >= confirmLooks {
				r.update(model.SessionWaiting, r.ask.Text)
				return "no dashboard is open any more: " + r.name + " asks in its own prompt"
			}
		case r.promptOpen != nil:
			open, known := r.promptOpen(r.Hook, r.client, r.session)
			opened = opened || known && open
			if closed++; !known || open || !opened {
				closed = 0
			}
			if closed > confirmLooks {
				return ask.ReasonTerminal
			}
		}
		return ""
	}
}
