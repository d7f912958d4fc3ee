package peek

const (
	// subdirLimit is how many entries HasSubdir looks at: a directory with millions of files must not hold up the prompt.
	subdirLimit = 4096
	// newestLimit is the same for Newest.
	newestLimit = 30_000
)

// status is the state of an entry of a directory.
type status struct {
	isDir, isLink        bool
	seconds, nanoseconds int64 // when it was changed, since 1970
}

// Exists reports whether path exists, following links.
func Exists(path string) bool {
	_, ok := lookAt(path, true)
	return ok
}

// Modified returns the modification time of the file at path, following links, as seconds and nanoseconds since 1970.
// ok is false if there is none.
func Modified(path string) (seconds, nanoseconds int64, ok bool) {
	st, ok := lookAt(path, true)
	return st.seconds, st.nanoseconds, ok
}

// Stat returns the modification time of the target of path, in nanoseconds since 1970, and whether it is a directory; 0
// if it does not exist.
func Stat(path string) (modified int64, isDir bool) {
	st, _ := lookAt(path, true)
	return st.seconds*1_000_000_000 + st.nanoseconds, st.isDir
}

// ModifiedLink is [Modified] for a symbolic link itself, regardless of its target; ok is false for anything else.
func ModifiedLink(path string) (seconds, nanoseconds int64, ok bool) {
	st, ok := lookAt(path, false)
	return st.seconds, st.nanoseconds, ok && st.isLink
}

// HasSubdir reports whether the directory at path has at least one subdirectory, which is how GSD recognizes a project
// in workstream mode. Links to directories do not count. It is false if the path cannot be listed.
func HasSubdir(path string) (has bool) {
	Entries(path, subdirLimit, func(name string, _ Type) {
		st, _ := lookAt(Join(path, name), false)
		has = has || st.isDir
	})
	return has
}

// Newest returns the name of the most recently changed entry of the directory dir whose name wanted accepts, "" if
// there is none or dir cannot be listed. Links are followed; broken ones do not count. It looks at
// 30,000 names at most. Times are compared in milliseconds, and of equally new files the one whose name comes
// first counts, as Node.js has it, which sorts the names of a directory and rounds their times.
func Newest(dir string, wanted func(name string) bool) (newest string) {
	var latest int64
	Entries(dir, newestLimit, func(name string, _ Type) {
		if !wanted(name) {
			return
		}
		if seconds, nanoseconds, ok := Modified(Join(dir, name)); ok {
			millis := seconds*1000 + (nanoseconds+500_000)/1_000_000
			if newest == "" || millis > latest || millis == latest && name < newest {
				newest, latest = name, millis
			}
		}
	})
	return newest
}
