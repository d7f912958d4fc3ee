//go:build linux || darwin || freebsd || netbsd || openbsd

package peek

import (
	"syscall"
	"unsafe"
)

// ReadTail returns the last bytes of the regular file at path, as many as fit into buf; links are followed. It is for files
// that grow without end, such as transcripts: what it costs does not depend on their size. The text may begin inside a
// character. It is made from buf, which the caller gives up.
//
// The error is one of the package's Error constants or a *Failure.
func ReadTail(path string, buf []byte) (text string, err error) {
	return readPart(path, atEnd, buf)
}

// ReadAt returns the bytes of the regular file at path from an offset on, as many as fit into buf, none beyond its end; links are
// followed. The text is made from buf, which the caller gives up.
//
// The error is one of the package's Error constants or a *Failure.
func ReadAt(path string, at int64, buf []byte) (text string, err error) {
	return readPart(path, max(at, 0), buf)
}

// atEnd stands for the offset from which on the rest of a file fits.
const atEnd = -1

func readPart(path string, at int64, buf []byte) (text string, err error) {
	fd, err := open(path, "")
	if err != nil {
		return "", err
	}
	defer syscall.Close(fd)
	var st syscall.Stat_t
	if err := fstat(fd, &st); err != nil {
		return "", &Failure{"stat", err}
	}
	if st.Mode&syscall.S_IFMT != syscall.S_IFREG {
		return "", ErrNotRegular
	}
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
	return unsafe.String(unsafe.SliceData(buf), n), nil
}
