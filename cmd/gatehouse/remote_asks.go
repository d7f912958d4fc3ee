package main

// Asks of live agents on other machines: gatehouse asks and answer with --remote.

import (
	"cmp"
	"context"
	"fmt"
	"strings"

	"gatehouse/cmd/gatehouse/remote"
	"gatehouse/model"
	"gatehouse/parse/agents/ask"
)

// asksOn returns the asks on the machines of a remote, with all also those that have ended.
func asksOn(snap *model.Snapshot, all bool) (asks []*model.Ask) {
	for _, p := range snap.Projects {
		for _, b := range p.Builds {
			for _, a := range b.Asks() {
				if all || a.State == model.AskWaiting || a.State == model.AskElsewhere {
					asks = append(asks, a)
				}
			}
		}
	}
	return asks
}

// printRemoteAsks prints what agents ask on the machines of a remote, or the one ask that an ID means.
func (s *env) printRemoteAsks(ctx context.Context, name string, args []string, all bool) error {
	return s.seeRemote(ctx, name, func(ctx context.Context, f *remote.View, snap *model.Snapshot) error {
		trouble, asks := s.remoteTrouble(snap.Watch), asksOn(snap, all || len(args) > 0)
		if len(args) > 0 {
			one, err := findRemoteAsk(ctx, f, asks, args[0])
			if err != nil {
				return cmp.Or(trouble, err)
			}
			asks = []*model.Ask{one}
		}
		shown := []askJSON{}
		for _, a := range asks {
			shown = append(shown, askToJSON(a, nil, hostOf(snap.Hosts, a.ID)))
		}
		return s.printAsks(shown, len(args) > 0, trouble)
	})
}

// hostOf returns the host that something is asked on, by its ID here; nil for this machine.
func hostOf(hosts []*model.Host, id string) *model.Host {
	for _, h := range hosts {
		if strings.HasPrefix(id, h.Name+":") {
			return h
		}
	}
	return nil
}

// findRemoteAsk returns the ask that a word means, whole: one that waits, or by its whole ID one that has ended.
func findRemoteAsk(ctx context.Context, f *remote.View, asks []*model.Ask, word string) (*model.Ask, error) {
	found := matchAsks(asks, word)
	switch len(found) {
	case 1:
		return f.Ask(ctx, found[0].ID)
	case 0:
		if ended, err := f.Ask(ctx, word); err == nil {
			return ended, nil
		}
		return nil, usageError{fmt.Errorf("%q: %w; gatehouse asks --remote lists them", word, ask.ErrNone)}
	}
	return nil, usageError{fmt.Errorf("%q: %w; gatehouse asks --remote lists them", word, ask.ErrSeveral)}
}

// matchAsks returns the asks that a word may mean: an ID with or without its host, or the beginning of one.
func matchAsks(asks []*model.Ask, word string) (found []*model.Ask) {
	for _, a := range asks {
		_, there, _ := strings.Cut(a.ID, ":")
		if strings.HasPrefix(a.ID, word) || strings.HasPrefix(there, word) {
			found = append(found, a)
		}
	}
	return found
}

// answerRemotely answers what is asked on a machine of a remote.
func (f *answerFlags) answerRemotely(ctx context.Context, s *env, id string, denied bool) error {
	return s.seeRemote(ctx, f.remote, func(ctx context.Context, view *remote.View, snap *model.Snapshot) error {
		trouble := s.remoteTrouble(snap.Watch)
		a, err := findRemoteAsk(ctx, view, asksOn(snap, true), id)
		switch {
		case err != nil:
			return cmp.Or(trouble, err)
		case a.Fate != "":
			return fmt.Errorf("%s: %s", a.ID, a.Fate)
		}
		answer, err := f.answerTo(a, denied)
		if err != nil {
			return err
		}
		if _, err := s.recognizeDecider(model.HowCommand); err != nil {
			return fmt.Errorf("%s: %w", a.ID, err)
		}
		done, err := foreignAnswerer{view, s}.Answer(ctx, a.ID, answer)
		if err != nil {
			return fmt.Errorf("%s: %w", a.ID, err)
		}
		return f.sayAnswered(s, askToJSON(done, nil, nil), &answer)
	})
}

// foreignAnswerer answers agents on the machines of a fleet, but for the one that this process belongs to: where this machine is a host of the fleet
// itself, the process that answers there is another, and can't tell.
type foreignAnswerer struct {
	model.Answerer
	s *env
}

// Answer implements [model.Answerer].
func (n foreignAnswerer) Answer(ctx context.Context, id string, answer model.Answer) (*model.Ask, error) {
	there := id[strings.LastIndexByte(id, ':')+1:]
	if item, err := n.s.openAsks().Get(there); err == nil && item.ID == there {
		if err := n.s.newAnswerer(n.s.openAsks()).Refuses(&item.Ask); err != nil {
			return nil, err
		}
	}
	if strings.Contains(id, ":") {
		if err := n.s.checkSignable("", there); err != nil {
			return nil, err
		}
	}
	return n.Answerer.Answer(ctx, id, answer)
}
