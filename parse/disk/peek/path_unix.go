//go:build !windows

package peek

// Separator separates the elements of a path on this operating system.
const Separator = "/"

// ListSeparator separates the paths of a list, such as PATH, on this operating system.
const ListSeparator = ':'

// IsSeparator reports whether c separates the elements of a path on this operating system.
func IsSeparator(c byte) bool { return c == '/' }

// rootLen returns the length of the part of path that names a root: 1 for an absolute path, else 0.
func rootLen(path string) int {
	if path != "" && path[0] == '/' {
		return 1
	}
	return 0
}
