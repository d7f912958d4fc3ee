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
// be interrupted and run again; captures wait until it is over.
func (r *Recorder) Rotate(ctx context.Context, dryRun bool) (*Rotation, error) {
	rot := &Rotation{}
	if err := r.targetOf(core.LogsDir + "/x").Inside(); err != nil {
		return rot, err
	}
	m := mirror.New(r.root, core.Planning, core.Home)
	if !m.IsDir(core.LogsDir) {
		return rot, nil
	}
	if !dryRun {
		release, err := r.holdLock(ctx)
		if err != nil {
			return rot, err
		}
		defer release()
		r.store.Sweep(r.targetOf(core.LogsDir + "/x")) // temporary files of a killed rotation
	}
	b := &model.Build{}
	files, days := oldLogs(m, b, r.now())
	for _, file := range files {
		moved := Moved{From: file, To: core.ArchiveDir + strings.TrimPrefix(file, core.LogsDir)}
		if !dryRun {
			switch err := r.archive(ctx, moved); {
			case errors.Is(err, fs.ErrNotExist): // somebody has removed it
				continue
			case errors.Is(err, fs.ErrExist), errors.Is(err, peek.ErrNotRegular):
				rot.Kept = append(rot.Kept, line.Clean(err.Error()))
				continue
			case err != nil:
				return rot, err
			}
		}
		rot.Moved = append(rot.Moved, moved)
	}
	for _, day := range days {
		if !dryRun {
			r.store.Sweep(r.targetOf(day + "/x"))
			r.store.Clear(r.targetOf(day)) // it is empty, unless it has foreign files
		}
	}
	for _, p := range b.Problems {
		rot.Kept = append(rot.Kept, p.String())
	}
	return rot, nil
}

// archive moves a file.
func (r *Recorder) archive(ctx context.Context, f Moved) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if err := r.store.MakeDir(r.targetOf(path.Dir(f.To))); err != nil {
		return err
	}
	below := func(file string) string { return strings.TrimPrefix(file, core.LogsDir+"/") }
	return r.store.Move(r.targetOf(core.LogsDir), below(f.From), below(f.To))
}

// oldLogs returns the files to archive, and the directories of the days that are over.
func oldLogs(m *mirror.Mirror, b *model.Build, now time.Time) (files, days []string) {
	list := func(dir string) []mirror.Entry {
		entries, _ := protocol.ListDir(m, b, dir)
		return entries
	}
	last := now.AddDate(0, 0, -keepDays).Format(time.DateOnly)
	for _, d := range list(core.ExecutionsDir) {
		if !d.Dir || core.ParseDate(d.Name) != d.Name || d.Name >= last {
			continue
		}
		day := path.Join(core.ExecutionsDir, d.Name)
		days = append(days, day)
		for _, e := range list(day) {
			if !e.Dir && !strings.HasSuffix(e.Name, ".tmp") && !strings.HasSuffix(e.Name, ".lock") {
				files = append(files, path.Join(day, e.Name))
			}
		}
	}
	sessions := slices.DeleteFunc(slices.Clone(list(sessionsDir)), func(e mirror.Entry) bool {
		return e.Dir || !strings.HasPrefix(e.Name, "session-") || !strings.HasSuffix(e.Name, ".json")
	})
	slices.SortFunc(sessions, func(a, b mirror.Entry) int { return cmp.Or(b.ModTime.Compare(a.ModTime), cmp.Compare(b.Name, a.Name)) })
	for _, e := range sessions[min(len(sessions), keepSessions):] {
		files = append(files, path.Join(sessionsDir, e.Name))
	}
	return files, days
}
