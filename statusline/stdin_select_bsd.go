//go:build darwin || freebsd || netbsd || openbsd

package statusline

import "syscall"

// selectRead removes unreadable descriptors from set.
func selectRead(fd int, set *syscall.FdSet, timeout *syscall.Timeval) error {
	return syscall.Select(fd+1, set, nil, nil, timeout)
}
