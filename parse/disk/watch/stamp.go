// This file turns a file's metadata into a value to compare: equal stamps, nothing to report.

package watch

import (
	"io/fs"
	"os"
)

// A stamp is what the poll compares. Two writes of the same size within one tick of the file system's clock (4 ms on common Linux kernels) look the same
// to it; events tell them apart. For a directory, size and time are left out: they change with the entries, which are compared one by one.
type stamp struct {
	mode  fs.FileMode
	inode uint64 // inode is 0 where the system does not tell cheaply.
	size  int64
	mtime int64 // mtime is in nanoseconds since 1970.
}

func (s stamp) isDir() bool { return s.mode.IsDir() }

func stampOf(info fs.FileInfo) stamp {
	s := stamp{mode: info.Mode(), inode: inode(info)}
	if !info.IsDir() {
		s.size, s.mtime = info.Size(), info.ModTime().UnixNano()
	}
	return s
}

// stampFile returns the stamp of the file at path and whether there is one. A symbolic link to a file has the stamp of that file, so that the poll
// sees it change; a link to a directory has its own, with linked set. What may not be looked at has the zero stamp.
func stampFile(path string) (s stamp, linked, ok bool) {
	info, err := os.Lstat(path)
	if err != nil {
		return stamp{}, false, !os.IsNotExist(err)
	}
	if info.Mode()&fs.ModeSymlink != 0 {
		if target, err := os.Stat(path); err == nil && target.IsDir() {
			return stampOf(info), true, true
		} else if err == nil {
			return stampOf(target), false, true
		}
	}
	return stampOf(info), false, true
}
