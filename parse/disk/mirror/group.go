package mirror

// Group is a list of directories that are read together, in order of precedence. A nil group is empty.
type Group struct{ mirrors []*Mirror }

// NewGroup returns the group of some absolute directories.
func NewGroup(dirs []string) *Group {
	g := &Group{}
	for _, dir := range dirs {
		g.mirrors = append(g.mirrors, New(dir))
	}
	return g
}

// Mirrors returns the mirrors of the directories.
func (g *Group) Mirrors() []*Mirror {
	if g == nil {
		return nil
	}
	return g.mirrors
}

// Touch makes the next read look at all directories again.
func (g *Group) Touch() {
	for _, m := range g.Mirrors() {
		m.Touch()
	}
}

// Sweep forgets the files that were not asked for since the last sweep.
func (g *Group) Sweep() {
	for _, m := range g.Mirrors() {
		m.Sweep()
	}
}
