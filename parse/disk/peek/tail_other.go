//go:build !(linux || darwin)

package peek

import "io"

func readPart(path string, at int64, buf []byte) (text string, err error) {
	f, st, err := openRegular(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	if at == atEnd {
		at = max(0, st.Size()-int64(len(buf)))
	}
	n, err := io.ReadFull(io.NewSectionReader(f, at, int64(len(buf))), buf)
	if err != nil && err != io.EOF && err != io.ErrUnexpectedEOF {
		return "", &Failure{"read", err}
	}
	return string(buf[:n]), nil
}
