package statefile

import (
	"strings"

	"golang.org/x/sys/unix"
)

const noAttribute = unix.ENODATA

// accessList is the access control list of POSIX. With one, the bits of the group in a file's mode are not the rights of its
// group but the most that any entry of the list has.
const accessList = "system.posix_acl_access"

// isBinding reports whether a file must not lose an attribute: attributes set by its user (user.) and access rights
// (system.). Labels of security modules (security.) and attributes of the system or the file system are kept as far as
// the user may.
func isBinding(name string) bool {
	return strings.HasPrefix(name, "user.") || strings.HasPrefix(name, "system.")
}

// isContentBound reports whether an attribute is bound to the content: signatures of it, and privileges of a program that the
// kernel itself removes on a write to its file.
func isContentBound(name string) bool {
	switch name {
	case "security.ima", "security.evm", "security.capability":
		return true
	}
	return false
}

// isFixed reports whether an attribute can't be set by any call.
func isFixed(string) bool { return false }

// addAccess adds access control lists that are not listed; here all are.
func (f *File) addAccess(Attributes) error { return nil }
