//go:build unix

package remote

import "syscall"

// ownSession has a process begin a session of its own, in which it has no terminal.
func ownSession() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setsid: true} }
