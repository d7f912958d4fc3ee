// Small files of gatehouse's own, which no agent writes and no other user may read.

package statefile

import (
	"cmp"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
)

// IsOwn reports whether a file belongs to this user. It is true on systems that do not report the owner.
func IsOwn(info fs.FileInfo) bool {
	uid, _ := ownerOf(info)
	return uid < 0 || uid == os.Geteuid()
}

// Trusted returns the reason not to trust a file or directory of Gatehouse's own: another user could have written it.
func Trusted(info fs.FileInfo) error {
	switch {
	case !IsOwn(info):
		return errors.New("belongs to another user; remove it, or set XDG_STATE_HOME to a directory of yours")
	case info.Mode().Perm()&0o022 != 0 && runtime.GOOS != "windows": // which reports 0777 for every directory
		return errors.New("can be written by other users; run chmod go-w on it, and look at what it holds")
	}
	return nil
}

// CreateOwn makes a file, complete from the first moment, and the directories above it. It fails with [fs.ErrExist] if
// there is one.
func CreateOwn(path string, content []byte) error { return putOwn(path, content, os.Link) }

// ReplaceOwn is CreateOwn for a file that may be there: it is replaced in one step.
func ReplaceOwn(path string, content []byte) error { return putOwn(path, content, os.Rename) }

// putOwn writes a temporary file next to the final path and renames it. When it returns, the file is safe from a power
// failure.
func putOwn(path string, content []byte, place func(old, new string) error) error {
	dir := filepath.Dir(path)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	f, err := os.CreateTemp(dir, ".new-*") // 0600
	if err != nil {
		return err
	}
	defer os.Remove(f.Name())
	if _, err = f.Write(content); err == nil {
		err = f.Sync()
	}
	if err = cmp.Or(err, f.Close()); err == nil {
		err = place(f.Name(), path)
	}
	if d, no := os.Open(dir); err == nil && no == nil {
		d.Sync() // a failure does not affect the file, which is already visible; not every system supports it
		d.Close()
	}
	return err
}
