// What a line depends on, for whoever keeps it: the shell integrations show a line again without starting a process as
// long as none of this has changed.

package nearest

import "gatehouse/parse/disk/peek"

// Watch collects the files that a result of Find depends on. The zero value is empty and ready. As long as every Present
// path has kept its content and every Absent path is still not there, the same Find gives the same.
//
// Files appear and are replaced in their directory, which changes its modification time; so the directory of each file
// that was looked for is Present too, or else Absent, and then stands for all that could be in it.
type Watch struct {
	Present []string
	Absent  []string
	// Unsure says that the result depends on more than files, or that a file stands in the way which may change without a
	// trace, such as by its permissions: then nothing should be kept.
	Unsure bool
	// Until is the moment, in seconds since 1970, from which on the result is another although no file has changed; 0 for none.
	Until int64
}

// until notes that a result holds up to a moment, in seconds since 1970, at most. w may be nil.
func (w *Watch) until(at int64) {
	if w != nil && (w.Until == 0 || at < w.Until) {
		w.Until = at
	}
}

// Without notes that a result depends on the file or directory at path, which is not there, alone: its own directory is
// none of a protocol's, and changes with every file that people work on.
func (w *Watch) Without(path string) {
	if w != nil {
		w.Absent = appendNew(w.Absent, path)
	}
}

// Add notes that a result depends on the file or directory at path, whether it is there or not. w may be nil.
func (w *Watch) Add(path string) {
	if w == nil {
		return
	}
	dir := peek.Parent(path)
	if !peek.Exists(dir) {
		w.Absent = appendNew(w.Absent, dir)
		return
	}
	w.Present = appendNew(w.Present, dir)
	if peek.Exists(path) {
		w.Present = appendNew(w.Present, path)
	}
}

// directory notes that a result depends on the names in a directory, whether it is there or not. w may be nil.
func (w *Watch) directory(path string) {
	switch {
	case w == nil:
	case peek.Exists(path):
		w.Present = appendNew(w.Present, path)
	default:
		w.Absent = appendNew(w.Absent, path)
	}
}

// file notes that the file at path was looked for, and why it was not read.
func (w *Watch) file(path string, err error) {
	if w == nil {
		return
	}
	w.Add(path)
	if err != nil && err != peek.ErrNotExist {
		w.Unsure = true
	}
}

// unsure notes that a result depends on more than files. w may be nil.
func (w *Watch) unsure() {
	if w != nil {
		w.Unsure = true
	}
}

func appendNew(list []string, path string) []string {
	for _, known := range list {
		if known == path {
			return list
		}
	}
	return append(list, path)
}
