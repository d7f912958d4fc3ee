package parse

import (
	"errors"
	"path/filepath"

	"gatehouse/parse/disk/peek"
)

// Errors for names that are not files: invalid ones, and directories.
var (
	errNoFile    = errors.New("this is no file of the project")
	errDirectory = errors.New("this is a directory")
)

// Text returns the current text of a file of the project; the path is relative to the root and "/"-separated. It
// follows the rules for all state files: regular files only, up to [peek.Limit], no link out of the project. If the
// file is larger, Text returns its beginning and an error.
//
// Text may be called while the project is read: it shares nothing with it.
func (p *Project) Text(rel string) (string, error) {
	if _, err := p.Path(rel); err != nil {
		return "", err
	}
	return newMirror(p.root).Text(rel)
}

// Path returns the absolute path of a regular file of the project with all links resolved, for a program that will open
// it. It fails for a file outside, even if only a link in the middle of the path leads out.
func (p *Project) Path(rel string) (string, error) {
	local := filepath.FromSlash(rel)
	if !filepath.IsLocal(local) {
		return "", errNoFile
	}
	m := newMirror(p.root)
	entry, ok := m.Stat(rel)
	switch {
	case !ok:
		return "", peek.ErrNotExist
	case entry.Dir:
		return "", errDirectory
	case !entry.Regular:
		return "", errNoFile
	}
	real, err := filepath.EvalSymlinks(filepath.Join(p.root, local))
	if err != nil {
		return "", errNoFile
	}
	if !m.Contains(real) {
		return "", peek.ErrOutside
	}
	return real, nil
}

// Files are projects as [model.Files] has them: named by their roots.
type Files []*Project

// Text implements [model.Files].
func (fs Files) Text(project, file string) (string, error) {
	p, err := fs.projectNamed(project)
	if err != nil {
		return "", err
	}
	return p.Text(file)
}

// Path implements [model.Files].
func (fs Files) Path(project, file string) (string, error) {
	p, err := fs.projectNamed(project)
	if err != nil {
		return "", err
	}
	return p.Path(file)
}

func (fs Files) projectNamed(root string) (*Project, error) {
	for _, p := range fs {
		if p.root == root {
			return p, nil
		}
	}
	return nil, errors.New("this project is not open")
}
