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
		s.AddSpec(core.ParseSpec(p.readHead(spec, dir, limit)))
		if f.Detail.Version == "" {
			f.Detail.Version = withoutV(TagAtHead(*p, dir))
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

// readHead reads the beginning of a file, which may end inside a character.
func (p *Place) readHead(path, root string, limit int) string {
	text, _, err := peek.ReadFile(path, root, p.Buffer, limit)
	if err != nil {
		return ""
	}
	p.Buffer = p.Buffer[min(len(text), len(p.Buffer)):]
	return text
}

// hasSpec reports whether a project has a specification, also under the name that older projects gave it.
func (p *Place) hasSpec(dir, spec string) (has bool) {
	if peek.Exists(spec) {
		return true
	}
	peek.Entries(dir, nil, entryLimit, func(name string) { has = has || core.IsLegacySpec(name) })
	return has
}

// withoutV returns a version without a leading "v".
func withoutV(version string) string {
	if doc.HasPrefix(version, "v") {
		return version[1:]
	}
	return version
}
