//go:build linux || darwin || freebsd || netbsd || openbsd

package peek

import (
	"syscall"
	"unsafe"
)

// dirLimit is how many bytes of directory entries are examined, some 30,000 names: a directory prepared with millions of
// files must not hold up the prompt.
const dirLimit = 1 << 20

// entryBuffer is how many bytes of entries are asked for at once.
const entryBuffer = 8192

// Names calls each with the names in the directory dir, in no order, until it returns false. A name is only valid during
// the call. ok is false when dir is no directory or cannot be listed. At most some 30,000 names are looked at. buf is for
// the system to write to, some kilobytes; whoever lists several directories gives the same one for all.
func Names(dir string, buf []byte, each func(name string) bool) (ok bool) {
	return entries(dir, buf, func(_ byte, name string) bool { return name == "." || name == ".." || each(name) })
}

// entries calls each with type and name of the entries of a directory until it returns false.
func entries(dir string, buf []byte, each func(kind byte, name string) bool) (ok bool) {
	fd, err := openEintr(dir, syscall.O_RDONLY|syscall.O_DIRECTORY|syscall.O_NONBLOCK|syscall.O_CLOEXEC)
	if err != nil {
		return false
	}
	defer syscall.Close(fd)
	if len(buf) < entryBuffer {
		buf = make([]byte, entryBuffer)
	}
	for seen := 0; seen < dirLimit; {
		n, err := syscall.ReadDirent(fd, buf)
		if err == syscall.EINTR {
			continue
		}
		if err != nil || n <= 0 {
			return err == nil
		}
		seen += n
		for rest := buf[:n]; len(rest) > entryHead; {
			size := entrySize(rest)
			if size <= entryHead || size > len(rest) {
				break
			}
			if !each(rest[unsafe.Offsetof(syscall.Dirent{}.Type)], entryName(rest[entryHead:size])) {
				return true
			}
			rest = rest[size:]
		}
	}
	return true
}

// entryHead is how many bytes of a directory entry stand before its name.
const entryHead = int(unsafe.Offsetof(syscall.Dirent{}.Name))

// entrySize returns how many bytes the entry at the beginning of raw takes. An entry is never read as a whole: the last one
// may be shorter than the type that describes it.
func entrySize(raw []byte) int {
	return int(*(*uint16)(unsafe.Pointer(&raw[unsafe.Offsetof(syscall.Dirent{}.Reclen)])))
}

// entryName returns the name that ends with the first NUL of raw. It is only valid as long as raw is.
func entryName(raw []byte) string {
	n := 0
	for n < len(raw) && raw[n] != 0 {
		n++
	}
	return unsafe.String(unsafe.SliceData(raw), n)
}
