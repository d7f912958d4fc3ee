//go:build linux || darwin || freebsd || netbsd || openbsd

package peek

import (
	"syscall"
	"unsafe"
)

// Newest returns the name of the entry of the directory dir that was changed last among those whose name wanted accepts,
// "" when there is none or dir cannot be listed. Links are followed; one that leads nowhere does not count. At most some
// 30,000 names are looked at.
func Newest(dir string, wanted func(name string) bool) (name string) {
	fd, err := openEintr(dir, syscall.O_RDONLY|syscall.O_DIRECTORY|syscall.O_NONBLOCK|syscall.O_CLOEXEC)
	if err != nil {
		return ""
	}
	defer syscall.Close(fd)
	var best newest
	buf := make([]byte, 8192)
	for seen := 0; seen < dirLimit; {
		n, err := syscall.ReadDirent(fd, buf)
		if err == syscall.EINTR {
			continue
		}
		if err != nil || n <= 0 {
			break
		}
		seen += n
		for rest := buf[:n]; len(rest) > entryHead; {
			size := entrySize(rest)
			if size <= entryHead || size > len(rest) {
				break
			}
			if name := entryName(rest[entryHead:size]); wanted(name) {
				var st syscall.Stat_t
				if syscall.Stat(Join(dir, name), &st) == nil {
					seconds, nanoseconds := modified(&st)
					best.consider(string([]byte(name)), seconds, nanoseconds)
				}
			}
			rest = rest[size:]
		}
	}
	return best.name
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
