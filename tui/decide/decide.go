// Package decide asks before anything is decided, has it written, and says what became of it. A [question] is the dialog: what
// would be done, as the actor proposes it, and a fresh yes; it is asked anew when the file changes under it. [Decisions] holds
// the questions that are open, what is being written, and what others have overwritten.
//
// It writes nothing itself: that is the [model.Actor]'s. Of the dashboard around it, it knows the [Host].
package decide

// What is being decided, and what that needs of the dashboard.

import (
	"context"
	"path/filepath"
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"

	"gatehouse/model"
	"gatehouse/model/line"
	"gatehouse/tui/dialog"
	"gatehouse/tui/document"
	"gatehouse/tui/draw"
	"gatehouse/tui/index"
	"gatehouse/tui/input"
)

// Dialog is a part of the screen that takes the keys to itself while it is there.
type Dialog interface {
	// Press does what a key means in the dialog.
	Press(k input.Stroke) tea.Cmd
	// Box draws the dialog and says where in the body it stands; nil for those that are drawn as a part of a pane.
	Box(l *draw.Look, body draw.Area) ([]string, draw.Area)
	// Hints are the keys that the footer offers while it is on top.
	Hints() []draw.Hint
}

// Revised is a dialog in which keys decide something: whoever presses one has to have seen it as it is.
type Revised interface {
	Dialog
	// Revision is another one whenever something else is asked or shown, wherever the dialog is scrolled.
	Revision() uint64
}

// Targeted is a dialog about one gate or build.
type Targeted interface {
	Dialog
	// Target returns what it is about; ok is false if that is gone.
	Target() (t Target, ok bool)
}

// targetAt returns what is at a place now.
func (d *Decisions) targetAt(at index.Place) (t Target, ok bool) {
	home := d.Index.Site(at)
	if home == nil || home.Build == nil {
		return t, false
	}
	t = Target{home, home.Nodes[at.Node].Node}
	return t, at.Node == "" || t.Node != nil
}

// Host is what deciding needs of the dashboard around it.
type Host interface {
	dialog.Host
	// Open puts a dialog on top, Close takes it away, HasDialog reports whether there is any.
	Open(x Dialog)
	Close(x Dialog)
	HasDialog() bool
	// ClearToast takes the short message away that was said last.
	ClearToast()
	// Jump returns the command that goes to the pane of an agent, by its node.
	Jump(node string) tea.Cmd
	// Show opens a file in the user's pager, Edit in their editor.
	Show(s *index.Site, at model.Pos) tea.Cmd
	Edit(s *index.Site, at model.Pos) tea.Cmd
	// Select goes to a row of the tree.
	Select(at index.Place)
	// Files reads the files of a project; nil where none can be read.
	Files() model.Files
	// KeyFor returns the key of a verb, "" where there is none.
	KeyFor(v model.Verb) string
	// Remark says something else than their status beside some rows.
	Remark(remarks map[index.Place]string)
	// Now is the time, and Tick a command that waits.
	Now() time.Time
	Tick(d time.Duration, then func(time.Time) tea.Msg) tea.Cmd
	// Leave is the command that ends the program.
	Leave() tea.Msg
}

// Decisions is all that is being decided. Index and Look are the dashboard's at present.
type Decisions struct {
	Index *index.Index
	Look  *draw.Look
	Actor model.Actor
	// Answerer answers live agents; nil where nobody can.
	Answerer model.Answerer
	Context  context.Context // with which what the actor is asked for ends

	host Host

	queue    map[index.Place]bool    // answered or passed over so far; nil: dialogs are opened one by one
	newest   index.Place             // the gate that was decided last, until that is undone
	boxes    []decider               // the dialogs that are open, or left while they write
	asked    uint64                  // questions so far
	closed   closing                 // of the last dialog
	drafts   map[draft]string        // texts that were typed and not used
	writing  map[index.Place]pending // what is being written, until the file says so
	unknown  map[index.Place]decider // decisions without a reply
	done     uint64                  // decisions so far
	last     map[index.Place]uint64  // of each place the last of them
	losses   []*lost                 // decisions that others have overwritten, until the user has seen it
	Looks    document.Looks          // the files that the user has looked at
	quitting bool                    // as soon as nothing is being written any more
}

// New returns Decisions without any. Requests to the actor end with the context.
func New(ctx context.Context, h Host, actor model.Actor, answerer model.Answerer) *Decisions {
	return &Decisions{
		host: h, Actor: actor, Answerer: answerer, Context: ctx,
		drafts: make(map[draft]string), writing: make(map[index.Place]pending), unknown: make(map[index.Place]decider), last: make(map[index.Place]uint64),
	}
}

