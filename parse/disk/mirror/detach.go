package mirror

import (
	"reflect"
	"strings"
	"unsafe"
)

// keepsMost is how large a part of a text may be that a value keeps of it for the rest to be let go: half. A value that keeps more,
// such as a document that its editors go by, keeps all of it for hardly more.
const keepsMost = 2

// detach has a value that was just made from a text keep copies of the parts that were cut out of it, all in one piece, instead of
// the text as a whole: of a plan of some KiB little but names is shown. It returns how many bytes the value keeps then, where
// that were so many together with the parts. Nobody else may know the value yet.
func detach[T any](value *T, text string) (size int) {
	size, parts := footprint(*value, text)
	switch {
	case parts == 0:
		return size
	case parts > len(text)/keepsMost:
		return size + len(text)
	}
	d := detacher{walk: walk{text: text, seen: map[unsafe.Pointer]bool{}}}
	d.copies.Grow(parts)
	d.value(reflect.ValueOf(value).Elem())
	return size + parts
}

// detacher goes through a value as [walk] does, and replaces what it meets of the text.
type detacher struct {
	walk
	copies strings.Builder
}

// value replaces the parts of the text in a value that can be set.
func (d *detacher) value(v reflect.Value) {
	switch v.Kind() {
	case reflect.String:
		if s := v.String(); d.within(s) {
			from := d.copies.Len()
			d.copies.WriteString(s)
			v.SetString(d.copies.String()[from:])
		}
	case reflect.Pointer:
		if !v.IsNil() && !d.been(v.UnsafePointer()) {
			d.value(v.Elem())
		}
	case reflect.Interface:
		if !v.IsNil() {
			v.Set(d.copy(v.Elem()))
		}
	case reflect.Struct:
		if v.Type() == aTime {
			return
		}
		for i := range v.NumField() {
			if f := v.Field(i); leads(f.Kind()) {
				d.value(reflect.NewAt(f.Type(), f.Addr().UnsafePointer()).Elem()) // which can be set, exported or not
			}
		}
	case reflect.Slice, reflect.Array:
		if leads(v.Type().Elem().Kind()) {
			for i := range v.Len() {
				d.value(v.Index(i))
			}
		}
	case reflect.Map:
		if v.IsNil() || d.been(v.UnsafePointer()) {
			return
		}
		for i := v.MapRange(); i.Next(); {
			v.SetMapIndex(d.copy(i.Key()), d.copy(i.Value())) // a key that is equal takes the place of the one that is there
		}
	}
}

// copy returns a value without parts of the text, for one that can't be set.
func (d *detacher) copy(v reflect.Value) reflect.Value {
	if !leads(v.Kind()) {
		return v
	}
	c := reflect.New(v.Type()).Elem()
	c.Set(v)
	d.value(c)
	return c
}
