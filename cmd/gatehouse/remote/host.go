package remote

// A host publishes the documents of its projects and carries out the requests of dashboards.

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"sync"
	"time"

	"gatehouse/model"
	"gatehouse/model/line"
	"gatehouse/parse/disk/statefile"
	"gatehouse/parse/text/shell"
)

// EndsWithin is how long a host may take to stop: it finishes the decisions that it has begun.
const EndsWithin = 10 * time.Second

// HostOptions describe a host.
type HostOptions struct {
	Name    string   // of the host
	Machine string   // ID of this user's account on this machine
	Version string   // of gatehouse
	Dirs    []string // the directories that it joins with, for users
	Feed    model.Feed
	Files   model.Files
	// Actor returns the actor for the decisions of a user, whom the journal names. Answerer does the same for live agents; it may be nil.
	Actor    func(user string) model.Actor
	Answerer func(user string) model.Answerer
	// Seen returns the hash of what a human sees before deciding an action: see [model.Action.IfSeen].
	Seen  func(a model.Action) string
	Rules []Rule
	// Unchecked lets users decide even if the hub does not check who they are.
	Unchecked bool
	Now       func() time.Time
	// PresenceEvery is how often the host publishes its presence; 0 is the usual time.
	PresenceEvery time.Duration
	Log           func(text string) // logs events for the person who runs the host
}

// publisher sends what a host publishes. Publish fails if there is no connection; nil data removes a document.
type publisher interface {
	publish(key string, data []byte) error
}

// Host is a host that has joined.
type Host struct {
	HostOptions
	session string
	number  uint64        // of the last published document
	wake    chan struct{} // signals that something has to be published
	known   chan struct{} // closed once there is a snapshot

	mu    sync.Mutex
	snap  *model.Snapshot
	again bool            // publish everything again
	lost  map[string]bool // keys to publish again after the next presence
	busy  sync.RWMutex    // read-locked while a request is carried out, locked for good at the end
}

// entry is a project that is published.
type entry struct {
	project *model.Project
	data    []byte // its document; hash is the document's without the number
	hash    string
	at      time.Time // when it was published last
	dirty   bool      // the document may have changed
	again   bool      // publish it even if it is unchanged
	stays   bool
}

// NewHost returns a host that is not connected yet.
func NewHost(o HostOptions) *Host {
	o.PresenceEvery = cmp.Or(o.PresenceEvery, presenceEvery)
	return &Host{HostOptions: o, session: rand.Text()[:16], lost: map[string]bool{}, wake: make(chan struct{}, 1), known: make(chan struct{})}
}

// followFeed takes snapshots until ctx ends.
func (h *Host) followFeed(ctx context.Context) error {
	for version := uint64(0); ; {
		snap, err := h.Feed.Next(ctx, version)
		if err != nil {
			return err
		}
		version = snap.Version
		h.mu.Lock()
		if h.snap == nil {
			close(h.known)
		}
		h.snap = snap
		h.mu.Unlock()
		h.wakeUp()
	}
}

func (h *Host) wakeUp() {
	select {
	case h.wake <- struct{}{}:
	default:
	}
}

// republish publishes everything again: the other end may have lost it.
func (h *Host) republish() {
	h.mu.Lock()
	h.again = true
	h.mu.Unlock()
	h.wakeUp()
}

// repeat publishes a lost message again, after the next presence.
func (h *Host) repeat(key string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.lost[key] = true
}

