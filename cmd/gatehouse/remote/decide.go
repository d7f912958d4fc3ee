package remote

// Decisions about builds of hosts, reading their files, and answering their agents.

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
	replyWithin = 6 * time.Second // how long a reply may take before the same request is sent again
	tries       = 2
	settleFor   = 2 * time.Second // how long the journal of a host may take to be published
)

// Unknown is the error of a decision whose reply was lost. Repeating the decision shows the result.
type Unknown struct {
	host    string
	command string
	again   func(ctx context.Context) (*model.Outcome, error)
}

// Error implements error.
func (u *Unknown) Error() string {
	return u.Why() + "; decide again to see: the same decision again is applied once"
}

// Why implements [model.Unanswered].
func (u *Unknown) Why() string { return "no reply came from " + u.host + ": result unknown" }

// Command implements [model.Unanswered].
func (u *Unknown) Command() string { return u.command }

// Outcome implements [model.Unanswered]: it sends the decision again, which is applied once.
func (u *Unknown) Outcome(ctx context.Context) (*model.Outcome, error) { return u.again(ctx) }

// requestOnce sends a request to a host and waits for its reply.
func (v *View) requestOnce(ctx context.Context, h *host, r *Request) (*Reply, error) {
	r.Schema = Schema
	v.mu.Lock()
	name, ahead := h.presence.Host, h.ahead
	v.mu.Unlock()
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

// request sends a request, and repeats it if no reply comes, which is harmless. Its error is [errNoReply] if a decision may have been
// made.
func (v *View) request(ctx context.Context, h *host, r *Request) (*Reply, error) {
	isLost := false
	for range tries {
		soon, cancel := context.WithTimeout(ctx, replyWithin)
		if isLost {
			v.waitUntil(soon, func() bool { return h.source.isUp })
		}
		reply, err := v.requestOnce(soon, h, r)
		cancel()
		switch {
		case errors.Is(err, errNoReply), errors.Is(err, errDown) && !r.isDecision():
			isLost = true
		case notSent(err) && !isLost:
			return nil, refuseUnsent(h, err)
		case !notSent(err):
			return reply, err
		}
		if ctx.Err() != nil {
			break
		}
	}
	if !r.isDecision() {
		return nil, errors.New(h.title() + " does not answer; nothing was done")
	}
	return nil, errNoReply
}

// refuseUnsent refuses a request that did not reach its host.
func refuseUnsent(h *host, err error) error {
	var refused *model.Refusal
	switch {
	case errors.As(err, &refused):
		return refused
	case errors.Is(err, errNobody):
		return &model.Refusal{Text: "nothing was sent: " + h.title() + " is not there", Fix: "decide when it is back, or on the host"}
	case errors.Is(err, errForbidden):
		return &model.Refusal{Text: "nothing was sent: " + err.Error(), Fix: "have yourself entered as an approver: gatehouse remote keys"}
	}
	return &model.Refusal{Text: "nothing was sent: " + err.Error(), Fix: "try again"}
}

// findHost returns the host of a project, and the project's root on the host. It fails if the host is not live.
func (v *View) findHost(root string) (h *host, there string, err error) {
	v.mu.Lock()
	defer v.mu.Unlock()
	p := v.projects().byRoot[root]
	switch {
	case p == nil:
		return nil, "", &model.Refusal{Text: root + " is not known here", Fix: "look at what there is: gatehouse remote list"}
	case !p.host.source.isUp:
		return nil, "", refuseUnsent(p.host, errDown)
	case !p.host.live:
		return nil, "", refuseUnsent(p.host, errNobody)
	}
	return p.host, p.project.Root, nil
}

// localizeProposal replaces the action in a host's proposal by the local one. Seen keeps the hash that the decision is bound to.
func localizeProposal(a model.Action, p *model.Proposal, seen string) *model.Proposal {
	if p != nil {
		a.Looked, a.IfSeen, a.Seen, a.Shown, a.Kind = nil, "", seen, p.Action.Shown, cmp.Or(p.Action.Kind, a.Kind)
		p.Action = a
	}
	return p
}

// Propose implements [model.Actor].
func (v *View) Propose(ctx context.Context, a model.Action) (*model.Proposal, error) {
	h, root, err := v.findHost(a.Project)
	if err != nil {
		return nil, err
	}
	sent := a
	if sent.Project, sent.Looked = root, sentProposal(a.Looked); len(encodeJSON(&sent)) > requestLimit/2 {
		sent.Looked = nil // the changes since then are not shown
	}
	reply, err := v.request(ctx, h, &Request{Action: sent, DryRun: true})
	if err == nil && reply.Proposal == nil {
		err = errors.New("the reply of " + h.title() + " lacks the proposal")
	}
	if err != nil {
		return nil, err
	}
	p := localizeProposal(a, reply.Proposal, reply.IfSeen)
	if a.Looked != nil {
		p.Differences = model.Differences(a.Looked, p)
	}
	return p, nil
}

// Do implements [model.Actor]. Its error is an [*Unknown] if the result is unknown.
func (v *View) Do(ctx context.Context, a model.Action) (*model.Outcome, error) {
	if a.IfSeen = cmp.Or(a.IfSeen, a.Seen); a.IfSeen == "" { // a decision that may be repeated must be bound to what the user saw
		p, err := v.Propose(ctx, a)
		if err != nil {
			return nil, err
		}
		if a.IfSeen = p.Action.Seen; a.Shown != "" && a.Shown != p.Action.Shown {
			return nil, &model.Changed{Now: p}
		}
	}
	h, root, err := v.findHost(a.Project)
	if err != nil {
		return nil, err
	}
	sent := a
	sent.Project, sent.Looked, sent.Seen = root, nil, ""
	reply, err := v.request(ctx, h, &Request{Action: sent})
	var changed *model.Changed
	switch {
	case errors.Is(err, errNoReply):
		return nil, &Unknown{h.title(), v.commandFor(a), func(ctx context.Context) (*model.Outcome, error) { return v.Do(ctx, a) }}
	case errors.As(err, &changed):
		localizeProposal(a, changed.Now, reply.IfSeen)
	}
	if err != nil {
		return nil, err
	}
	o := &model.Outcome{Proposal: localizeProposal(a, reply.Proposal, ""), Note: reply.Note}
	if o.Proposal == nil {
		o.Proposal = &model.Proposal{Action: a}
	}
	if reply.Decision != nil {
		o.Decision = *reply.Decision
		o.Decision.Project = a.Project
	}
	return o, nil
}

// commandFor returns the command line that makes the same decision.
func (v *View) commandFor(a model.Action) string {
	words := []string{"gatehouse", string(a.Verb)}
	if a.Node != "" {
		words = append(words, a.Node)
	}
	words = append(words, "--remote="+v.Name, "--dir", a.Project, "--build", a.Build, "--if-seen", a.IfSeen)
	if a.Text != "" {
		words = append(words, "--text", a.Text)
	}
	for i, w := range words {
		words[i] = shell.Word(w)
	}
	return strings.Join(words, " ")
}

// Settle implements [model.Actor]: it checks the journal of the host.
func (v *View) Settle(ctx context.Context, o *model.Outcome) error {
	if o.Decision.ID == "" {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, settleFor)
	defer cancel()
	overwritten := false
	v.waitUntil(ctx, func() bool {
		p := v.projects().byRoot[o.Decision.Project]
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
func (v *View) Text(project, file string) (string, error) {
	h, root, err := v.findHost(project)
	if err != nil {
		return "", err
	}
	reply, err := v.request(v.ctx, h, &Request{Action: model.Action{Verb: readText, Project: root}, Path: file})
	if reply == nil {
		return "", err
	}
	return reply.Text, err
}

// Path implements [model.Files]: programs here cannot open a file of another machine.
func (v *View) Path(project, _ string) (string, error) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if p := v.projects().byRoot[project]; p != nil {
		return "", errors.New("this file is on " + p.host.title() + "; open it there")
	}
	return "", errors.New("this project is not known here")
}

// qualifyAsk puts the name of the host before the ID of an ask: "build-7:k7f3q2ma".
func (h *host) qualifyAsk(a *model.Ask) *model.Ask {
	if a != nil {
		a.ID, a.Project = Root(h.name.get(), a.ID), Root(h.name.get(), a.Project)
	}
	return a
}

// findAgent returns the first project whose live agents match. The lock is held.
func (v *View) findAgent(fits func(d *document, agents *model.Build) bool) *document {
	for _, d := range v.projects().all {
		if b := d.agents(); b != nil && fits(d, b) {
			return d
		}
	}
	return nil
}

// findAsk returns the project of an ask or session by its local ID, and its ID on the host; nil if there is none.
func (v *View) findAsk(id string) (in *document, there string) {
	v.mu.Lock()
	defer v.mu.Unlock()
	in = v.findAgent(func(d *document, agents *model.Build) bool {
		if n, _ := agents.Find(id); n != nil { // a session, which accepts a reply
			there = id
		}
		for _, a := range agents.Asks() {
			if a.ID == id {
				there = strings.TrimPrefix(id, d.host.name.get()+":")
			}
		}
		return there != ""
	})
	return in, there
}

// Ask implements [model.Answerer]. If the ask has ended, it asks all hosts that may know it.
func (v *View) Ask(ctx context.Context, id string) (*model.Ask, error) {
	if p, there := v.findAsk(id); p != nil {
		return v.askOf(ctx, p.host, p.project.Root, there)
	}
	v.mu.Lock()
	hosts := map[*host]string{}
	for h := range v.hosts() {
		if there, named := strings.CutPrefix(id, h.name.get()+":"); h.live && (named || !strings.Contains(id, ":")) {
			hosts[h] = there
		}
	}
	v.mu.Unlock()
	for h, there := range hosts {
		if a, err := v.askOf(ctx, h, "", there); err == nil {
			return a, nil
		}
	}
	return nil, &model.Refusal{Text: "nobody asks " + id + " any more", Fix: "look again"}
}

func (v *View) askOf(ctx context.Context, h *host, root, there string) (*model.Ask, error) {
	reply, err := v.request(ctx, h, &Request{Action: model.Action{Verb: readAsk, Project: root}, Ask: there})
	if err == nil && reply.Ask == nil {
		err = errors.New("the reply of " + h.title() + " lacks the ask")
	}
	if err != nil {
		return nil, err
	}
	return h.qualifyAsk(reply.Ask), nil
}

// Answer implements [model.Answerer]. The first answer wins; repeating the same answer is harmless.
func (v *View) Answer(ctx context.Context, id string, answer model.Answer) (*model.Ask, error) {
	p, there := v.findAsk(id)
	if p == nil {
		ended, err := v.Ask(ctx, id)
		if err == nil && ended.State != model.AskWaiting { // another answer came first
			err = &model.Refusal{Text: ended.Fate}
		}
		return ended, err
	}
	h, root, err := v.findHost(Root(p.host.name.get(), p.project.Root))
	if err != nil {
		return nil, err
	}
	r := &Request{Action: model.Action{Verb: model.VerbAnswer, Project: root, Build: model.AgentsBuild}, Ask: there, Answer: &answer}
	var reply *Reply
	if len(answer.Replies) == 0 && answer.Text != "" { // a repeated reply would reach the session twice
		soon, cancel := context.WithTimeout(ctx, replyWithin)
		defer cancel()
		if reply, err = v.requestOnce(soon, h, r); errors.Is(err, errNoReply) {
			return nil, fmt.Errorf("no reply came from %s: result unknown; look at the session before you send it again", h.title())
		} else if notSent(err) {
			err = refuseUnsent(h, err)
		}
	} else if reply, err = v.request(ctx, h, r); errors.Is(err, errNoReply) {
		return nil, &Unknown{h.title(), "gatehouse asks " + shell.Word(id) + " --remote=" + shell.Word(v.Name), func(ctx context.Context) (*model.Outcome, error) {
			a, err := v.Answer(ctx, id, answer)
			return &model.Outcome{Asked: a}, err
		}}
	}
	if reply == nil {
		return nil, err
	}
	return h.qualifyAsk(reply.Ask), err
}

// hostOf returns the host of a live agent's node, nil if there is none.
func (v *View) hostOf(node string) *host {
	v.mu.Lock()
	defer v.mu.Unlock()
	d := v.findAgent(func(_ *document, agents *model.Build) bool {
		n, _ := agents.Find(node)
		return n != nil
	})
	if d == nil {
		return nil
	}
	return d.host
}

// Jump implements [model.Answerer]. It says where the agent is: a pane of another machine can only be reached there.
func (v *View) Jump(_ context.Context, node string) (said, command string) {
	h := v.hostOf(node)
	if h == nil {
		return "the session has ended", ""
	}
	if p, ok := h.source.way.(*pipeViewer); ok {
		return "the agent is on " + h.title(), p.login
	}
	return "the agent is on " + h.title() + "; go there", ""
}

// Diff implements [model.Answerer]. It fails: the working tree is on the other machine.
func (v *View) Diff(_ context.Context, node string) (string, error) {
	if h := v.hostOf(node); h != nil {
		return "", errors.New("the working tree is on " + h.title() + " and is not shown here")
	}
	return "", errors.New("the session has ended")
}
