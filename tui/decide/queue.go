package decide

// The queue: waits are answered one after the other. A dialog opened by the queue is followed by the next one when it is answered or
// skipped; leaving one ends the queue.

import (
	"slices"
	"strconv"
	"time"

	tea "charm.land/bubbletea/v2"

	"gatehouse/model"
	"gatehouse/tui/index"
)

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
func (d *Decisions) undoNewest(leave func()) tea.Cmd {
	t, ok := d.Newest()
	if d.queue == nil || !ok {
		return d.refuse("nothing was decided here that could be undone")
	}
	leave()
	return d.Ask(t, model.VerbUndo)
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

// VerbOf returns the verb with which the dialog about a wait begins, "" if nothing can be decided about it here.
func (d *Decisions) VerbOf(t Target) model.Verb {
	can := t.Can()
	for _, v := range [...]model.Verb{model.VerbAnswer, model.VerbApprove, model.VerbRetry} {
		if slices.Contains(can, v) && (v == model.VerbAnswer && d.Answerer != nil || v != model.VerbAnswer && d.Actor != nil) {
			return v
		}
	}
	return ""
}

// echoTime is how long answering keys are ignored after a dialog was closed: pressed twice, or a moment too late, they would reach the
// pane below it.
const echoTime = 400 * time.Millisecond

// closing is the time when the last dialog was closed, and whether it was closed by an answer that was carried out.
type closing struct {
	at        time.Time
	committed bool
}

// Echoes reports whether a key is only the echo of an answer: y after any dialog, enter and f only after an answer, so that leaving a dialog
// and continuing needs no pause. n answers too, but in a pane it goes to the next wait.
func (d *Decisions) Echoes(key string) bool {
	if d.host.Now().Sub(d.closed.at) >= echoTime {
		return false
	}
	return key == "y" || d.closed.committed && (key == "enter" || key == "f")
}
