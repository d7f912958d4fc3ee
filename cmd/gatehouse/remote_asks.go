package main

// What live agents ask on other machines: gatehouse asks and answer with --remote.

import (
	"cmp"
	"context"
	"fmt"
	"strings"

	"gatehouse/cmd/gatehouse/remote"
	"gatehouse/model"
	"gatehouse/parse/agents/ask"
)

// fleetAsks returns what agents ask on the machines of a fleet, and with all what has ended, too. The fleet is followed until ctx ends.
func (s *surroundings) fleetAsks(ctx context.Context, name string, all bool) (f *remote.Fleet, asks []*model.Ask, trouble error, err error) {
	if f, err = s.openFleet(ctx, name); err != nil {
		return nil, nil, nil, err
	}
	snap, err := fleetSnapshot(ctx, f)
	if err != nil {
		return nil, nil, nil, err
	}
	for _, p := range snap.Projects {
		for _, b := range p.Builds {
			for _, a := range b.Asks() {
				if all || a.State == model.AskWaiting || a.State == model.AskElsewhere {
					asks = append(asks, a)
				}
			}
		}
	}
	return f, asks, s.fleetTrouble(snap.Watch), nil
}

// printFleetAsks prints what agents ask on the machines of a fleet, or the one ask that an ID means.
func (s *surroundings) printFleetAsks(ctx context.Context, fleet string, args []string, all, asJSON bool) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	f, asks, trouble, err := s.fleetAsks(ctx, fleet, all || len(args) > 0)
	if err != nil {
		return err
	}
	if len(args) > 0 {
		one, err := askOnFleet(ctx, f, asks, args[0])
		if err != nil {
			return cmp.Or(trouble, err)
		}
		asks = []*model.Ask{one}
	}
	snap, err := f.Next(ctx, 0)
	if err != nil {
		return err
	}
	shown := []askJSON{}
	for _, a := range asks {
		shown = append(shown, askToJSON(a, nil, hostOf(snap.Hosts, a.ID)))
	}
	return s.printAsks(shown, len(args) > 0, asJSON, trouble)
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

// askOnFleet returns the ask that a word means, whole: one that waits, or by its whole ID one that has ended.
func askOnFleet(ctx context.Context, f *remote.Fleet, asks []*model.Ask, word string) (*model.Ask, error) {
	found := meantBy(asks, word)
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

// meantBy returns the asks that a word may mean: an ID with or without its host, or the beginning of one.
func meantBy(asks []*model.Ask, word string) (found []*model.Ask) {
	for _, a := range asks {
		_, there, _ := strings.Cut(a.ID, ":")
		if strings.HasPrefix(a.ID, word) || strings.HasPrefix(there, word) {
			found = append(found, a)
		}
	}
	return found
}

// onFleet answers what is asked on a machine of a fleet.
func (f *answering) onFleet(ctx context.Context, s *surroundings, id string, denied bool) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	fleet, asks, trouble, err := s.fleetAsks(ctx, f.fleet, true)
	if err != nil {
		return err
	}
	a, err := askOnFleet(ctx, fleet, asks, id)
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
	if _, err := s.decider(model.HowCommand); err != nil {
		return fmt.Errorf("%s: %w", a.ID, err)
	}
	done, err := notOwn{fleet, s}.Answer(ctx, a.ID, answer)
	if err != nil {
		return fmt.Errorf("%s: %w", a.ID, err)
	}
	return f.sayAnswered(s, askToJSON(done, nil, nil), &answer)
}

// notOwn answers agents on the machines of a fleet, but for the one that this process belongs to: where this machine is a host of the fleet
// itself, the process that answers there is another, and can't tell.
type notOwn struct {
	model.Answerer
	s *surroundings
}

// Answer implements [model.Answerer].
func (n notOwn) Answer(ctx context.Context, id string, answer model.Answer) (*model.Ask, error) {
	there := id[strings.LastIndexByte(id, ':')+1:]
	if item, err := n.s.store().Get(there); err == nil && item.ID == there {
		if err := n.s.answerer(n.s.store()).Refuses(&item.Ask); err != nil {
			return nil, err
		}
	}
	if strings.Contains(id, ":") {
		if err := n.s.unsignable("", there); err != nil {
			return nil, err
		}
	}
	return n.Answerer.Answer(ctx, id, answer)
}
