// Where an action takes place: the build that it is about, and its file.

package parse

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"time"

	"gatehouse/model"
	"gatehouse/parse/disk/journal"
	"gatehouse/parse/disk/statefile"
	"gatehouse/parse/protocol"
)

// site is a build as one action finds it.
type site struct {
	p      *Project
	e      editor
	action model.Action
	now    time.Time       // when it was judged
	about  protocol.Target // what the action is about
}

// site finds the build of an action, and the file.
func (as *Actions) site(ctx context.Context, a model.Action) (*site, error) {
	p, err := as.project(a.Project)
	if err != nil {
		return nil, err
	}
	var s *site
	if gone := patiently(ctx, func() bool {
		p.Touch()
		var r reader
		if r, err = p.reader(a.Build); err != nil && a.Build == p.Starts(a.Verb) {
			r, err = p.starter(a.Verb), nil
		}
		if err != nil {
			return false
		}
		s, err = p.site(r, a, as.now())
		return !errors.Is(err, protocol.ErrUnreadable)
	}); gone != nil {
		return nil, gone
	}
	return s, err
}

// site returns where an action on a build that is here takes place.
func (p *Project) site(r reader, a model.Action, now time.Time) (*site, error) {
	e, ok := r.(editor)
	if !ok {
		return nil, &model.Refusal{Text: a.Build + " is only read here", Fix: "decide where its agents ask"}
	}
	about, err := guarded(a.Build, func() (protocol.Target, error) { return e.Target(a, now) })
	if err != nil {
		return nil, err
	}
	return &site{p: p, e: e, action: a, now: now, about: about}, nil
}

// project returns a project that is open, by its root.
func (as *Actions) project(root string) (*Project, error) {
	projects := as.projects()
	i := slices.IndexFunc(projects, func(p *Project) bool { return p.root == root })
	if i < 0 {
		return nil, &model.Refusal{Text: root + " is not open", Fix: "open it first"}
	}
	return projects[i].anew(), nil
}

// anew returns the same project, nothing of it read: what is known of the other is its reader's alone.
func (p *Project) anew() *Project {
	q := at(p.root, p.user)
	q.named = p.named
	return q
}

// reader returns the reader of a build.
func (p *Project) reader(id string) (reader, error) {
	for _, pr := range protocols {
		readers, fault := guard(pr.name, func() []reader { return pr.readers(p) })
		if i := slices.IndexFunc(readers, func(r reader) bool { return r.ID() == id }); i >= 0 {
			return readers[i], nil
		} else if fault != nil {
			return nil, errors.New(fault.String())
		}
	}
	return nil, &model.Refusal{Text: fmt.Sprintf("there is no build %s in %s any more", id, p.root), Fix: "look at what is there: gatehouse status"}
}

// file returns where the file of the action is.
func (s *site) file() statefile.Target { return s.p.file(s.about.File) }

// file returns where a file of the project is to be written, named relative to its root. It has to lie in the project,
// whatever links lead to it: a directory of a protocol that is itself a link out of it is read, and not written (linked.go).
func (p *Project) file(name string) statefile.Target {
	return statefile.Target{Path: filepath.Join(p.root, filepath.FromSlash(name)), Within: []string{p.root}}
}

// awaited reports whether somebody waits for the gate of the action.
func (s *site) awaited() bool {
	return slices.ContainsFunc(s.p.waiters(), func(w journal.Waiter) bool { return w.Build == s.action.Build && w.Node == s.action.Node })
}

// evidence returns what tells the files that a gate is judged by from what they are later, "" where that is not known.
func (s *site) evidence(node string) string {
	b, fault := guard(s.action.Build, func() *model.Build { return s.e.Read(s.now) })
	if fault != nil || b == nil {
		return ""
	}
	n, _ := b.Find(node)
	if n == nil {
		return ""
	}
	return evidenceOf(n)
}
