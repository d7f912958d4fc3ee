package index

import (
	"unicode"
	"unicode/utf8"
)

// Match returns the position of a word in a text in any case, in bytes. The word is in lower case.
func Match(text, word string) (from, to int, ok bool) {
	if word == "" {
		return 0, 0, true
	}
	first, _ := utf8.DecodeRuneInString(word)
	for i, r := range text {
		if r != first && unicode.ToLower(r) != first {
			continue
		}
		if n, ok := matchAt(text[i:], word); ok {
			return i, i + n, true
		}
	}
	return 0, 0, false
}

// matchAt returns how many bytes at the beginning of a text match a word, in any case.
func matchAt(text, word string) (n int, ok bool) {
	for _, w := range word {
		r, size := utf8.DecodeRuneInString(text[n:])
		if size == 0 || unicode.ToLower(r) != w {
			return 0, false
		}
		n += size
	}
	return n, true
}
