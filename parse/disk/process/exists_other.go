//go:build !unix

package process

import (
	"os"
)

// exists reports whether a process runs, as far as that can be told, and tells nothing else of it.
func exists(pid int) (Info, bool) {
	p, err := os.FindProcess(pid)
	if err != nil {
		return Info{}, false
	}
	p.Release()
	return Info{ID: ID{PID: pid}}, true
}
