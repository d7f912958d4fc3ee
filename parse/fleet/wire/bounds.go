// What a message may be at most, looked at before anything of it is parsed.

package wire

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"
	"unicode/utf8"

	"gatehouse/model/line"
)

// Limits of messages, in bytes.
const (
	// SummaryLimit is that of a message under a key. A usual one has one or two thousand.
	SummaryLimit = 128 << 10
	// RequestLimit is that of a request: the longest text of a human is 64 KiB.
	RequestLimit = 192 << 10
	// PartSize is how many bytes a reply carries beside its head: with it well below the megabyte that a hub takes at most.
	PartSize = 256 << 10
	// ReplyLimit is that of a reply with what it carries.
	ReplyLimit = 1 << 20
	// WholeLimit is that of what comes in parts, unpacked. A tree of 10,000 nodes has three million.
	WholeLimit = 16 << 20
)

// Limits within a message.
const (
	maxDepth  = 100     // how deep its values are nested
	maxValues = 1 << 20 // how many values it has, and maxObjects how many of them are objects
	maxObject = 200_000
	// maxBare is how many values in its lists are no objects: a 1, or a list, may stand where a whole node is made of it. No form has lists of lists.
	maxBare = 100_000
	maxText = 16 << 10 // bytes of one text, once cleaned
	maxName = 4096     // bytes of an ID or path
)

var (
	// ErrNewer is what messages of a higher version are refused with.
	ErrNewer = errors.New("it speaks a newer form than this gatehouse; update this one")
	// errEmpty is a message without anything in it.
	errEmpty = errors.New("it is empty")
)

// unpack parses a message of at most limit bytes into v.
func unpack(data []byte, limit int, v any) error {
	switch {
	case len(data) == 0:
		return errEmpty
	case len(data) > limit:
		return fmt.Errorf("it has %d bytes, %d are the most", len(data), limit)
	}
	if err := scan(data); err != nil {
		return err
	}
	if err := json.Unmarshal(data, v); err != nil {
		return unfit(err)
	}
	return nil
}

// unfit returns that a message has other values than its form.
func unfit(err error) error {
	return fmt.Errorf("it is not as it should be: %s", line.Clean(err.Error()))
}

// scan counts what a message would be made into, without making it: a few megabytes can stand for gigabytes.
func scan(data []byte) error {
	var lists [maxDepth + 1]bool // whether what is open at a depth is a list
	depth, values, objects, bare := 0, 1, 0, 0
	begins := false // a value of a list may begin here
	for i := 0; i < len(data); i++ {
		c := data[i]
		if c == ' ' || c == '\t' || c == '\r' || c == '\n' {
			continue
		}
		if begins && c != '{' && c != ']' {
			bare++
			if c == 'n' {
				return errors.New("a list in it holds nothing where something belongs")
			}
		}
		begins = false
		switch c {
		case '"':
			for i++; i < len(data) && data[i] != '"'; i++ {
				if data[i] == '\\' {
					i++
				}
			}
		case '{', '[':
			if depth++; depth > maxDepth {
				return errTooMuch
			}
			values++
			if lists[depth] = c == '['; !lists[depth] {
				objects++
			}
			begins = lists[depth]
		case '}', ']':
			depth = max(depth-1, 0)
		case ',':
			values++
			begins = lists[depth]
		}
		if values > maxValues || objects > maxObject || bare > maxBare {
			return errTooMuch
		}
	}
	return nil
}

var errTooMuch = errors.New("it is nested too deeply, or into too many values")

// pack returns v as a message.
func pack(v any) []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil { // the types of this package are made of texts, numbers and times
		panic(err)
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n"))
}

// text returns a text of a stranger for the model: clean, and not longer than a screen could use.
func text(s string) string {
	if len(s) > maxText { // before it is cleaned, and then once more
		s = cut(s, maxText)
	}
	if s = line.Clean(s); len(s) > maxText {
		s = cut(s, maxText)
	}
	return s
}

// cut returns at most n bytes of s, not ending within a character.
func cut(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n]
}

// name returns an ID or a path of a stranger: as it is, for it has to mean the same to its host again, unless it is one that
// no host can have.
func name(s string) (string, error) {
	if len(s) > maxName || strings.ContainsRune(s, 0) || !utf8.ValidString(s) {
		return "", errors.New("a name in it is none")
	}
	return s, nil
}

// earliest and latest bound times, so that they can be written as JSON in any zone.
var earliest, latest = time.Date(1, 1, 3, 0, 0, 0, 0, time.UTC), time.Date(9999, 12, 29, 0, 0, 0, 0, time.UTC)
