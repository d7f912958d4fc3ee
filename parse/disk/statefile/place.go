// Where a file lies, what it holds, and writing beside it.

package statefile

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"gatehouse/parse/disk/peek"
)

// place is a file's name in a directory that is open.
type place struct {
	dir  directory
	home string // path of dir, absolute, all links resolved
	name string
}

func (p *place) path() string { return filepath.Join(p.home, p.name) }

// fault returns an error about the file.
func (p *place) fault(text, fix string, err error) error {
	return &Error{Path: p.path(), Text: text, Fix: fix, Err: err}
}

// enter finds the place of a file that exists.
func (s *Store) enter(t Target) (*place, error) {
	real, ok := peek.RealPath(t.Path)
	if !ok {
		return nil, missing(t.Path)
	}
	return s.enterAt(t, filepath.Dir(real), filepath.Base(real))
}

// enterParent finds the place of a file that is to be made.
func (s *Store) enterParent(t Target) (*place, error) {
	dir := filepath.Dir(t.Path)
	real, ok := peek.RealPath(dir)
	if !ok {
		return nil, missing(dir)
	}
	return s.enterAt(t, real, filepath.Base(t.Path))
}

// enterAt opens the directory of a file, where that is one of those the file may lie in.
func (s *Store) enterAt(t Target, home, name string) (*place, error) {
	p := &place{home: home, name: name}
	if !slices.ContainsFunc(t.Within, func(dir string) bool {
		real, ok := peek.RealPath(dir)
		return ok && peek.Inside(p.path(), real)
	}) {
		return nil, &Error{Path: t.Path, Text: "leads out of the project, to " + p.path(), Fix: "put the file itself there", Err: peek.ErrOutside}
	}
	var err error
	if p.dir, err = s.open(home); err != nil {
		return nil, &Error{Path: home, Text: "cannot be opened: " + reason(err), Fix: "check the permissions of the directory", Err: err}
	}
	return p, nil
}

// missing says why there is no real path of what should stand at path.
func missing(path string) error {
	_, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrPermission):
		return &Error{Path: path, Text: "may not be entered", Fix: "check the permissions of its directories", Err: err}
	case err == nil || errors.Is(err, fs.ErrNotExist):
		return &Error{Path: path, Text: "does not exist", Fix: "check the name", Err: fs.ErrNotExist}
	}
	return &Error{Path: path, Text: "cannot be found: " + reason(err), Fix: "check the name", Err: err}
}

// read returns what the file holds. With os.O_RDWR it fails for a file that may not be replaced: one that may not be written
// must not be either, though a rename would do it.
func (p *place) read(flag int) (content string, info fs.FileInfo, err error) {
	f, err := p.dir.OpenFile(p.name, flag, 0)
	switch {
	case errors.Is(err, errNotRegular):
		return "", nil, p.fault("is not a regular file", "remove what stands there", peek.ErrNotRegular)
	case errors.Is(err, fs.ErrNotExist):
		return "", nil, p.fault("does not exist", "check the name", err)
	case errors.Is(err, fs.ErrPermission) && flag == os.O_RDONLY:
		return "", nil, p.fault("may not be read", "check its permissions", err)
	case errors.Is(err, fs.ErrPermission):
		return "", nil, p.fault("may not be written", "check its owner and permissions", err)
	case err != nil:
		return "", nil, p.fault("cannot be opened: "+reason(err), "try again when that is mended", err)
	}
	defer f.Close()
	if info, err = f.Stat(); err == nil {
		var b []byte
		b, err = io.ReadAll(io.LimitReader(f, SizeLimit+1))
		content = string(b)
	}
	switch {
	case err != nil:
		return "", nil, p.fault("cannot be read: "+reason(err), "try again when that is mended", err)
	case flag != os.O_RDONLY && info.Mode()&0o222 == 0:
		return "", nil, p.fault("is read-only", "make it writable if it is to be changed", fs.ErrPermission)
	case flag != os.O_RDONLY && links(info) > 1:
		return "", nil, p.fault("has more than one hard link, which replacing it would cut", "make it a file of its own (copy it, and move the copy over it)", nil)
	}
	return content, info, p.acceptable(content)
}

// acceptable returns an error for a content that no state file has.
func (p *place) acceptable(content string) error {
	switch {
	case len(content) > SizeLimit:
		return p.fault("is larger than 5 MiB", "make it smaller; no file of that size is changed", nil)
	case strings.HasPrefix(content, "\xff\xfe"), strings.HasPrefix(content, "\xfe\xff"):
		return p.fault("is UTF-16", "save it as UTF-8", ErrNotText)
	case strings.IndexByte(content, 0) >= 0:
		return p.fault("is not text, it holds NUL bytes", "put back what belongs there", ErrNotText)
	}
	return nil
}

