package remote

// Messages of other machines are limited in size before they are parsed, and cleaned before they are shown.

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"gatehouse/model"
	"gatehouse/model/line"
)

// Limits of messages, in bytes.
const (
	packedLimit   = 384 << 10 // of a packed document; a hub takes a megabyte
	documentLimit = 8 << 20   // of a document. A build of 10,000 nodes has three million
	presenceLimit = 16 << 10
	requestLimit  = 192 << 10 // the longest text of a human is 64 KiB
	replyLimit    = 16 << 20
	packFrom      = 4 << 10 // longer messages are packed
)

// Limits within a message.
const (
	maxDepth  = 100     // nesting depth of its nodes
	maxValues = 400_000 // number of values: the parser may allocate a whole node for a number
	maxObject = 200_000 // number of objects among them
	maxText   = 16 << 10
	maxName   = 4096
	maxCount  = 1<<31 - 1 // of whole numbers that count something
	maxLong   = 1 << 50   // of sizes and durations
)

var (
	errOlder   = errors.New("gatehouse there is older than here; update it there")
	errNewer   = errors.New("gatehouse there is newer than here; update it here")
	errTooMuch = errors.New("it has too many values")
)

// checkVersion fails if the version of a message is not the one that is read here, and says which machine to update.
func checkVersion(sent, read int) error {
	switch {
	case sent < read:
		return errOlder
	case sent > read:
		return errNewer
	}
	return nil
}

// parseMessage parses a message of at most limit bytes, which may be packed, into v, and returns its size, packed or
// not, whichever is larger.
func parseMessage(data []byte, limit int, v any) (size int, err error) {
	if size = len(data); size > limit {
		return 0, fmt.Errorf("it has %d bytes, and 1 to %d are allowed", size, limit)
	}
	if data, err = unpackMessage(data, limit); err != nil {
		return 0, errors.New("it is packed in a way that can't be read")
	}
	if len(data) == 0 || len(data) > limit {
		return 0, fmt.Errorf("it has %d bytes, and 1 to %d are allowed", len(data), limit)
	}
	if err := checkShape(data); err != nil {
		return 0, err
	}
	if json.Unmarshal(data, v) != nil {
		return 0, errors.New("it is no document of gatehouse")
	}
	return max(size, len(data)), nil
}

// checkShape fails for a message of too many values, before memory is allocated for them. Signs within texts count, too.
func checkShape(data []byte) error {
	if bytes.Count(data, []byte{','})+bytes.Count(data, []byte{'['}) > maxValues || bytes.Count(data, []byte{'{'}) > maxObject {
		return errTooMuch
	}
	return nil
}

// packers keeps writers, which allocate a megabyte each.
var packers = sync.Pool{New: func() any {
	w, _ := gzip.NewWriterLevel(nil, gzip.BestSpeed) // the level is valid, so there is no error
	return w
}}

// packMessage packs a message if that is worth it, and unpackMessage returns the original, or a byte more than the limit.
func packMessage(data []byte) []byte {
	if len(data) < packFrom {
		return data
	}
	var b bytes.Buffer
	w := packers.Get().(*gzip.Writer)
	defer packers.Put(w)
	w.Reset(&b)
	w.Write(data)
	w.Close()
	return b.Bytes()
}

func unpackMessage(data []byte, limit int) ([]byte, error) {
	if !bytes.HasPrefix(data, []byte{0x1f, 0x8b}) {
		return data, nil
	}
	z, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		return nil, err
	}
	return io.ReadAll(io.LimitReader(z, int64(limit)+1))
}

// exact lists the fields that identify something to the host. They are not cleaned, because they are sent back. The code that draws them
// cleans them, like file names.
var exact = map[string]bool{
	"ID": true, "Node": true, "Nodes": true, "Build": true, "Project": true, "Dir": true, "File": true, "Root": true, "Now": true, "Undoes": true,
	"Host": true, "DependsOn": true, "BlockedBy": true, "Opens": true, "Session": true, "Held": true,
}

