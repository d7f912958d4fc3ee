//go:build !linux && !darwin

package process

import "os"

// bootID returns "": it is not asked for here.
func bootID() string { return "" }

// ownPID returns the number of this process.
func ownPID() int { return os.Getpid() }

// pidSpace returns "": there is one space of process IDs.
func pidSpace() string { return "" }

// lookupProcess returns only whether a process runs.
func lookupProcess(pid int) (Info, bool) { return processExists(pid) }
