package model

import (
	"cmp"
	"iter"
	"time"
)

// Kind is the kind of a node of the tree.
type Kind string

// The kinds of nodes. A group is a heading for others ("Quick tasks"); it has no status of its own but the roll-up of
// the nodes below it.
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
	// A session is a running session of an agent's client; its asks are gates below it.
	KindSession Kind = "session"
	// A subagent is an agent that a session has started and that still runs.
	KindSubagent Kind = "subagent"
)

// Node is one row of the tree. A node and all below it are never changed once
// the build is handed out.
type Node struct {
	// ID identifies a node within its build and stays the same over reloads, so that a selection or a fold survives
	// them: "phase/03", "plan/03-02".
	ID     string `json:"id"`
	Kind   Kind   `json:"kind"`
	Number string `json:"number,omitempty"` // as the files write it: "04.5", "03-02"; "" if it has none
	Title  string `json:"title"`            // its name
	Called string `json:"-"`                // the same as people wrote it, if Title is made of a file's name; else ""

	Status Status `json:"status"`
	Raw    string `json:"raw,omitempty"` // the protocol's own word: "Needs Review", "halted"
	Why    string `json:"why,omitempty"` // one sentence: the origin of Status

	// Standing reports whether it counts now. A node can also be upcoming by its gate, see [Node.IsUpcoming].
	Standing `json:"-"`
	*nodeFlags
	// Decides is the position in a file that determines Status, if there is one: the status of a failed verification.
	Decides Pos `json:"decides,omitzero"`

	// Count is the number of finished parts below. For a milestone, whose parts are phases, Plans counts their plans,
	// and the percentage is based on plans.
	Count Count `json:"count,omitzero"`
	Plans Count `json:"plans,omitzero"`
	// Progress is how far a phase is, in the form of [Build.Progress], if its tasks are counted there.
	Progress TaskProgress `json:"progress,omitzero"`

	Wave      int      `json:"wave,omitempty"`       // group of plans that may run side by side; 0: none named
	DependsOn []string `json:"depends_on,omitempty"` // IDs of nodes of this build that must be done before
	BlockedBy []string `json:"blocked_by,omitempty"` // IDs of the nodes that prevent it from ever starting in the current state

	// Attempt is the number of the current attempt, 0 if unknown, and Attempts the limit, 0 if there is no known limit.
	Attempt  int `json:"attempt,omitempty"`
	Attempts int `json:"attempts,omitempty"`

	Session   *Session   `json:"session,omitempty"`   // set on sessions of live agents
	Gate      *Gate      `json:"gate,omitempty"`      // set on gates, and on tasks that stop for a human
	Can       []Verb     `json:"can,omitempty"`       // allowed verbs in addition to deciding its gate
	Facts     []Fact     `json:"facts,omitempty"`     // further facts from its file, in file order
	Artifacts []Artifact `json:"artifacts,omitempty"` // files that belong to it
	Source    Pos        `json:"source,omitzero"`     // position in the source file
	Updated   time.Time  `json:"updated,omitzero"`    // newest change of its files
	// Since is since when Status is so, as far as its files say or it was seen to change; zero: not known. SinceFile marks one
	// that is only the time of a file: nothing in it says when.
	Since     time.Time `json:"since,omitzero"`
	SinceFile bool      `json:"since_file,omitempty"`
	// Held marks a node shown in its last good state, because one of its files cannot be read now.
	Held bool `json:"-"`

	Children []*Node `json:"children,omitempty"` // the rows below
}

// TaskProgress is how far the tasks of a phase are.
type TaskProgress struct {
	Tasks Count `json:"tasks"`
}

// Fact is one line of detail about a node.
type Fact struct {
	Label string `json:"label"` // its subject
	Value string `json:"value"` // the value
}

// Artifact is a file that belongs to a node.
type Artifact struct {
	Name    string    `json:"name"`             // its role in the protocol: "VERIFICATION"
	File    string    `json:"file"`             // relative to the project's root, "/"-separated
	Exists  bool      `json:"exists"`           // whether the file exists
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

// CountNodes returns the number of nodes, including all below them.
func CountNodes(nodes []*Node) int {
	n := len(nodes)
	for _, node := range nodes {
		n += CountNodes(node.Children)
	}
	return n
}

// Find returns the node with an ID and the nodes above it, outermost first, or nil if there is none.
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

// OfKind returns the nodes of one kind, in tree order, without archived milestones.
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

// Word returns the displayed status of a node in one word, the same everywhere; for a session its state. Only the
// details show Raw.
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
