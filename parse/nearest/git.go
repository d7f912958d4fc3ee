package nearest

import (
	"gatehouse/parse/agents/waiting"
	"gatehouse/parse/disk/peek"
)

// Git is the checked-out commit or branch of a repository.
type Git = waiting.Head

// FindGit returns the HEAD of the repository that contains the directory of p. ok is false without a repository. It
// reads files and never runs git, which could run programs that the repository configures.
func FindGit(p Place) (g Git, ok bool) {
	r, ok := p.findRepository()
	if !ok {
		return g, false
	}
	if g, ok = r.ReadHead(); ok {
		return g, true
	}
	if up := peek.Parent(r.Tree); up != r.Tree && r.Git == peek.Join(r.Tree, ".git") {
		p.Dir = up // git continues its search, too
		return FindGit(p)
	}
	return Git{}, false
}

// findRepository returns the repository of the directory of p.
func (p *Place) findRepository() (r waiting.Repo, ok bool) {
	dir, isReal := peek.RealPath(p.Dir)
	if !isReal {
		dir = p.Dir
	}
	return waiting.Repository(dir)
}
