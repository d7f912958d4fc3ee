package protocol

import "gatehouse/parse/doc"

// Keys of the name of an object in a list of names.
var (
	NameKeys = []string{"skillId", "id", "name", "skill"}
	FileKeys = []string{"file", "path", "name"}
)

// NameOf returns a string, or the first string among the keys of an object.
func NameOf(v doc.Value, keys ...string) (name string, ok bool) {
	if v.Is(doc.String) {
		return v.Text(), true
	}
	for _, key := range keys {
		if field := v.Get(key); field.Is(doc.String) {
			return field.Text(), true
		}
	}
	return "", false
}

// Names returns the names in a list. isWhole is false if it is not a list, or if an element has no name.
func Names(list doc.Value, keys ...string) (all []string, isWhole bool) {
	if !list.Is(doc.List) {
		return nil, false
	}
	isWhole = true
	for v := range list.Children() {
		name, ok := NameOf(v, keys...)
		if isWhole = isWhole && ok; ok {
			all = append(all, name)
		}
	}
	return all, isWhole
}

// RequiredNames returns the deliverables in a value of any shape: an unusual form must not drop a gate's requirement.
// An element without a name is required as a file that can't exist.
func RequiredNames(v doc.Value) (all []string) {
	name, isNamed := NameOf(v, FileKeys...)
	switch {
	case v.IsEmpty():
	case isNamed && name != "":
		all = append(all, name)
	case !isNamed && (v.Is(doc.List) || v.Is(doc.Map)):
		for element := range v.Children() {
			if element.Is(doc.Null) {
				all = append(all, "./no name: null")
			}
			all = append(all, RequiredNames(element)...)
		}
	default:
		all = append(all, "./no name: "+v.Raw())
	}
	return all
}
