//go:build !unix

package remote

import "syscall"

// ownSession is for where a terminal belongs to a session.
func ownSession() *syscall.SysProcAttr { return nil }