// Take takes in a message about a decision. Any other message changes nothing.
func (d *Decisions) Take(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case Result:
		return msg.take()
	case RestedMsg:
		return d.endRest(msg.ID)
	case quitMsg:
		if d.quitting {
			return d.host.Leave
		}
	}
	return nil
}

// close takes a dialog away.
func (d *Decisions) close(x decider, committed bool) {
	d.boxes = slices.DeleteFunc(d.boxes, func(other decider) bool { return other == x })
	d.closed = closing{d.host.Now(), committed}
	d.host.Close(x)
}

// Busy says what is being written about a target, "" where nothing is.
func (d *Decisions) Busy(t Target) string {
	if w, ok := d.writing[t.Place()]; ok {
		return fillName(w.verb.Words().Doing, w.name) + ": one moment"
	}
	return ""
}

// tell says that something was done.
func (d *Decisions) tell(text string) tea.Cmd { return d.host.Say(text, true) }

// refuse says why something was not done.
func (d *Decisions) refuse(why string) tea.Cmd { return d.host.Say(why, false) }

// Target is what a decision is about.
type Target struct {
	Site *index.Site
	Node *model.Node // nil for the build as a whole
}

// Place returns where the target is.
func (t Target) Place() index.Place {
	if t.Node == nil {
		return t.Site.Place("")
	}
	return t.Site.Place(t.Node.ID)
}

// WordsFor returns what a key for a verb does to the target, in a word.
func (t Target) WordsFor(v model.Verb) string {
	if v == model.VerbAnswer && (t.Node.Session != nil || t.Node.IsTurn()) {
		return "reply"
	}
	return v.Words().Short
}

// Name calls a target as people do, in a sentence.
func (t Target) Name() string {
	if t.Node == nil {
		return line.Name(t.Site.Called())
	}
	return line.Name(t.Node.Name())
}

// where says in which project and build a target is, besides its own name. Projects of one name are told apart by the directories
// that they are in.
func (d *Decisions) where(t Target) string {
	p := t.Site.Project
	name := p.Called()
	for _, other := range d.Index.Snap.Projects {
		if other != p && other.Called() == name {
			name = line.Tidy(filepath.Base(filepath.Dir(p.Root))) + "/" + name
			break
		}
	}
	build := t.Site.Called()
	switch {
	case t.Node != nil && build != t.Site.Name:
	case len(p.Builds) > 1:
		build = t.Site.Build.ID
	default:
		return line.Name(name)
	}
	return draw.Join(", ", line.Name(name), line.Name(build))
}

// outOfReach says why nothing can be decided at a place, whose host is not there; "" where it is.
func (d *Decisions) outOfReach(at index.Place) string {
	if home := d.Index.Site(at); home != nil {
		return home.OutOfReach(d.Look.Now)
	}
	return ""
}

// hasLastTurn reports whether the last turn of a session can be read: it is over, and the session still lives.
func hasLastTurn(x *model.Session) bool {
	switch x.State {
	case model.SessionTurn, model.SessionIdle, model.SessionInterrupted, model.SessionFailed:
		return true
	}
	return false
}

// IsAsk reports whether an answer to a live agent is what a target takes: it is an ask, or a session with its last turn.
func (t Target) IsAsk() bool { return askOf(t) != nil || t.Node != nil && t.Node.Session != nil }

// verbOrder is the order of the verbs of a gate, the first one last.
var verbOrder = []model.Verb{model.VerbSkip, model.VerbRetry, model.VerbApprove, model.VerbAnswer}

// Can returns the verbs that the protocol allows for the target as things are, and undo where the journal holds something
// that can still be taken back.
func (t Target) Can() []model.Verb {
	switch {
	case t.Site.Build == nil:
		return nil
	case t.Node == nil:
		return t.Site.Build.Can
	case t.Node.Session != nil && hasLastTurn(t.Node.Session):
		return []model.Verb{model.VerbAnswer}
	case t.Node.Gate == nil:
		return t.Node.Can
	}
	can := slices.Concat(t.Node.Gate.Can, t.Node.Can)
	slices.SortStableFunc(can, func(a, b model.Verb) int { return slices.Index(verbOrder, b) - slices.Index(verbOrder, a) })
	if t.Site.Undoable[t.Node.ID] && !slices.Contains(can, model.VerbUndo) {
		can = append(can, model.VerbUndo)
	}
	return can
}
