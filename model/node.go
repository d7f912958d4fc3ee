package model

import (
	"cmp"
	"iter"
	"time"
)

// Kind says what a node of the tree is.
type Kind string

// The kinds of nodes. A group is a heading that only gathers others ("Quick
// tasks"); it has no status of its own but the roll-up of what is below it.
const (
	KindMilestone Kind = "milestone"
	KindPhase     Kind = "phase"
	KindPlan      Kind = "plan"
	KindTask      Kind = "task"
	KindGate      Kind = "gate"
	KindChunk     Kind = "chunk"
	KindGroup     Kind = "group"
	// A skill is one of the things that are done in a phase of a loop; a deliverable is a file that comes of it.
	KindSkill       Kind = "skill"
	KindDeliverable Kind = "deliverable"
	// A session is one of an agent's client that runs; what it asks is a gate below it.
	KindSession Kind = "session"
	// A subagent is an agent that a session has started and that still runs.
	KindSubagent Kind = "subagent"
)

// Node is one row of the tree. A node and all below it are never changed once
// the build is handed out.
type Node struct {
	// ID tells the nodes of one build apart and stays the same over reloads,
	// so that a selection or a fold survives them: "phase/03", "plan/03-02".
	ID     string `json:"id"`
	Kind   Kind   `json:"kind"`
	Number string `json:"number,omitempty"` // as the files write it: "04.5", "03-02"; "" if it has none
	Title  string `json:"title"`            // what it is called
	Called string `json:"-"`                // the same as people wrote it, if Title is made of a file's name; else ""

	Status Status `json:"status"`
	Raw    string `json:"raw,omitempty"` // the protocol's own word: "Needs Review", "halted"
	Why    string `json:"why,omitempty"` // one sentence: where Status comes from

	// Standing says whether it counts now. What it is not by itself but by its gate, upcoming, see [Node.IsUpcoming].
	Standing `json:"-"`
	*nodeFlags
	// Decides is the place in a file that Status comes from, where one place does: the status of a verification that failed.
	Decides Pos `json:"decides,omitzero"`

	// Count is how many of the parts below are finished.
	// Of a milestone, whose parts are phases, Plans counts the plans in them, of which its percentage is.
	Count Count `json:"count,omitzero"`
	Plans Count `json:"plans,omitzero"`
	// Progress is how far a phase is, in the form of [Build.Progress], if its tasks are counted there.
	Progress TaskProgress `json:"progress,omitzero"`

	Wave      int      `json:"wave,omitempty"`       // group of plans that may run side by side; 0: none named
	DependsOn []string `json:"depends_on,omitempty"` // IDs of nodes of this build that must be done before
	BlockedBy []string `json:"blocked_by,omitempty"` // IDs of those that keep it from ever starting as things are

	// Attempt is which try it is at, 0 where none is known, and Attempts how many there may be, 0 for no limit that is known.
	Attempt  int `json:"attempt,omitempty"`
	Attempts int `json:"attempts,omitempty"`

	Session   *Session   `json:"session,omitempty"`   // set on sessions of live agents
	Gate      *Gate      `json:"gate,omitempty"`      // set on gates, and on tasks that stop for a human
	Can       []Verb     `json:"can,omitempty"`       // what can be done to it beside deciding its gate
	Facts     []Fact     `json:"facts,omitempty"`     // what else its file says, in its order
	Artifacts []Artifact `json:"artifacts,omitempty"` // files that belong to it
	Source    Pos        `json:"source,omitzero"`     // where it is written
	Updated   time.Time  `json:"updated,omitzero"`    // newest change of its files
	// Since is since when Status is so, as far as its files say or it was seen to change; zero: not known. SinceFile marks one
	// that is only the time of a file: nothing in it says when.
	Since     time.Time `json:"since,omitzero"`
	SinceFile bool      `json:"since_file,omitempty"`
	// Held marks a node of which the last good state is shown, because a file
	// of it cannot be read now.
	Held bool `json:"-"`

	Children []*Node `json:"children,omitempty"` // the rows below
}

