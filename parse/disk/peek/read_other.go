//go:build !(linux || darwin)

// Reading on systems without the calls that read_unix.go builds on, Windows above all: the same promises through os,
// which costs start-up time that is not measured there.

package peek

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// ReadFile returns the content of the regular file at path, at most limit bytes of it; truncated reports whether there
// was more, and the text may then end inside a character.
//
// The bytes are read into buf if they fit, else onto the heap. The caller must not use the part of buf that holds the text
// again.
//
// root limits symbolic links at path itself. With root "" they are followed freely. Else the real target of a link has
// to be in the directory root.
//
// The error is one of the package's Error constants or a *Failure.
func ReadFile(path, root string, buf []byte, limit int) (text string, truncated bool, err error) {
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
	if want := min(st.Size(), int64(limit)) + 1; want > int64(len(buf)) {
		buf = make([]byte, want)
	}
	if len(buf) > limit+1 {
		buf = buf[:limit+1]
	}
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

// Inside reports whether path is below the directory root, both real, absolute and clean; root itself does not count.
func Inside(path, root string) bool {
	rel, err := filepath.Rel(root, path)
	return err == nil && rel != "." && filepath.IsLocal(rel)
}

// RealPath returns the absolute path of the file or directory at path with all links resolved, and whether it is known.
func RealPath(path string) (real string, ok bool) {
	real, err := filepath.EvalSymlinks(path)
	return real, err == nil
}

// Exists reports whether path exists, following links.
func Exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

func isSubdir(dir, name string) bool {
	st, err := os.Lstat(filepath.Join(dir, name))
	return err == nil && st.IsDir()
}

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
