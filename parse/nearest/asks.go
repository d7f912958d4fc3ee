package nearest

// What live agents ask in a project: by the names of files alone, see package waiting.

import (
	"gatehouse/parse/agents/waiting"
	"gatehouse/parse/disk/peek"
)

// asked returns how many asks wait for somebody in the project at dir. It costs one listing of a directory, and where anybody asks
// anything, a second one: only then it is worth finding out what the project is really called.
func (p *Place) asked(dir string) int {
	if p.Asks == "" {
		return 0
	}
	p.Watch.directory(peek.Join(p.Asks, waiting.Dir))
	if waiting.Count(p.Asks, "", p.Buffer).Asks == 0 {
		return 0
	}
	real, ok := peek.RealPath(dir)
	if !ok {
		return 0
	}
	return waiting.Count(p.Asks, waiting.Key(real), p.Buffer).Asks
}
