package statusline

import "syscall"

// selectRead removes unreadable descriptors from set; on Linux the call has an additional result.
func selectRead(fd int, set *syscall.FdSet, timeout *syscall.Timeval) error {
	_, err := syscall.Select(fd+1, set, nil, nil, timeout)
	return err
}