// publishAll publishes all changes until ctx ends, then that the host has left.
func (h *Host) publishAll(ctx context.Context, to publisher) {
	entries := map[string]*entry{}
	here := time.NewTicker(h.PresenceEvery)
	defer here.Stop()
	var last *model.Snapshot
	ready := false
	publishPresence := func(left bool) (failed bool) {
		p := &Presence{Schema: Wire, Host: h.Name, Session: h.session, At: h.Now().UTC(), Machine: h.Machine, Version: h.Version, Dirs: h.Dirs, Ready: ready, Left: left}
		if last != nil {
			p.Watch = last.Watch
		}
		return to.publish(hostKey(h.Name), encodeJSON(p)) != nil
	}
	for presence := true; ; {
		h.mu.Lock()
		snap, again := h.snap, h.again
		h.again = false
		lost := map[string]bool{}
		if presence || again {
			lost, h.lost = h.lost, lost
		}
		h.mu.Unlock()
		if snap != nil && snap != last {
			last = snap
			h.updateEntries(entries, snap)
		}
		for key := range lost {
			if entries[key] == nil && key != hostKey(h.Name) { // the removal of a project was lost
				entries[key] = &entry{}
			}
		}
		for key, e := range entries {
			e.again = e.again || again || lost[key]
		}
		failed := (presence || again) && publishPresence(false) // first, so that a host that is publishing does not count as silent
		var wait time.Duration
		if !failed {
			wait, failed = h.publishEntries(entries, to)
		}
		if !failed && last != nil && !ready {
			ready = true
			failed = publishPresence(false)
		}
		if failed {
			wait = time.Second
		}
		var later <-chan time.Time
		if wait > 0 {
			later = time.After(wait)
		}
		presence = failed
		select {
		case <-ctx.Done():
			publishPresence(true)
			return
		case <-h.wake:
		case <-later:
		case <-here.C:
			presence = true
		}
	}
}

// updateEntries updates the entries from a snapshot. A project with the same pointer has not changed.
func (h *Host) updateEntries(entries map[string]*entry, snap *model.Snapshot) {
	for _, e := range entries {
		e.stays = false
	}
	for _, p := range snap.Projects {
		key := keyOf(h.Name, p.Root, p.Name)
		e := entries[key]
		if e == nil {
			e = &entry{}
			entries[key] = e
		}
		e.stays, e.dirty, e.project = true, e.dirty || e.project != p, p
	}
}

// publishEntries publishes the documents that are due, and returns the time until the next one is. It stops at the first failure.
func (h *Host) publishEntries(entries map[string]*entry, to publisher) (wait time.Duration, failed bool) {
	now := time.Now()
	for key, e := range entries {
		left := publishEvery - now.Sub(e.at)
		switch {
		case failed:
		case !e.stays:
			if failed = to.publish(key, nil) != nil; !failed {
				delete(entries, key)
			}
		case (e.dirty || e.again) && left > 0:
			if wait == 0 || left < wait {
				wait = left
			}
		case e.dirty || e.again:
			if e.dirty {
				doc, packed := newDocument(e.project, h.sessionsOf(e.project), &Origin{Host: h.Name, Session: h.session})
				if hash := statefile.Hash(string(packed)); hash != e.hash {
					h.number++
					doc.Number = h.number
					packed, _ = packDocument(doc)
					e.hash, e.data, e.again = hash, packed, true
				}
			}
			if e.again {
				failed = to.publish(key, e.data) != nil
			}
			e.at, e.dirty, e.again = now, failed, failed
		}
	}
	return wait, failed
}

// sessionsOf returns the sessions of live agents that a project shows.
func (h *Host) sessionsOf(p *model.Project) (all []model.Session) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, b := range p.Builds {
		for _, s := range h.snap.Sessions {
			if n, _ := b.Find(s.Node); b.ID == model.AgentsBuild && n != nil {
				all = append(all, s)
			}
		}
	}
	return all
}

// asker is the user who sends a request.
type asker struct {
	user    string
	trusted bool // the hub, or ssh, has checked the name
	decides bool // whether it came on the subject of decisions
}

