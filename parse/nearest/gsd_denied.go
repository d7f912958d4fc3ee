// Whether the tree denies what STATE.md says: that the milestone is complete.

package nearest

import (
	"gatehouse/parse/disk/peek"
	"gatehouse/parse/gsd/milestone"
	"gatehouse/parse/text/scan"
)

// deniedLimit is how many names are looked at in all: a tree prepared with millions must not hold up the prompt.
const deniedLimit = 10_000

// gsdDenied returns what is left to do in the current milestone by the tree in planning, the directory of STATE.md, "" for
// nothing: a phase that is not begun, a plan that no summary closes, or a verification that found gaps. It is asked in the scene "complete" alone,
// which is rare, and where the roadmap has not closed the milestone. dir is the project's directory.
func gsdDenied(p *Place, dir, planning, state string) (open string) {
	p.Watch.unsure() // any file of the tree may change it
	roadmap, err := p.read(peek.Join(planning, "ROADMAP.md"), dir)
	if err != nil && !peek.Missing(err) {
		return ""
	}
	scope := milestone.Of(milestone.Declared(state), roadmap)
	phases := peek.Join(planning, "phases")
	if scope.Closed || scan.FindAtLineStart(state, "status: Awaiting next milestone", 0) >= 0 || !peek.Inside(phases, dir) {
		return ""
	}
	left := deniedLimit
	all := names(phases, &left)
	if phase := scope.Unbegun(all); phase != "" {
		return "phase " + phase + " has not begun"
	}
	for _, name := range all {
		if !scope.Holds(name) {
			continue
		}
		phase := peek.Join(phases, name)
		files := names(phase, &left)
		if plan := milestone.Open(files); plan != "" && !p.superseded(peek.Join(phase, plan), dir) {
			return "plan " + plan + " has no summary"
		}
		for _, file := range files {
			if file == "VERIFICATION.md" || len(file) > len("-VERIFICATION.md") && file[len(file)-len("-VERIFICATION.md"):] == "-VERIFICATION.md" {
				if p.frontmatter(peek.Join(phase, file), dir, "status") == "gaps_found" {
					return file + " found gaps"
				}
				break
			}
		}
	}
	return ""
}

// superseded reports whether a plan says that another one takes its place.
func (p *Place) superseded(path, root string) bool {
	return p.frontmatter(path, root, "status") == "superseded"
}

// frontmatter returns a value of a file's frontmatter, "" where it has none.
func (p *Place) frontmatter(path, root, wanted string) (value string) {
	text, _, err := peek.ReadFile(path, root, p.Buffer, peek.Limit)
	if err != nil {
		return ""
	}
	block, _, _ := scan.Frontmatter(text)
	s := scan.Scalars{Block: block}
	for {
		key, v, ok := s.Next()
		if !ok {
			return string([]byte(value)) // the buffer is used again
		}
		if key == wanted {
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
