// Package model defines a build, for all protocols alike.
//
// A [Project] is one directory with builds. It holds one [Build] for each protocol found there. A build is a tree of
// [Node]s (milestones, phases, plans, tasks, gates, chunks), each with one canonical [Status] and the word that the
// file itself uses. The tree is kept separate from the claims of a state file: claims that the tree contradicts are
// listed as [Divergence]s, and never trusted.
//
// Everything here is a value that is built once and then only read: a reader makes a new Project when a file changes,
// and views swap a pointer. The package opens no file and reads no clock; times are passed in.
//
// The struct tags are the documented JSON form of "gatehouse status --json".
package model

import (
	"context"
	"time"

	"gatehouse/model/line"
)

// Project is one directory with its builds, at one moment.
type Project struct {
	Root string `json:"root"` // absolute path of the directory
	Name string `json:"name"` // its base name, for people
	// Host is the machine it is on; nil for this one. The root of a remote project is "host:" and its directory there.
	Host *Host `json:"host,omitempty"`
	// Builds are ordered: builds that wait for a human first, then by latest change.
	Builds []*Build `json:"builds"`
	// Decisions are the users' decisions on its builds from the journal, newest first.
	Decisions []Decision `json:"decisions,omitempty"`
	// Problems are those that belong to no build, such as a directory that
	// cannot be listed.
	Problems []Problem `json:"problems,omitempty"`
}

// Build is one protocol's state in a project. All texts in it are clean for any screen: readers remove control and
// format characters. Paths are as the file system has them.
type Build struct {
	// ID identifies a build within its project and does not change over reloads: the protocol's name, with ":" and the
	// workstream if there is one.
	ID       string `json:"id"`
	Protocol string `json:"protocol"` // "gsd"
	Title    string `json:"title"`    // milestone and name of the current work; may be ""
	// Selected reports whether the project selects it for work: the active workstream of GSD.
	Selected bool `json:"selected,omitempty"`
	// Dir is the directory of the state files and File the state file itself, both relative to the project's root,
	// "/"-separated. File is set even if the file is missing: it is its expected path.
	Dir  string `json:"dir"`
	File string `json:"file"`

	Status Status `json:"status"` // of the build as a whole, from its tree
	Raw    string `json:"raw"`    // the state file's own word for it, "" if it has none
	Why    string `json:"why"`    // one sentence: the origin of Status
	// Since and SinceFile belong to Status, as in a [Node].
	Since     time.Time `json:"since,omitzero"`
	SinceFile bool      `json:"since_file,omitempty"`
	// StaleSince is when something of it moved last, if it is under way and nothing has moved for [QuietAfter].
	StaleSince time.Time `json:"stale_since,omitzero"`

	// Unread names the unreadable part of its files, so that its rows are incomplete; "" if all can be read.
	Unread string `json:"-"`

	Nodes    []*Node  `json:"nodes"` // the tree
	Progress Progress `json:"progress"`
	Now      string   `json:"now,omitempty"` // ID of the node worked on, "" if none is named
	Next     *Next    `json:"next,omitempty"`

	// Resume is the effect of resuming the build, if the user has to choose among offers; nil otherwise.
	Resume *Resume `json:"-"`

	Waits []Wait `json:"waits"` // waits for a human, see [SortWaits]
	// OldAfter is how long something of it waits until it is old; 0 is [OldAfter].
	OldAfter time.Duration `json:"-"`
	// Expired are outdated waits: their files still call them waiting, but their milestone is over or their hand-over
	// is out of date. They are not counted.
	Expired     []Wait       `json:"past,omitempty"`
	Blockers    []Blocker    `json:"blockers"` // obstacles to the agents' work
	Pause       *Pause       `json:"pause,omitempty"`
	Divergences []Divergence `json:"divergences"` // claims of the state file the tree denies
	// Lags are claims that the tree has outrun a moment ago: numbers are written after the work. They become divergences
	// once nothing has changed for [LagAfter], at Settles.
	Lags      []Divergence `json:"lags,omitempty"`
	Settles   time.Time    `json:"-"`
	Problems  []Problem    `json:"problems"` // problems with reading
	Freshness Freshness    `json:"freshness"`

	// Activity is the work that the build's agents have logged, oldest first; see [MergeActivities].
	Activity []Activity `json:"activity,omitempty"`
	// Metrics are the numbers that the build keeps about itself, in the file's order and words.
	Metrics []Fact `json:"metrics,omitempty"`
	// Notes are the facts that the state file carries along for the next session: the last position, the decisions.
	Notes []Fact `json:"notes,omitempty"`
	// Measured are the metrics computed from its logs and its tree; nil without logs.
	Measured *Metrics `json:"measured,omitempty"`
	// History is its record of finished pieces; nil if its protocol counts no pieces.
	History *History `json:"history,omitempty"`
	// Can are the verbs on the build as a whole that the protocol allows now; none if it is read-only.
	Can []Verb `json:"can,omitempty"`

	// Began is when the work in the state file began; zero if the file does not say. Earlier decisions were about other
	// work.
	Began time.Time `json:"-"`
	// Turns is the time at which the build starts to read differently without a file change, for example because a run
	// becomes stale; zero if there is none.
	Turns time.Time `json:"-"`

	// Claimed is the line from the state file alone, as statusline prints it. Header is the same line with facts
	// corrected by the tree. Both are nil if the protocol has no line.
	Claimed line.Facts `json:"-"`
	Header  line.Facts `json:"-"`
}

