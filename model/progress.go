package model

import (
	"math"
	"math/bits"
	"strconv"
)

// Count is how many of some things are finished.
type Count struct {
	Done  int `json:"done"`  // how many are finished
	Total int `json:"total"` // of how many
}

// Open returns how many are not finished.
func (c Count) Open() int { return c.Total - c.Done }

// String returns "1/3".
func (c Count) String() string { return strconv.Itoa(c.Done) + "/" + strconv.Itoa(c.Total) }

// Floor returns the finished share in percent, rounded down, between 0 and
// 100; so 100 means all of them. Without a total it returns 0.
func (c Count) Floor() int {
	if c.Total <= 0 {
		return 0
	}
	// With 128 bits, because a file may claim any number.
	hi, lo := bits.Mul64(uint64(min(c.Total, max(0, c.Done))), 100)
	percent, _ := bits.Div64(hi, lo, uint64(c.Total))
	return int(percent)
}

// Round returns the finished share in percent, rounded half up like GSD's tools, between 0 and 100: Math.round(done /
// total * 100) in JavaScript's numbers: 23 of 40 are 57.49999999999999 and so 57. Without a total it returns
// 0.
func (c Count) Round() int {
	if c.Total <= 0 {
		return 0
	}
	done := min(c.Total, max(0, c.Done))
	return int(math.Round(float64(done) / float64(c.Total) * 100))
}

// Progress is how far a build is.
type Progress struct {
	// Known is false if there is nothing to count, or if none of it belongs to the current work: Percent then has no
	// meaning, and must not be shown.
	Known bool `json:"known"`
	// Percent is the headline, 0 to 100, the one percentage of the build: the finished share of the unit [Progress.Of],
	// rounded like the protocol itself does.
	Percent int `json:"percent"`
	// Phases and Plans count the tree; a phase is finished here when its work is, verified or not. Closed counts the
	// phases with nothing left to do.
	Phases Count `json:"phases"`
	Plans  Count `json:"plans"`
	Closed Count `json:"closed"`
	// Chunks counts the chunks of a run, if the protocol builds in chunks.
	Chunks Count `json:"chunks,omitzero"`
	// Tasks counts the tasks of a format with neither plans nor chunks, such as Spec Kit.
	Tasks Count `json:"tasks,omitzero"`
	// Rounded reports whether the protocol rounds half up, like [Count.Round]. The others round down.
	Rounded bool `json:"-"`
}

// Of returns the unit of Percent: "plans" if there are any, else "chunks", else "tasks", else "phases".
func (p Progress) Of() string {
	switch {
	case p.Plans.Total > 0:
		return "plans"
	case p.Chunks.Total > 0:
		return "chunks"
	case p.Tasks.Total > 0:
		return "tasks"
	}
	return "phases"
}

// Counted returns the count behind Percent.
func (p Progress) Counted() Count {
	switch p.Of() {
	case "plans":
		return p.Plans
	case "chunks":
		return p.Chunks
	case "tasks":
		return p.Tasks
	}
	return p.Phases
}

// Share returns the finished share of a part of the build in percent, rounded as Percent is.
func (p Progress) Share(of Count) int {
	if p.Rounded {
		return of.Round()
	}
	return of.Floor()
}
