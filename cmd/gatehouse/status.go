package main

// gatehouse status, gates and show: where each build is, what waits, and its files.

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"gatehouse/cmd/gatehouse/remote"
	"gatehouse/model"
	"gatehouse/model/line"
	"gatehouse/parse"
	"gatehouse/parse/disk/watch"
)

func newStatus(s *env) *cobra.Command {
	var follow bool
	var fleet string
	cmd := &cobra.Command{
		Use:   "status [DIR...]",
		Short: "Print the state of each build",
		Long: `Print the state of each build: its line, what waits for you, what is blocked, where
STATE.md and the tree disagree, and its phases. Live agents are a build, too: a row for
each session.

With --follow it prints the state again whenever it changes, until a signal ends it. With
--json that is a stream of documents, one a line.`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if follow {
				if fleet != "" {
					return usageError{errors.New("--follow: it is for this machine alone; run it on the host, or leave out --remote")}
				}
				return s.followStatus(cmd.Context(), args)
			}
			snap, err := s.readEverywhere(cmd.Context(), fleet, args)
			if err != nil {
				return err
			}
			if s.asJSON {
				return errors.Join(s.out.printJSON(toDocument(snap)), s.remoteTrouble(snap.Watch))
			}
			if len(snap.Projects) == 0 {
				s.out.printf("no build on any other machine; gatehouse remote doctor says more\n")
			}
			s.printProjects(snap)
			return s.remoteTrouble(snap.Watch)
		},
	}
	s.jsonFlag(cmd, "print the whole model as JSON")
	cmd.Flags().BoolVarP(&follow, "follow", "f", false, "print it again whenever it changes")
	s.remoteBuildsFlag(cmd, &fleet)
	return cmd
}

// followStatus prints the state of projects, and again after each change, until a signal or its reader ends it.
func (s *env) followStatus(ctx context.Context, dirs []string) error {
	d, err := s.discover(ctx, dirs, commandSearch)
	if err != nil {
		return err
	}
	return s.untilSignal(ctx, func(ctx context.Context) error {
		ctx, stop := context.WithCancel(ctx)
		defer stop()
		if s.user.Asks != nil {
			s.followAgents(ctx, false)
		}
		scope := s.scope
		scope.Only = true
		feed := parse.FollowAgents(ctx, d.open, s.now, watch.Options{}, s.user, scope)
		defer saveMemory(ctx, feed)()
		for last, version := "", uint64(0); ; {
			snap, err := feed.Next(ctx, version)
			if err != nil {
				return err
			}
			version = snap.Version
			shown := *snap
			shown.Projects = slices.Clone(snap.Projects)
			for i, p := range snap.Projects {
				narrowed := *p
				narrowed.Builds = ofFile(p.Builds, d.file)
				shown.Projects[i] = &narrowed
			}
			document, err := json.Marshal(toDocument(&shown))
			switch {
			case err != nil:
				return err
			case string(document) == last:
				continue
			case s.asJSON:
				s.out.printDocument(string(document) + "\n")
			default:
				if last != "" {
					s.out.printf("\n")
				}
				s.printProjects(&shown)
			}
			last = string(document)
			if err := s.out.Flush(); err != nil {
				return err
			}
		}
	})
}

// printProjects prints the projects of a snapshot for people.
func (s *env) printProjects(snap *model.Snapshot) {
	for i, p := range snap.Projects {
		if i > 0 {
			s.out.printf("\n")
		}
		s.printProject(p)
	}
}

func toDocument(snap *model.Snapshot) remote.Document {
	out := remote.Document{Schema: remote.Schema, Projects: []remote.Project{}}
	for _, p := range snap.Projects {
		out.Projects = append(out.Projects, remote.NewProject(p, func(b *model.Build, n *model.Node) string { return parse.Seen(p, b, n) }))
	}
	return out
}

