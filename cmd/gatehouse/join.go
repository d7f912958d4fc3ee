package main

// gatehouse join: show this machine's builds to other machines, which may decide.

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"slices"
	"strings"
	"syscall"

	"github.com/spf13/cobra"

	"gatehouse/model"
	"gatehouse/parse"
	"gatehouse/parse/agents/ask"
	"gatehouse/parse/disk/process"
	"gatehouse/parse/disk/watch"
	"gatehouse/parse/fleet/hub"
	"gatehouse/parse/fleet/join"
	"gatehouse/parse/fleet/link"
	"gatehouse/parse/text/shell"
	"gatehouse/statusline"
)

// joining are the flags of join.
type joining struct {
	fleet string
	stdio bool
	allow []string
}

func newJoin(s *surroundings) *cobra.Command {
	var j joining
	cmd := &cobra.Command{
		Use:   "join [DIR...]",
		Short: "Show this machine's builds to a fleet",
		Long: `Show the projects that each DIR stands for to the other machines of a fleet, and carry
out the decisions made there, as if a key had been pressed here: run it as the user of
the agents. A directory without a build stands for all projects below it. It runs until
you stop it. The files here stay the truth.

Only users named with --allow may decide remotely: --allow USER, or --allow
USER:approve,skip for some verbs. "allow" in fleet.json (docs/many-machines.md) can name
projects, too.

With --stdio it speaks over standard input and output, as ssh runs it for "gatehouse
fleet add NAME ssh://HOST". Everyone who can log in there may decide.`,
		Example:           "  gatehouse join --fleet work --allow alice ~/src/shop ~/src/api\n  gatehouse join --fleet work --allow alice:approve,changes",
		ValidArgsFunction: completeDirs,
		RunE: func(cmd *cobra.Command, args []string) error {
			if j.stdio { // who looks may go at any time; what was decided is done all the same
				signal.Ignore(syscall.SIGPIPE)
			}
			return s.untilSignalWithin(cmd.Context(), join.EndsWithin, func(ctx context.Context) error { return j.run(ctx, s, args) })
		},
	}
	s.fleetFlag(cmd, &j.fleet)
	cmd.Flags().Lookup("fleet").Usage = "join this `fleet`; needed where there are several"
	cmd.Flags().BoolVar(&j.stdio, "stdio", false, "speak over standard input and output, without a hub")
	cmd.Flags().StringArrayVar(&j.allow, "allow", nil, "let this `user` decide from elsewhere, * for all; USER:VERB,VERB for some verbs; may be given several times")
	return cmd
}

// run joins until ctx ends.
func (j *joining) run(ctx context.Context, s *surroundings, dirs []string) error {
	rules, err := j.rules()
	if err != nil {
		return err
	}
	boot, err := join.NextBoot(s.fleetState(), s.now())
	if err != nil {
		return err
	}
	o := join.Options{
		Machine: join.Machine(s.fleetState()), Version: statusline.Version, Boot: boot, Rules: rules, Now: s.now,
		Ledger: join.NewLedger(s.requestsDir(), s.now), Log: func(text string) { s.complain("%s", text) },
	}
	if j.stdio {
		if j.fleet != "" || len(j.allow) > 0 {
			return usageError{errors.New("--stdio: --fleet and --allow are for a hub; who may log in here may decide")}
		}
		o.Log = func(string) {} // standard error is where ssh says what is wrong
		o.Name, o.Rules, o.Link = hostName(), []join.Rule{{User: "*"}}, link.NewPipeHost(os.Stdin, s.stdout, s.user.Name)
	} else if err := j.toHub(s, &o); err != nil {
		return err
	}
	projects, all, err := s.joined(ctx, dirs)
	switch {
	case err != nil && j.stdio: // the reader is on another machine, and the help of this command is of no use there
		return fmt.Errorf("%v", err)
	case err != nil:
		return err
	case !slices.ContainsFunc(projects, (*parse.Project).HoldsBuild):
		o.Log(fmt.Sprintf("no build in %s or below; joined, and shows builds that begin there", model.Listed(s.shortRoots(projects))))
	}
	scope := s.scopeOf(dirs)
	scope.Everywhere, scope.Only = all, !all // a host that joins with some directories publishes nothing of others
	feed := parse.FollowAgents(ctx, parse.Opened(projects...), s.now, watch.Options{}, s.user, scope)
	actions := feed.Actions(o.Link.By(), s.now)
	o.Feed, o.Files, o.Decisions = feed, feed, feed.Decisions
	o.Actor = func(user, request string) model.Actor { return remote{actions.For(user, request), s} }
	if s.user.Asks != nil {
		o.Answerer = func(user, request string) model.Answerer {
			unsigned := func(d *model.Decision, _ string) error { return s.refuseUnsigned(d.Project, d.Node) }
			a := s.answerer(s.user.Asks.By(model.Caller{}, unsigned).For(user, request))
			a.By = o.Link.By()
			refuses := a.Refuses
			a.Refuses = func(asked *ask.Ask) error { // what runs this host may run other things, too
				other := *asked
				other.Runner = process.ID{}
				return refuses(&other)
			}
			return a
		}
	}
	o.Ledger.Clear()
	return join.New(o).Run(ctx)
}

