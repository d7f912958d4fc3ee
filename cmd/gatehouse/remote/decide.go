package remote

// Deciding on hosts, reading their files, and answering their agents.

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"gatehouse/model"
	"gatehouse/parse/text/shell"
)

const (
	decideFor  = 6 * time.Second // how long a reply may take; then the same is sent once more
	decideTry  = 2
	readFor    = 5 * time.Second // the same for what changes nothing
	readTry    = 3
	settleFor  = 2 * time.Second // how long the journal of a host may take to be published
	lostOption = "the same decision again is applied once"
)

// Unknown is the error of a decision whose reply was lost. Repeating the decision tells.
type Unknown struct {
	host    string
	command string
	again   func(ctx context.Context) (*model.Outcome, error)
}

// Error implements error.
func (u *Unknown) Error() string { return u.Why() + "; decide again to see: " + lostOption }

// Why implements [model.Unanswered].
func (u *Unknown) Why() string { return "no reply came from " + u.host + ": result unknown" }

// Command implements [model.Unanswered].
func (u *Unknown) Command() string { return u.command }

// Outcome implements [model.Unanswered]: it sends the decision again, which is applied once.
func (u *Unknown) Outcome(ctx context.Context) (*model.Outcome, error) { return u.again(ctx) }

// request asks a host once.
func (f *Fleet) request(ctx context.Context, h *host, r *Request) (*Reply, error) {
	r.Schema = Schema
	f.mu.Lock()
	name, ahead := h.presence.Host, h.ahead
	f.mu.Unlock()
	data, err := h.source.way.ask(ctx, name, r)
	if err != nil {
		return nil, err
	}
	reply, err := parseReply(data, ahead)
	if err != nil {
		return nil, fmt.Errorf("the reply of %s can't be read: %w", h.title(), err)
	}
	return reply, reply.err()
}

// unsent refuses what did not reach a host.
func unsent(h *host, err error) error {
	switch {
	case errors.Is(err, errNobody):
		return &model.Refusal{Text: "nothing was sent: " + h.title() + " is not there", Fix: "decide when it is back, or on the host"}
	case errors.Is(err, errForbidden):
		return &model.Refusal{Text: "nothing was sent: " + err.Error(), Fix: "have yourself entered as an approver: gatehouse remote keys"}
	}
	return &model.Refusal{Text: "nothing was sent: " + err.Error(), Fix: "try again"}
}

// read asks a host for what changes nothing.
func (f *Fleet) read(ctx context.Context, h *host, r *Request) (reply *Reply, err error) {
	for range readTry {
		soon, cancel := context.WithTimeout(ctx, readFor)
		reply, err = f.request(soon, h, r)
		if errors.Is(err, errDown) { // it may be back in a moment
			f.until(soon, func() bool { return h.source.isUp })
			err = errNoReply
		}
		cancel()
		if !errors.Is(err, errNoReply) || ctx.Err() != nil {
			break
		}
	}
	switch {
	case errors.Is(err, errNoReply):
		return nil, errors.New(h.title() + " does not answer; nothing was done")
	case notSent(err):
		return nil, unsent(h, err)
	}
	return reply, err
}

// target returns the host of an action, and its root there.
func (f *Fleet) target(root string) (h *host, there string, err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	p := f.find(root)
	switch {
	case p == nil:
		return nil, "", &model.Refusal{Text: root + " is not known here", Fix: "look at what there is: gatehouse remote list"}
	case !p.host.source.isUp:
		return nil, "", unsent(p.host, errDown)
	case !p.host.live:
		return nil, "", unsent(p.host, errNobody)
	}
	return p.host, p.project.Root, nil
}

// localize names what a host says it would do as here. The hash that the decision is bound to is kept in Seen.
func localize(a model.Action, p *model.Proposal, seen string) *model.Proposal {
	if p != nil {
		a.Looked, a.IfSeen, a.Seen, a.Shown, a.Kind = nil, "", seen, p.Action.Shown, cmp.Or(p.Action.Kind, a.Kind)
		p.Action = a
	}
	return p
}

// Propose implements [model.Actor].
func (f *Fleet) Propose(ctx context.Context, a model.Action) (*model.Proposal, error) {
	h, root, err := f.target(a.Project)
	if err != nil {
		return nil, err
	}
	sent := a
	if sent.Project, sent.Looked = root, sentProposal(a.Looked); len(encode(&sent)) > requestLimit/2 {
		sent.Looked = nil // what has changed since is not shown then
	}
	reply, err := f.read(ctx, h, &Request{Action: sent, DryRun: true})
	if err == nil && reply.Proposal == nil {
		err = errors.New("the reply of " + h.title() + " lacks the proposal")
	}
	if err != nil {
		return nil, err
	}
	p := localize(a, reply.Proposal, reply.IfSeen)
	if a.Looked != nil {
		p.Differences = model.Differences(a.Looked, p)
	}
	return p, nil
}

