package main

// gatehouse join: share this machine's builds with other machines, which may be allowed to decide.

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

	"gatehouse/cmd/gatehouse/remote"
	"gatehouse/model"
	"gatehouse/parse"
	"gatehouse/parse/agents"
	"gatehouse/parse/agents/ask"
	"gatehouse/parse/disk/process"
	"gatehouse/parse/disk/watch"
	"gatehouse/parse/text/shell"
	"gatehouse/statusline"
)

// joinFlags are the flags of join.
type joinFlags struct {
	remote string
	stdio  bool
	allow  []string
}

func newJoin(s *env) *cobra.Command {
	var j joinFlags
	cmd := &cobra.Command{
		Use:   "join [DIR...]",
		Short: "Show this machine's builds to other machines",
		Long: `Show the projects that each DIR stands for to other machines, and carry out the
decisions made there, as if a key had been pressed here: run it as the user of the
agents. A directory without a build stands for all projects below it. It runs until you
stop it. The files here stay the truth.

Only users named with --allow may decide remotely: --allow USER, or --allow
USER:approve,skip for some verbs. "allow" in fleet.json (docs/remote.md) can name
projects, too.

With --stdio it speaks over standard input and output, as ssh runs it for "gatehouse
remote add HOST". Everyone who can log in there may decide.`,
		Example: "  gatehouse join --allow alice ~/src\n  gatehouse join --remote=work --allow alice:approve,changes",
		RunE: func(cmd *cobra.Command, args []string) error {
			if j.stdio { // the dashboard may disconnect at any time; its decisions are completed anyway
				signal.Ignore(syscall.SIGPIPE)
			}
			return s.untilSignalWithin(cmd.Context(), remote.EndsWithin, func(ctx context.Context) error { return j.runJoin(ctx, s, args) })
		},
	}
	s.remoteFlag(cmd, &j.remote, "with `=NAME` join this hub; needed if there are several")
	cmd.Flags().BoolVar(&j.stdio, "stdio", false, "speak over standard input and output, without a hub")
	cmd.Flags().StringArrayVar(&j.allow, "allow", nil, "let this `user` decide remotely, * for everyone; USER:VERB,VERB for some verbs; repeatable")
	return cmd
}

// runJoin shares the builds until ctx ends.
func (j *joinFlags) runJoin(ctx context.Context, s *env, dirs []string) error {
	rules, err := j.parseRules()
	if err != nil {
		return err
	}
	o := remote.HostOptions{Machine: s.machineID(), Version: statusline.Version, Rules: rules, Now: s.now, Log: func(text string) { s.complain("%s", text) }}
	by := "ssh"
	var hub remote.Hub
	if j.stdio {
		if j.remote != "" || len(j.allow) > 0 {
			return usageError{errors.New("--stdio: --remote and --allow are for a hub; who may log in here may decide")}
		}
		o.Log = func(string) {} // ssh uses standard error for its own errors
		o.Name, o.Rules = hostName(), []remote.Rule{{User: "*"}}
	} else if hub, err = j.selectHub(s, &o); err != nil {
		return err
	} else {
		by = "remote " + hub.Remote
	}
	var projects []*parse.Project
	d, err := s.discover(ctx, dirs, commandSearch)
	if err == nil {
		projects, err = d.open(ctx)
		s.printNotices()
	}
	switch {
	case err != nil && j.stdio: // the reader is on another machine, where this command's help is useless
		return fmt.Errorf("%v", err)
	case err != nil:
		return err
	}
	var roots []string
	for _, p := range projects {
		roots = append(roots, p.Root())
	}
	for _, dir := range dirs {
		o.Dirs = append(o.Dirs, s.shortPath(dir))
	}
	if len(dirs) == 0 {
		for _, root := range roots {
			o.Dirs = append(o.Dirs, s.shortPath(root))
		}
	}
	if !slices.ContainsFunc(projects, (*parse.Project).HoldsBuild) {
		o.Log(fmt.Sprintf("no build in %s or below; joined, and shows builds that begin there", model.Listed(o.Dirs)))
	}
	scope := s.scopeOf(dirs)
	scope.Everywhere = len(dirs) == 0 && d.only == nil
	scope.Only = !scope.Everywhere // a host that joins with some directories publishes nothing else
	feed := parse.FollowAgents(ctx, parse.Opened(projects...), s.now, watch.Options{}, s.user, scope)
	actions := feed.Actions(by, s.now)
	o.Feed, o.Files, o.Seen = feed, feed, actions.Seen
	o.Actor = func(user string) model.Actor { return checkedActor{actions.For(user), s.refuseUnsigned} }
	if s.user.Asks != nil {
		for i := range roots {
			roots[i] = realPath(roots[i])
		}
		o.Answerer = func(user string) model.Answerer { return s.remoteAnswerer(user, by, scope, roots) }
	}
	h := remote.NewHost(o)
	if j.stdio {
		return h.RunOnPipe(ctx, os.Stdin, s.stdout, s.user.Name)
	}
	return h.RunOnHub(ctx, hub)
}

