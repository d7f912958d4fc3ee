// Writing a temporary file, and moving it into place.

package statefile

import (
	"cmp"
	"errors"
	"io"
	"io/fs"
	"os"
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

// attemptWrite changes the file once, holding its lock. It returns errAgain if another writer interfered.
func (s *Store) attemptWrite(p *location, r rewriting, l *lock) (Written, error) {
	was, err := p.currentVersion(r)
	if err != nil {
		return Written{}, err
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
			return Written{}, errAgain // the content read may have been incomplete
		}
		return Written{}, err
	}
	if was == nil {
		err = p.putNew(p.name, content, true)
		if errors.Is(err, errors.ErrUnsupported) {
			err = p.putUnseen(content)
		}
		if errors.Is(err, fs.ErrExist) {
			err = errAgain
		}
	} else {
		err = p.replaceFile(was, content, l)
	}
	if err != nil {
		return Written{}, p.writeError(err)
	}
	// A failure does not affect the write, which is already visible: only a power failure could undo it.
	p.dir.Sync()
	w := Written{Path: p.path(), After: Hash(content), Content: content}
	if was != nil {
		w.Before = Hash(before)
	}
	return w, nil
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

// replaceFile puts a content in place of the version read before, if that is unchanged and the lock is still held.
func (p *location) replaceFile(was *version, content string, l *lock) error {
	temp := p.tempName()
	made, err := p.writeTemp(temp, content, was, true)
	if err != nil {
		return err
	}
	now, err := p.readVersion(true)
	if err == nil && (!now.isSame(was) || !l.isHeld()) {
		err = errAgain
	}
	if err == nil {
		switch err = p.exchangeFiles(temp, was, made); {
		case err == nil:
			return nil
		case errors.Is(err, errors.ErrUnsupported):
			err = p.dir.Rename(temp, p.name)
			if err != nil && p.refersTo(p.name, made) {
				return nil // network file systems report this for their own work if the request was sent twice
			}
		}
		if errors.Is(err, fs.ErrNotExist) {
			err = errAgain // another process took this one for dead
		} else if errors.Is(err, fs.ErrPermission) {
			err = errSticky{err}
		}
	}
	if err != nil {
		p.dir.Remove(temp)
	}
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

// putNew makes a file, complete from the first moment. It fails with fs.ErrExist if there is one, and with
// errors.ErrUnsupported if the system can't create without replacing.
func (p *location) putNew(name, content string, sync bool) error {
	temp := p.tempName()
	made, err := p.writeTemp(temp, content, nil, sync)
	if err != nil {
		return err
	}
	err = p.dir.RenameNew(temp, name)
	if errors.Is(err, errors.ErrUnsupported) {
		// A process killed after this line leaves a file with two names: see removeSecondNames.
		if err = p.dir.Link(temp, name); err == nil {
			p.dir.Remove(temp)
			return nil
		}
		if !errors.Is(err, fs.ErrExist) && !isDiskFull(err) {
			err = errors.ErrUnsupported
		}
	}
	if err == nil || p.refersTo(name, made) && p.isGone(temp) { // see replaceFile
		return nil
	}
	p.dir.Remove(temp)
	if errors.Is(err, fs.ErrNotExist) {
		err = errAgain
	}
	return err
}

// putUnseen makes the file on systems that can't check its absence in the same step: as in replacing a file, another
// writer's version could get lost in between.
func (p *location) putUnseen(content string) error {
	temp := p.tempName()
	_, err := p.writeTemp(temp, content, nil, true)
	if err != nil {
		return err
	}
	if _, err = p.dir.Lstat(p.name); err == nil {
		err = fs.ErrExist
	} else if errors.Is(err, fs.ErrNotExist) {
		err = p.dir.Rename(temp, p.name)
	}
	if err != nil {
		p.dir.Remove(temp)
	}
	return err
}

// refersTo reports whether a name refers to a file.
func (p *location) refersTo(name string, file fs.FileInfo) bool {
	current, err := p.dir.Lstat(name)
	return err == nil && os.SameFile(current, file)
}

// isGone reports whether a name is unused; a second name of a file is removed.
func (p *location) isGone(name string) bool {
	p.dir.Remove(name)
	_, err := p.dir.Lstat(name)
	return errors.Is(err, fs.ErrNotExist)
}

// writeTemp writes a temporary file with the attributes of another file, or with those of any new file. If it fails it leaves
// nothing behind.
func (p *location) writeTemp(name, content string, like *version, sync bool) (made fs.FileInfo, err error) {
	perm := fs.FileMode(0o666) // minus the user's umask
	if like != nil {
		perm = 0o600 // private until it has its owner
	}
	f, err := p.dir.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, perm)
	if err != nil {
		return nil, err
	}
	_, err = io.WriteString(f, content)
	if err == nil && like != nil {
		err = takeAttributes(f, like)
	}
	if err == nil && sync {
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

// isDiskFull reports whether an error means a full disk.
func isDiskFull(err error) bool { return errors.Is(err, syscall.ENOSPC) || errors.Is(err, errQuota) }

// writeError returns the error for a file that the operating system does not let us write.
func (p *location) writeError(err error) error {
	var said *Error
	var lost attributeError
	var sticky errSticky
	switch {
	case errors.As(err, &said), errors.Is(err, errAgain):
		return err
	case errors.As(err, &lost):
		return p.fault("was not changed: "+lost.Error(), "write it by hand, or take that off it", err)
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
