// Sinks: the places where a line can be shown, each with what its reader does to text before the user sees it. Step B of
// notes/statusline.md §5; step A, cleaning, is done when the line is made.

package statusline

// Sink is a place where the line is shown: a value of --shell. The zero value is the default sink.
type Sink struct {
	name string
	add  func(dst, text []byte) []byte
}

// sinks are all that exist, the default first. A sink is one function that appends text, cleaned and on one line, to dst
// so that the place shows just that.
var sinks = [...]Sink{
	{"defang", defang},
	{"plain", plain},
}

// SinkNamed returns the sink of that name; "" names the default. ok is false when there is none.
func SinkNamed(name string) (sink Sink, ok bool) {
	if name == "" {
		return sinks[0], true
	}
	for i := range sinks {
		if sinks[i].name == name {
			return sinks[i], true
		}
	}
	return Sink{}, false
}

// SinkNames returns the names of all sinks, separated by a comma and a space.
func SinkNames() string {
	names := ""
	for i := range sinks {
		if i > 0 {
			names += ", "
		}
		names += sinks[i].name
	}
	return names
}

// escape appends text to dst as the sink needs it.
func (s Sink) escape(dst, text []byte) []byte {
	if s.add == nil {
		s = sinks[0]
	}
	return s.add(dst, text)
}

// plain leaves the text as it is: for a place that expands nothing, such as a file, a pipe or fish's prompt function.
func plain(dst, text []byte) []byte { return append(dst, text...) }

// defang takes from the text what makes any shell, tmux or prompt engine run or expand something, for when it is not known
// who reads it, and where quoting would itself be expanded: a backslash becomes a slash, a backtick an apostrophe, and "$"
// and "#" go where they could begin an expansion, also at the end, where what follows is not known.
func defang(dst, text []byte) []byte {
	for i, c := range text {
		switch c {
		case '\\':
			c = '/'
		case '`':
			c = '\''
		case '$', '#':
			if i+1 == len(text) || beginsExpansion(text[i+1]) {
				continue
			}
		}
		dst = append(dst, c)
	}
	return dst
}

// beginsExpansion reports whether "$" or "#" before c may be more than itself.
func beginsExpansion(c byte) bool {
	switch c {
	case '(', '{', '[', '_', '$', '#', ',':
		return true
	}
	return c|0x20 >= 'a' && c|0x20 <= 'z'
}
