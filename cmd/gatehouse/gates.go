package main

// gatehouse gates: list what waits for a human.

import (
	"errors"
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"gatehouse/model"
	"gatehouse/model/line"
	"gatehouse/parse"
)

// gatesJSON is the document of "gatehouse gates --json".
type gatesJSON struct {
	Schema int        `json:"schema"`
	Gates  []gateJSON `json:"gates"` // the best evidence of each build first, finished turns of agents last
	// Passed are, with --all, the gates of humans that their file calls passed or skipped, and that no decision of the journal closed.
	Passed []gateJSON `json:"not_by_you,omitempty"`
	// Unplaced are the open gates of a build that the work may have reached or not. With --all they are among gates.
	Unplaced []unplacedJSON `json:"unplaced"`
}

// gateJSON is something that waits for a human.
type gateJSON struct {
	Project string `json:"project"`        // its directory
	Build   string `json:"build"`          // ID
	Name    string `json:"name,omitempty"` // as commands take it; "" if nothing can be decided
	printedWait
	Gate   *model.Gate `json:"gate,omitempty"`
	IfSeen string      `json:"if_seen,omitempty"` // what --if-seen takes; "" if nothing can be decided, and for what is on another machine
	Host   *model.Host `json:"host,omitempty"`    // the machine that it is on, with --remote; absent for this one
	in     *model.Project
	who    string // the agent of a finished turn, and its session
	// items are its single tests, if --all lists them.
	items []*model.Node
}

// printedWait is a wait in a document that has further fields.
type printedWait model.Wait

// unplacedJSON counts the gates of a build that the work may have reached or not.
type unplacedJSON struct {
	Project string `json:"project"` // its directory
	Build   string `json:"build"`   // ID
	Text    string `json:"text"`    // how many: "3 gates pending"
}

func newGates(s *env) *cobra.Command {
	var all, exitCode bool
	var fleet string
	cmd := &cobra.Command{
		Use:   "gates [DIR...]",
		Short: "List what waits for you",
		Long: `List what waits for a human, the best evidence first: live questions, tests to judge,
verifications, hand-overs; then the finished turns of agents that you have not looked
at, the newest first. With --all also gates that the work has not reached yet, and waits
that are over but still in a file, such as those that past phases left to you.

If gatehouse approve, skip and changes can decide a gate, its row has the name they take.

If there is no loop.json, the work may have reached a gate or not. Such gates are
counted; --all lists them.

With --exit-code it exits 3 if something waits, or if a file that may hold something can't
be read.`,
		ValidArgsFunction: completeDirs,
		RunE: func(cmd *cobra.Command, args []string) error {
			snap, err := s.readEverywhere(cmd.Context(), fleet, args)
			if err != nil {
				return err
			}
			found, unplaced := waitsOf(snap.Projects, all)
			var passed []gateJSON
			if all {
				passed = notByYou(snap.Projects)
			}
			missed := errors.Join(s.readErrors(snap.Projects...), s.remoteTrouble(snap.Watch))
			if len(found)+len(unplaced) == 0 {
				missed = errors.Join(missed, s.checkReachable(snap.Hosts))
			}
			if s.asJSON {
				for i := range found {
					found[i].setIfSeen()
				}
				err = s.out.printJSON(gatesJSON{statusSchema, found, passed, unplaced})
			} else {
				isListed := func(g gateJSON) bool { return !g.IsWithAgent() }
				if missed == nil && len(unplaced) == 0 && !slices.ContainsFunc(found, isListed) {
					s.printNothing(snap, fleet)
				}
				s.printGates(found, unplaced, passed)
			}
			waits := len(unplaced) > 0 || slices.ContainsFunc(found, gateJSON.isWaiting) || missed != nil || hasErrors(snap.Projects)
			if exitCode && waits && err == nil {
				s.reportError(cmd, missed)
				return verdictCode(exitWaiting)
			}
			return errors.Join(err, missed)
		},
	}
	s.jsonFlag(cmd, "print them as JSON")
	s.remoteBuildsFlag(cmd, &fleet)
	cmd.Flags().BoolVar(&all, "all", false, "also list gates ahead, and waits that are over")
	cmd.Flags().BoolVar(&exitCode, "exit-code", false, "exit 3 if something waits")
	return cmd
}

