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

// shownFacts returns the parts of a proposal that a user decides on, in display order. Values that are merely refreshed, such as the time,
// are left out.
func (p *Proposal) shownFacts() []Fact {
	since := "not known"
	if !p.Since.IsZero() {
		since = p.Since.Format(time.DateTime)
	}
	all := []Fact{
		{"name", p.Name}, {"file", p.File}, {"effect", p.Effect}, {"terms", p.Terms}, {"asks", p.Asks}, {"missing", strings.Join(p.Missing, ", ")},
		{"warnings", strings.Join(p.Warnings, ", ")}, {"checks", strings.Join(p.Checks, ", ")}, {"releases", strings.Join(p.Releases, ", ")},
		{"waits since", since},
	}
	for _, e := range p.Edits {
		all = append(all, Fact{e.Label, "instead of " + e.Old})
	}
	for _, a := range p.Evidence {
		value := "missing"
		if a.Exists {
			value = strconv.FormatInt(a.Size, 10) + " B of " + a.Changed.Format(time.TimeOnly)
		}
		all = append(all, Fact{a.File, value})
	}
	return all
}

// Differences returns the differences between two proposals for the same target.
func Differences(before, now *Proposal) (all []Difference) {
	old := before.shownFacts()
	for _, f := range now.shownFacts() {
		was := ""
		if i := slices.IndexFunc(old, func(o Fact) bool { return o.Label == f.Label }); i >= 0 {
			was = old[i].Value
			old = slices.Delete(old, i, i+1)
		}
		if was != f.Value {
			all = append(all, Difference{f.Label, was, f.Value})
		}
	}
	for _, gone := range old {
		all = append(all, Difference{gone.Label, gone.Value, ""})
	}
	return all
}
