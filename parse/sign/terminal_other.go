//go:build !unix

package sign

import "os/exec"

// leaveTerminal does nothing: there is no session to leave.
func leaveTerminal(*exec.Cmd) {}
