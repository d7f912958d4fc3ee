//go:build !(linux || darwin || freebsd || netbsd || openbsd)

package statusline

import (
	"io"
	"os"
	"time"
)

// ReadInput reads the agent's JSON from the open file fd, standard input, into buf: until it ends, until it is a whole
// object, or until 200 milliseconds are over, whichever comes first. It returns nil if the input is not an object or is
// larger than inputLimit.
//
// It reads nothing from a terminal: trying the layout by hand gives the result of an empty object.
func ReadInput(fd int, buf []byte) []byte {
	st, err := os.Stdin.Stat()
	if err != nil {
		return nil
	}
	if st.Mode()&os.ModeCharDevice != 0 {
		return []byte("{}")
	}
	buf = buf[:min(len(buf), inputLimit+1)]
	// A read from a pipe cannot be canceled here; so it is abandoned, with memory of its own.
	type part struct {
		text []byte
		err  error
	}
	parts := make(chan part)
	go func() {
		for {
			text := make([]byte, 4096)
			n, err := os.Stdin.Read(text)
			parts <- part{text[:n], err}
			if err != nil {
				return
			}
		}
	}()
	n, over := 0, time.After(inputWait*time.Millisecond)
	for {
		select {
		case p := <-parts:
			n += copy(buf[n:], p.text)
			if p.err == io.EOF || n == len(buf) || isWholeObject(buf[:n]) {
				return wholeInput(buf, n)
			}
			if p.err != nil {
				return nil
			}
		case <-over:
			return wholeInput(buf, n)
		}
	}
}

// wholeInput returns the first n bytes of buf, nil if there are none or too many.
func wholeInput(buf []byte, n int) []byte {
	if n == 0 || n > inputLimit {
		return nil
	}
	return buf[:n]
}
