//go:build !(linux || darwin || freebsd || netbsd || openbsd)

package peek

import (
	"io"
	"os"
)

func readPart(path string, at int64, buf []byte) (text string, err error) {
	// Opening a named pipe could wait; so the type is looked at first.
	st, err := os.Stat(path)
	if err != nil {
		return "", reasonOf(err)
	}
	if !st.Mode().IsRegular() {
		return "", ErrNotRegular
	}
	f, err := os.Open(path)
	if err != nil {
		return "", reasonOf(err)
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
	return string(buf[:n]), nil
}
