//go:build !unix

package process

import "os/exec"

// Detach does nothing: there are no sessions here.
func Detach(*exec.Cmd) {}
