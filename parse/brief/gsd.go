// Finding the STATE.md that GSD's status line would show: notes/gsd.md §1.1 and §1.8.

package brief

import (
	"gatehouse/model/line"
	"gatehouse/parse/peek"
	"gatehouse/parse/scan"
)

const planningDir = ".planning"

// gsdIn looks for GSD's state in one directory: the flat STATE.md, else that of the active workstream.
func gsdIn(p *Place, dir string) (Found, bool) {
	planning := peek.Join(dir, planningDir)
	path := peek.Join(planning, "STATE.md")
	if text, err := p.read(path, dir); err == nil {
		return gsdFound(p, path, text), true
	}
	if !peek.HasSubdir(peek.Join(planning, workstreamsDir)) {
		return Found{}, false
	}
	name, ok := activeWorkstream(p, planning)
	if !ok {
		return Found{Facts: &line.GSD{NoActiveWorkstream: true}}, true
	}
	if path, ok = workstreamState(p, planning, name); ok {
		if text, err := p.read(path, dir); err == nil {
			return gsdFound(p, path, text), true
		}
	}
	return Found{Facts: &line.GSD{}}, true // a workstream whose state is not written yet shows nothing
}

// gsdFound returns what the text of the STATE.md at path says, and the form that the configuration asks for.
func gsdFound(p *Place, path, text string) Found {
	facts := new(line.GSD)
	ParseGSDInto(facts, text)
	compact, config := gsdCompact(p)
	return Found{Facts: facts, Path: path, Compact: compact, ConfigPath: config}
}

// gsdCompact reports whether statusline.state_format is "compact" in the nearest config.json, and which file that is.
// The configuration has a walk up of its own, independent of where the state was found. The first file that exists
// counts, also when it cannot be read or is no valid JSON; then it says nothing. The flat key "statusline.state_format"
// goes before the nested one.
func gsdCompact(p *Place) (compact bool, path string) {
	for dir := range peek.Climb(p.Dir, p.Home) {
		path = peek.Join(peek.Join(dir, planningDir), "config.json")
		text, err := p.read(path, dir)
		if peek.Missing(err) {
			continue
		}
		value, ok := scan.JSONValue(text, "statusline.state_format")
		if !ok {
			value, _ = scan.JSONValue(text, "statusline", "state_format")
		}
		return scan.JSONStringIs(value, "compact"), path
	}
	return false, ""
}
