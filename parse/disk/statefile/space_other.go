//go:build !linux

package statefile

// pidSpace returns "": there is one space of process IDs.
func pidSpace() string { return "" }
