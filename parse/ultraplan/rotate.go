// Putting old logs away (ultraplan-results.md "Log Rotation"; notes on loops §1.9). Nothing is deleted: files move below
// logs/archive, with the paths that they had below logs.

package ultraplan

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
)

const (
	// keepDays is for how many days execution logs stay where they are; a day is told by the name of its directory.
	keepDays = 30
	// keepSessions is how many sessions stay besides the current one.
	keepSessions = 10
)

// Moved is a log that was put away, or would be.
type Moved struct {
	From string `json:"from"` // relative to the project's root, "/"-separated, as all files are
	To   string `json:"to"`
}

// Rotation is what rotating has done.
type Rotation struct {
	Moved []Moved
	Kept  []string // what could not be put away, and why
}

// Rotate puts away the execution logs of more than 30 days ago, and all sessions that are over but the last ten. Summaries of
// days stay. It may be broken off and run again, and runs beside captures.
func (r *Recorder) Rotate(ctx context.Context, dryRun bool) (*Rotation, error) {
	m := mirror.New(r.root, Planning, Home)
	c := &collector{m: m, now: r.now(), b: &model.Build{}}
	rot := &Rotation{}
	if !m.IsDir(logsDir) {
		return rot, nil
	}
	for _, batch := range c.old() {
		if err := r.putAway(ctx, batch, dryRun, rot); err != nil {
			return rot, err
		}
	}
	for _, p := range c.b.Problems {
		rot.Kept = append(rot.Kept, p.String())
	}
	return rot, nil
}

// old returns what is to be put away, a directory at a time.
func (c *collector) old() (batches [][]string) {
	last := c.now.AddDate(0, 0, -keepDays).Format(time.DateOnly)
	for _, d := range c.list(executionsDir) {
		if d.Dir && len(d.Name) == len(last) && day(d.Name) != "" && d.Name < last {
			var files []string
			for _, e := range c.list(path.Join(executionsDir, d.Name)) {
				if !e.Dir && !strings.HasSuffix(e.Name, ".tmp") && !strings.HasSuffix(e.Name, ".lock") {
					files = append(files, path.Join(executionsDir, d.Name, e.Name))
				}
			}
			batches = append(batches, files)
		}
	}
	type over struct {
		file string
		at   time.Time
	}
	var sessions []over
	for _, e := range c.list(sessionsDir) {
		if !e.Dir && strings.HasPrefix(e.Name, "session-") && strings.HasSuffix(e.Name, ".json") {
			s := over{path.Join(sessionsDir, e.Name), e.ModTime}
			if said := at(c, s.file, parseSession).Value; said != nil {
				if t := parseTime(cmp.Or(said.Updated, said.Started)); !t.IsZero() {
					s.at = t
				}
			}
			sessions = append(sessions, s)
		}
	}
	slices.SortFunc(sessions, func(a, b over) int { return cmp.Or(b.at.Compare(a.at), cmp.Compare(b.file, a.file)) })
	var files []string
	for _, s := range sessions[min(len(sessions), keepSessions):] {
		files = append(files, s.file)
	}
	return append(batches, files)
}

// putAway moves the files of one directory, with the lock of the logs, which no capture has then.
func (r *Recorder) putAway(ctx context.Context, files []string, dryRun bool, rot *Rotation) error {
	if len(files) == 0 {
		return nil
	}
	dir := path.Dir(files[0])
	to := archiveDir + strings.TrimPrefix(dir, logsDir)
	if !dryRun {
		release, err := r.hold(ctx)
		if err != nil {
			return err
		}
		defer release()
		if err := r.store.MakeDir(r.target(to)); err != nil {
			return err
		}
	}
	for _, file := range files {
		moved := Moved{From: file, To: path.Join(to, path.Base(file))}
		if !dryRun {
			if err := ctx.Err(); err != nil {
				return err
			}
			err := r.store.Move(r.target(logsDir), strings.TrimPrefix(moved.From, logsDir+"/"), strings.TrimPrefix(moved.To, logsDir+"/"))
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
	if !dryRun && strings.HasPrefix(dir, executionsDir) {
		r.store.Clear(r.target(dir)) // it is empty, unless something strange is left in it
	}
	return nil
}
