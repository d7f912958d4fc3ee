package decide

// The notice that another writer has overwritten a decision. It stays until the user has seen it, and offers to
// decide again.

import (
	"errors"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"gatehouse/model"
	"gatehouse/model/line"
	"gatehouse/tui/dialog"
	"gatehouse/tui/draw"
	"gatehouse/tui/index"
)

// lost is the dialog about an overwritten decision.
type lost struct {
	*dialog.Dialog
	owner  *Decisions
	at     index.Place
	verb   model.Verb
	name   string
	where  string // the project and the build
	text   string // the reason, the request
	file   string
	values []string // the lost values
}

// TellLosses opens the notice of the first loss as soon as no other dialog is open: it must not take keys that are meant for
// another.
func (d *Decisions) TellLosses() {
	if !d.host.HasDialog() && len(d.losses) > 0 {
		d.host.Open(d.losses[0])
	}
}

// TellOverwritten reports decisions that a file has just lost, whenever they were made. An open notice already reports its own.
func (d *Decisions) TellOverwritten(losses []index.Loss) tea.Cmd {
	for _, l := range losses {
		at := l.Site.Place(l.Node)
		if slices.ContainsFunc(d.losses, func(x *lost) bool { return x.at == at }) {
			continue
		}
		t := Target{Site: l.Site, Node: l.Site.Nodes[l.Node].Node}
		return d.refuse(draw.Join(draw.PartJoint, "overwritten: "+line.Name(l.Name)+" was "+l.Verb.Words().Past+" "+d.Look.Ago(l.At)+", and is "+line.Foreign(l.Was)+" again", d.whereWords(t)))
	}
	return nil
}

// report shows the notice if a decision was overwritten.
func (x *lost) report(err error) tea.Cmd {
	var over *model.Overwritten
	d := x.owner
	if !errors.As(err, &over) {
		return d.refuse("result unknown: " + err.Error())
	}
	x.Dialog, x.file, x.values = dialog.New(d.host, x), over.File, over.Lost
	delete(d.writing, x.at)
	d.losses = append(d.losses, x)
	d.host.ClearToast()
	d.TellLosses()
	d.markRows()
	return nil
}

// Choices implements [dialog.Subject].
func (x *lost) Choices() []dialog.Choice {
	leave := func() tea.Cmd { x.dismiss(); return nil }
	return []dialog.Choice{{Row: "yes", Words: "decide again", Marked: true, Do: x.decideAgain}, {Row: "back", Words: "leave it", Do: leave}, {Row: "quit", Do: leave}, {Row: "next", Do: leave}}
}

// Field implements [dialog.Subject].
func (x *lost) Field() *dialog.Field { return nil }

// Content implements [dialog.Subject].
func (x *lost) Content(l *draw.Look, width int) dialog.Content {
	p := l.Page(width)
	p.Item(l.Theme.Wait, l.Glyphs.Of(model.Waiting), l.Theme.Wait, "Another writer has put something else over your decision.")
	p.Below("", draw.Join(": ", x.name, x.verb.Words().Past))
	p.Gap()
	p.Facts(draw.Fact{Label: "file", Value: x.file}, draw.Fact{Label: "lost", Value: strings.Join(x.values, ", ")}, draw.Fact{Label: "you wrote", Value: x.text})
	p.Gap()
	p.Text(l.Theme.Dim, "Nothing is written again by itself: look at the gate as it is now, and decide again if you still mean it.")
	return dialog.Content{Title: "Overwritten", Where: x.where, Page: p}
}

func (x *lost) dismiss() {
	d := x.owner
	d.losses = d.losses[1:]
	d.markRows()
	d.host.Close(x)
}

// decideAgain opens the question again, with the same text.
func (x *lost) decideAgain() tea.Cmd {
	x.dismiss()
	t, ok := x.owner.targetAt(x.at)
	if !ok {
		return x.owner.refuse(x.name + " is gone from the build")
	}
	x.owner.keepDraft(draft{x.at, x.verb}, x.text)
	return x.owner.Ask(t, x.verb)
}
