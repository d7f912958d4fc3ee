//go:build linux || darwin || freebsd || netbsd || openbsd

package statusline

import (
	"syscall"
	"unsafe"

	"gatehouse/parse/disk/peek"
)

// ReadInput reads the agent's JSON from the open file fd: until it ends, until it is a whole object, or until
// 200 milliseconds are over, whichever comes first. It returns nil if the input is not an object or is larger than
// inputLimit.
//
// It reads nothing from a terminal: trying the layout by hand gives the result of an empty object. Other devices, such
// as /dev/null, count as empty.
func ReadInput(fd int) []byte {
	var st syscall.Stat_t
	if syscall.Fstat(fd, &st) != nil {
		return nil
	}
	if st.Mode&syscall.S_IFMT == syscall.S_IFCHR {
		if peek.TerminalName(fd) != "" {
			return []byte("{}")
		}
		return nil
	}
	buf := make([]byte, inputLimit+1)
	n, end := 0, newDeadline(inputWait)
	for n < len(buf) {
		// Read available input without a look at the clock; before waiting, check whether the input is already
		// complete.
		if !isReadable(fd, 0) && (isWholeObject(buf[:n]) || !end.waitReadable(fd)) {
			break
		}
		m, err := syscall.Read(fd, buf[n:])
		if (err == syscall.EINTR || err == syscall.EAGAIN) && end.timeLeft() > 0 {
			continue
		}
		if err != nil || m <= 0 {
			break
		}
		n += m
	}
	if n == 0 || n > inputLimit {
		return nil
	}
	return buf[:n]
}

// deadline is a point in time by the system's clock, in microseconds, and how long ago at most it was set.
type deadline struct{ at, total int64 }

// newDeadline returns the time so many milliseconds from now.
func newDeadline(milliseconds int64) deadline {
	return deadline{now() + milliseconds*1000, milliseconds * 1000}
}

// timeLeft returns how many microseconds are left, 0 after the deadline. If the clock was changed in between, the wait ends: better no line
// than a prompt that waits.
func (d deadline) timeLeft() int64 {
	left := d.at - now()
	if left < 0 || left > d.total {
		return 0
	}
	return left
}

// waitReadable waits until something can be read from fd, its end included, and reports false when the time was over first.
func (d deadline) waitReadable(fd int) bool {
	for left := d.timeLeft(); left > 0; left = d.timeLeft() {
		if isReadable(fd, left) {
			return true
		}
	}
	return false
}

func now() int64 {
	var tv syscall.Timeval
	if syscall.Gettimeofday(&tv) != nil {
		return 0
	}
	return int64(tv.Sec)*1_000_000 + int64(tv.Usec)
}

// isReadable waits at most so many microseconds until something can be read from fd, its end included. It may return false
// earlier.
func isReadable(fd int, microseconds int64) bool {
	var set syscall.FdSet
	const wordBits = 8 * unsafe.Sizeof(uintptr(0))
	if fd < 0 || uintptr(fd) >= 8*unsafe.Sizeof(set) {
		return false
	}
	// The kernel's set is a row of machine words on every system, regardless of the names in package syscall.
	words := (*[unsafe.Sizeof(set) / unsafe.Sizeof(uintptr(0))]uintptr)(unsafe.Pointer(&set))
	word, bit := uintptr(fd)/wordBits, uintptr(1)<<(uintptr(fd)%wordBits)
	words[word] = bit
	tv := syscall.NsecToTimeval(microseconds * 1000)
	return selectRead(fd, &set, &tv) == nil && words[word]&bit != 0
}