// TaskProgress is how far the tasks of a phase are.
type TaskProgress struct {
	Tasks Count `json:"tasks"`
}

// Fact is one line of detail about a node.
type Fact struct {
	Label string `json:"label"` // what it is about
	Value string `json:"value"` // what is said
}

// Artifact is a file that belongs to a node.
type Artifact struct {
	Name    string    `json:"name"`             // what it is to the protocol: "VERIFICATION"
	File    string    `json:"file"`             // relative to the project's root, "/"-separated
	Exists  bool      `json:"exists"`           // it is there
	Size    int64     `json:"size"`             // bytes
	Changed time.Time `json:"changed,omitzero"` // when it was written
}

// Walk yields the nodes and all below them, parents before children, with
// their depth; the nodes given have depth 0.
func Walk(nodes []*Node) iter.Seq2[int, *Node] {
	return func(yield func(int, *Node) bool) {
		walk(nodes, 0, yield)
	}
}

func walk(nodes []*Node, depth int, yield func(int, *Node) bool) bool {
	for _, n := range nodes {
		if !yield(depth, n) || !walk(n.Children, depth+1, yield) {
			return false
		}
	}
	return true
}

// CountNodes returns how many nodes there are with all below them.
func CountNodes(nodes []*Node) int {
	n := len(nodes)
	for _, node := range nodes {
		n += CountNodes(node.Children)
	}
	return n
}

// Find returns the node with an ID and the nodes above it, outermost first, or
// nil where there is none.
func (b *Build) Find(id string) (n *Node, above []*Node) {
	var path []*Node
	for depth, m := range Walk(b.Nodes) {
		path = append(path[:depth], m)
		if m.ID == id {
			return m, path[:depth:depth]
		}
	}
	return nil, nil
}

// OfKind returns the nodes of one kind, in tree order, those of archived
// milestones left out.
func (b *Build) OfKind(k Kind) []*Node {
	var of []*Node
	for _, n := range Walk(b.Nodes) {
		if n.Kind == k && !n.IsArchived() {
			of = append(of, n)
		}
	}
	return of
}

// IsExpiredWait reports whether the node calls itself waiting and is over: see [Build.Expired].
func (n *Node) IsExpiredWait() bool { return n.Status == Waiting && n.IsOver() }

// Word returns in one word how the node stands, as it is shown everywhere: of a session its state. Raw is shown in the details alone.
func (n *Node) Word() string {
	switch {
	case n.Session != nil:
		return string(n.Session.State)
	case n.IsTurn():
		return string(SessionTurn)
	case n.IsAnswered():
		return "answered"
	case n.IsExpiredWait():
		return PastWord
	case n.IsStale():
		return StaleWord
	case n.IsUpcoming():
		return LaterWord
	}
	return n.Status.Word()
}

// IsTurn reports whether the node is a session whose finished turn waits, or such a turn itself.
func (n *Node) IsTurn() bool {
	return n.Session != nil && n.Session.State == SessionTurn || n.Gate != nil && n.Gate.Ask != nil && n.Gate.Ask.Kind == AskTurn
}

// IsUpcoming reports whether the node is a gate that the work has not reached yet.
func (n *Node) IsUpcoming() bool { return n.Gate != nil && n.Gate.Upcoming && !n.Status.Closed() }

// Heading returns the title as people wrote it.
func (n *Node) Heading() string { return cmp.Or(n.Called, n.Title) }

// Name returns the node as people call it: its kind, number and title.
func (n *Node) Name() string {
	s := n.Heading()
	if n.Number != "" {
		s = n.Number
		if n.Title != "" {
			s += " " + n.Heading()
		}
	}
	switch n.Kind {
	case KindPhase:
		return "Phase " + s
	case KindPlan:
		return "Plan " + s
	}
	return s
}
