package nearest

import (
	"slices"

	"gatehouse/parse/disk/peek"
)

// Watch collects the files that a result of Find depends on, for a shell that shows a line again without starting a
// process. As long as every Present path keeps its content and every Absent path stays missing, the same Find gives the
// same result. The methods of a nil Watch do nothing.
//
// Files appear and are replaced in their directory, which changes its modification time. So the directory of each file
// that Find looked for is Present too, or else Absent, and then represents all files that could be in it.
type Watch struct {
	Present []string
	Absent  []string
	// Unsure reports whether the result depends on more than files, or on one that may change without a trace, such as
	// by its permissions: the result must not be cached.
	Unsure bool
	// Until is the time, in seconds since 1970, at which the result changes without a file change; 0 for none.
	Until int64
}

// holdUntil notes that a result holds up to a moment, in seconds since 1970, at most.
func (w *Watch) holdUntil(at int64) {
	if w != nil && (w.Until == 0 || at < w.Until) {
		w.Until = at
	}
}

// Without records that a result depends on a single missing file or directory. The directory around it belongs to no
// protocol and changes with every file that people work on.
func (w *Watch) Without(path string) {
	if w != nil && !slices.Contains(w.Absent, path) {
		w.Absent = append(w.Absent, path)
	}
}

// Add records that a result depends on the file or directory at path, existing or not.
func (w *Watch) Add(path string) {
	if w.addDirectory(peek.Parent(path)) && peek.Exists(path) {
		w.addDirectory(path)
	}
}

// addDirectory records that a result depends on the names in a directory, and reports whether it exists.
func (w *Watch) addDirectory(path string) (exists bool) {
	if w == nil {
		return false
	}
	if exists = peek.Exists(path); !exists {
		w.Without(path)
	} else if !slices.Contains(w.Present, path) {
		w.Present = append(w.Present, path)
	}
	return exists
}

// addFile notes that the file at path was looked for, and why it was not read.
func (w *Watch) addFile(path string, err error) {
	w.Add(path)
	if err != nil && err != peek.ErrNotExist {
		w.markUnsure()
	}
}

// markUnsure notes that a result depends on more than files.
func (w *Watch) markUnsure() {
	if w != nil {
		w.Unsure = true
	}
}
