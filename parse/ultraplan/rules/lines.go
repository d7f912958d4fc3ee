// The lines of a Markdown text as the prompt reads them: what is code, what stands below a heading, what is a field.

package rules

import "gatehouse/parse/text/scan"

// fence is whether a line stands in a block of code, which is an example of something else: 0 outside, else how its fence is
// drawn. One that is never closed goes on to the end.
type fence struct {
	mark byte
	wide int
}

// holds reports whether a line is in the block or opens or closes it.
func (f *fence) holds(l string) bool {
	at := 0
	for at < 3 && at < len(l) && l[at] == ' ' {
		at++
	}
	wide := 0
	for at+wide < len(l) && (l[at] == '`' || l[at] == '~') && l[at+wide] == l[at] {
		wide++
	}
	switch {
	case f.wide > 0:
		if wide >= f.wide && l[at] == f.mark && scan.TrimSpace(l[at+wide:]) == "" {
			f.wide = 0
		}
		return true
	case wide >= 3 && (l[at] == '~' || scan.Index(l[at+wide:], "`") < 0):
		f.mark, f.wide = l[at], wide
		return true
	}
	return false
}

// aside is what of a text is none of its own words: code in fences, and comments over several lines. The dashboard leaves the
// same out (package markdown).
type aside struct {
	fence
	comment bool
	last    bool // no comment ends in the rest of the text any more
}

// holds reports whether a line belongs to it, given what follows the line. A line on which a comment begins is still the text's;
// a comment that is never closed is none, for it would hide all that follows.
func (a *aside) holds(l, rest string) bool {
	if a.comment {
		a.comment = scan.Index(l, "-->") < 0 || a.begins(l, rest)
		return true
	}
	if a.fence.holds(l) {
		return true
	}
	a.comment = a.begins(l, rest)
	return false
}

// begins reports whether a comment begins on a line and ends below it.
func (a *aside) begins(l, rest string) bool {
	at := -1
	for i := range l {
		if l[i] == '<' && scan.HasPrefixAt(l, "<!--", i) {
			at = i
		}
	}
	if at < 0 || a.last || scan.Index(l[at:], "-->") >= 0 {
		return false
	}
	a.last = scan.Index(rest, "-->") < 0
	return !a.last
}

// section returns where the text under the heading of that title, in lower case, begins and ends; all of the text when
// there is no such heading.
func section(text, title string) (start, end int) {
	start = -1
	var a aside
	top := true // the line before is blank, or ends what stands above
	for at := 0; at < len(text); {
		l, next := nextText(text, at)
		held := a.holds(l, text[next:])
		heading := !held && l != "" && l[0] == '#'
		if top && !held && !heading {
			if scan.Setext(top, l, text[next:]) > 0 {
				_, next = nextText(text, next)
				heading = true
			}
		}
		top = held || heading || scan.TrimSpace(l) == ""
		if heading {
			if start >= 0 {
				return start, at
			}
			for l != "" && l[0] == '#' {
				l = l[1:]
			}
			if l = scan.TrimSpace(l); len(l) >= len(title) && foldEqual(l[:len(title)], title) {
				start = next
			}
		}
		at = next
	}
	return max(0, start), len(text)
}

// field splits a line "Key: value" in the forms that agents write: plain, as an item, bold. key is "" for other lines.
func field(l string) (key, value string) {
	l = scan.TrimSpace(l)
	if len(l) > 2 && (l[0] == '-' || l[0] == '*') && l[1] == ' ' {
		l = scan.TrimSpace(l[2:])
	}
	l = trimStars(l)
	for i := range len(l) {
		if l[i] == ':' {
			key, value = scan.TrimSpace(l[:i]), scan.TrimSpace(l[i+1:])
			for key != "" && key[len(key)-1] == '*' {
				key = key[:len(key)-1]
			}
			return key, scan.TrimSpace(trimStars(value))
		}
	}
	return "", ""
}

func trimStars(s string) string {
	for s != "" && s[0] == '*' {
		s = s[1:]
	}
	return s
}

// nextText returns the line of text at offset at, without its end, and the offset of the next one. Lines end with a line
// feed here, as in YAML and Markdown; a carriage return before it is taken off by who trims the line.
func nextText(text string, at int) (l string, next int) {
	for i := at; i < len(text); i++ {
		if text[i] == '\n' {
			return text[at:i], i + 1
		}
	}
	return text[at:], len(text)
}

// foldEqual reports whether two texts are equal but for the case of ASCII letters.
func foldEqual(a, b string) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range len(a) {
		x, y := a[i], b[i]
		if x != y && (x|0x20 != y|0x20 || x|0x20 < 'a' || x|0x20 > 'z') {
			return false
		}
	}
	return true
}
