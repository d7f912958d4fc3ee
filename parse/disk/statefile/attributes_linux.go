package statefile

import (
	"strings"

	"golang.org/x/sys/unix"
)

const noAttribute = unix.ENODATA

// accessList is the access control list of POSIX. With one, the bits of the group in a file's mode are not the rights of its
// group but the most that anybody named in the list has.
const accessList = "system.posix_acl_access"

// binding reports whether a file must not lose an attribute: what its user has put there (user.) and who may do what with it
// (system.). Labels of security modules (security.) and what belongs to the system or the file system are kept as far as
// the user may.
func binding(name string) bool {
	return strings.HasPrefix(name, "user.") || strings.HasPrefix(name, "system.")
}

// passing reports whether an attribute ends with the content it stands beside: signatures of it, and rights of a program that
// the kernel takes away itself when somebody writes to its file.
func passing(name string) bool {
	switch name {
	case "security.ima", "security.evm", "security.capability":
		return true
	}
	return false
}

// fixed reports whether there is no call by which an attribute is set.
func fixed(string) bool { return false }

// addAccess adds access control lists that are not listed; here all are.
func (f diskFile) addAccess(Attributes) error { return nil }
