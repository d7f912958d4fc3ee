package main

// gatehouse gates: what waits for a human, without the rest.

import (
	"errors"
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"gatehouse/model"
	"gatehouse/model/line"
)

// gatesJSON is what "gatehouse gates --json" prints.
type gatesJSON struct {
	Schema int        `json:"schema"`
	Gates  []gateJSON `json:"gates"` // the best evidence first
	// Unplaced are those of which nobody knows whether the work has come to them, by their builds; with --all they are gates.
	Unplaced []unplacedJSON `json:"unplaced"`
}

// gateJSON is one entry of it: what waits for a human.
type gateJSON struct {
	Project string `json:"project"`        // its directory
	Build   string `json:"build"`          // ID
	Name    string `json:"name,omitempty"` // as commands take it; "" where nothing can be decided
	printedWait
	Gate *model.Gate `json:"gate,omitempty"`
	Host *model.Host `json:"host,omitempty"` // the machine that it is on, with --fleet; none for this one
	in   *model.Project
}

// printedWait is a wait in a document that has further fields.
type printedWait model.Wait

// unplacedJSON are gates of a build of which nobody knows whether the work has come to them.
type unplacedJSON struct {
	Project string `json:"project"` // its directory
	Build   string `json:"build"`   // ID
	Text    string `json:"text"`    // how many: "3 gates pending"
}

// nowhere returns how many gates of a build are open and may be reached or not, as its line says it; "" for none.
func nowhere(b *model.Build) string {
	if l, ok := b.Claimed.(interface{ Unplaced() string }); ok {
		return l.Unplaced()
	}
	return ""
}

// ahead returns the gates of a build that the work has not come to, and that wait for nobody yet.
func ahead(b *model.Build) (waits []model.Wait) {
	if b.Status == model.Done {
		return nil
	}
	for _, n := range b.OfKind(model.KindGate) {
		listed := func(w model.Wait) bool { return w.Node == n.ID }
		if n.Gate == nil || !n.Gate.Upcoming || n.Status.Closed() || slices.ContainsFunc(b.Waits, listed) || slices.ContainsFunc(b.Expired, listed) {
			continue
		}
		text := n.Title
		if n.Gate.Asks != "" {
			text += ": " + n.Gate.Asks
		}
		waits = append(waits, model.Wait{Node: n.ID, Text: text, Evidence: model.Reached, Standing: model.Standing{Status: model.Upcoming}, Source: n.Source})
	}
	return waits
}

