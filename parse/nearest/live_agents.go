package nearest

import (
	"gatehouse/parse/agents/waiting"
	"gatehouse/parse/disk/peek"
)

// countAgents counts what waits from live agents in a project: that of the build in dir or, if dir is empty, the repository or
// else the directory of p. Without any file in the store it costs one directory listing.
func (p *Place) countAgents(dir string) (c waiting.Counts) {
	if !p.Alerts || p.Asks == "" {
		return c
	}
	p.Watch.directory(peek.Join(p.Asks, waiting.Dir))
	if waiting.Count(p.Asks, "", p.Buffer) == c {
		return c
	}
	if dir == "" {
		dir = p.repositoryRoot()
	}
	if real, ok := peek.RealPath(dir); ok {
		c = waiting.Count(p.Asks, waiting.Key(real), p.Buffer)
	}
	return c
}

// repositoryRoot returns the main working tree of the repository that the directory of p belongs to, else that directory.
func (p *Place) repositoryRoot() string {
	for dir := range peek.Climb(p.Dir, "") {
		if p.watched(peek.Join(dir, ".git")) {
			break
		}
	}
	if real, ok := peek.RealPath(p.Dir); ok {
		if r, ok := waiting.Repository(real); ok {
			return r.Root
		}
	}
	return p.Dir
}
