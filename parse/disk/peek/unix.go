//go:build linux || darwin

package peek

import (
	"runtime"
	"syscall"
	"unsafe"
)

func readFile(path, root string, limit int) (text string, truncated bool, err error) {
	fd, st, err := openRegular(path, root)
	if err != nil {
		return "", false, err
	}
	defer syscall.Close(fd)
	// Room for the reported size and one byte more, so that its end is seen without growing.
	buf := make([]byte, min(st.Size, int64(limit))+1)
	n := 0
	for n <= limit {
		if n == len(buf) {
			buf = append(buf, make([]byte, max(n, 4096))...) // files of /proc do not say their size
		}
		m, err := readFD(fd, buf[n:min(len(buf), limit+1)])
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
	return unsafe.String(unsafe.SliceData(buf), min(n, limit)), n > limit, nil
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

func realPath(path string) (real string, ok bool) {
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

func readPart(path string, at int64, buf []byte) (text string, err error) {
	fd, st, err := openRegular(path, "")
	if err != nil {
		return "", err
	}
	defer syscall.Close(fd)
	if at == atEnd {
		at = max(0, st.Size-int64(len(buf)))
	}
	n := 0
	for n < len(buf) {
		m, err := syscall.Pread(fd, buf[n:], at+int64(n))
		if err == syscall.EINTR {
			continue
		}
		if err != nil {
			return "", &Failure{"read", err}
		}
		if m == 0 {
			break
		}
		n += m
	}
	return string(buf[:n]), nil
}

// Entries shows the names in the directory dir to see, with the type of each as far as the directory has it, in no order, until
// it has shown limit of them. ok is false when dir cannot be listed.
func Entries(dir string, limit int, see func(name string, t Type)) (ok bool) {
	fd, err := openEintr(dir, syscall.O_RDONLY|syscall.O_DIRECTORY|syscall.O_NONBLOCK|syscall.O_CLOEXEC)
	if err != nil {
		return false
	}
	defer syscall.Close(fd)
	var buf [4096]byte
	for {
		n, err := syscall.ReadDirent(fd, buf[:])
		if err == syscall.EINTR {
			continue
		}
		if err != nil || n <= 0 {
			return err == nil
		}
		for rest := buf[:n]; len(rest) > entryHead; {
			size := entrySize(rest)
			if size <= entryHead || size > len(rest) {
				return false
			}
			name, kind := entryName(rest[entryHead:size]), entryType(rest)
			rest = rest[size:]
			if name == "." || name == ".." {
				continue
			}
			if limit--; limit < 0 {
				return true
			}
			see(name, kind)
		}
	}
}

func lookAt(path string, follow bool) (info Info, ok bool) {
	var st syscall.Stat_t
	look := syscall.Lstat
	if follow {
		look = syscall.Stat
	}
	if look(path, &st) != nil {
		return info, false
	}
	kind := st.Mode & syscall.S_IFMT
	return Info{kind == syscall.S_IFDIR, kind == syscall.S_IFLNK, kind == syscall.S_IFREG, modTime(&st)}, true
}

// TerminalName returns the path of the terminal of the open file fd, such as "/dev/pts/3", as tty(1) prints it for
// standard input, and "" if fd is not a terminal or the path is unknown.
func TerminalName(fd int) string {
	var st syscall.Stat_t
	if fstat(fd, &st) != nil || st.Mode&syscall.S_IFMT != syscall.S_IFCHR {
		return ""
	}
	path, _ := fdPath(fd)
	for _, prefix := range [...]string{"/dev/pts/", "/dev/tty", "/dev/console"} {
		if len(path) >= len(prefix) && path[:len(prefix)] == prefix {
			return path
		}
	}
	return ""
}

// These offsets in a directory entry are all that is taken from package unsafe: constants.
const (
	entryHead   = int(unsafe.Offsetof(syscall.Dirent{}.Name))
	entryLength = int(unsafe.Offsetof(syscall.Dirent{}.Reclen))
	entryKind   = int(unsafe.Offsetof(syscall.Dirent{}.Type))
)

// entrySize returns how many bytes the entry at the beginning of raw takes. The last entry may be shorter than the type that describes it.
func entrySize(raw []byte) int {
	low, high := int(raw[entryLength]), int(raw[entryLength+1])
	if isBigEndian {
		low, high = high, low
	}
	return high<<8 | low
}

// entryType returns the type of the entry at the beginning of raw.
func entryType(raw []byte) Type {
	switch raw[entryKind] {
	case syscall.DT_DIR:
		return TypeDir
	case syscall.DT_REG:
		return TypeFile
	}
	return TypeUnknown
}

// entryName returns the name that ends with the first NUL of raw.
func entryName(raw []byte) string {
	n := 0
	for n < len(raw) && raw[n] != 0 {
		n++
	}
	return string(raw[:n])
}

// isBigEndian reports the byte order of the system.
const isBigEndian = runtime.GOARCH == "s390x" || runtime.GOARCH == "ppc64" || runtime.GOARCH == "mips" || runtime.GOARCH == "mips64"
