package nearest

import (
	"gatehouse/parse/disk/peek"
	"gatehouse/parse/doc"
	"gatehouse/parse/fctry/core"
)

// fctryIn finds the fctry project of a directory: a state.json, or a specification or an inbox without one.
func fctryIn(p *Place, dir string) (found Found, ok bool) {
	home := peek.Join(dir, ".fctry")
	if !peek.Exists(home) {
		return Found{}, false
	}
	path, spec, inbox := peek.Join(home, "state.json"), peek.Join(home, "spec.md"), peek.Join(home, "inbox.json")
	_, state, err := p.readJSON(path, dir)
	hasState := !peek.Missing(err)
	if !hasState {
		path = ""
		if !peek.Exists(spec) && !peek.Exists(inbox) { // such as fctry's own directory in a user's home
			return Found{}, false
		}
	}
	s := core.New(state.Root(), p.readTree(peek.Join(home, "config.json"), dir).Root())
	f := &s.Facts
	f.Unreadable = hasState && !state.Root().Is(doc.Map)
	now, changed := p.fileTimes(path)
	s.SetClock(core.Clock{Now: now, Changed: changed})
	if p.Detail {
		limit := core.SpecHead
		if s.NeedsTitles() {
			limit = core.SpecOutline
		}
		head, _, _ := peek.ReadFile(spec, dir, limit)
		s.AddSpec(core.ParseSpec(head))
		if f.Detail.Version == "" {
			f.Detail.Version = doc.TrimPrefix(TagAtHead(*p, dir), "v")
		}
	}
	if p.Detail || s.NeedsAdvice() && !f.Run.There {
		s.AddInbox(p.readTree(inbox, dir).Root())
		s.Advise(f.Spec != "" || p.hasSpec(dir, spec))
	}
	found = Found{Facts: f, Path: path}
	if p.Alerts {
		found.Waits, found.WaitsSaid = f.Outstanding(), true
		if f.Run.There && f.Run.Waiting {
			found.Waits, found.WaitsSaid = f.Run.What(), f.Asks()
		}
		if found.Waits != "" {
			found.WaitsPath = path
		}
	}
	return found, true
}

// readTree reads a JSON file; its tree has no values if it can't be read.
func (p *Place) readTree(path, root string) *doc.Tree {
	text, _ := p.readText(path, root)
	tree, _ := doc.ParseJSON(text)
	return tree
}

// hasSpec reports whether a project has a specification, also under the name that older projects gave it.
func (p *Place) hasSpec(dir, spec string) (has bool) {
	if peek.Exists(spec) {
		return true
	}
	peek.Entries(dir, entryLimit, func(name string, _ peek.Type) { has = has || core.IsLegacySpec(name) })
	return has
}
