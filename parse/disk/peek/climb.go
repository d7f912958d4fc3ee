package peek

// climbLimit is how many directories a walk up to the project examines in total, the first one included: the rule
// of GSD's own status line.
const climbLimit = 10

// Climb yields dir and then its parents, climbLimit directories in total. It ends after the root of the file system, and
// after home, which is itself examined; from outside home that rule never applies. dir is an absolute, clean path; home
// is compared as text and may be empty.
//
// The result ranges without importing iter: for d := range peek.Climb(dir, home) { … }.
func Climb(dir, home string) func(yield func(dir string) bool) {
	return func(yield func(string) bool) {
		for range climbLimit {
			if !yield(dir) {
				return
			}
			up := Parent(dir)
			if up == dir || dir == home {
				return
			}
			dir = up
		}
	}
}

// Parent returns the directory that holds path, by its text alone. The parent of a root is that root.
func Parent(path string) string {
	root := rootLen(path)
	i := len(path)
	for i > root && !IsSeparator(path[i-1]) {
		i--
	}
	for i > root && IsSeparator(path[i-1]) {
		i--
	}
	return path[:i]
}

// Join returns dir and name with one separator between them, also when dir is a root.
func Join(dir, name string) string {
	if n := len(dir); n > 0 && IsSeparator(dir[n-1]) {
		return dir + name
	}
	return dir + Separator + name
}

// IsAbsolute reports whether path leads from a root.
func IsAbsolute(path string) bool { return rootLen(path) > 0 }

// Absolute returns path made absolute against the directory cwd (absolute itself) and clean: no empty elements, no ".",
// and ".." taken back by text alone, as a shell's cd does it.
func Absolute(path, cwd string) string {
	if rootLen(path) == 0 {
		path = cwd + Separator + path
	}
	root := rootLen(path)
	out := append(make([]byte, 0, len(path)), path[:root]...)
	for i := root; i < len(path); {
		for i < len(path) && IsSeparator(path[i]) {
			i++
		}
		start := i
		for i < len(path) && !IsSeparator(path[i]) {
			i++
		}
		switch part := path[start:i]; part {
		case "", ".":
		case "..":
			out = out[:len(Parent(string(out)))]
		default:
			if len(out) > root {
				out = append(out, Separator...)
			}
			out = append(out, part...)
		}
	}
	return string(out)
}
