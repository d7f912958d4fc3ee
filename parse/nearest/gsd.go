// Finding the STATE.md that GSD's status line would show.

package nearest

import (
	"gatehouse/model/line"
	"gatehouse/parse/disk/peek"
	"gatehouse/parse/gsd/milestone"
	"gatehouse/parse/gsd/rules"
	"gatehouse/parse/text/scan"
)

const planningDir = ".planning"

// gsdIn looks for GSD's state in one directory: the flat STATE.md, else that of the active workstream.
func gsdIn(p *Place, dir string) (Found, bool) {
	at, ok := p.planningIn(dir)
	// Asked for by name, GSD reads what ultraplan has written, too: the files are of one form.
	if !ok || at.ultraplan && (p.Source != "gsd" || p.all) {
		return Found{}, false
	}
	if at.err == nil {
		return gsdFound(p, dir, at.state, at.text), true
	}
	planning := at.path
	workstreams := peek.Join(planning, rules.WorkstreamsDir)
	p.Watch.Add(workstreams)
	if !peek.HasSubdir(workstreams) {
		return Found{}, false
	}
	p.Watch.unsure() // the environment and the pointers of sessions decide
	session := rules.Session{Env: p.env, Terminal: p.Terminal, TempDir: p.TempDir}
	name, ok := session.ActiveWorkstream(planning)
	if !ok {
		return Found{Facts: &line.GSD{NoActiveWorkstream: true}}, true
	}
	if path, ok := session.WorkstreamState(planning, name); ok {
		if text, err := p.read(path, dir); err == nil {
			return gsdFound(p, dir, path, text), true
		}
	}
	return Found{Facts: &line.GSD{}}, true // a workstream whose state is not written yet shows nothing
}

// gsdFound returns what the text of the STATE.md at path says, the form that the configuration asks for, and what waits.
// dir is the project's directory.
func gsdFound(p *Place, dir, path, text string) Found {
	facts := new(line.GSD)
	rules.ParseStateInto(facts, text)
	found := Found{Facts: facts, Path: path}
	found.Compact, found.ConfigPath = gsdCompact(p)
	if p.Alerts {
		var about string
		found.Waits, found.WaitsPath, about = gsdWaits(p, dir, peek.Parent(path), text)
		if rules.ClaimsComplete(facts, rules.BodyStatus(text)) || rules.EndedBy(text, facts, milestone.Meant(milestone.Declared(text))) {
			found.Denied = gsdDenied(p, dir, peek.Parent(path), text, about, facts)
		}
	}
	return found
}

// gsdWaits returns what the agent waits for by its own word, WAITING.json beside STATE.md or in .gsd, and which file says
// so, and the phase that it is about. It is the one sign that costs a single file and is certain: the agent writes it when it asks and deletes it when it
// goes on. What else may wait, such as a user's test, would need the whole tree and is for the dashboard. Only a question that
// is older than STATE.md, whose text state is, has its phase looked for among those that are over.
func gsdWaits(p *Place, dir, planning, state string) (what, path, about string) {
	for _, home := range [...]string{planning, peek.Join(dir, ".gsd")} {
		path := peek.Join(home, "WAITING.json")
		text, err := p.readSettled(path, dir)
		if peek.Missing(err) {
			continue
		}
		what := rules.UnreadableWait
		if err == nil {
			what = rules.Waits(text)
		}
		if what != "" {
			phase, since := rules.About(text)
			if err == nil && phase != "" && rules.Outrun(since, scan.Unquote(rules.Value(state, "last_updated"))) && gsdOver(p, dir, planning, phase) {
				return "", "", ""
			}
			return what, path, phase
		}
	}
	return "", "", ""
}

// gsdOver reports whether a phase is of a milestone that is over, by ROADMAP.md and the archives beside it.
func gsdOver(p *Place, dir, planning, phase string) bool {
	p.Watch.unsure() // any directory of the archives may change it
	roadmap, err := p.read(peek.Join(planning, "ROADMAP.md"), dir)
	phases, archives := peek.Join(planning, "phases"), peek.Join(planning, "milestones")
	if err != nil && !peek.Missing(err) || !peek.Inside(phases, dir) || !peek.Inside(archives, dir) {
		return false
	}
	left := deniedLimit
	var archived []string
	for _, name := range names(archives, &left) {
		if milestone.IsArchive(name) {
			archived = append(archived, names(peek.Join(archives, name), &left)...)
		}
	}
	return milestone.Over(phase, roadmap, names(phases, &left), archived)
}

// gsdCompact reports whether the nearest config.json asks for the compact form of the line, and which file that is.
// The configuration has a walk up of its own, independent of where the state was found. The first file that exists
// counts, also when it cannot be read or is no valid JSON; then it says nothing.
func gsdCompact(p *Place) (compact bool, path string) {
	for dir := range peek.Climb(p.Dir, p.Home) {
		path = peek.Join(peek.Join(dir, planningDir), "config.json")
		text, err := p.read(path, dir)
		if !peek.Missing(err) {
			return rules.Compact(text), path
		}
	}
	return false, ""
}
