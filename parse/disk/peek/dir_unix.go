//go:build linux || darwin

package peek

import "syscall"

func isSubdir(dir, name string) bool {
	var st syscall.Stat_t
	return syscall.Lstat(Join(dir, name), &st) == nil && st.Mode&syscall.S_IFMT == syscall.S_IFDIR
}

// TerminalName returns the path of the terminal of the open file fd, such as "/dev/pts/3", as tty(1) prints it for
// standard input, and "" if fd is not a terminal or the path is unknown.
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
