//go:build !unix

package mirror

import (
	"io/fs"
	"os"
)

// identity distinguishes a file from a later one with the same name.
type identity struct{ info fs.FileInfo }

func identityOf(info fs.FileInfo) identity { return identity{info} }

func (f identity) isSame(other identity) bool { return os.SameFile(f.info, other.info) }

func openDir(name string) (*os.File, error) { return os.Open(name) }
