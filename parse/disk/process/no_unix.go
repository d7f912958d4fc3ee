//go:build !unix

package process

import (
	"os"
	"os/exec"
)

// Detach does nothing: there are no sessions here.
func Detach(*exec.Cmd) {}

// processExists reports whether a process runs, if possible, without further details.
func processExists(pid int) (Info, bool) {
	p, err := os.FindProcess(pid)
	if err != nil {
		return Info{}, false
	}
	p.Release()
	return Info{ID: ID{PID: pid}}, true
}
