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

// lastHash returns the hash of the last line of a text, "" if it has none.
func lastHash(text []byte) string {
	text = bytes.TrimSpace(text)
	if len(text) == 0 {
		return ""
	}
	return hashOf(text[bytes.LastIndexByte(text, '\n')+1:])
}

// previousHash returns the hash that the next line records for the line before, for a journal with this end. If lines were
// removed or changed there, it is the hash of the former newest line, so that the gap stays visible. A process killed
// before writing the head leaves the hash of an earlier line.
func previousHash(tail []byte, head string) string {
	last := lastHash(tail)
	if head == "" || head == torn || head == last {
		return last
	}
	for line := range bytes.Lines(tail) {
		if hashOf(line) == head {
			return last
		}
	}
	return head
}

// torn is the head whose writer was killed in the middle of it.
const torn = "torn"

// setHead records a line as the newest one, by its hash twice. On failure the line before remains the newest known one.
func (l *Log) setHead(dir *statefile.Directory, line []byte) {
	if f, err := dir.OpenFile(l.headName(), os.O_WRONLY|os.O_CREATE, 0o600); err == nil {
		hash := hashOf(line)
		f.WriteString(hash + " " + hash + "\n")
		f.Close()
	}
}

// readHead returns the hash of the newest line, [torn], or "" if there is none.
func (l *Log) readHead(dir *statefile.Directory) string {
	f, err := dir.OpenFile(l.headName(), os.O_RDONLY, 0)
	if err != nil {
		return ""
	}
	defer f.Close()
	text, _ := io.ReadAll(io.LimitReader(f, 6*sha256.Size))
	hash, again, _ := strings.Cut(strings.TrimSuffix(string(text), "\n"), " ")
	if hash != again || len(hash) != 2*sha256.Size {
		return torn
	}
	return hash
}

// findBreak describes the first gap in the chain of lines, "" for none; all is false if the journal has earlier lines. The head was
// read first, so that newer lines may follow it.
func findBreak(text []byte, all bool, head string) string {
	before, chained, n, found := "", 0, 0, false
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
		found = found || before == head
	}
	switch {
	case head == "" && chained > 1:
		return "the file that names its newest entry is gone"
	case head != "" && head != torn && !found:
		return "the newest entries were changed or taken out"
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
