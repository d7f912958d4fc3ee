// Whether the tree denies what STATE.md says: that the milestone is complete.

package nearest

import (
	"gatehouse/model/line"
	"gatehouse/parse/disk/peek"
	"gatehouse/parse/gsd/milestone"
	"gatehouse/parse/gsd/rules"
	"gatehouse/parse/text/scan"
)

// deniedLimit is how many names are looked at in all: a tree prepared with millions must not hold up the prompt.
const deniedLimit = 10_000

// gsdDenied returns what is left to do in the current milestone by the tree in planning, the directory of STATE.md, "" for
// nothing: a phase that is not begun, a plan that no summary closes, a verification that found gaps or leaves things to a
// human, or a test that a human has not passed. It is asked where the line says that it is complete, which is rare, and where the roadmap has not closed the milestone. dir is the project's directory.
func gsdDenied(p *Place, dir, planning, state string, facts *line.GSD) (open string) {
	p.Watch.unsure() // any file of the tree may change it
	roadmap, err := p.read(peek.Join(planning, "ROADMAP.md"), dir)
	if err != nil && !peek.Missing(err) {
		return ""
	}
	scope := milestone.Of(milestone.Declared(state), roadmap)
	phases := peek.Join(planning, "phases")
	if scope.Closed || !peek.Inside(phases, dir) {
		return ""
	}
	ended := rules.EndedBy(state, facts, scan.Unquote(scope.Version)) // nothing waits any more, but what is open is not done
	left := deniedLimit
	all := names(phases, &left)
	if phase := scope.Unbegun(all); phase != "" {
		return "phase " + phase + " has not begun"
	}
	for _, name := range all {
		if !scope.Holds(name) {
			continue
		}
		// What a milestone left that is over is nobody's to do, though GSD may count its phases.
		if open := gsdLeft(p, dir, peek.Join(phases, name), ended, &left); open != "" && !milestone.Over(milestone.Number(name), roadmap, nil, nil) {
			return open
		}
	}
	return ""
}

// gsdLeft returns what is left to do in a phase by its directory, "" for nothing. dir is the project's directory, left how many
// names may be looked at; where the milestone is over by the word of STATE.md, ended, its plans alone count.
func gsdLeft(p *Place, dir, phase string, ended bool, left *int) (open string) {
	files := names(phase, left)
	for plan := range milestone.Open(files) {
		if !rules.Superseded(p.status(peek.Join(phase, plan), dir)) {
			return "plan " + plan + " has no summary"
		}
	}
	nested := peek.Join(phase, "plans")
	for plan := range milestone.OpenNested(names(nested, left)) {
		if !rules.Superseded(p.status(peek.Join(nested, plan), dir)) {
			return "plan " + plan + " has no summary"
		}
	}
	if ended {
		return ""
	}
	verification, human := rules.Verification(files), false
	if verification != "" {
		status := p.status(peek.Join(phase, verification), dir)
		if rules.FoundGaps(status) {
			return verification + " found gaps"
		}
		human = rules.HumanNeeded(status) && !outdated(phase, verification, files)
	}
	for _, file := range files {
		if !human && file != verification && rules.IsVerification(file) && rules.HumanNeeded(p.status(peek.Join(phase, file), dir)) && !outdated(phase, file, files) {
			verification, human = file, true
		}
	}
	for _, file := range files {
		if !rules.IsUAT(file) {
			continue
		}
		if text, _, err := peek.ReadFile(peek.Join(phase, file), dir, p.Buffer, peek.Limit); err == nil {
			if open := rules.OpenTest(text); open != "" {
				return file + " has a test " + open
			}
			human = false // its tests answer what the verification asks
		}
	}
	if human {
		return verification + " asks for a human"
	}
	return ""
}

// outdated reports whether a summary of a phase is newer than its verification, which an agent has to do again then.
func outdated(phase, verification string, files []string) bool {
	const margin = 60 // seconds; a checkout gives all files about the same time, in any order
	verified, _, _ := peek.Modified(peek.Join(phase, verification))
	for _, file := range files {
		if at, _, ok := peek.Modified(peek.Join(phase, file)); milestone.IsSummary(file) && ok && at > verified+margin {
			return true
		}
	}
	return false
}

// status returns the status in a file's frontmatter as it is written, "" where it has none.
func (p *Place) status(path, root string) (status string) {
	text, _, err := peek.ReadFile(path, root, p.Buffer, peek.Limit)
	if err != nil {
		return ""
	}
	return string([]byte(rules.Status(text))) // the buffer is used again
}

// frontValue returns a value of a text's frontmatter as it is written, "" where it has none. Of several the last counts.
func frontValue(text, key string) (value string) {
	block, _, _ := scan.Frontmatter(text)
	s := scan.Scalars{Block: block}
	for {
		k, v, ok := s.Next()
		if !ok {
			return value
		}
		if k == key {
			value = v
		}
	}
}

// names returns the names in a directory, as many as are left to look at.
func names(dir string, left *int) (all []string) {
	peek.Entries(dir, nil, min(*left, 1000), func(name string) {
		*left--
		if name != "." && name != ".." {
			all = append(all, string([]byte(name)))
		}
	})
	return all
}
