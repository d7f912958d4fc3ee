// Package decide asks before a decision is made, has it written, and reports the outcome. A [question] is the dialog about a gate or a
// build: the actor's proposal, and a fresh yes, also after the file has changed while it was open. An [askBox] is the dialog about the ask of a live
// agent. [Decisions] holds the open dialogs and pending writes.
//
// The package writes nothing itself: the [model.Actor] does. Of the dashboard around it, it knows the [Host].
package decide

// The open decisions, and their interface to the dashboard.

import (
	"context"
	"path/filepath"
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"

	"gatehouse/model"
	"gatehouse/model/line"
	"gatehouse/tui/dialog"
	"gatehouse/tui/draw"
	"gatehouse/tui/index"
	"gatehouse/tui/input"
)

// Dialog is a part of the screen that receives the keys while it is open.
type Dialog interface {
	// Press does what a key means in the dialog.
	Press(k input.Stroke) tea.Cmd
	// Box draws the dialog and returns its position in the body; nil for dialogs that are drawn as a part of a pane.
	Box(l *draw.Look, body draw.Area) ([]string, draw.Area)
	// Hints are the keys that the footer offers while it is on top.
	Hints() []draw.Hint
}

// Revised is a dialog with keys that decide something: the user has to have seen its current form.
type Revised interface {
	Dialog
	// Revision changes whenever the dialog asks or shows something else, but not when it is scrolled.
	Revision() uint64
}

// Targeted is a dialog about one gate or build.
type Targeted interface {
	Dialog
	// Target returns the gate or build; ok is false if it is gone.
	Target() (t Target, ok bool)
}

// targetAt returns the target at a place.
func (d *Decisions) targetAt(at index.Place) (t Target, ok bool) {
	home := d.Index.Site(at)
	if home == nil || home.Build == nil {
		return t, false
	}
	t = Target{home, home.Nodes[at.Node].Node}
	return t, at.Node == "" || t.Node != nil
}

// Host is the dashboard around the dialogs.
type Host interface {
	dialog.Host
	// Open puts a dialog on top, Close removes it.
	Open(x Dialog)
	Close(x Dialog)
	// ClearToast removes the last toast.
	ClearToast()
	// Jump returns the command that goes to the pane of an agent, by its node.
	Jump(node string) tea.Cmd
	// Show opens a file in the user's pager.
	Show(s *index.Site, at model.Pos) tea.Cmd
	// Select goes to a row of the tree.
	Select(at index.Place)
	// Files reads the files of a project; nil if none can be read.
	Files() model.Files
	// KeyFor returns the key of a verb, "" without one.
	KeyFor(v model.Verb) string
	// Remark replaces the status words of some rows.
	Remark(remarks map[index.Place]string)
	// Now returns the time, and Tick a command that waits.
	Now() time.Time
	Tick(d time.Duration, then func(time.Time) tea.Msg) tea.Cmd
	// Leave returns the command that ends the program.
	Leave() tea.Msg
}

// Decisions are the open decisions. Index and Look are the current ones of the dashboard.
type Decisions struct {
	Index *index.Index
	Look  *draw.Look
	Actor model.Actor
	// Answerer answers live agents; it may be nil.
	Answerer model.Answerer
	Context  context.Context // of all requests to the actor

	host Host

	queue    map[index.Place]bool    // places answered or skipped so far; nil: dialogs are opened one by one
	newest   index.Place             // the gate that was decided last, until that decision is undone
	boxes    []decider               // the open dialogs
	closed   closing                 // of the last dialog
	writing  map[index.Place]pending // pending writes, until the file shows them
	last     *question               // the last decision
	lost     map[index.Place]bool    // decisions that others have overwritten, until the place is decided again
	quitting bool                    // quits as soon as no write is pending
}

// New returns Decisions without open dialogs. Requests to the actor end with the context.
func New(ctx context.Context, h Host, actor model.Actor, answerer model.Answerer) *Decisions {
	return &Decisions{host: h, Actor: actor, Answerer: answerer, Context: ctx, writing: make(map[index.Place]pending), lost: make(map[index.Place]bool)}
}

// Take takes in a message about a decision. Any other message changes nothing.
func (d *Decisions) Take(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case Result:
		return msg.take()
	case quitMsg:
		if d.quitting {
			return d.host.Leave
		}
	}
	return nil
}

// close closes a dialog.
func (d *Decisions) close(x decider, committed bool) {
	d.boxes = slices.DeleteFunc(d.boxes, func(other decider) bool { return other == x })
	d.closed = closing{d.host.Now(), committed}
	d.host.Close(x)
}

// Busy describes the pending write about a target, "" for none.
func (d *Decisions) Busy(t Target) string {
	if w, ok := d.writing[t.Place()]; ok {
		return fillName(w.verb.Words().Doing, w.name) + ": one moment"
	}
	return ""
}

// tell reports that something was done.
func (d *Decisions) tell(text string) tea.Cmd { return d.host.Say(text, true) }

// refuse reports why something was not done.
func (d *Decisions) refuse(why string) tea.Cmd { return d.host.Say(why, false) }

// Target is the subject of a decision.
type Target struct {
	Site *index.Site
	Node *model.Node // nil for the build as a whole
}

// Place returns the place of the target.
func (t Target) Place() index.Place {
	if t.Node == nil {
		return t.Site.Place("")
	}
	return t.Site.Place(t.Node.ID)
}

// WordsFor names the effect of a verb's key on the target.
func (t Target) WordsFor(v model.Verb) string {
	if v == model.VerbAnswer && t.Node != nil && (t.Node.Session != nil || t.Node.IsTurn()) {
		if door := t.door(); door != nil && !door.IsOpen() {
			return "last words"
		}
		return "reply"
	}
	return v.Words().Short
}

// door returns whether words can reach the session of a finished turn, nil if unknown.
func (t Target) door() *model.Door {
	if t.Node.Session != nil {
		return t.Node.Session.Door
	}
	return t.Node.Gate.Ask.Door
}

// Name returns the name of a target in a sentence.
func (t Target) Name() string {
	if t.Node == nil {
		return line.Name(t.Site.Called())
	}
	return line.Name(t.Node.Name())
}

// whereWords names the project and the build of a target, without its own name. Projects of the same name are distinguished by their parent
// directories.
func (d *Decisions) whereWords(t Target) string {
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

// outOfReach explains why nothing can be decided at a place on an unreachable host; "" for all others.
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

// IsAsk reports whether a target is decided by an answer to a live agent: an ask, or a session with its last turn.
func (t Target) IsAsk() bool { return askOf(t) != nil || t.Node != nil && t.Node.Session != nil }

// verbOrder is the order of the verbs of a gate, the first one last.
var verbOrder = []model.Verb{model.VerbSkip, model.VerbRetry, model.VerbApprove, model.VerbAnswer}

// Can returns the verbs that the protocol allows for the target now, and undo if the journal has a decision that can be undone.
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
