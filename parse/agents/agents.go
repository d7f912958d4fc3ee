// Package agents shows live agents as builds: what they ask waits there as gates do, below the sessions that ask it.
//
//	store of asks ─► Hear ─► Heard ─► In: a project with its agents ─► snapshot
//	                               └► Elsewhere: a project of its own, for what waits where no project is shown
//
// A build of agents is no state file's: nothing of it is read from the project, and asks are answered through the store.
package agents

import (
	"cmp"
	"context"
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"gatehouse/model"
	"gatehouse/model/line"
	"gatehouse/parse/agents/ask"
	"gatehouse/parse/agents/pane"
	"gatehouse/parse/agents/waiting"
)

// Heard is what live agents ask and do, as of one reading of the store. Nothing in it changes.
type Heard struct {
	Asks     []ask.Item // those that wait and those that have ended in the last day, the newest first
	Sessions []ask.Session
	Err      error // why some of it could not be read
}

// Hear reads the store. The reader is the one of the reading before, so that each file is read once.
func Hear(store *ask.Store, r *ask.Reader) *Heard {
	h := &Heard{}
	h.Asks, h.Err = r.List(true)
	sessions, err := store.Sessions()
	h.Sessions, h.Err = sessions, cmp.Or(h.Err, err)
	return h
}

// Only returns what is asked and done in some projects, by their roots.
func (h *Heard) Only(in map[string]bool) *Heard {
	return &Heard{
		Asks:     slices.DeleteFunc(slices.Clone(h.Asks), func(i ask.Item) bool { return !in[i.Project] }),
		Sessions: slices.DeleteFunc(slices.Clone(h.Sessions), func(s ask.Session) bool { return !in[s.Project] }), Err: h.Err,
	}
}

// Waits counts the asks that wait.
func (h *Heard) Waits() (n int) {
	for i := range h.Asks {
		if h.Asks[i].State == ask.Waiting {
			n++
		}
	}
	return n
}

// All returns the sessions for the snapshot.
func (h *Heard) All() (all []model.Session) {
	for i := range h.Sessions {
		all = append(all, session(&h.Sessions[i]))
	}
	return all
}

// In returns a project with its live agents: its root is the real path of the directory, by which agents name it. What is asked
// there and in one of its state files, too, is one wait. Where no agent works in it the project is returned as it is.
func (h *Heard) In(p *model.Project, root string, now time.Time) *model.Project {
	b := h.build(func(project string) bool { return project == root }, now)
	signals := signalled(p)
	revived := slices.ContainsFunc(p.Builds, stale) && h.atWork(root, now)
	if b == nil && !revived && (!signals || !h.knows(root)) && h.Err == nil {
		return p
	}
	shown := *p
	shown.Builds = slices.Clone(p.Builds)
	if signals {
		for i, other := range shown.Builds {
			shown.Builds[i] = h.withoutDoubles(other, root, now)
		}
	}
	if revived {
		for i, other := range shown.Builds {
			shown.Builds[i] = alive(other)
		}
	}
	if b != nil {
		shown.Builds = append(shown.Builds, b)
	}
	if h.Err != nil {
		shown.Problems = append(slices.Clip(shown.Problems), model.Problem{Severity: model.Warning, Text: "what live agents ask can't all be read: " + h.Err.Error(), Fix: "gatehouse doctor says more"})
	}
	return &shown
}

// Elsewhere returns a project of its own with the agents that work where no project is shown, as soon as one of them waits for
// somebody; nil as long as none does. Dir is the directory of the store, which stands for its root.
func (h *Heard) Elsewhere(dir string, shown func(root string) bool, now time.Time) *model.Project {
	b := h.build(func(project string) bool { return !shown(project) }, now)
	if b == nil || len(b.Waits) == 0 {
		return nil
	}
	return &model.Project{Root: dir, Name: "agents", Builds: []*model.Build{b}}
}

// knows reports whether anything was asked in a project.
func (h *Heard) knows(root string) bool {
	return slices.ContainsFunc(h.Asks, func(i ask.Item) bool { return i.Project == root })
}

