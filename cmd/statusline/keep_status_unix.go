//go:build !windows

package main

import (
	"syscall"

	"gatehouse/parse/disk/peek"
)

// makePrivate creates the directory at path if it is missing, and reports whether only the user can write to it.
func makePrivate(path string) bool {
	var st syscall.Stat_t
	return makeDir(path) && syscall.Lstat(path, &st) == nil && st.Mode&syscall.S_IFMT == syscall.S_IFDIR &&
		int(st.Uid) == syscall.Geteuid() && st.Mode&0o022 == 0
}

// makeDir creates a directory and its missing parents for the user alone.
func makeDir(path string) bool {
	err := syscall.Mkdir(path, 0o700)
	if up := peek.Parent(path); err == syscall.ENOENT && up != path && makeDir(up) {
		err = syscall.Mkdir(path, 0o700)
	}
	return err == nil || err == syscall.EEXIST
}

// replaceFile puts text into the file at path at once, or leaves it. A temporary file of a process that died is removed after
// abandonedAfter.
func replaceFile(path string, text []byte) {
	temp := path + ".tmp"
	fd, err := syscall.Open(temp, syscall.O_WRONLY|syscall.O_CREAT|syscall.O_EXCL|syscall.O_NOFOLLOW|syscall.O_CLOEXEC, 0o600)
	if err != nil {
		if info, ok := peek.Stat(temp); ok && unixNow()-info.Modified/1e9 >= abandonedAfter {
			syscall.Unlink(temp)
		}
		return
	}
	n, err := syscall.Write(fd, text)
	syscall.Close(fd)
	if err != nil || n < len(text) || syscall.Rename(temp, path) != nil {
		syscall.Unlink(temp)
	}
}
