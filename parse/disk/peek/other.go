//go:build !(linux || darwin)

// Reading on systems without the calls that unix.go builds on, Windows above all: the same promises through os,
// which costs start-up time that is not measured there.

package peek

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"
)

func readFile(path, root string, limit int) (text string, truncated bool, err error) {
	if root != "" {
		if err := checkLink(path, root); err != nil {
			return "", false, err
		}
	}
	f, st, err := openRegular(path)
	if err != nil {
		return "", false, err
	}
	defer f.Close()
	buf := make([]byte, min(st.Size(), int64(limit))+1)
	n, err := io.ReadFull(f, buf)
	if err != nil && err != io.EOF && err != io.ErrUnexpectedEOF {
		return "", false, &Failure{"read", err}
	}
	return string(buf[:min(n, limit)]), n > limit, nil
}

// openRegular opens the regular file at path.
func openRegular(path string) (f *os.File, st os.FileInfo, err error) {
	// Opening a named pipe could block; so the type is checked first, and again on the opened file.
	if st, err = os.Stat(path); err != nil {
		return nil, nil, reasonOf(err)
	}
	if !st.Mode().IsRegular() {
		return nil, nil, ErrNotRegular
	}
	if f, err = os.Open(path); err != nil {
		return nil, nil, reasonOf(err)
	}
	if st, err = f.Stat(); err != nil {
		err = &Failure{"stat", err}
	} else if !st.Mode().IsRegular() {
		err = ErrNotRegular
	}
	if err != nil {
		f.Close()
	}
	return f, st, err
}

// checkLink refuses a link at path whose target is not inside root.
func checkLink(path, root string) error {
	st, err := os.Lstat(path)
	if err != nil {
		return reasonOf(err)
	}
	if st.Mode()&fs.ModeSymlink == 0 {
		return nil
	}
	if _, err := os.Stat(path); err != nil {
		return reasonOf(err)
	}
	target, ok := RealPath(path)
	if ok {
		root, ok = RealPath(root)
	}
	if !ok || !Inside(target, root) {
		return ErrOutside
	}
	return nil
}

func realPath(path string) (real string, ok bool) {
	real, err := filepath.EvalSymlinks(path)
	return real, err == nil
}

func readPart(path string, at int64, buf []byte) (text string, err error) {
	f, st, err := openRegular(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	if at == atEnd {
		at = max(0, st.Size()-int64(len(buf)))
	}
	n, err := io.ReadFull(io.NewSectionReader(f, at, int64(len(buf))), buf)
	if err != nil && err != io.EOF && err != io.ErrUnexpectedEOF {
		return "", &Failure{"read", err}
	}
	return string(buf[:n]), nil
}

// Entries shows the names in the directory dir to see, in no order, until it has shown limit of them. ok is false when dir
// cannot be listed.
func Entries(dir string, limit int, see func(name string, t Type)) (ok bool) {
	f, err := os.Open(dir)
	if err != nil {
		return false
	}
	defer f.Close()
	for limit > 0 {
		names, err := f.Readdirnames(min(limit, 256))
		for _, name := range names {
			see(name, TypeUnknown)
		}
		limit -= len(names)
		if err != nil {
			return err == io.EOF
		}
	}
	return true
}

func lookAt(path string, follow bool) (info Info, ok bool) {
	look := os.Lstat
	if follow {
		look = os.Stat
	}
	st, err := look(path)
	if err != nil {
		return info, false
	}
	return Info{st.IsDir(), st.Mode()&fs.ModeSymlink != 0, st.Mode().IsRegular(), st.ModTime().UnixNano()}, true
}

// Pause waits for so many nanoseconds.
func Pause(nanoseconds int64) { time.Sleep(time.Duration(nanoseconds)) }

// TerminalName returns "": terminals have no path here.
func TerminalName(int) string { return "" }

// reasonOf turns an error of os into the package's own.
func reasonOf(err error) error {
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return ErrNotExist
	case errors.Is(err, fs.ErrPermission):
		return ErrPermission
	}
	return &Failure{"open", err}
}