// bodies lists the fields with texts of many lines. A human decides about them, so they are never cut.
var bodies = map[string]bool{"Plan": true, "Preview": true, "Input": true, "Diff": true, "Message": true}

// decoder cleans a parsed message in place.
type decoder struct {
	ahead time.Duration // how far the host's clock is ahead of ours
	err   error         // the first error
}

func (d *decoder) setError(text string) {
	if d.err == nil {
		d.err = errors.New(text)
	}
}

// cleanValue cleans everything below v.
func (d *decoder) cleanValue(v reflect.Value) { d.cleanField(v, "") }

func (d *decoder) cleanField(v reflect.Value, name string) {
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() {
			d.cleanField(v.Elem(), name)
		}
	case reflect.Slice, reflect.Array:
		if v.Type().Elem().Kind() == reflect.Uint8 { // a document in a reply is decoded separately
			return
		}
		for i := range v.Len() {
			if v.Index(i).Kind() == reflect.Pointer && v.Index(i).IsNil() {
				d.setError("a list in it holds null")
			}
			d.cleanField(v.Index(i), name)
		}
	case reflect.Struct:
		if v.Type() == reflect.TypeFor[time.Time]() {
			t := v.Addr().Interface().(*time.Time)
			*t = byOurClock(*t, d.ahead)
			return
		}
		for _, f := range fieldsOf(v.Type()) {
			d.cleanField(v.Field(f.at), f.name)
		}
	case reflect.Int, reflect.Int32:
		v.SetInt(min(max(v.Int(), 0), maxCount))
	case reflect.Int64:
		v.SetInt(min(max(v.Int(), 0), maxLong))
	case reflect.Float64, reflect.Float32:
		v.SetFloat(min(max(v.Float(), -maxLong), maxLong))
	case reflect.String:
		switch {
		case bodies[name]:
			v.SetString(cleanBody(v.String()))
		case !exact[name]:
			v.SetString(cleanText(v.String()))
		case len(v.String()) > maxName || strings.ContainsRune(v.String(), 0) || !utf8.ValidString(v.String()):
			d.setError("a name in it is none")
		}
	}
}

// sentField is a field of a struct that is sent.
type sentField struct {
	at   int
	name string
}

var sentFields sync.Map // of reflect.Type: []sentField

// fieldsOf returns the fields of a struct that are sent. A standing is sent as flags of the nodes and waits that have one.
func fieldsOf(t reflect.Type) []sentField {
	if known, ok := sentFields.Load(t); ok {
		return known.([]sentField)
	}
	var all []sentField
	for i := range t.NumField() {
		if f := t.Field(i); f.IsExported() && (f.Tag.Get("json") != "-" || f.Type == reflect.TypeFor[model.Standing]()) {
			all = append(all, sentField{i, f.Name})
		}
	}
	sentFields.Store(t, all)
	return all
}

// earliest and latest limit times, so that they can be written as JSON in any zone.
var earliest, latest = time.Date(1, 1, 3, 0, 0, 0, 0, time.UTC), time.Date(9999, 12, 29, 0, 0, 0, 0, time.UTC)

// byOurClock converts a time of a host whose clock is ahead of ours; the result is zero if it can't be written as JSON.
func byOurClock(t time.Time, ahead time.Duration) time.Time {
	if ours := t.Add(-ahead); !t.IsZero() && !ours.Before(earliest) && !ours.After(latest) {
		return ours
	}
	return time.Time{}
}

// cleanText returns a text of another machine, cleaned and cut to a length that a screen can use.
func cleanText(s string) string { return cutText(line.Clean(cutText(s, maxText)), maxText) }

// cleanBody returns a text of many lines.
func cleanBody(s string) string {
	lines := strings.Split(s, "\n")
	for i, l := range lines {
		lines[i] = line.Clean(l)
	}
	return strings.Join(lines, "\n")
}

// cutText returns at most n bytes of s, not ending within a character.
func cutText(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n]
}
