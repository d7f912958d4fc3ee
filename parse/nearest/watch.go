package nearest

import (
	"slices"

	"gatehouse/parse/disk/peek"
)

// Watch collects the files that a result of Find depends on, for a shell that shows a line again without starting a process.
// As long as every Present path keeps its content and every Absent path stays missing, the same Find gives the same. The
// methods of a nil Watch do nothing.
//
// Files appear and are replaced in their directory, which changes its modification time. So the directory of each file
// that was looked for is Present too, or else Absent, and then stands for all that could be in it.
type Watch struct {
	Present []string
	Absent  []string
	// Unsure says that the result depends on more than files, or on one that may change without a trace, such as by its
	// permissions: nothing should be kept.
	Unsure bool
	// Until is the moment, in seconds since 1970, from which on the result is another although no file has changed; 0 for none.
	Until int64
}

// until notes that a result holds up to a moment, in seconds since 1970, at most.
func (w *Watch) until(at int64) {
	if w != nil && (w.Until == 0 || at < w.Until) {
		w.Until = at
	}
}

// Without notes that a result depends on a missing file or directory alone. Its own directory is none of a protocol's and
// changes with every file that people work on.
func (w *Watch) Without(path string) {
	if w != nil && !slices.Contains(w.Absent, path) {
		w.Absent = append(w.Absent, path)
	}
}

// Add notes that a result depends on the file or directory at path, whether it is there or not.
func (w *Watch) Add(path string) {
	if w.directory(peek.Parent(path)) && peek.Exists(path) {
		w.directory(path)
	}
}

// directory notes that a result depends on the names in a directory, and reports whether it is there.
func (w *Watch) directory(path string) (exists bool) {
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

// file notes that the file at path was looked for, and why it was not read.
func (w *Watch) file(path string, err error) {
	w.Add(path)
	if err != nil && err != peek.ErrNotExist {
		w.unsure()
	}
}

// unsure notes that a result depends on more than files.
func (w *Watch) unsure() {
	if w != nil {
		w.Unsure = true
	}
}
