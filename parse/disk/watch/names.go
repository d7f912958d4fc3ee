// This file knows the names of files that are never a reason to look.

package watch

import "strings"

// isTemp reports whether a file name is one that editors and careful writers use for a moment: 4913 is Vim's test for a writable directory. When such
// a file is renamed onto its real name, that name gets an event of its own.
func isTemp(name string) bool {
	switch {
	case name == "4913", strings.HasPrefix(name, ".#"), strings.HasSuffix(name, "~"):
		return true
	case strings.HasSuffix(name, ".swp"), strings.HasSuffix(name, ".swx"), strings.HasSuffix(name, ".lock"):
		return true
	}
	return strings.HasSuffix(name, ".tmp") || strings.Contains(name, ".tmp.")
}
