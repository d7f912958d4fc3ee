//go:build linux || darwin

package peek

import (
	"runtime"
	"syscall"
	"unsafe"
)

// Entries shows the names in the directory dir to see, in no order, until it has shown limit of
// them. They are read through buf; one that is too small for an entry, such as nil, is
// not used. ok is false when dir cannot be listed.
func Entries(dir string, buf []byte, limit int, see func(name string)) (ok bool) {
	return TypedEntries(dir, buf, limit, func(name string, _ Type) { see(name) })
}

// TypedEntries is [Entries] with the type of each entry as far as the directory has it.
func TypedEntries(dir string, buf []byte, limit int, see func(name string, t Type)) (ok bool) {
	fd, err := openEintr(dir, syscall.O_RDONLY|syscall.O_DIRECTORY|syscall.O_NONBLOCK|syscall.O_CLOEXEC)
	if err != nil {
		return false
	}
	defer syscall.Close(fd)
	if len(buf) < entryRoom {
		buf = make([]byte, 8192)
	}
	for {
		n, err := syscall.ReadDirent(fd, buf)
		if err == syscall.EINTR {
			continue
		}
		if err != nil || n <= 0 {
			return err == nil
		}
		for rest := buf[:n]; len(rest) > entryHead; {
			size := entrySize(rest)
			if size <= entryHead || size > len(rest) {
				return false
			}
			name, kind := entryName(rest[entryHead:size]), entryType(rest)
			rest = rest[size:]
			if name == "." || name == ".." {
				continue
			}
			if limit--; limit < 0 {
				return true
			}
			see(name, kind)
		}
	}
}

// Modified returns the modification time of the file at path, following links, as seconds and nanoseconds since 1970.
// ok is false if there is none.
func Modified(path string) (seconds, nanoseconds int64, ok bool) {
	var st syscall.Stat_t
	if syscall.Stat(path, &st) != nil {
		return 0, 0, false
	}
	seconds, nanoseconds = modTime(&st)
	return seconds, nanoseconds, true
}

// Stat returns the modification time of the target of path, in nanoseconds since 1970, and whether it is a directory; 0
// if it does not exist.
func Stat(path string) (modified int64, isDir bool) {
	var st syscall.Stat_t
	if syscall.Stat(path, &st) != nil {
		return 0, false
	}
	seconds, nanoseconds := modTime(&st)
	return seconds*1_000_000_000 + nanoseconds, st.Mode&syscall.S_IFMT == syscall.S_IFDIR
}

// ModifiedLink is [Modified] for a symbolic link itself, regardless of its target; ok is false for anything else.
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

// These offsets in a directory entry are all that is taken from package unsafe: constants.
const (
	entryHead   = int(unsafe.Offsetof(syscall.Dirent{}.Name))
	entryLength = int(unsafe.Offsetof(syscall.Dirent{}.Reclen))
	entryKind   = int(unsafe.Offsetof(syscall.Dirent{}.Type))
)

// entrySize returns how many bytes the entry at the beginning of raw takes. The last entry may be shorter than the type that describes it.
func entrySize(raw []byte) int {
	low, high := int(raw[entryLength]), int(raw[entryLength+1])
	if isBigEndian {
		low, high = high, low
	}
	return high<<8 | low
}

// entryType returns the type of the entry at the beginning of raw.
func entryType(raw []byte) Type {
	switch raw[entryKind] {
	case syscall.DT_DIR:
		return TypeDir
	case syscall.DT_REG:
		return TypeFile
	}
	return TypeUnknown
}

// entryName returns the name that ends with the first NUL of raw.
func entryName(raw []byte) string {
	n := 0
	for n < len(raw) && raw[n] != 0 {
		n++
	}
	return string(raw[:n])
}

// isBigEndian reports the byte order of the system.
const isBigEndian = runtime.GOARCH == "s390x" || runtime.GOARCH == "ppc64" || runtime.GOARCH == "mips" || runtime.GOARCH == "mips64"
