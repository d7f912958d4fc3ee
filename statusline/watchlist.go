package statusline

import (
	"gatehouse/model/line"
	"gatehouse/parse/nearest"
)

// AppendWatchList appends the output of --watch-list: the line, possibly empty, and below it its dependencies, one
// entry per line: "+" and an existing path, "-" and a missing one, "@" and the time in seconds since 1970 at which the
// line changes by itself. A shell may show the line again until one of these changes, without starting a process, as
// long as directory, flags and the variables of color and width stay the same. Without any entry the line must not be
// kept.
func (l *Line) AppendWatchList(dst []byte, w *nearest.Watch) []byte {
	dst = append(dst, l.Text...)
	if len(l.Text) == 0 {
		dst = append(dst, '\n')
	}
	if w.Unsure || !isPrintable(w.Present) || !isPrintable(w.Absent) {
		return dst
	}
	dst = appendPaths(dst, '+', w.Present)
	dst = appendPaths(dst, '-', w.Absent)
	if w.Until != 0 {
		dst = append(dst, '@')
		dst = append(dst, line.Decimal(int(w.Until))...)
		dst = append(dst, '\n')
	}
	return dst
}

func appendPaths(dst []byte, sign byte, paths []string) []byte {
	for _, path := range paths {
		dst = append(dst, sign)
		dst = append(dst, path...)
		dst = append(dst, '\n')
	}
	return dst
}

// isPrintable reports whether none of the paths holds a line break or anything else that acts on a terminal or is not seen.
func isPrintable(paths []string) bool {
	for _, path := range paths {
		if line.Clean(path) != path {
			return false
		}
	}
	return true
}
