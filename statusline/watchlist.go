package statusline

import (
	"gatehouse/model/line"
	"gatehouse/parse/nearest"
)

// AppendWatchList appends to dst what --watch-list prints: the line, empty where there is nothing to show, and below it one
// file a line that the line depends on, with "+" before what is there and "-" before what is not; where time alone changes
// the line, "@" and the moment of that, in seconds since 1970.
//
// Whoever keeps the line may show it again as long as no file with "+" has changed or gone, no file with "-" has
// appeared and the moment of "@" has not come, and what else is asked for stays the same: the directory, the flags, the variables of colour and width. A
// shell can look at that without starting a process. No file at all means that the line must not be kept: it depends on more than
// files, or a name can't be printed as it is.
func (l *Line) AppendWatchList(dst []byte, w *nearest.Watch) []byte {
	dst = append(dst, l.Text...)
	if len(l.Text) == 0 {
		dst = append(dst, '\n')
	}
	if w.Unsure || !printable(w.Present) || !printable(w.Absent) {
		return dst
	}
	dst = appendPaths(dst, '+', w.Present)
	dst = appendPaths(dst, '-', w.Absent)
	if w.Until != 0 {
		dst = append(dst, '@')
		dst = append(dst, digits(int(w.Until))...)
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

// printable reports whether none of the paths holds a line break or anything else that acts on a terminal or is not seen.
func printable(paths []string) bool {
	for _, path := range paths {
		if line.Clean(path) != path {
			return false
		}
	}
	return true
}
