package main

// What live agents ask on other machines: gatehouse asks and answer with --fleet.

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"gatehouse/model"
	"gatehouse/parse/agents/ask"
	"gatehouse/parse/fleet/view"
)

// fleetAsks returns what agents ask on the machines of a fleet, the newest first, and with all what has ended, too. The fleet is looked at
// until ctx ends.
func (s *surroundings) fleetAsks(ctx context.Context, name string, all bool) (f *view.Fleet, asks []*model.Ask, trouble error, err error) {
	if f, err = s.openFleet(ctx, name, 0); err != nil {
		return nil, nil, nil, err
	}
	snap, err := fleetSnapshot(ctx, f, func(_ *model.Project, b *model.Build) bool { return b.ID == model.AgentsBuild })
	if err != nil {
		return nil, nil, nil, err
	}
	for _, p := range snap.Projects {
		for _, b := range p.Builds {
			for _, a := range b.Asks() {
				if all || a.State == model.AskWaiting {
					asks = append(asks, a)
				}
			}
		}
	}
	slices.SortStableFunc(asks, func(a, b *model.Ask) int { return b.Since.Compare(a.Since) })
	return f, asks, s.fleetTrouble(snap.Watch), nil
}

// itemOf returns what is asked elsewhere as commands know what is asked here.
func itemOf(a *model.Ask) *ask.Item {
	return &ask.Item{State: a.State, Delivered: a.Delivered, Ask: ask.Ask{
		ID: a.ID, Kind: a.Kind, Text: a.Text, Questions: a.Questions, Plan: a.Plan, File: a.File, Call: a.Call, Project: a.Project, Dir: a.Dir, Agent: a.Agent,
		Session: a.Session, Subagent: a.Subagent, Since: a.Since, Until: a.Until,
	}}
}

// printFleetAsks prints what is asked on the machines of a fleet, or the one ask that an ID means.
func (s *surroundings) printFleetAsks(ctx context.Context, fleet string, args []string, all, asJSON bool) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	f, asks, trouble, err := s.fleetAsks(ctx, fleet, all || len(args) > 0)
	if err != nil {
		return err
	}
	hosts, items := f.Shown(), []ask.Item{}
	if len(args) > 0 {
		one, err := askOnFleet(ctx, f, asks, args[0])
		if err != nil {
			return errors.Join(err, trouble)
		}
		if !asJSON {
			s.printWholeItem(itemOf(one))
			s.printFate(one)
			return trouble
		}
		asks = []*model.Ask{one}
	}
	for _, a := range asks {
		items = append(items, *itemOf(a))
	}
	if asJSON {
		return errors.Join(s.printAsksJSON(items, hosts), trouble)
	}
	if len(asks) == 0 && trouble == nil {
		s.out.printf("nobody asks anything\n")
	}
	for i := range items {
		s.printAsk(&items[i])
		s.printFate(asks[i])
		if h := hostOf(hosts, asks[i].ID); h != nil && !h.Live() {
			s.out.printf("    (%s)\n", h.Why)
		}
	}
	return trouble
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

// printFate prints how an ask has ended, if it has.
func (s *surroundings) printFate(a *model.Ask) {
	if a.Fate != "" {
		s.out.printf("    %s\n", a.Fate)
	}
}

// askOnFleet returns the ask that a word means, whole: one that waits, or by its whole ID one that has ended.
func askOnFleet(ctx context.Context, f *view.Fleet, asks []*model.Ask, word string) (*model.Ask, error) {
	found := meantBy(asks, word)
	switch len(found) {
	case 1:
		return f.Ask(ctx, found[0].ID)
	case 0:
		if ended, err := f.Ask(ctx, word); err == nil {
			return ended, nil
		}
		return nil, usageError{fmt.Errorf("%q: %w; gatehouse asks --fleet lists them", word, ask.ErrNone)}
	}
	return nil, usageError{fmt.Errorf("%q: %w; gatehouse asks --fleet lists them", word, ask.ErrSeveral)}
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
		return errors.Join(err, trouble)
	case a.State != model.AskWaiting:
		return fmt.Errorf("%s: %s", a.ID, a.Fate)
	}
	item := itemOf(a)
	answer := ask.Answer{Allow: !denied, Text: f.deny}
	if len(f.picks)+len(f.texts) > 0 {
		if answer.Replies, err = f.replies(&item.Ask); err != nil {
			return usageError{fmt.Errorf("%s: %w", a.ID, err)}
		}
	}
	done, err := notOwn{fleet, s}.Answer(ctx, a.ID, answer)
	if err != nil {
		return fmt.Errorf("%s: %w", a.ID, err)
	}
	answered := itemOf(done)
	if f.asJSON {
		return s.out.json(answeredJSON{statusSchema, resultDone, toJSON(answered)})
	}
	s.sayAnswered(answered, &answer)
	return nil
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
		if err := n.s.answerer().Refuses(&item.Ask); err != nil {
			return nil, err
		}
	}
	return n.Answerer.Answer(ctx, id, answer)
}
