package peek

const (
	// subdirLimit is how many entries HasSubdir looks at: a directory with millions of files must not hold up the prompt.
	subdirLimit = 4096
	// newestLimit is the same for Newest.
	newestLimit = 30_000
)

// Info is the state of an entry of a directory.
type Info struct {
	IsDir, IsLink, IsRegular bool

	Modified int64 // when it was changed, in nanoseconds since 1970
}

// Exists reports whether path exists, following links.
func Exists(path string) bool {
	_, ok := Stat(path)
	return ok
}

// Stat returns the state of path, following links, and whether it exists.
func Stat(path string) (Info, bool) { return lookAt(path, true) }

// Lstat is [Stat] for path itself, which may be a link.
func Lstat(path string) (Info, bool) { return lookAt(path, false) }

// HasSubdir reports whether the directory at path has at least one subdirectory, which is how GSD recognizes a project
// in workstream mode. Links to directories do not count. It is false if the path cannot be listed.
func HasSubdir(path string) (has bool) {
	Entries(path, subdirLimit, func(name string, _ Type) {
		info, _ := Lstat(Join(path, name))
		has = has || info.IsDir
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
		if info, ok := Stat(Join(dir, name)); ok {
			millis := (info.Modified + 500_000) / 1_000_000
			if newest == "" || millis > latest || millis == latest && name < newest {
				newest, latest = name, millis
			}
		}
	})
	return newest
}
