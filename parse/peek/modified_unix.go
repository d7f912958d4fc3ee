//go:build linux || darwin || freebsd || netbsd || openbsd

package peek

import "syscall"

// Modified returns when the file at path was changed last, in seconds since 1970, links followed; ok is false when there is
// none or it may not be looked at.
func Modified(path string) (seconds int64, ok bool) {
	var st syscall.Stat_t
	if syscall.Stat(path, &st) != nil {
		return 0, false
	}
	seconds, _ = modified(&st)
	return seconds, true
}
