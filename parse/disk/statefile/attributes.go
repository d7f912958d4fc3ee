// Attributes that survive the replacement of a file: owner, permissions, access control lists and extended attributes.

package statefile

import (
	"cmp"
	"errors"
	"io/fs"
	"maps"
	"slices"
)

// attributeError is the error for an attribute of a file that can't be kept.
type attributeError struct {
	name string
	err  error
}

func (e attributeError) Error() string {
	if errors.Is(e.err, errors.ErrUnsupported) {
		return "it would lose its " + e.name
	}
	return "it would lose its " + e.name + ": " + reasonOf(e.err)
}

func (e attributeError) Unwrap() error { return e.err }

// errOwner is the error for a file that would lose its owner or group.
var errOwner = errors.New("it would lose its owner or group")

// takeAttributes gives a new file, still private to its owner, the attributes of the file that it will replace. It never allows
// more access than that one: it sets access lists before permissions, which limit the rights of a list, and first drops
// lists inherited from the directory.
func takeAttributes(f *File, from *version) error {
	if err := giveOwner(f, from); err != nil {
		return err
	}
	has, err := f.Attributes()
	if err != nil {
		return err
	}
	if _, wanted := from.attributes[accessList]; !wanted && has[accessList] != "" {
		if err := f.RemoveAttribute(accessList); err != nil {
			return attributeError{"permissions: those of its directory are added", err}
		}
	}
	later := map[string]error{} // they may come with the permissions, too
	for _, name := range slices.Sorted(maps.Keys(from.attributes)) {
		if value, is := has[name]; !is || value != from.attributes[name] {
			later[name] = f.SetAttribute(name, from.attributes[name])
		}
	}
	info, err := f.Stat()
	if mode := from.info.Mode(); err == nil && info.Mode() != mode {
		err = f.Chmod(mode &^ fs.ModeType)
	}
	if err != nil || len(from.attributes) == 0 {
		return err
	}
	if has, err = f.Attributes(); err != nil {
		return err
	}
	for name, value := range from.attributes {
		if now, is := has[name]; (!is || now != value) && isBinding(name) {
			return attributeError{name, cmp.Or(later[name], errors.ErrUnsupported)}
		}
	}
	return nil
}

// giveOwner gives a file the owner and group of another one. Only root can change the owner; another user with write access
// by group becomes the new owner, unless a list forbids it.
func giveOwner(f *File, from *version) error {
	info, err := f.Stat()
	if err != nil {
		return err
	}
	uid, gid := ownerOf(info)
	toUID, toGID := ownerOf(from.info)
	if uid == toUID && gid == toGID {
		return nil
	}
	err = f.Chown(toUID, toGID)
	if err != nil && uid != 0 && from.attributes[accessList] == "" {
		err = f.Chown(-1, toGID)
	}
	if errors.Is(err, fs.ErrPermission) {
		return errOwner
	}
	return err
}
