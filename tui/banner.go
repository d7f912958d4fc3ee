package tui

// The banner: the row below the header with the next question, and the keys that answer it from anywhere.

import (
	"slices"
	"strconv"
	"unicode/utf8"

	"gatehouse/model"
	"gatehouse/tui/decide"
	"gatehouse/tui/draw"
	"gatehouse/tui/index"
)

// bannerRow is the row of the screen that the banner takes.
const bannerRow = 1

// banner is the content of the row. The deciding keys, the footer and the banner have one target: see [dashboard.currentTarget].
type banner struct {
	index  *index.Index
	wait   index.Waiting // the zero value if nothing waits
	number int           // its number among the current waits, or 0
	keys   []draw.Hint
}

// currentTarget returns the target of the deciding keys, and its wait: the gate of the selection, else the first wait. Before the first
// key it is always the first wait, whatever was selected on the last visit.
func (d *dashboard) currentTarget() (t decide.Target, w index.Waiting, number int) {
	if top, ok := d.topDialog().(interface{ Target() (decide.Target, bool) }); ok { // the keys are for this dialog
		if t, ok = top.Target(); ok {
			w, number = d.waitAt(t)
			return t, w, number
		}
	}
	if t, ok := d.selectedGate(); ok && (d.touched || len(d.index.Waits) == 0) {
		w, number := d.waitAt(t)
		decides := slices.ContainsFunc(t.Can(), func(v model.Verb) bool { return v != model.VerbUndo })
		if w.Evidence > 0 || decides && len(d.index.Waits) > 0 { // otherwise the banner would not be about its keys
			return t, w, number
		}
	}
	if len(d.index.Waits) == 0 {
		return t, w, 0
	}
	w = d.index.Waits[0]
	t = decide.Target{Site: w.Site}
	if w.Node != "" {
		t.Node = w.Site.Nodes[w.Node].Node
	}
	w, number = d.waitAt(t)
	return t, w, number
}

// waitAt returns the wait of a target and its number among the current ones. A gate that can be decided without waiting gets a wait of
// its own, with the number 0.
func (d *dashboard) waitAt(t decide.Target) (w index.Waiting, number int) {
	at := t.Place()
	for _, x := range d.index.Waits {
		counted := x.IsCurrent() && !x.OutOfReach()
		if counted {
			number++
		}
		if x.At() == at {
			if !counted {
				number = 0
			}
			return x, number
		}
	}
	w.Site = t.Site
	if w.Text = t.Site.Called(); t.Node != nil {
		w.Node, w.Text = t.Node.ID, draw.Join(" is ", t.Node.Name(), t.Node.Word())
		if t.Node.Session != nil {
			w.Text = draw.Join(draw.PartJoint, t.Node.Session.Agent, t.Node.Session.Title, string(t.Node.Session.State))
		}
	}
	return w, 0
}

// selectedGate returns the gate that the selection means: the selected one, or the only one that waits below the selected row.
func (d *dashboard) selectedGate() (t decide.Target, ok bool) {
	s, ok := d.selectedSubject()
	if !ok || s.Site.Build == nil || len(s.Run) > 0 {
		return t, false
	}
	t.Site = s.Site
	if t.Node = s.Node; s.Node != nil && (s.Node.Gate != nil || len(s.Node.Can) > 0) {
		return t, true
	}
	found := 0
	for _, w := range d.index.Waits {
		n := s.Site.Nodes[w.Node].Node
		if w.Site == s.Site && n != nil && (w.IsCurrent() || w.IsTurn()) && (s.Node == nil || s.Site.IsBelow(w.Node, s.Node.ID)) {
			found++
			t.Node = n
		}
	}
	return t, found == 1 || found == 0 && s.Node != nil && s.Node.Session != nil
}

// newBanner returns the current content of the row.
func (d *dashboard) newBanner() banner {
	b := banner{index: d.index}
	t, w, number := d.currentTarget()
	b.wait, b.number = w, number
	if w.Site == nil || d.still {
		return b
	}
	b.keys = slices.DeleteFunc(d.offersOf(t), func(h draw.Hint) bool { return h.Words == model.VerbUndo.Words().Short })
	if len(d.dialogs) > 0 {
		return b
	}
	switch r, ok := d.tree.At(); {
	case needs(needHit, needStop)(d) != "":
	case !ok || !slices.Contains(d.index.Stops, r.Place()) || !d.touched && r.Place() != w.At():
		b.keys = append(b.keys, draw.Hint{Key: d.keyOf("next"), Words: "show"})
	case len(d.index.Stops) > 1:
		b.keys = append(b.keys, draw.Hint{Key: d.keyOf("next"), Words: "next"})
	}
	return b
}

