// The one word that the compact form of a GSD line makes of a status.

package line

import "unicode/utf8"

// wordLimit is the longest such word, in UTF-16 code units: GSD cuts a JavaScript string.
const wordLimit = 16

// shortWords are the known statuses, tried in this order: a status that contains one of the spellings, in whatever case,
// becomes the word.
var shortWords = [...]struct{ spelling, word string }{
	{"paused", "PAUSED"},
	{"stopped", "PAUSED"},
	{"executing", "executing"},
	{"in progress", "executing"},
	{"planning", "planning"},
	{"ready to plan", "planning"},
	{"discussing", "discussing"},
	{"verif", "verifying"},
	{"complete", "completed"},
	{"done", "completed"},
	{"ready to execute", "executing"},
}

// shortStatus returns the word for a status, "" for none. A status of no known kind gives its first word, which ends at
// white space or a dash; halved says that the limit fell between the two units of its last character, which JavaScript
// then prints as U+FFFD: the caller has to append that.
func shortStatus(status string) (word string, halved bool) {
	for i := range shortWords {
		if ContainsFold(status, shortWords[i].spelling) {
			return shortWords[i].word, false
		}
	}
	for {
		r, size := utf8.DecodeRuneInString(status)
		if size == 0 || !IsSpace(r) {
			break
		}
		status = status[size:]
	}
	units := 0
	for i := 0; i < len(status); {
		r, size := decode(status[i:])
		if IsSpace(r) || r == '-' || r == '–' || r == '—' {
			return status[:i], false
		}
		units++
		if r > 0xFFFF {
			units++
		}
		if units >= wordLimit {
			if units > wordLimit {
				return status[:i], true
			}
			return status[:i+size], false
		}
		i += size
	}
	return status, false
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
