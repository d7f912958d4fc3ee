//go:build !(linux || darwin || freebsd || netbsd || openbsd)

package peek

import "os"

// Newest returns the name of the entry of the directory dir that was changed last among those whose name wanted accepts,
// "" when there is none or dir cannot be listed. Links are followed; one that leads nowhere does not count.
func Newest(dir string, wanted func(name string) bool) (name string) {
	var best newest
	entries, _ := os.ReadDir(dir)
	for _, e := range entries {
		if !wanted(e.Name()) {
			continue
		}
		if st, err := os.Stat(Join(dir, e.Name())); err == nil {
			best.consider(e.Name(), st.ModTime().Unix(), int64(st.ModTime().Nanosecond()))
		}
	}
	return best.name
}

// Names calls each with the names in the directory dir, in no order, until it returns false. A name is only valid during
// the call. ok is false when dir is no directory or cannot be listed. There is no use for the buffer here.
func Names(dir string, _ []byte, each func(name string) bool) (ok bool) {
	entries, err := os.ReadDir(dir)
	for _, e := range entries {
		if !each(e.Name()) {
			return true
		}
	}
	return err == nil
}
