//go:build !linux && !darwin

package process

import "os"

// boot returns "": it is not asked for here.
func boot() string { return "" }

// number returns the number of this process.
func number() int { return os.Getpid() }

// space returns "": there is one space of process IDs.
func space() string { return "" }

// look returns only whether a process runs.
func look(pid int) (Info, bool) { return exists(pid) }
