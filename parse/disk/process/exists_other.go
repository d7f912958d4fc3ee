//go:build !unix

package process

import (
	"os"
)

// processExists reports whether a process runs, if possible, without further details.
func processExists(pid int) (Info, bool) {
	p, err := os.FindProcess(pid)
	if err != nil {
		return Info{}, false
	}
	p.Release()
	return Info{ID: ID{PID: pid}}, true
}
