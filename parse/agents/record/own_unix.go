//go:build unix

package record

import (
	"os"
	"syscall"
)

// isOwn reports whether a file belongs to this user.
func isOwn(info os.FileInfo) bool {
	st, ok := info.Sys().(*syscall.Stat_t)
	return !ok || int(st.Uid) == os.Geteuid()
}
