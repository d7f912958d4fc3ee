package model

import (
	"slices"
	"strconv"
	"strings"
	"time"
)

// Difference is one thing that is not as it was in what would be done; Was and Is are "" where there was or is nothing.
type Difference struct {
	Label string `json:"label"`
	Was   string `json:"was,omitempty"`
	Is    string `json:"is,omitempty"`
}

// facet is one thing that a proposal says.
type facet struct {
	label, value string
	file         string    // which of several of that label
	written      time.Time // when, which tells two of the same value apart
	coming, lack string    // said of one that only one of two proposals has: what comes, and that there is none
}

// facets returns what a human decides upon, in the order in which it is said. Values that are only written anew, such as the
// time, are not in it: what counts is what the file held.
func (p *Proposal) facets() []facet {
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

// Differences returns what is different between two proposals for the same.
func Differences(before, now *Proposal) (all []Difference) {
	old := before.facets()
	for _, f := range now.facets() {
		i := slices.IndexFunc(old, func(o facet) bool { return o.label == f.label && o.file == f.file })
		if i < 0 {
			all = append(all, Difference{f.label, f.lack, f.coming})
			continue
		}
		switch was := old[i]; {
		case was.value != f.value:
			all = append(all, Difference{f.label, was.value, f.value})
		case !was.written.Equal(f.written): // as long as before, but who knows what it says
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