// attempt changes the file once, holding its lock. Its error is errAgain where another writer came between.
func (s *Store) attempt(ctx context.Context, p *place, change func(string) (string, error)) (Written, error) {
	l, err := s.lock(ctx, p)
	if err != nil {
		return Written{}, err
	}
	defer l.unlock()
	p.sweep(s.now())
	was, info, err := p.read(os.O_RDWR)
	if err != nil {
		return Written{}, err
	}
	content, err := change(was)
	if err == nil && content == was {
		err = ErrNothing
	}
	if err == nil {
		err = p.acceptable(content)
	}
	if err != nil {
		if now, _, again := p.read(os.O_RDONLY); again == nil && now != was {
			return Written{}, errAgain // what was judged may have been half of a file
		}
		return Written{}, err
	}
	temp := p.tempName()
	if err := p.writeNew(temp, content, info, true); err != nil {
		return Written{}, p.unwritten(err)
	}
	now, stands, err := p.read(os.O_RDWR)
	if err == nil && (now != was || !os.SameFile(info, stands) || info.Mode() != stands.Mode() || !l.held()) {
		err = errAgain
	}
	if err == nil {
		if err = p.dir.Rename(temp, p.name); err != nil {
			err = p.unwritten(err)
		}
	}
	if err != nil {
		p.dir.Remove(temp)
		return Written{}, err
	}
	// A failure is no failure of the write, which everybody sees already: only a loss of power could take it back.
	p.dir.Sync()
	return Written{Path: p.path(), Before: Hash(was), After: Hash(content), Content: content}, nil
}

// The names of temporary files begin with a dot and end in ".tmp": no pattern for state files takes them for one, and
// package watch does not look because of them.
const (
	tempMark = ".gatehouse-"
	tempEnd  = ".tmp"
)

// tempName returns a name for a file beside this one that nobody else uses.
func (p *place) tempName() string { return p.tempPrefix() + rand.Text() + tempEnd }

func (p *place) tempPrefix() string {
	name := p.name
	if len(name) > 100 { // so that the whole stays below the 255 bytes that file systems take
		name = Hash(name)[len("sha256:"):]
	}
	return "." + name + tempMark
}

// appear makes a file, which is there whole from the first moment, and fails with fs.ErrExist where there is one.
func (p *place) appear(name, content string, sync bool) error {
	temp := p.tempName()
	err := p.writeNew(temp, content, nil, sync)
	if err != nil {
		return err
	}
	err = p.dir.Link(temp, name)
	p.dir.Remove(temp)
	if err != nil && !errors.Is(err, fs.ErrExist) {
		// A file system without hard links. Written at its place it can be seen half, but replaces nothing either.
		err = p.writeNew(name, content, nil, sync)
	}
	return err
}

// writeNew writes a file that is new, with the owner and permissions of another one, or with those of any new file, and
// leaves none behind where it cannot.
func (p *place) writeNew(name, content string, like fs.FileInfo, sync bool) error {
	perm := fs.FileMode(0o666) // less what the user's mask takes away
	if like != nil {
		perm = 0o600 // nobody else reads it before it has its owner
	}
	f, err := p.dir.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, perm)
	if err != nil {
		return err
	}
	_, err = io.WriteString(f, content)
	if err == nil && like != nil {
		err = cmp.Or(give(f, like), f.Chmod(like.Mode()&^fs.ModeType))
	}
	if err == nil && sync {
		err = f.Sync()
	}
	if err = cmp.Or(err, f.Close()); err != nil {
		p.dir.Remove(name)
	}
	return err
}

// errOwner says that a file would not stay with the people it belongs to.
var errOwner = errors.New("it would lose its owner or group")

// give gives a file the owner and group of another one. The owner only root can give away; whoever else may write a file by
// its group becomes its owner.
func give(f file, like fs.FileInfo) error {
	info, err := f.Stat()
	if err != nil {
		return err
	}
	uid, gid := owner(info)
	toUID, toGID := owner(like)
	if uid == toUID && gid == toGID {
		return nil
	}
	err = f.Chown(toUID, toGID)
	if err != nil && uid != 0 {
		err = f.Chown(-1, toGID)
	}
	if errors.Is(err, fs.ErrPermission) {
		return errOwner
	}
	return err
}

// unwritten returns what is said when the operating system does not let the file be written.
func (p *place) unwritten(err error) error {
	if errors.Is(err, syscall.ENOSPC) || errors.Is(err, errQuota) {
		return p.fault("was not changed: "+reason(err), "free some space, then try again", err)
	}
	if errors.Is(err, errOwner) {
		return p.fault("was not changed: "+reason(err), "have its owner do it, or give the file to a group of yours", err)
	}
	if errors.Is(err, fs.ErrPermission) {
		return p.fault("was not changed, nothing may be written in its directory: "+reason(err), "check the permissions of "+p.home, err)
	}
	return p.fault("was not changed: "+reason(err), "try again when that is mended", err)
}

// sweep removes what writers of this file left behind that were killed, once it is so old that none of them can be at it.
func (p *place) sweep(now time.Time) {
	names, _ := p.dir.Names()
	for _, name := range names {
		if !strings.HasPrefix(name, p.tempPrefix()) || !strings.HasSuffix(name, tempEnd) {
			continue
		}
		if info, err := p.dir.Lstat(name); err == nil && info.Mode().IsRegular() && stale(now, info) {
			p.dir.Remove(name)
		}
	}
}

// reason returns what the operating system said, without the path, which has been said.
func reason(err error) string {
	var path *fs.PathError
	var link *os.LinkError
	switch {
	case errors.As(err, &path):
		return path.Err.Error()
	case errors.As(err, &link):
		return link.Err.Error()
	}
	return err.Error()
}
