//go:build !(linux || darwin || freebsd || netbsd || openbsd || dragonfly)

package statefile

// Lock implements File.
func (diskFile) Lock() {}