// nonNil returns a slice that JSON prints as a list even if it is empty.
func nonNil[T any](s []T) []T {
	if s == nil {
		return []T{}
	}
	return s
}

// printProject prints a project for people.
func (s *env) printProject(p *model.Project) {
	s.out.printf("%s  %s%s\n", p.Name, s.shortPath(p.Root), exact(asOf(p)))
	if len(p.Builds) == 0 && s.readErrors(p) == nil {
		s.out.printf("  no build here or below; \"gatehouse demo\" shows one\n")
	}
	s.printProblems(p.Problems)
	for _, b := range p.Builds {
		s.printBuild(p, b)
	}
}

func (s *env) printBuild(p *model.Project, b *model.Build) {
	mark := ""
	if len(b.Divergences) > 0 {
		mark = "  ≠ " + line.Foreign(path.Base(b.File))
	}
	head := exact(line.Foreign(b.Title))
	if b.Header != nil {
		head = cmp.Or(exact(line.Shown(b.Header, false)), head)
	}
	id := b.ID
	if b.Selected {
		id += " (active)"
	}
	s.out.printf("  %s  %s%s\n", id, head, exact(mark))
	if b.StaleSince.IsZero() {
		s.out.printf("  %s: %s%s\n", b.Word(), b.Why, exact(s.formatSince(b.Since, b.SinceFile)))
	} else {
		s.out.printf("  %s: %s; nothing has moved for %s\n", b.Word(), b.Why, model.Age(s.now().Sub(b.StaleSince)))
	}
	if pr := b.Progress; pr.Known && pr.Phases.Total+pr.Plans.Total+pr.Tasks.Total > 0 {
		s.out.printf("  %s\n", formatProgress(pr))
	}
	if b.Pause != nil {
		s.out.printf("  paused: %s (%s%s)\n", cmp.Or(b.Pause.Reason, "no reason given"), b.Pause.Source, exact(s.formatSince(b.Pause.Since, b.Pause.SinceFile)))
	}
	if b.Next != nil {
		s.out.printf("  next: %s (%s)\n", b.Next.Command, b.Next.Why)
	}
	if d, idle := b.Freshness.Idle(s.now()); idle && b.Status != model.Done {
		s.out.printf("  nothing has changed for %s\n", model.Age(d))
	}
	if b.ID == model.AgentsBuild && len(b.Waits) > 0 {
		s.printCounts("  ", len(b.Certain()), len(b.FinishedTurns()))
	}
	named := decidableNames(b)
	for _, x := range b.Waits {
		if g := gateOf(p, b, x, named); x.IsTurn() {
			s.printTurn(&g)
		} else {
			s.printWait(&x, g.Name)
		}
	}
	for _, x := range b.Blockers {
		word := "blocked"
		if x.Concern {
			word = "concern"
		}
		s.out.printf("  %s: %s (%s%s)\n", word, x.Text, x.Source, exact(s.formatSince(x.Since, x.SinceFile)))
	}
	for _, n := range b.OfKind(model.KindGate) {
		if note := n.NotByYou(); note != "" {
			s.out.printf("  ≠ %s: %s (%s)\n", n.Name(), note, n.Source)
		}
	}
	for _, d := range b.Divergences {
		s.out.printf("  ≠ %s; %s (%s)\n", d.Claim, d.Truth, d.Source)
	}
	s.printProblems(b.Problems)
	for depth, n := range model.Walk(b.Nodes) {
		switch n.Kind {
		case model.KindMilestone, model.KindPhase, model.KindChunk:
		case model.KindSession:
			s.printSession(n)
			continue
		case model.KindGate:
			if depth > 0 || b.ID == model.AgentsBuild { // waiting agents are listed above
				continue
			}
		default:
			continue
		}
		if n.IsArchived() && depth > 0 {
			continue
		}
		count := ""
		if n.Count.Total > 0 {
			count = fmt.Sprintf("%d/%d", n.Count.Done, n.Count.Total)
		}
		s.out.printf("  %s%-10s %-6s %6s  %s\n", exact(strings.Repeat("  ", depth)), n.Word(), n.Number, count, n.Heading())
	}
}

