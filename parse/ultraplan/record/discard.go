// Putting work away that was broken off and will not be taken up.

package record

import (
	"context"
	"errors"
	"path"

	"gatehouse/parse/disk/statefile"
	"gatehouse/parse/protocol"
	"gatehouse/parse/ultraplan/core"
	"gatehouse/parse/ultraplan/statemd"
)

// discarded is the ending of the new name of a discarded file.
const discarded = ".discarded"

// Discard puts continue.md away, under a name that it returns, and takes it out of STATE.md. The name is "" without such a file. A dry
// run only says the name.
func (r *Recorder) Discard(ctx context.Context, dryRun bool) (kept string, err error) {
	c, err := r.openProject(Report{DryRun: dryRun})
	if err != nil {
		return "", err
	}
	if _, exists := c.m.Stat(core.ResumeFile); !exists {
		return "", nil
	}
	if err := errors.Join(r.targetOf(core.ResumeFile).Inside(), r.targetOf(core.LogsDir+"/x").Inside()); err != nil {
		return "", err
	}
	if dryRun {
		to, err := c.setAside(core.ResumeFile, discarded)
		return path.Join(core.StateDir, to), err
	}
	if err := r.store.MakeDir(r.targetOf(core.LogsDir)); err != nil {
		return "", err
	}
	release, err := r.holdLock(ctx)
	if err != nil {
		return "", err
	}
	defer release()
	to, err := c.setAside(core.ResumeFile, discarded)
	if err != nil {
		return "", err
	}
	kept = path.Join(core.StateDir, to)
	if !c.HasState {
		return kept, nil
	}
	_, err = r.store.Replace(ctx, r.targetOf(c.StateFile), func(content string) (string, error) {
		spans := statemd.ResumeSpans(content, func(file string) bool { _, exists := c.m.Stat(file); return exists })
		return protocol.Apply(content, spans)
	})
	if errors.Is(err, statefile.ErrNothing) {
		err = nil
	}
	return kept, err
}
