// This file knows names: which files are never a reason to look, which directories are never read, and what lies below what.

package watch

import (
	"path/filepath"
	"strings"
)

const separator = string(filepath.Separator)

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

// isSkipped reports whether a directory below a root is never read: no protocol keeps state there, and both can hold tens of thousands of directories.
func isSkipped(name string) bool { return name == ".git" || name == "node_modules" }

// below returns path relative to dir, "" for dir itself, and whether path is dir or inside it. Both are absolute and clean.
func below(dir, path string) (rel string, ok bool) {
	if path == dir {
		return "", true
	}
	return strings.CutPrefix(path, strings.TrimSuffix(dir, separator)+separator)
}