func newGates(s *surroundings) *cobra.Command {
	var asJSON, all bool
	var fleet string
	cmd := &cobra.Command{
		Use:   "gates [DIR...]",
		Short: "Print what waits for you",
		Long: `Print what waits for a human, the best evidence first: a live question, tests to
judge, verifications that need eyes, hand-overs. With --all also the checkpoints
at which a plan will stop, though none may be reached yet, and what still says
that it waits in a milestone that is over, or in a hand-over that is out of date.

What can be decided with gatehouse approve, skip and changes comes with the name
that they take.

Gates of which nobody knows whether the work has come to them, since no loop.json
says where they stand, are counted; --all lists them.

With --json: {"schema", "gates": [{"project", "build", "name", "node", "text",
"place", "evidence", "since", "potential", "with_agent", "over", "source", "gate", "host"}],
"unplaced": [{"project", "build", "text"}]}. A host has "name", "fleet", "state" (live,
offline, left or cut-off), "live", "as_of", "why" and "clock_ahead_s".`,
		ValidArgsFunction: completeDirs,
		RunE: func(cmd *cobra.Command, args []string) error {
			snap, err := s.everywhere(cmd.Context(), fleet, args, func(*model.Project, *model.Build) bool { return all })
			if err != nil {
				return err
			}
			found, unplaced := waitsOf(snap.Projects, all)
			missed := errors.Join(s.unread(snap.Projects...), s.fleetTrouble(snap.Watch))
			if len(found)+len(unplaced) == 0 {
				missed = errors.Join(missed, s.outOfReach(snap.Hosts))
			}
			if asJSON {
				return errors.Join(s.out.json(gatesJSON{statusSchema, found, unplaced}), missed)
			}
			switch {
			case missed != nil && len(found)+len(unplaced) == 0:
				// Nobody knows that nothing waits.
			case !anyBuild(snap) && fleet != "":
				s.out.printf("no build on any machine of this fleet, so nothing waits for you; gatehouse fleet doctor says more\n")
			case !anyBuild(snap):
				s.out.printf("no build here, so nothing waits for you; \"gatehouse demo\" shows one\n")
			case len(unplaced) == 0 && !slices.ContainsFunc(found, func(g gateJSON) bool { return !g.IsWithAgent() }):
				s.out.printf("nothing waits for you\n")
			}
			last := ""
			for _, g := range found {
				if g.Project != last {
					last = g.Project
					s.out.printf("%s%s\n", shortPath(last, s.user.Home), exact(asOf(g.in)))
				}
				s.printGate(&g)
			}
			for _, u := range unplaced {
				s.out.printf("%s, %s: %s; whether one is reached nobody knows without a loop.json, and gatehouse gates --all lists them\n",
					shortPath(u.Project, s.user.Home), u.Build, u.Text)
			}
			return missed
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print them as JSON")
	s.fleetFlag(cmd, &fleet)
	cmd.Flags().BoolVar(&all, "all", false, "also print where a plan will stop later, and what waits no more")
	return cmd
}

// waitsOf returns what waits in projects, and with all also what will, or waits no more; else how many gates of each build nobody can place.
func waitsOf(projects []*model.Project, all bool) (found []gateJSON, unplaced []unplacedJSON) {
	found, unplaced = []gateJSON{}, []unplacedJSON{}
	for _, p := range projects {
		for _, b := range p.Builds {
			named := decidable(b)
			waits := b.Waits
			if all {
				waits = slices.Concat(b.Waits, ahead(b), b.Expired)
			} else if text := nowhere(b); text != "" {
				unplaced = append(unplaced, unplacedJSON{p.Root, b.ID, text})
			}
			for _, w := range waits {
				if w.IsUpcoming() && !all {
					continue
				}
				g := gateJSON{Project: p.Root, Build: b.ID, Name: named[w.Node], printedWait: printedWait(w.Printed()), Host: p.Host, in: p}
				if n, _ := b.Find(w.Node); n != nil {
					g.Gate = n.Gate
				}
				found = append(found, g)
			}
		}
	}
	return found, unplaced
}

// printGate prints what waits, and what is to be known of it.
func (s *surroundings) printGate(g *gateJSON) {
	s.printWait((*model.Wait)(&g.printedWait), g.Name)
	if g.Gate != nil && !g.Gate.Awaited.IsZero() {
		s.out.printf("             an agent waits for the answer (%s)\n", model.Age(s.now().Sub(g.Gate.Awaited)))
	}
	if g.Gate != nil && g.Gate.Overwritten != nil {
		d := g.Gate.Overwritten
		s.out.printf("             overwritten: %s %s it (%s), and the file says %s again\n", d.Who, d.Verb.Words().Past, model.Age(s.now().Sub(d.At)), line.Name(d.Was))
	}
	if g.Gate != nil && g.Gate.Request != nil {
		s.out.printf("             changes asked: %s\n", g.Gate.Request.Text)
	}
}

// decidable returns the names of the gates of a build about which something can be decided, by their nodes.
func decidable(b *model.Build) map[string]string {
	named := map[string]string{}
	for _, g := range nameGates([]*model.Build{b}) {
		if len(g.Node.Gate.Can) > 0 {
			named[g.Node.ID] = g.Name
		}
	}
	return named
}

// unread returns what could not be read in projects and may hide something that waits, nil without any.
func (s *surroundings) unread(projects ...*model.Project) error {
	var missed []error
	for _, p := range projects {
		for _, problem := range p.Problems {
			if problem.Severity == model.Error {
				missed = append(missed, fmt.Errorf("%s: %s", shortPath(p.Root, s.user.Home), problem))
			}
		}
	}
	return errors.Join(missed...)
}

// outOfReach complains of the hosts that are not there, for who finds nothing that waits, and returns the error that a command ends with then:
// nobody knows what waits on them. Those behind a link that is down, the link's own trouble tells of.
func (s *surroundings) outOfReach(hosts []*model.Host) (missed error) {
	for _, h := range hosts {
		if !h.Live() && h.State != model.HostCutOff {
			s.complain("%s is %s; what waits there is not known", h.Name, h.Why)
			missed = refusal{}
		}
	}
	return missed
}

func anyBuild(snap *model.Snapshot) bool {
	return slices.ContainsFunc(snap.Projects, func(p *model.Project) bool { return len(p.Builds) > 0 })
}
