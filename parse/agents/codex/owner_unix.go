//go:build unix

package codex

import (
	"io/fs"
	"os"
	"syscall"
)

// isOwned reports whether a file belongs to this user.
func isOwned(info fs.FileInfo) bool {
	stat, ok := info.Sys().(*syscall.Stat_t)
	return ok && int(stat.Uid) == os.Geteuid()
}
