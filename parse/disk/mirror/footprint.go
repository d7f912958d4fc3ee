package mirror

import (
	"reflect"
	"time"
	"unsafe"
)

// footprint returns about how many bytes a value keeps in memory that was made
// from a text: all that it leads to, and apart from that what was cut out of
// the text. What it can't look into (functions, channels) counts nothing.
func footprint(v any, text string) (size, parts int) {
	w := walk{text: text, seen: map[unsafe.Pointer]bool{}}
	if v == nil {
		return 0, 0
	}
	r := reflect.ValueOf(v)
	w.size = int(r.Type().Size())
	w.value(r)
	return w.size, w.parts
}

// walk is a footprint being measured.
type walk struct {
	text  string
	parts int                     // bytes of the parts of the text
	size  int                     // of all else
	seen  map[unsafe.Pointer]bool // what pointers and maps led to
}

// value counts what a value leads to; the value itself is counted already.
func (w *walk) value(v reflect.Value) {
	switch v.Kind() {
	case reflect.String:
		w.string(v.String())
	case reflect.Pointer:
		if v.IsNil() || w.been(v.UnsafePointer()) {
			return
		}
		w.size += int(v.Type().Elem().Size())
		w.value(v.Elem())
	case reflect.Interface:
		if !v.IsNil() {
			w.size += int(v.Elem().Type().Size())
			w.value(v.Elem())
		}
	case reflect.Struct:
		if v.Type() == aTime {
			return // of which the places in the world are shared
		}
		for i := range v.NumField() {
			if f := v.Field(i); leads(f.Kind()) {
				w.value(f)
			}
		}
	case reflect.Slice:
		w.size += v.Cap() * int(v.Type().Elem().Size())
		w.elements(v)
	case reflect.Array:
		w.elements(v)
	case reflect.Map:
		w.entries(v)
	}
}

var aTime = reflect.TypeFor[time.Time]()

func (w *walk) elements(v reflect.Value) {
	if leads(v.Type().Elem().Kind()) {
		for i := range v.Len() {
			w.value(v.Index(i))
		}
	}
}

// mapEntry is about what a map takes for an entry beside its key and value, and for itself.
const mapEntry, mapBare = 8, 256

func (w *walk) entries(v reflect.Value) {
	if v.IsNil() || w.been(v.UnsafePointer()) {
		return
	}
	t := v.Type()
	w.size += mapBare + v.Len()*(mapEntry+int(t.Key().Size()+t.Elem().Size()))
	for i := v.MapRange(); i.Next(); {
		w.value(i.Key())
		w.value(i.Value())
	}
}

// string counts a string.
func (w *walk) string(s string) {
	if w.within(s) {
		w.parts += len(s)
	} else {
		w.size += len(s)
	}
}

// within reports whether a string is a part of the text, and so keeps all of it in memory.
func (w *walk) within(s string) bool {
	if s == "" {
		return false
	}
	start := uintptr(unsafe.Pointer(unsafe.StringData(w.text)))
	at := uintptr(unsafe.Pointer(unsafe.StringData(s)))
	return at >= start && at < start+uintptr(len(w.text))
}

// been reports whether what is at an address was counted, and has it count as counted.
func (w *walk) been(at unsafe.Pointer) bool {
	if w.seen[at] {
		return true
	}
	w.seen[at] = true
	return false
}

// leads reports whether a value of a kind may lead to more than itself.
func leads(k reflect.Kind) bool {
	switch k {
	case reflect.String, reflect.Pointer, reflect.Interface, reflect.Struct, reflect.Slice, reflect.Array, reflect.Map:
		return true
	}
	return false
}
