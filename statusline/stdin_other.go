//go:build !(linux || darwin || freebsd || netbsd || openbsd)

package statusline

import (
	"io"
	"os"
	"time"
)

// ReadInput reads the agent's JSON from the open file fd, standard input, into buf: until it ends, until it is a whole
// object, or until 200 milliseconds are over, whichever comes first. It returns nil when the input is none or larger than
// inputLimit.
//
// Nothing is read from a terminal: whoever tries the layout by hand gets what an empty object gives.
func ReadInput(fd int, buf []byte) []byte {
	st, err := os.Stdin.Stat()
	if err != nil {
		return nil
	}
	if st.Mode()&os.ModeCharDevice != 0 {
		return []byte("{}")
	}
	buf = buf[:min(len(buf), inputLimit+1)]
	// A read from a pipe cannot be given up here; so it is left behind, with memory of its own.
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
				return whole(buf, n)
			}
			if p.err != nil {
				return nil
			}
		case <-over:
			return whole(buf, n)
		}
	}
}

// whole returns the first n bytes of buf, nil when they are none or too many.
func whole(buf []byte, n int) []byte {
	if n == 0 || n > inputLimit {
		return nil
	}
	return buf[:n]
}
