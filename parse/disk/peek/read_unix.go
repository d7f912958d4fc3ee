//go:build linux || darwin

package peek

import (
	"syscall"
	"unsafe"
)

// ReadFile returns the content of the regular file at path, at most limit bytes of it; truncated reports whether there
// was more, and the text may then end inside a character.
//
// The bytes are read into buf if they fit, else onto the heap. The text is not a copy: the caller must not use its part of
// buf again.
//
// root limits symbolic links at path itself. With root "" they are followed freely. Else the real target of a link has
// to be in the directory root; this check is slow and is done only for links. Directories on the way may be links:
// linking a whole directory into a project is intentional.
//
// The error is one of the package's Error constants or a *Failure.
func ReadFile(path, root string, buf []byte, limit int) (text string, truncated bool, err error) {
	fd, st, err := openRegular(path, root)
	if err != nil {
		return "", false, err
	}
	defer syscall.Close(fd)
	// Room for the reported size and one byte more, so that its end is seen without growing.
	if room := min(st.Size+1, int64(limit)); room > int64(len(buf)) {
		buf = make([]byte, room)
	}
	n := 0
	for {
		if n >= limit {
			var more [1]byte
			m, _ := readFD(fd, more[:])
			truncated = m > 0
			break
		}
		if n == len(buf) {
			bigger := make([]byte, min(limit, max(2*n, 4096))) // files of /proc do not say their size
			copy(bigger, buf)
			buf = bigger
		}
		m, err := readFD(fd, buf[n:min(len(buf), limit)])
		if err != nil {
			return "", false, &Failure{"read", err}
		}
		if m == 0 {
			break
		}
		n += m
		if int64(n) == st.Size {
			break // saves the last read of every file; the next reading sees text appended since
		}
	}
	return unsafe.String(unsafe.SliceData(buf), n), truncated, nil
}

// openRegular opens the regular file at path.
func openRegular(path, root string) (fd int, st syscall.Stat_t, err error) {
	if fd, err = openFile(path, root); err != nil {
		return -1, st, err
	}
	if failed := fstat(fd, &st); failed != nil {
		err = &Failure{"stat", failed}
	} else if st.Mode&syscall.S_IFMT != syscall.S_IFREG {
		err = ErrNotRegular
	}
	if err != nil {
		syscall.Close(fd)
	}
	return fd, st, err
}

// openFile opens path for reading without waiting for anything, and keeps links that leave root out.
func openFile(path, root string) (fd int, err error) {
	const flags = syscall.O_RDONLY | syscall.O_NONBLOCK | syscall.O_CLOEXEC | syscall.O_NOCTTY
	if root == "" {
		fd, err = openEintr(path, flags)
		return fd, reasonOf(err)
	}
	fd, err = openEintr(path, flags|syscall.O_NOFOLLOW)
	if err != syscall.ELOOP { // it is no link
		return fd, reasonOf(err)
	}
	fd, err = openEintr(path, flags)
	if err != nil {
		return -1, reasonOf(err)
	}
	target, ok := fdPath(fd)
	if ok {
		var home string
		home, ok = RealPath(root)
		ok = ok && Inside(target, home)
	}
	if !ok {
		syscall.Close(fd)
		return -1, ErrOutside
	}
	return fd, nil
}

// Inside reports whether path is below the directory root, both real, absolute and clean; root itself does not count.
func Inside(path, root string) bool {
	n := len(root)
	if n > 0 && IsSeparator(root[n-1]) {
		n--
	}
	return len(path) > n+1 && path[:n] == root[:n] && IsSeparator(path[n])
}

// RealPath returns the absolute path of the file or directory at path with all links resolved, and whether it is known.
func RealPath(path string) (real string, ok bool) {
	for range realPathTries {
		fd, err := openEintr(path, pathOnly|syscall.O_NONBLOCK|syscall.O_CLOEXEC)
		if err != nil {
			return "", false
		}
		real, ok = fdPath(fd)
		replaced := ok && hasSuffix(real, deletedMark) && !isSameFile(fd, real)
		syscall.Close(fd)
		if !replaced {
			return real, ok
		}
	}
	return "", false
}

const (
	// deletedMark is the suffix that the Linux kernel adds to the path of an open file that was deleted or replaced by
	// a rename: a careful writer can do so at any moment.
	deletedMark = " (deleted)"
	// realPathTries is how often a file is opened again that was replaced between two looks.
	realPathTries = 16
)

// isSameFile reports whether the open file is the one at path.
func isSameFile(fd int, path string) bool {
	var open, there syscall.Stat_t
	return syscall.Fstat(fd, &open) == nil && syscall.Lstat(path, &there) == nil && open.Dev == there.Dev && open.Ino == there.Ino
}

func hasSuffix(s, suffix string) bool {
	return len(s) >= len(suffix) && s[len(s)-len(suffix):] == suffix
}

// Exists reports whether path exists, following links.
func Exists(path string) bool { return syscall.Access(path, 0) == nil }

// reasonOf turns an error of open into the package's own, nil into nil.
func reasonOf(err error) error {
	switch err {
	case nil:
		return nil
	case syscall.ENOENT, syscall.ENOTDIR:
		return ErrNotExist
	case syscall.ELOOP:
		return ErrLoop
	case syscall.EACCES, syscall.EPERM:
		return ErrPermission
	case syscall.ENXIO, syscall.ENODEV, syscall.EOPNOTSUPP:
		return ErrNotRegular // a socket, or a device without a driver
	}
	return &Failure{"open", err}
}

func openEintr(path string, flags int) (fd int, err error) {
	for {
		fd, err = syscall.Open(path, flags, 0)
		if err != syscall.EINTR {
			return fd, err
		}
	}
}

func fstat(fd int, st *syscall.Stat_t) (err error) {
	for {
		err = syscall.Fstat(fd, st)
		if err != syscall.EINTR {
			return err
		}
	}
}

func readFD(fd int, buf []byte) (n int, err error) {
	for {
		n, err = syscall.Read(fd, buf)
		if err != syscall.EINTR {
			return n, err
		}
	}
}
