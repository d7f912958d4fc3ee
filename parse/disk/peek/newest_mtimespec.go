//go:build darwin || freebsd || netbsd

package peek

import "syscall"

// modified returns when a file was changed last, as seconds and nanoseconds since 1970.
func modTime(st *syscall.Stat_t) (seconds, nanoseconds int64) {
	return int64(st.Mtimespec.Sec), int64(st.Mtimespec.Nsec)
}
