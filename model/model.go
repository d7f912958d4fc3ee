// Package model says what a build is, for every protocol alike.
//
// A [Project] is one directory that somebody builds in. It holds one [Build]
// for each protocol found there. A build is a tree of [Node]s (milestones,
// phases, plans, tasks, gates, chunks), each with one canonical [Status] and,
// beside it, the word the file itself uses. What the tree says is kept apart
// from what a state file claims: the claims that the tree denies are listed as
// [Divergence]s, and never believed.
//
// Everything here is a value that is built once and then only read: a reader
// makes a new Project when a file changes, and whoever shows it swaps a
// pointer. The package opens no file and asks no clock; times are passed in.
//
// The struct tags are the documented JSON form of "gatehouse status --json".
package model

import (
	"context"
	"time"

	"gatehouse/model/line"
)

// Project is one directory with what is built in it, as of one moment.
type Project struct {
	Root string `json:"root"` // absolute path of the directory
	Name string `json:"name"` // its base name, for people
	// Host is the machine it is on; nil for this one. The root of a project elsewhere is "host:" and its directory there.
	Host *Host `json:"host,omitempty"`
	// Builds are ordered: what waits for somebody first, then what changed last.
	Builds []*Build `json:"builds"`
	// Decisions are what humans have decided about its builds, the newest first, from the journal.
	Decisions []Decision `json:"decisions,omitempty"`
	// Problems are those that belong to no build, such as a directory that
	// cannot be listed.
	Problems []Problem `json:"problems,omitempty"`
}

// Build is one protocol's state in a project. Its texts, and those of its nodes, are
// clean for any screen: readers take control and format characters out. Paths
// are as the file system has them.
type Build struct {
	// ID tells builds of one project apart and does not change over reloads:
	// the protocol's name, with ":" and the workstream where there is one.
	ID       string `json:"id"`
	Protocol string `json:"protocol"` // "gsd"
	Title    string `json:"title"`    // what is being built: milestone and name; may be ""
	// Selected says that the project names it as the one to work on: the active workstream of GSD.
	Selected bool `json:"selected,omitempty"`
	// Dir is the directory of the state files and File the state file itself,
	// both relative to the project's root, "/"-separated. File is set even
	// where the file is missing: it is where it would be.
	Dir  string `json:"dir"`
	File string `json:"file"`

	Status Status `json:"status"` // of the build as a whole, from its tree
	Raw    string `json:"raw"`    // the state file's own word for it, "" if it has none
	Why    string `json:"why"`    // one sentence: where Status comes from
	// Since and SinceFile are those of Status, as those of a [Node].
	Since     time.Time `json:"since,omitzero"`
	SinceFile bool      `json:"since_file,omitempty"`
	// StaleSince is when something of it moved last, if it is under way and nothing has moved for [QuietAfter].
	StaleSince time.Time `json:"stale_since,omitzero"`

	// Unread says what of its files can't be read, so that nobody knows all its rows; "" where all can.
	Unread string `json:"-"`

	Nodes []*Node `json:"nodes"` // the tree
	// Partial says that Nodes has the gates that wait and nothing else: the tree of a build elsewhere is sent when it is asked for.
	Partial  bool     `json:"-"`
	Progress Progress `json:"progress"`
	Now      string   `json:"now,omitempty"` // ID of the node worked on, "" if none is named
	Next     *Next    `json:"next,omitempty"`

	// Resume is what taking the build up again would come to, where somebody has to choose among its offers; nil elsewhere.
	Resume *Resume `json:"-"`

	Waits []Wait `json:"waits"` // what waits for a human, see [SortWaits]
	// OldAfter is how long something of it waits until it is old; 0 is [OldAfter].
	OldAfter time.Duration `json:"-"`
	// Expired is what still calls itself waiting and waits no more: in a milestone that is over, or in a hand-over that is out of
	// date. It counts nowhere.
	Expired     []Wait       `json:"past,omitempty"`
	Blockers    []Blocker    `json:"blockers"` // what keeps the agents from going on
	Pause       *Pause       `json:"pause,omitempty"`
	Divergences []Divergence `json:"divergences"` // claims of the state file the tree denies
	// Lags are claims that the tree has outrun a moment ago: numbers are written after the work. They become divergences
	// once nothing has changed for [LagAfter], at Settles.
	Lags      []Divergence `json:"lags,omitempty"`
	Settles   time.Time    `json:"-"`
	Problems  []Problem    `json:"problems"` // what could not be read as it should
	Freshness Freshness    `json:"freshness"`

	// Activity is what the build's agents have written down about their work, the oldest first; see [MergeActivities].
	Activity []Activity `json:"activity,omitempty"`
	// Metrics are the numbers that the build keeps about itself, in the file's order and words.
	Metrics []Fact `json:"metrics,omitempty"`
	// Notes are what the state file carries along for the next session: where the last one stopped, what was decided.
	Notes []Fact `json:"notes,omitempty"`
	// Measured are the numbers computed from its logs and its tree; nil where there are no logs.
	Measured *Metrics `json:"measured,omitempty"`
	// History is what of it was done when; nil where its protocol counts no pieces.
	History *History `json:"history,omitempty"`
	// Can are the verbs about the build as a whole that the protocol allows as things are; none where it is read only.
	Can []Verb `json:"can,omitempty"`

	// Began is when the work began that the state file tells of; zero where it does not say so. What was decided before was about
	// other work.
	Began time.Time `json:"-"`
	// Turns is the moment from which on the build reads otherwise although no file has changed, such as a run that is called
	// stale then; zero where there is none.
	Turns time.Time `json:"-"`

	// Claimed is the line as the state file alone would have it: what
	// statusline prints. Header is the same line on facts corrected by the
	// tree. Both are nil where the protocol has no line to show.
	Claimed line.Facts `json:"-"`
	Header  line.Facts `json:"-"`
}

