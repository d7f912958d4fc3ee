//go:build !unix

package process

import (
	"os"
)

// exists reports whether a process runs, if possible, without further details.
func exists(pid int) (Info, bool) {
	p, err := os.FindProcess(pid)
	if err != nil {
		return Info{}, false
	}
	p.Release()
	return Info{ID: ID{PID: pid}}, true
}
