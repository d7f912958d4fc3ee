package tui

// What is kept from one run to the next: for each project where one was, what was folded, filtered and seen; and how the screen was
// divided. The dashboard hands it out and takes it in; where it lies is somebody else's business.

import (
	"cmp"
	"encoding/json"
	"sync"
	"time"

	tea "charm.land/bubbletea/v2"

	"gatehouse/tui/index"
	"gatehouse/tui/pane"
)

// Keeper keeps values by name, from one run to the next. Its methods may be called while the dashboard runs, one at a time.
type Keeper interface {
	// Load reads what is kept under a name into a value, which stays as it is where nothing is.
	Load(name string, into any) error
	// Save keeps a value under a name.
	Save(name string, value any) error
}

// Kept is what is kept of a project.
type Kept struct {
	index.Visit
	View pane.TreeView `json:"view"`
	// Chosen is when the selection was in this project last.
	Chosen time.Time `json:"chosen,omitzero"`
}

// keptScreen is what is kept of the screen, and the name that it is kept under. No project is called so: their names begin with "/".
type keptScreen struct {
	Preview string `json:"preview,omitempty"`
	Wide    int    `json:"wide,omitempty"`
	Tall    int    `json:"tall,omitempty"`
}

const screenName = "screen"

// memory is what was kept, as it was when the dashboard was opened.
type memory struct {
	projects map[string]Kept
	screen   keptScreen
	err      error // the first one
}

// recall reads what is kept of the projects of an index, and has it tell what has changed since.
func recall(k Keeper, ix *index.Index) *memory {
	m := &memory{projects: make(map[string]Kept)}
	take := func(err error) { m.err = cmp.Or(m.err, err) }
	take(k.Load(screenName, &m.screen))
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

// recalled takes in what was kept, before the first snapshot is shown.
func (d *dashboard) recalled(m *memory) tea.Cmd {
	if m == nil {
		return nil
	}
	for p := previewRight; p <= previewOff; p++ {
		if p.String() == m.screen.Preview {
			d.layout.preview = p
		}
	}
	d.layout.wide, d.layout.tall = m.screen.Wide, m.screen.Tall
	d.arrange()
	var last *Kept
	d.written.know(screenName, m.screen)
	for root, kept := range m.projects {
		d.written.know(root, kept)
		d.tree.Refold(root, kept.View)
		if last == nil || kept.Chosen.After(last.Chosen) {
			last = &kept
			d.reopen = func() { d.tree.Reopen(root, kept.View) }
		}
	}
	if m.err != nil {
		return d.refuse(m.err.Error())
	}
	return nil
}

// keeping returns what is to be kept, by name.
func (d *dashboard) keeping() map[string]any {
	if d.index.Snap.Version == 0 {
		return nil
	}
	all := map[string]any{screenName: keptScreen{d.layout.preview.String(), d.layout.wide, d.layout.tall}}
	on, _ := d.tree.At()
	for _, p := range d.index.Snap.Projects {
		k := Kept{Visit: d.index.Leave(p.Root, &d.seen, d.opts.now()), View: d.tree.ViewOf(p.Root)}
		if len(k.Stood) == 0 {
			continue // nothing is built there
		}
		if on.Site != nil && on.Site.Project.Root == p.Root {
			k.Chosen = d.opts.now().UTC()
		}
		all[p.Root] = k
	}
	return all
}

// save returns the command that keeps all there is to be kept; nil where nobody does.
func (d *dashboard) save() tea.Cmd {
	if d.opts.Keeper == nil || d.still {
		return nil
	}
	all := d.keeping()
	return func() tea.Msg { return savedMsg{d.written.keep(d.opts.Keeper, all)} }
}

// savedMsg says what came of keeping.
type savedMsg struct{ err error }

// written is what is kept by now: what has not changed is not written again.
type written struct {
	mu   sync.Mutex
	last map[string]string // by name, but for the times
}

// undated returns a value without the times of this visit, to tell whether anything else has changed.
func undated(value any) string {
	if k, ok := value.(Kept); ok {
		k.At, k.Chosen = time.Time{}, time.Time{}
		value = k
	}
	text, _ := json.Marshal(value) // of texts and numbers alone
	return string(text)
}

// know takes in what was kept before.
func (w *written) know(name string, value any) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.last == nil {
		w.last = make(map[string]string)
	}
	w.last[name] = undated(value)
}

// keep keeps what has changed, and returns the first error.
func (w *written) keep(k Keeper, all map[string]any) (err error) {
	for name, value := range all {
		w.mu.Lock()
		same := w.last[name] == undated(value)
		w.mu.Unlock()
		if same {
			continue
		}
		if failed := k.Save(name, value); failed != nil {
			err = cmp.Or(err, failed)
			continue
		}
		w.know(name, value)
	}
	return err
}

// saved says once what went wrong.
func (d *dashboard) saved(err error) tea.Cmd {
	if err == nil || d.toldUnsaved {
		return nil
	}
	d.toldUnsaved = true
	return d.refuse(err.Error())
}
