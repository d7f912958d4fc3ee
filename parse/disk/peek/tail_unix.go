//go:build linux || darwin

package peek

import "syscall"

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
