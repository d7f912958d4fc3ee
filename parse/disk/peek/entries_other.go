//go:build !(linux || darwin)

package peek

import (
	"io"
	"os"
)

// Entries shows the names in the directory dir to see, in no order, until it has shown limit of them. ok is false when dir cannot be listed.
func Entries(dir string, _ []byte, limit int, see func(name string)) (ok bool) {
	f, err := os.Open(dir)
	if err != nil {
		return false
	}
	defer f.Close()
	for limit > 0 {
		names, err := f.Readdirnames(min(limit, 256))
		for _, name := range names {
			see(name)
		}
		limit -= len(names)
		if err != nil {
			return err == io.EOF
		}
	}
	return true
}

// TypedEntries is [Entries] with the type of each entry; here the directory has none.
func TypedEntries(dir string, buf []byte, limit int, see func(name string, t Type)) (ok bool) {
	return Entries(dir, buf, limit, func(name string) { see(name, TypeUnknown) })
}

// Modified returns the modification time of the file at path, following links, as seconds and nanoseconds since 1970.
// ok is false if there is none.
func Modified(path string) (seconds, nanoseconds int64, ok bool) {
	st, err := os.Stat(path)
	if err != nil {
		return 0, 0, false
	}
	return st.ModTime().Unix(), int64(st.ModTime().Nanosecond()), true
}

// Stat returns the modification time of the target of path, in nanoseconds since 1970, and whether it is a directory; 0
// if it does not exist.
func Stat(path string) (modified int64, isDir bool) {
	info, err := os.Stat(path)
	if err != nil {
		return 0, false
	}
	return info.ModTime().UnixNano(), info.IsDir()
}

// ModifiedLink is [Modified] for a symbolic link itself, regardless of its target; ok is false for anything else.
func ModifiedLink(path string) (seconds, nanoseconds int64, ok bool) {
	st, err := os.Lstat(path)
	if err != nil || st.Mode()&os.ModeSymlink == 0 {
		return 0, 0, false
	}
	return st.ModTime().Unix(), int64(st.ModTime().Nanosecond()), true
}
