// Whose a .planning is: GSD and ultraplan both keep their state there.

package rules

import "gatehouse/parse/text/scan"

// Home is the directory of ultraplan's own files in a project.
const Home = ".ultraplan"

// Owns reports whether a .planning directory is ultraplan's and not GSD's: .ultraplan stands beside it, or the text
// of its STATE.md holds a current_task block, unless the frontmatter of that text names GSD's version. home says whether
// .ultraplan is there and is asked only when the text does not decide.
func Owns(text string, home func() bool) bool {
	if block, _, ok := scan.Frontmatter(text); ok {
		s := scan.Scalars{Block: block}
		for key, value, ok := s.Next(); ok; key, value, ok = s.Next() {
			if key == "gsd_state_version" && value != "" {
				return false
			}
		}
	}
	if _, ok := TaskBlock(text); ok {
		return true
	}
	return home()
}