// remoteAnswerer returns the answerer for a user of another machine, of live agents in a scope and in projects with some roots.
func (s *env) remoteAnswerer(user, by string, scope parse.AgentScope, roots []string) model.Answerer {
	unsigned := func(d *model.Decision, _ string) error { return s.refuseUnsigned(d.Project, d.Node) }
	a := s.newAnswerer(s.user.Asks.By(model.Caller{}, unsigned).For(user))
	a.By = by
	refuses := a.Refuses
	a.Refuses = func(asked *ask.Ask) error { // the program that runs this host may run other processes, too
		other := *asked
		other.Runner = process.ID{}
		return refuses(&other)
	}
	return joinedAnswerer{a, user, func(a *model.Ask) bool {
		return slices.Contains(roots, a.Project) || scope.HasRoot(a.Dir) || scope.In(s.currentAgents())(a.Project)
	}}
}

// joinedAnswerer answers the live agents of a host. Asks in directories that it has not joined do not exist for other machines: the
// host looks an ask up before it passes an answer on. Repeating the same answer is harmless.
type joinedAnswerer struct {
	agents.Answerer
	user     string
	isJoined func(*model.Ask) bool
}

// Ask implements [model.Answerer].
func (j joinedAnswerer) Ask(ctx context.Context, id string) (*model.Ask, error) {
	asked, err := j.Answerer.Ask(ctx, id)
	if err == nil && !j.isJoined(asked) {
		return nil, ask.ErrNone
	}
	return asked, err
}

// Answer implements [model.Answerer].
func (j joinedAnswerer) Answer(ctx context.Context, id string, answer model.Answer) (*model.Ask, error) {
	asked, err := j.Answerer.Answer(ctx, id, answer)
	var taken *ask.Taken
	if errors.As(err, &taken) && taken.End.Is(answer, j.user) {
		err = nil
	}
	return asked, err
}

// selectHub returns the hub that a host joins.
func (j *joinFlags) selectHub(s *env, o *remote.HostOptions) (hub remote.Hub, err error) {
	config, err := remote.LoadConfig(s.configDir())
	if err != nil {
		return hub, err
	}
	name := strings.TrimPrefix(j.remote, allRemotes)
	if name == "" { // the only hub that this machine is a host of
		hosted := slices.DeleteFunc(config.Names(), func(n string) bool { _, x, err := config.Named(n); return err != nil || x.Host == nil })
		if len(hosted) == 1 {
			name = hosted[0]
		}
	}
	name, x, err := config.Named(name)
	switch {
	case err != nil:
		return hub, usageError{fmt.Errorf("--remote: %w", err)}
	case x.Host == nil:
		return hub, fmt.Errorf("%s: this machine is no host of it; gatehouse remote add tls://HUB:4222 --name %s --host %s", name, shell.Word(name), shell.Word(hostName()))
	}
	if hub, err = config.HubOf(name, x, x.Host); err != nil {
		return hub, fmt.Errorf("%s: %w", name, err)
	}
	for _, r := range x.Allow {
		if err := checkRule(r); err != nil {
			return hub, fmt.Errorf("%s: allow: %s: %w; correct it", config.File(), r.User, err)
		}
	}
	o.Rules = append(o.Rules, x.Allow...)
	o.Unchecked = x.Host.Key == "" // the user asked for a hub without keys
	o.Name = x.Host.Name
	return hub, nil
}

// parseRules returns the rules of --allow.
func (j *joinFlags) parseRules() (all []remote.Rule, err error) {
	for _, text := range j.allow {
		r := remote.Rule{User: text}
		if i := strings.LastIndexByte(text, ':'); i >= 0 {
			r.User = text[:i]
			for v := range strings.SplitSeq(text[i+1:], ",") {
				r.Verbs = append(r.Verbs, model.Verb(v))
			}
		}
		if r.User == "" {
			return nil, usageError{fmt.Errorf("--allow %q: write it as USER or USER:VERB,VERB", text)}
		}
		if err := checkRule(r); err != nil {
			return nil, usageError{fmt.Errorf("--allow %s: %w", text, err)}
		}
		all = append(all, r)
	}
	return all, nil
}

// checkRule refuses unknown users and verbs.
func checkRule(r remote.Rule) error {
	for _, v := range r.Verbs {
		if !slices.Contains(verbNames(), string(v)) {
			return fmt.Errorf("%q is no verb; use %s", v, strings.Join(verbNames(), ", "))
		}
	}
	return remote.CheckName(r.User)
}

// verbNames returns the verbs that --allow takes.
func verbNames() (names []string) {
	for _, v := range verbTable() {
		names = append(names, string(v.is))
	}
	for _, v := range []model.Verb{model.VerbRetryFailed, model.VerbAdd, model.VerbDismiss, model.VerbAnswer} { // verbs of other commands
		names = append(names, string(v))
	}
	return names
}
