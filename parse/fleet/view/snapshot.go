package view

// What is known of the hosts, as a model.

import (
	"cmp"
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"gatehouse/model"
	"gatehouse/model/line"
)

// project is one project of a host, as it is shown.
type project struct {
	host     *host
	root     string // there
	shown    *model.Project
	sessions []model.Session
	builds   map[string]*entry // by their IDs
}

// Root returns how a directory of a host is called here.
func Root(host, root string) string { return host + ":" + root }

// snapshot returns what is known now.
func (f *Fleet) snapshot() *model.Snapshot {
	snap := &model.Snapshot{Version: f.version, At: f.opts.Now()}
	var troubles []string
	var shown []*project
	hosts := map[string]*model.Host{}
	at := map[string]int{} // where a project is among those that are shown, by its root
	for _, s := range f.sources {
		if p := s.problem(); p != "" {
			troubles = append(troubles, p)
		}
		for _, token := range slices.Sorted(maps.Keys(s.hosts)) {
			h := s.hosts[token]
			if !s.listed && len(h.samples) == 0 {
				continue // by how much its clock differs is not known yet
			}
			all := h.all()
			if known := hosts[h.about.Name]; known == nil || h.live { // over two links it is one
				hosts[h.about.Name] = h.about
			}
			for _, p := range all {
				// Two machines may be copies of one another, or share a home: what is called otherwise is another, and is shown.
				i, seen := at[p.shown.Root]
				switch {
				case !seen:
					at[p.shown.Root] = len(shown)
					shown = append(shown, p)
					continue
				case p.better(shown[i]):
					p, shown[i] = shown[i], p
				}
				if trouble := p.hidden(shown[i]); !slices.Contains(troubles, trouble) && trouble != "" {
					troubles = append(troubles, trouble)
				}
			}
		}
	}
	for _, p := range shown {
		snap.Projects = append(snap.Projects, p.shown)
		if p.host.live { // else nobody knows whether they run
			snap.Sessions = append(snap.Sessions, p.sessions...)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(hosts)) {
		snap.Hosts = append(snap.Hosts, hosts[name])
	}
	snap.Watch = strings.Join(troubles, "; ")
	return snap
}

// better reports whether a project is known better than the same over another link: that of a host that is there before one that is not, then
// the one heard of last. Of two that are there it is the first, so that they don't take turns.
func (p *project) better(than *project) bool {
	if a, b := p.host, than.host; a.live || b.live {
		return a.live && !b.live
	}
	return p.host.asOf().After(than.host.asOf())
}

// hidden says that another machine's project is not shown for one of the same name, "" where it is the same machine's, which may have been started
// anew since it was heard of over one of the links.
func (p *project) hidden(by *project) string {
	a, b := p.host, by.host
	one, other := a.presence.Machine, b.presence.Machine
	if one == other || one == "" || other == "" || account(one) == account(other) && !(a.live && b.live) {
		return ""
	}
	return line.Clean(a.name + " is two machines, and the one over " + b.source.link.Name() + " is shown; give that over " + a.source.link.Name() + " another name")
}

// all returns the projects of a host, by their roots.
func (h *host) all() []*project {
	if h.projects == nil || h.about.State != h.state() {
		h.show()
	}
	return h.ordered
}

// show makes what is known of a host into projects.
func (h *host) show() {
	h.projects, h.about = map[string]*project{}, h.describe()
	at := func(root string) *project {
		p := h.projects[root]
		if p == nil {
			p = &project{host: h, root: root, builds: map[string]*entry{}}
			h.projects[root] = p
		}
		return p
	}
	order := map[string][]string{}
	for _, key := range slices.Sorted(maps.Keys(h.entries)) {
		switch e := h.entries[key]; {
		case e.gone:
		case e.project != nil:
			h.look(key, e)
			p := at(e.project.Root)
			p.shown, p.sessions, order[e.project.Root] = e.about, e.sessions, e.project.Builds
		case e.build != nil:
			h.look(key, e)
			if e.shown != nil {
				at(e.build.Root).builds[e.shown.ID] = e
			}
		}
	}
	h.ordered = h.ordered[:0:0]
	for _, root := range slices.Sorted(maps.Keys(h.projects)) {
		p := h.projects[root]
		p.finish(order[root])
		h.ordered = append(h.ordered, p)
	}
}

// look makes a message into the model. One that can't be leaves what was shown before.
func (h *host) look(key string, e *entry) {
	if e.looked {
		return
	}
	e.looked = true
	var err error
	if e.project != nil {
		var about *model.Project
		var sessions []model.Session
		if about, sessions, err = e.project.Decode(h.ahead); err == nil {
			e.about, e.sessions = about, sessions
		}
	} else {
		var shown *model.Build
		if shown, err = e.build.Decode(e.data, h.ahead); err == nil {
			h.qualify(shown)
			e.shown = e.tree.with(shown, e.build.Tree)
			if e.treeless != "" && e.shown.Partial {
				e.shown.Problems = append(e.shown.Problems, model.Problem{Severity: model.Warning, Text: "its tree can't be had: " + line.Clean(e.treeless), Fix: "look at it on the host"})
			}
		}
	}
	if err != nil {
		h.note(key, "something it says can't be read: "+err.Error())
	}
}

// finish makes the project that is shown.
func (p *project) finish(order []string) {
	shown := &model.Project{}
	if p.shown != nil {
		copied := *p.shown
		shown = &copied
	}
	p.sessions = slices.Clone(p.sessions)
	for i := range p.sessions {
		p.sessions[i].Project = Root(p.host.name, p.sessions[i].Project)
	}
	name := shown.Name
	if name == "" {
		name = p.root[strings.LastIndexByte(p.root, '/')+1:]
		for _, e := range p.builds {
			name = e.build.Name
		}
	}
	h := p.host
	shown.Root, shown.Name, shown.Host = Root(h.name, p.root), line.Clean(name), h.about
	decisions := slices.Clone(shown.Decisions)
	for i := range decisions {
		decisions[i].Project = shown.Root
	}
	shown.Decisions, shown.Problems = decisions, slices.Clone(shown.Problems)
	if trouble := h.trouble(); trouble != "" {
		shown.Problems = append(shown.Problems, model.Problem{Severity: model.Warning, Text: h.shown() + ": " + trouble, Fix: "what it said before is shown"})
	}
	shown.Problems = append(shown.Problems, h.source.fleet.unsettled(shown.Root)...)
	if h.presence.Watch != "" {
		shown.Problems = append(shown.Problems, model.Problem{Severity: model.Warning, Text: h.shown() + " sees changes late: " + h.presence.Watch})
	}
	place := func(id string) int {
		if i := slices.Index(order, id); i >= 0 {
			return i
		}
		return len(order)
	}
	ids := slices.SortedFunc(maps.Keys(p.builds), func(a, b string) int { return cmp.Or(place(a)-place(b), strings.Compare(a, b)) })
	for _, id := range ids {
		shown.Builds = append(shown.Builds, p.builds[id].shown)
	}
	p.shown = shown
}

// find returns the project that is called so here.
func (f *Fleet) find(root string) (best *project) {
	for _, s := range f.sources {
		for _, h := range s.hosts {
			there, ok := strings.CutPrefix(root, h.name+":")
			if !ok {
				continue
			}
			h.all()
			if p := h.projects[there]; p != nil && (best == nil || p.better(best)) {
				best = p
			}
		}
	}
	return best
}

// Beside returns the projects of a snapshot of the fleet that are not among some of this machine: what this very account has joined is shown once.
func (f *Fleet) Beside(local, remote []*model.Project) (all []*model.Project) {
	here := map[string]bool{}
	for _, name := range f.own() {
		for _, p := range local {
			here[Root(name, p.Root)] = true
		}
	}
	return slices.DeleteFunc(slices.Clone(remote), func(p *model.Project) bool { return here[p.Root] })
}

// besideSessions is [Fleet.Beside] for the sessions of live agents: those of this account are all known here.
func (f *Fleet) besideSessions(remote []model.Session) []model.Session {
	own := f.own()
	return slices.DeleteFunc(slices.Clone(remote), func(x model.Session) bool {
		return slices.ContainsFunc(own, func(name string) bool { return strings.HasPrefix(x.Project, Root(name, "")) })
	})
}

// own returns the hosts that are this very account.
func (f *Fleet) own() (names []string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, s := range f.sources {
		for _, h := range s.hosts {
			if h.presence.Machine != "" && h.presence.Machine == f.opts.Machine {
				names = append(names, h.name)
			}
		}
	}
	return names
}

// Has reports whether a project is one of the fleet.
func (f *Fleet) Has(root string) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.find(root) != nil
}

// IsRoot reports whether a root can be one of [Root]: no path of this machine begins with a host.
func IsRoot(root string) bool {
	host, dir, ok := strings.Cut(root, ":")
	return ok && len(host) > 1 && !strings.ContainsAny(host, `/\`) && (strings.HasPrefix(dir, "/") || filepath.IsAbs(dir) || windowsPath.MatchString(dir))
}

// windowsPath matches how an absolute path begins on a host that runs Windows.
var windowsPath = regexp.MustCompile(`^[A-Za-z]:[\\/]`)
