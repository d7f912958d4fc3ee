package statefile

import (
	"encoding/binary"
	"errors"
	"runtime"
	"strings"
	"syscall"
	"unsafe"

	"golang.org/x/sys/unix"
)

const noAttribute = unix.ENOATTR

// accessList represents an access control list, which macOS does not list among the attributes. No call sets one
// without C, so a file with one is not replaced.
const accessList = "access control list"

// isBinding reports whether a file must not lose an attribute. Those of the system's own (com.apple.) are kept as far as the
// user may.
func isBinding(name string) bool { return !strings.HasPrefix(name, "com.apple.") }

// isContentBound reports whether an attribute is bound to the content; none is here.
func isContentBound(string) bool { return false }

// isFixed reports whether an attribute can't be set by any call.
func isFixed(name string) bool { return name == accessList }

// addAccess adds the access control list, as its bytes, if there is one.
func (f *File) addAccess(all Attributes) error {
	list, err := accessOf(int(f.Fd()))
	if list != "" {
		all[accessList] = list
	}
	return err
}

// attributeList is struct attrlist of getattrlist(2).
type attributeList struct {
	count, _                               uint16
	common, volume, directory, file, forks uint32
}

// accessOf returns the access control list of an open file, "" for none.
func accessOf(fd int) (string, error) {
	want := attributeList{count: unix.ATTR_BIT_MAP_COUNT, common: unix.ATTR_CMN_EXTENDED_SECURITY}
	buf := make([]byte, 16<<10) // 128 entries, the most there are, take 3 KiB
	_, _, errno := syscall.Syscall6(unix.SYS_FGETATTRLIST, uintptr(fd), uintptr(unsafe.Pointer(&want)), uintptr(unsafe.Pointer(&buf[0])), uintptr(len(buf)), 0, 0)
	runtime.KeepAlive(&want)
	switch {
	case errno == 0:
		return accessIn(buf), nil
	case errors.Is(errno, unix.ENOTSUP), errors.Is(errno, unix.EINVAL), errors.Is(errno, unix.ENOSYS):
		return "", nil // no such lists on this file system
	}
	return "", attributeError{accessList, errno}
}

// accessIn returns the access control list in the result of fgetattrlist(2): its length, then the offset of the struct
// kauth_filesec, counted from that place, and its size. In that, behind a magic number and the IDs of owner and group,
// come the number of entries, flags, and the entries.
func accessIn(buf []byte) string {
	const entries, none = 4 + 16 + 16, 0xffffffff
	at, length := int(int32(binary.NativeEndian.Uint32(buf[4:])))+4, int(binary.NativeEndian.Uint32(buf[8:]))
	if length < entries+4 || at < 12 || at > len(buf)-length {
		return ""
	}
	security := buf[at : at+length]
	if n := binary.NativeEndian.Uint32(security[entries:]); n == 0 || n == none {
		return ""
	}
	return string(security[entries:])
}
