// Package hook speaks with the clients of agents: what a client's hook is told on standard input becomes asks and sessions, and a
// human's answer becomes what the hook prints.
//
//	client ──event, JSON──► contract: which event, what is asked ──► store ◄── answer, elsewhere
//	client ◄──decision, JSON── contract ◄── how the ask ended ──────────┘
//
// One file a client holds its contract, as it was found by trying the real one (the version is named there). Silence decides nothing: an
// event that is not understood, an error, a time that is up, an ask that is withdrawn print nothing, and the client's own prompt
// stays what it is. Nothing is ever allowed for good.
package hook

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"gatehouse/model/line"
	"gatehouse/parse/agents/ask"
	"gatehouse/parse/agents/pane"
	"gatehouse/parse/disk/process"
)

// what a client tells.
type what int

const (
	nothing     what = iota
	began            // a session has begun
	prompted         // it was given a prompt, and works
	asked            // it asks for something
	ran              // a call was done, so that nothing is asked about it any more
	stopped          // its turn has ended
	substopped       // that of an agent below it has
	interrupted      // somebody has stopped it
	noticed          // its own prompt shows that it waits
	over             // the session has ended
)

// event is what a client tells, in the terms of the store.
type event struct {
	what     what
	session  string
	dir      string
	subagent string
	text     string   // a prompt, or what its own prompt says
	ask      *ask.Ask // of asked, without what the surroundings tell
	use      string   // of ran: the Use of the asks that it settles
	// elsewhere is, of ran, what was decided in the client's own prompt; nil where that is not told.
	elsewhere *ask.Answer
	// holds says, of asked, that the client shows its own prompt only when the hook is done.
	holds bool
	// prints returns what the client is to be told; nil for nothing.
	prints func(a *ask.Answer) []byte
}

// contract is one client.
type contract struct {
	name string
	// reads returns what an input says; an event of nothing for one that is none of ours.
	reads func(input []byte, env func(string) string) (*event, error)
	// mark is the variable that everything has which runs in a session, with its ID; "" where the client sets none.
	mark string
	// pid is the variable that names the client's process, "" where it sets none.
	pid string
	// prompts reports whether the client's own prompt is still open, as the client says itself; nil where it does not say.
	prompts func(h *Hook, client process.ID, session string) (open, known bool)
}

var contracts = []contract{claude, codex, opencode, gemini}

// Clients returns the names of the clients there are hooks for.
func Clients() []string {
	var names []string
	for _, c := range contracts {
		names = append(names, c.name)
	}
	return names
}

// Caller is the agent in whose session a process runs.
type Caller struct {
	Agent   string            // name of its client
	Session string            // "" where it is not known
	Marks   map[string]string // what the environment says of the session
	Process process.ID        // of the client; zero where it is not known
}

// The variables by which any agent that has no hooks here can say that what it runs is of its session.
const (
	ownSession = "GATEHOUSE_SESSION"
	ownAgent   = "GATEHOUSE_AGENT"
)

// Called returns the agent that this process runs in a session of, as the environment says it, or the names of the programs above it; ok
// is false where none is known.
func Called(table process.Table, env func(string) string) (by Caller, ok bool) {
	if session := env(ownSession); session != "" {
		return Caller{Agent: cmp.Or(env(ownAgent), "script"), Session: session, Marks: map[string]string{ownSession: session}}, true
	}
	for _, c := range contracts {
		if c.mark != "" && env(c.mark) != "" {
			by = Caller{Agent: c.name, Session: env(c.mark), Marks: map[string]string{c.mark: env(c.mark)}}
			by.Process, _ = c.above(table, env)
			return by, true
		}
	}
	for _, c := range contracts {
		if by.Process, ok = c.above(table, env); ok {
			by.Agent = c.name
			return by, true
		}
	}
	return by, false
}

// above returns the client's process above this one: the one that its environment names, or else one with the name of its program.
func (c *contract) above(table process.Table, env func(string) string) (process.ID, bool) {
	pid := 0
	if c.pid != "" {
		fmt.Sscan(env(c.pid), &pid)
	}
	for p := range process.Ancestors(table, table.Self().PID) {
		if p.PID != table.Self().PID && (p.PID == pid || p.Name == c.name) {
			return p.ID, true
		}
	}
	return process.ID{}, false
}

