package peek

import "syscall"

// Pause waits for so many nanoseconds, below a second, or until a signal comes.
func Pause(nanoseconds int64) {
	t := syscall.NsecToTimeval(nanoseconds)
	syscall.Select(0, nil, nil, nil, &t)
}
