//go:build linux || darwin || freebsd || netbsd || openbsd

package peek

import (
	"syscall"
	"unsafe"
)

// dirLimit is how many bytes of directory entries are examined, some 30,000 names: a directory prepared with millions of
// files must not hold up the prompt.
const dirLimit = 1 << 20

// HasSubdir reports whether the directory at path holds at least one sub-directory, as GSD tells a project in workstream
// mode. Links to directories do not count. It is false for anything that cannot be listed.
func HasSubdir(path string) bool {
	fd, err := openEintr(path, syscall.O_RDONLY|syscall.O_DIRECTORY|syscall.O_NONBLOCK|syscall.O_CLOEXEC)
	if err != nil {
		return false
	}
	defer syscall.Close(fd)
	buf := make([]byte, 4096)
	for seen := 0; seen < dirLimit; {
		n, err := syscall.ReadDirent(fd, buf)
		if err == syscall.EINTR {
			continue
		}
		if err != nil || n <= 0 {
			return false
		}
		seen += n
		for rest := buf[:n]; len(rest) > entryHead; {
			size := entrySize(rest)
			if size <= entryHead || size > len(rest) {
				return false
			}
			if isSubdir(path, rest[unsafe.Offsetof(syscall.Dirent{}.Type)], entryName(rest[entryHead:size])) {
				return true
			}
			rest = rest[size:]
		}
	}
	return false
}

// isSubdir reports whether an entry of some type is a directory other than "." and "..".
func isSubdir(dir string, kind byte, name string) bool {
	if kind != syscall.DT_DIR && kind != syscall.DT_UNKNOWN || name == "." || name == ".." {
		return false
	}
	if kind == syscall.DT_DIR {
		return true
	}
	var st syscall.Stat_t // some file systems do not say the type
	return syscall.Lstat(Join(dir, name), &st) == nil && st.Mode&syscall.S_IFMT == syscall.S_IFDIR
}

// TerminalName returns the path of the terminal that the open file fd is, such as "/dev/pts/3", as tty(1) prints it for
// standard input, and "" when fd is no terminal or that cannot be told.
func TerminalName(fd int) string {
	var st syscall.Stat_t
	if fstat(fd, &st) != nil || st.Mode&syscall.S_IFMT != syscall.S_IFCHR {
		return ""
	}
	path, _ := fdPath(fd)
	for _, prefix := range [...]string{"/dev/pts/", "/dev/tty", "/dev/console"} {
		if len(path) >= len(prefix) && path[:len(prefix)] == prefix {
			return path
		}
	}
	return ""
}
