package peek

import "syscall"

const pathOnly = 0x200000 // O_PATH, which syscall lacks: naming a directory needs no right to read it

// fdPath returns the kernel's path of an open file, and whether it is known (/proc may be missing).
func fdPath(fd int) (path string, ok bool) {
	link := make([]byte, 0, 32)
	link = append(link, "/proc/self/fd/"...)
	link = appendInt(link, fd)
	buf := make([]byte, PathLimit)
	n, err := syscall.Readlink(string(link), buf)
	if err != nil || n <= 0 || n == len(buf) || buf[0] != '/' {
		return "", false
	}
	return string(buf[:n]), true
}

// appendInt appends the decimal digits of n, which is not negative.
func appendInt(dst []byte, n int) []byte {
	if n >= 10 {
		dst = appendInt(dst, n/10)
	}
	return append(dst, byte('0'+n%10))
}

// modTime returns when a file was changed last, in nanoseconds since 1970.
func modTime(st *syscall.Stat_t) int64 { return st.Mtim.Nano() }

// Pause waits for so many nanoseconds, below a second, or until a signal comes.
func Pause(nanoseconds int64) {
	t := syscall.NsecToTimespec(nanoseconds)
	syscall.Nanosleep(&t, nil)
}
