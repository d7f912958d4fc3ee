//go:build !(linux || darwin || freebsd || netbsd || openbsd)

package peek

import "os"

// Modified returns when the file at path was changed last, in seconds since 1970, links followed; ok is false when there is
// none or it may not be looked at.
func Modified(path string) (seconds int64, ok bool) {
	st, err := os.Stat(path)
	if err != nil {
		return 0, false
	}
	return st.ModTime().Unix(), true
}
