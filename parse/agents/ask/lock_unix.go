//go:build linux || darwin || freebsd || netbsd || openbsd

package ask

import (
	"os"
	"syscall"
)

// lock takes the lock of a file for as long as the process runs and keeps it open.
func lock(f *os.File) error { return flock(f, syscall.LOCK_EX|syscall.LOCK_NB) }

// held reports whether somebody holds the lock of a file. Those who only look share a lock, and so are none to each other.
func held(f *os.File) bool {
	if flock(f, syscall.LOCK_SH|syscall.LOCK_NB) != nil {
		return true // a file system without locks tells nothing, and then nothing is swept
	}
	flock(f, syscall.LOCK_UN)
	return false
}

func flock(f *os.File, how int) error {
	for {
		if err := syscall.Flock(int(f.Fd()), how); err != syscall.EINTR {
			return err
		}
	}
}

// own reports whether a file is this user's, with nothing for others: what somebody else has put there is not read.
func own(info os.FileInfo) bool {
	st, ok := info.Sys().(*syscall.Stat_t)
	return !ok || int(st.Uid) == os.Geteuid()
}

// exposed reports whether others than its owner may write into a directory.
func exposed(info os.FileInfo) bool { return info.Mode().Perm()&0o022 != 0 }
