// Finding the STATE.md that GSD's status line would show: notes/gsd.md §1.1 and §1.8.

package nearest

import (
	"gatehouse/model/line"
	"gatehouse/parse/disk/peek"
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
	workstreams := peek.Join(planning, workstreamsDir)
	p.Watch.Add(workstreams)
	if !peek.HasSubdir(workstreams) {
		return Found{}, false
	}
	p.Watch.unsure() // the environment and the pointers of sessions decide
	name, ok := activeWorkstream(p, planning)
	if !ok {
		return Found{Facts: &line.GSD{NoActiveWorkstream: true}}, true
	}
	if path, ok := workstreamState(p, planning, name); ok {
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
	ParseGSDInto(facts, text)
	found := Found{Facts: facts, Path: path}
	found.Compact, found.ConfigPath = gsdCompact(p)
	if p.Alerts {
		found.Waits, found.WaitsPath = gsdWaits(p, dir, peek.Parent(path))
	}
	return found
}

// gsdWaits returns what the agent waits for by its own word, WAITING.json beside STATE.md or in .gsd, and which file says
// so. It is the one sign that costs a single file and is certain: the agent writes it when it asks and deletes it when it
// goes on. What else may wait, such as a user's test, would need the whole tree and is for the dashboard.
func gsdWaits(p *Place, dir, planning string) (what, path string) {
	for _, home := range [...]string{planning, peek.Join(dir, ".gsd")} {
		path := peek.Join(home, "WAITING.json")
		text, err := p.read(path, dir)
		if err != nil {
			continue
		}
		if value, ok := scan.JSONValue(text); !ok || value[0] != '{' {
			continue
		}
		if status := jsonText(text, "status"); status != "" && status != "waiting" {
			continue
		}
		for _, key := range [...]string{"question", "type"} {
			if what = scan.TrimSpace(jsonText(text, key)); what != "" {
				return what, path
			}
		}
		return "an answer", path
	}
	return "", ""
}

// jsonText returns the text at a key of a JSON document, "" when there is none.
func jsonText(doc, key string) string {
	value, _ := scan.JSONValue(doc, key)
	text, _ := scan.JSONText(value)
	return text
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
