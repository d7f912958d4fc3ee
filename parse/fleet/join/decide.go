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
	"os"
	"time"

	"gatehouse/model"
	"gatehouse/model/line"
	"gatehouse/parse/disk/statefile"
	"gatehouse/parse/fleet/link"
	"gatehouse/parse/fleet/wire"
)

const (
	// doFor is how long a decision may take: a lock is waited for for twelve seconds.
	doFor = 20 * time.Second
	// answerFor is how long who asks is kept waiting; who hears "working" asks again.
	answerFor = 4 * time.Second
	// settleFor is how long looking again may take.
	settleFor = 5 * time.Second
	// runningKept is how many decisions that are done are kept for who asks whether they still stand.
	runningKept = 256
)

// running is a decision under way, or just done.
type running struct {
	done    chan struct{} // closed when reply is there
	reply   *wire.Reply
	outcome *model.Outcome // nil where nothing was done
	actor   model.Actor
	settled chan struct{} // closed when over is there
	over    error
}

// decide does what a request asks for, or says what became of it before.
func (h *Host) decide(ctx context.Context, a link.Asked, r *wire.Request) *wire.Reply {
	now := h.Now()
	hash := statefile.Hash(string(a.Data))
	if first, err := h.Ledger.Taken(r.ID); err != nil {
		return failed(r, err)
	} else if first != nil {
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
	if !h.known(a.User) { // as it will be as long as this process has its rules: there is no need to note it
		return failed(r, h.may(a, *r.Action))
	}
	x, mine := h.begin(r.ID)
	if !mine {
		return h.await(r, x, hash, a.User)
	}
	reply := h.take(ctx, a, r, x, hash, now)
	h.finish(x, reply)
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

// take takes a request and does it.
func (h *Host) take(ctx context.Context, a link.Asked, r *wire.Request, x *running, hash string, now time.Time) *wire.Reply {
	host, _ := os.Hostname() // without a name it is told by its age whether its process has ended
	first, err := h.Ledger.Take(Taken{ID: r.ID, User: a.User, Hash: hash, Host: host, PID: os.Getpid(), Boot: h.Boot, At: now, Action: *r.Action, Ask: r.Ask})
	if err != nil {
		return failed(r, err)
	}
	if first != nil { // another process was faster
		return h.repeated(first, a.User, hash, r)
	}
	reply := h.do(ctx, a, r, x)
	ended, err := h.Ledger.End(r.ID, reply)
	if err != nil && reply.Outcome == nil {
		reply = failed(r, err) // nothing was done either way
	} else if err == nil {
		reply = ended
	}
	return reply
}

// do does an action, if whoever asks may, and has it looked at again a moment later.
func (h *Host) do(ctx context.Context, a link.Asked, r *wire.Request, x *running) *wire.Reply {
	action := *r.Action
	if err := h.joined(action.Project); err != nil {
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
	x.actor = h.Actor(a.User, r.ID)
	o, err := x.actor.Do(ctx, action)
	reply := &wire.Reply{Reply: wire.AskDecide, Outcome: wire.EncodeOutcome(o), Error: wire.EncodeError(err)}
	if o != nil {
		h.Log(fmt.Sprintf("%s: %s %s: %s (%s)", line.Clean(a.User), action.Verb, line.Clean(o.Decision.Name), line.Clean(o.Proposal.Effect), r.ID))
		x.outcome, x.settled = o, make(chan struct{})
		go func() {
			defer close(x.settled)
			ctx, cancel := context.WithTimeout(context.Background(), settleFor)
			defer cancel()
			x.over = x.actor.Settle(ctx, o)
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

// await answers a request that this process has under way, or has done.
func (h *Host) await(r *wire.Request, x *running, hash, user string) *wire.Reply {
	select {
	case <-x.done:
	case <-time.After(answerFor):
		return &wire.Reply{Reply: r.Request, Working: true}
	}
	first, err := h.Ledger.Taken(r.ID)
	if err != nil || first == nil { // it was not taken: what kept it from that is what there is to say
		return as(r, x.reply)
	}
	return h.repeated(first, user, hash, r)
}

// as returns an answer as one to a request of another kind.
func as(r *wire.Request, reply *wire.Reply) *wire.Reply {
	copied := *reply
	copied.Reply = r.Request
	return &copied
}

// repeated answers a request whose ID was taken before.
func (h *Host) repeated(first *Taken, user, hash string, r *wire.Request) *wire.Reply {
	switch {
	case first.User != user:
		return failed(r, &model.Refusal{Text: "this request was made by somebody else before", Fix: "decide again"})
	case first.Withdrawn:
		return &wire.Reply{Reply: r.Request, Withdrawn: true, Error: wire.EncodeError(errWithdrawn)}
	case hash != "" && first.Hash != hash:
		return failed(r, &model.Refusal{Text: "this request was used for something else before", Fix: "decide again"})
	}
	reply, err := h.ended(first)
	switch {
	case err != nil:
		return failed(r, err)
	case reply == nil:
		return &wire.Reply{Reply: r.Request, Working: true}
	}
	return as(r, reply)
}

var errWithdrawn = &model.Refusal{Text: "it had not come when it was asked for, and is not done any more", Fix: "decide again"}

// ended returns what became of a request, nil while it is under way, which is waited for for a while where it is in this process.
func (h *Host) ended(first *Taken) (*wire.Reply, error) {
	if reply, err := h.Ledger.Ended(first.ID); reply != nil || err != nil {
		return reply, err
	}
	h.mu.Lock()
	x := h.running[first.ID]
	h.mu.Unlock()
	if x != nil {
		select {
		case <-x.done:
			return x.reply, nil
		case <-time.After(answerFor):
			return nil, nil
		}
	}
	if h.works(first) {
		return nil, nil
	}
	reply, err := h.resolve(first)
	if err != nil {
		return nil, err
	}
	return h.Ledger.End(first.ID, reply)
}

// works reports whether the process that took a request may still be at it.
func (h *Host) works(first *Taken) bool {
	if first.Boot == h.Boot || h.Now().Sub(first.At).Abs() > doFor+settleFor {
		return false // in this process it would be known, and no other is at it for so long
	}
	host, err := os.Hostname()
	return err != nil || host != first.Host || alive(first.PID) && first.PID != os.Getpid()
}

// resolve finds out what became of a request whose process has ended in the middle of it: nothing unless the journal has it,
// and what the journal has only begun is as the file says.
func (h *Host) resolve(first *Taken) (*wire.Reply, error) {
	if first.Action.Verb == model.VerbAnswer {
		return h.resolveAnswer(first)
	}
	all, err := h.Decisions(first.Action.Project)
	for i := range all {
		d := &all[i]
		if d.Request != first.ID || d.Who != first.User {
			continue
		}
		done := &wire.Reply{Reply: wire.AskDecide, Outcome: wire.EncodeOutcome(&model.Outcome{Decision: *d, Proposal: &model.Proposal{
			Action: first.Action, Name: d.Name, File: d.File, Effect: line.Clean(d.Was + " → " + d.Is)}})}
		if !d.Interrupted {
			return done, nil
		}
		text, err := h.Files.Text(first.Action.Project, d.File)
		switch hash := statefile.Hash(text); {
		case err == nil && hash == d.After:
			return done, nil
		case err == nil && hash == d.Before:
			return unwritten(), nil
		}
		return &wire.Reply{Reply: wire.AskDecide, Error: wire.EncodeError(fmt.Errorf("the host stopped in the middle of it, and %s has been written since: look at it", line.Clean(d.File)))}, nil
	}
	if err != nil {
		return nil, err // a decision may be among what can't be read
	}
	return unwritten(), nil
}

// resolveAnswer is the same for an answer: whether an ask is answered, its store says, and by whom.
func (h *Host) resolveAnswer(first *Taken) (*wire.Reply, error) {
	if h.Answerer == nil {
		return unwritten(), nil
	}
	asked, err := h.Answerer(first.User, first.ID).Ask(context.Background(), first.Ask)
	switch {
	case err != nil:
		return nil, err
	case asked.State == model.AskAnswered:
		return &wire.Reply{Reply: wire.AskDecide, Asked: wire.Briefly(asked), Error: wire.EncodeError(fmt.Errorf("the host stopped in the middle of it; now it is %s", asked.Fate))}, nil
	}
	return unwritten(), nil
}

// unwritten answers that nothing was done.
func unwritten() *wire.Reply {
	return &wire.Reply{Reply: wire.AskDecide, Error: wire.EncodeError(&model.Refusal{Text: "the host stopped before it was done; nothing was written", Fix: "decide again"})}
}

// outcome says what became of a request. One that has not come is withdrawn: it is not done when it comes later, so that what
// is said of it stays true.
func (h *Host) outcome(a link.Asked, r *wire.Request) *wire.Reply {
	h.mu.Lock()
	x := h.running[r.ID]
	h.mu.Unlock()
	if x != nil {
		return h.await(r, x, "", a.User)
	}
	first, err := h.Ledger.Taken(r.ID)
	if err != nil {
		return failed(r, err)
	}
	if first == nil {
		withdrawn := &wire.Reply{Reply: r.Request, Withdrawn: true}
		at, err := wire.IDTime(r.ID)
		if now := h.Now(); err != nil || now.Sub(at).Abs() > 4*wire.LateAfter {
			return withdrawn // nobody takes it any more
		} else if first, err = h.Ledger.Take(Taken{ID: r.ID, User: a.User, At: now, Withdrawn: true}); err != nil {
			return failed(r, err)
		}
		if first == nil {
			return withdrawn
		}
	}
	return h.repeated(first, a.User, "", r)
}

// settle says whether what a request has done still stands a moment later. What another process has done is not known here:
// the journal marks what was written over.
func (h *Host) settle(ctx context.Context, a link.Asked, r *wire.Request) *wire.Reply {
	reply := &wire.Reply{Reply: r.Request}
	first, err := h.Ledger.Taken(r.ID)
	if err != nil || first == nil || first.User != a.User {
		return failed(r, errors.Join(err, errors.New("nothing is known of this request")))
	}
	h.mu.Lock()
	x := h.running[r.ID]
	h.mu.Unlock()
	if x == nil {
		return reply
	}
	select {
	case <-x.done:
	default:
		reply.Working = true
		return reply
	}
	if x.settled == nil { // nothing was done
		return reply
	}
	select {
	case <-x.settled:
		reply.Error = wire.EncodeError(x.over)
	case <-time.After(settleFor):
		reply.Working = true
	case <-ctx.Done():
	}
	return reply
}
