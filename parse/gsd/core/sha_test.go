package core

import (
	"crypto/sha1"
	"crypto/sha256"
	"encoding/hex"
	"strings"
	"testing"
)

func TestHashes(t *testing.T) {
	for n := range 200 {
		text := strings.Repeat("a", n)
		one, two := sha1.Sum([]byte(text)), sha256.Sum256([]byte(text))
		if got := sha1Sum(text); got != hex.EncodeToString(one[:]) {
			t.Errorf("SHA-1 of %d bytes is %s", n, got)
		}
		if got := sha256Sum(text); got != hex.EncodeToString(two[:]) {
			t.Errorf("SHA-256 of %d bytes is %s", n, got)
		}
	}
}