// Hook is one run of a hook.
type Hook struct {
	Store *ask.Store
	Table process.Table
	Env   func(name string) string
	Home  string
	// Project returns the root of the project that a directory belongs to, its real path.
	Project func(dir string) string
	// Print writes to the client. Its error says that nobody has heard it.
	Print func([]byte) error
}

// Run takes one event of a client, and waits for an answer where something is asked. When ctx ends, the ask is withdrawn.
func (h *Hook) Run(ctx context.Context, client string, input []byte) error {
	i := slices.IndexFunc(contracts, func(c contract) bool { return c.name == client })
	if i < 0 {
		return fmt.Errorf("%s: there are no hooks for such a client; there is %s", client, strings.Join(Clients(), ", "))
	}
	c := contracts[i]
	e, err := c.reads(input, h.Env)
	if err != nil {
		return fmt.Errorf("%s: this event is not understood: %w; its own prompt decides", client, err)
	}
	if e.session = firstLine(line.Clean(e.session)); e.what == nothing || e.session == "" {
		return nil
	}
	r := run{Hook: h, contract: c, event: e}
	r.client, r.sure = c.above(h.Table, h.Env)
	if owner := process.Owner(h.Table, h.Table.Self().PID); !r.sure && owner.PID != h.Table.Self().PID {
		r.client = owner
	}
	return r.take(ctx)
}

// run is one event being taken.
type run struct {
	*Hook
	contract
	*event
	client process.ID // that runs the hook; zero where it is not known
	sure   bool       // it is the client, and not something else that runs its hook
}

// take does what an event asks for.
func (r *run) take(ctx context.Context) error {
	switch r.what {
	case began:
		r.Store.Sweep()
		return r.update(ask.Idle, "", false)
	case prompted:
		r.withdraw("the agent was given a new prompt", r.ofMain)
		return r.update(ask.Working, "", false)
	case ran:
		r.settle()
		return r.update(ask.Working, "", true)
	case stopped, interrupted:
		r.withdraw("the agent's turn has ended", r.ofMain)
		r.Store.Sweep()
		return r.update(ask.Idle, "", false)
	case substopped:
		r.withdraw("the agent below it has ended", func(a *ask.Ask) bool { return a.Subagent == r.subagent })
		return nil
	case noticed:
		if len(r.Store.WaitingOf(r.name, r.session)) > 0 {
			return nil // the ask says it better
		}
		return r.update(ask.Blocked, r.text, false)
	case over:
		r.withdraw("the agent's session has ended", func(*ask.Ask) bool { return true })
		r.Store.EndSession(r.name, r.session)
		r.Store.Sweep()
		return nil
	case asked:
		return r.await(ctx)
	}
	return nil
}

// ofMain reports whether an ask is of the session itself, and of no agent below it: these go on when the session's turn ends.
func (r *run) ofMain(a *ask.Ask) bool { return a.Subagent == "" }

// withdraw ends asks of the session.
func (r *run) withdraw(why string, which func(*ask.Ask) bool) {
	for _, a := range r.Store.WaitingOf(r.name, r.session) {
		if !a.Kept && which(&a) {
			r.Store.Withdraw(&a, why)
		}
	}
}

// settle ends the asks about a call that was done: it was decided in the client's own prompt.
func (r *run) settle() {
	for _, a := range r.Store.WaitingOf(r.name, r.session) {
		if a.Use != r.use || a.Subagent != r.subagent {
			continue
		}
		if r.elsewhere == nil {
			r.Store.Withdraw(&a, "answered in the agent's own prompt")
		} else {
			r.Store.AnsweredElsewhere(&a, *r.elsewhere, ask.ByTerminal)
		}
	}
}

// update enters what the session does. Where it only may have been blocked nothing else is written: a call is done every second.
func (r *run) update(what ask.Activity, waits string, onlyBlocked bool) error {
	return r.Store.UpdateSession(r.name, r.session, func(s *ask.Session, now time.Time) bool {
		if onlyBlocked && s.Project != "" && s.Activity != ask.Blocked {
			return false
		}
		if onlyBlocked && s.Project != "" && r.subagent != "" {
			return false // an agent below goes on beside a prompt that is open
		}
		s.Becomes(what, waits, now)
		if r.what == prompted && r.text != "" {
			s.Doing = firstLine(r.text)
		}
		if s.Project == "" || s.Dir != r.dir || r.what == began {
			s.Dir, s.Project = r.dir, r.Project(r.dir)
		}
		s.Process, s.Pane = r.client, r.pane()
		return true
	})
}

