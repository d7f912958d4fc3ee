//go:build !(linux || darwin || freebsd || netbsd || openbsd)

package statusline

import (
	"io"
	"os"
)

// ReadInput reads the agent's JSON from standard input until it ends. It returns nil if the input is larger
// than inputLimit.
//
// It reads nothing from a terminal: trying the layout by hand gives the result of an empty object.
func ReadInput(fd int) []byte {
	st, err := os.Stdin.Stat()
	if err != nil {
		return nil
	}
	if st.Mode()&os.ModeCharDevice != 0 {
		return []byte("{}")
	}
	buf := make([]byte, inputLimit+1)
	n, err := io.ReadFull(os.Stdin, buf)
	if n == 0 || n > inputLimit || err != io.ErrUnexpectedEOF {
		return nil
	}
	return buf[:n]
}
