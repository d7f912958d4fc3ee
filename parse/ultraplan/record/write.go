// How a capture writes: only through package statefile. Each change is computed from the current content, or only listed in a dry run.

package record

import (
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"gatehouse/model"
	"gatehouse/parse/disk/mirror"
	"gatehouse/parse/disk/statefile"
	"gatehouse/parse/protocol"
	"gatehouse/parse/ultraplan/core"
)

// holdPatience is how long a capture waits for the captures before it in the queue.
const holdPatience = time.Minute

// holdLock takes the lock of the logs.
func (r *Recorder) holdLock(ctx context.Context) (release func(), err error) {
	for end := time.Now().Add(holdPatience); ; {
		release, err = r.store.Hold(ctx, r.targetOf(core.LogsDir+"/.capture"))
		if !errors.Is(err, statefile.ErrBusy) || time.Now().After(end) {
			return release, err
		}
	}
}

// lockLogs runs an operation with the lock of the logs, after checking that no link leads out of the project, and notes its conflicts. A
// dry run takes no lock.
func (c *capture) lockLogs(ctx context.Context, do func() error) error {
	r := c.r
	files := []string{core.StateDir + "/x", core.LogsDir + "/x", core.SessionFile}
	if c.plan != nil {
		files = append(files, c.plan.File, c.StateFile)
	}
	for _, file := range files { // all or nothing
		if err := r.targetOf(file).Inside(); err != nil {
			return err
		}
	}
	if c.rep.DryRun {
		return do()
	}
	if err := r.store.MakeDir(r.targetOf(core.LogsDir)); err != nil {
		return err
	}
	release, err := r.holdLock(ctx)
	if err != nil {
		return err
	}
	defer release()
	c.refreshProject()
	c.sweepLitter()
	return errors.Join(do(), r.noteConflicts(ctx, c.conflicts))
}

// sweepLitter removes the temporary files of killed writers from ultraplan's own directories.
func (c *capture) sweepLitter() {
	dirs := []string{core.Home, core.StateDir, core.SummaryDir}
	days, _ := c.m.List(core.ExecutionsDir)
	for _, day := range days {
		dirs = append(dirs, path.Join(core.ExecutionsDir, day.Name))
	}
	for _, dir := range dirs {
		entries, _ := c.m.List(dir)
		if slices.ContainsFunc(entries, func(e mirror.Entry) bool { return statefile.IsLitter(e.Name) }) {
			c.r.store.Sweep(c.r.targetOf(path.Join(dir, "x")))
		}
	}
}

// targetOf returns the target for a file of the project. Links must not lead out of the project.
func (r *Recorder) targetOf(file string) statefile.Target {
	return statefile.Target{Path: filepath.Join(r.root, filepath.FromSlash(file)), Within: []string{r.root}}
}

// rewriting computes a change of a file: the whole text of a log, or spans of a file that humans edit.
type rewriting func(content string) (after string, spans []model.Span, err error)

// inPlace returns the rewriting that applies spans.
func inPlace(change func(content string) ([]model.Span, error)) rewriting {
	return func(content string) (string, []model.Span, error) {
		spans, err := change(content)
		if err != nil {
			return "", nil, err
		}
		after, err := protocol.Apply(content, spans)
		return after, spans, err
	}
}

// writeFile changes a file, or in a dry run only lists the change. The change is computed again if another program writes at the same
// time. With mayMake a missing file is created.
func (c *capture) writeFile(ctx context.Context, file string, mayMake bool, change rewriting) error {
	f := FileChange{File: file}
	judged := func(content string, exists bool) (string, error) {
		after, spans, err := change(content)
		if err == nil && after == content {
			err = statefile.ErrNothing
		}
		f.Made, f.Edits = !exists, protocol.ListEdits(file, content, spans)
		return after, err
	}
	tries := 0
	var err error
	switch t := c.r.targetOf(file); {
	case c.rep.DryRun:
		var content string
		if content, err = c.r.store.Read(t); err == nil || mayMake && errors.Is(err, fs.ErrNotExist) {
			_, err = judged(content, err == nil)
		}
	case mayMake:
		tries, err = c.r.store.Put(ctx, t, judged)
	default:
		tries, err = c.r.store.Replace(ctx, t, func(content string) (string, error) { return judged(content, true) })
	}
	if tries > 1 || errors.Is(err, statefile.ErrChanging) {
		c.conflicts = append(c.conflicts, conflict{At: protocol.FormatTime(c.now), File: file, Plan: c.Plan, Task: c.Captured.Task, Log: c.Log, Tries: max(tries, 1), What: "another writer changed it meanwhile"})
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
	return c.r.store.MakeDir(c.r.targetOf(dir))
}

// conflict records that another writer changed a file, for users who wonder why their change is gone.
type conflict struct {
	At    string `json:"at"`
	File  string `json:"file"`
	Plan  string `json:"plan"`
	Task  string `json:"task"`
	Log   string `json:"log"`
	What  string `json:"what"`
	Tries int    `json:"tries,omitempty"` // how often the change was computed
}

const (
	conflictsFile = core.LogsDir + "/conflicts.jsonl"
	// maxConflicts is how many conflicts are kept, the last ones.
	maxConflicts = 500
)

// noteConflicts adds conflicts to their file.
func (r *Recorder) noteConflicts(ctx context.Context, all []conflict) error {
	if len(all) == 0 {
		return nil
	}
	_, err := r.store.Put(ctx, r.targetOf(conflictsFile), func(content string, _ bool) (string, error) {
		lines := slices.Collect(strings.Lines(content))
		if n := len(lines); n > 0 && !strings.HasSuffix(lines[n-1], "\n") {
			lines[n-1] += "\n"
		}
		for _, c := range all {
			text, _ := json.Marshal(c) // texts and a number
			lines = append(lines, string(text)+"\n")
		}
		return strings.Join(lines[max(0, len(lines)-maxConflicts):], ""), nil
	})
	return err
}

// setAside renames a file within its directory, with an ending that says why. It returns the new name.
func (c *capture) setAside(file, ending string) (to string, err error) {
	to, err = c.moveFile(path.Dir(file), path.Base(file), path.Base(file)+ending, "")
	c.m.Touch(file)
	return to, err
}

// setUnreadableAside renames a file that can't be used, so that a new one is begun, and reads the project again.
func (c *capture) setUnreadableAside(file string, findFault func(text string) string) error {
	text, err := c.r.store.Read(c.r.targetOf(file))
	if err != nil || strings.TrimSpace(text) == "" {
		return nil
	}
	why := findFault(text)
	if why == "" {
		return nil
	}
	to, err := c.setAside(file, ".unreadable")
	if err != nil {
		return err
	}
	c.addNote("%s: %s; it is kept as %s, and written again", file, why, to)
	c.refreshProject()
	return nil
}

// moveFile renames a file of a directory, with a number before the ending if the new name is taken. It returns the new name. A dry run only
// finds that.
func (c *capture) moveFile(dir, name, stem, ending string) (to string, err error) {
	to = stem + ending
	for n := 2; ; n++ {
		if _, isTaken := c.m.Stat(path.Join(dir, to)); isTaken && c.rep.DryRun {
			err = fs.ErrExist
		} else if err = nil; !c.rep.DryRun {
			err = c.r.store.Move(c.r.targetOf(dir), name, to)
		}
		if !errors.Is(err, fs.ErrExist) {
			return to, err
		}
		to = stem + "-" + strconv.Itoa(n) + ending
	}
}
