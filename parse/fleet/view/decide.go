package view

// Deciding about what is built elsewhere.

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"gatehouse/model"
	"gatehouse/parse/fleet/link"
	"gatehouse/parse/fleet/wire"
	"gatehouse/parse/text/shell"
)

const (
	// doFor is how soon a host usually says what became of a decision; after that it is asked.
	doFor = 3 * time.Second
	// outcomeFor is for how long it is asked what became of a decision, askFor how long one such question may take, and
	// askEvery the least time between two.
	outcomeFor = 20 * time.Second
	askFor     = 3 * time.Second
	askEvery   = 250 * time.Millisecond
	settleFor  = 8 * time.Second
)

// Unknown says that a decision was sent, and nobody could say what became of it. It is a [model.Unanswered].
type Unknown struct {
	Fleet, Host string // as they are called here
	ID          string // of the request, by which it can be asked again

	fleet   *Fleet
	at      *host
	machine string // that it was sent to
	action  model.Action
}

// Why implements [model.Unanswered].
func (u *Unknown) Why() string {
	return "it is not known whether it was done: no answer from " + u.Host
}

// Command implements [model.Unanswered].
func (u *Unknown) Command() string {
	return fmt.Sprintf("gatehouse fleet outcome %s %s --fleet %s", shell.Word(u.Host), u.ID, shell.Word(u.Fleet))
}

// Error says so.
func (u *Unknown) Error() string {
	return u.Why() + "; look there, or ask again: " + u.Command()
}

// Outcome implements [model.Unanswered]: it asks by the ID of the request, and sends no other.
func (u *Unknown) Outcome(ctx context.Context) (*model.Outcome, error) {
	u.fleet.mu.Lock()
	if h := u.fleet.called(u.at.name); h != nil { // it may have been forgotten, and have come back, or be there over another link
		u.at = h
	}
	u.fleet.mu.Unlock()
	reply := u.fleet.became(ctx, u.at, u.ID, u.machine)
	if reply == nil {
		return nil, u
	}
	u.fleet.forgetSent(u.ID)
	return done(u.at, u.action, reply)
}

// errWithdrawn is the refusal of a decision that did not reach its host.
var errWithdrawn = &model.Refusal{Text: "it did not get there, and is not done any more", Fix: "decide again"}

// target returns the host of an action, and its root there.
func (f *Fleet) target(a model.Action) (h *host, root string, err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	p := f.find(a.Project)
	if p == nil {
		return nil, "", &model.Refusal{Text: a.Project + " is not known here", Fix: "look at what there is: gatehouse fleet list"}
	}
	return p.host, p.root, nil
}

// here says of what a host would do what was asked for here: the project has another name there. What was seen is the host's to say.
func here(a model.Action, p *model.Proposal) *model.Proposal {
	if p != nil {
		a.Looked, a.Seen, a.Shown, a.Kind = nil, p.Action.Seen, p.Action.Shown, cmp.Or(p.Action.Kind, a.Kind)
		p.Action = a
	}
	return p
}

// told returns the error of a reply, what it proposes in its place named as here.
func told(a model.Action, reply *wire.Reply) error {
	err := reply.Error.Err()
	var changed *model.Changed
	if errors.As(err, &changed) {
		here(a, changed.Now)
	}
	return err
}

// there returns an action as its host knows it: what was looked at is sent only where there is room for it, since without it only what has changed
// since is not told.
func there(a model.Action, root string) *model.Action {
	a.Project = root
	a.Looked = wire.EncodeProposal(a.Looked)
	if len(wire.Encode(&a)) > wire.RequestLimit/2 {
		a.Looked = nil
	}
	return &a
}

// Propose implements [model.Actor].
func (f *Fleet) Propose(ctx context.Context, a model.Action) (*model.Proposal, error) {
	h, root, err := f.target(a)
	if err != nil {
		return nil, err
	}
	reply, _, err := f.read(ctx, h, &wire.Request{V: wire.Version, Request: wire.AskPropose, Action: there(a, root)})
	switch {
	case errors.Is(err, link.ErrNoAnswer):
		return nil, fmt.Errorf("%s does not answer; nothing was done", h.shown())
	case link.NotSent(err):
		return nil, notSent(h, err)
	case err != nil:
		return nil, err
	}
	if err = told(a, reply); err == nil && reply.Proposal == nil {
		err = errMixed
	}
	return here(a, reply.Proposal), err
}

// Do implements [model.Actor]. Its error is a refusal where nothing was done, for certain, and an [*Unknown] where nobody can tell.
func (f *Fleet) Do(ctx context.Context, a model.Action) (*model.Outcome, error) {
	h, root, err := f.target(a)
	if err != nil {
		return nil, err
	}
	a.Looked = nil
	reply, err := f.decide(ctx, h, a, &wire.Request{Action: there(a, root)})
	var unknown *Unknown
	if errors.As(err, &unknown) {
		unknown.action = a
	}
	if err != nil {
		return nil, err
	}
	return done(h, a, reply)
}

