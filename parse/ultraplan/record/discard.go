// Putting work away that was broken off and will not be taken up.

package record

import (
	"context"
	"errors"
	"path"

	"gatehouse/model"
	"gatehouse/parse/disk/mirror"
	"gatehouse/parse/disk/statefile"
	"gatehouse/parse/protocol"
	"gatehouse/parse/ultraplan/facts"
	"gatehouse/parse/ultraplan/rules"
	"gatehouse/parse/ultraplan/statemd"
)

// discarded is what the name of a file that was put away ends with.
const discarded = ".discarded"

// Discard puts continue.md away, under a name that it returns, and takes it out of STATE.md. The name is "" where there is none. A dry
// run only says the name.
func (r *Recorder) Discard(ctx context.Context, dryRun bool) (kept string, err error) {
	m := mirror.New(r.root, facts.Planning, rules.Home)
	c := &capture{Captured: &Captured{}, r: r, rep: Report{DryRun: dryRun}, Project: &facts.Project{Mirror: m, Build: &model.Build{File: path.Join(facts.Planning, "STATE.md")}}}
	if _, there := m.Stat(facts.ResumeFile); !there {
		return "", nil
	}
	c.ReadState()
	if err := errors.Join(r.target(facts.ResumeFile).Inside(), r.target(facts.LogsDir+"/x").Inside()); err != nil {
		return "", err
	}
	if dryRun {
		to, err := c.setAside(facts.ResumeFile, discarded)
		return path.Join(facts.StateDir, to), err
	}
	if err := r.store.MakeDir(r.target(facts.LogsDir)); err != nil {
		return "", err
	}
	release, err := r.hold(ctx)
	if err != nil {
		return "", err
	}
	defer release()
	to, err := c.setAside(facts.ResumeFile, discarded)
	if err != nil {
		return "", err
	}
	kept = path.Join(facts.StateDir, to)
	if !c.HasState {
		return kept, nil
	}
	_, err = r.store.Replace(ctx, r.target(c.Build.File), func(content string) (string, error) {
		spans := statemd.ResumeSpans(content, func(file string) bool { _, there := m.Stat(file); return there })
		return protocol.Apply(content, spans)
	})
	if errors.Is(err, statefile.ErrNothing) {
		err = nil
	}
	return kept, err
}
