// Discarding interrupted work.

package record

import (
	"context"
	"path"

	"gatehouse/model"
	"gatehouse/parse/ultraplan/core"
	"gatehouse/parse/ultraplan/statemd"
)

// discarded is the ending of the new name of a discarded file.
const discarded = ".discarded"

// Discard renames continue.md, returns the new name, and removes the file from STATE.md. The name is "" without such a file. A dry run only
// returns the name.
func (r *Recorder) Discard(ctx context.Context, dryRun bool) (kept string, err error) {
	c, err := r.openProject(Report{DryRun: dryRun})
	if err != nil {
		return "", err
	}
	if _, exists := c.m.Stat(core.ResumeFile); !exists {
		return "", nil
	}
	err = c.lockLogs(ctx, func() error {
		to, err := c.setAside(core.ResumeFile, discarded)
		if err != nil {
			return err
		}
		if kept = path.Join(core.StateDir, to); !c.HasState {
			return nil
		}
		return c.writeFile(ctx, c.StateFile, false, inPlace(func(content string) ([]model.Span, error) {
			return statemd.ResumeSpans(content, func(file string) bool { _, exists := c.m.Stat(file); return exists }), nil
		}))
	})
	return kept, err
}
