// What a stranger has sent, as the model may have it: every text cleaned and cut, every number brought into its range, every time
// by our clock.

package wire

import (
	"fmt"
	"reflect"
	"strings"
	"sync"
	"time"

	"gatehouse/model"
	"gatehouse/model/line"
)

// maxCount bounds whole numbers that count something, maxLong sizes in bytes and durations in milliseconds.
const (
	maxCount = 1<<31 - 1
	maxLong  = 1 << 50
)

// exact are the fields that name something to the host: they mean the same to it again, so they stay as they are, and none that no
// host can have is taken. Whoever draws them cleans them, as those of a file system.
var exact = map[string]bool{
	"ID": true, "Node": true, "Nodes": true, "Build": true, "Project": true, "Dir": true, "File": true, "Root": true, "Now": true, "Undoes": true,
	"DependsOn": true, "BlockedBy": true, "Opens": true, "Session": true, "Builds": true, "Held": true,
}

// bodies are the fields that hold texts of many lines, which are decided upon and never cut.
var bodies = map[string]bool{"Plan": true, "Preview": true, "Input": true, "Diff": true, "Message": true}

// decoder cleans what was parsed, in its place.
type decoder struct {
	ahead time.Duration // how far the host's clock is ahead of ours
	err   error         // the first contradiction
}

func (d *decoder) fail(format string, args ...any) {
	if d.err == nil {
		d.err = fmt.Errorf(format, args...)
	}
}

var timeType = reflect.TypeFor[time.Time]()

// clean cleans all that is below v, whatever it is.
func (d *decoder) clean(v reflect.Value) { d.field(v, "") }

// field cleans the value of a field.
func (d *decoder) field(v reflect.Value, name string) {
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() {
			d.field(v.Elem(), name)
		}
	case reflect.Slice, reflect.Array:
		for i := range v.Len() {
			d.field(v.Index(i), name)
		}
	case reflect.Map: // of counts, by the names of lists
		for _, k := range v.MapKeys() {
			n := v.MapIndex(k)
			v.SetMapIndex(k, reflect.Value{})
			if v.Len() < maxLists {
				v.SetMapIndex(reflect.ValueOf(text(k.String())), reflect.ValueOf(int(min(max(n.Int(), 0), maxCount))))
			}
		}
	case reflect.Struct:
		if v.Type() == timeType {
			t := v.Addr().Interface().(*time.Time)
			*t = ByOurClock(*t, d.ahead)
			return
		}
		for _, f := range fieldsOf(v.Type()) {
			d.field(v.Field(f.at), f.name)
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
			v.SetString(body(v.String()))
		case exact[name]:
			v.SetString(d.name(v.String()))
		default:
			v.SetString(text(v.String()))
		}
	}
}

// sentField is a field of a struct that is sent.
type sentField struct {
	at   int
	name string
}

// standingType is sent as flags of the nodes and waits that have one.
var standingType = reflect.TypeFor[model.Standing]()

var sentFields sync.Map // of reflect.Type: []sentField, found out once

// fieldsOf returns the fields of a struct that are sent.
func fieldsOf(t reflect.Type) []sentField {
	if known, ok := sentFields.Load(t); ok {
		return known.([]sentField)
	}
	var all []sentField
	for i := range t.NumField() {
		if f := t.Field(i); f.IsExported() && (f.Tag.Get("json") != "-" || f.Type == standingType) {
			all = append(all, sentField{i, f.Name})
		}
	}
	sentFields.Store(t, all)
	return all
}

// maxLists is of how many lists it may be said that something was left out.
const maxLists = 16

func (d *decoder) name(s string) string {
	s, err := name(s)
	if err != nil {
		d.fail("%w", err)
	}
	return s
}

// ByOurClock returns a time of a host whose clock is ahead of ours by so much; the zero time for one that can't be written as JSON then.
func ByOurClock(t time.Time, ahead time.Duration) time.Time {
	if ours := t.Add(-ahead); !t.IsZero() && !ours.Before(earliest) && !ours.After(latest) {
		return ours
	}
	return time.Time{}
}

// body returns a text of many lines for the model.
func body(s string) string {
	lines := strings.Split(s, "\n")
	for i, l := range lines {
		lines[i] = line.Clean(l)
	}
	return strings.Join(lines, "\n")
}
