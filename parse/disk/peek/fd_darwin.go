package peek

import (
	"syscall"
	"unsafe"
)

const pathOnly = syscall.O_RDONLY

// fdPath returns the kernel's path of an open file, and whether it is known.
func fdPath(fd int) (path string, ok bool) {
	const pathMax = 1024
	var buf [pathMax]byte
	_, _, errno := syscall.Syscall(syscall.SYS_FCNTL, uintptr(fd), syscall.F_GETPATH, uintptr(unsafe.Pointer(&buf)))
	if errno != 0 || buf[0] != '/' {
		return "", false
	}
	n := 0
	for n < len(buf) && buf[n] != 0 {
		n++
	}
	return string(buf[:n]), true
}

// modTime returns when a file was changed last, in nanoseconds since 1970.
func modTime(st *syscall.Stat_t) int64 { return st.Mtimespec.Nano() }

// Pause waits for so many nanoseconds, below a second, or until a signal comes.
func Pause(nanoseconds int64) {
	t := syscall.NsecToTimeval(nanoseconds)
	syscall.Select(0, nil, nil, nil, &t)
}
