package main

// gatehouse undo: take the last decision about something back.

import (
	"context"

	"gatehouse/model"
	"gatehouse/parse"
)

// undoDecision takes back the last decision about a gate, or about what else the journal names.
func (d *decideFlags) undoDecision(ctx context.Context, s *env, verb model.Verb, args []string) error {
	if d.remote != "" {
		return d.doGate(ctx, s, verb, args)
	}
	p, last, err := d.lastDecision(s, args[0])
	if err != nil || last == nil {
		return d.doGate(ctx, s, verb, args)
	}
	return d.perform(ctx, s, p, model.Action{Verb: verb, Project: p.Root(), Build: last.Build, Node: last.Node}, args[0])
}

// lastDecision returns the last decision about something that is no gate and goes by this name, of those taken back only where there
// is no other; nil without one. What was taken out of a file is named by the journal alone.
func (d *decideFlags) lastDecision(s *env, name string) (p *parse.Project, last *model.Decision, err error) {
	p, mp, err := d.readProject(s)
	if err != nil {
		return nil, nil, err
	}
	for _, x := range mp.Decisions {
		switch x.Verb {
		case model.VerbAdd, model.VerbDismiss, model.VerbFresh:
			if d.isNamed(&x, name) && !x.Interrupted && (last == nil || last.Undone && !x.Undone) {
				last = &x
			}
		}
	}
	return p, last, nil
}

// isNamed reports whether a decision was about something with this name.
func (d *decideFlags) isNamed(x *model.Decision, name string) bool {
	return (x.Name == name || x.Node == name) && (d.build == "" || d.build == x.Build)
}