// printSession prints a session of an agent as a row.
func (s *env) printSession(n *model.Node) {
	word, branch := n.Word(), ""
	if n.Session != nil {
		word, branch = cmp.Or(string(n.Session.State), word), n.Session.Branch
	}
	if branch != "" {
		branch = " (" + branch + ")"
	}
	s.out.printf("  %-11s %-8s %3s  %s%s\n", word, n.Number, exact(model.Age(s.now().Sub(n.Since))), n.Title, branch)
}

// formatProgress returns the counts of a build in words.
func formatProgress(p model.Progress) string {
	var counts []string
	for _, c := range []struct {
		model.Count
		of string
	}{{p.Closed, "phases"}, {p.Plans, "plans"}, {p.Tasks, "tasks"}} {
		if c.Total > 0 {
			counts = append(counts, fmt.Sprintf("%d of %d %s done", c.Done, c.Total, c.of))
		}
	}
	return strings.Join(counts, ", ")
}

// printWait prints a wait, with its name if it can be decided.
func (s *env) printWait(x *model.Wait, name string) {
	lead := "◆ waits"
	switch {
	case x.IsWithAgent():
		lead = "● with the agent"
	case x.IsUpcoming():
		lead = "▷ " + model.LaterWord
	}
	over := ""
	if x.IsExpired() {
		lead, over = "· past", "; "+x.Reason
	}
	since := s.formatSince(x.Since, x.SinceFile)
	place := ""
	if x.Place != "" {
		place = x.Place + ": "
	}
	what, gap := x.Text, ""
	if name != "" {
		what, gap = strings.TrimPrefix(what, name+": "), "  "
	}
	source := x.Source.String()
	if source == "" { // it comes from no file
		since = strings.TrimPrefix(since, ", ")
	}
	s.out.printf("  %s  %s%s%s%s (%s, %s%s%s)\n", exact(lead), name, exact(gap), place, what, x.Evidence, source, since, over)
}

// formatSince returns the age of something after a comma; "" if it is unknown.
func (s *env) formatSince(at time.Time, file bool) string {
	if at.IsZero() {
		return ""
	}
	since := ", " + model.Age(s.now().Sub(at))
	if file {
		since += " by its file"
	}
	return since
}

func (s *env) printProblems(problems []model.Problem) {
	for _, p := range problems {
		s.out.printf("  %s: %s\n", p.Severity, p)
	}
}

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
				err = s.out.printJSON(gatesJSON{remote.Schema, found, passed, unplaced})
			} else {
				isListed := func(g gateJSON) bool { return !g.IsWithAgent() }
				if missed == nil && len(unplaced) == 0 && !slices.ContainsFunc(found, isListed) {
					s.printNothing(snap, fleet)
				}
				s.printGates(found, unplaced, passed)
			}
			isWaiting := func(g gateJSON) bool { return !g.wait().IsUpcoming() && !g.wait().IsExpired() && !g.IsWithAgent() }
			waits := len(unplaced) > 0 || slices.ContainsFunc(found, isWaiting) || missed != nil || slices.ContainsFunc(snap.Projects, mayHideWait)
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

// setIfSeen sets the value for --if-seen of a gate.
func (g *gateJSON) setIfSeen() {
	for _, b := range g.in.Builds {
		if n, _ := b.Find(g.Node); b.ID == g.Build && n != nil && g.Name != "" && n.Session == nil && (g.Gate == nil || g.Gate.Ask == nil) {
			g.IfSeen = parse.Seen(g.in, b, n)
		}
	}
}

// mayHideWait reports whether a wait may be in a file of a project that can't be read.
func mayHideWait(p *model.Project) bool {
	return len(errorsOf(p)) > 0 || slices.ContainsFunc(p.Builds, func(b *model.Build) bool { return b.Unread != "" })
}

