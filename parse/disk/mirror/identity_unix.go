//go:build unix

package mirror

import (
	"io/fs"
	"syscall"
)

// identity distinguishes a file from a later one with the same name.
type identity struct{ device, number uint64 }

func identityOf(info fs.FileInfo) identity {
	if s, ok := info.Sys().(*syscall.Stat_t); ok {
		return identity{uint64(s.Dev), uint64(s.Ino)}
	}
	return identity{}
}

func (f identity) isSame(other identity) bool { return f == other }
