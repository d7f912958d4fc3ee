// Package fuzz bounds what fuzz targets read, for the tests of other packages.
//
// The fuzzer makes each input smaller that leads somewhere new, by leaving out every run of its bytes in turn: of a text of n
// bytes it tries n²/2 others, for a minute at most. Of long texts it so makes a handful in a minute, all of them of the first one
// that was new. What is long is read by tests.
package fuzz

import (
	"strings"
	"testing"
)

// Limit is how long all texts of an input may be together, in bytes, where reading them takes microseconds.
const Limit = 300

// Text fuzzes what reads one text of at most limit bytes. Longer seeds are taken in pieces.
func Text(f *testing.F, limit int, seeds []string, check func(t *testing.T, text string)) {
	for _, seed := range seeds {
		for _, piece := range pieces(seed, limit) {
			f.Add(piece)
		}
	}
	f.Fuzz(func(t *testing.T, text string) {
		if len(text) <= limit {
			check(t, text)
		}
	})
}

// pieces cuts a text into pieces of whole lines and at most limit bytes; a line that is longer is cut.
func pieces(text string, limit int) (pieces []string) {
	for len(text) > limit {
		end := strings.LastIndexByte(text[:limit], '\n') + 1
		if end == 0 {
			end = limit
		}
		pieces, text = append(pieces, text[:end]), text[end:]
	}
	return append(pieces, text)
}
