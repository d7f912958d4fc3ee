package main

// gatehouse status: print where each build is, as text and as JSON.

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

// statusSchema is the version of the JSON that the commands print: see [remote.Schema].
const statusSchema = remote.Schema

// statusJSON is the document of "gatehouse status --json".
type statusJSON = remote.Document

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
		ValidArgsFunction: completeDirs,
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

func toDocument(snap *model.Snapshot) statusJSON {
	out := statusJSON{Schema: statusSchema, Projects: []remote.Project{}}
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

// headerLine returns the full line of a build as Gatehouse shows it, with text from files made foreign; "" without one.
func headerLine(b *model.Build) string {
	if b.Header == nil {
		return ""
	}
	return line.Shown(b.Header, false)
}

// printProject prints a project for people.
func (s *env) printProject(p *model.Project) {
	s.out.printf("%s  %s%s\n", p.Name, shortPath(p.Root, s.user.Home), exact(asOf(p)))
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
	head := exact(headerLine(b))
	if head == "" {
		head = exact(line.Foreign(b.Title))
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