// Next is the command the protocol would have run next.
type Next struct {
	Command string `json:"command"`         // "execute-phase 4.5"
	Why     string `json:"why"`             // "2 of 3 plans have no summary"
	Node    string `json:"node,omitempty"`  // the node it is about
	Derived bool   `json:"derived"`         // true: from the tree; false: the state file says so
	Source  Pos    `json:"source,omitzero"` // where the state file says so
}

// Paused reports whether work was laid down, and nothing of it waits for a human.
func (b *Build) Paused() bool { return b.Pause != nil && b.Status == Active }

// Word returns the status in one word, "paused" where work was laid down, [StaleWord] where nothing moves.
func (b *Build) Word() string {
	switch {
	case b.Paused():
		return "paused"
	case !b.StaleSince.IsZero():
		return StaleWord
	}
	return b.Status.Word()
}

// Pause says that work was laid down on purpose.
type Pause struct {
	Reason    string    `json:"reason"`               // as the file says it, "" without one
	Since     time.Time `json:"since,omitzero"`       // zero: not known
	SinceFile bool      `json:"since_file,omitempty"` // it is only the time of the file
	Source    Pos       `json:"source"`
}

// Blocker is something that keeps agents from going on.
type Blocker struct {
	Text  string    `json:"text"`            // what it is, as the file says it
	Owner string    `json:"owner,omitempty"` // who can lift it, as the file says: "human_action", "external"
	Node  string    `json:"node,omitempty"`  // ID of the node that it stops, "" for the build
	Since time.Time `json:"since,omitzero"`  // zero: not known
	// SinceFile marks a Since that is only the time of the file.
	SinceFile bool `json:"since_file,omitempty"`
	Source    Pos  `json:"source"`
	// Concern marks what is only written down as a worry: it is shown, but
	// nothing is known to stop because of it.
	Concern bool `json:"concern,omitempty"`
}

// Blocking returns the blockers without what is only a concern.
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

// Freshness says how old what is shown may be.
type Freshness struct {
	// Changed is the newest modification time among the files read.
	Changed time.Time `json:"changed,omitzero"`
	// Seen says that a file was seen to change since the build is read: then Changed is no time of a checkout.
	Seen bool `json:"-"`
	// Claimed is the time the state file itself names, zero if it names none.
	Claimed time.Time `json:"claimed,omitzero"`
	// Held counts the files that cannot be read now and of which the last
	// good state is shown instead. Each has a [Problem].
	Held int `json:"-"`
}

// TurnsAt returns the first moment after now from which on the build reads otherwise although no file has changed: a run
// is stale, a claim that lagged behind is a disagreement, what waits is old. It is the zero time where there is none.
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

// Idle returns how long nothing has changed, and whether that is longer than
// [idleAfter]. Without any time known it returns 0, false. A claimed time that
// is yet to come is not believed.
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
	Projects []*Project // in the order in which they were named
	// Watch says how changes are noticed when it is not as good as it should
	// be ("polling every 2 s: no more inotify watches"); "" when it is.
	Watch string
	// Hosts are the other machines that are looked at, also those without a project.
	Hosts []*Host
	// Sessions are those of live agents, wherever they work; those first that do something since the latest.
	Sessions []Session
}

// Feed gives a dashboard its data.
type Feed interface {
	// Next blocks until there is a snapshot with a version above after, and
	// returns the newest. It returns the context's error when that ends first.
	Next(ctx context.Context, after uint64) (*Snapshot, error)
}
