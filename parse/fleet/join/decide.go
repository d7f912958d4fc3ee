// Doing what somebody elsewhere decides, once.
//
//	taken before?  same user, same bytes: the first outcome, whenever it is known; else refused
//	too late?      refused, and not taken
//	Ledger.Take    who has made the file does it
//	  rules        who may, what, where
//	  Actor.Do     as if a key had been pressed here; the journal gets user and request
//	Ledger.End     before anybody is told
//
// A process that ends between the two leaves a request of which the journal and the file know what became of it: see
// [Host.resolve].

package join

import (
	"context"
	"errors"
	"fmt"
	"time"

	"gatehouse/model"
	"gatehouse/model/line"
	"gatehouse/parse/disk/process"
	"gatehouse/parse/disk/statefile"
	"gatehouse/parse/fleet/link"
	"gatehouse/parse/fleet/wire"
)

const (
	// doFor is how long a decision may take: a lock is waited for for twelve seconds.
	doFor = 20 * time.Second
	// EndsWithin is how long a host may take to end, once it was asked to: what was begun is ended, and told.
	EndsWithin = doFor + 2*time.Second
	// answerFor is how long who asks is kept waiting, which is shorter than dashboards wait for an answer; who hears "working" asks again.
	answerFor = 2 * time.Second
	// settleFor is how long looking again may take.
	settleFor = 5 * time.Second
	// runningKept is how many decisions that are done are kept for who asks whether they still stand.
	runningKept = 256
)

// running is a decision under way, or just done.
type running struct {
	done    chan struct{} // closed when reply is there
	reply   *wire.Reply
	settled chan struct{} // closed when over is there; nil where nothing was done
	over    error
}

// decide does what a request asks for, or says what became of it before.
func (h *Host) decide(ctx context.Context, a link.Asked, r *wire.Request) *wire.Reply {
	now := h.Now()
	hash := statefile.Hash(string(a.Data))
	if first, err := h.Ledger.Taken(r.ID); err != nil {
		return failed(r, err)
	} else if first != nil {
		h.awaitRead(ctx)
		return h.repeated(first, a.User, hash, r)
	}
	at, err := wire.IDTime(r.ID)
	switch late := now.Sub(at); {
	case err != nil:
		return failed(r, err)
	case late > wire.LateAfter:
		return failed(r, &model.Refusal{Text: fmt.Sprintf("it was sent %v ago, and nothing is done that late", late.Round(time.Second)), Fix: "look, and decide again"})
	case late < -wire.LateAfter:
		return failed(r, &model.Refusal{Text: fmt.Sprintf("by the host's clock it is sent in %v", -late.Round(time.Second)), Fix: "look, and decide again"})
	}
	if !h.known(a) { // as it will be as long as this process has its rules: there is no need to note it
		return failed(r, h.may(a, *r.Action))
	}
	x, mine := h.begin(r.ID)
	if !mine {
		return h.await(r, x, hash, a.User)
	}
	var reply *wire.Reply
	defer func() { // also where a fault of ours ends it, which [Host.Answer] tells: whoever asks later hears more than that it is under way
		if reply == nil {
			reply = failed(r, errors.New("doing it failed inside gatehouse; look at the file, and please report it"))
		}
		h.finish(x, reply)
	}()
	reply = h.take(ctx, a, r, x, hash, now)
	return reply
}

// begin notes that a request is under way in this process, and reports whether it was not before.
func (h *Host) begin(id string) (x *running, mine bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if x := h.running[id]; x != nil {
		return x, false
	}
	x = &running{done: make(chan struct{})}
	for old, y := range h.running { // any that is done: whoever wanted to know has asked at once
		if len(h.running) < runningKept {
			break
		}
		if y.reply != nil {
			delete(h.running, old)
		}
	}
	h.running[id] = x
	return x, true
}

func (h *Host) finish(x *running, reply *wire.Reply) {
	kept := *reply // the answer itself is completed when it is sent
	h.mu.Lock()
	x.reply = &kept
	h.mu.Unlock()
	close(x.done)
}

// take takes a request and does it. Only here it waits for the projects: whoever asks what became of it meanwhile hears that it is under way.
func (h *Host) take(ctx context.Context, a link.Asked, r *wire.Request, x *running, hash string, now time.Time) *wire.Reply {
	h.awaitRead(ctx)
	first, err := h.Ledger.Take(Taken{ID: r.ID, User: a.User, Hash: hash, By: process.System{}.Self(), At: now, Action: *r.Action, Ask: r.Ask})
	if err != nil {
		return failed(r, err)
	}
	if first != nil { // another process was faster
		return h.repeated(first, a.User, hash, r)
	}
	reply := h.do(ctx, a, r, x)
	ended, err := h.Ledger.End(r.ID, reply)
	if err != nil && reply.Outcome == nil && reply.Asked == nil {
		reply = failed(r, err) // nothing was done either way
	} else if err == nil {
		reply = ended
	}
	return reply
}

// do does an action, if whoever asks may, and has it looked at again a moment later.
func (h *Host) do(ctx context.Context, a link.Asked, r *wire.Request, x *running) *wire.Reply {
	action := *r.Action
	if _, err := h.joined(action.Project); err != nil {
		return failed(r, err)
	}
	if err := h.may(a, action); err != nil {
		h.Log(fmt.Sprintf("refused: %s: %s: %v", line.Clean(a.User), action.Verb, err))
		return failed(r, err)
	}
	if action.Verb == model.VerbAnswer {
		return h.answer(ctx, a, r)
	}
	if action.Shown == "" {
		return failed(r, &model.Refusal{Text: "the request does not say what was seen", Fix: "look first"})
	}
	// Whoever asks may go, and this process may be asked to end: what was begun is ended.
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), doFor)
	defer cancel()
	actor := h.Actor(a.User, r.ID)
	o, err := actor.Do(ctx, action)
	reply := &wire.Reply{Reply: wire.AskDecide, Outcome: wire.EncodeOutcome(o), Error: wire.EncodeError(err)}
	if o != nil {
		h.Log(fmt.Sprintf("%s: %s %s: %s (%s)", line.Clean(a.User), action.Verb, line.Clean(o.Decision.Name), line.Clean(o.Proposal.Effect), r.ID))
		x.settled = make(chan struct{})
		go func() {
			defer close(x.settled)
			defer func() { // it is nobody's request, whose fault would cost one answer
				if fault := recover(); fault != nil {
					x.over = fmt.Errorf("looking at it again failed inside gatehouse: %v; please report it", fault)
				}
			}()
			ctx, cancel := context.WithTimeout(context.Background(), settleFor)
			defer cancel()
			x.over = actor.Settle(ctx, o)
		}()
	}
	return reply
}

// answer answers a live agent. What is asked under an ID never changes, and the first answer wins.
func (h *Host) answer(ctx context.Context, a link.Asked, r *wire.Request) *wire.Reply {
	if err := h.asks(r.Action.Project, r.Ask); err != nil {
		return failed(r, err)
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), doFor)
	defer cancel()
	asked, err := h.Answerer(a.User, r.ID).Answer(ctx, r.Ask, *r.Answer)
	if err == nil {
		h.Log(fmt.Sprintf("%s: answered %s: %s (%s)", line.Clean(a.User), line.Clean(r.Ask), asked.Text, r.ID))
	}
	return &wire.Reply{Reply: wire.AskDecide, Asked: wire.Briefly(asked), Error: wire.EncodeError(err)}
}

// failed answers that nothing was done.
func failed(r *wire.Request, err error) *wire.Reply {
	return &wire.Reply{Reply: r.Request, Error: wire.EncodeError(err)}
}
