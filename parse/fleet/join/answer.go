// Answering what is asked.

package join

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"gatehouse/model"
	"gatehouse/model/line"
	"gatehouse/parse/fleet/link"
	"gatehouse/parse/fleet/wire"
)

// lookFor is how long it may take to say what an action would do.
const lookFor = 10 * time.Second

// Answer implements [link.Answerer]. A fault of ours costs the one answer.
func (h *Host) Answer(ctx context.Context, a link.Asked) (data []byte) {
	r, err := wire.ParseRequest(a.Data)
	kind := "unknown"
	if r != nil {
		kind = r.Request
	}
	defer func() {
		if fault := recover(); fault != nil {
			data = h.refuse(kind, fmt.Errorf("answering failed inside gatehouse: %v; please report it", fault))
		}
	}()
	switch {
	case err != nil:
		return h.refuse(kind, &model.Refusal{Text: "the host can't read the request: " + err.Error()})
	case wire.Changes(kind) != a.Changes:
		return h.refuse(kind, &model.Refusal{Text: "the request came where requests of its kind don't belong"})
	}
	reply, part := h.reply(ctx, a, r)
	reply.At = h.Now().UTC()
	if data = wire.EncodeReply(reply, part); len(data) > wire.ReplyLimit {
		return h.refuse(kind, errors.New("the answer is too large to be sent; look at it on the host"))
	}
	return data
}

// refuse returns an answer that says no more than why there is none.
func (h *Host) refuse(kind string, err error) []byte {
	return wire.EncodeReply(&wire.Reply{Reply: kind, At: h.Now().UTC(), Error: wire.EncodeError(err)}, nil)
}

func (h *Host) reply(ctx context.Context, a link.Asked, r *wire.Request) (reply *wire.Reply, part []byte) {
	if r.Request == wire.AskDecide {
		return h.decide(ctx, a, r), nil
	}
	h.awaitRead(ctx)
	switch r.Request {
	case wire.AskList:
		return h.send(r, h.list)
	case wire.AskTree:
		return h.tree(r)
	case wire.AskText:
		return h.send(r, func() ([]byte, error) { return h.text(r) })
	case wire.AskAsk:
		return h.send(r, func() ([]byte, error) { return h.ask(ctx, a, r) })
	case wire.AskPropose:
		return h.propose(ctx, a, r), nil
	case wire.AskOutcome:
		return h.outcome(a, r), nil
	}
	return h.settle(ctx, a, r), nil
}

// awaitRead waits until the projects were read once: whoever asks a process that has only begun would hear that nothing is here.
func (h *Host) awaitRead(ctx context.Context) {
	select {
	case <-h.read:
	case <-time.After(lookFor):
	case <-ctx.Done():
	}
}

// list returns all that was said.
func (h *Host) list() ([]byte, error) {
	h.mu.Lock()
	all := map[string][]byte{wire.HostKey(h.Name): h.here()}
	for key, e := range h.entries {
		if e.data != nil {
			all[key] = e.data
		}
	}
	h.mu.Unlock()
	return wire.EncodeList(all), nil
}

// tree answers with a build as it was said last, which is what whoever asks has heard of; one that was not is as it is.
func (h *Host) tree(r *wire.Request) (*wire.Reply, []byte) {
	b, hash, err := h.build(r.Root, r.Build)
	if err != nil {
		return &wire.Reply{Reply: r.Request, Error: wire.EncodeError(err)}, nil
	}
	return h.sendKnown(r, hash, func() ([]byte, error) { return wire.Whole(b) })
}

// build returns a build to be sent whole, with the hash by which it was said, "" where it was not.
func (h *Host) build(root, id string) (b *model.Build, hash string, err error) {
	p, err := h.joined(root)
	if err != nil {
		return nil, "", err
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	if e := h.entries[wire.ProjectKey(h.Name, p.Root, p.Name, id)]; e != nil && e.said != nil {
		return e.said, e.content, nil
	}
	for _, b := range p.Builds {
		if b.ID == id {
			return b, "", nil
		}
	}
	return nil, "", &model.Refusal{Text: fmt.Sprintf("there is no build %s in %s any more", line.Clean(id), p.Name)}
}

// ask returns what a live agent asks, whole.
func (h *Host) ask(ctx context.Context, a link.Asked, r *wire.Request) ([]byte, error) {
	if err := h.asks(r.Root, r.Ask); err != nil {
		if ended := h.over(ctx, a, r.Ask); ended != nil {
			return wire.EncodeAsk(ended), nil
		}
		return nil, err
	}
	asked, err := h.Answerer(a.User, "").Ask(ctx, r.Ask)
	if err != nil {
		return nil, err
	}
	return wire.EncodeAsk(asked), nil
}

// over returns what an agent has asked in a project that this host has joined, where that has ended; nil for all else.
func (h *Host) over(ctx context.Context, a link.Asked, id string) *model.Ask {
	if h.Answerer == nil {
		return nil
	}
	asked, err := h.Answerer(a.User, "").Ask(ctx, id)
	if err != nil || asked.State == model.AskWaiting || h.project(asked.Project) == nil {
		return nil
	}
	return asked
}

// asks refuses what no agent asks in a project that this host has joined.
func (h *Host) asks(root, id string) error {
	p, err := h.joined(root)
	if err != nil {
		return err
	}
	if h.Answerer == nil {
		return &model.Refusal{Text: h.Name + " has no live agents to answer"}
	}
	for _, b := range p.Builds {
		if b.ID == model.AgentsBuild && slices.ContainsFunc(b.Asks(), func(a *model.Ask) bool { return a.ID == id }) {
			return nil
		}
	}
	return &model.Refusal{Text: "nobody asks " + line.Clean(id) + " there any more", Fix: "look again"}
}

// joined returns the project of a directory, and refuses one that this host has not joined.
func (h *Host) joined(root string) (*model.Project, error) {
	if p := h.project(root); p != nil {
		return p, nil
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	var names []string
	for _, p := range h.projects {
		names = append(names, p.Name)
	}
	slices.Sort(names)
	return nil, &model.Refusal{Text: fmt.Sprintf("%s has not joined %s", h.Name, line.Clean(root)), Fix: "it has joined " + model.Listed(names)}
}

// propose says what an action would do. Nothing is written, so whoever may look may ask; the answer says in time who may not decide.
func (h *Host) propose(ctx context.Context, a link.Asked, r *wire.Request) *wire.Reply {
	reply := &wire.Reply{Reply: r.Request}
	action := *r.Action
	if _, err := h.joined(action.Project); err != nil {
		reply.Error = wire.EncodeError(err)
		return reply
	}
	if err := h.may(a, action); err != nil {
		reply.Error = wire.EncodeError(err)
		return reply
	}
	ctx, cancel := context.WithTimeout(ctx, lookFor)
	defer cancel()
	p, err := h.Actor(a.User, "").Propose(ctx, action)
	reply.Proposal, reply.Error = wire.EncodeProposal(p), wire.EncodeError(err)
	return reply
}
