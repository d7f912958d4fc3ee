package peek

import "path/filepath"

// Separator separates the elements of a path on this operating system.
const Separator = `\`

// ListSeparator separates the paths of a list, such as PATH, on this operating system.
const ListSeparator = ';'

// IsSeparator reports whether c separates the elements of a path on this operating system.
func IsSeparator(c byte) bool { return c == '\\' || c == '/' }

// rootLen returns the length of the part of path that names a root ("C:\", "\\server\share\"), 0 for a relative path.
func rootLen(path string) int {
	volume := len(filepath.VolumeName(path))
	if volume < len(path) && IsSeparator(path[volume]) {
		return volume + 1
	}
	return volume
}
