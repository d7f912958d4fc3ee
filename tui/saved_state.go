package tui

// The state saved between runs: for each project the selection, folds, filters and seen changes, and the layout of the screen. A
// [Keeper] stores it.

import (
	"cmp"
	"encoding/json"
	"hash/fnv"
	"sync"
	"sync/atomic"
	"time"

	tea "charm.land/bubbletea/v2"

	"gatehouse/model"
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

// keptScreen is the saved layout of the screen.
type keptScreen struct {
	Preview string `json:"preview,omitempty"`
}

// ScreenName is the name of the saved screen. No project has this name: their roots begin with "/", or a host and ":".
const ScreenName = "screen"

// memory is the saved state when the dashboard was opened.
type memory struct {
	projects map[string]Kept
	screen   keptScreen
	err      error // the first one
}

// loadMemory reads the saved state of the projects of an index, and logs the changes since then.
func loadMemory(k Keeper, ix *index.Index) *memory {
	m := &memory{projects: make(map[string]Kept)}
	take := func(err error) { m.err = cmp.Or(m.err, err) }
	take(k.Load(ScreenName, &m.screen))
	visits := make(map[string]index.Visit)
	for _, p := range ix.Snap.Projects {
		var kept Kept
		err := k.Load(p.Root, &kept)
		take(err)
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
	for p := previewRight; p <= previewOff; p++ {
		if p.String() == m.screen.Preview {
			d.layout.preview = p
		}
	}
	d.updateScreen()
	var last *Kept
	d.written.setKnown(m)
	for root, kept := range m.projects {
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

// keeping is the state to save at one moment. It is written outside the event loop.
type keeping struct {
	screen   keptScreen
	projects []*model.Project // the one with the selection first
	chosen   string           // the root of the project with the selection
	views    map[string]pane.TreeView
	leaving  index.Leaving
	looks    uint64
	now      time.Time
}

// stateToKeep returns the current state to save.
func (d *dashboard) stateToKeep() keeping {
	now := d.opts.currentTime()
	k := keeping{
		screen: keptScreen{d.layout.preview.String()}, views: d.tree.Views(), leaving: d.index.Leave(&d.seen, now),
		looks: d.seen.Looks, now: now.UTC(),
	}
	if r, ok := d.tree.At(); ok {
		k.chosen = r.Site.Project.Root
		k.projects = append(k.projects, r.Site.Project)
	}
	for _, p := range d.index.Snap.Projects {
		if p.Root != k.chosen {
			k.projects = append(k.projects, p)
		}
	}
	return k
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
	k := d.stateToKeep()
	return func() tea.Msg { return savedMsg{d.written.save(d.opts.Keeper, k, keepTime, false)} }
}

// savedMsg is the result of saving.
type savedMsg struct{ err error }

// written is the state on disk; unchanged parts are not written again.
type written struct {
	mu       sync.Mutex
	ending   atomic.Bool // the program ends, and a save in the background stops
	screen   keptScreen
	projects map[string]keptAs
}

// keptAs is the saved state of a project: pointers and counters that are cheap to compare, and a checksum.
type keptAs struct {
	project *model.Project
	looks   uint64
	view    string
	sum     uint64 // of everything except the times
}

// sumOf returns the checksum of a project's saved state, without the times of this visit.
func sumOf(k Kept) uint64 {
	k.At, k.Chosen = time.Time{}, time.Time{}
	h := fnv.New64a()
	_ = json.NewEncoder(h).Encode(k) // texts and numbers only
	return h.Sum64()
}

// setKnown records the state that was saved before.
func (w *written) setKnown(m *memory) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.screen, w.projects = m.screen, make(map[string]keptAs, len(m.projects))
	for root, kept := range m.projects {
		w.projects[root] = keptAs{sum: sumOf(kept)}
	}
}

// save saves the changed state until the time is over, and returns the first error. If another save is running there is nothing to do.
// The last save, at the end of the program, waits for it instead, and saves the selection however long that takes.
func (w *written) save(to Keeper, k keeping, within time.Duration, last bool) (err error) {
	if last {
		w.ending.Store(true)
		w.mu.Lock()
	} else if !w.mu.TryLock() {
		return nil
	}
	defer w.mu.Unlock()
	until := time.Now().Add(within)
	late := func() bool { return !last && w.ending.Load() || time.Now().After(until) }
	if w.projects == nil {
		w.projects = make(map[string]keptAs)
	}
	if k.screen != w.screen {
		if err = to.Save(ScreenName, k.screen); err == nil {
			w.screen = k.screen
		}
	}
	for _, p := range k.projects {
		view := k.views[p.Root]
		viewed, _ := json.Marshal(view)
		was := w.projects[p.Root]
		if was.project == p && was.looks == k.looks && was.view == string(viewed) {
			continue
		}
		if p.Root != k.chosen && late() {
			return err
		}
		kept := Kept{Visit: k.leaving.Visit(p.Root), View: view}
		if len(kept.Stood) == 0 {
			continue // the project has no builds
		}
		if p.Root == k.chosen {
			kept.Chosen = k.now
		}
		if sum := sumOf(kept); sum != was.sum {
			if failed := to.Save(p.Root, kept); failed != nil {
				err = cmp.Or(err, failed)
				continue
			}
			was.sum = sum
		}
		w.projects[p.Root] = keptAs{p, k.looks, string(viewed), was.sum}
	}
	return err
}

// reportSave reports an error of saving once.
func (d *dashboard) reportSave(err error) tea.Cmd {
	if err == nil || d.reportedUnsaved {
		return nil
	}
	d.reportedUnsaved = true
	return d.addNotice(err.Error())
}
