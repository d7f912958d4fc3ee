// Writing a temporary file, and moving it into place.

package statefile

import (
	"cmp"
	"crypto/rand"
	"errors"
	"io"
	"io/fs"
	"os"
	"regexp"
	"strings"
	"syscall"
)

// rewriting is a write in progress: the function that computes the content, and whether the file may, or may not, exist
// before.
type rewriting struct {
	change   func(content string, exists bool) (string, error)
	mayMake  bool // create a missing file
	mustMake bool // and keep an existing one
	// ended is called with the result while the lock is still held, and returns what is returned instead; nil for nothing.
	ended func(error) error
}

// attemptWrite changes the file once. It returns errAgain if another writer interfered.
func (p *location) attemptWrite(r rewriting) error {
	was, err := p.currentVersion(r)
	if err != nil {
		return err
	}
	before := ""
	if was != nil {
		before = was.content
	}
	content, err := r.change(before, was != nil)
	if err == nil && was != nil && content == before {
		err = ErrNothing
	}
	if err == nil {
		err = p.acceptable(content)
	}
	if err != nil {
		if now, again := p.readVersion(false); was != nil && again == nil && now.content != before {
			return errAgain // the content read may have been incomplete
		}
		return err
	}
	if was == nil {
		err = p.putNew(content)
	} else {
		err = p.replaceFile(was, content)
	}
	if err != nil {
		return p.writeError(err)
	}
	// A failure does not affect the write, which is already visible: only a power failure could undo it.
	p.dir.Sync()
	return nil
}

// currentVersion returns the current file, nil if it does not exist and may be created.
func (p *location) currentVersion(r rewriting) (*version, error) {
	if r.mayMake {
		switch _, err := p.dir.Lstat(p.name); {
		case errors.Is(err, fs.ErrNotExist):
			return nil, nil
		case err == nil && r.mustMake:
			return nil, p.fault("exists already", "take another name, or move it away", fs.ErrExist)
		}
	}
	return p.readVersion(true)
}

// replaceFile puts a content in place of the version read before, if that is unchanged.
func (p *location) replaceFile(was *version, content string) error {
	temp := p.tempName()
	made, err := p.writeTemp(temp, content, was)
	if err != nil {
		return err
	}
	now, err := p.readVersion(true)
	if err == nil && !now.isSame(was) {
		err = errAgain
	}
	if err == nil {
		err = p.exchangeFiles(temp, was, made)
		if errors.Is(err, errors.ErrUnsupported) {
			err = p.dir.Rename(temp, p.name)
			if err != nil && p.refersTo(p.name, made) {
				err = nil // network file systems report an error for their own work if the request was sent twice
			}
		}
		if err == nil {
			return nil
		}
		if errors.Is(err, fs.ErrNotExist) {
			err = errAgain // another process has swept it
		} else if errors.Is(err, fs.ErrPermission) {
			err = errSticky{err}
		}
	}
	p.dir.Remove(temp)
	return err
}

// exchangeFiles puts the new file in place of the old one, and checks what it displaced: another writer may have come since.
// Then it puts that writer's file back and returns errAgain.
func (p *location) exchangeFiles(temp string, was *version, made fs.FileInfo) error {
	if err := p.dir.Exchange(temp, p.name); err != nil && !p.refersTo(p.name, made) {
		return err
	}
	displaced := *p
	displaced.name = temp
	if now, _ := displaced.readVersion(false); now != nil && now.content != was.content || now == nil && !p.refersTo(temp, was.info) {
		return p.putBack(temp, made)
	}
	p.dir.Remove(temp)
	return nil
}

// putBackTries is how many writers in a row may write while another writer's file is put back.
const putBackTries = 8

// putBack restores the displaced file, which is now called temp. The file that comes out must be ours; if another
// writer's file came out, that one is the newest, and is put back in turn.
func (p *location) putBack(temp string, made fs.FileInfo) error {
	back, err := p.dir.Lstat(temp)
	for range putBackTries {
		if err != nil || p.dir.Exchange(temp, p.name) != nil { // another process has removed one of the two
			break
		}
		var out fs.FileInfo
		if out, err = p.dir.Lstat(temp); err == nil && os.SameFile(out, made) {
			break
		}
		made, back = back, out
	}
	p.dir.Remove(temp)
	return errAgain
}

// errSticky is an error of replacing a file in a directory that allows creating files.
type errSticky struct{ error }

func (e errSticky) Unwrap() error { return e.error }

// putNew makes the file, complete from the first moment. It returns errAgain if there is one by now.
func (p *location) putNew(content string) error {
	temp := p.tempName()
	made, err := p.writeTemp(temp, content, nil)
	if err != nil {
		return err
	}
	err = p.dir.nameNew(temp, p.name)
	p.dir.Remove(temp)
	if errors.Is(err, fs.ErrExist) || errors.Is(err, fs.ErrNotExist) {
		err = errAgain
	}
	if err != nil && p.refersTo(p.name, made) {
		return nil
	}
	return err
}

// refersTo reports whether a name refers to a file.
func (p *location) refersTo(name string, file fs.FileInfo) bool {
	current, err := p.dir.Lstat(name)
	return err == nil && os.SameFile(current, file)
}

