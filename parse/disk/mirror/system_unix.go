//go:build unix

package mirror

import (
	"io/fs"
	"os"
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

// openDir opens a directory and nothing else: a FIFO in its place would make an ordinary open wait for a writer.
func openDir(name string) (*os.File, error) {
	return os.OpenFile(name, os.O_RDONLY|syscall.O_DIRECTORY|syscall.O_NONBLOCK, 0)
}
