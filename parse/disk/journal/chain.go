// The chain of hashes through the lines of a journal.

package journal

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
)

// hashOf returns the hash of a line without its line break.
func hashOf(line []byte) string {
	sum := sha256.Sum256(bytes.TrimSpace(line))
	return hex.EncodeToString(sum[:])
}

// lastHash returns the hash of the last line of a text, "" if it has none.
func lastHash(text []byte) string {
	text = bytes.TrimSpace(text)
	if len(text) == 0 {
		return ""
	}
	return hashOf(text[bytes.LastIndexByte(text, '\n')+1:])
}

// findBreak describes the first gap in the chain of lines, "" for none; all is false if the journal has earlier lines. Changes of the
// last line, and removed lines at the end, leave no gap.
func findBreak(text []byte, all bool) string {
	before, chained, n := "", 0, 0
	for line := range bytes.Lines(text) {
		if line = bytes.TrimSpace(line); len(line) == 0 {
			continue
		}
		n++
		prev, whole := prevOf(line)
		switch {
		case !whole: // its writer was killed in the middle of it
		case prev == "" && chained > 0 && isKnown(line): // unknown fields of a later version have no meaning here
			return fmt.Sprintf("entry %d was put in by hand", n)
		case prev != "" && before == "" && all:
			return "the first entries were taken out"
		case prev != "" && before != "" && prev != before:
			return fmt.Sprintf("entry %d does not follow the one before it: that one was changed, or entries were taken out", n)
		}
		if prev != "" {
			chained++
		}
		before = hashOf(line)
	}
	return ""
}

// isKnown reports whether an entry is of a kind that this version reads.
func isKnown(line []byte) bool {
	rest, _ := bytes.CutPrefix(line, []byte(`{"entry":"`))
	kind, _, _ := bytes.Cut(rest, []byte(`"`))
	switch string(kind) {
	case begin, done, void, reported:
		return true
	}
	return false
}

// prevOf returns which line an entry follows; whole is false for the beginning of one.
func prevOf(line []byte) (prev string, whole bool) {
	if !bytes.HasSuffix(line, []byte("}")) {
		return "", false
	}
	_, rest, _ := bytes.Cut(line, []byte(`","prev":"`)) // the ID, which comes before it, has no quotes
	p, _, found := bytes.Cut(rest, []byte(`"`))
	if !found || len(p) != 2*sha256.Size {
		return "", true
	}
	return string(p), true
}
