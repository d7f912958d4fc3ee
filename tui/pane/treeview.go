package pane

// The state of the tree that is saved for each project.

import (
	"slices"
	"strings"

	"gatehouse/model"
	"gatehouse/tui/index"
)

// TreeView is the user's view of a project in the tree. The key of a node is "BUILD\nNODE". Open runs are not kept.
type TreeView struct {
	Folded   []string `json:"folded,omitempty"`
	Unfolded []string `json:"unfolded,omitempty"`
	Selected *string  `json:"selected,omitempty"`
	Text     string   `json:"text,omitempty"`   // of the filter
	States   []string `json:"states,omitempty"` // of the filter
}

// viewKey returns the key of a place in its project.
func viewKey(at index.Place) string { return at.Build + "\n" + at.Node }

// placeOf returns the place of a key in a project.
func placeOf(root, key string) index.Place {
	build, node, _ := strings.Cut(key, "\n")
	return index.Place{Project: root, Build: build, Node: node}
}

// Views returns the user's views of all projects, by their roots. Selection and filter belong to the selected one.
func (t *Tree) Views() map[string]TreeView {
	all := make(map[string]TreeView)
	for at, folded := range t.folded {
		if at.Build == model.AgentsBuild || at.Run {
			continue
		}
		v := all[at.Project]
		keys := map[bool]*[]string{true: &v.Folded, false: &v.Unfolded}[folded]
		*keys = append(*keys, viewKey(at))
		all[at.Project] = v
	}
	for root, v := range all {
		slices.Sort(v.Folded)
		slices.Sort(v.Unfolded)
		all[root] = v
	}
	if r, ok := t.At(); ok {
		root, key := r.Site.Project.Root, viewKey(r.Place())
		v := all[root]
		v.Selected, v.Text = &key, t.Filter.Text
		for i, st := range index.States {
			if t.Filter.States.Has(i) {
				v.States = append(v.States, st.Word())
			}
		}
		all[root] = v
	}
	return all
}

// Refold restores the folds of a project.
func (t *Tree) Refold(root string, v TreeView) {
	if t.folded == nil {
		t.folded = make(map[index.Place]bool)
	}
	for folded, keys := range map[bool][]string{true: v.Folded, false: v.Unfolded} {
		for _, key := range keys[:min(len(keys), foldLimit)] {
			t.folded[placeOf(root, key)] = folded
		}
	}
}

// Reopen restores the selection and the filter of a project.
func (t *Tree) Reopen(root string, v TreeView) {
	t.Filter.Search(v.Text)
	for i, st := range index.States {
		if slices.Contains(v.States, st.Word()) {
			t.Filter.States |= 1 << i
		}
	}
	t.Refilter()
	if v.Selected != nil {
		if at := placeOf(root, *v.Selected); t.index.Has(at) {
			t.Open(at)
		}
	}
}
