// The journals of what humans have decided, as they are read: all of it, or what is shown of it.

package parse

import (
	"errors"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"time"

	"gatehouse/model"
	"gatehouse/parse/disk/journal"
)

const (
	// maxDecisions is how many decisions of a project are shown: what a human may want to look back at.
	maxDecisions = 200
	// ledgerBytes is how much is remembered of a project's journal, as sizeOf counts it: more than those decisions take that
	// are shown. The journal itself holds megabytes, most of it the bytes that were replaced, for undo.
	ledgerBytes = 512 << 10
)

// logbook is the journal of a project's decisions; [journal.Log] is one.
type logbook interface {
	File() string
	Begin(model.Decision) (model.Decision, error)
	End(id string, done bool) error
	Reporting(id string) error
	Reported(id string) error
	Lost(id string) error
	Read() ([]model.Decision, error)
	Unfinished() []model.Decision
	Wait(build, node string, since time.Time) (left func())
	Waiters() []journal.Waiter
}

// logbook returns the project's journal, nil where the user has no place for one.
func (p *Project) logbook() logbook {
	if p.user.Journal == "" {
		return nil
	}
	return journal.Open(p.user.System, p.user.Journal, canonical(p.root))
}

// canonical returns a directory without links, so that a project has one journal by whatever way it was reached.
func canonical(dir string) string {
	if real, err := filepath.EvalSymlinks(dir); err == nil {
		return real
	}
	return dir
}

// ledger is a journal that is read again only when it has changed.
type ledger struct {
	log   logbook // nil: there is none
	whole bool    // all is wanted that the journal gives, and not only what is shown
	stamp fs.FileInfo
	all   []model.Decision
	err   error
}

// read returns the decisions as the journal has them, the newest first: all of them, or those that are shown and those that
// somebody still waits for.
func (l *ledger) read() ([]model.Decision, error) {
	if l.log == nil {
		return nil, nil
	}
	info, err := os.Stat(l.log.File()) // nil with an error, which reading meets again
	if l.stamp != nil && info != nil && os.SameFile(l.stamp, info) && l.stamp.Size() == info.Size() && l.stamp.ModTime().Equal(info.ModTime()) {
		return l.all, l.err
	}
	l.stamp = info
	if os.IsNotExist(err) {
		l.all, l.err = nil, nil
	} else {
		l.all, l.err = l.log.Read()
	}
	if !l.whole {
		l.all = remembered(l.all)
	}
	return l.all, l.err
}

// remembered returns of all decisions the newest, and the older ones that ask for changes still, without the bytes that were
// replaced.
func remembered(all []model.Decision) (kept []model.Decision) {
	asked, shown, size := requests(all), 0, 0
	for i := range all {
		d := &all[i]
		if shown == maxDecisions && asked[of(d)] != d {
			continue
		}
		if size += sizeOf(d); size > ledgerBytes && len(kept) > 0 {
			break
		}
		if !d.Interrupted { // which may not be shown yet
			shown++
		}
		one := *d
		one.Spans, one.Chain = nil, nil
		kept = append(kept, one)
	}
	return kept
}

// sizeOf returns about how many bytes a decision takes without the bytes that were replaced.
func sizeOf(d *model.Decision) (size int) {
	const bare = 512 // all but the texts that may be long
	for _, text := range []string{d.Who, d.By, d.Project, d.Build, d.File, d.Node, d.Name, string(d.Verb), d.Was, d.Is, d.Text} {
		size += len(text)
	}
	return bare + size
}

// target is what a decision is about: a gate, or a build as a whole.
type target struct{ build, node string }

// standing returns the last decision about a target that can be taken back, nil without one.
func standing(all []model.Decision, about target) *model.Decision {
	later := false
	for i := range all {
		if d := &all[i]; of(d) == about && !d.Interrupted {
			if !d.Undone && d.Verb != model.VerbUndo {
				if later && d.Verb == model.VerbChanges && d.Was == d.Is {
					return nil // what was decided later has answered the request
				}
				return d
			}
			later = true
		}
	}
	return nil
}

func of(d *model.Decision) target { return target{d.Build, d.Node} }

// requests returns what is to be changed, by target: the last decision about one, where that is a request. Whatever was
// decided later has answered an earlier request, also where it was taken back since.
func requests(all []model.Decision) map[target]*model.Decision {
	last := map[target]*model.Decision{}
	for i := range all {
		if d := &all[i]; !d.Interrupted && last[of(d)] == nil {
			last[of(d)] = d
		}
	}
	maps.DeleteFunc(last, func(_ target, d *model.Decision) bool { return d.Verb != model.VerbChanges || d.Undone })
	return last
}

// decided returns what the journal has, and what the files tell of what was broken off.
func (p *Project) decided() ([]model.Decision, error) {
	all, err := p.written()
	return p.proven(all), err
}

// written returns what the journal has. The files of what is new in it are looked at again: what they are known to hold may be
// older.
func (p *Project) written() ([]model.Decision, error) {
	first, before := p.last == nil, p.ledger.all
	all, err := p.ledger.read()
	if first || len(before) > 0 && len(all) > 0 && &before[0] == &all[0] {
		return all, err
	}
	known := make(map[string]bool, len(before)) // as done
	for i := range before {
		known[before[i].ID] = !before[i].Interrupted
	}
	for i := range all {
		if d := &all[i]; !d.Interrupted && !known[d.ID] {
			p.mirror.Touch(filepath.Join(p.root, filepath.FromSlash(d.File)))
		}
	}
	return all, err
}

// Decisions returns what was decided about the projects, the newest first, as the journals have it: texts as they were
// typed. An error comes beside what could be read.
func Decisions(projects []*Project, now time.Time) (all []model.Decision, err error) {
	for _, p := range projects {
		log := p.logbook()
		if log == nil {
			continue
		}
		q := p.anew()
		one, unread := log.Read()
		one = q.proven(one)
		markOverwritten(one, q.Read(now).Builds)
		all, err = append(all, one...), errors.Join(err, unread)
	}
	newestFirst(all)
	return all, err
}

// AllDecisions is [Decisions] for every project that the user has a journal of.
func AllDecisions(u User) (all []model.Decision, err error) {
	if u.Journal == "" {
		return nil, nil
	}
	logs, err := journal.All(u.System, u.Journal)
	for _, log := range logs {
		one, unread := log.Read()
		if len(one) > 0 {
			one = at(one[0].Project, u).proven(one)
		}
		all, err = append(all, one...), errors.Join(err, unread)
	}
	newestFirst(all)
	return all, err
}

func newestFirst(all []model.Decision) {
	slices.SortStableFunc(all, func(a, b model.Decision) int { return b.At.Compare(a.At) })
}
