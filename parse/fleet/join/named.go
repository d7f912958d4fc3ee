// Which files are given away: those that are named by what is shown.

package join

import (
	"fmt"
	"path/filepath"
	"reflect"

	"gatehouse/model"
	"gatehouse/model/line"
	"gatehouse/parse/fleet/wire"
)

// text returns a file of a project that this host has joined. Whoever may look may ask for it, so it is given only where what is shown of
// the project names it: state files, plans, deliverables. What else lies beside them, as keys and .env, is nobody's elsewhere.
func (h *Host) text(r *wire.Request) ([]byte, error) {
	p, err := h.joined(r.Root)
	switch {
	case err != nil:
		return nil, err
	case !filepath.IsLocal(filepath.FromSlash(r.File)):
		return nil, &model.Refusal{Text: line.Clean(r.File) + " is no file of the project"}
	case !names(reflect.ValueOf(p), r.File):
		return nil, &model.Refusal{Text: fmt.Sprintf("%s does not give %s away: no build of %s names it", h.Name, line.Clean(r.File), line.Clean(p.Name)), Fix: "look at it on the host"}
	}
	text, err := h.Files.Text(r.Root, r.File)
	if text == "" && err != nil {
		return nil, err
	}
	return []byte(text), err
}

// names reports whether a part of the model names a file: in a field called File, as all of them are.
func names(v reflect.Value, file string) bool {
	switch v.Kind() {
	case reflect.Pointer:
		return !v.IsNil() && names(v.Elem(), file)
	case reflect.Slice:
		for i := range v.Len() {
			if names(v.Index(i), file) {
				return true
			}
		}
	case reflect.Struct:
		for i := range v.NumField() {
			switch f := v.Type().Field(i); {
			case !f.IsExported():
			case f.Name == "File" && f.Type.Kind() == reflect.String:
				if file != "" && v.Field(i).String() == file {
					return true
				}
			case names(v.Field(i), file):
				return true
			}
		}
	}
	return false
}
