//go:build !linux && !darwin && !freebsd && !netbsd && !openbsd

package ask

import (
	"os"
)

// lock does nothing: a file that is open keeps others from removing it here, which is as much as is needed.
func lock(*os.File) error { return nil }

// held reports that the asker of a file runs: nothing tells, and so nothing is swept before its time.
func held(*os.File) bool { return true }

// own reports that a file is this user's: who else may write is up to the rights of the directory.
func own(os.FileInfo) bool { return true }

// exposed reports that only its owner may write into a directory: its bits do not tell here.
func exposed(os.FileInfo) bool { return false }