// waitsOf returns the waits of projects. Finished turns are last, the newest first. With all it includes upcoming gates and expired waits;
// otherwise it counts the gates that the work may have reached or not.
func waitsOf(projects []*model.Project, all bool) (found []gateJSON, unplaced []unplacedJSON) {
	found, unplaced = []gateJSON{}, []unplacedJSON{}
	var turns []gateJSON
	for _, p := range projects {
		for _, b := range p.Builds {
			named := decidableNames(b)
			waits := b.Waits
			l, isCounted := b.Claimed.(interface{ Unplaced() string })
			if all {
				waits = slices.Concat(b.Waits, upcomingGates(b), b.Expired)
			} else if isCounted && l.Unplaced() != "" {
				unplaced = append(unplaced, unplacedJSON{p.Root, b.ID, l.Unplaced()})
			}
			for _, w := range waits {
				g := gateOf(p, b, w, named)
				if all && (w.Evidence == model.Tested || w.Evidence == model.Verified) {
					g.items = b.Items(&w)
				}
				switch {
				case w.IsTurn():
					turns = append(turns, g)
				case !w.IsUpcoming() || all:
					found = append(found, g)
				}
			}
		}
	}
	slices.SortStableFunc(turns, func(a, b gateJSON) int { return b.Since.Compare(a.Since) })
	return append(found, turns...), unplaced
}