// pane returns where the client is seen.
func (r *run) pane() pane.Pane {
	info, _ := r.Table.Look(r.client.PID)
	return pane.Of(r.Env, info.Terminal)
}

// await has the ask appear, waits for its end, and tells the client.
func (r *run) await(ctx context.Context) error {
	if r.holds && !r.Store.Attended() {
		return r.update(ask.Blocked, r.ask.Text, false) // its own prompt comes now
	}
	a := *r.ask
	a.Agent, a.Session, a.Subagent, a.Dir, a.Project = r.name, r.session, r.subagent, r.dir, r.Project(r.dir)
	if a.Pane = r.pane(); r.sure {
		a.Owner = r.client
	}
	if r.contract.mark != "" {
		a.Marks = map[string]string{r.contract.mark: cmp.Or(r.Env(r.contract.mark), r.session)}
	}
	held, err := r.Store.Ask(a)
	if err != nil {
		return errors.Join(err, r.update(ask.Blocked, r.ask.Text, false))
	}
	defer held.Close()
	// The ask is there whether or not its session can be told of.
	told := r.update(ask.Working, "", true)
	end, err := held.Await(ctx, r.gone(ctx))
	if err != nil || end.State != ask.Answered {
		return errors.Join(err, told)
	}
	text := r.prints(end.Answer)
	if text == nil {
		return nil
	}
	if err := r.Print(text); err != nil {
		return fmt.Errorf("the answer did not reach %s: %w", r.name, err)
	}
	return r.Store.Delivered(held.Ask.ID)
}

// looks is how often in a row, a second apart, a sign has to be missing before it counts: between two of its prompts a client says
// for a moment that it shows none.
const looks = 2

// gone returns what says why nobody waits for the answer any more, asked once a second.
func (r *run) gone(ctx context.Context) func() string {
	parent, _ := r.Table.Look(r.Table.Self().PID)
	began := time.Now()
	var opened bool
	var closed, unattended int
	return func() string {
		if ctx.Err() != nil { // its way of saying so is a signal: answered there, interrupted, or its time-out
			return fmt.Sprintf("%s stopped waiting after %s", r.name, time.Since(began).Round(time.Second))
		}
		if r.client.PID > 0 {
			if process.LifeOf(r.Table, r.client) == process.Gone {
				return r.name + " is gone"
			}
		} else if now, _ := r.Table.Look(r.Table.Self().PID); now.Parent != parent.Parent {
			return "whoever ran the hook is gone"
		}
		if r.holds {
			if unattended++; r.Store.Attended() {
				unattended = 0
			}
			if unattended >= looks {
				r.update(ask.Blocked, r.ask.Text, false)
				return "no dashboard is open any more: " + r.name + " asks in its own prompt"
			}
		} else if r.prompts != nil {
			open, known := r.prompts(r.Hook, r.client, r.session)
			opened = opened || known && open
			if closed++; !known || open || !opened {
				closed = 0
			}
			if closed > looks {
				return "answered in the agent's own prompt"
			}
		}
		return ""
	}
}

// firstLine returns the first line of a text that says something.
func firstLine(text string) string {
	for l := range strings.Lines(text) {
		if l = strings.TrimSpace(l); l != "" {
			return l[:min(len(l), textLimit)]
		}
	}
	return ""
}

// headline returns the first line of a text, and that there is more: what is allowed by its name alone may hold worse further down.
func headline(text string) string {
	l := firstLine(text)
	if l != "" && l != strings.TrimSpace(text) {
		l += " …"
	}
	return l
}

// textLimit is how much of a text is kept where it only names something: 500 bytes.
const textLimit = 500

// pack returns a value as a client gets it, nil where that is impossible.
func pack(v any) []byte {
	text, err := json.Marshal(v)
	if err != nil {
		return nil
	}
	return append(text, '\n')
}