// answer carries out a request and returns the reply. It finishes what it has begun, even if the connection ends.
func (h *Host) answer(ctx context.Context, who asker, data []byte) []byte {
	leaving := refuseUnjudged(h.Name+" is leaving; nothing was done", "decide when it is back, or on the host")
	if !h.busy.TryRLock() {
		return errorReply(leaving)
	}
	defer h.busy.RUnlock()
	r, err := parseRequest(data)
	switch {
	case err != nil:
		return errorReply(fmt.Errorf("%s can't read the request: %w", h.Name, err))
	case r.isDecision() && !who.decides:
		return errorReply(&model.Refusal{Text: "a decision came where only questions come"})
	}
	select { // before its projects are known it would refuse allowed requests
	case <-h.known:
	case <-ctx.Done():
		return errorReply(leaving)
	}
	reply := &Reply{Outcome: Outcome{Schema: Schema}}
	reply.setError(h.serve(context.WithoutCancel(ctx), who, r, reply))
	return packMessage(encodeJSON(reply))
}

// errorReply returns a reply that has only an error.
func errorReply(err error) []byte {
	reply := &Reply{Outcome: Outcome{Schema: Schema}}
	reply.setError(err)
	return encodeJSON(reply)
}

// serve carries out a request. If it fails, the reply may have more than the error.
func (h *Host) serve(ctx context.Context, who asker, r *Request, reply *Reply) (err error) {
	switch r.Verb {
	case readText:
		reply.Text, err = h.text(r)
	case readAsk:
		_, reply.Ask, err = h.findAsk(ctx, who, r)
	case model.VerbAnswer:
		err = h.answerAgent(ctx, who, r, reply)
	default:
		err = h.makeDecision(ctx, who, r, reply)
	}
	return err
}

// findAsk returns an ask of a live agent and its answerer. A request that names a project finds only asks of that project; a request
// with an answer has to name one.
func (h *Host) findAsk(ctx context.Context, who asker, r *Request) (model.Answerer, *model.Ask, error) {
	var a model.Answerer
	if h.Answerer != nil {
		a = h.Answerer(who.user)
	}
	if a == nil {
		return nil, nil, &model.Refusal{Text: "live agents cannot be answered there"}
	}
	asked, err := a.Ask(ctx, r.Ask)
	if err == nil && asked.Project != r.Project && (r.Project != "" || r.isDecision()) {
		return nil, nil, &model.Refusal{Text: "nobody asks this there"}
	}
	return a, asked, err
}

// answerAgent answers an ask of a live agent. If another answer came first, the reply has the ask and an error.
func (h *Host) answerAgent(ctx context.Context, who asker, r *Request, reply *Reply) error {
	a, _, err := h.findAsk(ctx, who, r)
	if err == nil {
		err = h.checkRules(who, r.Action)
	}
	if err != nil {
		return err
	}
	reply.Result = ResultDone
	asked, err := a.Answer(ctx, r.Ask, *r.Answer)
	if asked != nil { // without its long texts
		brief := *asked
		brief.Plan, brief.Message, brief.Call = "", "", nil
		reply.Ask = &brief
	}
	return err
}

// makeDecision carries out an action, or proposes it.
func (h *Host) makeDecision(ctx context.Context, who asker, r *Request, reply *Reply) error {
	_, err := h.findJoined(r.Project)
	if err == nil {
		err = h.checkRules(who, r.Action)
	}
	if err != nil {
		return err
	}
	actor := h.Actor(who.user)
	propose := func(result string, a model.Action) error {
		seen := h.Seen(a) // before Propose: if the proposal is newer, the decision is refused
		p, err := actor.Propose(ctx, a)
		if err == nil {
			reply.Outcome = NewOutcome(result, &model.Outcome{Proposal: sentProposal(p)})
			reply.IfSeen, reply.Proposal = seen, sentProposal(p)
		}
		return err
	}
	a := r.Action
	if r.DryRun {
		return propose(ResultDryRun, a)
	}
	o, err := actor.Do(ctx, a)
	var changed *model.Changed
	switch {
	case errors.As(err, &changed) && changed.Now != nil:
		a.IfSeen = ""
		return propose(resultChanged, a)
	case o == nil:
		return err
	}
	reply.Outcome = NewOutcome(ResultDone, &model.Outcome{Proposal: sentProposal(o.Proposal), Decision: o.Decision, Note: o.Note})
	d := o.Decision
	d.Spans = nil
	reply.Decision, reply.Proposal = &d, sentProposal(o.Proposal)
	if err != nil {
		reply.Warnings = append(reply.Warnings, line.Clean(err.Error()))
	}
	h.Log(fmt.Sprintf("%s: %s %s: %s", line.Clean(who.user), a.Verb, o.Proposal.Name, o.Proposal.Effect))
	return nil
}

