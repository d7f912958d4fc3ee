// The chain of hashes through the lines of a journal.

package journal

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"strings"

	"gatehouse/parse/disk/statefile"
)

// headEnd is the suffix of the file with the hash of the newest line. It reveals the removal of lines at the end.
const headEnd = ".head"

func (l *Log) headName() string { return strings.TrimSuffix(l.name, ".jsonl") + headEnd }

// hashOf returns the hash of a line without its line break.
func hashOf(line []byte) string {
	sum := sha256.Sum256(bytes.TrimSpace(line))
	return hex.EncodeToString(sum[:])
}

// previousHash returns the hash that the next line records for the line before, for a journal with this end. If lines were
// removed or changed there, it is the hash of the former newest line, so that the gap stays visible. Processes killed
// before writing the head leave the hash of an earlier line.
func previousHash(tail []byte, head string) string {
	last, found := "", head == "" || head == torn
	for line := range bytes.Lines(tail) {
		if line = bytes.TrimSpace(line); len(line) > 0 {
			last = hashOf(line)
			found = found || last == head
		}
	}
	if !found {
		return head
	}
	return last
}

// torn is the head whose writer was killed in the middle of it.
const torn = "torn"

// setHead records a line as the newest one, by its hash twice. On failure the line before remains the newest known one.
func (l *Log) setHead(dir *statefile.Directory, line []byte) {
	if f, err := dir.OpenFile(l.headName(), os.O_WRONLY|os.O_CREATE, 0o600); err == nil {
		hash := hashOf(line)
		io.WriteString(f, hash+" "+hash+"\n")
		f.Close()
	}
}

// readHead returns the hash of the newest line, [torn], or "" if there is none.
func readHead(dir *statefile.Directory, name string) string {
	f, err := dir.OpenFile(name, os.O_RDONLY, 0)
	if err != nil {
		return ""
	}
	defer f.Close()
	text, _ := io.ReadAll(io.LimitReader(f, 6*sha256.Size))
	if hash, again, _ := strings.Cut(strings.TrimSuffix(string(text), "\n"), " "); hash == again && len(hash) == 2*sha256.Size {
		return hash
	}
	return torn
}

// findBreak returns the position at which the lines of a journal do not follow one another, "" if they do. Lines of
// versions without a chain come before all others. The head was read first, so that newer lines may follow it. All is
// true for a text that includes the first line.
func findBreak(text []byte, all bool, newest string) string {
	before, chained, found := "", 0, false
	n := 0
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
		found = found || before == newest
	}
	switch {
	case newest == "" && chained > 1:
		return "the file that names its newest entry is gone"
	case newest != "" && newest != torn && !found:
		return "the newest entries were changed or taken out"
	}
	return ""
}

// isKnown reports whether an entry is of a kind that this version reads.
func isKnown(line []byte) bool {
	switch kind, _ := entryHead(line); kind {
	case begin, done, void, reporting, reported, lost:
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
