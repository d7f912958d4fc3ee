package view

// What live agents ask elsewhere.

import (
	"context"
	"errors"
	"strings"

	"gatehouse/model"
	"gatehouse/parse/fleet/link"
	"gatehouse/parse/fleet/wire"
)

// qualify gives what agents ask on a host names that are the host's: "build-7:k7f3q2ma".
func (h *host) qualify(b *model.Build) {
	if b.ID != model.AgentsBuild {
		return
	}
	for _, a := range b.Asks() {
		h.qualifyAsk(a)
	}
}

func (h *host) qualifyAsk(a *model.Ask) *model.Ask {
	if a != nil {
		a.ID, a.Project = Root(h.name, a.ID), Root(h.name, a.Project)
	}
	return a
}

// asked returns where something is asked, by its ID as it is called here: the host, the root there, and its ID there.
func (f *Fleet) asked(id string) (h *host, root, there string, err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.eachAgents(func(p *project, agents *model.Build) bool {
		for _, a := range agents.Asks() {
			if a.ID == id {
				h, root, there = p.host, p.root, strings.TrimPrefix(id, p.host.name+":")
			}
		}
		return h == nil
	})
	if h == nil {
		return nil, "", "", &model.Refusal{Text: "nobody asks " + id + " any more", Fix: "look again"}
	}
	return h, root, there, nil
}

// eachAgents goes through the live agents of all projects until see returns false. Of a project that comes over two links it is the one that is
// shown: what is decided over a dead link gets nowhere.
func (f *Fleet) eachAgents(see func(p *project, agents *model.Build) bool) {
	for _, s := range f.sources {
		for _, h := range s.hosts {
			for _, p := range h.all() {
				if e := p.builds[model.AgentsBuild]; e != nil && f.find(Root(h.name, p.root)) == p && !see(p, e.shown) {
					return
				}
			}
		}
	}
}

// agentsOf returns the host on which a node is one of live agents, nil for none.
func (f *Fleet) agentsOf(node string) (h *host) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.eachAgents(func(p *project, agents *model.Build) bool {
		if n, _ := agents.Find(node); n != nil {
			h = p.host
		}
		return h == nil
	})
	return h
}

// Ask implements [model.Answerer]. What has ended is asked of the host, or of all that are there where the ID names none.
func (f *Fleet) Ask(ctx context.Context, id string) (*model.Ask, error) {
	h, root, there, err := f.asked(id)
	if err == nil {
		return f.askOf(ctx, h, root, there)
	}
	for h, there := range f.mayHaveAsked(id) {
		if a, failed := f.askOf(ctx, h, "", there); failed == nil {
			return a, nil
		}
	}
	return nil, err
}

// mayHaveAsked returns the hosts that are there on which something may have been asked, with its ID there.
func (f *Fleet) mayHaveAsked(id string) map[*host]string {
	f.mu.Lock()
	defer f.mu.Unlock()
	all := map[*host]string{}
	for _, s := range f.sources {
		for _, h := range s.hosts {
			switch there, named := strings.CutPrefix(id, h.name+":"); {
			case h.live && (named || !strings.Contains(id, ":")):
				all[h] = there
			}
		}
	}
	return all
}

// askOf asks a host for what is asked in a project of it, or for what has ended in any.
func (f *Fleet) askOf(ctx context.Context, h *host, root, there string) (*model.Ask, error) {
	data, _, err := f.fetch(ctx, h, wire.Request{Request: wire.AskAsk, Root: root, Ask: there})
	switch {
	case errors.Is(err, link.ErrNoAnswer):
		return nil, errors.New(h.shown() + " does not answer")
	case link.NotSent(err):
		return nil, notSent(h, err)
	case err != nil:
		return nil, err
	}
	f.mu.Lock()
	ahead := h.ahead
	f.mu.Unlock()
	a, err := wire.DecodeAsk(data, ahead)
	return h.qualifyAsk(a), err
}

// Answer implements [model.Answerer]. Its errors are those of [Fleet.Do], or say who was faster.
func (f *Fleet) Answer(ctx context.Context, id string, answer model.Answer) (*model.Ask, error) {
	h, root, there, err := f.asked(id)
	if err != nil {
		if ended, gone := f.Ask(ctx, id); gone == nil && ended.State != model.AskWaiting { // somebody was faster
			return ended, &model.Refusal{Text: ended.Fate}
		}
		return nil, err
	}
	a := model.Action{Verb: model.VerbAnswer, Project: root, Build: model.AgentsBuild}
	called := a // here
	called.Project = Root(h.name, root)
	reply, err := f.decide(ctx, h, called, &wire.Request{Action: &a, Ask: there, Answer: &answer})
	if err != nil {
		return nil, err
	}
	o, err := done(h, called, reply)
	if o == nil {
		return nil, err
	}
	return o.Asked, err
}

// Jump implements [model.Answerer]: a pane of another machine is reached there alone.
func (f *Fleet) Jump(_ context.Context, node string) (said, command string) {
	h := f.agentsOf(node)
	if h == nil {
		return "the session has ended", ""
	}
	if p, ok := h.source.link.(interface{ Login() string }); ok {
		return "the agent is on " + h.shown(), p.Login()
	}
	return "the agent is on " + h.shown() + "; go there", ""
}

// Diff implements [model.Answerer]: the working tree of another machine is only there.
func (f *Fleet) Diff(_ context.Context, node string) (string, error) {
	if h := f.agentsOf(node); h != nil {
		return "", errors.New("the working tree is on " + h.shown() + " and is not shown here")
	}
	return "", errors.New("the session has ended")
}

// unionAnswerer answers agents here and elsewhere.
type unionAnswerer struct {
	fleet *Fleet
	local model.Answerer // nil where nobody can be answered here
}

func (u unionAnswerer) of(id string) model.Answerer {
	if _, _, _, err := u.fleet.asked(id); err == nil || u.local == nil || strings.Contains(id, ":") {
		return u.fleet
	}
	return u.local
}

// Ask implements [model.Answerer].
func (u unionAnswerer) Ask(ctx context.Context, id string) (*model.Ask, error) {
	return u.of(id).Ask(ctx, id)
}

// Answer implements [model.Answerer].
func (u unionAnswerer) Answer(ctx context.Context, id string, a model.Answer) (*model.Ask, error) {
	return u.of(id).Answer(ctx, id, a)
}

// Diff implements [model.Answerer].
func (u unionAnswerer) Diff(ctx context.Context, node string) (string, error) {
	if u.local != nil && u.fleet.agentsOf(node) == nil {
		return u.local.Diff(ctx, node)
	}
	return u.fleet.Diff(ctx, node)
}

// Jump implements [model.Answerer].
func (u unionAnswerer) Jump(ctx context.Context, node string) (said, command string) {
	if u.local == nil || u.fleet.agentsOf(node) != nil {
		return u.fleet.Jump(ctx, node)
	}
	return u.local.Jump(ctx, node)
}