// signalled reports whether a state file of a project tells of a live question.
func signalled(p *model.Project) bool {
	for _, b := range p.Builds {
		if slices.ContainsFunc(b.Waits, func(w model.Wait) bool { return w.Evidence == model.Signalled }) {
			return true
		}
	}
	return false
}

// answeredFor is how long a question stays with the agent whose answer was given here, while its file still asks it: agents take
// the file away once they have heard the answer.
const answeredFor = 10 * time.Minute

// withoutDoubles returns a build without the live questions of its files that an agent asks here, too; those that were answered
// here are with the agent.
func (h *Heard) withoutDoubles(b *model.Build, root string, now time.Time) *model.Build {
	copied := *b
	copied.Waits = nil
	for _, w := range b.Waits {
		if item := h.same(&w, root); item != nil && w.Evidence == model.Signalled {
			if item.State == ask.Waiting {
				continue
			}
			if returns := item.End.At.Add(answeredFor); item.State == ask.Answered && !w.Since.After(item.End.At) && now.Before(returns) {
				w.Standing = model.Standing{Status: model.WithAgent, Until: returns}
			}
		}
		copied.Waits = append(copied.Waits, w)
	}
	model.SortWaits(copied.Waits)
	return &copied
}

// same returns the newest ask of a project that asks what a file does, nil without one.
func (h *Heard) same(w *model.Wait, root string) *ask.Item {
	text := plain(w.Text)
	for i := range h.Asks {
		item := &h.Asks[i]
		if item.Project != root {
			continue
		}
		if plain(item.Text) == text || slices.ContainsFunc(item.Questions, func(q model.Question) bool { return plain(q.Text) == text }) {
			return item
		}
	}
	return nil
}

// plain returns a text as far as it matters whether two ask the same.
func plain(text string) string {
	return strings.ToLower(strings.Trim(line.Tidy(text), " ?.!:"))
}

// Answerer answers through the store, for the dashboard.
type Answerer struct {
	Store *ask.Store
	By    string // through what is answered, for the journal; "" is [ask.ByDashboard]
	// Go brings a pane into view.
	Go func(ctx context.Context, to pane.Pane) (said, command string)
	// Refuses returns why this process may not answer an ask, nil where it may: no agent answers itself in a dashboard that it has opened.
	Refuses func(*ask.Ask) error
}

// Ask implements [model.Answerer].
func (a Answerer) Ask(_ context.Context, id string) (*model.Ask, error) {
	item, err := a.Store.Get(id)
	if err != nil {
		return nil, err
	}
	return Ask(item), nil
}

// Answer implements [model.Answerer].
func (a Answerer) Answer(_ context.Context, id string, answer model.Answer) (*model.Ask, error) {
	item, err := a.Store.Get(id)
	if err == nil && item.State == ask.Waiting {
		if why := a.Refuses(&item.Ask); why != nil {
			return Ask(item), why
		}
	}
	item, err = a.Store.Answer(id, answer, cmp.Or(a.By, ask.ByDashboard))
	if item == nil {
		return nil, err
	}
	return Ask(item), err
}

// Jump implements [model.Answerer].
func (a Answerer) Jump(ctx context.Context, node string) (said, command string) {
	if id, ok := strings.CutPrefix(node, askPrefix); ok {
		item, err := a.Store.Get(id)
		if err != nil {
			return err.Error(), ""
		}
		return a.Go(ctx, item.Pane)
	}
	all, err := a.Store.Sessions()
	for i := range all {
		if sessionNode(&all[i]) == node {
			return a.Go(ctx, all[i].Pane)
		}
	}
	if err != nil {
		return err.Error(), ""
	}
	return "the session has ended", ""
}

// Diff implements [model.Answerer].
func (a Answerer) Diff(context.Context, string) (string, error) {
	return "", errors.New("the working tree is not known")
}

// key returns what stands for a session in the ID of its node.
func key(agent, session string) string { return waiting.Key(agent + " " + session) }

// inDir says where below the project an agent works, "" for the project's own directory.
func inDir(project, dir string) string {
	if rel, err := filepath.Rel(project, dir); err == nil && rel != "." && filepath.IsLocal(rel) {
		return rel
	}
	if dir != project {
		return dir
	}
	return ""
}
