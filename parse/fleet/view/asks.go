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
	for _, n := range model.Walk(b.Nodes) {
		if n.Gate != nil && n.Gate.Ask != nil {
			h.qualifyAsk(n.Gate.Ask)
		}
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
	f.eachAsk(func(p *project, a *model.Ask, _ string) bool {
		if a.ID == id {
			h, root, there = p.host, p.root, strings.TrimPrefix(id, p.host.name+":")
		}
		return h == nil
	})
	if h == nil {
		return nil, "", "", &model.Refusal{Text: "nobody asks " + id + " any more", Fix: "look again"}
	}
	return h, root, there, nil
}

// eachAsk goes through all that agents ask, with its node, until see returns false.
func (f *Fleet) eachAsk(see func(p *project, a *model.Ask, node string) bool) {
	for _, s := range f.sources {
		for _, h := range s.hosts {
			if h.projects == nil {
				h.show()
			}
			for _, p := range h.projects {
				e := p.builds[model.AgentsBuild]
				if e == nil {
					continue
				}
				for _, n := range model.Walk(e.shown.Nodes) {
					if n.Gate != nil && n.Gate.Ask != nil && !see(p, n.Gate.Ask, n.ID) {
						return
					}
				}
			}
		}
	}
}

// Ask implements [model.Answerer].
func (f *Fleet) Ask(ctx context.Context, id string) (*model.Ask, error) {
	h, root, there, err := f.asked(id)
	if err != nil {
		return nil, err
	}
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
		return nil, err
	}
	reply, err := f.decide(ctx, h, &wire.Request{Action: &model.Action{Verb: model.VerbAnswer, Project: root, Build: model.AgentsBuild}, Ask: there, Answer: &answer})
	switch {
	case err != nil:
		return nil, err
	case reply.Withdrawn:
		return nil, errWithdrawn
	}
	if err := reply.Error.Err(); err != nil || reply.Asked != nil {
		return h.qualifyAsk(reply.Asked), err
	}
	return nil, errMixed
}

// Jump implements [model.Answerer]: a pane of another machine is reached there alone.
func (f *Fleet) Jump(_ context.Context, node string) (said, command string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, s := range f.sources {
		for _, h := range s.hosts {
			for _, p := range h.projects {
				e := p.builds[model.AgentsBuild]
				if e == nil {
					continue
				}
				if n, _ := e.shown.Find(node); n == nil {
					continue
				}
				if p, ok := s.link.(interface{ Login() string }); ok {
					return "the agent is on " + h.shown(), p.Login()
				}
				return "the agent is on " + h.shown() + "; go there", ""
			}
		}
	}
	return "the session has ended", ""
}

// hasNode reports whether a node is one of live agents elsewhere.
func (f *Fleet) hasNode(node string) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, s := range f.sources {
		for _, h := range s.hosts {
			for _, p := range h.projects {
				if e := p.builds[model.AgentsBuild]; e != nil {
					if n, _ := e.shown.Find(node); n != nil {
						return true
					}
				}
			}
		}
	}
	return false
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

// Jump implements [model.Answerer].
func (u unionAnswerer) Jump(ctx context.Context, node string) (said, command string) {
	if u.local == nil || u.fleet.hasNode(node) {
		return u.fleet.Jump(ctx, node)
	}
	return u.local.Jump(ctx, node)
}
