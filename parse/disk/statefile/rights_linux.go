package statefile

import "golang.org/x/sys/unix"

// accessList is the access control list of POSIX. With one, the bits of the group in a file's mode are not the rights of its
// group but the most that any entry of the list has.
const accessList = "system.posix_acl_access"

// hasAccessList reports whether more than the mode grants access to the file.
func (f *File) hasAccessList() bool {
	n, err := unix.Fgetxattr(int(f.Fd()), accessList, nil)
	return err == nil && n > 0
}

// removeAccessList takes the list off a new file, which has it from its directory.
func (f *File) removeAccessList() error {
	return f.system.do("remove attribute", func() error { return unix.Fremovexattr(int(f.Fd()), accessList) })
}
