package nearest

import (
	"gatehouse/parse/agents/waiting"
	"gatehouse/parse/disk/peek"
)

// Git is what is checked out in a repository.
type Git = waiting.Head

// FindGit returns what HEAD says in the repository that the directory of p lies in. ok is false without a repository. It
// reads files and never runs git, which could run what the repository configures.
func FindGit(p Place) (g Git, ok bool) {
	r, ok := p.findRepository()
	if !ok {
		return g, false
	}
	p.Watch.Add(peek.Join(r.Git, "HEAD"))
	if g, ok = r.ReadHead(); ok {
		return g, true
	}
	if up := peek.Parent(r.Tree); up != r.Tree && r.Git == peek.Join(r.Tree, ".git") {
		p.Dir = up // git goes on looking, too
		return FindGit(p)
	}
	return Git{}, false
}

// findRepository returns the repository that the directory of p lies in.
func (p *Place) findRepository() (r waiting.Repo, ok bool) {
	dir, isReal := peek.RealPath(p.Dir)
	if !isReal {
		dir = p.Dir
	}
	r, ok = waiting.Repository(dir)
	for up := ""; p.Watch != nil && dir != up; dir = peek.Parent(dir) {
		p.Watch.Add(peek.Join(dir, ".git"))
		if up = dir; ok && dir == r.Tree {
			break
		}
	}
	return r, ok
}
