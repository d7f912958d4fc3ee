package model

import (
	"slices"
	"strconv"
	"strings"
	"time"
)

// Difference is one change between two proposals; Was and Is are "" for a missing side.
type Difference struct {
	Label string `json:"label"`
	Was   string `json:"was,omitempty"`
	Is    string `json:"is,omitempty"`
}

// facet is one value that a proposal shows.
type facet struct {
	label, value string
	file         string    // distinguishes several values with that label
	written      time.Time // time, to distinguish two equal values
	coming, lack string    // words for a value that only one of two proposals has: added, removed
}

// listFacets returns the parts of a proposal that a user decides on, in display order. Values that are merely refreshed,
// such as the time, are left out.
func (p *Proposal) listFacets() []facet {
	since := "not known"
	if !p.Since.IsZero() {
		since = p.Since.Format(time.DateTime)
	}
	all := []facet{
		{label: "name", value: p.Name}, {label: "file", value: p.File}, {label: "effect", value: p.Effect}, {label: "terms", value: p.Terms},
		{label: "asks", value: p.Asks}, {label: "missing", value: strings.Join(p.Missing, ", ")}, {label: "warnings", value: strings.Join(p.Warnings, ", ")},
		{label: "checks", value: strings.Join(p.Checks, ", ")}, {label: "releases", value: strings.Join(p.Releases, ", ")}, {label: "waits since", value: since},
	}
	for _, e := range p.Edits {
		all = append(all, facet{label: e.Label, value: e.Old, coming: e.New, lack: "not written"})
	}
	for _, a := range p.Evidence {
		f := facet{label: a.Name, file: a.File, value: "missing"}
		if a.Exists {
			f.value, f.written = strconv.FormatInt(a.Size, 10)+" B", a.Changed
		}
		f.coming = f.value
		all = append(all, f)
	}
	return all
}

// Differences returns the differences between two proposals for the same target.
func Differences(before, now *Proposal) (all []Difference) {
	old := before.listFacets()
	for _, f := range now.listFacets() {
		i := slices.IndexFunc(old, func(o facet) bool { return o.label == f.label && o.file == f.file })
		if i < 0 {
			all = append(all, Difference{f.label, f.lack, f.coming})
			continue
		}
		switch was := old[i]; {
		case was.value != f.value:
			all = append(all, Difference{f.label, was.value, f.value})
		case !was.written.Equal(f.written): // same length as before, but the content may differ
			all = append(all, Difference{f.label, was.value, f.value + ", written again"})
		}
		old = slices.Delete(old, i, i+1)
	}
	for _, gone := range old {
		is := "gone"
		if gone.lack != "" {
			is = gone.lack + " any more"
		}
		all = append(all, Difference{gone.label, gone.value, is})
	}
	return all
}
