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
	"strconv"
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
	closedAt time.Time               // of the last dialog
	answered bool                    // it was closed by an answer that was carried out
	writing  map[index.Place]pending // pending writes, until the file shows them
	last     *question               // the last decision
	lost     map[index.Place]bool    // decisions that others have overwritten, until the place is decided again
	quitting bool                    // quits as soon as no write is pending
}

// New returns Decisions without open dialogs. Requests to the actor end with the context.
func New(ctx context.Context, h Host, actor model.Actor, answerer model.Answerer) *Decisions {
	return &Decisions{host: h, Actor: actor, Answerer: answerer, Context: ctx, writing: make(map[index.Place]pending), lost: make(map[index.Place]bool)}
}

// close closes a dialog.
func (d *Decisions) close(x decider, committed bool) {
	d.boxes = slices.DeleteFunc(d.boxes, func(other decider) bool { return other == x })
	d.closedAt, d.answered = d.host.Now(), committed
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
	if v != model.VerbAnswer || t.Node == nil || t.Node.Session == nil && !t.Node.IsTurn() {
		return v.Words().Short
	}
	var door *model.Door // nil if unknown
	if t.Node.Session != nil {
		door = t.Node.Session.Door
	} else {
		door = t.Node.Gate.Ask.Door
	}
	if door != nil && !door.IsOpen() {
		return "last words"
	}
	return "reply"
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

// withLastTurn are the states of a session whose last turn can be read: it is over, and the session still lives.
var withLastTurn = []model.SessionState{model.SessionTurn, model.SessionIdle, model.SessionInterrupted, model.SessionFailed}

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
	case t.Node.Session != nil && slices.Contains(withLastTurn, t.Node.Session.State):
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

// The queue: waits are answered one after the other. A dialog opened by the queue is followed by the next one when it is answered or
// skipped; leaving one ends the queue.

// StartQueue opens the dialog about a target; the other waits follow.
func (d *Decisions) StartQueue(t Target, verb model.Verb) tea.Cmd {
	d.queue = map[index.Place]bool{}
	return d.Ask(t, verb)
}

// advance opens the next wait after the dialog about a place; nil if there is no queue or nothing is left.
func (d *Decisions) advance(at index.Place) tea.Cmd {
	if d.queue == nil || d.quitting {
		return nil
	}
	d.queue[at] = true
	rest := d.restOf(at)
	if len(rest) == 0 {
		d.queue = nil
		return nil
	}
	t := rest[0]
	d.host.Select(t.Place())
	cmd := d.Ask(t, d.VerbOf(t))
	d.boxes[len(d.boxes)-1].common().slid = true
	return cmd
}

// Newest returns the gate that was decided last here, if that can be undone.
func (d *Decisions) Newest() (t Target, ok bool) {
	if d.newest == (index.Place{}) {
		return t, false
	}
	t, ok = d.targetAt(d.newest)
	return t, ok && slices.Contains(t.Can(), model.VerbUndo)
}

// undoNewest leaves a dialog of the queue to undo the decision before it. The queue continues afterwards.
func (d *Decisions) undoNewest(x decider) tea.Cmd {
	t, ok := d.Newest()
	if d.queue == nil || !ok {
		return d.refuse("nothing was decided here that could be undone")
	}
	d.close(x, false)
	return d.Ask(t, model.VerbUndo)
}

// leaveQueue leaves a dialog, and ends the queue.
func (d *Decisions) leaveQueue(x decider) tea.Cmd {
	d.queue = nil
	return x.leave()
}

// passOver leaves a dialog for the next one in the queue.
func (d *Decisions) passOver(x decider) tea.Cmd {
	return tea.Batch(x.leave(), d.advance(x.common().at))
}

// restOf returns all waits that can be answered except the one at a place, in the order of the list of waits.
func (d *Decisions) restOf(at index.Place) (all []Target) {
	for _, w := range d.Index.Waits {
		place := w.At()
		if !w.IsCurrent() && !w.IsTurn() || w.OutOfReach() || place == at || d.queue[place] {
			continue
		}
		if t, ok := d.targetAt(place); ok && d.Busy(t) == "" && d.VerbOf(t) != "" {
			all = append(all, t)
		}
	}
	return all
}

// leftWords says how many waits are left in the queue, "" without one.
func (d *Decisions) leftWords(at index.Place) string {
	if n := len(d.restOf(at)); d.queue != nil && n > 0 {
		return strconv.Itoa(n) + " left"
	}
	return ""
}

// Does reports whether there is somebody to carry out a verb.
func (d *Decisions) Does(v model.Verb) bool {
	if v == model.VerbAnswer {
		return d.Answerer != nil
	}
	return d.Actor != nil
}

// VerbOf returns the verb with which the dialog about a wait begins, "" if nothing can be decided about it here.
func (d *Decisions) VerbOf(t Target) model.Verb {
	can := t.Can()
	for _, v := range [...]model.Verb{model.VerbAnswer, model.VerbApprove, model.VerbRetry} {
		if slices.Contains(can, v) && d.Does(v) {
			return v
		}
	}
	return ""
}

// echoTime is how long answering keys are ignored after a dialog was closed: pressed twice, or a moment too late, they would reach the
// pane below it.
const echoTime = 400 * time.Millisecond

// Echoes reports whether a key is only the echo of an answer: y after any dialog, enter and f only after an answer, so that leaving a dialog
// and continuing needs no pause. n answers too, but in a pane it goes to the next wait.
func (d *Decisions) Echoes(key string) bool {
	isEcho := key == "y" || d.answered && (key == "enter" || key == "f")
	return isEcho && d.host.Now().Sub(d.closedAt) < echoTime
}
