//go:build !unix

package codex

import "io/fs"

// isOwned reports false: these systems do not tell the owner of a socket.
func isOwned(fs.FileInfo) bool { return false }
