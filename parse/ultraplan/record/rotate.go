// Archiving old logs. Nothing is deleted: files move below logs/archive and keep their paths below logs.

package record

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"path"
	"slices"
	"strings"
	"time"

	"gatehouse/model"
	"gatehouse/model/line"
	"gatehouse/parse/disk/mirror"
	"gatehouse/parse/disk/peek"
	"gatehouse/parse/protocol"
	"gatehouse/parse/ultraplan/core"
)

const (
	// keepDays is how many days execution logs stay in place; the name of a directory is its day.
	keepDays = 30
	// keepSessions is how many archived sessions stay in place.
	keepSessions = 10
)

// Moved is a log that was put away, or would be.
type Moved struct {
	From string `json:"from"` // relative to the project's root, "/"-separated, as all files are
	To   string `json:"to"`   // its new place
}

// Rotation is the result of rotating.
type Rotation struct {
	Moved []Moved
	Kept  []string // the files that could not be archived, and why
}

// Rotate archives the execution logs of more than 30 days ago, and all finished sessions except the last ten. Daily summaries stay. It may
// be interrupted and run again, and captures may run at the same time.
func (r *Recorder) Rotate(ctx context.Context, dryRun bool) (*Rotation, error) {
	rot := &Rotation{}
	if err := r.targetOf(core.LogsDir + "/x").Inside(); err != nil {
		return rot, err
	}
	m := mirror.New(r.root, core.Planning, core.Home)
	if !m.IsDir(core.LogsDir) {
		return rot, nil
	}
	b := &model.Build{}
	if !dryRun {
		r.store.Sweep(r.targetOf(core.LogsDir + "/x")) // temporary files of a killed rotation
	}
	for _, batch := range oldLogs(m, b, r.now()) {
		if err := r.putAway(ctx, batch, dryRun, rot); err != nil {
			return rot, err
		}
	}
	for _, p := range b.Problems {
		rot.Kept = append(rot.Kept, p.String())
	}
	return rot, nil
}

// batch holds the files of one directory that are archived together.
type batch struct {
	dir   string
	files []string // their names
	day   bool     // a day: its directory is removed afterwards
}

// oldLogs returns the files to archive.
func oldLogs(m *mirror.Mirror, b *model.Build, now time.Time) (batches []batch) {
	list := func(dir string) []mirror.Entry {
		entries, _ := protocol.ListDir(m, b, dir)
		return entries
	}
	last := now.AddDate(0, 0, -keepDays).Format(time.DateOnly)
	for _, d := range list(core.ExecutionsDir) {
		if !d.Dir || core.ParseDate(d.Name) != d.Name || d.Name >= last {
			continue
		}
		batch := batch{dir: path.Join(core.ExecutionsDir, d.Name), day: true}
		for _, e := range list(batch.dir) {
			if !e.Dir && !strings.HasSuffix(e.Name, ".tmp") && !strings.HasSuffix(e.Name, ".lock") {
				batch.files = append(batch.files, e.Name)
			}
		}
		batches = append(batches, batch)
	}
	sessions := slices.DeleteFunc(slices.Clone(list(sessionsDir)), func(e mirror.Entry) bool {
		return e.Dir || !strings.HasPrefix(e.Name, "session-") || !strings.HasSuffix(e.Name, ".json")
	})
	slices.SortFunc(sessions, func(a, b mirror.Entry) int { return cmp.Or(b.ModTime.Compare(a.ModTime), cmp.Compare(b.Name, a.Name)) })
	over := batch{dir: sessionsDir}
	for _, e := range sessions[min(len(sessions), keepSessions):] {
		over.files = append(over.files, e.Name)
	}
	if len(over.files) > 0 {
		batches = append(batches, over)
	}
	return batches
}

// putAway moves the files of one directory. It holds the lock of the logs, so no capture runs at the same time.
func (r *Recorder) putAway(ctx context.Context, b batch, dryRun bool, rot *Rotation) error {
	to := core.ArchiveDir + strings.TrimPrefix(b.dir, core.LogsDir)
	if !dryRun {
		release, err := r.holdLock(ctx)
		if err != nil {
			return err
		}
		defer release()
		r.store.Sweep(r.targetOf(b.dir + "/x"))
		if len(b.files) > 0 {
			if err := r.store.MakeDir(r.targetOf(to)); err != nil {
				return err
			}
		}
	}
	for _, name := range b.files {
		moved := Moved{From: path.Join(b.dir, name), To: path.Join(to, name)}
		if !dryRun {
			if err := ctx.Err(); err != nil {
				return err
			}
			below := func(file string) string { return strings.TrimPrefix(file, core.LogsDir+"/") }
			err := r.store.Move(r.targetOf(core.LogsDir), below(moved.From), below(moved.To))
			switch {
			case errors.Is(err, fs.ErrNotExist): // another rotation was faster
				continue
			case errors.Is(err, fs.ErrExist), errors.Is(err, peek.ErrNotRegular):
				rot.Kept = append(rot.Kept, line.Clean(err.Error()))
				continue
			case err != nil:
				return err
			}
		}
		rot.Moved = append(rot.Moved, moved)
	}
	if !dryRun && b.day {
		r.store.Clear(r.targetOf(b.dir)) // it is empty, unless it has foreign files
	}
	return nil
}
