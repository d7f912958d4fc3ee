package index

// Fuzzy search for a word: as a whole, or its letters in their order and near each other.

import (
	"unicode"
	"unicode/utf8"
)

// fuzzyFrom is the minimum length of a word for a fuzzy search, in letters: two letters match anywhere.
const fuzzyFrom = 3

// spread limits how far the letters of a word may be spread: over a part of the text that is this many times as long as the word.
const spread = 3

// Match returns the position of a word in a text, in bytes. The word is in lower case. A loose match may have other letters between
// those of the word if it starts at the beginning of a word of the text.
func Match(text, word string, loose bool) (from, to int, ok bool) {
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
	if !loose || utf8.RuneCountInString(word) < fuzzyFrom {
		return 0, 0, false
	}
	before := ' '
	for i, r := range text {
		if begins := !isLetter(before) && isLetter(r); begins {
			if n, ok := spreadAt(text[i:], word); ok {
				return i, i + n, true
			}
		}
		before = r
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

// spreadAt is matchAt for letters with others between them.
func spreadAt(text, word string) (n int, ok bool) {
	rest := []rune(word)
	if r, _ := utf8.DecodeRuneInString(text); unicode.ToLower(r) != rest[0] {
		return 0, false
	}
	most := spread * len(rest)
	for i, r := range text {
		if most--; most < 0 {
			return 0, false
		}
		if unicode.ToLower(r) == rest[0] {
			if rest = rest[1:]; len(rest) == 0 {
				return i + utf8.RuneLen(r), true
			}
		}
	}
	return 0, false
}

func isLetter(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }
