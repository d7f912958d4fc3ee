package milestone

import "gatehouse/parse/text/scan"

// heading is a heading as a regular expression finds it: in fences as well.
type heading struct {
	start, end int    // the line, from its first # to its end
	level      int    // 1 to 3
	text       string // the line
	title      string // what is behind the # and blanks
}

// rawHeadings yields the headings of level 1 to 3 that are none of a phase. White space behind the # may go over lines, as
// it does for GSD.
func rawHeadings(text string) func(yield func(heading) bool) {
	return func(yield func(heading) bool) {
		for i := scan.FindAtLineStart(text, "#", 0); i >= 0; {
			level, rest := hashes(text[i:])
			space := scan.SkipSpace(rest, 0)
			if level > 3 || space == 0 || space == scan.SpaceLen(rest) && ofPhase(rest[space:]) {
				i = scan.FindAtLineStart(text, "#", i+1)
				continue
			}
			from := i + level + space
			end := len(text)
			if n := index(text[from:], '\n'); n >= 0 {
				end = from + n
			}
			if !yield(heading{i, end, level, text[i:end], text[from:end]}) {
				return
			}
			i = scan.FindAtLineStart(text, "#", end)
		}
	}
}

// token is a heading outside of fences.
type token struct {
	start, level int
	text         string
}

func tokens(text string) []token {
	var all []token
	for line, start := range unfencedAt(text) {
		i := 0
		for i < 3 && at(line, i) == ' ' {
			i++
		}
		level, rest := hashes(line[i:])
		if level == 0 || level > 6 || rest != "" && rest[0] != ' ' && rest[0] != '\t' {
			continue
		}
		all = append(all, token{start, level, scan.TrimSpace(rest)})
	}
	return all
}

func unfenced(text string) func(yield func(string) bool) {
	return func(yield func(string) bool) {
		for line := range unfencedAt(text) {
			if !yield(line) {
				return
			}
		}
	}
}

// unfencedAt yields the lines outside of fences, and where each begins.
func unfencedAt(text string) func(yield func(string, int) bool) {
	return func(yield func(string, int) bool) {
		var open byte // the sign of the fence that is open
		long := 0
		for start := 0; start <= len(text); {
			end := len(text)
			if n := index(text[start:], '\n'); n >= 0 {
				end = start + n
			}
			line := text[start:end]
			if n := len(line); n > 0 && line[n-1] == '\r' {
				line = line[:n-1]
			}
			sign, n, info := fence(line)
			switch {
			case open == 0 && sign != 0 && !(sign == '`' && contains(info, "`")):
				open, long = sign, n
			case open == 0:
				if !yield(line, start) {
					return
				}
			case sign == open && n >= long && scan.SkipSpace(info, 0) == len(info):
				open = 0
			}
			start = end + 1
		}
	}
}

// fence returns the sign of a fence, ` or ~, how many there are and what is behind them; 0 for a line that is none.
func fence(line string) (sign byte, n int, info string) {
	i := 0
	for i < 3 && at(line, i) == ' ' {
		i++
	}
	sign = at(line, i)
	if sign != '`' && sign != '~' {
		return 0, 0, ""
	}
	for at(line, i+n) == sign {
		n++
	}
	if n < 3 {
		return 0, 0, ""
	}
	return sign, n, line[i+n:]
}

// hashes returns how many # a text begins with, and the rest.
func hashes(text string) (n int, rest string) {
	for at(text, n) == '#' {
		n++
	}
	return n, text[n:]
}

// at returns a byte of a text, 0 beyond it.
func at(s string, i int) byte {
	if i < len(s) {
		return s[i]
	}
	return 0
}

func first(s string) byte { return at(s, 0) }

func isDigit(c byte) bool        { return c >= '0' && c <= '9' }
func isUpper(c byte) bool        { return c >= 'A' && c <= 'Z' }
func isLetter(c byte) bool       { return isUpper(c) || c >= 'a' && c <= 'z' }
func isAlphanumeric(c byte) bool { return isLetter(c) || isDigit(c) }
func isWord(c byte) bool         { return isAlphanumeric(c) || c == '_' }

func lowerByte(c byte) byte {
	if isUpper(c) {
		c += 'a' - 'A'
	}
	return c
}

func equalFold(a, b string) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range len(a) {
		if lowerByte(a[i]) != lowerByte(b[i]) {
			return false
		}
	}
	return true
}

func hasPrefix(s, prefix string) bool { return len(s) >= len(prefix) && s[:len(prefix)] == prefix }

func hasPrefixFold(s, prefix string) bool {
	return len(s) >= len(prefix) && equalFold(s[:len(prefix)], prefix)
}

func index(s string, c byte) int {
	for i := range len(s) {
		if s[i] == c {
			return i
		}
	}
	return -1
}

func indexFold(s, part string) int {
	for i := 0; i+len(part) <= len(s); i++ {
		if lowerByte(s[i]) == lowerByte(part[0]) && equalFold(s[i:i+len(part)], part) {
			return i
		}
	}
	return -1
}

func lastIndex(s, part string) int {
	for i := len(s) - len(part); i >= 0; i-- {
		if s[i:i+len(part)] == part {
			return i
		}
	}
	return -1
}

func contains(s, part string) bool {
	for i := 0; i+len(part) <= len(s); i++ {
		if s[i:i+len(part)] == part {
			return true
		}
	}
	return false
}

func containsFold(s, part string) bool { return part == "" || indexFold(s, part) >= 0 }

// hasWord reports whether a text has a word, in any case, with an end of a word on both sides.
func hasWord(text, word string) bool {
	for i := 0; i+len(word) <= len(text); i++ {
		if equalFold(text[i:i+len(word)], word) && (i == 0 || !isWord(text[i-1])) && !isWord(at(text, i+len(word))) {
			return true
		}
	}
	return false
}

// squeezed returns a text with one blank for each run of white space.
func squeezed(text string) string {
	var b []byte
	for i := 0; i < len(text); {
		if next := scan.SkipSpace(text, i); next > i {
			b = append(b, ' ')
			i = next
			continue
		}
		b = append(b, text[i])
		i++
	}
	return string(b)
}
