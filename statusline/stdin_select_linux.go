package statusline

import "syscall"

// selectRead takes from set what cannot be read; the system's call has one result more here than elsewhere.
func selectRead(fd int, set *syscall.FdSet, timeout *syscall.Timeval) error {
	_, err := syscall.Select(fd+1, set, nil, nil, timeout)
	return err
}
