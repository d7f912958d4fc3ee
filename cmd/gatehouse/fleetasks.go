package main

// What live agents ask on other machines: gatehouse asks and answer with --fleet.

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"gatehouse/model"
	"gatehouse/parse/ask"
	"gatehouse/parse/fleet/view"
)

// fleetAsks returns what agents ask on the machines of a fleet, the newest first, and with all what has ended, too. The fleet is looked at
// until ctx ends.
func (s *surroundings) fleetAsks(ctx context.Context, name string, all bool) (f *view.Fleet, asks []*model.Ask, trouble error, err error) {
	if f, err = s.openFleet(ctx, name); err != nil {
		return nil, nil, nil, err
	}
	snap, err := fleetSnapshot(ctx, f, func(_ *model.Project, b *model.Build) bool { return b.ID == model.AgentsBuild })
	if err != nil {
		return nil, nil, nil, err
	}
	for _, p := range snap.Projects {
		for _, b := range p.Builds {
			for _, n := range model.Walk(b.Nodes) {
				if n.Gate != nil && n.Gate.Ask != nil && (all || n.Gate.Ask.State == model.AskWaiting) {
					asks = append(asks, n.Gate.Ask)
				}
			}
		}
	}
	slices.SortStableFunc(asks, func(a, b *model.Ask) int { return b.Since.Compare(a.Since) })
	return f, asks, s.fleetTrouble(snap), nil
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
	items := []ask.Item{}
	if len(args) > 0 {
		one, err := theAsk(asks, args[0])
		if err != nil {
			return errors.Join(err, trouble)
		}
		if one, err = f.Ask(ctx, one.ID); err != nil {
			return err
		}
		if !asJSON {
			s.printWholeItem(itemOf(one))
			return trouble
		}
		asks = []*model.Ask{one}
	}
	for _, a := range asks {
		items = append(items, *itemOf(a))
	}
	if asJSON {
		return errors.Join(s.printAsksJSON(items), trouble)
	}
	if len(asks) == 0 && trouble == nil {
		s.out.printf("nobody asks anything\n")
	}
	for i := range items {
		s.printAsk(&items[i])
		if fate := asks[i].Fate; fate != "" {
			s.out.printf("    %s\n", fate)
		}
	}
	return trouble
}

// theAsk returns the ask that a word means: its ID with or without its host, or the beginning of one.
func theAsk(asks []*model.Ask, word string) (*model.Ask, error) {
	var found []*model.Ask
	for _, a := range asks {
		_, there, _ := strings.Cut(a.ID, ":")
		if strings.HasPrefix(a.ID, word) || strings.HasPrefix(there, word) {
			found = append(found, a)
		}
	}
	switch len(found) {
	case 1:
		return found[0], nil
	case 0:
		return nil, usageError{fmt.Errorf("%q: %w; gatehouse asks --fleet lists them", word, ask.ErrNone)}
	}
	return nil, usageError{fmt.Errorf("%q: %w; gatehouse asks --fleet lists them", word, ask.ErrSeveral)}
}

// onFleet answers what is asked on a machine of a fleet.
func (f *answering) onFleet(ctx context.Context, s *surroundings, id string, denied bool) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	fleet, asks, trouble, err := s.fleetAsks(ctx, f.fleet, true)
	if err != nil {
		return err
	}
	a, err := theAsk(asks, id)
	if err != nil {
		return errors.Join(err, trouble)
	}
	item := itemOf(a)
	answer := ask.Answer{Allow: !denied, Text: f.deny}
	if len(f.picks)+len(f.texts) > 0 {
		if answer.Replies, err = f.replies(&item.Ask); err != nil {
			return usageError{fmt.Errorf("%s: %w", a.ID, err)}
		}
	}
	done, err := fleet.Answer(ctx, a.ID, answer)
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
