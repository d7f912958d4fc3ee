// What became of a decision, for who asks again, also where its process has ended in the middle of it.

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
	if err != nil {
		return h.untold(r, err)
	}
	if reply == nil {
		return &wire.Reply{Reply: r.Request, Working: true}
	}
	return as(r, reply)
}

// untold answers that it can't be said yet what became of a request, as where it is under way: whoever asks takes an error for what became of it,
// and forgets that it was sent.
func (h *Host) untold(r *wire.Request, why error) *wire.Reply {
	h.Complain(fmt.Errorf("what became of a decision can't be said: %w", why))
	return &wire.Reply{Reply: r.Request, Working: true}
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
	here := process.System{}
	if first.By == here.Self() || h.Now().Sub(first.At).Abs() > doFor+settleFor {
		return false // in this process it would be known, and no other is at it for so long
	}
	return process.LifeOf(here, first.By) != process.Gone
}

// resolve finds out what became of a request whose process has ended in the middle of it: nothing unless the journal has it,
// and what the journal has only begun is as the file says.
func (h *Host) resolve(first *Taken) (*wire.Reply, error) {
	if first.Action.Verb == model.VerbAnswer {
		return h.resolveAnswer(first)
	}
	if h.project(first.Action.Project) == nil { // its journal is not open, so that it would look as if nothing was written
		return nil, fmt.Errorf("%s is not joined, or not read yet; join it again", line.Clean(first.Action.Project))
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
		return &wire.Reply{Reply: wire.AskDecide, Asked: wire.Briefly(asked), Error: wire.EncodeError(fmt.Errorf("the host stopped in the middle of it; %s", asked.Fate))}, nil
	}
	return unwritten(), nil
}

// unwritten answers that nothing was done.
func unwritten() *wire.Reply {
	return &wire.Reply{Reply: wire.AskDecide, Error: wire.EncodeError(&model.Refusal{Text: "the host stopped before it was done; nothing was written", Fix: "decide again"})}
}

// outcome says what became of a request. One that has not come is withdrawn: it is not done when it comes later, so that what
// is said of it stays true. One that has come is begun, whatever it then has to wait for, so that asking about it ends nothing: the links see to that.
func (h *Host) outcome(a link.Asked, r *wire.Request) *wire.Reply {
	h.mu.Lock()
	x := h.running[r.ID]
	h.mu.Unlock()
	if x != nil {
		return h.await(r, x, "", a.User)
	}
	first, err := h.Ledger.Taken(r.ID)
	if err != nil {
		return h.untold(r, err)
	}
	if first == nil {
		withdrawn := &wire.Reply{Reply: r.Request, Withdrawn: true}
		at, err := wire.IDTime(r.ID)
		if err == nil && h.Now().Sub(at) > keptFor { // it may have been done, and be forgotten
			return failed(r, errors.New("it was sent too long ago: what became of it is not noted any more; look at the journal there: gatehouse journal")) // no refusal: those say that nothing was done
		}
		if now := h.Now(); err != nil || now.Sub(at).Abs() > 4*wire.LateAfter || !h.known(a) {
			return withdrawn // nobody takes it any more, or ever
		} else if first, err = h.Ledger.Take(Taken{ID: r.ID, User: a.User, At: now, Withdrawn: true}); err != nil {
			return h.untold(r, err)
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
