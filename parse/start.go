// What may begin where nothing is there yet: a file, or a build with it.

package parse

import (
	"errors"
	"io/fs"
	"path/filepath"

	"gatehouse/model"
	"gatehouse/parse/disk/peek"
)

// Starts returns the ID of the build that an action with this verb may begin in a project that has none of it; "" where none
// may. A user's home is no project: what it has of such a place is the tool's own.
func (p *Project) Starts(v model.Verb) (build string) {
	if f := p.starter(v); f != nil && canonical(p.root) != canonical(p.user.Home) {
		return f.ID()
	}
	return ""
}

// Above returns the directory above the project that has a .git, even one that git can't use; "" without one.
func (p *Project) Above() string {
	dir := p.root
	for !peek.Exists(peek.Join(dir, ".git")) {
		up := peek.Parent(dir)
		if up == dir {
			return ""
		}
		dir = up
	}
	if dir == p.root {
		return ""
	}
	return dir
}

// starter returns the editor of a build that an action with this verb may begin, nil where none may.
func (p *Project) starter(v model.Verb) starter {
	for _, pr := range protocols {
		if pr.starter == nil {
			continue
		}
		if f := pr.starter(p); f.Begins(model.Action{Verb: v}) != "" {
			return f
		}
	}
	return nil
}

// begins returns what the file of the action begins with where it is missing, "" where it has to be there.
func (s *site) begins() string {
	if f, ok := s.e.(starter); ok {
		return f.Begins(s.action)
	}
	return ""
}

// isMade says that the file of the action is a new one.
func (s *site) isMade() string { return "there was no " + s.about.File + " yet: it is made" }

// makeRoom makes the directory of an action's file where both are missing, and the file may begin so. Nothing is made for an
// action that is refused.
func (as *Actions) makeRoom(s *site) error {
	t := s.file()
	if _, err := as.store.Read(t); !errors.Is(err, fs.ErrNotExist) {
		return nil // what else is wrong is met when it is written
	}
	pl, err := as.plan(s, s.begins())
	if err != nil {
		return err
	}
	if _, err := pl.change(); err != nil {
		return err
	}
	t.Path = filepath.Dir(t.Path)
	return as.store.MakeDir(t)
}
