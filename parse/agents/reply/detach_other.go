//go:build !unix

package reply

import "os/exec"

// detachProcess does nothing: a command lives on by itself here.
func detachProcess(*exec.Cmd) {}
