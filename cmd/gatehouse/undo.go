package main

// gatehouse undo: take the last decision about something back.

import (
	"github.com/spf13/cobra"

	"gatehouse/model"
	"gatehouse/parse"
)

func newUndo(s *surroundings) *cobra.Command {
	var d deciding
	cmd := d.gateCommand(s, model.VerbUndo, "Take the last decision about a gate back",
		`Take the last decision about a gate back, while nobody has acted on it: it is
refused once the state file is another, a "gatehouse wait" has passed the
decision on, or the next phase has begun. What was decided about an item of an
inbox or a run is taken back by its ID.`,
		func() (model.Action, error) { return model.Action{}, nil })
	ofGate := cmd.RunE
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		p, last, err := d.decided(s, args[0])
		if err != nil || last == nil {
			return ofGate(cmd, args)
		}
		a := model.Action{Verb: model.VerbUndo, Project: p.Root(), Build: last.Build, Node: last.Node}
		return d.do(cmd.Context(), s, p, a, args[0])
	}
	cmd.ValidArgsFunction = d.completeGates(s, "") // only the journal knows which
	return cmd
}

// decided returns the last decision about something that is no gate and goes by this name, of those taken back only where there
// is no other; nil without one. What was taken out of a file is named by the journal alone.
func (d *deciding) decided(s *surroundings, name string) (p *parse.Project, last *model.Decision, err error) {
	p, mp, err := d.read(s)
	if err != nil {
		return nil, nil, err
	}
	for _, x := range mp.Decisions {
		switch x.Verb {
		case model.VerbAdd, model.VerbDismiss, model.VerbFresh:
			if d.names(&x, name) && !x.Interrupted && (last == nil || last.Undone && !x.Undone) {
				last = &x
			}
		}
	}
	return p, last, nil
}

// names reports whether a name is that of what was decided about.
func (d *deciding) names(x *model.Decision, name string) bool {
	return (x.Name == name || x.Node == name) && (d.build == "" || d.build == x.Build)
}
