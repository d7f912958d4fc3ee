//go:build !(linux || darwin || freebsd || netbsd || openbsd)

package peek

import (
	"io"
	"os"
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
	// Opening a named pipe could wait; so the type is looked at first.
	st, err := os.Stat(path)
	if err != nil {
		return "", reason(err)
	}
	if !st.Mode().IsRegular() {
		return "", ErrNotRegular
	}
	f, err := os.Open(path)
	if err != nil {
		return "", reason(err)
	}
	defer f.Close()
	if st, err = f.Stat(); err != nil {
		return "", &Failure{"stat", err}
	}
	if at == atEnd {
		at = max(0, st.Size()-int64(len(buf)))
	}
	n, err := io.ReadFull(io.NewSectionReader(f, at, int64(len(buf))), buf)
	if err != nil && err != io.EOF && err != io.ErrUnexpectedEOF {
		return "", &Failure{"read", err}
	}
	return unsafe.String(unsafe.SliceData(buf), n), nil
}