// printNothing prints that nothing waits in a snapshot, and how much waits elsewhere.
func (s *env) printNothing(snap *model.Snapshot, fleet string) {
	hides := slices.IndexFunc(snap.Projects, mayHideWait)
	switch {
	case hides >= 0:
		s.out.printf("nothing is known to wait, but %s has files that can't be read; gatehouse check names them\n", snap.Projects[hides].Name)
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
			s.out.printf("%s%s\n", s.shortPath(last), exact(asOf(g.in)))
		}
		s.printGate(&g)
	}
	for _, u := range unplaced {
		s.out.printf("%s, %s: %s; without a loop.json the work may have reached them or not; gatehouse gates --all lists them\n",
			s.shortPath(u.Project), u.Build, u.Text)
	}
	if turns > 0 {
		s.printCounts("", asked, turns)
	}
	for _, g := range passed {
		s.out.printf("≠ %s: %s  %s: %s (%s)\n", s.shortPath(g.Project), g.Build, line.Name(g.Name), g.Text, g.Source)
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

// readErrors returns the errors of reading projects: they may hide waits.
func (s *env) readErrors(projects ...*model.Project) (missed error) {
	for _, p := range projects {
		for _, problem := range p.Problems {
			if problem.Severity == model.Error {
				missed = errors.Join(missed, fmt.Errorf("%s: %s", s.shortPath(p.Root), problem))
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

// showJSON is the document of "gatehouse show --json".
type showJSON struct {
	Schema int    `json:"schema"`
	File   string `json:"file"` // as it was named, relative to the project's directory
	Text   string `json:"text"` // its content, without control characters
}

func newShow(s *env) *cobra.Command {
	var dir, name string
	cmd := &cobra.Command{
		Use:   "show FILE",
		Short: "Print a file of a project",
		Long: `Print a file of a project: a state file, a plan, a deliverable. FILE is relative to the
project's directory, as "gatehouse status --json" names it. From another machine, only
files that its builds name are printed. Control characters are removed.`,
		Example: "  gatehouse show .planning/STATE.md\n  gatehouse show SKETCH.md --remote --dir build-7:shop",
		Args:    oneArg("file", "which file? name one, relative to the project's directory"),
		RunE: func(cmd *cobra.Command, args []string) error {
			text, err := s.textOf(cmd.Context(), name, dir, args[0])
			if s.asJSON && (err == nil || text != "") { // of a file that is too large, the beginning is printed
				return cmp.Or(s.out.printJSON(showJSON{remote.Schema, args[0], cleanLines(text)}), err)
			}
			for l := range strings.Lines(text) {
				s.out.printf("%s\n", strings.TrimSuffix(l, "\n"))
			}
			return err
		},
	}
	cmd.Flags().StringVar(&dir, "dir", thisDir, "the project's `directory`; with --remote HOST:PROJECT")
	s.jsonFlag(cmd, "print it as JSON")
	s.remoteFlag(cmd, &name, "print a file of another machine; with `=NAME` of this remote")
	return cmd
}

// textOf returns the text of a file of a project, here or on another machine.
func (s *env) textOf(ctx context.Context, name, dir, file string) (text string, err error) {
	if name == "" || !isRemoteDir(dir) {
		projects, err := openDirs(s, []string{dir})
		if err != nil {
			return "", err
		}
		return parse.Files(projects).Text(projects[0].Root(), file)
	}
	err = s.seeRemote(ctx, name, func(_ context.Context, f *remote.View, snap *model.Snapshot) error {
		root, err := findRemoteRoot(snap, dir)
		switch {
		case err != nil && snap.Watch != "":
			return s.remoteTrouble(snap.Watch)
		case err != nil:
			return err
		}
		text, err = f.Text(root, file)
		return err
	})
	return text, err
}