// bannerLabel returns the sign and the words before the question, and how the question looks.
func (b *banner) bannerLabel(l *draw.Look) (style draw.Style, label string, text draw.Style) {
	g, w := l.Glyphs, b.wait
	switch {
	case w.IsWithAgent():
		return l.Theme.Dim, g.Of(model.Active) + " with the agent:", l.Theme.Dim
	case w.OutOfReach():
		return l.Theme.Dim, g.Of(model.Waiting) + " out of reach:", l.Theme.Dim
	case w.IsTurn():
		return l.Theme.Wait, g.Turn + " " + string(model.SessionTurn) + ":", ""
	case w.IsOld():
		return l.Theme.Dim, g.Of(model.Waiting) + " old:", l.Theme.Dim
	case w.IsUpcoming():
		return l.Theme.Dim, g.MayWait + " " + model.LaterWord + ":", l.Theme.Dim
	case b.number == 0:
		return l.Theme.Dim, g.Dot, l.Theme.Dim
	}
	return l.Theme.Chip, g.Of(model.Waiting) + " " + strconv.Itoa(b.number) + "/" + strconv.Itoa(b.index.Sums.Waits), l.Theme.Strong
}

// Render draws the row. The question gets its space first, then one key, the deadline or the age, the other keys, and the place.
func (b *banner) Render(l *draw.Look, width int) string {
	r := l.Ribbon(width)
	w := b.wait
	if w.Site == nil {
		if !b.index.Empty() {
			r.Gap(1)
			r.Sign(l.Theme.OK, l.Glyphs.Of(model.Done))
			r.Add(l.Theme.Dim, " nothing waits for you")
		}
		return r.Line()
	}
	style, label, text := b.bannerLabel(l)
	r.Exactly(style, " "+label+" ")
	if style == l.Theme.Chip {
		r.Gap(1)
	}
	wanted, room := l.Width(w.Text), width-r.Width
	keys := b.keys
	for len(keys) > 1 && keysWidth(l, keys) > max(room-wanted-14, room/4) {
		keys = keys[:len(keys)-1]
	}
	room -= keysWidth(l, keys)
	age, ageStyle := l.AgeSince(w.Since, w.SinceFile), l.Theme.Dim
	if left := l.Deadline(w.Deadline, ""); left != "" {
		age, ageStyle = left, l.DeadlineStyle(w.Deadline)
		if full := l.Deadline(w.Deadline, w.Then); wanted+l.Width(full)+2 <= room {
			age = full
		}
	}
	if ageWidth := l.Width(age) + 2; age != "" && room >= ageWidth+min(wanted, 20) {
		room -= ageWidth
	} else {
		age = ""
	}
	where := draw.Join(draw.PartJoint, b.index.ProjectName(w.Site), w.Place)
	if x := w.Site.SessionOf(w.Node); x != nil {
		where = draw.Join(draw.PartJoint, b.index.ProjectName(w.Site), x.Agent, x.Title)
	}
	for _, form := range [...]string{where, b.index.ProjectName(w.Site)} {
		if columns := l.Width(form) + utf8.RuneCountInString(draw.PartJoint); form != "" && wanted+columns <= room {
			r.Exactly(l.Theme.Dim, form+draw.PartJoint)
			room -= columns
			break
		}
	}
	r.AddWithin(text, w.Text, room)
	if age != "" {
		r.Gap(2)
		r.Add(ageStyle, age)
	}
	r.To(width - keysWidth(l, keys))
	for _, k := range keys {
		r.Gap(2)
		r.Exactly(l.Theme.Strong, draw.KeyName(k.Key))
		r.Exactly(l.Theme.Dim, " "+k.Words)
	}
	return r.Line()
}

// keysWidth returns the width of some keys in the row, each followed by a blank.
func keysWidth(l *draw.Look, keys []draw.Hint) (width int) {
	for _, k := range keys {
		width += utf8.RuneCountInString(draw.KeyName(k.Key)) + l.Width(k.Words) + 3
	}
	return width + min(width, 1)
}
