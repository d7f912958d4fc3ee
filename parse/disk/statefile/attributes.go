// What a file keeps besides its content when it is replaced: owner, permissions, access control lists and extended attributes.

package statefile

import (
	"cmp"
	"errors"
	"io/fs"
	"maps"
	"slices"
)

// attributeError says that an attribute of a file can't be kept.
type attributeError struct {
	name string
	err  error
}

func (e attributeError) Error() string {
	if errors.Is(e.err, errors.ErrUnsupported) {
		return "it would lose its " + e.name
	}
	return "it would lose its " + e.name + ": " + reason(e.err)
}

func (e attributeError) Unwrap() error { return e.err }

// errOwner says that a file would not stay with the people it belongs to.
var errOwner = errors.New("it would lose its owner or group")

// take gives a new file, which nobody but its owner may open yet, what the file has that it is to replace. At no moment may
// anybody do more with it than with that one: its lists come before its permissions, which stand for the most that such a
// list gives, and lists that it has from its directory alone go before them.
func take(f File, from *version) error {
	if err := give(f, from); err != nil {
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
		if now, is := has[name]; (!is || now != value) && binding(name) {
			return attributeError{name, cmp.Or(later[name], errors.ErrUnsupported)}
		}
	}
	return nil
}

// give gives a file the owner and group of another one. The owner only root can give away; whoever else may write a file by
// its group becomes its owner, where no list says otherwise.
func give(f File, from *version) error {
	info, err := f.Stat()
	if err != nil {
		return err
	}
	uid, gid := owner(info)
	toUID, toGID := owner(from.info)
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
