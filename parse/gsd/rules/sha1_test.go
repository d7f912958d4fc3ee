package rules

import (
	"crypto/sha1"
	"encoding/hex"
	"strings"
	"testing"
)

func TestSHA1(t *testing.T) {
	// The vectors of RFC 3174 §7.3 and the empty text.
	for text, want := range map[string]string{
		"":    "da39a3ee5e6b4b0d3255bfef95601890afd80709",
		"abc": "a9993e364706816aba3e25717850c26c9cd0d89d",
		"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq": "84983e441c3bd26ebaae4aa1f95129e5e54670f1",
		strings.Repeat("a", 1000000):                               "34aa973cd4c4daa4f61eeb2bdbad27316534016f",
	} {
		if sum := sha1Sum(text); hex.EncodeToString(sum[:]) != want {
			t.Errorf("%.60q: %x, want %s", text, sum, want)
		}
	}
	for n := range 300 { // every length around the block's borders
		text := strings.Repeat("x", n)
		if sha1Sum(text) != sha1.Sum([]byte(text)) {
			t.Errorf("wrong for %d bytes", n)
		}
	}
}
