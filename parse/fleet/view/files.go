package view

// Files of other machines.

import (
	"context"
	"errors"
	"time"

	"gatehouse/parse/fleet/link"
	"gatehouse/parse/fleet/wire"
)

// textFor is how long a file may take to come.
const textFor = 15 * time.Second

// textsKept and textBytes bound the texts that are kept, in files and in bytes: a pane asks again whenever anything changes.
const (
	textsKept = 16
	textBytes = 16 << 20
)

// texts are the files that were looked at last, by project and path.
type texts map[[2]string]*kept

type kept struct {
	etag string
	text string
	used time.Time
}

// Text implements [model.Files].
func (f *Fleet) Text(project, file string) (string, error) {
	f.mu.Lock()
	p := f.find(project)
	if p == nil {
		f.mu.Unlock()
		return "", errors.New("this project is not known here")
	}
	h, root := p.host, p.root
	at := [2]string{project, file}
	known, have := f.texts[at], ""
	if known != nil {
		have = known.etag
	}
	f.mu.Unlock()
	ctx, cancel := context.WithTimeout(f.ctx, textFor)
	defer cancel()
	data, etag, err := f.fetch(ctx, h, wire.Request{Request: wire.AskText, Root: root, File: file, Have: have})
	f.mu.Lock()
	defer f.mu.Unlock()
	switch {
	case data == nil && known != nil && etag == have: // it may have been let go meanwhile, or replaced by a newer one
		if known.used = time.Now(); f.texts[at] == nil {
			f.texts.keep(at, known)
		}
		return known.text, err
	case etag != "":
		f.texts.keep(at, &kept{etag: etag, text: string(data), used: time.Now()})
		return string(data), err
	case link.NotSent(err) || errors.Is(err, link.ErrNoAnswer):
		return "", errors.New(h.shown() + " is not there to be asked")
	}
	return "", err
}

// keep keeps a text, and drops those that were not used for longest.
func (t texts) keep(at [2]string, x *kept) {
	t[at] = x
	for {
		bytes, oldest := 0, at
		for k, y := range t {
			bytes += len(y.text)
			if y.used.Before(t[oldest].used) {
				oldest = k
			}
		}
		if len(t) <= textsKept && bytes <= textBytes || len(t) == 1 {
			return
		}
		delete(t, oldest)
	}
}

// Path implements [model.Files]: no program on this machine can open a file of another.
func (f *Fleet) Path(project, _ string) (string, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if p := f.find(project); p != nil {
		return "", errors.New("this file is on " + p.host.shown() + "; open it there")
	}
	return "", errors.New("this project is not known here")
}