// writeTemp writes a temporary file with the rights of another file, or with those of any new file. If it fails it leaves
// nothing behind.
func (p *location) writeTemp(name, content string, like *version) (made fs.FileInfo, err error) {
	perm := fs.FileMode(0o666) // minus the user's umask
	if like != nil {
		perm = 0o600 // private until it has its owner
	}
	f, err := p.dir.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, perm)
	if err != nil {
		return nil, err
	}
	f.TryLock() // so that it is not swept
	_, err = io.WriteString(f, content)
	if err == nil && like != nil {
		err = takeRights(f, like)
	}
	if err == nil {
		err = f.Sync()
	}
	if err == nil {
		made, err = f.Stat()
	}
	if err = cmp.Or(err, f.Close()); err != nil {
		p.dir.Remove(name)
	}
	return made, err
}

// errOwner is the error for a file that would lose its owner or group.
var errOwner = errors.New("it would lose its owner or group")

// takeRights gives a new file, still private to its owner, the owner, group and mode of the file that it will replace. It never allows
// more access than that one: a list that it has from its directory is removed first. Only root can change the owner; another user with
// write access by group becomes the new owner.
func takeRights(f *File, from *version) error {
	info, err := f.Stat()
	if err != nil {
		return err
	}
	if f.hasAccessList() {
		if err := f.removeAccessList(); err != nil {
			return err
		}
	}
	uid, gid := ownerOf(info)
	toUID, toGID := ownerOf(from.info)
	if uid != toUID || gid != toGID {
		if err = f.Chown(toUID, toGID); err != nil && uid != 0 {
			err = f.Chown(-1, toGID)
		}
		if errors.Is(err, fs.ErrPermission) {
			return errOwner
		}
	}
	if mode := from.info.Mode(); err == nil && info.Mode() != mode {
		err = f.Chmod(mode &^ fs.ModeType)
	}
	return err
}

// temporary matches the names of temporary files, such as ".x-state.json.gatehouse-QK3….tmp", also those of earlier versions. They
// begin with a dot and end in ".tmp": no pattern for state files takes them for one, and package watch does not look because of them.
var temporary = regexp.MustCompile(`^\..+\.gatehouse-([0-9]+-[0-9a-f]{8}-)?[A-Z2-7]{26}\.tmp$`)

// tempName returns an unused name for a file next to this one.
func (p *location) tempName() string {
	name := p.name
	if len(name) > 100 { // so that the whole name stays below the 255 bytes that file systems take
		name = Hash(name)[len("sha256:"):]
	}
	return "." + name + ".gatehouse-" + rand.Text() + ".tmp"
}

// IsLitter reports whether a name may be a leftover of a killed writer.
func IsLitter(name string) bool {
	return temporary.MatchString(name) || strings.HasSuffix(name, lockEnd)
}

// sweepLitter removes the temporary files of killed writers from the directory: those that no process has locked. It keeps those of a
// file whose lock another process has: one may hold what an agent has just written, see exchangeFiles.
func (p *location) sweepLitter() {
	names, _ := p.dir.Names(-1)
	for _, name := range names {
		if !temporary.MatchString(name) {
			continue
		}
		of, _, _ := strings.Cut(name[1:], ".gatehouse-")
		ours := p.locked && of == p.name
		if !p.isLocked(name) && (ours || !p.isLocked(of+lockEnd)) {
			p.dir.Remove(name)
		}
	}
}

// isLocked reports whether a process has locked an entry, or may have.
func (p *location) isLocked(name string) bool {
	f, err := p.dir.OpenFile(name, os.O_RDONLY, 0)
	if err != nil {
		return !errors.Is(err, fs.ErrNotExist)
	}
	defer f.Close()
	return f.IsLocked()
}

// Sweep removes temporary files of killed writers in the directory of a file, as every writer there does, and the file's own lock. A
// failure is not an error.
func (s *Store) Sweep(t Target) {
	if p, err := s.enterParent(t); err == nil {
		p.sweepLitter()
		if _, err := p.dir.Lstat(p.lockName()); err == nil {
			if l, err := p.tryLock(); err == nil {
				l.releaseLock()
			}
		}
		p.dir.Close()
	}
}

// isDiskFull reports whether an error means a full disk.
func isDiskFull(err error) bool { return errors.Is(err, syscall.ENOSPC) || errors.Is(err, errQuota) }

// writeError returns the error for a file that the operating system does not let us write.
func (p *location) writeError(err error) error {
	var said *Error
	var sticky errSticky
	switch {
	case errors.As(err, &said), errors.Is(err, errAgain):
		return err
	case isDiskFull(err):
		return p.fault("was not changed: "+reasonOf(err), "free some space, then try again", err)
	case errors.Is(err, errOwner):
		return p.fault("was not changed: "+reasonOf(err), "have its owner do it, or give the file to a group of yours", err)
	case errors.As(err, &sticky):
		return p.fault("was not changed, nobody else may replace it in its directory: "+reasonOf(err), "have its owner do it, or check the permissions of "+p.home, err)
	case errors.Is(err, fs.ErrPermission):
		return p.fault("was not changed, nothing may be written in its directory: "+reasonOf(err), "check the permissions of "+p.home, err)
	}
	return p.fault("was not changed: "+reasonOf(err), "try again when that is mended", err)
}
