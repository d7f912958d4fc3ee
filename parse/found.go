// What may begin where nothing is there yet: a file, or a build with it.

package parse

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"gatehouse/model"
)

// Founds returns the ID of the build that an action with this verb may begin in a project that has none of it; "" where none
// may. A user's home is no project: what it has of such a place is the tool's own.
func (p *Project) Founds(v model.Verb) (build string) {
	if f := p.founder(v); f != nil && canonical(p.root) != canonical(p.user.Home) {
		return f.ID()
	}
	return ""
}

// founder returns the editor of a build that an action with this verb may begin, nil where none may.
func (p *Project) founder(v model.Verb) founder {
	for _, pr := range protocols {
		if pr.found == nil {
			continue
		}
		if f := pr.found(p); f.Begins(model.Action{Verb: v}) != "" {
			return f
		}
	}
	return nil
}

// begins returns what the file of the action begins with where it is missing, "" where it has to be there.
func (s *site) begins() string {
	if f, ok := s.e.(founder); ok {
		return f.Begins(s.action)
	}
	return ""
}

// isMade says that the file of the action is a new one.
func (s *site) isMade() string { return "there was no " + s.file + " yet: it is made" }

// make makes the file of an action where it is missing and may begin so, and reports whether it did. Nothing is made for an
// action that is refused.
func (as *Actions) make(ctx context.Context, s *site) (made bool, err error) {
	begins := s.begins()
	if begins == "" {
		return false, nil
	}
	t := s.target()
	if _, err := as.store.Read(t); !errors.Is(err, fs.ErrNotExist) {
		return false, nil // what else is wrong is met when it is written
	}
	r, err := as.request(s, begins)
	if err != nil {
		return false, err
	}
	r.Asking = false
	if _, err := s.edit(r); err != nil {
		return false, err
	}
	if err := os.Mkdir(filepath.Dir(t.Path), 0o755); err != nil && !errors.Is(err, fs.ErrExist) {
		return false, err
	}
	_, err = as.store.Create(ctx, t, begins)
	if errors.Is(err, fs.ErrExist) { // somebody else was faster, or something is in the way
		return false, nil
	}
	return err == nil, err
}