// decide has a host do what a request says, and returns what became of it: once, whatever becomes of the answers, and not before it is known what
// became of an earlier one about the same. The action is that of the request as it is called here.
func (f *Fleet) decide(ctx context.Context, h *host, a model.Action, r *wire.Request) (*wire.Reply, error) {
	if err := f.earlier(ctx, h, a, r.Ask); err != nil {
		return nil, err
	}
	f.mu.Lock()
	id := wire.NewID(f.opts.Now().Add(h.precisely())) // by the host's clock: it does nothing that was sent too long ago
	machine := h.presence.Machine
	f.mu.Unlock()
	r.V, r.Request, r.ID = wire.Version, wire.AskDecide, id
	data := wire.Encode(r)
	if len(data) > wire.RequestLimit {
		return nil, notSent(h, link.ErrTooLarge)
	}
	x := &sent{Version: sentVersion, ID: id, Fleet: f.opts.Fleet, Host: h.shown(), Machine: machine, At: f.opts.Now(), Action: a, Ask: r.Ask}
	f.sends(x)
	soon, cancel := context.WithTimeout(ctx, doFor)
	reply, _, err := f.send(soon, h, wire.AskDecide, data)
	cancel()
	switch {
	case link.NotSent(err):
		f.forgetSent(id)
		return nil, notSent(h, err)
	case err != nil || reply.Working:
		if reply, err = f.outcome(ctx, h, id, machine); err != nil {
			f.unanswered(x)
			return nil, err
		}
	}
	f.forgetSent(id)
	return reply, nil
}

// done returns what a reply says about a decision.
func done(h *host, a model.Action, reply *wire.Reply) (*model.Outcome, error) {
	if reply.Withdrawn {
		return nil, errWithdrawn
	}
	err, o := told(a, reply), reply.Outcome
	switch {
	case reply.Asked != nil: // it was an answer
		return &model.Outcome{Asked: h.qualifyAsk(reply.Asked)}, err
	case o == nil && err == nil:
		return nil, errMixed
	}
	if o != nil {
		if a.Project == "" { // somebody asks for it later
			a = o.Proposal.Action
			a.Project = Root(h.name, a.Project)
		}
		here(a, o.Proposal)
		o.Decision.Project = a.Project
	}
	return o, err
}

// outcome asks what became of a decision, until somebody knows or for as long as that is of use.
func (f *Fleet) outcome(ctx context.Context, h *host, id, machine string) (*wire.Reply, error) {
	end := time.Now().Add(outcomeFor)
	for {
		if reply := f.became(ctx, h, id, machine); reply != nil {
			return reply, nil
		}
		select {
		case <-ctx.Done():
		case <-time.After(askEvery):
		}
		if ctx.Err() != nil || time.Now().After(end) {
			return nil, &Unknown{Fleet: f.opts.Fleet, Host: h.shown(), ID: id, fleet: f, at: h, machine: machine}
		}
	}
}

// became asks once what became of a decision; nil where nobody can say yet.
func (f *Fleet) became(ctx context.Context, h *host, id, machine string) *wire.Reply {
	reply, _ := f.askOutcome(ctx, h, id, machine)
	return reply
}

// askOutcome is became with the reason where nobody can say. What the host's ledger has is believed in any case: the host may have been started
// anew. That it has nothing counts only where the ledger is that of the machine to which the decision was sent: another one of the name knows
// nothing of it.
func (f *Fleet) askOutcome(ctx context.Context, h *host, id, machine string) (*wire.Reply, error) {
	ctx, cancel := context.WithTimeout(ctx, askFor)
	defer cancel()
	reply, _, err := f.ask(ctx, h, &wire.Request{V: wire.Version, Request: wire.AskOutcome, ID: id})
	if err != nil {
		return nil, err
	}
	f.mu.Lock()
	same := account(h.presence.Machine) == account(machine)
	f.mu.Unlock()
	if reply.Working || reply.Withdrawn && !same {
		return nil, link.ErrNoAnswer
	}
	return reply, nil
}

// account returns of what a presence calls its machine that which stays when it is started anew: it is kept beside the ledger.
func account(machine string) string {
	account, _, _ := strings.Cut(machine, "-")
	return account
}

// Outcome says what became of a decision that nobody could say anything about, by the host as it is called here and the ID of the
// request. One that did not get there is withdrawn.
func (f *Fleet) Outcome(ctx context.Context, name, id string) (*model.Outcome, error) {
	if _, err := wire.IDTime(id); err != nil {
		return nil, &model.Refusal{Text: id + ": " + err.Error(), Fix: "it is told where the decision was made"}
	}
	f.mu.Lock()
	h := f.called(name)
	if h == nil {
		f.mu.Unlock()
		return nil, &model.Refusal{Text: "there is no host " + name, Fix: "look at those there are: gatehouse fleet list"}
	}
	u := &Unknown{Fleet: f.opts.Fleet, Host: h.shown(), ID: id, fleet: f, at: h, machine: h.presence.Machine}
	if x := f.sent[id]; x != nil { // else it was sent from elsewhere
		u.machine, u.action = x.Machine, x.Action
	}
	f.mu.Unlock()
	reply, err := f.askOutcome(ctx, h, id, u.machine)
	switch {
	case errors.Is(err, link.ErrForbidden):
		return nil, notSent(h, err)
	case err != nil: // whether it was done is what nobody knows, also where the host is not there
		return nil, u
	}
	f.forgetSent(id)
	return done(h, u.action, reply)
}

// called returns the host of a name, over the link over which it is there; nil for none.
func (f *Fleet) called(name string) (best *host) {
	for _, s := range f.sources {
		for _, h := range s.hosts {
			if (h.name == name || h.shown() == name) && (best == nil || h.live && !best.live) {
				best = h
			}
		}
	}
	return best
}

// Settle implements [model.Actor].
func (f *Fleet) Settle(ctx context.Context, o *model.Outcome) error {
	if o.Decision.Request == "" {
		return nil
	}
	h, _, err := f.target(o.Proposal.Action)
	if err != nil {
		return nil // gone since; what was done is told by its host's journal
	}
	ctx, cancel := context.WithTimeout(ctx, settleFor)
	defer cancel()
	reply, _, err := f.ask(ctx, h, &wire.Request{V: wire.Version, Request: wire.AskSettle, ID: o.Decision.Request})
	if err != nil {
		return nil // not known: the host's journal marks what was written over
	}
	return reply.Error.Err()
}
