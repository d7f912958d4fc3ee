//go:build linux || darwin || freebsd || netbsd || openbsd

package peek

import "syscall"

// Entries shows the names in the directory dir to see, in no order, until it has shown limit of
// them. They are read through buf; one that is too small for an entry, such as nil, is
// not used. ok is false when dir cannot be listed.
func Entries(dir string, buf []byte, limit int, see func(name string)) (ok bool) {
	fd, err := openEintr(dir, syscall.O_RDONLY|syscall.O_DIRECTORY|syscall.O_NONBLOCK|syscall.O_CLOEXEC)
	if err != nil {
		return false
	}
	defer syscall.Close(fd)
	if len(buf) < entryRoom {
		buf = make([]byte, 8192)
	}
	var names []string
	for {
		n, err := syscall.ReadDirent(fd, buf)
		if err == syscall.EINTR {
			continue
		}
		if err != nil || n <= 0 {
			return err == nil
		}
		_, _, names = syscall.ParseDirent(buf[:n], -1, names[:0])
		for _, name := range names {
			if limit--; limit < 0 {
				return true
			}
			see(name)
		}
	}
}

// Modified returns when the file at path, links followed, was changed last, as seconds and nanoseconds since 1970. ok is
// false when there is none.
func Modified(path string) (seconds, nanoseconds int64, ok bool) {
	var st syscall.Stat_t
	if syscall.Stat(path, &st) != nil {
		return 0, 0, false
	}
	seconds, nanoseconds = modTime(&st)
	return seconds, nanoseconds, true
}

// Stat returns when what path leads to was changed last, in nanoseconds since 1970, and whether it is a directory; 0 for nothing.
func Stat(path string) (modified int64, isDir bool) {
	var st syscall.Stat_t
	if syscall.Stat(path, &st) != nil {
		return 0, false
	}
	seconds, nanoseconds := modTime(&st)
	return seconds*1_000_000_000 + nanoseconds, st.Mode&syscall.S_IFMT == syscall.S_IFDIR
}

// ModifiedLink is [Modified] for a symbolic link itself, wherever it leads; ok is false for anything else.
func ModifiedLink(path string) (seconds, nanoseconds int64, ok bool) {
	var st syscall.Stat_t
	if syscall.Lstat(path, &st) != nil || st.Mode&syscall.S_IFMT != syscall.S_IFLNK {
		return 0, 0, false
	}
	seconds, nanoseconds = modTime(&st)
	return seconds, nanoseconds, true
}

// entryRoom is enough for the largest entry of any of these systems.
const entryRoom = 2048
