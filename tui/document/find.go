package document

// Searching a laid-out text, ignoring case, even across a line break of the layout.

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// hitsLimit bounds the number of hits.
const hitsLimit = 10_000

// Hit is an occurrence of a text: some bytes of a row. An occurrence over two rows is two hits with one number.
type Hit struct {
	Row, From, To int
	Number        int // counted from 0
}

// Find returns all occurrences of a text, in the order of the rows.
func Find(rows []Row, text string) []Hit {
	text = foldCase(text)
	if strings.TrimSpace(text) == "" {
		return nil
	}
	var hits []Hit
	number := 0
	for first := 0; first < len(rows); {
		end := first + 1
		for end < len(rows) && rows[end].Line == 0 {
			end++
		}
		whole, starts := joinRows(rows[first:end])
		for from := 0; ; {
			i := strings.Index(whole[from:], text)
			if i < 0 {
				break
			}
			start := from + i
			from = start + len(text)
			for r, size := utf8.DecodeRuneInString(whole[from:]); size > 0 && unicode.Is(unicode.M, r); r, size = utf8.DecodeRuneInString(whole[from:]) {
				from += size // marks belong to the letter before them
			}
			hits = appendHit(hits, starts, first, start, from, number)
			if number++; number == hitsLimit {
				return hits
			}
		}
		first = end
	}
	return hits
}

// joinRows returns rows of one line as one folded text, and where each begins in it. A line break replaces a blank.
func joinRows(rows []Row) (string, []int) {
	if len(rows) == 1 {
		return foldCase(rows[0].Text()), []int{0}
	}
	var b strings.Builder
	starts := make([]int, len(rows))
	for i, r := range rows {
		if i > 0 {
			b.WriteByte(' ')
		}
		starts[i] = b.Len()
		b.WriteString(foldCase(r.Text()))
	}
	return b.String(), starts
}

// appendHit adds the match between two offsets of joined rows.
func appendHit(hits []Hit, starts []int, first, from, to, number int) []Hit {
	for i, start := range starts {
		end := to
		if i+1 < len(starts) {
			end = min(to, starts[i+1]-1)
		}
		if begin := max(from, start); begin < end {
			hits = append(hits, Hit{Row: first + i, From: begin - start, To: end - start, Number: number})
		}
	}
	return hits
}

// foldCase returns a text in lower case, each letter with its original length.
func foldCase(text string) string {
	return strings.Map(func(r rune) rune {
		if low := unicode.ToLower(r); utf8.RuneLen(low) == utf8.RuneLen(r) {
			return low
		}
		return r
	}, strings.ToValidUTF8(text, "?"))
}