// Do implements [model.Actor]. Its error is a refusal if nothing was done for certain, and an [*Unknown] if nobody can tell.
func (f *Fleet) Do(ctx context.Context, a model.Action) (*model.Outcome, error) {
	if a.IfSeen = cmp.Or(a.IfSeen, a.Seen); a.IfSeen == "" { // a decision that may be repeated is bound to something
		p, err := f.Propose(ctx, a)
		if err != nil {
			return nil, err
		}
		if a.IfSeen = p.Action.Seen; a.Shown != "" && a.Shown != p.Action.Shown {
			return nil, &model.Changed{Now: p}
		}
	}
	h, root, err := f.target(a.Project)
	if err != nil {
		return nil, err
	}
	sent := a
	sent.Project, sent.Looked, sent.Seen = root, nil, ""
	reply, err := f.send(ctx, h, &Request{Action: sent})
	var changed *model.Changed
	switch {
	case errors.Is(err, errNoReply):
		return nil, &Unknown{h.title(), f.command(a), func(ctx context.Context) (*model.Outcome, error) { return f.Do(ctx, a) }}
	case errors.As(err, &changed):
		localize(a, changed.Now, reply.IfSeen)
	}
	if err != nil {
		return nil, err
	}
	o := &model.Outcome{Proposal: localize(a, reply.Proposal, ""), Note: reply.Note}
	if o.Proposal == nil {
		o.Proposal = &model.Proposal{Action: a}
	}
	if reply.Decision != nil {
		o.Decision = *reply.Decision
		o.Decision.Project = a.Project
	}
	return o, nil
}

// send sends a decision, and once more if no reply comes. Its error is [errNoReply] if it may have been done.
func (f *Fleet) send(ctx context.Context, h *host, r *Request) (*Reply, error) {
	lost := false
	for range decideTry {
		soon, cancel := context.WithTimeout(ctx, decideFor)
		if lost {
			f.until(soon, func() bool { return h.source.isUp })
		}
		reply, err := f.request(soon, h, r)
		cancel()
		switch {
		case errors.Is(err, errNoReply):
			lost = true
		case notSent(err) && !lost:
			return nil, unsent(h, err)
		case !notSent(err):
			return reply, err
		}
		if ctx.Err() != nil {
			break
		}
	}
	return nil, errNoReply
}

// command is what decides the same again in a shell.
func (f *Fleet) command(a model.Action) string {
	words := []string{"gatehouse", string(a.Verb)}
	if a.Node != "" {
		words = append(words, a.Node)
	}
	words = append(words, "--remote="+f.Name, "--dir", a.Project, "--build", a.Build, "--if-seen", a.IfSeen)
	if a.Text != "" {
		words = append(words, "--text", a.Text)
	}
	for i, w := range words {
		words[i] = shell.Word(w)
	}
	return strings.Join(words, " ")
}

// Settle implements [model.Actor]: the journal of the host says whether the decision was overwritten.
func (f *Fleet) Settle(ctx context.Context, o *model.Outcome) error {
	if o.Decision.ID == "" {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, settleFor)
	defer cancel()
	overwritten := false
	f.until(ctx, func() bool {
		p := f.find(o.Decision.Project)
		if p == nil {
			return true
		}
		i := slices.IndexFunc(p.shown.Decisions, func(d model.Decision) bool { return d.ID == o.Decision.ID })
		overwritten = i >= 0 && p.shown.Decisions[i].Overwritten
		return i >= 0
	})
	if overwritten {
		return &model.Overwritten{File: o.Decision.File, Lost: []string{o.Decision.Name}}
	}
	return nil
}

// Text implements [model.Files].
func (f *Fleet) Text(project, file string) (string, error) {
	h, root, err := f.target(project)
	if err != nil {
		return "", err
	}
	reply, err := f.read(f.ctx, h, &Request{Action: model.Action{Verb: readText, Project: root}, Path: file})
	if reply == nil {
		return "", err
	}
	return reply.Text, err
}

// Path implements [model.Files]: no program on this machine can open a file of another.
func (f *Fleet) Path(project, _ string) (string, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if p := f.find(project); p != nil {
		return "", errors.New("this file is on " + p.host.title() + "; open it there")
	}
	return "", errors.New("this project is not known here")
}

// qualify gives what agents ask on a host names that are the host's: "build-7:k7f3q2ma".
func (h *host) qualify(b *model.Build) {
	if b.ID == model.AgentsBuild {
		for _, a := range b.Asks() {
			h.qualifyAsk(a)
		}
	}
}

func (h *host) qualifyAsk(a *model.Ask) *model.Ask {
	if a != nil {
		a.ID, a.Project = Root(h.name.get(), a.ID), Root(h.name.get(), a.Project)
	}
	return a
}

// agents calls see for the live agents of all projects that are shown until it returns true. The lock is held.
func (f *Fleet) agents(see func(d *document, agents *model.Build) bool) {
	for _, s := range f.sources {
		for _, h := range s.hosts {
			for _, d := range h.all() {
				if b := d.agents(); b != nil && f.find(d.shown.Root) == d && see(d, b) {
					return
				}
			}
		}
	}
}

// asked returns the project in which something is asked by its ID here, and its ID there; nil if nobody asks that.
func (f *Fleet) asked(id string) (in *document, there string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.agents(func(d *document, agents *model.Build) bool {
		if n, _ := agents.Find(id); n != nil { // a session, which takes a reply
			in, there = d, id
		}
		for _, a := range agents.Asks() {
			if a.ID == id {
				in, there = d, strings.TrimPrefix(id, d.host.name.get()+":")
			}
		}
		return in != nil
	})
	return in, there
}

// Ask implements [model.Answerer]. What has ended is asked of all hosts that may know it.
func (f *Fleet) Ask(ctx context.Context, id string) (*model.Ask, error) {
	if p, there := f.asked(id); p != nil {
		return f.askOf(ctx, p.host, p.project.Root, there)
	}
	f.mu.Lock()
	hosts := map[*host]string{}
	for _, s := range f.sources {
		for _, h := range s.hosts {
			if there, named := strings.CutPrefix(id, h.name.get()+":"); h.live && (named || !strings.Contains(id, ":")) {
				hosts[h] = there
			}
		}
	}
	f.mu.Unlock()
	for h, there := range hosts {
		if a, err := f.askOf(ctx, h, "", there); err == nil {
			return a, nil
		}
	}
	return nil, &model.Refusal{Text: "nobody asks " + id + " any more", Fix: "look again"}
}

func (f *Fleet) askOf(ctx context.Context, h *host, root, there string) (*model.Ask, error) {
	reply, err := f.read(ctx, h, &Request{Action: model.Action{Verb: readAsk, Project: root}, Ask: there})
	if err == nil && reply.Ask == nil {
		err = errors.New("the reply of " + h.title() + " lacks the ask")
	}
	if err != nil {
		return nil, err
	}
	return h.qualifyAsk(reply.Ask), nil
}

// Answer implements [model.Answerer]. The first answer wins; giving the same again is harmless.
func (f *Fleet) Answer(ctx context.Context, id string, answer model.Answer) (*model.Ask, error) {
	p, there := f.asked(id)
	if p == nil {
		ended, err := f.Ask(ctx, id)
		if err == nil && ended.State != model.AskWaiting { // somebody was faster
			err = &model.Refusal{Text: ended.Fate}
		}
		return ended, err
	}
	h, root, err := f.target(Root(p.host.name.get(), p.project.Root))
	if err != nil {
		return nil, err
	}
	r := &Request{Action: model.Action{Verb: model.VerbAnswer, Project: root, Build: model.AgentsBuild}, Ask: there, Answer: &answer}
	var reply *Reply
	if len(answer.Replies) == 0 && answer.Text != "" { // words to a session would be said twice
		soon, cancel := context.WithTimeout(ctx, decideFor)
		defer cancel()
		if reply, err = f.request(soon, h, r); errors.Is(err, errNoReply) {
			return nil, fmt.Errorf("no reply came from %s: result unknown; look at the session before you send it again", h.title())
		} else if notSent(err) {
			err = unsent(h, err)
		}
	} else if reply, err = f.send(ctx, h, r); errors.Is(err, errNoReply) {
		return nil, &Unknown{h.title(), "gatehouse asks " + shell.Word(id) + " --remote=" + shell.Word(f.Name), func(ctx context.Context) (*model.Outcome, error) {
			a, err := f.Answer(ctx, id, answer)
			return &model.Outcome{Asked: a}, err
		}}
	}
	if reply == nil {
		return nil, err
	}
	return h.qualifyAsk(reply.Ask), err
}

// hostOf returns the host on which a node is one of live agents, nil for none.
func (f *Fleet) hostOf(node string) (h *host) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.agents(func(p *document, agents *model.Build) bool {
		if n, _ := agents.Find(node); n != nil {
			h = p.host
		}
		return h != nil
	})
	return h
}

// Jump implements [model.Answerer]: a pane of another machine is reached there alone.
func (f *Fleet) Jump(_ context.Context, node string) (said, command string) {
	h := f.hostOf(node)
	if h == nil {
		return "the session has ended", ""
	}
	if p, ok := h.source.way.(*pipeViewer); ok {
		return "the agent is on " + h.title(), p.login
	}
	return "the agent is on " + h.title() + "; go there", ""
}

// Diff implements [model.Answerer]: the working tree of another machine is only there.
func (f *Fleet) Diff(_ context.Context, node string) (string, error) {
	if h := f.hostOf(node); h != nil {
		return "", errors.New("the working tree is on " + h.title() + " and is not shown here")
	}
	return "", errors.New("the session has ended")
}