// toHub has a host join the hub of a fleet.
func (j *joining) toHub(s *surroundings, o *join.Options) error {
	fleets, err := hub.Load(s.configDir())
	if err != nil {
		return err
	}
	name, x, err := fleets.Named(j.fleet)
	switch {
	case err != nil:
		return usageError{fmt.Errorf("--fleet: %w", err)}
	case x.Host == nil:
		return fmt.Errorf("%s: this machine is no host of it; gatehouse fleet add %s --host %s", name, shell.Word(name), shell.Word(hostName()))
	}
	h, err := fleets.Link(name, x, x.Host)
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	for _, r := range x.Allow {
		rule := join.Rule{User: r.User, Projects: r.Projects}
		if err := hub.CheckName(r.User); err != nil {
			return fmt.Errorf("%s: allow: %w; mend it", fleets.File(), err)
		}
		for _, v := range r.Verbs {
			if !slices.Contains(verbNames(), v) {
				return fmt.Errorf("%s: allow: %s: %q is nothing to decide; there is %s", fleets.File(), r.User, v, strings.Join(verbNames(), ", "))
			}
			rule.Verbs = append(rule.Verbs, model.Verb(v))
		}
		o.Rules = append(o.Rules, rule)
	}
	for i := range o.Rules {
		o.Rules[i].Unchecked = x.Host.Key == "" // a hub without keys was asked for
	}
	o.Name, o.Link = x.Host.Name, link.NewHubHost(h, o.Boot)
	return nil
}

// rules returns what --allow says.
func (j *joining) rules() (all []join.Rule, err error) {
	for _, text := range j.allow {
		r := join.Rule{User: text}
		if i := strings.LastIndexByte(text, ':'); i >= 0 {
			r.User = text[:i]
			for v := range strings.SplitSeq(text[i+1:], ",") {
				if !slices.Contains(verbNames(), v) {
					return nil, usageError{fmt.Errorf("--allow %s: %q is nothing to decide; there is %s", text, v, strings.Join(verbNames(), ", "))}
				}
				r.Verbs = append(r.Verbs, model.Verb(v))
			}
		}
		if r.User == "" {
			return nil, usageError{fmt.Errorf("--allow %q: write it as USER or USER:VERB,VERB", text)}
		}
		if err := hub.CheckName(r.User); err != nil {
			return nil, usageError{fmt.Errorf("--allow %s: %w", text, err)}
		}
		all = append(all, r)
	}
	return all, nil
}

// requestsDir returns where it is kept what was asked for from elsewhere, "" where there is no place for it.
func (s *surroundings) requestsDir() string {
	if dir := s.fleetState(); dir != "" {
		return dir + string(os.PathSeparator) + "requests"
	}
	return ""
}

// joined opens the projects that directories stand for. all says that these are all that the user has.
func (s *surroundings) joined(ctx context.Context, dirs []string) (projects []*parse.Project, all bool, err error) {
	d, err := s.discover(ctx, dirs, commandSearch)
	if err != nil {
		return nil, false, err
	}
	projects, err = d.open(ctx)
	s.sayUnsaid()
	return projects, len(dirs) == 0 && d.only == nil, err
}

// shortRoots returns the roots of projects for people.
func (s *surroundings) shortRoots(projects []*parse.Project) (roots []string) {
	for _, p := range projects {
		roots = append(roots, shortPath(p.Root(), s.user.Home))
	}
	return roots
}

// verbNames returns the verbs that --allow takes.
func verbNames() (names []string) {
	for _, v := range verbs() {
		names = append(names, string(v.is))
	}
	for _, v := range []model.Verb{model.VerbRetryFailed, model.VerbAdd, model.VerbDismiss, model.VerbAnswer} { // of other commands
		names = append(names, string(v))
	}
	return names
}