// upcomingGates returns the gates of a build that the work has not reached yet.
func upcomingGates(b *model.Build) (waits []model.Wait) {
	if b.Status == model.Done {
		return nil
	}
	for _, n := range b.OfKind(model.KindGate) {
		isListed := func(w model.Wait) bool { return w.Node == n.ID }
		if n.Gate == nil || !n.Gate.Upcoming || n.Status.Closed() || slices.ContainsFunc(slices.Concat(b.Waits, b.Expired), isListed) {
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

// notByYou returns the gates that no decision of the journal closed.
func notByYou(projects []*model.Project) (passed []gateJSON) {
	for _, p := range projects {
		for _, b := range p.Builds {
			for _, n := range b.OfKind(model.KindGate) {
				if n.NotByYou() != "" {
					wait := model.Wait{Node: n.ID, Text: n.NotByYou(), Evidence: model.Reached, Since: n.Updated, Source: n.Source}
					passed = append(passed, gateJSON{Project: p.Root, Build: b.ID, Name: n.Name(), printedWait: printedWait(wait.Printed()), Gate: n.Gate, Host: p.Host, in: p})
				}
			}
		}
	}
	return passed
}

// gateOf returns a wait of a build with its gate, and the agent of a finished turn.
func gateOf(p *model.Project, b *model.Build, w model.Wait, named map[string]string) gateJSON {
	g := gateJSON{Project: p.Root, Build: b.ID, Name: named[w.Node], printedWait: printedWait(w.Printed()), Host: p.Host, in: p, who: w.Place}
	n, above := b.Find(w.Node)
	if n == nil {
		return g
	}
	g.Gate = n.Gate
	for _, n := range append(above, n) {
		if n.Kind == model.KindSession {
			g.who = n.Number + " · " + n.Title
		}
	}
	return g
}

// decidableNames returns the names of a build's decidable gates, by their nodes.
func decidableNames(b *model.Build) map[string]string {
	named := map[string]string{}
	for _, g := range nameGates([]*model.Build{b}) {
		if len(g.Node.Gate.Can) > 0 {
			named[g.Node.ID] = g.Name
		}
	}
	return named
}

// wait returns the wait.
func (g *gateJSON) wait() *model.Wait { return (*model.Wait)(&g.printedWait) }

// isWaiting reports whether a wait counts for --exit-code: not if it is upcoming, expired, or with the agent.
func (g gateJSON) isWaiting() bool {
	return !g.wait().IsUpcoming() && !g.wait().IsExpired() && !g.IsWithAgent()
}

// setIfSeen sets the value for --if-seen of a gate.
func (g *gateJSON) setIfSeen() {
	for _, b := range g.in.Builds {
		if n, _ := b.Find(g.Node); b.ID == g.Build && n != nil && g.Name != "" && n.Session == nil && (g.Gate == nil || g.Gate.Ask == nil) {
			g.IfSeen = parse.Seen(g.in, b, n)
		}
	}
}

// printNothing prints that nothing waits in a snapshot, and how much waits elsewhere.
func (s *env) printNothing(snap *model.Snapshot, fleet string) {
	switch {
	case slices.ContainsFunc(snap.Projects, func(p *model.Project) bool { return len(p.Builds) > 0 }):
		s.out.printf("nothing waits for you\n")
	case fleet != "":
		s.out.printf("no build on any other machine; gatehouse remote doctor says more\n")
	default:
		s.out.printf("no build here or below, so nothing waits for you; \"gatehouse demo\" shows one\n")
	}
	if n := s.asksElsewhere(snap.Projects); n > 0 {
		s.out.printf("%s elsewhere; gatehouse asks lists them\n", countOf(n, "ask"))
	}
}

// printGates prints waits by project, finished turns, and gates that no decision of the journal closed.
func (s *env) printGates(found []gateJSON, unplaced []unplacedJSON, passed []gateJSON) {
	last, asked, turns := "", 0, 0
	for _, g := range found {
		if g.wait().IsTurn() {
			turns++
			s.printTurn(&g)
			continue
		}
		if g.wait().IsAsked() {
			asked++
		}
		if g.Project != last {
			last = g.Project
			s.out.printf("%s%s\n", shortPath(last, s.user.Home), exact(asOf(g.in)))
		}
		s.printGate(&g)
	}
	for _, u := range unplaced {
		s.out.printf("%s, %s: %s; without a loop.json the work may have reached them or not; gatehouse gates --all lists them\n",
			shortPath(u.Project, s.user.Home), u.Build, u.Text)
	}
	if turns > 0 {
		s.printCounts("", asked, turns)
	}
	for _, g := range passed {
		s.out.printf("≠ %s: %s  %s: %s (%s)\n", shortPath(g.Project, s.user.Home), g.Build, line.Name(g.Name), g.Text, g.Source)
	}
}

// printCounts prints the row with the number of waits.
func (s *env) printCounts(indent string, asked, turns int) {
	switch {
	case turns == 0:
		s.out.printf(indent+"◆ %d waiting\n", asked)
	case asked == 0:
		s.out.printf(indent+"◇ %d your turn\n", turns)
	default:
		s.out.printf(indent+"◆ %d waiting · ◇ %d your turn\n", asked, turns)
	}
}

// printTurn prints a finished turn of an agent.
func (s *env) printTurn(g *gateJSON) {
	name := ""
	if g.Name != "" {
		name = g.Name + "  "
	}
	s.out.printf("  ◇ your turn  %s%s  %s: \"%s\"  %s\n", exact(name), g.in.Name, exact(line.Clean(g.who)), g.Text, model.Age(s.now().Sub(g.Since)))
}

// printGate prints a wait and its details.
func (s *env) printGate(g *gateJSON) {
	s.printWait(g.wait(), g.Name)
	if g.Gate == nil {
		return
	}
	detail := func(format string, args ...any) { s.out.printf("             "+format+"\n", args...) }
	const most = 5
	for i, n := range g.items {
		if len(g.items) > 1 && i < most {
			detail("- %s", n.Title)
		}
	}
	if len(g.items) > most {
		detail("+%d more", len(g.items)-most)
	}
	if left := g.Gate.Ask.Deadline(s.now()); left != "" {
		detail("%s", left)
	}
	if !g.Gate.Awaited.IsZero() {
		detail("an agent waits for the answer (%s)", model.Age(s.now().Sub(g.Gate.Awaited)))
	}
	if d := g.Gate.Overwritten; d != nil {
		detail("overwritten: %s %s it (%s), and the file says %s again", d.Who, d.Verb.Words().Past, model.Age(s.now().Sub(d.At)), line.Name(d.Was))
	}
	if g.Gate.Request != nil {
		detail("changes asked: %s", g.Gate.Request.Text)
	}
}

// hasErrors reports whether a file of a build is unusable: it may hide a wait.
func hasErrors(projects []*model.Project) bool {
	isError := func(p model.Problem) bool { return p.Severity == model.Error }
	return slices.ContainsFunc(projects, func(p *model.Project) bool {
		return slices.ContainsFunc(p.Builds, func(b *model.Build) bool { return b.Unread != "" || slices.ContainsFunc(b.Problems, isError) })
	})
}

// readErrors returns the errors of reading projects: they may hide waits.
func (s *env) readErrors(projects ...*model.Project) (missed error) {
	for _, p := range projects {
		for _, problem := range p.Problems {
			if problem.Severity == model.Error {
				missed = errors.Join(missed, fmt.Errorf("%s: %s", shortPath(p.Root, s.user.Home), problem))
			}
		}
	}
	return missed
}

// checkReachable reports offline hosts if nothing was found: something may wait there. A broken link is reported by itself.
func (s *env) checkReachable(hosts []*model.Host) (missed error) {
	for _, h := range hosts {
		if !h.Live() && h.State != model.HostCutOff {
			s.complain("%s is %s; what waits there is unknown", h.Name, h.Why)
			missed = refusal{}
		}
	}
	return missed
}