// findJoined returns a project by its root, and refuses one that this host has not joined.
func (h *Host) findJoined(root string) (*model.Project, error) {
	names := []string{}
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.snap != nil {
		for _, p := range h.snap.Projects {
			if p.Root == root {
				return p, nil
			}
			names = append(names, line.Clean(p.Name))
		}
	}
	return nil, &model.Refusal{Text: fmt.Sprintf("%s has not joined %s", h.Name, line.Clean(root)), Fix: "it has joined " + model.Listed(names)}
}

// text returns a file of a project. Every viewer may read it, so it must be a file that is shown: a state file, a plan, a deliverable.
// Other files, such as keys and .env, are refused.
func (h *Host) text(r *Request) (string, error) {
	p, err := h.findJoined(r.Project)
	switch {
	case err != nil:
		return "", err
	case !filepath.IsLocal(filepath.FromSlash(r.Path)):
		return "", &model.Refusal{Text: line.Clean(r.Path) + " is no file of the project"}
	case !namesFile(reflect.ValueOf(p), r.Path):
		return "", &model.Refusal{Text: fmt.Sprintf("%s does not show %s: no build of %s names it", h.Name, line.Clean(r.Path), line.Clean(p.Name)), Fix: "look at it on the host"}
	}
	return h.Files.Text(r.Project, r.Path)
}

// namesFile reports whether a part of the model names the file in a field called File.
func namesFile(v reflect.Value, file string) bool {
	switch v.Kind() {
	case reflect.Pointer:
		return !v.IsNil() && namesFile(v.Elem(), file)
	case reflect.Slice:
		for i := range v.Len() {
			if namesFile(v.Index(i), file) {
				return true
			}
		}
	case reflect.Struct:
		for i := range v.NumField() {
			switch f := v.Type().Field(i); {
			case !f.IsExported():
			case f.Name == "File" && f.Type.Kind() == reflect.String:
				if file != "" && v.Field(i).String() == file {
					return true
				}
			case namesFile(v.Field(i), file):
				return true
			}
		}
	}
	return false
}

// checkRules refuses a decision that no rule allows to the user.
func (h *Host) checkRules(who asker, a model.Action) error {
	p, _ := h.findJoined(a.Project)
	var verbs []string // the verbs that some rule allows on this project
	named, unchecked := false, false
	for _, r := range h.Rules {
		if r.User != "*" && r.User != who.user {
			continue
		}
		named = true
		if len(r.Projects) > 0 && (p == nil || !slices.Contains(r.Projects, p.Name) && !slices.Contains(r.Projects, p.Root)) {
			continue
		}
		for _, v := range r.Verbs {
			verbs = append(verbs, string(v))
		}
		if len(r.Verbs) > 0 && !slices.Contains(r.Verbs, a.Verb) {
			continue
		}
		if who.trusted || h.Unchecked {
			return nil
		}
		unchecked = true
	}
	user := line.Clean(who.user)
	switch {
	case unchecked:
		return &model.Refusal{Text: "the hub does not check who asks, so nobody can decide on " + h.Name, Fix: "give the hub the keys of its members: gatehouse remote keys"}
	case !named:
		return &model.Refusal{Text: fmt.Sprintf("%s lets %s look, and not decide", h.Name, user), Fix: "decide there, or have it join with --allow " + shell.Word(user)}
	case len(verbs) > 0:
		return &model.Refusal{Text: fmt.Sprintf("%s does not let %s %s", h.Name, user, a.Verb), Fix: "it allows " + strings.Join(verbs, ", ")}
	}
	return &model.Refusal{Text: fmt.Sprintf("%s does not let %s decide about this project", h.Name, user), Fix: "decide there"}
}
