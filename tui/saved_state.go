package tui

// The state saved between runs: for each project the selection, folds, filters and seen changes. A [Keeper] stores it.

import (
	"cmp"
	"encoding/json"
	"sync"
	"time"

	tea "charm.land/bubbletea/v2"

	"gatehouse/tui/decide"
	"gatehouse/tui/index"
	"gatehouse/tui/pane"
)

// Keeper keeps values by name, from one run to the next. Its methods may be called while the dashboard runs, one at a time.
type Keeper interface {
	// Load reads the value with a name. If there is none, into stays unchanged.
	Load(name string, into any) error
	// Save stores a value under a name.
	Save(name string, value any) error
}

// Kept is the saved state of a project.
type Kept struct {
	index.Visit
	View pane.TreeView `json:"view"`
	// Chosen is when the selection was last in this project.
	Chosen time.Time `json:"chosen,omitzero"`
}

// withoutTimes returns the state as JSON, without the times of the visit, which are no reason to save it again.
func (k Kept) withoutTimes() string {
	k.At, k.Chosen = time.Time{}, time.Time{}
	text, _ := json.Marshal(k) // texts and numbers only
	return string(text)
}

// memory is the saved state when the dashboard was opened.
type memory struct {
	projects map[string]Kept
	err      error // the first one
}

// loadMemory reads the saved state of the projects of an index, and logs the changes since then.
func loadMemory(k Keeper, ix *index.Index) *memory {
	m := &memory{projects: make(map[string]Kept)}
	visits := make(map[string]index.Visit)
	for _, p := range ix.Snap.Projects {
		var kept Kept
		err := k.Load(p.Root, &kept)
		m.err = cmp.Or(m.err, err)
		if err == nil && !kept.At.IsZero() {
			m.projects[p.Root], visits[p.Root] = kept, kept.Visit
		}
	}
	ix.Return(visits)
	return m
}

// restoreMemory applies the saved state, before the first snapshot is shown.
func (d *dashboard) restoreMemory(m *memory) tea.Cmd {
	if m == nil {
		return nil
	}
	var last *Kept
	for root, kept := range m.projects {
		d.written.remember(root, kept)
		d.tree.Refold(root, kept.View)
		if last == nil || kept.Chosen.After(last.Chosen) {
			last = &kept
			d.reopen = func() { d.tree.Reopen(root, kept.View) }
		}
	}
	if m.err != nil {
		return d.addNotice(m.err.Error())
	}
	return nil
}

// The time limits of saving: in the background, and at the end of the program. The rest is saved a minute later, or was saved a minute
// ago.
const (
	keepTime = time.Second
	lastKeep = 40 * time.Millisecond
)

// saveState returns the command that saves the state; nil without a keeper.
func (d *dashboard) saveState() tea.Cmd {
	if d.opts.Keeper == nil || d.still || d.index.Snap.Version == 0 {
		return nil
	}
	save := d.saver()
	return decide.Request(func() (any, error) { return nil, save(keepTime) }, func(_ any, err error) tea.Cmd { return d.reportSave(err) })
}

// written is the state on disk as JSON, by the roots of projects; unchanged state is not written again.
type written struct {
	mu     sync.Mutex
	values map[string]string
}

// remember notes the state of a project as it is on disk.
func (w *written) remember(root string, k Kept) {
	if w.values == nil {
		w.values = make(map[string]string)
	}
	w.values[root] = k.withoutTimes()
}

// saver returns the function that saves the current state if it has changed, outside the event loop, until the time is over: the project
// with the selection in any case. It returns the first error.
func (d *dashboard) saver() func(within time.Duration) error {
	now, chosen := d.opts.currentTime(), ""
	views, visit := d.tree.Views(), d.index.Leave(&d.seen, now)
	var roots []string // the project with the selection first
	if r, ok := d.tree.At(); ok {
		chosen = r.Site.Project.Root
		roots = append(roots, chosen)
	}
	for _, p := range d.index.Snap.Projects {
		if p.Root != chosen {
			roots = append(roots, p.Root)
		}
	}
	keeper, w := d.opts.Keeper, &d.written
	return func(within time.Duration) (err error) {
		w.mu.Lock()
		defer w.mu.Unlock()
		until := time.Now().Add(within)
		for _, root := range roots {
			if root != chosen && time.Now().After(until) {
				break
			}
			kept := Kept{Visit: visit(root), View: views[root]}
			if root == chosen {
				kept.Chosen = now.UTC()
			}
			if len(kept.Stood) == 0 || w.values[root] == kept.withoutTimes() { // it has no builds, or is saved already
				continue
			}
			failed := keeper.Save(root, kept)
			if err = cmp.Or(err, failed); failed == nil {
				w.remember(root, kept)
			}
		}
		return err
	}
}

// reportSave reports an error of saving once.
func (d *dashboard) reportSave(err error) tea.Cmd {
	if err == nil || d.reportedUnsaved {
		return nil
	}
	d.reportedUnsaved = true
	return d.addNotice(err.Error())
}
