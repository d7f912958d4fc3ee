// The location and content of a file.

package statefile

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"gatehouse/parse/disk/peek"
)

// location is a file's name in a directory that is open.
type location struct {
	dir  *Directory
	home string // path of dir, absolute, all links resolved
	name string

	locked bool // we have its lock
}

func (p *location) path() string { return filepath.Join(p.home, p.name) }

// fault returns an error about the file.
func (p *location) fault(text, fix string, err error) error {
	return &Error{Path: p.path(), Text: text, Fix: fix, Err: err}
}

// enterTarget finds the location of a file.
func (s *Store) enterTarget(t Target) (*location, error) {
	for try := 1; ; try++ {
		real, ok := peek.RealPath(t.Path)
		if !ok {
			return nil, missingError(t.Path)
		}
		// Another Gatehouse process may just have replaced the file that RealPath opened, which then has a temporary name.
		if !temporary.MatchString(filepath.Base(real)) || try == displacedTries {
			return s.enterAt(t, filepath.Dir(real), filepath.Base(real))
		}
	}
}

// displacedTries limits the retries for a file whose name points to one of our temporary files.
const displacedTries = 16

// enterParent finds the location of a file to create.
func (s *Store) enterParent(t Target) (*location, error) {
	dir := filepath.Dir(t.Path)
	real, ok := peek.RealPath(dir)
	if !ok {
		return nil, missingError(dir)
	}
	return s.enterAt(t, real, filepath.Base(t.Path))
}

// enterAt opens the directory of a file, if the file may be in it.
func (s *Store) enterAt(t Target, home, name string) (*location, error) {
	p := &location{home: home, name: name}
	if !slices.ContainsFunc(t.Within, func(dir string) bool { return isWithin(p.path(), dir) }) {
		return nil, t.outsideError(p.path())
	}
	var err error
	if p.dir, err = s.system.Open(home); err != nil {
		return nil, &Error{Path: home, Text: "cannot be opened: " + reasonOf(err), Fix: "check the permissions of the directory", Err: err}
	}
	return p, nil
}

// Inside returns an error if a link leads the target to a forbidden place. A missing file is judged by the nearest
// existing directory above it.
func (t Target) Inside() error {
	for at := t.Path; ; at = filepath.Dir(at) {
		if real, ok := peek.RealPath(at); ok {
			if slices.ContainsFunc(t.Within, func(dir string) bool { return at == dir || isWithin(real, dir) }) {
				return nil
			}
			return t.outsideError(real)
		}
		if at == filepath.Dir(at) {
			return missingError(t.Path)
		}
	}
}

// isWithin reports whether a real path is below a directory.
func isWithin(path, dir string) bool {
	real, ok := peek.RealPath(dir)
	return ok && peek.Inside(path, real)
}

// outsideError returns the error for a target at a forbidden path, with the link that leads there.
func (t Target) outsideError(real string) error {
	e := &Error{Path: t.Path, Text: "leads out of the project, to " + real + ": nothing is written through it", Fix: "put the file itself there", Err: peek.ErrOutside}
	for _, dir := range t.Within {
		below, err := filepath.Rel(dir, t.Path)
		if err != nil || !filepath.IsLocal(below) {
			continue
		}
		at := dir
		for name := range strings.SplitSeq(filepath.ToSlash(filepath.Dir(below)), "/") {
			at = filepath.Join(at, name)
			if to, ok := peek.RealPath(at); ok && at != dir && !isWithin(to, dir) {
				e.Path = at
				e.Text = "is a link that leads out of the project, to " + to + ": nothing is written through it"
				e.Fix = "open the project there, or put the directory itself here"
				return e
			}
		}
	}
	return e
}

// missingError returns the reason why path has no real path.
func missingError(path string) error {
	_, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrPermission):
		return &Error{Path: path, Text: "may not be entered", Fix: "check the permissions of its directories", Err: err}
	case err == nil || errors.Is(err, fs.ErrNotExist):
		return &Error{Path: path, Text: "does not exist", Fix: "check the name", Err: fs.ErrNotExist}
	}
	return &Error{Path: path, Text: "cannot be found: " + reasonOf(err), Fix: "check the name", Err: err}
}

// version is the current state of a file.
type version struct {
	content string
	info    fs.FileInfo
}

// isSame reports whether both are the same file with the same content and rights.
func (f *version) isSame(g *version) bool {
	uid, gid := ownerOf(f.info)
	toUID, toGID := ownerOf(g.info)
	return f.content == g.content && os.SameFile(f.info, g.info) && f.info.Mode() == g.info.Mode() && uid == toUID && gid == toGID
}

// readVersion returns the current file. If it is to be replaced, read fails for a file without write permission: such a file
// must not be replaced either, though a rename would work.
func (p *location) readVersion(toReplace bool) (*version, error) {
	flag := os.O_RDONLY
	if toReplace {
		flag = os.O_RDWR
	}
	f, err := p.dir.OpenFile(p.name, flag, 0)
	switch {
	case errors.Is(err, errNotRegular):
		return nil, p.fault("is not a regular file", "remove what stands there", peek.ErrNotRegular)
	case errors.Is(err, fs.ErrNotExist):
		return nil, p.fault("does not exist", "check the name", err)
	case errors.Is(err, fs.ErrPermission) && !toReplace:
		return nil, p.fault("may not be read", "check its permissions", err)
	case errors.Is(err, fs.ErrPermission):
		return nil, p.fault("may not be written", "check its owner and permissions", err)
	case err != nil:
		return nil, p.fault("cannot be opened: "+reasonOf(err), "try again when that is mended", err)
	}
	defer f.Close()
	current := &version{}
	if current.info, err = f.Stat(); err == nil {
		var b []byte
		b, err = io.ReadAll(io.LimitReader(f, SizeLimit+1))
		current.content = string(b)
	}
	if err == nil && toReplace && linkCount(current.info) > 1 {
		p.sweepLitter() // a process was killed while a new file had two names
		current.info, err = f.Stat()
	}
	switch {
	case err != nil:
		return nil, p.fault("cannot be read: "+reasonOf(err), "try again when that is mended", err)
	case toReplace && current.info.Mode()&0o222 == 0:
		return nil, p.fault("is read-only", "make it writable if it is to be changed", fs.ErrPermission)
	case toReplace && f.hasAccessList():
		return nil, p.fault("has an access control list, which replacing it would drop", "write it by hand, or take the list off it", nil)
	case toReplace && linkCount(current.info) > 1:
		return nil, p.fault("has more than one hard link, which replacing it would cut", "make it a file of its own (copy it, and move the copy over it)", nil)
	}
	return current, p.acceptable(current.content)
}

// acceptable returns an error for a content that no state file has.
func (p *location) acceptable(content string) error {
	switch {
	case len(content) > SizeLimit:
		return p.fault("is larger than 8 MiB", "make it smaller; no file of that size is changed", nil)
	case strings.HasPrefix(content, "\xff\xfe"), strings.HasPrefix(content, "\xfe\xff"):
		return p.fault("is UTF-16", "save it as UTF-8", ErrNotText)
	case strings.IndexByte(content, 0) >= 0:
		return p.fault("is not text, it holds NUL bytes", "put back what belongs there", ErrNotText)
	}
	return nil
}

// Cause returns the operating system's error without the path, which is already known.
func Cause(err error) error {
	var path *fs.PathError
	var link *os.LinkError
	switch {
	case errors.As(err, &path):
		return path.Err
	case errors.As(err, &link):
		return link.Err
	}
	return err
}

// reasonOf returns [Cause] as text.
func reasonOf(err error) string { return Cause(err).Error() }
