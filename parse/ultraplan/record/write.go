// How a capture writes: by statefile alone, each change judged on the content as it is then, or only told in a dry run.

package record

import (
	"context"
	"errors"
	"io/fs"
	"path"
	"path/filepath"
	"time"

	"gatehouse/model"
	"gatehouse/parse/disk/statefile"
	"gatehouse/parse/text/edit"
	"gatehouse/parse/ultraplan/facts"
)

// holdPatience is how long the other captures that stand in line are waited for.
const holdPatience = time.Minute

// hold takes the lock of the logs.
func (r *Recorder) hold(ctx context.Context) (release func(), err error) {
	for end := time.Now().Add(holdPatience); ; {
		release, err = r.store.Hold(ctx, r.target(facts.LogsDir+"/.capture"))
		if !errors.Is(err, statefile.ErrBusy) || time.Now().After(end) {
			return release, err
		}
	}
}

// target returns where a file of the project is. It has to lie in it, whatever links lead there.
func (r *Recorder) target(file string) statefile.Target {
	return statefile.Target{Path: filepath.Join(r.root, filepath.FromSlash(file)), Within: []string{r.root}}
}

// sweep takes away what captures that were killed have left among the logs, where no other file may ever be written again.
func (c *capture) sweep() {
	for _, dir := range c.List(facts.ExecutionsDir) {
		for _, e := range c.List(path.Join(facts.ExecutionsDir, dir.Name)) {
			if dir.Dir && statefile.IsLitter(e.Name) {
				c.r.store.Sweep(c.r.target(path.Join(facts.ExecutionsDir, dir.Name, e.Name)))
				break
			}
		}
	}
}

// rewriting says what a file is to become: the whole text, for files that are logs, or spans of it, for those of people.
type rewriting func(content string) (after string, spans []model.Span, err error)

// inPlace makes a rewriting of spans.
func inPlace(change func(content string) []model.Span) rewriting {
	return func(content string) (string, []model.Span, error) {
		spans := change(content)
		after, err := edit.Apply(content, spans)
		return after, spans, err
	}
}

// write changes a file, or only says what would change. The change is judged anew where others write meanwhile. A file that
// need not exist is made.
func (c *capture) write(ctx context.Context, file string, mayMake bool, change rewriting) error {
	f := FileChange{File: file}
	judged := func(content string, exists bool) (string, error) {
		after, spans, err := change(content)
		if err == nil && after == content {
			err = statefile.ErrNothing
		}
		f.Made, f.Edits = !exists, edit.List(file, content, spans)
		return after, err
	}
	var err error
	switch t := c.r.target(file); {
	case c.rep.DryRun:
		var content string
		if content, err = c.r.store.Read(t); err == nil || mayMake && errors.Is(err, fs.ErrNotExist) {
			_, err = judged(content, err == nil)
		}
	case mayMake:
		_, err = c.r.store.Put(ctx, t, judged)
	default:
		_, err = c.r.store.Replace(ctx, t, func(content string) (string, error) { return judged(content, true) })
	}
	if err == nil {
		c.Files = append(c.Files, f)
	} else if errors.Is(err, statefile.ErrNothing) {
		err = nil
	}
	return err
}

func (c *capture) makeDir(dir string) error {
	if c.rep.DryRun {
		return nil
	}
	return c.r.store.MakeDir(c.r.target(dir))
}
