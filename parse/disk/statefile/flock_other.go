//go:build !(linux || darwin || freebsd || netbsd || openbsd || dragonfly)

package statefile

// Lock does nothing: there are no such locks here.
func (*File) Lock() {}

// TryLock does nothing: an open file can't be removed here, which is enough.
func (*File) TryLock() error { return nil }

// IsLocked reports true, so that nothing is swept before its time.
func (*File) IsLocked() bool { return true }
