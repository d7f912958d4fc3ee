package main

// gatehouse sync: STATE.md brought in line with the tree.

import (
	"context"
	"fmt"
	"strings"

	"gatehouse/model"
	"gatehouse/parse"
)

// sync shows what would change, asks, and does it.
func (d *deciding) sync(ctx context.Context, s *surroundings, verb model.Verb, _ []string) error {
	p, b, err := d.one(s, verb)
	if err != nil {
		return err
	}
	a := model.Action{Verb: verb, Project: p.Root(), Build: b.ID}
	proposal, err := d.propose(ctx, parse.NewActions([]*parse.Project{p}, byCommand, s.now), a)
	if err != nil {
		return d.refused(s, b.ID, err)
	}
	if !d.asJSON && !d.dryRun {
		s.out.printf("%s\n", proposal.File)
		s.printEdits(proposal.Edits)
		if err := s.out.Flush(); err != nil { // before the question
			return err
		}
	}
	if !d.yes && !d.dryRun {
		if err := s.agree(proposal.File); err != nil {
			return err
		}
	}
	a.Shown = proposal.Action.Shown // and nothing else than what was shown
	return d.do(ctx, s, p, a, b.ID)
}

// agree asks on the terminal whether a file may be written.
func (s *surroundings) agree(file string) error {
	if s.keys == nil {
		return fmt.Errorf("%s: nothing was written: there is no terminal to ask on; in a script say --yes", file)
	}
	typed, err := s.ask("write %s? [y/N]", file)
	if err != nil {
		return err
	}
	if answer := strings.ToLower(typed); answer != "y" && answer != "yes" {
		return fmt.Errorf("%s: not agreed to, nothing was written", file)
	}
	return nil
}
