// The one word that the compact form of a GSD line makes of a status.

package line

import "unicode/utf8"

// wordLimit is the longest such word, in UTF-16 code units: GSD cuts a JavaScript string.
const wordLimit = 16

// statusWords lists the statuses that GSD 1.14.0 knows and the word for each. "*" matches any one word. No status
// matches two entries with different words.
var statusWords = [...]struct {
	word     string
	statuses []string
}{
	{"PAUSED", []string{"paused", "stopped"}},
	{"executing", []string{"executing", "executing phase *", "in progress", "ready to execute"}},
	{"planning", []string{"planning", "planning phase *", "planning complete", "ready to plan"}},
	{"discussing", []string{"discussing"}},
	{"verifying", []string{"verifying", "verifying phase *", "phase complete — ready for verification"}},
	{"completed", []string{"completed", "done", "complete",
		"complete ✓", "complete ✔", "complete ✅", "complete ☑", "complete✓", "complete✔", "complete✅", "complete☑",
		"phase complete", "phase * complete", "all phases complete", "milestone complete", "* milestone complete"}},
	{"unknown", []string{"unknown"}},
}

// shortStatus returns the word for a status, "" for none. A status that statusWords does not list gives its first word,
// which ends at white space or a dash. If the limit splits the last character, halved is true and the caller has to
// append U+FFFD: JavaScript prints that for half a character.
func shortStatus(status string) (word string, halved bool) {
	first, rest := cutWord(status)
	for i := range statusWords {
		for _, known := range statusWords[i].statuses {
			if matchesStatus(first, rest, known) {
				return statusWords[i].word, false
			}
		}
	}
	units := 0
	for i := 0; i < len(first); {
		r, size := decodeRune(first[i:])
		if r == '-' || r == '–' || r == '—' {
			return first[:i], false
		}
		units++
		if r > 0xFFFF {
			units++
		}
		if units >= wordLimit {
			if units > wordLimit {
				return first[:i], true
			}
			return first[:i+size], false
		}
		i += size
	}
	return first, false
}

// matchesStatus reports whether a whole status equals an entry of statusWords. ASCII case and the amount of white space
// do not count. word is the first word of the status, rest the text after it.
func matchesStatus(word, rest, known string) bool {
	for {
		var want string
		want, known = cutWord(known)
		switch {
		case want == "" || word == "":
			return want == word
		case want != "*" && !(len(word) == len(want) && ContainsFold(word, want)):
			return false
		}
		word, rest = cutWord(rest)
	}
}

// cutWord returns the first word of s, "" if s holds only white space, and the text after the word.
func cutWord(s string) (word, rest string) {
	start := -1
	for i, r := range s {
		switch {
		case !IsSpace(r) && start < 0:
			start = i
		case IsSpace(r) && start >= 0:
			return s[start:i], s[i:]
		}
	}
	if start < 0 {
		return "", ""
	}
	return s[start:], ""
}

// IsSpace reports whether r is white space to JavaScript: the set that "\s" matches and trim() removes. It differs from
// Unicode's and from Go's: U+FEFF is in it, U+0085 is not.
func IsSpace(r rune) bool {
	switch {
	case r <= ' ':
		return r == ' ' || r >= '\t' && r <= '\r'
	case r < 0x1680:
		return r == 0xA0
	case r >= 0x2000 && r <= 0x200A:
		return true
	}
	switch r {
	case 0x1680, 0x2028, 0x2029, 0x202F, 0x205F, 0x3000, 0xFEFF:
		return true
	}
	return false
}

// TrimSpace returns s without white space around it, as JavaScript's trim does.
func TrimSpace(s string) string { return TrimEnd(TrimStart(s)) }

// TrimStart returns s without leading white space.
func TrimStart(s string) string {
	for i, r := range s {
		if !IsSpace(r) {
			return s[i:]
		}
	}
	return ""
}

// TrimEnd returns s without trailing white space.
func TrimEnd(s string) string {
	for s != "" {
		r, size := utf8.DecodeLastRuneInString(s)
		if !IsSpace(r) {
			break
		}
		s = s[:len(s)-size]
	}
	return s
}

// ContainsFold reports whether s contains part, ASCII letters of s compared in lower case; part is ASCII in lower case.
// For the words GSD looks for this equals JavaScript's toLowerCase: no other letter becomes one of theirs.
func ContainsFold(s, part string) bool {
	for i := 0; i+len(part) <= len(s); i++ {
		j := 0
		for j < len(part) && lower(s[i+j]) == part[j] {
			j++
		}
		if j == len(part) {
			return true
		}
	}
	return false
}

func lower(c byte) byte {
	if c >= 'A' && c <= 'Z' {
		return c + 'a' - 'A'
	}
	return c
}
