// Writing beside a file, and putting what was written in its place.

package statefile

import (
	"cmp"
	"errors"
	"io"
	"io/fs"
	"os"
	"syscall"
)

// rewriting is a file being written: by whom it is judged what it is to say, and whether it may, or may not, be there before.
type rewriting struct {
	change   func(content string, exists bool) (string, error)
	mayMake  bool // a file that is not there is made
	mustMake bool // and one that is there stays
}

// attempt changes the file once, holding its lock. Its error is errAgain where another writer came between.
func (s *Store) attempt(p *location, r rewriting, l *lock) (Written, error) {
	was, err := p.stands(r)
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
		if now, again := p.read(false); was != nil && again == nil && now.content != before {
			return Written{}, errAgain // what was judged may have been half of a file
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
		err = p.replace(was, content, l)
	}
	if err != nil {
		return Written{}, p.unwritten(err)
	}
	// A failure is no failure of the write, which everybody sees already: only a loss of power could take it back.
	p.dir.Sync()
	w := Written{Path: p.path(), After: Hash(content), Content: content}
	if was != nil {
		w.Before = Hash(before)
	}
	return w, nil
}

// stands returns the file as it stands, nil where it may be made and is not there.
func (p *location) stands(r rewriting) (*version, error) {
	if r.mayMake {
		switch _, err := p.dir.Lstat(p.name); {
		case errors.Is(err, fs.ErrNotExist):
			return nil, nil
		case err == nil && r.mustMake:
			return nil, p.fault("exists already", "take another name, or move it away", fs.ErrExist)
		}
	}
	return p.read(true)
}

// replace puts a content in the place of what was read, if nobody has changed that meanwhile and the lock is still held.
func (p *location) replace(was *version, content string, l *lock) error {
	temp := p.tempName()
	made, err := p.write(temp, content, was, true)
	if err != nil {
		return err
	}
	now, err := p.read(true)
	if err == nil && (!now.same(was) || !l.held()) {
		err = errAgain
	}
	if err == nil {
		switch err = p.exchange(temp, was, made); {
		case err == nil:
			return nil
		case errors.Is(err, errors.ErrUnsupported):
			err = p.dir.Rename(temp, p.name)
			if err != nil && p.is(p.name, made) {
				return nil // file systems on a network say so of what they have done, when they were asked twice
			}
		}
		if errors.Is(err, fs.ErrNotExist) {
			err = errAgain // somebody took this process for one that is gone
		} else if errors.Is(err, fs.ErrPermission) {
			err = errSticky{err}
		}
	}
	if err != nil {
		p.dir.Remove(temp)
	}
	return err
}

// exchange puts what was made in the place of what was read, and looks at what that was: another writer may have come since. Then
// that one's is put back, and the error is errAgain.
func (p *location) exchange(temp string, was *version, made fs.FileInfo) error {
	if err := p.dir.Exchange(temp, p.name); err != nil && !p.is(p.name, made) {
		return err
	}
	displaced := *p
	displaced.name = temp
	if now, _ := displaced.read(false); now != nil && now.content != was.content || now == nil && !p.is(temp, was.info) {
		return p.putBack(temp, made)
	}
	p.dir.Remove(temp)
	return nil
}

// putBackTries is how many writers may come one upon the other while another's file is put back.
const putBackTries = 8

// putBack gives what was displaced, and is called temp now, its name again. What comes out there has to be what was made; if it is
// another writer's, who came even now, that is the newest, and it is put back in its turn.
func (p *location) putBack(temp string, made fs.FileInfo) error {
	back, err := p.dir.Lstat(temp)
	for range putBackTries {
		if err != nil || p.dir.Exchange(temp, p.name) != nil { // somebody has taken one of the two away
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

// errSticky is an error of replacing a file in a directory where files may be made.
type errSticky struct{ error }

func (e errSticky) Unwrap() error { return e.error }

// putNew makes a file, which is there whole from the first moment. It fails with fs.ErrExist where there is one, and with
// errors.ErrUnsupported where there is no way to replace none.
func (p *location) putNew(name, content string, sync bool) error {
	temp := p.tempName()
	made, err := p.write(temp, content, nil, sync)
	if err != nil {
		return err
	}
	err = p.dir.RenameNew(temp, name)
	if errors.Is(err, errors.ErrUnsupported) {
		// Who is killed behind this leaves a file of two names: see finish.
		if err = p.dir.Link(temp, name); err == nil {
			p.dir.Remove(temp)
			return nil
		}
		if !errors.Is(err, fs.ErrExist) && !full(err) {
			err = errors.ErrUnsupported
		}
	}
	if err == nil || p.is(name, made) && p.gone(temp) { // see replace
		return nil
	}
	p.dir.Remove(temp)
	if errors.Is(err, fs.ErrNotExist) {
		err = errAgain
	}
	return err
}

// putUnseen makes the file where nothing can tell in the same moment that there is none: as in replacing one, another
// writer's could get lost between the two.
func (p *location) putUnseen(content string) error {
	temp := p.tempName()
	_, err := p.write(temp, content, nil, true)
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

// is reports whether a name is that of a file.
func (p *location) is(name string, file fs.FileInfo) bool {
	stands, err := p.dir.Lstat(name)
	return err == nil && os.SameFile(stands, file)
}

// gone reports whether nothing has a name; what had it besides its own loses it.
func (p *location) gone(name string) bool {
	p.dir.Remove(name)
	_, err := p.dir.Lstat(name)
	return errors.Is(err, fs.ErrNotExist)
}

// write writes a file that is new, like another one but for its content, or like any new file, and leaves none behind where
// it can't.
func (p *location) write(name, content string, like *version, sync bool) (made fs.FileInfo, err error) {
	perm := fs.FileMode(0o666) // less what the user's mask takes away
	if like != nil {
		perm = 0o600 // nobody else reads it before it has its owner
	}
	f, err := p.dir.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, perm)
	if err != nil {
		return nil, err
	}
	_, err = io.WriteString(f, content)
	if err == nil && like != nil {
		err = take(f, like)
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

// full reports whether an error says that there is no room.
func full(err error) bool { return errors.Is(err, syscall.ENOSPC) || errors.Is(err, errQuota) }

// unwritten returns what is said when the operating system does not let the file be written.
func (p *location) unwritten(err error) error {
	var said *Error
	var lost attributeError
	var sticky errSticky
	switch {
	case errors.As(err, &said), errors.Is(err, errAgain):
		return err
	case errors.As(err, &lost):
		return p.fault("was not changed: "+lost.Error(), "write it by hand, or take that off it", err)
	case full(err):
		return p.fault("was not changed: "+reason(err), "free some space, then try again", err)
	case errors.Is(err, errOwner):
		return p.fault("was not changed: "+reason(err), "have its owner do it, or give the file to a group of yours", err)
	case errors.As(err, &sticky):
		return p.fault("was not changed, nobody else may replace it in its directory: "+reason(err), "have its owner do it, or check the permissions of "+p.home, err)
	case errors.Is(err, fs.ErrPermission):
		return p.fault("was not changed, nothing may be written in its directory: "+reason(err), "check the permissions of "+p.home, err)
	}
	return p.fault("was not changed: "+reason(err), "try again when that is mended", err)
}
