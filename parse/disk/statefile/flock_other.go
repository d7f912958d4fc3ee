//go:build !(linux || darwin || freebsd || netbsd || openbsd || dragonfly)

package statefile

// Lock does nothing: there are no such locks here.
func (*File) Lock() {}
