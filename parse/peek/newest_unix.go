//go:build linux || darwin || freebsd || netbsd || openbsd

package peek

import "syscall"

// Newest returns the name of the entry of the directory dir that was changed last among those whose name wanted accepts,
// "" when there is none or dir cannot be listed. Links are followed; one that leads nowhere does not count. At most some
// 30,000 names are looked at.
func Newest(dir string, wanted func(name string) bool) (name string) {
	var best newest
	entries(dir, nil, func(_ byte, name string) bool {
		if wanted(name) {
			var st syscall.Stat_t
			if syscall.Stat(Join(dir, name), &st) == nil {
				seconds, nanoseconds := modified(&st)
				best.consider(string([]byte(name)), seconds, nanoseconds)
			}
		}
		return true
	})
	return best.name
}
