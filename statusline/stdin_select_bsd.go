//go:build darwin || freebsd || netbsd || openbsd

package statusline

import "syscall"

// selectRead takes from set what cannot be read.
func selectRead(fd int, set *syscall.FdSet, timeout *syscall.Timeval) error {
	return syscall.Select(fd+1, set, nil, nil, timeout)
}