// Next is the command the protocol would have run next.
type Next struct {
	Command string `json:"command"`         // "execute-phase 4.5"
	Why     string `json:"why"`             // "2 of 3 plans have no summary"
	Node    string `json:"node,omitempty"`  // the node it is about
	Derived bool   `json:"derived"`         // true: from the tree; false: from the state file
	Source  Pos    `json:"source,omitzero"` // position of the claim in the state file
}

// Paused reports whether work is interrupted, and nothing in it waits for a human.
func (b *Build) Paused() bool { return b.Pause != nil && b.Status == Active }

// Word returns the status in one word, "paused" if work was interrupted, [StaleWord] if nothing moves.
func (b *Build) Word() string {
	switch {
	case b.Paused():
		return "paused"
	case !b.StaleSince.IsZero():
		return StaleWord
	}
	return b.Status.Word()
}

// Pause is a deliberate interruption of work.
type Pause struct {
	Reason    string    `json:"reason"`               // in the file's words, "" without one
	Since     time.Time `json:"since,omitzero"`       // zero: not known
	SinceFile bool      `json:"since_file,omitempty"` // it is only the time of the file
	Source    Pos       `json:"source"`
}

// Blocker is something that keeps agents from going on.
type Blocker struct {
	Text  string    `json:"text"`            // in the file's words
	Owner string    `json:"owner,omitempty"` // who can lift it, as the file says: "human_action", "external"
	Node  string    `json:"node,omitempty"`  // ID of the node that it stops, "" for the build
	Since time.Time `json:"since,omitzero"`  // zero: not known
	// SinceFile marks a Since that is only the time of the file.
	SinceFile bool `json:"since_file,omitempty"`
	Source    Pos  `json:"source"`
	// Concern marks a written-down worry: it is shown, but nothing is known to stop because of it.
	Concern bool `json:"concern,omitempty"`
}

// Blocking returns the blockers that are more than a concern.
func (b *Build) Blocking() []Blocker {
	var now []Blocker
	for _, x := range b.Blockers {
		if !x.Concern {
			now = append(now, x)
		}
	}
	return now
}

// Divergence is a claim of a state file that the tree denies.
type Divergence struct {
	Claim  string `json:"claim"` // "STATE.md says 100 %"
	Truth  string `json:"truth"` // "3 of 9 phases are open"
	Source Pos    `json:"source"`
}

// Freshness is the possible age of the shown data.
type Freshness struct {
	// Changed is the newest modification time among the files read.
	Changed time.Time `json:"changed,omitzero"`
	// Seen reports whether a file was seen to change since the first reading: then Changed is not the time of a
	// checkout.
	Seen bool `json:"-"`
	// Claimed is the time the state file itself names, zero if it names none.
	Claimed time.Time `json:"claimed,omitzero"`
	// Held counts the unreadable files that are shown in their last good state. Each has a [Problem].
	Held int `json:"-"`
}

// TurnsAt returns the first time after now at which the build starts to read differently without a file change: a run
// becomes stale, a lagging claim becomes a disagreement, a wait becomes old. It is the zero time if there is none.
func (b *Build) TurnsAt(now time.Time) (first time.Time) {
	take := func(at time.Time) {
		if at.After(now) && (first.IsZero() || at.Before(first)) {
			first = at
		}
	}
	take(b.Settles)
	take(b.Turns)
	for i := range b.Waits {
		w := &b.Waits[i]
		if !w.IsOld() && !w.Since.IsZero() {
			take(w.Since.Add(b.oldAfter()))
		}
		take(w.Until)
	}
	return first
}

// LagAfter is how long nothing may change before a number that the tree has outrun counts as a disagreement.
const LagAfter = time.Minute

// idleAfter is how long nothing may change before an unfinished build counts
// as left behind: GSD's own limit for "idle-stranded".
const idleAfter = 72 * time.Hour

// Idle returns how long nothing has changed, and whether that is longer than [idleAfter]. Without any known time it
// returns 0, false. A claimed time in the future is not trusted.
func (f Freshness) Idle(now time.Time) (time.Duration, bool) {
	last := f.Changed
	if f.Claimed.After(last) && !f.Claimed.After(now) {
		last = f.Claimed
	}
	if last.IsZero() || last.After(now) {
		return 0, false
	}
	d := now.Sub(last)
	return d, d > idleAfter
}

// Snapshot is everything a dashboard shows, as of one moment.
type Snapshot struct {
	// Version grows with each snapshot of one [Feed]; 0 is never used.
	Version  uint64
	At       time.Time
	Projects []*Project // in the order of the arguments
	// Watch describes a degraded file watch ("polling every 2 s: no more inotify watches"); "" if it works normally.
	Watch string
	// Hosts are the other machines that are looked at, also those without a project.
	Hosts []*Host
	// Sessions are the sessions of live agents in any directory, the most recently active first.
	Sessions []Session
}

// Feed gives a dashboard its data.
type Feed interface {
	// Next blocks until there is a snapshot with a version above after, and
	// returns the newest. It returns the context's error when that ends first.
	Next(ctx context.Context, after uint64) (*Snapshot, error)
}
